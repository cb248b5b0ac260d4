"""What an artist drew on a surface is there after a cut and after a tear, and in the files written of it."""

import numpy as np
import pytest

import pliant as pl
from pliant.geometry.mesh.mesh_looks import Finish, Looks

BLUE, RED = Finish("blue", (0, 0, 1, 1)), Finish("red", (1, 0, 0, 1))


def drawn(mesh: pl.TriMesh) -> pl.TriMesh:
    """With texture points (x, y) and colours (x, z), red where x is small and blue elsewhere, as one object."""
    at = mesh.vertices[mesh.triangles].reshape(-1, 3)
    colours = np.column_stack([0.5 + at[:, 0], 0.5 + at[:, 2], np.zeros(len(at)), np.ones(len(at))])
    middle = mesh.vertices[mesh.triangles].mean(axis=1)
    looks = Looks(
        np.full(len(mesh.triangles), 3), mesh.triangles.ravel(), uv=at[:, :2], colours=colours,
        finish=(middle[:, 0] > 0.02).astype(int), finishes=(RED, BLUE), part=np.zeros(len(middle), int), parts=("fruit",),
    )  # fmt: skip
    return pl.TriMesh(mesh.vertices, mesh.triangles, looks=looks)


def cut_body(kind: str) -> pl.Simulation:
    fruit = drawn(pl.meshes.sphere(0.1, 3))
    law = pl.StableNeoHookean(young=1e4)
    if kind == "tets":
        body = pl.Body(pl.tetrahedralise(fruit, edge=0.035), law, surface=fruit)
    else:
        body = pl.Body(pl.Lattice(pl.sphere(0.1), 0.04), law, surface=fruit)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)))
    sim.cut(pl.Blade([(0.011, -0.3, 0.2), (-0.007, 0.3, 0.2)], depth=0.4))
    return sim


@pytest.mark.parametrize("kind", ["tets", "lattice"])
def test_texture_points_colours_and_materials_survive_a_cut(kind):
    sim = cut_body(kind)
    surface = sim.scene.bodies[0].surface
    looks, corners = surface.looks, surface.vertices[surface.triangles]
    outside = looks.finish >= 0
    middle = corners.mean(axis=1)
    # new faces lie on the blade, all others on the sphere
    assert np.linalg.norm(middle[outside], axis=1).min() > 0.092 and np.abs(middle[~outside, 0]).max() < 0.03
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    assert areas[outside].sum() == pytest.approx(4 * np.pi * 0.01, rel=0.03)
    assert areas[~outside].sum() == pytest.approx(2 * np.pi * 0.01, rel=0.1)
    uv, colours = looks.uv.reshape(-1, 3, 2), looks.colours.reshape(-1, 3, 4)
    assert uv[outside] == pytest.approx(corners[outside][..., :2], abs=2e-3)  # vertices near to a blade are moved onto it
    assert colours[outside][..., 1] == pytest.approx(0.5 + corners[outside][..., 2], abs=2e-3)
    sure = outside & (np.abs(middle[:, 0] - 0.02) > 0.02)
    assert np.array_equal(looks.finish[sure], (middle[sure, 0] > 0.02).astype(int))
    assert set(looks.part) == {0} and len(set(looks.smooth.reshape(-1, 3)[~outside].ravel())) == 1
    assert not set(looks.smooth.reshape(-1, 3)[outside].ravel()) & set(looks.smooth.reshape(-1, 3)[~outside].ravel())


def test_a_second_cut_and_files(tmp_path):
    sim = cut_body("tets")
    before = sim.scene.bodies[0].surface
    run = sim.run(0.02)
    sim.cut(pl.Blade([(-0.3, 0.02, 0.2), (0.3, 0.02, 0.2)], depth=0.4))
    surface = sim.scene.bodies[0].surface
    new = surface.looks.finish == -1
    assert np.count_nonzero(new) > np.count_nonzero(before.looks.finish == -1) and len(surface.looks.sizes) > len(
        before.triangles
    )
    run = sim.run(0.02)
    pl.export(run, tmp_path / "cut.glb")
    found = pl.read(tmp_path / "cut.glb").looks
    assert {f.name for f in found.finishes} >= {"red", "blue"} and found.uv is not None and found.colours is not None
    sim.undo_cut()
    assert np.array_equal(sim.scene.bodies[0].surface.triangles, before.triangles)


def test_a_sheet_with_looks_tears():
    grid = pl.cloth_grid((0.2, 0.2), (4, 4))
    flag = drawn(grid)
    pull = pl.Hold(lambda X: X[:, 0] > 0.199, motion=lambda X, t: X + np.array([2.0 * t, 0, 0]))
    body = pl.Body(
        pl.Membrane(flag, 0.001), pl.Corotated(young=1e5), pinned=lambda X: X[:, 0] < 1e-6,
        effects=[pull, pl.Tearing(stretch=1.2)],
    )  # fmt: skip
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=0.01))
    torn = sum(sim.step().torn for _ in range(8))
    mesh = sim.scene.bodies[0].shape.mesh
    assert torn > 0 and mesh.looks.fits(mesh.triangles)
    assert np.allclose(mesh.looks.uv, mesh.vertices[mesh.triangles].reshape(-1, 3)[:, :2])
    assert sim.run(0.01).skins[0].looks is not None
