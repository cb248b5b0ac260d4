"""Plates with closed solutions (Timoshenko, Woinowsky-Krieger), bent a little: deflection or energy over theory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pliant as pl

from .meshes import clamped_strip, disc, rectangle

YOUNG, POISSON, THICK, DENSITY = 1e7, 0.3, 0.01, 1000.0
STIFFNESS = YOUNG * THICK**3 / (12 * (1 - POISSON**2))  # D [J]
CURVATURES = {  # second derivatives by x, y and both
    "cylinder 0°": (1.0, 0.0, 0.0),
    "cylinder 45°": (0.5, 0.5, 0.5),
    "cylinder −45°": (0.5, 0.5, -0.5),
    "dome": (1.0, 1.0, 0.0),
    "saddle": (1.0, -1.0, 0.0),
    "saddle 45°": (0.0, 0.0, 1.0),
}
ANGLES = (0, 20, 45, -45, 70)  # at which strips are cut out of a mesh
LAW = pl.Corotated(young=YOUNG, poisson=POISSON, density=DENSITY)


def energy(mesh: pl.TriMesh, curvature: tuple[float, float, float]) -> float:
    """Energy of a sheet of the given curvature over that of a plate."""
    a, b, c = (1e-3 * k for k in curvature)
    X = mesh.vertices
    sim = pl.Simulation(pl.Scene([pl.Body(pl.Membrane(mesh, THICK), LAW)], gravity=(0, 0, 0)))
    x, y = X[:, 0], X[:, 1]
    sim.x = np.column_stack([x, y, 0.5 * (a * x * x + b * y * y) + c * x * y])
    density = a * a + b * b + 2 * POISSON * a * b + 2 * (1 - POISSON) * c * c
    return sim.energies()["bending"] / (0.5 * STIFFNESS * density * mesh.areas.sum())


def deflected(
    mesh: pl.TriMesh, held: np.ndarray, load: float, at: np.ndarray | None = None, law: pl.Material = LAW
) -> np.ndarray:
    """(n,) deflection under ``load`` [N] on the nodes ``at``, or by area on all, ``held`` being held."""
    gravity, effects = (0.0, 0.0, 0.0), []
    if at is None:
        gravity = (0.0, 0.0, load / (DENSITY * THICK * mesh.areas.sum()))
    else:
        effects.append(pl.Load((0, 0, load), at))
    body = pl.Body(pl.Membrane(mesh, THICK), law, pinned=held, effects=effects)
    solver = pl.Newton(linear=pl.linear.Direct())
    sim = pl.Simulation(pl.Scene([body], gravity=gravity), pl.QuasiStatic(solver=solver))
    report = sim.step()
    assert report.kept, report
    return (sim.x - mesh.vertices)[:, 2]


def _rim(depth: np.ndarray) -> np.ndarray:
    return np.flatnonzero(depth < 1e-6)


def _square_depth(X: np.ndarray) -> np.ndarray:
    return np.minimum(X[:, :2], 1 - X[:, :2]).min(axis=1)


def supported_square(kind: str, cells: int) -> float:
    mesh = rectangle(kind, (0, 0), (1, 1), 1 / cells)
    w = deflected(mesh, _rim(_square_depth(mesh.vertices)), 0.02 * STIFFNESS)
    return w.max() / (0.02 * 0.00406235)


def clamped_square(kind: str, cells: int) -> float:
    h = 1 / cells
    mesh = rectangle(kind, (0, 0), (1, 1), h, clamp=h)
    w = deflected(mesh, _rim(_square_depth(mesh.vertices)), 0.02 * STIFFNESS * (1 + 2 * h) ** 2)
    return w.max() / (0.02 * 0.00126532)


def supported_disc(kind: str, cells: int) -> float:
    mesh = disc(kind, 0.5, 1 / cells)
    w = deflected(mesh, _rim(0.5 - np.linalg.norm(mesh.vertices, axis=1)), 0.02 * STIFFNESS * mesh.areas.sum())
    return w.max() / (0.02 * 0.5**4 * (5 + POISSON) / (64 * (1 + POISSON)))


def clamped_disc(kind: str, cells: int) -> float:
    h = 1 / cells
    mesh = disc(kind, 0.5, h, clamp=h)
    depth = 0.5 - np.linalg.norm(mesh.vertices, axis=1)
    w = deflected(mesh, _rim(depth), 0.02 * STIFFNESS * mesh.areas.sum())
    return w.max() / (0.02 * 0.5**4 / 64)


def twisted_square(kind: str, cells: int) -> float:
    """Held at three corners, loaded at the fourth: w = P xy / 2D(1−ν)."""
    mesh = rectangle(kind, (0, 0), (1, 1), 1 / cells)
    corner = [int(np.argmin(np.linalg.norm(mesh.vertices[:, :2] - c, axis=1))) for c in ((0, 0), (0, 1), (1, 0), (1, 1))]
    w = deflected(mesh, np.array(corner[:3]), 1e-4 * STIFFNESS, np.array(corner[3:]))
    return w[corner[3]] / (1e-4 / (2 * (1 - POISSON)))


def cantilever(kind: str, cells: int, degrees: float = 0.0) -> float:
    """1 m long, 0.2 m wide, cut out of a mesh turned by an angle, under a load at its end: w = P L³ / 3EI.

    Without Poisson's ratio, since the clamp of a wide strip keeps it from curving across, which beams do.
    """
    mesh = clamped_strip(kind, cells, degrees)
    x = mesh.vertices[:, 0]
    end = np.flatnonzero(x > 1 - 1e-9)
    law = pl.Corotated(young=YOUNG, poisson=0.0, density=DENSITY)
    w = deflected(mesh, np.flatnonzero(x < 1e-9), 3e-4 * YOUNG * 0.2 * THICK**3 / 12, end, law)
    return w[end].mean() / 1e-4


def arch(kind: str, cells: int) -> float:
    """A quarter circle, 1 m along, clamped where it stands upright, loaded across its end: w = π P R³ / 4EI."""
    flat = clamped_strip(kind, cells)
    s, radius = flat.vertices[:, 0], 2 / np.pi
    x, z = radius * (1 - np.cos(s / radius)), radius * np.sin(s / radius)
    mesh = pl.TriMesh(np.column_stack([x, flat.vertices[:, 1], z]), flat.triangles)
    end = np.flatnonzero(s > 1 - 1e-9)
    law = pl.Corotated(young=YOUNG, poisson=0.0, density=DENSITY)
    load = 4e-4 * YOUNG * 0.2 * THICK**3 / 12 / (np.pi * radius**3)
    w = deflected(mesh, np.flatnonzero(s < 1e-9), load, end, law)
    return w[end].mean() / 1e-4


def point_load(cells: int) -> float:
    """A supported square with a force in its middle: w = 0.0116008 P a²/D."""
    mesh = rectangle("alternating", (0, 0), (1, 1), 1 / cells)
    middle = np.array([int(np.argmin(np.linalg.norm(mesh.vertices[:, :2] - 0.5, axis=1)))])
    w = deflected(mesh, _rim(_square_depth(mesh.vertices)), 1e-3 * STIFFNESS, middle)
    return w[middle[0]] / (1e-3 * 0.0116008)


def _tube(radius: float, long: float, around: int, along: int) -> pl.TriMesh:
    """A cylinder about x of triangles whose diagonals alternate."""
    angle, x = 2 * np.pi * np.arange(around) / around, np.linspace(0, long, along + 1)
    X = np.array([(a, radius * np.cos(t), radius * np.sin(t)) for a in x for t in angle])
    faces = []
    for i in range(along):
        for j in range(around):
            a, b = i * around + j, i * around + (j + 1) % around
            c, d = a + around, b + around
            faces += [(a, b, c), (b, d, c)] if (i + j) % 2 else [(a, b, d), (a, d, c)]
    return pl.TriMesh(X, faces)


def pinched_ring(edges: int) -> float:
    """A ring pulled apart at two opposite lines: its diameter grows by (π/4 − 2/π) P R³/EI."""
    wide = 2 * np.pi / edges
    mesh, law = _tube(1.0, 2 * wide, edges, 2), pl.Corotated(young=YOUNG, poisson=0.0, density=DENSITY)
    y, z = mesh.vertices[:, 1:].T
    top, bottom = (np.flatnonzero((abs(y) < 1e-9) & (z * side > 0)) for side in (1, -1))
    load = 1e-4 * YOUNG * 2 * wide * THICK**3 / 12
    body = pl.Body(pl.Membrane(mesh, THICK), law, pinned=bottom, effects=[pl.Load((0, 0, load), top)])
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct())))
    assert sim.step().ok
    return (sim.x - mesh.vertices)[top, 2].mean() / (1e-4 * (np.pi / 4 - 2 / np.pi))


def pinched_cylinder(cells: int) -> float:
    """Between end diaphragms, two opposite forces (Belytschko et al. 1985): w = 164.24 P / E t where R/t = 100, L = 2R."""
    mesh = _tube(1.0, 2.0, 4 * cells, cells)
    x, y, z = mesh.vertices.T
    ends = np.flatnonzero((x < 1e-9) | (x > 2 - 1e-9))
    middle = [int(np.flatnonzero((abs(x - 1) < 1e-9) & (abs(y) < 1e-9) & (z * side > 0))[0]) for side in (1, -1)]
    load = 1e-6 * YOUNG * THICK
    effects = [pl.Hold(ends, by=pl.hold.Rigidly("yz")), pl.Hold(middle, by=pl.hold.Rigidly("x"))]
    effects += [pl.Load((0, 0, -side * load), [node]) for side, node in zip((1, -1), middle)]
    body = pl.Body(pl.Membrane(mesh, THICK), LAW, effects=effects)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct())))
    report = sim.step()
    assert report.ok, report
    return (mesh.vertices - sim.x)[middle[0], 2] / (164.24 * 1e-6)


POINTS: dict[str, Callable[[int], float]] = {
    "point load": point_load,
    "pinched ring": pinched_ring,
    "pinched cylinder": pinched_cylinder,
}
PLATES: dict[str, Callable[[str, int], float]] = {
    "supported square": supported_square,
    "clamped square": clamped_square,
    "supported disc": supported_disc,
    "clamped disc": clamped_disc,
    "twisted square": twisted_square,
    "arch": arch,
}
