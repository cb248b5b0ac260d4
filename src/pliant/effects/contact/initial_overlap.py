"""Initial overlap: bodies that begin within others or in obstacles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...contact.detect.broad_phase import Candidates
from ...contact.detect.edge_crossings import crossings, least_way
from ...contact.pairs.contact_surface import Surface
from ...energy.obstacles.obstacle_energy import Obstacle
from ...errors import InputError
from ...geometry.distance.mesh_distance import MeshDistance
from ...geometry.mesh.mesh import TriMesh
from ...runtime.device import Device
from ..effect_layout import Layout
from .obstacle_contact import Contact

JUST_INSIDE = 0.01  # of the size of a face: how far behind its middle a body is looked for
MOST = 4000  # faces of a body that are looked at
FALLBACK = "or give Contact(fallback=contact.Intersection()), or Contact(response=None) where bodies are not to touch"


def begun(layout: Layout, surface: Surface) -> np.ndarray:
    """(p, 3) where the points of a surface are when a scene begins [m], sides of a cut in one place drawn apart."""
    at = surface.rest
    if layout.begins is not None and layout.begins.x is not None:
        at = np.einsum("pk,pkc->pc", surface.weights, layout.start[surface.nodes])
    move = surface.drawn_apart(at)
    return at if move is None else at + move


def refuse_crossings(layout: Layout, surface: Surface, law: Contact, response: str) -> None:
    """What intersects at the start cannot be kept apart, unless it is two bodies and a fallback parts them first.

    A run that goes on from a checkpoint may have the two sides of a cut in one another, which lie in one place at rest and do not
    feel each other there: parts of one body count where they intersect at rest.
    """
    x = begun(layout, surface)
    crossing = crossings(Device("cpu", "f64"), surface, x)
    of_edge, of_face = (surface.body[own[crossing[:, i], 0]] for i, own in ((0, surface.edges), (1, surface.triangles)))
    same = of_edge == of_face
    counts = (same | (law.fallback is None)) & ~(same & surface.alone[of_edge])
    if surface.apart is not None:
        counts = counts & ~surface.apart[of_edge, of_face]
    if same.any() and x is not surface.rest:
        at_rest = crossings(Device("cpu", "f64"), surface, surface.rest)
        counts = counts & (~same | np.isin(of_edge, surface.body[surface.edges[at_rest[:, 0], 0]]))
    crossing, of_edge, of_face = crossing[counts], of_edge[counts], of_face[counts]
    if not len(crossing):
        return
    pair = of_edge[0], of_face[0]
    one, other = (layout.touching_names[int(body)] for body in pair)
    whom = f"{one} and {other}" if one != other else f"parts of {one}"
    where = _place(x[surface.edges[crossing[0, 0]]])
    theirs = np.isin(of_edge, pair) & np.isin(of_face, pair)
    deep = _depth(surface, x, crossing[theirs], *pair)
    if deep <= 1e-9 * np.ptp(x, axis=0).max() and one != other:
        raise InputError(
            f"contact.{response}(): {whom} touch at the start, near {where}; move them apart, by at least a small gap"
        )
    cure = f"move the bodies apart, {FALLBACK}"
    raise InputError(
        f"contact.{response}(): {whom} intersect at the start, near {where}, up to {deep:.2g} m deep; {len(crossing)} edges "
        f"pass through faces; {'mend the surface' if one == other else cure}"
    )


def refuse_nested(layout: Layout, surface: Surface, response: str, wholly: bool = False) -> None:
    """Refuse bodies in the matter of others though no edge passes through a face: one inside another, which has no surface to
    come out through, and those whose faces lie in one another's; ``wholly`` the first alone. One in a hollow is free."""
    x, bodies = begun(layout, surface), len(surface.alone)
    low, high = np.full((bodies, 3), np.inf), np.full((bodies, 3), -np.inf)
    np.minimum.at(low, surface.body, x)
    np.maximum.at(high, surface.body, x)
    meet = (low[:, None] < high).all(axis=2) & (high[:, None] > low).all(axis=2)  # inner, outer
    scene = np.repeat(np.arange(len(layout.sizes or (0,))), layout.sizes or len(layout.parts))[surface.part]
    meet &= (scene[:, None] == scene) & ~np.eye(bodies, dtype=bool)
    meet &= True if surface.apart is None else ~surface.apart
    for outer in np.flatnonzero(meet.any(axis=0)):
        distance = _distance_to(surface, x, outer)
        for inner in np.flatnonzero(meet[:, outer]) if distance is not None else ():
            where, behind = _within(surface, x, inner)
            near = np.flatnonzero(((where > low[outer]) & (where < high[outer])).all(axis=1))
            if not len(near) or (wholly and len(near) < len(where)):
                continue
            looked = near[:: 1 + len(near) // MOST]
            deep = -distance(where[looked])
            inside = deep > 0.5 * behind[looked]
            if not inside.any() or (wholly and not inside.all()):
                continue
            one, other = (layout.touching_names[int(body)] for body in (inner, outer))
            if inside.all() and len(near) == len(where):
                raise InputError(f"contact.{response}(): {one} lies inside {other} at the start; move it out, {FALLBACK}")
            raise InputError(
                f"contact.{response}(): {one} and {other} intersect at the start, near {_place(where[looked[inside]][:1])}, up "
                f"to {deep.max():.2g} m deep; move the bodies apart, {FALLBACK}"
            )


def _distance_to(surface: Surface, x: np.ndarray, body: int) -> MeshDistance | None:
    """The signed distance from a body's surface; None where it has no inside."""
    own = surface.body[surface.triangles[:, 0]] == body
    points, faces = np.unique(surface.triangles[own], return_inverse=True)
    distance = MeshDistance(TriMesh(x[points], faces.reshape(-1, 3))) if len(points) else None
    return distance if distance is not None and distance.closed else None


def _within(surface: Surface, x: np.ndarray, body: int) -> tuple[np.ndarray, np.ndarray]:
    """(f, 3) places just behind the middles of its faces, and how far behind [m]; the points of a body without an inside."""
    corners = x[surface.triangles[surface.body[surface.triangles[:, 0]] == body]]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    around = corners - x[surface.body == body].mean(axis=0)
    volume = np.einsum("fc,fc->", normal, around.mean(axis=1)) / 6
    size = np.sqrt(np.linalg.norm(normal, axis=1))
    if not len(corners) or abs(volume) < 1e-6 * np.sum(size**2) * size.max():  # a sheet, or a thread
        points = x[surface.body == body]
        return points, np.full(len(points), 1e-9 * max(np.ptp(x, axis=0).max(), 1e-300))
    behind = JUST_INSIDE * size
    outward = np.sign(volume) * normal / np.maximum(size[:, None] ** 2, 1e-300)
    return corners.mean(axis=1) - behind[:, None] * outward, behind


def refuse_touching(layout: Layout, surface: Surface, response: str, least: float, gap: float) -> None:
    """Refuse bodies no further apart than ``least`` [m], between which no way leads from one to the other."""
    device = Device("cpu", "f64")
    x = device.array(begun(layout, surface), device.types.position)
    found = Candidates(device, surface, near=np.inf)  # of two bodies alone
    found.find(x, x, least, anew=True)
    if found.count:
        refuse_pair(layout, surface, response, found.pairs.numpy()[0], gap)


def refuse_pair(layout: Layout, surface: Surface, response: str, corners: np.ndarray, gap: float) -> None:
    """Say that the bodies of four points touch."""
    bodies = surface.body[corners]
    one, other = (layout.touching_names[int(body)] for body in (bodies.min(), bodies.max()))
    raise InputError(
        f"contact.{response}(): {one} and {other} touch at the start, near {_place(begun(layout, surface)[corners])}; move them "
        f"apart, by at least a small gap such as {gap:.2g} m"
    )


def gaps_to(obstacle: Obstacle, number: int, surface: Surface, x: np.ndarray, time: float) -> np.ndarray:
    """(p,) distance [m] of points at x (p, 3) from that obstacle, infinite for those that do not touch it."""
    pose, grips = obstacle.pose(time), surface.grips
    gap = obstacle.shape((x - pose[:3, 3]) @ pose[:3, :3]) - 0.5 * surface.thickness
    return gap if grips is None else np.where(grips.obstacles[number, grips.group[surface.body]] >= 0, gap, np.inf)


def refuse_inside(layout: Layout, surface: Surface, obstacles: Sequence[Obstacle]) -> None:
    """What is inside an obstacle at the start cannot be kept out of it."""
    x, time = begun(layout, surface), layout.begins.time
    for o, obstacle in enumerate(obstacles):
        gap = gaps_to(obstacle, o, surface, x, time)
        inside = np.flatnonzero(gap <= 0)
        if len(inside):
            worst = inside[np.argmin(gap[inside])]
            raise InputError(
                f"contact.Barrier(): {len(inside)} points of {layout.touching_names[int(surface.body[worst])]} are inside or on "
                f"{obstacle.name} at the start, up to {abs(gap[worst]):.3g} m deep near {x[worst].round(4).tolist()}; "
                "move the body out, by at least a small gap"
            )


def _place(points: np.ndarray) -> list[float]:
    return points.mean(axis=0).round(4).tolist()


def _depth(surface: Surface, x: np.ndarray, crossing: np.ndarray, one: int, other: int) -> float:
    """How far points of one body are inside the other, or how far edges must go to pass faces by: the larger [m]."""
    ways = [least_way(x[surface.edges[e]], x[surface.triangles[f]]) for e, f in crossing]
    for inner, outer in ((one, other), (other, one)) if one != other else ():
        distance = _distance_to(surface, x, outer)
        if distance is not None:
            ways.append(-float(distance(x[surface.body == inner]).min()))
    return max(ways)
