"""Bodies of ten-node tets in scenes: contact, hands, springs, muscles, surfaces that ride, files, pictures and the viewer."""

import struct

import numpy as np
import pytest

import pliant as pl
from pliant.output.raster.plane_cuts import cut_tets, faces_of, tets_of
from pliant.view.scene.element_edges import Edges

SOLID = pl.sphere(0.1, centre=(0.0, 0.0, 0.12))
LAW = pl.StableNeoHookean(young=2e4, poisson=0.4)


def ball(edge: float = 0.08) -> pl.TetMesh:
    return pl.tetrahedralise(SOLID, edge=edge).quadratic(onto=SOLID)


def scene(**options) -> pl.Scene:
    body = pl.Body(ball(), LAW, damping=pl.Damping(viscosity=10.0), name="ball", **options)
    return pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))


def test_a_ball_comes_to_rest_on_the_floor():
    """Its lowest nodes carry its weight; none of them is deep in the floor, corner or middle of an edge."""
    sim = pl.Simulation(scene(), pl.ImplicitEuler(dt=1 / 60))
    for _ in range(60):
        assert sim.step().kept
    force = sim.vectors.new()
    sim.world["contact"][0].gradient(sim.state.x, force)
    weight = 9.81 * sim.world.mass.sum()
    assert -force.numpy()[:, 2].sum() == pytest.approx(weight, rel=0.05)
    assert -0.004 < sim.x[:, 2].min() < 0
    low = np.flatnonzero(np.abs(force.numpy()).max(axis=1) > 0)
    mesh = sim.scene.bodies[0].shape.mesh
    assert np.isin(low, mesh.middles).any() and np.isin(low, mesh.boundary_vertices).all()


def test_a_surface_rides_and_collides():
    """A finer surface follows bent tets exactly at rest, and it is what touches the floor."""
    skin = pl.surface(SOLID, 0.02)
    sim = pl.Simulation(scene(surface=skin), pl.ImplicitEuler(dt=1 / 60))
    assert sim.bodies[0].surface == pytest.approx(skin.vertices, abs=1e-9)
    for _ in range(30):
        assert sim.step().kept
    assert -0.004 < sim.bodies[0].surface[:, 2].min() < 0.001


def test_hands_springs_and_points_inside():
    held = pl.Hold([[0.0, 0.0, 0.2]], by=pl.hold.Springs(200.0))
    sim = pl.Simulation(pl.Scene([pl.Body(ball(), LAW, effects=[held])]), pl.ImplicitEuler(dt=1 / 60))
    handle = sim.grab(vertex=0, target=sim.bodies[0].surface[0] + [0.05, 0.0, 0.0])
    for _ in range(20):
        assert sim.step().kept
    assert sim.bodies[0].surface[0, 0] > pl.Simulation(sim.scene).bodies[0].surface[0, 0] + 0.02
    sim.release(handle)
    assert sim.step().kept


@pytest.mark.slow  # for the compiler
def test_a_muscle_in_ten_node_tets_pulls():
    muscle = pl.muscles.EmbeddedMuscle(
        pl.capsule((0, 0, 0.06), (0, 0, 0.18), 0.03), (0.0, 0.0, 1.0), activation=1.0, peak_stress=2e4
    )
    body = pl.Body(ball(), LAW, effects=[muscle], pinned=lambda X: X[:, 2] < 0.04)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(solver=pl.Newton()))
    assert sim.step().kept
    assert np.ptp(sim.x[:, 2]) < 0.95 * 0.2


def test_pressure_inflates_a_ball_evenly():
    """Pressure on bent faces: a ball of linear material grows by p (1 − 2ν)/E in every direction."""
    law = pl.LinearElastic(young=1e5, poisson=0.3)
    mesh = pl.tetrahedralise(pl.sphere(0.1), edge=0.08).quadratic(onto=pl.sphere(0.1))
    middle, right, front = (
        int(np.argmin(np.linalg.norm(mesh.vertices - at, axis=1))) for at in np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]])
    )
    # as much as keeps it from going and turning, and nothing else
    still = [pl.Hold([node], by=pl.hold.Rigidly(axes)) for node, axes in ((right, "yz"), (front, "z"))]
    body = pl.Body(mesh, law, effects=[pl.Pressure(10.0), *still], pinned=[middle])
    solver = pl.Newton(tolerance=1e-10, linear=pl.linear.Direct(), hessian=pl.solver.Exact())
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(solver=solver))
    assert sim.step().kept
    u = (sim.x - mesh.vertices) - (sim.x - mesh.vertices)[middle]
    X = mesh.vertices - mesh.vertices[middle]
    assert np.einsum("ni,ni->", u, X) / np.einsum("ni,ni->", X, X) == pytest.approx(10.0 * 0.4 / 1e5, rel=2e-3)


def test_regions_have_their_own_stiffness():
    grid = pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1))
    half = (grid.vertices[grid.tets].mean(axis=1)[:, 0] > 0.2).astype(int)
    mesh = pl.TetMesh(grid.vertices, grid.tets, half).quadratic()
    law = pl.LinearElastic(young=[1e5, 4e5], poisson=0.0)
    pull = pl.Traction((1e3, 0, 0), lambda X: X[:, 0] > 0.4 - 1e-9)
    body = pl.Body(mesh, law, effects=[pull, pl.Hold(lambda X: X[:, 0] < 1e-9)])
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct())))
    assert sim.step().kept
    end = mesh.vertices[:, 0] > 0.4 - 1e-9
    assert (sim.x - mesh.vertices)[end, 0] == pytest.approx(0.2 * 1e3 / 1e5 + 0.2 * 1e3 / 4e5, rel=1e-6)
    assert sim.field("stress") == pytest.approx(1e3, rel=1e-2)


@pytest.fixture(scope="module")
def run():
    sim = pl.Simulation(scene(), pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10)))
    return sim, sim.run(0.2, fields=("stress", "pressure"))


def test_a_checkpoint_goes_on_bit_for_bit(run, tmp_path):
    sim, _ = run
    sim.save(str(tmp_path / "ball.npz"))
    again = pl.Simulation.load(str(tmp_path / "ball.npz"))
    assert type(again.scene.bodies[0].shape) is pl.QuadraticTets
    sim.step()
    again.step()
    assert np.array_equal(sim.x, again.x) and np.array_equal(sim.v, again.v)


def test_runs_are_written_with_ten_nodes(run, tmp_path):
    """ParaView reads cells of type 24, a run comes back as it was, and surfaces have four triangles a face."""
    _, moved = run
    skin = moved.chapters[0].skins[0]
    assert skin.tets.shape[1] == 10 and len(skin.triangles) == 4 * len(ball().boundary_faces)
    pl.export(moved, tmp_path / "run.npz")
    back = pl.read(tmp_path / "run.npz")
    assert np.array_equal(back.chapters[0].skins[0].tets, skin.tets)
    pl.export(moved, tmp_path / "run.pvd", frames=[0])
    mesh = pl.read(next((tmp_path).rglob("*0000*.vtu")))
    assert np.array_equal(mesh.cells, ball().cells)
    pl.export(moved, tmp_path / "run.glb")
    assert struct.unpack("<I", (tmp_path / "run.glb").read_bytes()[:4])[0] == 0x46546C67


def test_slices_cut_the_eight_tets_between_the_nodes(run):
    """The area of a disc, by a plane through the middle of the ball at rest."""
    _, moved = run
    skin, X = moved.chapters[0].skins[0], moved.chapters[0].rest
    triangles = cut_tets(tets_of(skin), X[:, 0] - 1e-6, X)
    area = 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1).sum()
    assert area == pytest.approx(np.pi * 0.01, rel=0.03)
    faces = faces_of(skin)
    assert len(np.unique(np.sort(faces, axis=1), axis=0)) == len(faces)


def test_the_viewer_draws_both_halves_of_every_edge(run):
    sim, _ = run
    edges = Edges(sim)
    assert edges.share == 1 and len(edges.pairs) == 2 * len(ball().edges)


def test_pictures(run, tmp_path):
    _, moved = run
    for name, options in {
        "a.png": {"colour": "stress"},
        "b.png": {"look": pl.render.Slice(), "colour": "pressure"},
    }.items():
        pl.picture(moved, tmp_path / name, size=(120, 90), **options)
        assert (tmp_path / name).stat().st_size > 500
    pl.picture(ball(), tmp_path / "c.png", size=(120, 90))
    pl.page(moved, tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size > 10_000
