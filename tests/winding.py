"""Whether parts of a body are in one another, by the generalised winding numbers of their closed boundaries."""

import numpy as np

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

    ``triangles`` (f, 3) bound the parts. The depth is the distance from the boundary.
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
            deepest = max(
                deepest, *(float(_distances(own, few).max()) for few in np.array_split(inside, len(inside) // 64 + 1))
            )
    return count, deepest


def _distances(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(p,) distance of each point from the nearest of triangles (f, 3, 3): from the plane above a face, else from an edge."""
    a, b, c = np.moveaxis(corners, 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    above, nearest = np.ones((len(points), len(corners)), bool), np.full((len(points), len(corners)), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        edge, to = end - start, points[:, None] - start
        share = np.clip(np.einsum("pfc,fc->pf", to, edge) / np.einsum("fc,fc->f", edge, edge), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(to - share[..., None] * edge, axis=2))
        above &= np.einsum("pfc,fc->pf", to, np.cross(normals, edge)) >= 0
    height = np.abs(np.einsum("pfc,fc->pf", points[:, None] - a, normals))
    return np.where(above, height, nearest).min(axis=1)
