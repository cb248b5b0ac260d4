"""Runs made by hand: a tet beam that swings, a waving cloth, a rod, a ball and a floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.geometry.mesh.mesh import TetMesh, TriMesh
from pliant.simulate.record.run import Chapter, Prop, Run, Skin


def box_tets(cells=(12, 3, 3), size=(0.4, 0.1, 0.1)) -> TetMesh:
    """A box of cells of six tets each."""
    nx, ny, nz = (c + 1 for c in cells)
    grid = np.stack(np.meshgrid(*(np.linspace(0, s, n) for s, n in zip(size, (nx, ny, nz))), indexing="ij"), -1)
    number = np.arange(nx * ny * nz).reshape(nx, ny, nz)
    steps = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    corner = [number[i : i + nx - 1, j : j + ny - 1, k : k + nz - 1].ravel() for i, j, k in steps]
    paths = [(0, 4, 6, 7), (0, 6, 2, 7), (0, 2, 3, 7), (0, 3, 1, 7), (0, 1, 5, 7), (0, 5, 4, 7)]
    return TetMesh(grid.reshape(-1, 3), np.concatenate([np.stack([corner[i] for i in p], axis=1) for p in paths]))


def ball(radius=0.06, n=24) -> TriMesh:
    """A sphere of latitude rings."""
    u, v = np.meshgrid(np.linspace(0, np.pi, n + 1), np.linspace(0, 2 * np.pi, 2 * n, endpoint=False), indexing="ij")
    x = radius * np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], -1).reshape(-1, 3)
    a = np.arange(n)[:, None] * 2 * n + np.arange(2 * n)
    b = np.arange(n)[:, None] * 2 * n + (np.arange(2 * n) + 1) % (2 * n)
    halves = [np.stack([a, a + 2 * n, b], -1), np.stack([b, a + 2 * n, b + 2 * n], -1)]
    return TriMesh(x, np.concatenate(halves).reshape(-1, 3))


def swinging_run(frames=13, cells=(12, 3, 3), seconds=1.2) -> Run:
    """A beam that bends, a cloth that waves, a rod, a ball and a floor."""
    tets = box_tets(cells)
    side = np.linspace(0, 0.3, 13)
    gx, gy = np.meshgrid(side, side, indexing="ij")
    cloth = np.stack([gx.ravel(), 0.2 + gy.ravel(), np.full(gx.size, 0.18)], 1)
    number = np.arange(169).reshape(13, 13)
    a, b, c, d = number[:-1, :-1].ravel(), number[1:, :-1].ravel(), number[1:, 1:].ravel(), number[:-1, 1:].ravel()
    sheet = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    rod = np.stack([np.linspace(0, 0.4, 11), np.full(11, -0.1), np.full(11, 0.2)], 1)
    beam = tets.translated((0, 0, 0.15)).vertices
    rest = np.concatenate([beam, cloth, rod])
    n0, n1, n2 = len(beam), len(beam) + len(cloth), len(rest)
    times = np.linspace(0, seconds, frames)
    positions = np.repeat(rest[None], frames, axis=0)
    for f, t in enumerate(times):
        bend = 2.2 * np.sin(2 * np.pi * t / 1.2) * beam[:, 0]
        arm = beam[:, 2] - 0.2
        positions[f, :n0, 0] = beam[:, 0] * np.sinc(bend / np.pi / 2) - arm * np.sin(bend)
        positions[f, :n0, 2] = 0.2 + arm * np.cos(bend) + beam[:, 0] * bend / 2
        positions[f, n0:n1, 2] += 0.03 * np.sin(14 * cloth[:, 0] + 5 * t) * t + 0.02 * np.cos(17 * cloth[:, 1]) * t
        positions[f, n1:, 2] -= 0.5 * t * rod[:, 0] ** 2
    velocities = np.gradient(positions, times, axis=0) if frames > 1 else np.zeros_like(positions)
    strain = np.linalg.norm(positions - rest, axis=2)
    surface = tets.boundary_vertices
    one = lambda count: (np.arange(count)[:, None], np.ones((count, 1)))
    skins = (
        Skin("beam", 0, n0, tets.boundary.triangles, surface[:, None], np.ones((len(surface), 1)), tets=tets.tets),
        Skin("cloth", n0, n1, sheet, *one(n1 - n0)),
        Skin("rod", n1, n2, np.zeros((0, 3), int), *one(n2 - n1), edges=np.stack([np.arange(10), np.arange(1, 11)], 1)),
    )
    floor = TriMesh([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]])
    still, moving = np.repeat(np.eye(4)[None], frames, 0), np.repeat(np.eye(4)[None], frames, 0)
    moving[:, :3, 3] = np.stack([0.1 + 0.2 * times, np.full(frames, -0.22), np.full(frames, 0.06)], 1)
    kinetic = 0.5 * (velocities**2).sum(axis=(1, 2)) * 1e-3
    return Run.single(
        times, positions, velocities, rest, skins, (Prop("floor", floor, still), Prop("ball", ball(), moving)),
        {"stress": 4e4 * strain}, {"kinetic": kinetic, "elastic": 0.3 * kinetic.max() - 0.3 * kinetic},
        step_seconds=np.full(max(frames - 1, 1), 0.004), dt=seconds / max(frames - 1, 1),
    )  # fmt: skip


def cut_run() -> Run:
    """As if cut after the seventh frame: a beam of other nodes, a cloth and a rod that is gone, under one clock."""
    before, after = swinging_run(), swinging_run(cells=(8, 3, 3))
    later = after.chapters[0][7:]
    stop = later.skins[1].stop  # without the rod
    later = Chapter(
        later.positions[:, :stop], later.velocities[:, :stop], later.rest[:stop], later.skins[:2],
        {name: values[:, :stop] for name, values in later.fields.items()},
    )  # fmt: skip
    return replace(before, chapters=(before.chapters[0][:7], later))
