"""Lattice bodies in scenes: they fall, land, are grabbed, drawn, changed, saved, and several run side by side."""

import numpy as np
import pytest

import pliant as pl

BALL = pl.sphere(0.1, centre=(0.003, 0.001, 0.15))
LAW = pl.StableNeoHookean(young=2e4, poisson=0.4)


def dropped(rule, solver, seconds=0.4):
    scene = pl.Scene([pl.Body(pl.Lattice(BALL, 0.035, rule), LAW)], [pl.plane(z=0)])
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver)).run(seconds)


@pytest.mark.parametrize(
    "rule",
    [pl.quadrature.Moments(), pl.quadrature.Gauss(), pl.quadrature.Corners(), pl.quadrature.Centre()],
    ids=lambda r: type(r).__name__,
)
def test_a_ball_lands(rule):
    """It falls freely, then rests on the floor: its surface goes no deeper than a fifth of a cell."""
    run = dropped(rule, pl.Newton())
    low = run.skins[0].of(run.positions)[:, :, 2].min(axis=1)
    assert all(r.kept for r in run.reports)
    n = np.arange(5)
    assert low[:5] == pytest.approx(0.05 - 9.81 / 60**2 * n * (n + 1) / 2, abs=2e-3)
    assert low.min() > -0.2 * 0.035 and low[-1] < 0.01
    assert ("hourglass" in run.energies) == isinstance(rule, pl.quadrature.Centre)


def test_solvers_agree():
    one, two = (
        dropped(pl.quadrature.Moments(), pl.Newton()),
        dropped(pl.quadrature.Moments(), pl.QuasiNewton(iterations=200)),
    )
    skins = [r.skins[0].of(r.positions) for r in (one, two)]
    assert np.abs(skins[0] - skins[1]).max() < 2e-3


def test_the_skin_is_the_surface():
    """Every vertex is carried to where it is, by eight nodes; a surface of one's own as well."""
    shape = pl.Lattice(pl.torus(0.1, 0.04), 0.03)
    mesh = pl.meshes.torus(0.1, 0.04)
    for surface in (None, mesh):
        sim = pl.Simulation(pl.Scene([pl.Body(shape, LAW, surface=surface)]))
        expected = shape.surface if surface is None else mesh
        assert np.abs(sim.bodies[0].surface - expected.vertices).max() <= 1e-12
        assert sim.skins[0].parents.shape == (len(expected.vertices), 8)


@pytest.mark.parametrize("solver", [pl.Newton(), pl.QuasiNewton(iterations=100)], ids=["Newton", "QuasiNewton"])
def test_a_grab_holds_a_vertex(solver):
    """A stiff grab on eight nodes brings the vertex to the target and the body behind it."""
    scene = pl.Scene([pl.Body(pl.Lattice(BALL, 0.05), LAW)], gravity=(0, 0, 0))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver))
    vertex = int(np.argmax(sim.bodies[0].surface[:, 2]))
    target = sim.bodies[0].surface[vertex] + [0.0, 0.0, 0.02]
    before = sim.bodies[0].x.mean(axis=0)
    handle = sim.grab(vertex, target, stiffness=1e5)
    for _ in range(20):
        assert sim.step().kept
    assert np.linalg.norm(sim.bodies[0].surface[vertex] - target) < 1e-3
    assert (sim.bodies[0].x.mean(axis=0) - before)[2] > 5e-3
    sim.release(handle)
    assert sim.step().kept


def test_changing_the_material_changes_the_stabilisation():
    scene = pl.Scene([pl.Body(pl.Lattice(BALL, 0.05, pl.quadrature.Centre()), LAW)])
    sim = pl.Simulation(scene)
    x = sim.x
    x = x + 0.003 * np.random.default_rng(0).standard_normal(x.shape)
    sim.x = x
    before = sim.energies()["hourglass"]
    sim.set(young=6e4)
    sim.x = x
    assert before > 0 and sim.energies()["hourglass"] == pytest.approx(3 * before, rel=1e-9)


def test_a_checkpoint_goes_on(tmp_path):
    shape = pl.Lattice(BALL, 0.05, pl.quadrature.Moments(samples=500), origin=(0.01, 0.0, 0.0))
    sim = pl.Simulation(pl.Scene([pl.Body(shape, LAW)], [pl.plane(z=0)]))
    for _ in range(8):
        sim.step()
    sim.save(str(tmp_path / "a.npz"))
    again = pl.Simulation.load(str(tmp_path / "a.npz"))
    for _ in range(3):
        sim.step()
        again.step()
    assert np.array_equal(sim.x, again.x)


def test_lattices_and_tets_in_one_scene():
    """Two lattices alike share one energy, a tet body keeps its own, and all of them land."""
    bodies = [
        pl.Body(pl.Lattice(pl.sphere(0.05, centre=(0, 0, 0.08)), 0.03), LAW, name="a"),
        pl.Body(pl.Lattice(pl.sphere(0.05, centre=(0.3, 0, 0.08)), 0.025), LAW, name="b"),
        pl.Body(pl.tetrahedralise(pl.sphere(0.05, centre=(-0.3, 0, 0.08)), edge=0.03), LAW, name="c"),
    ]
    sim = pl.Simulation(pl.Scene(bodies, [pl.plane(z=0)]))
    assert len(sim.world["elastic"]) == 2
    run = sim.run(0.5)
    for skin in run.skins:
        assert -0.01 < skin.of(run.positions)[-1, :, 2].min() < 0.01


def test_nearly_incompressible_beam_does_not_lock():
    """From ν = 0.49 to 0.4999 the beam that averages its volume sags alike; point by point it stiffens."""
    solid = pl.box((0.4, 0.1, 0.1), (0.2, 0.05, 0.05))
    sag = {}
    for volume in (None, pl.quadrature.Averaged()):
        for poisson in (0.49, 0.4999):
            shape = pl.Lattice(solid, 0.05, pl.quadrature.Gauss(), volume=volume)
            body = pl.Body(shape, pl.NeoHookean(young=2e5, poisson=poisson), pinned=lambda X: X[:, 0] < 1e-9)
            solver = pl.Newton(linear=pl.linear.Direct(), hessian=pl.solver.Projected())
            sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic(dt=1.0, solver=solver))
            report = sim.step()
            assert report.kept, report.why
            sag[volume, poisson] = -sim.x[:, 2].min()
    mean, points = ([sag[v, p] for p in (0.49, 0.4999)] for v in (pl.quadrature.Averaged(), None))
    assert mean[1] == pytest.approx(mean[0], rel=0.02)
    assert points[1] < 0.6 * points[0] < mean[0]


def test_averaged_volume_follows_set_and_names_laws_it_cannot_split(tmp_path):
    shape = pl.Lattice(pl.sphere(0.1), 0.05, volume=pl.quadrature.Averaged())
    sim = pl.Simulation(pl.Scene(pl.Body(shape, pl.NeoHookean(young=1e4, poisson=0.45))))
    before = sim.world["volume"][0].kappa.numpy()[0]
    sim.set(young=2e4)
    assert sim.world["volume"][0].kappa.numpy()[0] == pytest.approx(2 * before)
    assert sim.step().kept
    sim.save(tmp_path / "ball.npz")
    again = pl.Simulation.load(tmp_path / "ball.npz")
    assert sim.step().kept and again.step().kept and np.array_equal(sim.x, again.x)
    with pytest.raises(pl.errors.InputError, match="Arap is not"):
        pl.Simulation(pl.Scene(pl.Body(shape, pl.Arap(young=1e4))))
    aggregate = pl.Lattice(pl.sphere(0.1), 0.05, volume=pl.quadrature.Averaged(aggregate=True))
    with pytest.raises(pl.errors.InputError, match="Corotated does not measure J"):
        pl.Simulation(pl.Scene(pl.Body(aggregate, pl.Corotated(young=1e4))))
    with pytest.raises(pl.errors.InputError, match=r"Averaged\(measure=…\) is 'x'"):
        pl.quadrature.Averaged("x")
    with pytest.raises(pl.errors.InputError, match="volume="):
        pl.Lattice(pl.sphere(0.1), 0.05, volume="log")
