"""Probes: fields at points of bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...arguments.checks import floats
from ...elements.embedded_surface import nearby
from ...elements.hexes import Hexes
from ...elements.lattice.lattice_cells import Cells
from ...elements.quadratic_tets import QuadraticTets
from ...elements.tets import Tets
from ...errors import InputError
from ...geometry.lattice.hex_mesh import HexMesh
from ...geometry.mesh.mesh import TetMesh

if TYPE_CHECKING:
    from .run import Skin

PAIRS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "yz": (1, 2), "xz": (0, 2), "xy": (0, 1)}
KINDS = ("stress", "strain")
COMPONENTS = tuple(f"{kind} {pair}" for kind in KINDS for pair in PAIRS)
TENSORS = {f"{kind} tensor": kind for kind in KINDS}
PRINCIPAL = {f"principal {kind}": kind for kind in KINDS}
OUTSIDE = 0.5  # of an element's size, as far as points may lie outside


def expanded(names: Sequence[str]) -> tuple[str, ...]:
    """Names of scalar fields, with the six components of a tensor in place of it."""
    kinds = TENSORS | PRINCIPAL
    every = [[f"{kinds[n]} {pair}" for pair in PAIRS] if n in kinds else [n] for n in names]
    return tuple(dict.fromkeys(name for own in every for name in own))


def tensor(kind: str, of: Callable[[str], np.ndarray]) -> np.ndarray:
    """(…, 3, 3) from the six components that ``of`` gives by their names."""
    parts = {place: of(f"{kind} {pair}") for pair, place in PAIRS.items()}
    rows = [np.stack([parts[min(i, j), max(i, j)] for j in range(3)], axis=-1) for i in range(3)]
    return np.stack(rows, axis=-2)


def composed(name: str, of: Callable[[str], np.ndarray]) -> np.ndarray:
    """A field made of scalar ones: tensors (…, 3, 3), principal values (…, 3) with the largest first, and the rest as it is."""
    if name in TENSORS:
        return tensor(TENSORS[name], of)
    if name in PRINCIPAL:
        return np.linalg.eigvalsh(tensor(PRINCIPAL[name], of))[..., ::-1]
    return of(name)


def mises(stress: np.ndarray) -> np.ndarray:
    """(…,) von Mises' stress of tensors (…, 3, 3): √(3/2 s:s), s being the deviator."""
    s = stress - np.trace(stress, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * np.einsum("...ij,...ij->...", s, s))


class Probe:
    """Points (p, 3) [m] of solids at rest, each in the body that holds it: ``of`` carries nodal values there."""

    def __init__(self, points: object, skins: Sequence[Skin], rest: np.ndarray, call: str):
        given = floats(points)
        if given.ndim not in (1, 2) or given.shape[-1] != 3 or not given.size or not np.all(np.isfinite(given)):
            raise InputError(f"{call}: points have shape {given.shape}; expected (p, 3) finite positions at rest [m]")
        points = given.reshape(-1, 3)
        solids = [skin for skin in skins if skin.meshed or skin.solid is not None]
        if not solids:
            raise InputError(f"{call}: no body here has an interior; expected tets, hexahedra or a lattice")
        away, size = np.full(len(points), np.inf), np.zeros(len(points))
        self.rows: list[np.ndarray] = [np.zeros(0, int)] * len(points)
        self.shares: list[np.ndarray] = [np.zeros(0)] * len(points)
        for skin in solids:
            X = rest[skin.start : skin.stop]
            nodes, weights, gap = _locate(skin, X)(points)
            edges = np.linalg.norm(np.ptp(X[nodes], axis=1), axis=1) / np.sqrt(3)
            for i in np.flatnonzero(gap < away):
                away[i], size[i] = gap[i], edges[i]
                self.rows[i], self.shares[i] = nodes[i] + skin.start, weights[i]
        nearby(points, away, OUTSIDE * size, call, "half an element")

    def of(self, values: np.ndarray) -> np.ndarray:
        """(…, p) of nodal values (…, n)."""
        return np.stack([values[..., rows] @ share for rows, share in zip(self.rows, self.shares)], axis=-1)


def _locate(skin: Skin, rest: np.ndarray) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """What finds nodes and weights of points, and how far outside they lie."""
    if skin.hexes is not None:
        return Hexes(HexMesh(rest, skin.hexes)).locate
    if skin.tets is not None:
        tets = skin.tets
        mesh = TetMesh(rest, tets[:, :4], middles=tets[:, 4:] if tets.shape[1] == 10 else None)
        return (QuadraticTets(mesh) if mesh.middles is not None else Tets(mesh)).locate
    nodes = skin.solid.cells
    spacing = float(rest[nodes[0, 1], 0] - rest[nodes[0, 0], 0])
    cells = Cells(nodes, rest[nodes[:, 0]], spacing, len(rest))
    return lambda points: (*cells.embedded(points), cells.distances(points))
