"""Quadratic (ten-node) tets from four-node ones, with curved edges."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import numpy as np

from ...arguments import checks
from ...errors import InputError, PliantWarning, first_few
from ..mesh import tet10
from ..mesh.groups import Group
from ..mesh.mesh import TetMesh, TriMesh, unique_rows
from .mesh_distance import MeshDistance
from .sdf import Sdf

ENDS = 0.1  # a face lies on the surface if its corners are no further from it than this, in lengths of its edges,
ALONG = 0.5  # and the cosine of the angle between their normals is no less than this
BULGE = 0.3  # edges are bent by no more than this part of their length, as in an arc of 124 degrees
EVEN = 0.1  # least det J of a bent tet, over that of the straight one
HALVINGS = 6  # of what vertices are moved by, before they stay where they were
STEPS = 8  # towards a signed distance of 0


def quadratic(mesh: TetMesh, onto: TriMesh | Sdf | None = None) -> TetMesh:
    """The mesh with ten-node tets, as ``TetMesh.quadratic`` says."""
    if mesh.middles is not None:
        raise InputError("these tets have ten nodes already; take mesh.linear().quadratic(…) to place them again")
    pairs = np.sort(mesh.tets[:, tet10.EDGES].reshape(-1, 2), axis=1)
    first, inverse, _ = unique_rows(pairs)
    edges = pairs[first]
    middles = inverse.reshape(-1, 6)
    X = mesh.vertices
    halfway = 0.5 * (X[edges[:, 0]] + X[edges[:, 1]])
    if onto is not None:
        checks.instance("quadratic(onto=…)", onto, (TriMesh, Sdf), "the TriMesh or Sdf that the mesh stands for")
        halfway = halfway + _moved(mesh, edges, middles, halfway, onto)
    groups = [_with_middles(mesh, group, edges) for group in mesh.groups]
    return TetMesh(np.concatenate([X, halfway]), mesh.tets, mesh.regions, middles + len(X), groups=groups)


def _with_middles(mesh: TetMesh, group: Group, edges: np.ndarray) -> Group:
    """A group with the vertices on the edges of its faces and cells; one of nodes alone stays as it is."""
    many, nodes, faces = len(mesh.vertices), [group.nodes], group.faces
    if faces is not None:
        pairs = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        between = np.minimum(_numbers(edges, pairs, many), len(edges) - 1)
        if (edges[between] != pairs).any():
            raise InputError(f"the group {group.name!r} has faces whose edges are none of the tets'; leave it out")
        between = many + between.reshape(-1, 3)
        faces = np.concatenate([faces, between], axis=1)
        nodes.append(between.ravel())
    if group.cells is not None:
        nodes.append(many + _numbers(edges, mesh.tets[group.cells][:, tet10.EDGES].reshape(-1, 2), many))
    return replace(group, nodes=np.concatenate(nodes), faces=faces)


def _moved(mesh: TetMesh, edges: np.ndarray, middles: np.ndarray, halfway: np.ndarray, onto: TriMesh | Sdf) -> np.ndarray:
    """(e, 3) how far each vertex on an edge is moved [m]; 0 inside, and on edges that do not lie on the surface."""
    bad = np.flatnonzero(mesh.volumes <= 0)
    if len(bad):
        raise InputError(
            f"{len(bad)} of {len(mesh.tets)} tets are inverted or flat, first at {first_few(bad)}; mend them before "
            "their faces are bent"
        )
    faces, nearest, X = mesh.boundary_faces, _nearest(onto), mesh.vertices
    corners, of_face = np.unique(faces, return_inverse=True)
    away = np.linalg.norm(nearest(X[corners])[0] - X[corners], axis=1)[of_face.reshape(-1, 3)].max(axis=1)
    p = X[faces]
    area = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    size = np.linalg.norm(area, axis=1)
    normal = nearest(p.mean(axis=1))[1]
    along = np.abs(np.einsum("fc,fc->f", area, normal)) >= ALONG * size
    own = faces[along & (away <= ENDS * np.sqrt(size))]  # the others are those of a cut through the solid
    outer = np.unique(_numbers(edges, own[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), len(X)))
    length = np.linalg.norm(X[edges[outer, 1]] - X[edges[outer, 0]], axis=1)
    target = nearest(halfway[outer])[0] - halfway[outer]
    near = np.linalg.norm(target, axis=1) <= BULGE * length
    offset = np.zeros_like(halfway)
    offset[outer[near]] = target[near]
    return _upright(mesh, middles, halfway, offset)


def _numbers(edges: np.ndarray, pairs: np.ndarray, count: int) -> np.ndarray:
    """Number of each pair in ascending edges, whichever end comes first."""
    pairs = np.sort(pairs, axis=1).astype(np.int64)
    return np.searchsorted(edges[:, 0].astype(np.int64) * count + edges[:, 1], pairs[:, 0] * count + pairs[:, 1])


def _nearest(onto: TriMesh | Sdf) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """(n, 3) nearest points of the surface and (n, 3) its unit normals there, for (n, 3) points."""
    if isinstance(onto, TriMesh):
        distance, normals = MeshDistance(onto), onto.area_vectors / np.maximum(onto.areas, 1e-300)[:, None]

        def on_triangles(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            there = distance.nearest(points)
            return there.points, normals[there.faces]

        return on_triangles

    def on_level(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for _ in range(STEPS):
            slope = onto.gradient(points)
            square = np.maximum(np.einsum("ij,ij->i", slope, slope), 1e-12)
            points = points - (onto(points) / square)[:, None] * slope
        return points, slope / np.sqrt(square)[:, None]

    return on_level


def _upright(mesh: TetMesh, middles: np.ndarray, halfway: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """(e, 3) the offsets, made smaller around tets that would turn over with all of them."""
    corners, share = mesh.vertices[mesh.tets], np.ones(len(offset))
    bent = np.flatnonzero((offset != 0).any(axis=1)[middles].any(axis=1))
    for halving in count():  # ends at the latest where all around each bad tet are straight
        moved = halfway + share[:, None] * offset
        worst = bent[tet10.evenness(np.concatenate([corners[bent], moved[middles[bent]]], axis=1)) < EVEN]
        if not len(worst):
            break
        share[np.unique(middles[worst])] *= 0.5 if halving < HALVINGS else 0.0
    less = np.count_nonzero((share < 1) & (offset != 0).any(axis=1))
    if less:
        warnings.warn(
            f"{less} of {np.count_nonzero((offset != 0).any(axis=1))} edges on the surface are bent less than it, since tets "
            "there would turn over; use a shorter edge where it bends so much",
            PliantWarning,
            stacklevel=6,
        )
    return share[:, None] * offset
