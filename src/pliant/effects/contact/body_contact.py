"""Contact of bodies with each other and with themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import warp as wp
from scipy import sparse

from ...contact.barrier.barrier_energy import Barrier, BarrierContact
from ...contact.complementarity.contact_solver import Complementarity, ComplementarityContact
from ...contact.detect.broad_phase import Candidates
from ...contact.obstacles.deepest_points import curved
from ...contact.obstacles.obstacle_barrier import ObstacleBarrier
from ...contact.obstacles.obstacle_faces import FaceBarrier
from ...contact.pairs.contact_surface import Surface, joined
from ...contact.pairs.point_pairs import pair_kernels
from ...energy.base import Energy, Step
from ...energy.sensitivity import Differentiable
from ...errors import InputError, did_you_mean
from ...geometry.mesh.mesh import edges_of
from ...material.initial_modulus import initial_modulus
from ...runtime.device import Device
from ..effect_layout import Layout, Part
from .initial_overlap import gaps_to, refuse_crossings, refuse_inside, refuse_nested, refuse_pair, refuse_touching
from .obstacle_contact import Contact, InPieces, Obstacles, grips_of
from .piece_surfaces import pieces_of

VALUES = ()
OF_AN_EDGE = 0.05  # reach of a barrier, where none is given: 0.1 saves an eighth of the iterations, 0.02 doubles them
OF_A_THIN_EDGE = 0.1  # the same with sheets or threads: with 0.05 five cloths take half as many iterations more
LEAST_REACH = 0.004  # of that, for bodies that begin nearer to each other
GAP_OF_AN_EDGE = 0.01  # that complementarity keeps between bodies, where none is given
NO_GAP = 1e-6  # of the reach, or of the gap to be kept: what is so near at the start has none


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    given = layout.of(Obstacles)[0]
    response = given[0].contact.response if given else None
    if not isinstance(response, Barrier | Complementarity):  # see penalty_contact.py and intersection_contact.py
        return []
    refuse_batch(layout, response)
    if isinstance(response, Complementarity):
        return [ForcedContact(device, layout, given[0])]
    bodies = BodyContact(device, layout, given[0].contact, response)
    walls = [ObstacleWall] if given[0].obstacles else []
    walls += [FaceWall] if curved(given[0].pieces) and len(bodies.surface.edges) else []
    return [bodies, *(wall(device, layout, given[0], bodies) for wall in walls)]


def refuse_batch(layout: Layout, response: object) -> None:
    """Refuse several scenes at once, for responses that would let them touch each other."""
    if len(layout.effects) > 1:
        raise InputError(f"contact.{type(response).__name__}() does not support a Batch; expected single simulations")


def no_derivatives(response: str) -> str:
    """Why a fit refuses bodies that touch each other, and what to use instead."""
    return (
        f"contact.{response}() between bodies has no derivatives with respect to parameters; expected Contact(response=None), "
        "with obstacles in place of the touched bodies, whose contact has derivatives"
    )


class LeavesSome:
    """Part of walls that cannot part what intersects: a ``fallback`` looks first, and takes those bodies until they are out."""

    fallback: Energy | None = None
    candidates: Candidates
    surface: Surface

    def drawn_apart(self, x: np.ndarray) -> np.ndarray | None:
        """(n, 3) how nodes at x (n, 3) give way so that the sides of a cut have a distance; None where all have one."""
        surface = self.surface
        move = surface.drawn_apart(np.einsum("pk,pkc->pc", surface.weights, x[surface.nodes]))
        if move is None:
            return None
        point, column = np.nonzero((surface.weights > 0) & move.any(axis=1)[:, None])
        nodes, share = surface.nodes[point, column], surface.weights[point, column]
        total = np.bincount(nodes, share, len(x))
        ways = [np.bincount(nodes, share * move[point, axis], len(x)) for axis in range(3)]
        return np.stack(ways, axis=1) / np.maximum(total, 1e-300)[:, None]

    def begin(self, step: Step) -> None:
        if self.fallback is not None:
            self.fallback.begin(step)
        super().begin(step)

    def leave(self, pairs: np.ndarray) -> None:
        """Let two bodies be where ``pairs`` (bodies, bodies) says so."""
        self.candidates.leave(pairs)


class ForcedContact(InPieces, LeavesSome, Differentiable, ComplementarityContact):
    """Complementarity between all parts of a scene, and of them with its obstacles."""

    undifferentiable = no_derivatives("Complementarity")

    def __init__(self, device: Device, layout: Layout, given: Obstacles):
        law, response = given.contact, given.contact.response
        surface = surface_of_scene(layout, law, "Complementarity")
        several = response.patches and len(surface.alone) > 1
        pieces = pieces_of(layout, "Complementarity(patches=True)") if several else None
        gap = GAP_OF_AN_EDGE * usual_edge(surface, "Complementarity") if response.gap is None else response.gap
        # where a simulation goes on, contacts are as it left them
        if layout.begins is not None and layout.begins.x is None and not response.patches:
            refuse_crossings(layout, surface, law, "Complementarity")
            if law.fallback is None and not response.joints:  # a bone in flesh may be welded to it
                refuse_nested(layout, surface, "Complementarity")
                refuse_touching(layout, surface, "Complementarity", NO_GAP * gap, gap)
        self.wholes = given.wholes
        super().__init__(device, surface, given.pieces, response, gap, layout.count, law.friction, pieces)
        self.surface, self.candidates = surface, self.detector.candidates
        self.body_names = layout.touching_names
        bodies = _Bodies(layout)
        self.detector.joints = [joint.bound(bodies, i) for i, joint in enumerate(response.joints)]
        self.held_nodes = [bodies.nodes(joint.held) for joint in response.joints]

    def adopt(self, layout: Layout) -> None:
        given = layout.of(Obstacles)[0][0]
        self.detector.surface = replace(self.detector.surface, grips=grips_of(layout).of(self.surface.part))
        self.friction, self.law = float(given.contact.friction), given.contact.response
        if any(now is not before for now, before in zip(given.pieces, self.detector.obstacles)):
            self.detector.take(given.pieces)

    @property
    def remark(self) -> str:
        """What of bodies in one another has no normal, where patches meet."""
        found = getattr(self.detector, "found", None)
        return "" if found is None else found.words(self.body_names)


class BodyContact(LeavesSome, Differentiable, BarrierContact):
    """The barrier between all parts of a scene."""

    undifferentiable = no_derivatives("Barrier")

    def __init__(self, device: Device, layout: Layout, law: Contact, barrier: Barrier):
        surface = surface_of_scene(layout, law, "Barrier")
        if layout.begins is not None:
            refuse_crossings(layout, surface, law, "Barrier")
            if law.fallback is None:
                refuse_nested(layout, surface, "Barrier")
        pressure = _pressure(layout, surface, barrier)
        reach = _usual_reach(device, layout, surface, pressure, law) if barrier.reach is None else barrier.reach
        grips = grips_of(layout).of(surface.part)
        # pressures become what friction holds, where those of pairs differ
        self.group, self.grip = (device.array(grips.group[surface.body], wp.int32), device.array(grips.bodies, wp.float64))
        super().__init__(device, surface, pressure, reach, layout.count, grips.rubs, barrier.slip_of(reach))
        if layout.begins is not None and law.fallback is None:
            self._refuse_touching(layout)

    def _remember(self) -> None:
        super()._remember()
        self.rubbing.launch(pair_kernels("f64").grip_pairs, self.group, self.grip, self.rubbed.press)

    def _refuse_touching(self, layout: Layout) -> None:
        """Bodies without any gap at the start press each other without bounds."""
        move = self.drawn_apart(layout.start)
        x = layout.start if move is None else layout.start + move
        x = self.device.array(x, self.device.types.position)
        self.look(x, rebuild=True)
        if not self.near.count:
            return
        self._evaluate(x)
        gaps, corners = (array.numpy()[: self.near.count] for array in (self.gaps, self.near.pairs))
        bodies = self.surface.body[corners]
        least = NO_GAP * self.reach if layout.begins.x is None else 0.0
        touching = np.flatnonzero((gaps <= least) & (bodies.min(axis=1) != bodies.max(axis=1)))
        if len(touching):
            refuse_pair(layout, self.surface, "Barrier", corners[touching[0]], 0.1 * self.reach)

    def adopt(self, layout: Layout) -> None:
        law = layout.of(Obstacles)[0][0].contact
        pressure = _pressure(layout, self.surface, law.response)
        self.pressure.assign(pressure)
        grips = grips_of(layout)
        self.grip.assign(grips.bodies)
        self.friction, self.slip = grips.rubs, law.response.slip_of(self.reach)


class OfScene(InPieces, Differentiable):
    """Part of the barriers between a whole scene and its obstacles."""

    undifferentiable = BodyContact.undifferentiable

    def __init__(self, device: Device, layout: Layout, given: Obstacles, bodies: BodyContact):
        law, self.whole, self.wholes = given.contact, bodies.surface, given.wholes
        pressure, reach = _pressure(layout, self.whole, law.response), bodies.reach
        if law.response.reach is None:
            reach = _below(reach, *(gaps_to(o, i, self.whole, self.whole.rest, 0.0) for i, o in enumerate(given.pieces)))
        slip = law.response.slip_of(reach)
        super().__init__(device, self.whole, given.pieces, pressure, reach, law.friction, slip)

    def adopt(self, layout: Layout) -> None:
        given = layout.of(Obstacles)[0][0]
        law = given.contact
        if any(now is not before for now, before in zip(given.pieces, self.obstacles)):
            self.reshape(given.pieces)
        self.press_with(_pressure(layout, self.whole, law.response))
        self.rub(grips_of(layout))
        self.slip = law.response.slip_of(self.reach)


class ObstacleWall(OfScene, ObstacleBarrier):
    """The barrier between all points of a scene and its obstacles."""

    def __init__(self, device: Device, layout: Layout, given: Obstacles, bodies: BodyContact):
        if layout.begins is not None:
            refuse_inside(layout, bodies.surface, given.pieces)
        super().__init__(device, layout, given, bodies)
        self.roll_at(np.array([part.elements.held_whole for part in layout.parts])[self.whole.part[self.whole.body]])


class FaceWall(OfScene, FaceBarrier):
    """The barrier between all faces of a scene and those of its obstacles that are not flat."""


def surface_of_scene(layout: Layout, law: Contact, response: str) -> Surface:
    """All that can touch in a scene, with the points of it that are held."""
    surface = joined([surface_of(part, law.thickness, response) for part in layout.parts])
    surface = surface if law.touches_itself else replace(surface, alone=np.ones_like(surface.alone))
    held = np.any((surface.weights != 0) & (layout.free[surface.nodes] == 0).any(axis=2), axis=1)
    return replace(surface, held=held).with_grips(grips_of(layout))


def surface_of(part: Part, thick: bool, response: str = "Barrier") -> Surface:
    """What of a part can touch, by the rows of the layout."""
    if part.elements.held_axes:
        raise InputError(
            f"contact.{response}(): {part.name} is flat, and the outlines of flat bodies touch obstacles only; expected solids, "
            "sheets and threads, or Contact() without response"
        )
    bound = part.touching
    rest = bound.of(part.elements.rest)
    edges = edges_of(bound.triangles)
    if bound.edges is not None and len(bound.edges):
        point_of = np.full(part.count, -1)
        point_of[bound.nodes[:, 0]] = np.arange(bound.count)
        edges = np.concatenate([edges, point_of[bound.edges]]).astype(np.int32)
    return Surface(
        bound.nodes + part.first, bound.weights, np.asarray(bound.triangles, np.int32), edges,
        part.component, bound.areas, 2 * part.half_thickness * thick, rest,
        np.full(part.components, not part.elements.touches_itself), np.zeros(part.components, int),
    )  # fmt: skip


class _Bodies:
    """The parts of a layout as joints know them."""

    def __init__(self, layout: Layout):
        self.layout, self.count = layout, layout.count

    def _part(self, name: str, what: str) -> Part:
        parts = [part for part in self.layout.parts if part.name == name]
        if len(parts) != 1:
            names = [part.name for part in self.layout.parts]
            raise InputError(f"{what}: {len(parts)} bodies are called {name!r}{did_you_mean(name, names)}; expected one")
        return parts[0]

    def nodes(self, name: str) -> slice:
        return self._part(name, "joint").nodes

    def bind(self, name: str, points: np.ndarray, what: str) -> sparse.csr_matrix:
        part = self._part(name, what)
        nodes, weights = part.elements.bind_points(points, what)[:2]
        rows = np.repeat(np.arange(len(points)), nodes.shape[1])
        entries = (np.asarray(weights).ravel(), (rows, np.asarray(nodes).ravel() + part.first))
        return sparse.csr_matrix(entries, shape=(len(points), self.count))

    def tets(self, name: str, what: str) -> np.ndarray:
        part = self._part(name, what)
        if part.elements.nodes.shape[1] != 4 or part.elements.held_whole:
            raise InputError(f"{what}: {name} has no tets of four nodes; expected a body of tets")
        return np.asarray(part.elements.nodes, np.int64) + part.first


def usual_edge(surface: Surface, response: str = "Barrier") -> float:
    """The least of the median lengths of edges at rest of all parts [m]."""
    if not len(surface.edges):
        raise InputError(
            f"contact.{response}(): no body has a surface or edges that could touch; expected tets, sheets or threads"
        )
    return surface.usual_edge()


def _usual_reach(device: Device, layout: Layout, surface: Surface, pressure: np.ndarray, law: Contact) -> float:
    """A share of the usual edge, or the least gap of two bodies at rest where that is less; of bodies that are parted the gap
    of that."""
    thin = any(part.half_thickness.any() for part in layout.parts)
    reach = (OF_A_THIN_EDGE if thin else OF_AN_EDGE) * usual_edge(surface)
    if law.start is not None:
        return min(reach, law.start.gap_of(usual_edge(surface)))
    if len(np.unique(surface.part)) < 2:
        return reach
    probe = BarrierContact(device, surface, pressure, reach, int(surface.nodes.max()) + 1)
    return _below(reach, probe.least_gap(surface.rest))


def _below(reach: float, *gaps: np.ndarray | float) -> float:
    """A reach [m] of no more than these gaps at rest, so that nothing is thrown off what it begins near, and no less than a
    share of it."""
    least = [np.min(gap, initial=np.inf) for gap in gaps]
    apart = [gap for gap in least if gap > 0]  # an obstacle may have come later to where something is at rest
    return float(np.clip(min(apart, default=reach), LEAST_REACH * reach, reach))


def _pressure(layout: Layout, surface: Surface, barrier: Barrier) -> np.ndarray:
    """(p,) κ at each point [Pa]."""
    if barrier.pressure is not None:
        return np.full(surface.count, float(barrier.pressure))
    moduli = np.array([part.elements.yielding * initial_modulus(part.material) for part in layout.parts])
    if np.any(moduli <= 0):
        names = ", ".join(part.name for part, modulus in zip(layout.parts, moduli) if modulus <= 0)
        raise InputError(f"contact.Barrier(pressure=None): {names} has no stiffness at rest to take it from; expected Pa")
    return (moduli * _slenderness(layout, surface))[surface.part[surface.body]]


def _slenderness(layout: Layout, surface: Surface) -> np.ndarray:
    """(parts,) thickness over the usual edge of sheets and threads, at most 1; 1 for solids.

    What is thin bends long before it is compressed. With its whole modulus contact is stiffer than its weight and inertia by
    orders of magnitude, and the onset of contact a kink that costs Newton's method three times the iterations."""
    edges = surface.usual_edges()
    thick = np.array([2 * np.max(part.half_thickness, initial=0.0) for part in layout.parts])
    return np.where(thick > 0, np.minimum(thick / np.maximum(edges, 1e-300), 1.0), 1.0)
