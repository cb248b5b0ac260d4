"""Contact with obstacles: which points meet them, and how stiffly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.typing_fields import Many
from ...contact.automatic import Automatic
from ...contact.barrier.barrier_energy import Barrier
from ...contact.complementarity.contact_solver import Complementarity
from ...contact.detect.parting import Parting
from ...contact.intersection.intersection_energy import Intersection
from ...contact.pairs.pair_law import Anisotropic, Grips, Pair, grips
from ...contact.penalty.penalty_law import Penalty, check_hardness, hardness
from ...cut.change import Change
from ...elements.embedded_surface import Binding, widened
from ...energy.base import Energy, Step
from ...energy.capabilities import Tearable, Thing
from ...energy.contact_forces import Pressed
from ...energy.embedded_points import EmbeddedPoints
from ...energy.obstacles.obstacle_energy import Obstacle, ObstacleContact
from ...energy.sensitivity import Public
from ...errors import InputError
from ...material.initial_modulus import initial_modulus, pulled_back_modulus
from ...runtime.device import Device
from ...runtime.scatter_writes import write
from ..base import Changing, check_same
from ..effect_layout import Layout, Part
from ..joints.joint_effects import joined_bodies
from ..joints.joint_energies import Joints


@dataclass(frozen=True)
class Contact:
    """How bodies meet obstacles: Coulomb ``friction``; ``stiffness`` [N/m] per point, or None to take it from the material.

    Tets, sheets and threads touch at their nodes, a lattice at the vertices of its ``contact_surface``, and a body with a
    ``surface`` of its own at the vertices of that. From the material: 10 E V^⅓ of each node, V being the volume that it stands
    for; for points of a lattice or of a surface 10 E A/h, A being the area that the point stands for (of a lattice's sharp
    edges that of one face) and h the size of the element; ``hardness`` is another number than that 10.
    ``smoothing`` s [m] lets the force set in smoothly, as k s log(1 + e^{−φ/s}) of the distance φ, for what needs
    derivatives; 0 is a sharp contact. With ``thickness`` sheets and threads touch with their outside, not with their middle.
    ``response`` says how bodies touch each other. Where none is given, Automatic() takes Barrier() for two bodies or more with
    Newton() that begin apart, and else springs. Penalty() pushes them out of each other by springs, and lets faces of bodies
    meet curved obstacles. Barrier() keeps bodies, and parts of them, from ever crossing. Complementarity() lets them touch each
    other and obstacles by forces that are found in place of stiffnesses. Intersection() pushes those apart that are deep in one
    another. With None, or false in a scene file, bodies pass through one another. ``self_contact`` says whether parts of one
    connected body touch each other; None lets them with Barrier() and Complementarity() alone.
    A ``fallback``, Intersection(), takes over for each two bodies of tets that the response cannot part, until they are out
    again: with Penalty() those deeper in one another than a usual edge of their surfaces, where the nearest face may be the
    wrong one; with Barrier() and Complementarity(), which refuse a start within one another without it, all that intersect.
    ``start=Parting()`` moves bodies that begin in one another apart before the first step.
    ``pairs`` say by names which bodies and obstacles have another friction, or do not touch. ``restitution`` is the share of the
    speed of impact that rigid bodies have after it, None for what the response gives back.
    """

    friction: float = 0.0
    stiffness: float | None = None
    smoothing: float = 0.0
    thickness: bool = False
    response: Barrier | Complementarity | Intersection | Penalty | None = field(default_factory=Automatic)
    fallback: Intersection | None = None
    hardness: float | None = None
    pairs: Many[Pair] = ()
    restitution: float | None = None
    self_contact: bool | None = None
    start: Parting | None = None

    def __post_init__(self):
        checks.number("Contact(friction=…)", self.friction, 0, expected="a number of at least 0")
        if self.restitution is not None:
            checks.number("Contact(restitution=…)", self.restitution, 0, 1, "a number from 0 to 1, or None")
        pairs = tuple(self.pairs) if isinstance(self.pairs, list | tuple) else (self.pairs,)
        if not all(isinstance(pair, Pair) for pair in pairs):
            raise checks.refusal("Contact(pairs=…)", self.pairs, "contact.Pair(first, second, …) or several")
        object.__setattr__(self, "pairs", pairs)
        if any(isinstance(pair.friction, Anisotropic) for pair in pairs) and not isinstance(self.response, Barrier):
            raise InputError(
                "Contact(pairs=[contact.Pair(…, friction=contact.Anisotropic(…))]): friction with a direction is for "
                "response=contact.Barrier(); expected that, or a number"
            )
        if self.stiffness is not None:
            checks.positive("Contact(stiffness=…)", self.stiffness, "N/m, or None")
        check_hardness("Contact", self.stiffness, self.hardness)
        checks.number("Contact(smoothing=…)", self.smoothing, 0, checks.FAR, "a length in metres, or 0")
        checks.flag("Contact(thickness=…)", self.thickness)
        if self.response is False:  # the word for None in a scene file
            object.__setattr__(self, "response", None)
        if self.response is not None and not isinstance(self.response, Barrier | Complementarity | Intersection | Penalty):
            expected = "contact.Penalty(), contact.Barrier(), contact.Complementarity(), contact.Intersection(), or None"
            raise checks.refusal("Contact(response=…)", self.response, expected)
        if self.fallback is not None:
            near = "contact.Penalty(), contact.Barrier() or contact.Complementarity()"
            checks.instance("Contact(fallback=…)", self.fallback, Intersection, f"contact.Intersection(), beside {near}")
            patches = getattr(self.response, "patches", False)
            if not isinstance(self.response, Penalty | Barrier | Complementarity) or patches:
                given = "None" if self.response is None else f"contact.{type(self.response).__name__}()"
                given = "contact.Complementarity(patches=True)" if patches else given
                raise InputError(
                    f"Contact(response={given}, fallback=contact.Intersection()): a fallback is for responses to close "
                    f"pairs; expected response={near}, or contact.Intersection() as the response"
                )
        if self.start is not None:
            checks.instance("Contact(start=…)", self.start, Parting, "contact.Parting(), or None")
            if self.response is None:
                raise InputError("Contact(start=contact.Parting(), response=None): without a response nothing is moved apart")
        given = [name for name in ("stiffness", "hardness") if getattr(self, name) is not None]
        given += ["smoothing"] if self.smoothing > 0 else []
        if isinstance(self.response, Complementarity) and given:
            raise InputError(
                "Contact(response=contact.Complementarity()) has no stiffness and no smoothing, since its forces are unknowns; "
                f"expected Contact without {' and '.join(given)}"
            )
        if isinstance(self.response, Barrier) and given:
            raise InputError(
                f"Contact({given[0]}=…, response=Barrier()): a barrier has none; "
                "expected Barrier(reach=…, pressure=…) in m and Pa"
            )
        if self.self_contact is not None:
            checks.flag("Contact(self_contact=…)", self.self_contact)
        if self.self_contact and (self.response is None or getattr(self.response, "patches", False)):
            given = "None" if self.response is None else "contact.Complementarity(patches=True)"
            raise InputError(
                f"Contact(self_contact=True, response={given}): this response has no self-contact; expected "
                "contact.Barrier(), contact.Penalty(), contact.Complementarity() or contact.Intersection()"
            )

    @property
    def touches_itself(self) -> bool:
        """Whether parts of one connected body touch each other."""
        if self.self_contact is not None:
            return self.self_contact
        return isinstance(self.response, Barrier | Complementarity)

    @property
    def at_work(self) -> Contact:
        """The same with the barrier that a simulation chose in place of Automatic()."""
        barrier = getattr(self.response, "barrier", None)
        return self if barrier is None else replace(self, response=barrier)


@dataclass(frozen=True, eq=False)
class Obstacles(Changing):
    """Rigid shapes that all bodies of a scene may touch."""

    obstacles: tuple[Obstacle, ...] = ()
    contact: Contact = field(default_factory=Contact)

    @cached_property
    def pieces(self) -> tuple[Obstacle, ...]:
        """The shapes that contact sees: obstacles, those with hollow edges in pieces."""
        return tuple(piece for obstacle in self.obstacles for piece in obstacle.pieces)

    @cached_property
    def wholes(self) -> np.ndarray:
        """(pieces,) the index of the obstacle that each belongs to."""
        return np.repeat(np.arange(len(self.obstacles)), [len(obstacle.pieces) for obstacle in self.obstacles])

    def check_change(self, now: Obstacles) -> None:
        if len(now.obstacles) != len(self.obstacles):
            raise InputError(
                f"{len(now.obstacles)} obstacles in place of {len(self.obstacles)}: their number cannot change in a running "
                "simulation; build a new one"
            )
        for before, after in zip(self.obstacles, now.obstacles):
            check_same("Obstacle", before, after, ("shape", "motion"))
            if len(before.pieces) != len(after.pieces):
                raise InputError(f"{before.name}: its hollow edges cannot come or go but by sim.reshape; build a new Simulation")
        one, other = self.contact, now.contact
        walls = one.response is not None and other.response is not None
        changing = ("friction", "stiffness", "hardness", "smoothing", "response" if walls else "thickness")
        changing += ("thickness",) if isinstance(one.response, Automatic) else ()
        check_same("Contact", one, other, changing)
        if walls and type(one.response) is not type(other.response):
            raise InputError("Contact: response cannot become another in a running simulation; build a new one")
        if walls:
            check_same(type(one.response).__name__, one.response, other.response, one.response.CHANGES)

    def keeps_rows(self, change: Change, body: Any) -> bool:
        """Where nodes meet them by springs of their own."""
        law = self.contact.response
        faces = isinstance(law, Penalty) and law.meets_faces and not all(piece.flat for piece in self.pieces)
        springs = law is None or (isinstance(law, Penalty) and not self.contact.touches_itself and not faces)
        return not self.obstacles or (change is Change.CUT and springs and body.surface is None)


VALUES = (Obstacle, Contact, Obstacles)


class InPieces:
    """Mixin that reports contacts and reactions of a piece under its obstacle, whose index is in ``wholes``."""

    wholes: np.ndarray

    def contacts(self, x: wp.array) -> Pressed:
        found = super().contacts(x)
        return replace(found, obstacle=np.append(self.wholes, -1)[found.obstacle])

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        for (kind, number, *more), share in super().reactions(x):
            yield (kind, int(self.wholes[number]) if kind == "obstacle" else number, *more), share


class ObstacleEffect(InPieces, Tearable, ObstacleContact):
    """Contact of all parts; scenes side by side share their obstacles and the law of contact."""

    def __init__(self, device: Device, layout: Layout, given: Obstacles):
        law, self._given = given.contact, _deciding(layout, given.contact)
        self._thickness, self._time = law.thickness, 0.0
        self._layout, self.wholes = layout, given.wholes
        at_nodes = self.rows is not None
        carrier = None if at_nodes else EmbeddedPoints(device, *_mixtures(layout, self.bound))
        stiffness = self._laid(self.point_stiffness(layout, law), layout.count)
        params = (law.friction, self._offsets(layout, law), law.smoothing, carrier, _size(layout))
        super().__init__(device, given.pieces, stiffness, *params, self._grips(layout, at_nodes))
        if not at_nodes:
            self.roll_at(np.concatenate([np.full(b.count, p.elements.held_whole) for p, b in zip(layout.parts, self.bound)]))

    @property
    def bound(self) -> list[Binding]:
        """The points of each part."""
        return [part.touching for part in self._layout.parts]

    @property
    def rows(self) -> np.ndarray | None:
        """(p,) rows of the points, where all are nodes."""
        return _rows(self._layout, self.bound) if all(bound.at_nodes for bound in self.bound) else None

    @property
    def undifferentiable(self) -> str | None:
        law = self._layout.of(Obstacles)[0][0].contact
        if law.pairs or law.restitution is not None:
            given = "pairs=…" if law.pairs else "restitution=…"
            return f"contact with Contact({given}) has no derivatives here; expected one Contact(friction=…) for all bodies"
        if self.rolling is None:
            return None
        return (
            "friction between contact.Rigid bodies and obstacles is computed in several solves of a step, which have no "
            "derivatives here; expected Contact(friction=0), or bodies that are not rigid"
        )

    def _laid(self, values: np.ndarray, count: int) -> np.ndarray:
        """Values of the points as those of all nodes, 0 inside bodies, where the points are nodes; else as they are."""
        rows = self.rows
        if rows is None:
            return values
        every = np.zeros(count)
        every[rows] = values
        return every

    def _grips(self, layout: Layout, at_nodes: bool) -> tuple[np.ndarray, np.ndarray]:
        """The group of each point, nodes of which may be to spare, and what holds them on obstacles."""
        own = grips_of(layout)
        counts = [part.count if at_nodes else bound.count for part, bound in zip(layout.parts, self.bound)]
        group = np.repeat(own.group, counts)
        return np.pad(group, (0, layout.spare if at_nodes else 0), mode="edge"), own.obstacles

    def _offsets(self, layout: Layout, law: Contact) -> np.ndarray:
        """Minus half the thickness at each point [m], or 0."""
        offset = -np.concatenate([part.half_thickness for part in layout.parts])
        return self._laid(offset if law.thickness else np.zeros_like(offset), layout.count)

    def point_stiffness(self, layout: Layout, law: Contact, lengths: Sequence[np.ndarray] | None = None) -> np.ndarray:
        """(p,) stiffness of each point against obstacles [N/m] (see Contact); ``lengths`` [m] of points other than all."""
        lengths = [bound.lengths for bound in self.bound] if lengths is None else lengths
        if law.stiffness is not None:
            return np.full(sum(map(len, lengths)), float(law.stiffness))
        moduli = [_modulus(part) for part in layout.parts]
        return np.concatenate([hardness(law) * own * length for own, length in zip(moduli, lengths)])

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        """By stiffness or the materials that decide it, and by the pose of each obstacle; planes have height and normal."""
        every = self._pulled_back_stiffness(layout, gradients["stiffness"])
        every[None, "contact.friction"] = gradients["friction"][0]
        for i, obstacle in enumerate(layout.of(Obstacles)[0][0].obstacles):
            shift, rotation = (gradients[name][self.wholes == i].sum(axis=0) for name in ("shift", "rotation"))
            name = f"obstacle {i}"
            every |= {(None, f"{name}.shift"): shift, (None, f"{name}.rotation"): rotation}
            if not obstacle.flat or obstacle.motion is not None:
                continue
            # through its point p: moved along the normal n, and turned about p instead of the origin, with δn = ω × n
            n, p = obstacle.shape.program[0].rotation[:, 2], obstacle.shape.program[0].origin
            about = rotation - np.cross(p, shift)
            every |= {(None, f"{name}.height"): shift @ n, (None, f"{name}.normal"): np.cross(about, n)}
        return every

    def _pulled_back_stiffness(self, layout: Layout, gradient: np.ndarray) -> Public:
        rows = self.rows
        by_point = gradient if rows is None else gradient[rows]
        if self._given[0] is not None:
            return {(None, "contact.stiffness"): by_point.sum()}
        every: Public = {}
        starts = np.cumsum([0, *(bound.count for bound in self.bound)])
        for part, bound, first in zip(layout.parts, self.bound, starts):
            by = hardness(layout.of(Obstacles)[0][0].contact) * float(by_point[first : first + bound.count] @ bound.lengths)
            every |= {(part.index, name): value for name, value in pulled_back_modulus(part.material, by).items()}
        return every

    @property
    def tears(self) -> bool:
        return self.carrier is None and [part.elements.dimension for part in self._layout.parts] == [3]

    def tear(self, layout: Layout) -> None:
        """Go on with the surface of the only body, a solid, on more nodes; it has no thickness that they stand off by."""
        elements, outside = layout.parts[0].elements, np.zeros(len(layout.parts[0].elements.rest), bool)
        outside[elements.surface_faces] = True
        self._layout, self.step = layout, self.step_of(_size(layout))
        stiffness, law = np.zeros(layout.count), layout.of(Obstacles)[0][0].contact
        stiffness[: len(outside)][outside] = self.point_stiffness(layout, law, [elements.widths[outside]])
        write(self.device, self.stiffness, stiffness.astype(self.device.types.numpy))
        self.device.clear(self.clearance)

    def begin(self, step: Step) -> None:
        self._time = step.time
        self.take_up(step)
        if self.moves:
            self.place(step.time)
        self.lean(step)

    def accept(self, x: wp.array, time: float) -> None:
        if self.moves:
            self.place(time)
        self.settle(x)

    def accept_back(self, x: wp.array, time: float, *arrays: Any) -> None:
        if self.moves:
            self.place(time)
        super().accept_back(x, time, *arrays)

    def adopt(self, layout: Layout) -> None:
        given, law = layout.of(Obstacles)[0][0], layout.of(Obstacles)[0][0].contact
        if any(now is not before for now, before in zip(given.pieces, self.obstacles)):
            self.reshape(given.pieces)
            self.place(self._time)
        values = _deciding(layout, law)
        if any(now is not before for now, before in zip(values, self._given)):
            self._given = values
            stiffness = self._laid(self.point_stiffness(layout, law), layout.count)
            self.stiffness.assign(stiffness.astype(self.device.types.numpy))
        if (law.thickness, law.smoothing) != (self._thickness, self.smoothing):
            self.device.clear(self.clearance)
        if law.thickness != self._thickness:
            self._thickness = law.thickness
            self.offset.assign(self._offsets(layout, law).astype(self.device.types.numpy))
        self.rub(self._grips(layout, False)[1])
        self.smoothing = float(law.smoothing)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    given = layout.of(Obstacles)[0]
    response = given[0].contact.response if given else None
    if not given or not given[0].obstacles or isinstance(response, Barrier | Complementarity):  # see body_contact.py
        return []
    return [ObstacleEffect(device, layout, given[0])]


def grips_of(layout: Layout) -> Grips:
    """Friction of all parts on each other and on obstacles, and which of them touch."""
    given = layout.of(Obstacles)[0][0]
    names, joined = [part.name for part in layout.parts], []
    ends = np.cumsum([0, *((len(names),) if layout.sizes is None else layout.sizes)])
    for i, j, scene in zip(ends, ends[1:], layout.of(Joints)):
        joined += [(i + a, i + b) for own in scene for a, b in joined_bodies(own.joints, names[i:j])]
    obstacles = [piece.name for piece in given.pieces]
    return grips(given.contact.pairs, given.contact.friction, names, obstacles, joined)


def _size(layout: Layout) -> float:
    """Of the scene [m]."""
    return float(np.linalg.norm(np.ptp(layout.rest[: layout.starts[-1]], axis=0)))


def _deciding(layout: Layout, law: Contact) -> tuple:
    """What the stiffness of points hangs on."""
    return law.stiffness, law.hardness, *(part.material for part in layout.parts)


def _modulus(part: Part) -> float:
    """The largest Young's modulus of any law in it [Pa], at rest where the laws name none."""
    modulus = initial_modulus(part.material)
    if modulus <= 0:
        raise InputError(
            f"Contact(stiffness=None): {part.material.name} of {part.name} has no Young's modulus and no stiffness at rest to "
            "take it from; expected Contact(stiffness=…) in N/m"
        )
    return modulus


def _rows(layout: Layout, bound: Sequence[Binding]) -> np.ndarray:
    """(p,) rows of points that are nodes."""
    return np.concatenate([own.nodes[:, 0] + part.first for part, own in zip(layout.parts, bound)])


def _mixtures(layout: Layout, bound: Sequence[Binding]) -> tuple[np.ndarray, np.ndarray]:
    """(p, k) rows and weights of the points of all parts; those of fewer nodes repeat their first with weight 0."""
    wide = max(own.nodes.shape[1] for own in bound)
    padded = [widened(own.nodes + part.first, own.weights, wide) for part, own in zip(layout.parts, bound)]
    return tuple(np.concatenate(both) for both in zip(*padded))
