"""Fragments of cell faces inside the solid."""

from __future__ import annotations

import numpy as np

from .fragments import CORNERS, Fragments

FACES = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]])  # to the neighbour


def _triangles(face: np.ndarray) -> np.ndarray:
    """(4, 3, 8) corners of a face's triangles as means of cell corners, counter-clockwise from outside the cell."""
    axis = int(np.flatnonzero(face)[0])
    on = np.flatnonzero(CORNERS[:, axis] == (face[axis] + 1) // 2)
    centre, corner = np.isin(np.arange(8), on) / 4, np.eye(8)
    triangles = []
    for i in on:
        for j in on:
            if np.abs(CORNERS[i] - CORNERS[j]).sum() == 1:
                triangle = np.stack([centre, corner[i], corner[j]])
                p = triangle @ CORNERS
                if np.cross(p[1] - p[0], p[2] - p[0]) @ face > 0:
                    triangles.append(triangle)
    return np.array(triangles)


_SPLIT = np.array([_triangles(face) for face in FACES])  # (6, 4, 3, 8)


def face_parts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cell (t,), face (t,) and corners ξ (t, 3, 3) of triangles that fill φ < 0 on the faces of cells (m, 8).

    φ is linear in each of the four triangles of a face, as in ``fragments_of``. Seen from outside the cell they run
    counter-clockwise.
    """
    m = len(values)
    phi = np.einsum("mk,fsck->mfsc", values, _SPLIT).reshape(-1, 3)
    place = np.broadcast_to(_SPLIT @ CORNERS, (m, 6, 4, 3, 3)).reshape(-1, 3, 3)
    owner, face = np.repeat(np.arange(m), 24), np.tile(np.repeat(np.arange(6), 4), m)
    number = np.count_nonzero(phi < 0, axis=1)
    owners, triangles = [np.flatnonzero(number == 3)], [place[number == 3]]
    for n in (1, 2):
        rows = np.flatnonzero(number == n)
        odd = np.argmax((phi[rows] < 0) == (n == 1), axis=1)  # the corner that stands alone comes first, the turn is kept
        turn = (odd[:, None] + np.arange(3)) % 3
        f, p = np.take_along_axis(phi[rows], turn, axis=1), np.take_along_axis(place[rows], turn[:, :, None], axis=1)
        ab, ac = (p[:, 0] + (f[:, 0] / (f[:, 0] - f[:, j]))[:, None] * (p[:, j] - p[:, 0]) for j in (1, 2))
        parts = [(p[:, 0], ab, ac)] if n == 1 else [(ab, p[:, 1], p[:, 2]), (ab, p[:, 2], ac)]
        for part in parts:
            owners.append(rows)
            triangles.append(np.stack(part, axis=1))
    rows, corners = np.concatenate(owners), np.concatenate(triangles)
    return owner[rows], face[rows], corners


def outer_faces(fragments: Fragments) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for the outer faces of fragments, through their subcells where they have any."""
    if fragments.subcells is None:
        return face_parts(fragments.values)
    refined = np.flatnonzero(fragments.rows >= 0)  # the others are filled, and no surface is near them
    m, count, _ = fragments.subcells.shape
    parts = round(count ** (1 / 3))
    sub, face, xi = face_parts(fragments.subcells.reshape(m * count, 8))
    place = np.stack([sub % parts, sub // parts % parts, sub % count // parts**2], axis=1)  # x fastest
    side = place + FACES[face]
    outside = ((side < 0) | (side >= parts)).any(axis=1)
    return refined[sub[outside] // count], face[outside], (place[outside][:, None] + xi[outside]) / parts
