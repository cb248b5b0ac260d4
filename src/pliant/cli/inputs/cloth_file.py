"""A sheet of a file as cloth: ``pliant view shirt.obj --cloth``, and ``pliant run`` alike."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from ...geometry.mesh.mesh import TriMesh
    from ...simulate.scene.body import Scene

ACROSS = 16  # edges along the longest side at least, so that it folds
NEAR = 1.4  # times as long as asked for are short enough: half as long would be farther off
MOST = 20_000  # triangles that it is divided into for that
THIN, STIFF, DENSITY = 1 / 200, 4e5, 300.0  # of its longest side; Young's modulus of one of 1 m [Pa]; [kg/m³]


def divided(mesh: TriMesh, edge: float) -> TriMesh:
    """The same surface in triangles whose edges are about as long as ``edge`` [m] or shorter, each of them four of before."""
    import numpy as np

    from ...geometry.mesh.mesh import TriMesh

    while _length(mesh) > NEAR * edge and 4 * len(mesh.triangles) <= MOST:
        x, t = mesh.vertices, mesh.triangles
        pairs, which = np.unique(np.sort(t[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)), axis=0, return_inverse=True)
        a, b, c = (len(x) + which.reshape(-1, 3)).T
        parts = [(t[:, 0], a, c), (a, t[:, 1], b), (c, b, t[:, 2]), (a, b, c)]
        new = np.concatenate([np.stack(part, axis=1) for part in parts])
        mesh = TriMesh(np.concatenate([x, x[pairs].mean(axis=1)]), new)
    return mesh


def _length(mesh: TriMesh) -> float:
    import numpy as np

    a, b, c = mesh.vertices[mesh.triangles].transpose(1, 0, 2)
    return float(np.mean([np.linalg.norm(end - begin, axis=1) for begin, end in ((a, b), (b, c), (c, a))]))


def scene(mesh: TriMesh, file: Path, edge: float | None, young: float | None, hang: bool, exact: bool = False) -> Scene:
    """Cloth that falls over a ball, or hangs by its top; one that lies level by its far side.

    Springs keep it apart from itself, or, where it is ``exact``, a barrier that nothing crosses.
    """
    import numpy as np

    import pliant as pl

    from ...arguments.checks import is_positive

    if not isinstance(mesh, pl.TriMesh):
        raise InputError(f"--cloth is for a surface; {file} holds a {type(mesh).__name__}")
    if edge is not None and not is_positive(edge):
        raise InputError(f"--edge {edge:g}: expected a positive number of metres")
    low, high = mesh.bounds
    long = float((high - low).max())
    mesh = divided(mesh, long / ACROSS if edge is None else edge)
    up = 2 if high[2] - low[2] > 0.1 * long else 1

    def held(X: np.ndarray) -> np.ndarray:
        return X[:, up] > high[up] - 0.01 * long

    cloth = pl.Body(
        pl.Membrane(mesh, thickness=THIN * long),
        pl.StableNeoHookean(young=STIFF * long if young is None else young, poisson=0.3, density=DENSITY),
        pinned=held if hang else None, damping=pl.Damping(mass=0.5), name=file.stem,
    )  # fmt: skip
    under = np.array([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), low[2] - 0.24 * long])
    ball = [] if hang else [pl.Obstacle(pl.sphere(0.2 * long, under), name="ball")]
    floor = pl.Obstacle(pl.plane(z=0.0), name="floor")
    if exact:
        contact = pl.Contact(friction=0.3, response=pl.contact.Barrier(reach=THIN * long))
    else:
        springs = {"response": pl.contact.Penalty(), "self_contact": True}
        contact = pl.Contact(friction=0.3, **springs, thickness=True, smoothing=1e-3 * long)
    return pl.Scene([cloth], [*ball, floor], contact=contact)
