"""Loads as forces on nodes of tets, sheets and lattices, and the closed surface that pressure acts on."""

from __future__ import annotations

import numpy as np

from ..elements.base import Elements
from ..elements.lattice import Lattice
from ..elements.membrane import Membrane
from ..elements.tets import Tets
from ..errors import InputError, floats
from .body import Body, Load, Traction, asked, select


def nodal_forces(body: Body, load: Load | Traction, name: str) -> np.ndarray:
    """(n, 3) force on each node of the body [N]: ∫ N_i t dA, t being the traction or the load over its area."""
    given = load.force if isinstance(load, Load) else load.stress
    vector = floats(given)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise InputError(f"{type(load).__name__}: got {given!r}; expected three finite numbers")
    where, noun = asked(body.shape, load)
    chosen = select(where, load.where, f"load on {name}", noun)
    nodes, shares = _on_cut(body.shape, chosen) if isinstance(body.shape, Lattice) else _on_faces(body.shape, chosen)
    if not len(nodes):
        if isinstance(load, Traction):
            raise InputError(f"Traction on {name}: no boundary face has all its nodes chosen")
        nodes, shares = chosen[:, None], np.ones((len(chosen), 1))
    weights = np.bincount(nodes.ravel(), shares.ravel(), len(body.shape.rest))
    return weights[:, None] * (vector / weights.sum() if isinstance(load, Load) else vector)


def closed_faces(body: Body, name: str) -> np.ndarray:
    """(t, 3) nodes of the body's surface, which must be closed."""
    shape = body.shape
    faces = _faces(shape)
    directed = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    forward = np.sort(directed @ [len(shape.rest), 1])
    backward = np.sort(directed[:, ::-1] @ [len(shape.rest), 1])
    if not len(faces) or not np.array_equal(forward, backward):
        raise InputError(f"Pressure on {name}: its surface is not closed, so it encloses no volume")
    return faces


def _faces(shape: Elements) -> np.ndarray:
    if isinstance(shape, Tets):
        return shape.mesh.boundary_triangles
    return shape.nodes if isinstance(shape, Membrane) else np.zeros((0, 3), np.int64)


def _on_cut(shape: Lattice, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and ∫ N_i of the chosen triangles of the cut surface [m²]."""
    return shape.nodes[shape.cut.cells[chosen]], shape.cut.shares[chosen]


def _on_faces(shape: Elements, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and a third of the area [m²] of the faces whose nodes are all chosen."""
    faces = _faces(shape)
    faces = faces[np.isin(faces, chosen).all(axis=1)]
    p = shape.rest[faces]
    area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1)
    return faces, np.repeat(area[:, None] / 3, 3, axis=1)
