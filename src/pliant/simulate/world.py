"""A scene laid out on a device: one vector of nodes, its masses and pins, and the list of energies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import warp as wp

from ..device import Device
from ..elements.lattice import Lattice
from ..elements.membrane import Hinges, Membrane
from ..elements.patches import surface_points
from ..elements.tets import Tets
from ..energy.base import Energy
from ..energy.clamp import ClampEnergy
from ..energy.damping import StiffnessDamping, Viscosity
from ..energy.hourglass import Hourglass
from ..energy.obstacles import ObstacleContact
from ..energy.points import DeadForces, Grabs, Pull
from ..energy.pressure import PressureEnergy
from ..energy.tethers import TetherEnergy
from ..energy.volume import AveragedVolume, CellPressure
from ..errors import InputError, first_few, floats
from ..material.base import Material
from ..material.combined import Combined
from ..material.fibres import Bending
from ..solve.objective import Objective
from .body import Body, Motion, Pressure, Scene, Tether, asked, select
from .embed import hung
from .loads import closed_faces, nodal_forces
from .merge import Piece, merged, stacked
from .muscles import Muscles


class World:
    """Everything of a scene, or of several that know nothing of each other, that a step needs.

    Nodes of body i are rows ``starts[i]`` to ``starts[i+1]``, those of scene s rows ``bounds[s]`` to ``bounds[s+1]``.
    Scenes side by side share their obstacles and the laws of contact.
    """

    def __init__(self, scenes: Sequence[Scene], device: Device):
        self.device = device
        self._take(scenes)
        counts = [len(b.shape.rest) for b in self.bodies]
        self.starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        self.bounds = self.starts[np.cumsum([0, *(len(scene.bodies) for scene in scenes)])]
        self.count = int(self.starts[-1])
        self.rest = np.concatenate([b.shape.rest for b in self.bodies])
        self.mass = self._masses()
        loose = np.flatnonzero(self.mass <= 0)
        if len(loose):
            raise InputError(
                f"{len(loose)} of {self.count} nodes belong to no element, first at {loose[:5].tolist()}; "
                "remove vertices that no element uses"
            )
        velocity = [np.broadcast_to(b.velocity, b.shape.rest.shape) for b in self.bodies]
        self.velocity = np.concatenate(velocity).astype(float)

        self.inertia = Pull(device, self.mass, name="inertia")
        self.gravity = DeadForces(device, self._weights(), name="gravity")
        self.hinges = {i: Hinges(b.shape.mesh) for i, b in enumerate(self.bodies) if _bends(b)}
        self._elastic = merged(device, self.rest, [self._solid(i) for i in range(len(self.bodies))])
        self._bending = merged(device, self.rest, [self._sheet(i) for i, h in self.hinges.items() if h.count])
        self.elastic, bending = ([energy for _, energy in part] for part in (self._elastic, self._bending))
        for energy in bending:
            energy.name = "bending"
        self.grabs = Grabs(device)
        self.hourglass = {i: self._hourglass(i) for i, b in enumerate(self.bodies) if _needs_hourglass(b)}
        self.volumes = {i: self._volume(i) for i, b in enumerate(self.bodies) if _averages(b)}
        self.muscles = {i: self._muscles(i) for i, b in enumerate(self.bodies) if b.muscles}
        stabilised = [*self.hourglass.values(), *self.volumes.values(), *(m.energy for m in self.muscles.values())]
        self.energies: list[Energy] = [self.inertia, self.gravity, *self.elastic, *bending, *stabilised, self.grabs]
        self._pin()
        self._attach()
        self._clamp()
        self._load()
        self._damp()
        self.contact = self._contact()
        if self.contact is not None:
            self.energies.append(self.contact)
        # forces are judged against their own sum, or against 1 % of the weight on Earth where there are hardly any
        least = 0.01 * 9.81 * np.add.reduceat(self.mass, self.bounds[:-1])
        self.objective = Objective(device, self.energies, self.free, least, self.rest, self.bounds)

    def _take(self, scenes: Sequence[Scene]) -> None:
        self.scenes = tuple(scenes)
        self.bodies = [body for scene in scenes for body in scene.bodies]
        self.names = [name for scene in scenes for name in scene.names]
        self.obstacles, self.contact_law = scenes[0].obstacles, scenes[0].contact

    def _weights(self) -> np.ndarray:
        """(n, 3) weight of each node [N]."""
        gravity = np.repeat([scene.gravity for scene in self.scenes], np.diff(self.bounds), axis=0)
        return self.mass[:, None] * gravity

    def _solid(self, i: int) -> Piece:
        body = self.bodies[i]
        kind = (body.damping.stiffness, body.damping.viscosity)
        return Piece(i, int(self.starts[i]), body.shape, *laid_out(body), kind)

    def _sheet(self, i: int) -> Piece:
        count = self.hinges[i].count
        rows = np.arange(count) if count > 1 else None
        return Piece(i, int(self.starts[i]), self.hinges[i], self._plate(i), rows)

    def _plate(self, i: int) -> Bending:
        """Bending stiffness E t³ / 12(1−ν²) of a sheet, one hinge per interior edge."""
        body, hinges = self.bodies[i], self.hinges[i]
        law = next((t for t in body.material.terms if hasattr(t, "young")), None)
        if law is None:
            raise InputError(f"{body.material.key} has no Young's modulus for bending; use Membrane(…, bending=False)")
        young, poisson = float(np.mean(law.young)), float(np.mean(law.poisson))
        plate = young * body.shape.thickness**3 / (12 * (1 - poisson**2))
        return Bending(stiffness=np.full(hinges.count, plate), rest=hinges.curvature)

    def _hourglass(self, i: int) -> Hourglass:
        material, rows = laid_out(self.bodies[i])
        return Hourglass(self.device, self.bodies[i].shape, material, int(self.starts[i]), rows)

    def _volume(self, i: int) -> AveragedVolume:
        body, averaged = self.bodies[i], self.bodies[i].shape.volume
        measure = averaged.measure or _split(body)[2]
        if averaged.aggregate and measure not in ("log", "excess"):
            given = f"Averaged(aggregate=True): {body.material.key} does not measure J"
            raise InputError(f"{given}; expected NeoHookean or another that does")
        first = int(self.starts[i])
        return AveragedVolume(self.device, body.shape, _modulus(body), measure, averaged.aggregate, first)

    def _muscles(self, i: int) -> Muscles:
        body = self.bodies[i]
        return Muscles(self.device, body.shape, body.muscles, int(self.starts[i]), self.names[i])

    def _masses(self) -> np.ndarray:
        return np.concatenate([b.shape.lumped(b.densities) for b in self.bodies])

    def adopt(self, scenes: Sequence[Scene]) -> None:
        """Take over the values of scenes of the same make: materials, gravity, friction and all that follows from them."""
        self._take(scenes)
        for bodies, energy in self._elastic:
            energy.set_parameters(stacked([laid_out(self.bodies[i])[0] for i in bodies]))
        for bodies, energy in self._bending:
            energy.set_parameters(stacked([self._plate(i) for i in bodies]))
        for i, energy in self.hourglass.items():
            energy.set_parameters(laid_out(self.bodies[i])[0])
        for i, energy in self.volumes.items():
            energy.set_modulus(_modulus(self.bodies[i]))
        for i, muscles in self.muscles.items():
            muscles.take(self.bodies[i].muscles)
        for i, energy, _, _ in self.clamps:
            energy.set_parameters(laid_out(self.bodies[i])[0])
        self.mass = self._masses()
        self.inertia.set_stiffness(self.mass)
        self.gravity.set(self._weights())
        if self.drag is not None:
            self.drag.set_stiffness(self._drags() * self.mass)
        if self.contact is not None:
            self.contact.stiffness.assign(self._contact_stiffness().astype(self.device.types.numpy))
            self.contact.friction = float(self.contact_law.friction)

    def reshape(self, scene: Scene) -> None:
        """Take over the shapes of a scene's obstacles, as many as there were."""
        self._take([scene])
        self.contact.reshape(self.obstacles)

    def _pin(self) -> None:
        self.free = np.ones((self.count, 3))
        self.pins = []  # (rows, axes, pins, rest)
        for i, body in enumerate(self.bodies):
            for pins in body.pins:
                local = select(body.shape.rest, pins.where, f"pinned nodes of {self.names[i]}")
                axes = ["xyz".index(a) for a in pins.axes]
                self.free[np.ix_(local + self.starts[i], axes)] = 0.0
                self.pins.append((local + self.starts[i], axes, pins, body.shape.rest[local]))
        rows = np.unique(np.concatenate([np.zeros(0, int), *(p[0] for p in self.pins)]))
        t = self.device.types
        self.pinned_rows, self._pinned_rows = rows, self.device.array(rows, wp.int32)
        self._pinned_positions = self.device.array(self.rest[rows], t.vec3)
        self.place = self.device.array(self.rest, t.vec3)  # where pinned nodes belong in the step under way

    def put_pins(self, positions: np.ndarray) -> None:
        """Say where the pinned nodes belong (``pinned_rows``)."""
        self._pinned_positions.assign(positions.astype(self.device.types.numpy))
        put = self.objective.kernels.put
        self.device.launch(put, len(self.pinned_rows), self._pinned_rows, self._pinned_positions, self.place)

    def held(self, time: float) -> np.ndarray:
        """(n, 3) where held components are at ``time``; the rest position elsewhere."""
        positions = self.rest.copy()
        positions[self.pinned_rows] = self.pinned(time)
        return positions

    def pinned(self, time: float) -> np.ndarray:
        """(p, 3) where the pinned nodes are at ``time``, the rest position in components that are free."""
        positions = self.rest[self.pinned_rows]
        for rows, axes, pins, X in self.pins:
            if pins.motion is not None:
                moved = _moved("Pins.motion", pins.motion, X, time)
                positions[np.ix_(np.searchsorted(self.pinned_rows, rows), axes)] = moved[:, axes]
        return positions

    @property
    def pins_move(self) -> bool:
        return any(pins.motion is not None for _, _, pins, _ in self.pins)

    def _attach(self) -> None:
        self.attachments = []
        for i, body in enumerate(self.bodies):
            for attachment in body.attachments:
                X = body.shape.rest
                if isinstance(attachment, Tether):
                    points = attachment.points
                    nodes, weights = hung(points, body.shape, f"Tether of {self.names[i]}")
                else:
                    nodes = select(X, attachment.where, f"attachment of {self.names[i]}")[:, None]
                    points, weights = X[nodes[:, 0]], np.ones(nodes.shape)
                energy = TetherEnergy(self.device, X, nodes, weights, attachment.stiffness, int(self.starts[i]))
                self.energies.append(energy)
                self.attachments.append((energy, attachment, points))

    def _clamp(self) -> None:
        self.clamps = []
        for i, body in enumerate(self.bodies):
            for clamp in body.clamps:
                where, noun = asked(body.shape, clamp)
                points = surface_points(body.shape, select(where, clamp.where, f"clamp of {self.names[i]}", noun))
                material, rows = laid_out(body)
                energy = ClampEnergy(self.device, body.shape, points, material, clamp.eta, int(self.starts[i]), rows)
                self.energies.append(energy)
                self.clamps.append((i, energy, clamp, points.positions.reshape(-1, 3)))

    def _load(self) -> None:
        self.loads, self.pressures = [], []
        for i, body in enumerate(self.bodies):
            for load in body.loads:
                if isinstance(load, Pressure):
                    if isinstance(body.shape, Lattice):
                        energy = CellPressure(self.device, body.shape, load.pascals, int(self.starts[i]))
                    else:
                        faces = closed_faces(body, self.names[i]) + self.starts[i]
                        energy = PressureEnergy(self.device, faces, self.count, load.pascals)
                    self.pressures.append((energy, load))
                    self.energies.append(energy)
                else:
                    forces = np.zeros((self.count, 3))
                    forces[self.starts[i] : self.starts[i + 1]] = nodal_forces(body, load, self.names[i])
                    self.loads.append((forces, load.course))
        self.dead = DeadForces(self.device, np.zeros((self.count, 3)))
        if self.loads:
            self.energies.append(self.dead)

    def _drags(self) -> np.ndarray:
        """(n,) mass-proportional damping of each node [1/s]."""
        return np.repeat([b.damping.mass for b in self.bodies], np.diff(self.starts))

    def _damp(self) -> None:
        self.stepwise = []  # damping energies that look at the start of each step
        for bodies, elastic in self._elastic:
            damping = self.bodies[bodies[0]].damping  # the same for all of them
            if damping.stiffness > 0:
                self.stepwise.append(StiffnessDamping(self.device, elastic, damping.stiffness, self.count))
            if damping.viscosity > 0:
                self.stepwise.append(Viscosity(self.device, elastic, damping.viscosity))
        for i, energy in [*self.hourglass.items(), *self.volumes.items()]:
            if self.bodies[i].damping.stiffness > 0 and not getattr(energy, "rigid", False):
                seconds = self.bodies[i].damping.stiffness
                self.stepwise.append(StiffnessDamping(self.device, energy, seconds, self.count))
        drag = self._drags()
        self.drag = Pull(self.device, drag * self.mass, name="drag") if np.any(drag > 0) else None
        self.energies += self.stepwise + ([self.drag] if self.drag is not None else [])

    def _contact_stiffness(self) -> np.ndarray:
        """(n,) stiffness of each node against obstacles [N/m], 0 inside bodies (see Contact)."""
        stiffness = np.zeros(self.count)
        for i, body in enumerate(self.bodies):
            surface = _surface_nodes(body)
            if self.contact_law.stiffness is not None:
                value = self.contact_law.stiffness
            else:
                modulus = max((float(np.max(t.young)) for t in body.material.terms if hasattr(t, "young")), default=1e5)
                value = 10.0 * modulus * _widths(body)[surface]
            stiffness[surface + self.starts[i]] = value
        return stiffness

    def _contact(self) -> ObstacleContact | None:
        if not self.obstacles:
            return None
        offset = np.zeros(self.count)
        for i, body in enumerate(self.bodies):
            if isinstance(body.shape, Lattice):  # its nodes lie beside the surface, not on it
                offset[self.starts[i] : self.starts[i + 1]] = body.shape.depth
        stiffness, law = self._contact_stiffness(), self.contact_law
        return ObstacleContact(self.device, self.obstacles, stiffness, law.friction, offset, law.smoothing)

    def undamped(self) -> None:
        """Switch off inertia and damping until the next step begins, so that the objective is the potential alone."""
        self.inertia.scale = 0.0
        if self.drag is not None:
            self.drag.scale = 0.0
        for damping in self.stepwise:
            damping.begin(self.inertia.target, self.inertia.target, 0.0)  # at rate 0 it matters not where

    def at_time(self, time: float) -> None:
        """Bring everything that depends on time to ``time`` [s]."""
        for energy, attachment, X in self.attachments:
            if attachment.target is not None:
                energy.aim(_moved(f"{type(attachment).__name__}.target", attachment.target, X, time))
        for _, energy, clamp, X in self.clamps:
            if clamp.motion is not None:
                energy.aim(_moved("Clamp.motion", clamp.motion, X, time))
        if self.loads:
            total = sum(forces * _course(course, time) for forces, course in self.loads)
            self.dead.set(total)
        for energy, load in self.pressures:
            energy.set(float(load.pascals) * _course(load.course, time))
        for muscles in self.muscles.values():
            muscles.at_time(time)
        if self.contact is not None:
            self.contact.place(time)


def laid_out(body: Body) -> tuple[Material, np.ndarray | None]:
    """The body's material with its parameter rows; on a sheet, fibre directions are laid into each triangle's plane."""
    material, rows = body.material, body.rows() if len(body.material.table()) > 1 else None
    if _averages(body):
        return _split(body)[0], rows
    if not isinstance(body.shape, Membrane) or material.isotropic:
        return material, rows
    normal = body.shape.mesh.area_vectors / body.shape.mesh.areas[:, None]
    every = np.zeros(body.shape.count, int) if rows is None else rows
    laws = []
    for law in material.terms:
        own = {name: value[every] for name, value in law.parameters().items() if np.ndim(value)}
        if not law.isotropic:
            direction = np.atleast_2d(law.direction)
            direction = direction[every] if len(direction) > 1 else np.repeat(direction, body.shape.count, axis=0)
            flat = direction - np.einsum("ij,ij->i", direction, normal)[:, None] * normal
            across = np.flatnonzero(np.linalg.norm(flat, axis=1) < 1e-3)
            if len(across):
                raise InputError(
                    f"{law.key}: the direction stands on {len(across)} of {body.shape.count} triangles, first at "
                    f"{first_few(across)}; expected one that runs along the sheet"
                )
            own["direction"] = flat
        laws.append(replace(law, **own) if own else law)
    return (laws[0] if len(laws) == 1 else Combined(laws=tuple(laws))), np.arange(body.shape.count)


def _surface_nodes(body: Body) -> np.ndarray:
    """Nodes that can touch something."""
    if isinstance(body.shape, Tets):
        return body.shape.mesh.boundary_vertices
    return np.flatnonzero(body.shape.areas) if isinstance(body.shape, Lattice) else np.arange(len(body.shape.rest))


def _widths(body: Body) -> np.ndarray:
    """(n,) a length for each node [m]: V^⅓, or on a lattice A/h, as the nodes of cut cells hold very little material."""
    if isinstance(body.shape, Lattice):
        return body.shape.areas / body.shape.spacing
    return np.cbrt(body.shape.lumped(np.ones(())))


def _averages(body: Body) -> bool:
    return isinstance(body.shape, Lattice) and body.shape.volume is not None


def _split(body: Body) -> tuple[Material, np.ndarray, str]:
    """The law without its resistance to volume, that resistance [Pa], and the measure by which it resists."""
    found = body.material.without_volume()
    if found is None:
        raise InputError(
            f"Lattice(volume={body.shape.volume}): {body.material.key} is not ψ₀ + κ/2 M²; expected NeoHookean or another that is"
        )
    return found


def _modulus(body: Body) -> np.ndarray:
    """() or (m,) modulus of each cell [Pa]."""
    if body.shape.volume.incompressible:
        return np.asarray(np.inf)
    kappa, rows = np.asarray(_split(body)[1]), body.rows()
    return kappa if kappa.ndim == 0 or rows is None else kappa[rows]


def _needs_hourglass(body: Body) -> bool:
    return isinstance(body.shape, Lattice) and body.shape.quadrature.stabilised


def _bends(body: Body) -> bool:
    return isinstance(body.shape, Membrane) and body.shape.bending


def _moved(what: str, motion: Motion, X: np.ndarray, time: float) -> np.ndarray:
    """Where ``motion`` puts points that rest at X."""
    moved = floats(motion(X, time))
    if moved.shape != X.shape or not np.all(np.isfinite(moved)):
        raise InputError(f"{what} returned shape {moved.shape} at t = {time:g} s; expected {X.shape}, finite")
    return moved


def _course(course, time: float) -> float:
    """The factor of a load at ``time``."""
    if course is None:
        return 1.0
    value = course(time)
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise InputError(f"a load's course returned {value!r} at t = {time:g} s; expected a finite number")
    return float(value)
