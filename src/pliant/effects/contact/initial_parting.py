"""Initial parting of bodies before the first step."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ...contact.detect.parting import WIDER, Meeting, Solid
from ...contact.pairs.contact_surface import Surface, joined
from ...errors import InputError
from ...geometry.distance.mesh_distance import MeshDistance
from ...geometry.mesh.mesh import TriMesh
from ..effect_layout import Layout
from ..joints.joint_energies import Joints
from .body_contact import surface_of, usual_edge
from .obstacle_contact import Obstacles, grips_of

ROUNDS = 100  # of looks at all bodies: those that are moved out of one may be moved into another
SLOPE = 1e-6  # of a body, over which the normal of an obstacle is a difference


def parted(layout: Layout) -> np.ndarray | None:
    """(parts, 3) by how much each part is moved before the first step [m]; None where the scene does not ask for it."""
    given = layout.of(Obstacles)[0]
    law = given[0].contact if given else None
    if law is None or law.start is None:
        return None
    surfaces = [surface_of(part, law.thickness, "Parting") for part in layout.parts]
    gap = law.start.gap_of(usual_edge(joined(surfaces), "Parting"))
    solids = [Solid(surface, _inside(surface), np.zeros(3)) for surface in surfaces]
    group, mass = _groups(layout)
    pairs = _meeting(layout, group)
    for _ in range(ROUNDS):
        done = [_part(layout, solids, group, mass, gap, *pair) for pair in pairs]
        done += [_raise(layout, solids, group, mass, gap, i) for i in range(len(solids))]
        if not any(done):
            return np.array([solid.moved for solid in solids])
    raise InputError(
        f"Contact(start=contact.Parting()): some bodies still overlap after {ROUNDS} rounds; expected more room around them"
    )


def shifts(layout: Layout, moved: np.ndarray) -> np.ndarray:
    """(n, 3) of all nodes, what spare rows have left out [m]."""
    return np.repeat(moved, np.diff(layout.starts), axis=0)


def told(layout: Layout, moved: np.ndarray | None) -> list[dict[str, np.ndarray]]:
    """For each scene by how much each of its bodies that was moved was moved [m]."""
    ends = np.cumsum([0, *(layout.sizes or (len(layout.parts),))])
    moved = np.zeros((len(layout.parts), 3)) if moved is None else moved
    names = [part.name for part in layout.parts]
    return [{names[k]: moved[k] for k in range(i, j) if moved[k].any()} for i, j in pairwise(ends)]


def _inside(surface: Surface) -> MeshDistance | None:
    points, faces = np.unique(surface.triangles, return_inverse=True)
    distance = MeshDistance(TriMesh(surface.rest[points], faces.reshape(-1, 3))) if len(points) else None
    return distance if distance is not None and distance.closed else None


def _groups(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """(parts,) which parts joints hang together, and the mass of each group [kg], infinite where it cannot be moved."""
    count, ends = len(layout.parts), np.cumsum([0, *(layout.sizes or (len(layout.parts),))])
    joined_by, held = [], [bool((layout.free[part.nodes] == 0).any()) for part in layout.parts]
    for i, j, scene in zip(ends, ends[1:], layout.of(Joints)):
        number = {part.name: part.index for part in layout.parts[i:j]}
        for joint in [joint for own in scene for joint in own.joints]:
            bodies = [number[name] for name in joint.bodies if name is not None]
            joined_by += pairwise(bodies)
            for body in bodies if None in joint.bodies else ():
                held[body] = True
    one, other = np.array(joined_by, int).reshape(-1, 2).T
    graph = csr_matrix((np.ones(len(one)), (one, other)), shape=(count, count))
    group = connected_components(graph, directed=False)[1]
    mass = np.bincount(group, [np.inf if own else part.mass.sum() for own, part in zip(held, layout.parts)])
    return group, mass


def _meeting(layout: Layout, group: np.ndarray) -> list[tuple[int, int]]:
    """The pairs of parts of a scene that must not be in one another."""
    grips, sizes = grips_of(layout), layout.sizes or (len(layout.parts),)
    scene, apart = np.repeat(np.arange(len(sizes)), sizes), grips.apart
    pairs = combinations(range(len(layout.parts)), 2)
    return [(i, j) for i, j in pairs if scene[i] == scene[j] and (apart is None or not apart[i, j])]


def _part(layout: Layout, solids: list[Solid], group: np.ndarray, mass: np.ndarray, gap: float, i: int, j: int) -> bool:
    """Move two parts out of each other, whose common centre of mass stays; whether they had to be moved."""
    near = gap + 0.5 * (solids[i].thickest + solids[j].thickest)
    (low, high), (least, most) = solids[i].box, solids[j].box
    if (low > most + near).any() or (least > high + near).any():
        return False
    meeting, (one, other) = Meeting(solids[i], solids[j], gap), (mass[group[i]], mass[group[j]])
    if not meeting.meets:
        return False
    if group[i] == group[j] or (np.isinf(one) and np.isinf(other)):
        if not meeting.intersects:
            return False
        why = "a joint holds them together" if group[i] == group[j] else "both are held or joined to the world"
        names = f"{layout.parts[i].name} and {layout.parts[j].name}"
        raise InputError(
            f"Contact(start=contact.Parting()): {names} overlap at the start, and {why}; move them apart, or give "
            "Contact(pairs=[contact.Pair(…, touch=False)])"
        )
    share = 0.0 if np.isinf(one) else 1.0 if np.isinf(other) else other / (one + other)
    way = meeting.out()
    for solid, own in zip(solids, group):
        solid.moved = solid.moved + way * (share * (own == group[i]) - (1 - share) * (own == group[j]))
    return True


def _raise(layout: Layout, solids: list[Solid], group: np.ndarray, mass: np.ndarray, gap: float, i: int) -> bool:
    """Move a part out of the obstacle in which it is deepest, along its normal there; whether it had to be moved."""
    obstacles, grips = layout.of(Obstacles)[0][0].pieces, grips_of(layout)
    solid, deepest, way = solids[i], gap, np.zeros(3)
    x = solid.surface.rest + solid.moved
    for obstacle, own in zip(obstacles, grips.obstacles[:, grips.group[i]]):
        pose = obstacle.pose(0.0)
        local = (x - pose[:3, 3]) @ pose[:3, :3]
        phi = obstacle.shape(local) - 0.5 * solid.surface.thickness
        at = int(np.argmin(phi))
        if own >= 0 and phi[at] < deepest:
            around = SLOPE * np.ptp(solid.box, axis=0).max() * np.eye(3)
            normal = obstacle.shape(local[at] + around) - obstacle.shape(local[at] - around)
            deepest = phi[at]
            way = (WIDER * gap - deepest) * pose[:3, :3] @ (normal / np.linalg.norm(normal))
    if deepest >= gap:
        return False
    if np.isinf(mass[group[i]]):
        if deepest > 0:
            return False  # as what is held may be as near as it likes
        raise InputError(
            f"Contact(start=contact.Parting()): {layout.parts[i].name} is {-deepest:.2g} m inside an obstacle at the start, "
            "and is held or joined to the world; move it out"
        )
    for other, own in zip(solids, group):
        other.moved = other.moved + way * (own == group[i])
    return True
