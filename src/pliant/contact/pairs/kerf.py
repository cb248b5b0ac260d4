"""Kerf of a cut: coincident points of its sides, drawn apart.

Doubled vertices of a cut or a tear have the same place at rest, and the same place now until something moves them. Nothing else
marks them, so that a body from a file knows its cuts as one does that was cut a moment ago.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ...cut.split import joined
from ...geometry.mesh.mesh import unique_rows

ONE_PLACE = 1e-9  # of the size of a scene: points no further apart lie in one place
KERF = 0.01  # of the usual edge: how far apart the sides of a cut begin
STEEPEST = 0.2  # cosine between the way of a point and the normals of the sides around it, at least


def twins(places: np.ndarray, part: np.ndarray) -> np.ndarray:
    """(p,) the first of the points of one ``part`` (p,) that lie in one place (p, 3), its own number for all others."""
    own = np.arange(len(places))
    if len(places) < 2:
        return own
    # the same numbers first, so that pairs are few where many points share a place
    _, some, of = np.unique(np.column_stack([places, part]), axis=0, return_index=True, return_inverse=True)
    of = of.ravel()
    near = ONE_PLACE * np.linalg.norm(np.ptp(places, axis=0))
    pairs = cKDTree(places[some]).query_pairs(near, output_type="ndarray")
    pairs = pairs[part[some[pairs[:, 0]]] == part[some[pairs[:, 1]]]]
    if len(pairs):
        of = joined(pairs[:, 0], pairs[:, 1], len(some))[1][of]
    first = np.full(of.max() + 1, len(places))
    np.minimum.at(first, of, own)
    return first[of]


def drawn_apart(
    triangles: np.ndarray, edges: np.ndarray, part: np.ndarray, at: np.ndarray, width: np.ndarray
) -> np.ndarray | None:
    """(p, 3) how points at ``at`` (p, 3) give way so that sides in one place are ``width`` (p,) [m] apart; None where none are.

    Each goes half of that way into its own side, along the mean normal of the faces, or of the edges of a sheet, that lie in one
    place with others.
    """
    twin = twins(at, part)
    many = np.bincount(twin, minlength=len(at))[twin] > 1
    if not many.any():
        return None
    inwards = np.zeros_like(at)
    faces = triangles[_sides(triangles, twin, many)] if len(triangles) else triangles
    corners = at[faces]
    of_faces = _unit(np.cross(corners[:, 2] - corners[:, 0], corners[:, 1] - corners[:, 0]))
    flat = many.copy()  # of those that are on no such face: sheets
    flat[faces] = False
    borders, of_borders = _borders(triangles, twin, flat, at)
    loose = flat.copy()  # and on no such border: threads, and corners of sheets
    loose[borders] = False
    ends = np.concatenate([edges, edges[:, ::-1]])
    ends = ends[loose[ends[:, 0]]]
    of_ends = _unit(at[ends[:, 1]] - at[ends[:, 0]])
    sides = [(faces, of_faces), (borders, of_borders), (ends[:, :1], of_ends)]
    for points, ways in sides:
        np.add.at(inwards, points, np.repeat(ways[:, None], points.shape[1], axis=1))
    inwards, least = _unit(inwards), np.ones(len(at))
    for points, ways in sides:
        np.minimum.at(least, points, np.einsum("fkc,fc->fk", inwards[points], ways))
    return (0.5 * width * many / np.maximum(least, STEEPEST))[:, None] * inwards


def _sides(triangles: np.ndarray, twin: np.ndarray, many: np.ndarray) -> np.ndarray:
    """(f,) which triangles lie in one place with others: the same corners, or all corners and no edge that is a border."""
    ends = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    inner = many[triangles].all(axis=1) & _repeated(ends).reshape(-1, 3).all(axis=1)
    return inner | _repeated(twin[triangles])


def _borders(triangles: np.ndarray, twin: np.ndarray, flat: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(b, 2) edges of one triangle each that lie in one place with others, and (b, 3) the way from each into its triangle."""
    own = triangles[flat[triangles].sum(axis=1) > 1] if len(triangles) else triangles
    ends = own[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    across = own[:, [2, 0, 1]].ravel()
    alone = ~_repeated(ends)
    ends, across = ends[alone], across[alone]
    both = _repeated(twin[ends]) & flat[ends].all(axis=1)
    ends, across = ends[both], across[both]
    along, way = _unit(at[ends[:, 1]] - at[ends[:, 0]]), at[across] - at[ends[:, 0]]
    return ends, _unit(way - np.einsum("bc,bc->b", way, along)[:, None] * along)


def _repeated(rows: np.ndarray) -> np.ndarray:
    """(r,) which rows have the same numbers as another, in any order."""
    if not len(rows):
        return np.zeros(0, bool)
    _, inverse, counts = unique_rows(np.sort(rows, axis=1))
    return counts[inverse] > 1


def _unit(ways: np.ndarray) -> np.ndarray:
    return ways / np.maximum(np.linalg.norm(ways, axis=1), 1e-300)[:, None]
