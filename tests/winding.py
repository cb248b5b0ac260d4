"""Parts and boundaries of meshes, for the judge of contact: which vertices hang together, and which faces are outside."""

import numpy as np


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
