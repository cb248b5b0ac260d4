"""Whether parts of a body are in one another, by the generalised winding numbers of their closed boundaries."""

import numpy as np
from scipy.spatial import cKDTree

BLOCK = 4096  # points whose angles are found at a time


def winding_numbers(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(p,) how many times triangles (f, 3, 3) wind around each point: the sum of their solid angles over 4π (van Oosterom)."""
    found = np.empty(len(points))
    for first in range(0, len(points), BLOCK):
        a, b, c = np.moveaxis(corners[None] - points[first : first + BLOCK, None, None], 2, 0)
        la, lb, lc = (np.linalg.norm(side, axis=2) for side in (a, b, c))
        volume = np.einsum("pfc,pfc->pf", a, np.cross(b, c))
        dots = (np.einsum("pfc,pfc->pf", *pair) for pair in ((a, b), (b, c), (c, a)))
        ab, bc, ca = dots
        angle = 2 * np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb)
        found[first : first + BLOCK] = angle.sum(axis=1) / (4 * np.pi)
    return found


def components(elements: np.ndarray) -> np.ndarray:
    """(n,) the component of each vertex of elements (m, k), each by its least vertex: labels spread until none changes."""
    label = np.arange(int(elements.max()) + 1)
    while True:
        least = label.copy()
        np.minimum.at(least, elements, np.repeat(label[elements].min(axis=1)[:, None], elements.shape[1], axis=1))
        if np.array_equal(least, label):
            return np.unique(label, return_inverse=True)[1]
        label = least


def boundary(tets: np.ndarray) -> np.ndarray:
    """(f, 3) the faces that one tet alone has, counter-clockwise from outside."""
    faces = tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, inverse, count = np.unique(np.sort(faces, axis=1), axis=0, return_inverse=True, return_counts=True)
    return faces[count[inverse.ravel()] == 1]


def depth_in_one_another(triangles: np.ndarray, part: np.ndarray, x: np.ndarray) -> tuple[int, float]:
    """How many vertices of parts ``part`` (n,) are inside another, at x (n, 3), and how deep the deepest is [m].

    ``triangles`` (f, 3) bound the parts. The depth is the distance from the nearest of many points on the boundary.
    """
    count, deepest = 0, 0.0
    used = np.unique(triangles)
    for other in np.unique(part):
        own = x[triangles[part[triangles[:, 0]] == other]]
        low, high = own.min(axis=(0, 1)), own.max(axis=(0, 1))
        points = x[used[part[used] != other]]
        points = points[np.all((points > low) & (points < high), axis=1)]
        inside = points[winding_numbers(own, points) > 0.5] if len(points) else points
        if len(inside):
            count += len(inside)
            deepest = max(deepest, float(_distances(own, inside).max()))
    return count, deepest


def _distances(corners: np.ndarray, points: np.ndarray, samples: int = 12) -> np.ndarray:
    """(p,) distance to points spread over triangles, at most a twelfth of an edge too far."""
    i, j = np.meshgrid(np.arange(samples + 1), np.arange(samples + 1))
    kept = i + j <= samples
    shares = np.stack([i[kept], j[kept], samples - i[kept] - j[kept]], axis=1) / samples
    spread = np.einsum("sk,fkc->fsc", shares, corners).reshape(-1, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    _, nearest = cKDTree(spread).query(points)
    face = nearest // len(shares)
    return np.abs(np.einsum("pc,pc->p", points - spread[nearest], normals[face]))
