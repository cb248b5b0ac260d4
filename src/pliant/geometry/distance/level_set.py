"""Level set: signed distance to the zero level of samples."""

from __future__ import annotations

import numpy as np

from ...errors import InputError

NEAR = 3.0  # spacings from the surface within which its tangent planes are used
PARTS = 8  # most points along one edge of a cell
BESIDE = 9  # feet around a foot, itself among them
WALK = 3  # steps from foot to foot
STEPS = 4  # of Newton's method from a place in a cell to the surface


def distances_to_level(field: np.ndarray, spacing: np.ndarray) -> np.ndarray:
    """(nx, ny, nz) signed distances, negative where the field is positive, to where it is zero between its samples.

    The field is taken as trilinear. Every cell that it crosses is given points on the surface, half the smallest
    spacing apart. Close to the surface a sample finds the nearest of them in a tree and takes its distance from the
    plane through it, so that the error is of the order of spacing² times curvature; farther away it takes the nearest
    among those of its neighbours, shell by shell, and walks on along the surface from there.
    """
    from scipy.ndimage import distance_transform_edt
    from scipy.spatial import cKDTree

    feet, normals = surface_points(field, spacing)
    least = float(spacing.min())
    touched = np.ones(field.shape, dtype=bool)
    touched[tuple(np.rint(feet / spacing).astype(np.int64).T)] = False
    far = distance_transform_edt(touched, sampling=spacing)
    near = np.flatnonzero(far.ravel() <= (NEAR + 1.0) * spacing.max())
    points = np.stack(np.unravel_index(near, field.shape), axis=1) * spacing
    closest = np.full(field.shape, -1, dtype=np.int32)
    tree = cKDTree(feet)
    closest.ravel()[near] = tree.query(points, workers=-1)[1]
    beside = tree.query(feet, k=min(BESIDE, len(feet)), workers=-1)[1].reshape(len(feet), -1).astype(np.int32)
    chosen, away = _spread(closest, far, feet, beside, spacing)
    close = np.flatnonzero(away.ravel() < NEAR * least)
    points = np.stack(np.unravel_index(close, field.shape), axis=1) * spacing
    nearest = chosen.ravel()[close]
    away.ravel()[close] = np.abs(np.einsum("ij,ij->i", points - feet[nearest], normals[nearest]))
    return np.where(field > 0, -away, away)


def _spread(
    closest: np.ndarray, far: np.ndarray, feet: np.ndarray, beside: np.ndarray, spacing: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest foot of every sample, and the way to it.

    ``closest``: feet, −1 where unknown; ``far``: the order in which they are filled in; ``beside``: (n, k) feet around
    feet.
    """
    chosen = np.pad(closest, 1, constant_values=-1)
    shape, flat = chosen.shape, chosen.ravel()
    feet = np.concatenate([feet, np.full((1, 3), 1e30)])  # the foot −1 is never the nearest
    steps = np.array([[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])
    offsets = steps @ [shape[1] * shape[2], shape[2], 1]
    rest = np.flatnonzero(closest.ravel() < 0)
    rest = rest[np.argsort(far.ravel()[rest], kind="stable")]
    levels = far.ravel()[rest]
    ends = np.arange(levels[0], levels[-1], 0.8 * float(spacing.min()))[1:] if len(levels) else []
    shells = np.split(rest, np.searchsorted(levels, ends))  # so thin that some neighbour is in the shell before
    while shells:
        shell = shells.pop(0)
        index = np.stack(np.unravel_index(shell, closest.shape), axis=1)
        at, points = np.ravel_multi_index(tuple(index.T + 1), shape), index * spacing
        best, square = flat[at], np.full(len(at), np.inf)
        for offset in offsets:
            best, square = _nearer(points, feet, best, square, flat[at + offset])
        known = best >= 0
        if not known.all():  # these wait for the next shell
            shells[:1] = [np.concatenate([shell[~known], *shells[:1]])]
            at, points, best, square = at[known], points[known], best[known], square[known]
        for _ in range(WALK):
            for column in beside[best].T:
                best, square = _nearer(points, feet, best, square, column)
        flat[at] = best
    chosen = chosen[1:-1, 1:-1, 1:-1]
    away = np.empty(closest.shape)
    for i, nearest in enumerate(chosen):  # a slab at a time keeps memory small
        grid = np.stack(np.meshgrid([i], *map(np.arange, nearest.shape), indexing="ij"), axis=-1)[0] * spacing
        away[i] = np.linalg.norm(grid - feet[nearest], axis=-1)
    return chosen, away


def _nearer(points: np.ndarray, feet: np.ndarray, best: np.ndarray, square: np.ndarray, other: np.ndarray):
    """The better of two feet for each point, and its squared distance."""
    away = points - feet[other]
    there = np.einsum("ij,ij->i", away, away)
    return np.where(there < square, other, best), np.minimum(there, square)


def surface_points(field: np.ndarray, spacing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) points on the zero level of a trilinear field, in coordinates of its grid, and (n, 3) unit normals."""
    inside = field > 0
    corners = [np.s_[a : a - 1 or None, b : b - 1 or None, c : c - 1 or None] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    count = sum(inside[corner].astype(np.int8) for corner in corners)
    cells = np.argwhere((count > 0) & (count < 8))
    if not len(cells):
        raise InputError("the field has one sign everywhere, so it has no surface")
    values = np.stack([field[corner][tuple(cells.T)] for corner in corners], axis=1)
    slopes = [np.gradient(field, h, axis=axis) for axis, h in enumerate(spacing)]
    parts = np.minimum(np.ceil(2.0 * spacing / spacing.min()).astype(int), PARTS)
    feet = [_on_edges(field, inside)]
    for start in np.stack(np.meshgrid(*[(np.arange(n) + 0.5) / n for n in parts], indexing="ij"), -1).reshape(-1, 3):
        local, good = _projected(values, start, spacing)
        feet.append(cells[good] + local[good])
    index = np.concatenate(feet)
    normals = np.stack([_trilinear(slope, index) for slope in slopes], axis=1)
    length = np.linalg.norm(normals, axis=1)
    good = length > 1e-3 * np.median(length)  # a level that touches itself has no normal there
    return index[good] * spacing, normals[good] / length[good, None]


def _on_edges(field: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """(n, 3) indices where edges of the grid cross zero."""
    crossings = []
    for axis in range(3):
        low, high = np.s_[:-1], np.s_[1:]
        first, second = ([np.s_[:]] * axis + [part] for part in (low, high))
        first, second = tuple(first), tuple(second)
        at = np.argwhere(inside[first] != inside[second])
        a, b = field[first][tuple(at.T)], field[second][tuple(at.T)]
        place = at.astype(float)
        place[:, axis] += a / (a - b)
        crossings.append(place)
    return np.concatenate(crossings)


def _projected(values: np.ndarray, start: np.ndarray, spacing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Newton's steps from a place in each cell along the gradient; places in cells, and which came to rest inside."""
    at = np.tile(start, (len(values), 1))
    v = values.reshape(-1, 2, 2, 2)
    for step in range(STEPS + 1):
        x, y, z = at.T
        yz = v[:, 0] + x[:, None, None] * (v[:, 1] - v[:, 0])
        zs = yz[:, 0] + y[:, None] * (yz[:, 1] - yz[:, 0])
        f = zs[:, 0] + z * (zs[:, 1] - zs[:, 0])
        by_x = v[:, 1] - v[:, 0]
        by_x = by_x[:, 0] + y[:, None] * (by_x[:, 1] - by_x[:, 0])
        by_y = yz[:, 1] - yz[:, 0]
        slope = np.stack(
            [by_x[:, 0] + z * (by_x[:, 1] - by_x[:, 0]), by_y[:, 0] + z * (by_y[:, 1] - by_y[:, 0]), zs[:, 1] - zs[:, 0]],
            axis=1,
        ) / spacing  # fmt: skip
        square = np.maximum(np.einsum("ij,ij->i", slope, slope), 1e-300)
        if step == STEPS:
            break
        at = np.clip(at - slope * (f / square)[:, None] / spacing, -0.5, 1.5)
    rests = np.abs(f) / np.sqrt(square) < 1e-3 * spacing.min()
    return at, rests & (at > -0.01).all(axis=1) & (at < 1.01).all(axis=1)


def _trilinear(field: np.ndarray, index: np.ndarray) -> np.ndarray:
    from scipy.ndimage import map_coordinates

    return map_coordinates(field, index.T, order=1, mode="nearest")
