"""Problems 1 and 2 of Land et al. 2015: a beam and a ventricle of heart muscle under pressure that follows the surface."""

from __future__ import annotations

import numpy as np

import pliant as pl
from benchmarks.elements.meshes import hollow_octant

from .guccione import Follower, Guccione
from .meshes import box, mapped, rolled
from .problem import Problem, Quantity, Solved

LAND = (
    "Land et al. 2015, Verification of cardiac mechanics software: benchmark problems and solutions for testing active and "
    "passive material behaviour, Proc. R. Soc. A 471:20150641"
)
TETS = "ten-node tets, law and pressure of benchmarks/published/guccione.py"
# whole steps, since pressure on a part of a surface has no energy
WHOLE = pl.Newton(linear=pl.linear.Direct(), line_search=None, hessian=pl.solver.Exact())


def pressed(body: pl.Body, steps: int, solver: pl.Newton) -> pl.Simulation:
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(dt=1 / steps, solver=solver))
    for _ in range(steps):
        report = sim.step()
        if not report.ok:
            raise pl.errors.StepError(report.why)
    return sim


def beam() -> Solved:
    """10 mm × 1 mm × 1 mm with fibres along it, 4 Pa from below: the height of the end."""
    mesh = box((10e-3, 1e-3, 1e-3), (40, 3, 3))
    law = Guccione(c=2e3, along=8, across=2, shear=4, bulk=3e5)
    below = Follower(4.0, lambda X: X[:, 2] < 1e-9)
    sim = pressed(pl.Body(mesh, law, pinned=mesh.vertices[:, 0] < 1e-9, effects=below), 2, WHOLE)
    tip = np.argmin(np.abs(mesh.vertices - [10e-3, 0.5e-3, 1e-3]).sum(axis=1))
    return Solved([1e3 * sim.x[tip, 2]], sim)


def _ventricle(parts: int, layers: int) -> tuple[pl.TetMesh, np.ndarray]:
    """A quarter of an ellipsoid cut off at z = 5 mm, 3 mm thick, and how deep in the wall each node is, from 0 to 1."""
    ball = hollow_octant(parts, layers, 1.0, 2.0).quadratic()
    X = ball.vertices
    radius = np.linalg.norm(X, axis=1)
    ends = ball.tets[:, [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]]]
    depth = np.log2(radius)
    depth[ball.middles] = depth[ends].mean(axis=2)
    polar, around = np.arccos(np.clip(X[:, 2] / radius, -1, 1)), np.arctan2(X[:, 1], X[:, 0])
    short, long = (7 + 3 * depth) * 1e-3, (17 + 3 * depth) * 1e-3
    angle = polar / (0.5 * np.pi) * (np.pi - np.arccos(5e-3 / long))
    ring = short * np.sin(angle)
    return mapped(ball, np.column_stack([ring * np.cos(around), ring * np.sin(around), -long * np.cos(angle)])), depth


def ventricle() -> Solved:
    """10 kPa inside: the heights of the apex inside and outside."""
    mesh, depth = _ventricle(10, 2)
    x, y, z = mesh.vertices.T
    law = Guccione(c=10e3, along=1, across=1, shear=1, bulk=1e6)
    inside = Follower(
        10e3, lambda X: np.abs((X[:, 0] ** 2 + X[:, 1] ** 2) / 49e-6 + X[:, 2] ** 2 / 289e-6 - 1) < 1e-6, (0, 0, 5e-3)
    )
    base = z > 5e-3 - 1e-9
    holds = [rolled(base, "xyz"), rolled((x < 1e-9) & ~base, "x"), rolled((y < 1e-9) & ~base, "y")]
    sim = pressed(pl.Body(mesh, law, effects=[*holds, inside]), 6, pl.Newton(linear=pl.linear.Direct()))
    apex = np.flatnonzero((x < 1e-9) & (y < 1e-9))
    heights = 1e3 * sim.x[apex[np.argsort(depth[apex])], 2]
    return Solved([heights[0], heights[-1]], sim)


PROBLEMS = (
    Problem(
        "heart muscle, beam",
        "solid",
        f"{LAND}, problem 1: eleven groups found 4.151 to 4.185",
        (Quantity("height of the end", 4.17, "mm"),),
        f"40×3×3 cells of five {TETS}, κ = 0.3 MPa, Newton(Direct(), hessian=Exact(), line_search=None), 2 steps",
        beam,
    ),
    Problem(
        "heart muscle, ventricle",
        "solid",
        f"{LAND}, problem 2: −26.9 to −26.4 and −28.5 to −28.1",
        (Quantity("apex inside", -26.6, "mm"), Quantity("apex outside", -28.3, "mm")),
        f"a quarter by symmetry, 10 edges along a meridian, 2 layers of {TETS}, κ = 1 MPa, Direct(), 6 steps",
        ventricle,
    ),
)
