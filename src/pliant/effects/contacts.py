"""Contact of bodies with each other and with themselves: the surface of a whole scene, and what keeps it apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from ..contact.barrier import Barrier, BarrierContact
from ..contact.candidates import Candidates
from ..contact.complementarity import Complementarity, ComplementarityContact
from ..contact.crossings import crossings, least_way
from ..contact.deepest import curved
from ..contact.obstacle_barrier import ObstacleBarrier
from ..contact.obstacle_faces import FaceBarrier
from ..contact.surface import Surface, joined
from ..device import Device
from ..energy.base import Energy, Step
from ..energy.obstacles import Obstacle
from ..errors import InputError, did_you_mean
from ..geometry.distance import MeshDistance
from ..geometry.mesh import TriMesh, edges_of
from ..material.initial_modulus import initial_modulus
from .layout import Layout, Part
from .obstacles import Contact, Obstacles
from .pieces import pieces_of

VALUES = ()
OF_AN_EDGE = 0.1  # reach of a barrier, where none is given
GAP_OF_AN_EDGE = 0.01  # that complementarity keeps between bodies, where none is given
NO_GAP = 1e-6  # of the reach: what is so near at the start has no gap


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    given = layout.of(Obstacles)[0]
    response = given[0].contact.response if given else None
    if not isinstance(response, Barrier | Complementarity):  # see penalties.py and intersections.py
        return []
    refuse_batch(layout, response)
    if isinstance(response, Complementarity):
        return [ForcedContact(device, layout, given[0])]
    bodies = BodyContact(device, layout, given[0].contact, response)
    walls = [ObstacleWall] if given[0].obstacles else []
    walls += [FaceWall] if curved(given[0].obstacles) and len(bodies.surface.edges) else []
    return [bodies, *(wall(device, layout, given[0], bodies) for wall in walls)]


def refuse_batch(layout: Layout, response: object) -> None:
    """Refuse several scenes at once, for responses that would let them touch each other."""
    if len(layout.effects) > 1:
        raise InputError(f"contact.{type(response).__name__}() keeps one scene apart; a Batch cannot have it")


def no_derivatives(response: str) -> str:
    """Why a fit refuses bodies that touch each other, and what to use instead."""
    return (
        f"contact.{response}() between bodies has no derivatives by parameters here; expected Contact(response=None), with "
        "obstacles in place of the bodies that are touched: contact with those has them"
    )


class LeavesSome:
    """Part of walls that cannot part what intersects: a ``fallback`` looks first, and takes those bodies until they are out."""

    fallback: Energy | None = None
    candidates: Candidates

    def begin(self, step: Step) -> None:
        if self.fallback is not None:
            self.fallback.begin(step)
        super().begin(step)

    def leave(self, pairs: np.ndarray) -> None:
        """Let two bodies be where ``pairs`` (bodies, bodies) says so."""
        self.candidates.leave(pairs)


class ForcedContact(LeavesSome, ComplementarityContact):
    """Complementarity between all parts of a scene, and of them with its obstacles."""

    undifferentiable = no_derivatives("Complementarity")

    def __init__(self, device: Device, layout: Layout, given: Obstacles):
        law, response = given.contact, given.contact.response
        surface = joined([surface_of(part, law.thickness, "Complementarity") for part in layout.parts])
        several = response.patches and len(layout.parts) > 1
        pieces = pieces_of(layout, "Complementarity(patches=True)") if several else None
        if not response.patches:
            _refuse_crossings(layout, surface, law, "Complementarity")
        gap = GAP_OF_AN_EDGE * usual_edge(surface, "Complementarity") if response.gap is None else response.gap
        super().__init__(device, surface, given.obstacles, response, gap, layout.count, law.friction, pieces)
        self.surface, self.candidates = surface, self.detector.candidates
        self.body_names = [part.name for part in layout.parts]
        bodies = _Bodies(layout)
        self.detector.joints = [joint.bound(bodies, i) for i, joint in enumerate(response.joints)]
        self.held_nodes = [bodies.nodes(joint.held) for joint in response.joints]

    def adopt(self, layout: Layout) -> None:
        given = layout.of(Obstacles)[0][0]
        self.friction, self.law = float(given.contact.friction), given.contact.response
        if any(now is not before for now, before in zip(given.obstacles, self.detector.obstacles)):
            self.detector.take(given.obstacles)

    @property
    def remark(self) -> str:
        """What of bodies in one another has no normal, where patches meet."""
        found = getattr(self.detector, "found", None)
        return "" if found is None else found.words(self.body_names)


class BodyContact(LeavesSome, BarrierContact):
    """The barrier between all parts of a scene."""

    undifferentiable = no_derivatives("Barrier")

    def __init__(self, device: Device, layout: Layout, law: Contact, barrier: Barrier):
        surface = joined([surface_of(part, law.thickness) for part in layout.parts])
        _refuse_crossings(layout, surface, law)
        reach = OF_AN_EDGE * usual_edge(surface) if barrier.reach is None else barrier.reach
        pressure = _pressure(layout, surface, barrier)
        super().__init__(device, surface, pressure, reach, layout.count, law.friction, barrier.slip_of(reach))
        if layout.begins and law.fallback is None:
            self._refuse_touching(layout)

    def _refuse_touching(self, layout: Layout) -> None:
        """Bodies without any gap at the start press each other without bounds."""
        x = self.device.array(layout.rest, self.device.types.position)
        self.look(x, x, anew=True)
        if not self.near.count:
            return
        self._evaluate(x)
        gaps, corners = (array.numpy()[: self.near.count] for array in (self.gaps, self.near.pairs))
        bodies = self.surface.body[corners]
        touching = np.flatnonzero((gaps <= NO_GAP * self.reach) & (bodies.min(axis=1) != bodies.max(axis=1)))
        if len(touching):
            first = touching[0]
            one, other = (layout.parts[int(body)].name for body in (bodies[first].min(), bodies[first].max()))
            where = self.surface.rest[corners[first]].mean(axis=0).round(4).tolist()
            raise InputError(
                f"contact.Barrier(): {one} and {other} touch at the start, near {where}; move them apart, by at least a small "
                f"gap such as {0.1 * self.reach:.2g} m"
            )

    def adopt(self, layout: Layout) -> None:
        law = layout.of(Obstacles)[0][0].contact
        pressure = _pressure(layout, self.surface, law.response)
        self.pressure.assign(pressure)
        self.friction, self.slip = float(law.friction), law.response.slip_of(self.reach)


class OfScene:
    """Part of the barriers between a whole scene and its obstacles."""

    undifferentiable = BodyContact.undifferentiable

    def __init__(self, device: Device, layout: Layout, given: Obstacles, bodies: BodyContact):
        law, self.whole = given.contact, bodies.surface
        pressure = _pressure(layout, self.whole, law.response)
        super().__init__(device, self.whole, given.obstacles, pressure, bodies.reach, law.friction, bodies.slip)

    def adopt(self, layout: Layout) -> None:
        given = layout.of(Obstacles)[0][0]
        law = given.contact
        if any(now is not before for now, before in zip(given.obstacles, self.obstacles)):
            self.reshape(given.obstacles)
        self.press_with(_pressure(layout, self.whole, law.response))
        self.friction, self.slip = float(law.friction), law.response.slip_of(self.reach)


class ObstacleWall(OfScene, ObstacleBarrier):
    """The barrier between all points of a scene and its obstacles."""

    def __init__(self, device: Device, layout: Layout, given: Obstacles, bodies: BodyContact):
        if layout.begins:
            _refuse_inside(layout, bodies.surface, given.obstacles)
        super().__init__(device, layout, given, bodies)


class FaceWall(OfScene, FaceBarrier):
    """The barrier between all faces of a scene and those of its obstacles that are not flat."""


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
        np.zeros(bound.count, int), bound.areas, 2 * part.half_thickness * thick, rest,
        np.array([not part.elements.touches_itself]),
    )  # fmt: skip


def _refuse_crossings(layout: Layout, surface: Surface, law: Contact, response: str = "Barrier") -> None:
    """What intersects at the start cannot be kept apart, unless it is two bodies and a fallback parts them first."""
    crossing = crossings(Device("cpu", "f64"), surface, surface.rest)
    of_edge, of_face = (surface.body[own[crossing[:, i], 0]] for i, own in ((0, surface.edges), (1, surface.triangles)))
    if law.fallback is not None:
        same = of_edge == of_face
        crossing, of_edge, of_face = crossing[same], of_edge[same], of_face[same]
    joined_up = getattr(law.response, "joints", ())  # a bone in flesh may be welded to it
    if not len(crossing) and layout.begins and law.fallback is None and not joined_up:
        _refuse_nested(layout, surface, response)
    if len(crossing):
        pair = of_edge[0], of_face[0]
        one, other = (layout.parts[int(body)].name for body in pair)
        whom = f"{one} and {other}" if one != other else f"parts of {one}"
        where = surface.rest[surface.edges[crossing[0, 0]]].mean(axis=0).round(4).tolist()
        theirs = np.isin(of_edge, pair) & np.isin(of_face, pair)
        deep = _depth(surface, crossing[theirs], *pair)
        if deep <= 1e-9 * np.ptp(surface.rest, axis=0).max() and one != other:
            raise InputError(
                f"contact.{response}(): {whom} touch at the start, near {where}; move them apart, by at least a small gap"
            )
        cure = "move the bodies apart, or give Contact(fallback=contact.Intersection())"
        raise InputError(
            f"contact.{response}(): {whom} intersect at the start, near {where}, up to {deep:.2g} m deep; {len(crossing)} edges "
            f"pass through faces; {'mend the surface' if one == other else cure}"
        )


def _refuse_nested(layout: Layout, surface: Surface, response: str) -> None:
    """A body wholly inside the matter of another has no surface to come out through; one in a hollow is free."""
    x, count = surface.rest, len(layout.parts)
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, surface.body, x)
    np.maximum.at(high, surface.body, x)
    within = (low[:, None] > low).all(axis=2) & (high[:, None] < high).all(axis=2)  # inner, outer
    for outer in np.flatnonzero(within.any(axis=0)):
        own = surface.triangles[surface.body[surface.triangles[:, 0]] == outer]
        points, faces = np.unique(own, return_inverse=True)
        distance = MeshDistance(TriMesh(x[points], faces.reshape(-1, 3))) if len(points) else None
        for inner in np.flatnonzero(within[:, outer]) if distance is not None and distance.closed else ():
            if distance(x[surface.body == inner][:1])[0] < 0:
                one, other = (layout.parts[int(body)].name for body in (inner, outer))
                raise InputError(
                    f"contact.{response}(): {one} lies inside {other} at the start; move it out, or give "
                    "Contact(fallback=contact.Intersection())"
                )


def _depth(surface: Surface, crossing: np.ndarray, one: int, other: int) -> float:
    """How far points of one body are inside the other, or how far edges must go to pass faces by: the larger [m]."""
    x, owner = surface.rest, surface.body[surface.triangles[:, 0]]
    ways = [least_way(x[surface.edges[e]], x[surface.triangles[f]]) for e, f in crossing]
    for inner, outer in ((one, other), (other, one)) if one != other else ():
        points, faces = np.unique(surface.triangles[owner == outer], return_inverse=True)
        if len(points):
            distance = MeshDistance(TriMesh(x[points], faces.reshape(-1, 3)))
            ways.append(-float(distance(x[surface.body == inner]).min()) if distance.closed else 0.0)
    return max(ways)


def _refuse_inside(layout: Layout, surface: Surface, obstacles: Sequence[Obstacle]) -> None:
    """What is inside an obstacle at the start cannot be kept out of it."""
    for obstacle in obstacles:
        pose = obstacle.pose(0.0)
        gap = obstacle.shape((surface.rest - pose[:3, 3]) @ pose[:3, :3]) - 0.5 * surface.thickness
        inside = np.flatnonzero(gap <= 0)
        if len(inside):
            worst = inside[np.argmin(gap[inside])]
            raise InputError(
                f"contact.Barrier(): {len(inside)} points of {layout.parts[int(surface.body[worst])].name} are inside or on "
                f"{obstacle.name} at the start, up to {abs(gap[worst]):.3g} m deep near {surface.rest[worst].round(4).tolist()}; "
                "move the body out, by at least a small gap"
            )


class _Bodies:
    """The parts of a layout as joints know them."""

    def __init__(self, layout: Layout):
        self.layout, self.count = layout, layout.count

    def _part(self, name: str, what: str) -> Part:
        parts = [part for part in self.layout.parts if part.name == name]
        if len(parts) != 1:
            names = [part.name for part in self.layout.parts]
            raise InputError(
                f"{what}: {len(parts)} bodies are called {name!r}{did_you_mean(name, names)}; expected one"
            )
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
    """The least of the median lengths of edges at rest of all bodies [m]."""
    if not len(surface.edges):
        raise InputError(
            f"contact.{response}(): no body has a surface or edges that could touch; expected tets, sheets or threads"
        )
    lengths = np.linalg.norm(surface.rest[surface.edges[:, 1]] - surface.rest[surface.edges[:, 0]], axis=1)
    of = surface.body[surface.edges[:, 0]]
    return float(min(np.median(lengths[of == body]) for body in np.unique(of)))


def _pressure(layout: Layout, surface: Surface, barrier: Barrier) -> np.ndarray:
    """(p,) κ at each point [Pa]."""
    if barrier.pressure is not None:
        return np.full(surface.count, float(barrier.pressure))
    moduli = np.array([part.elements.yielding * initial_modulus(part.material) for part in layout.parts])
    if np.any(moduli <= 0):
        names = ", ".join(part.name for part, modulus in zip(layout.parts, moduli) if modulus <= 0)
        raise InputError(
            f"contact.Barrier(pressure=None): {names} has no stiffness at rest to take it from; expected Pa"
        )
    return moduli[surface.body]
