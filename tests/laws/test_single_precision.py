"""Single precision holds: stiff bodies in f32 move as they do in f64, far away, falling, and small beside large."""

import functools

import numpy as np
import pytest

import pliant as pl
from benchmarks.studies.accuracy import error

DT = 1 / 60
LAW = pl.StableNeoHookean(young=1e7, poisson=0.4, density=1000)


def ended(scene, x, v, solver, precision):
    sim = pl.Simulation(scene, pl.ImplicitEuler(DT, solver), precision=precision)
    sim.x, sim.v = x, v
    report = sim.step()
    return sim.x, report


def swinging(*bodies):
    """A scene with positions and velocities a few steps after a blow, and where a step from there ends in f64."""
    scene = pl.Scene(list(bodies))
    sim = pl.Simulation(scene, pl.ImplicitEuler(DT, pl.QuasiNewton(iterations=10)))
    reach = np.concatenate([(body.x - body.x.min(axis=0)) / np.ptp(body.x, axis=0).max() for body in sim.bodies])
    sim.v = reach[:, :1] ** 2 * np.array([0.0, 2.0, -4.0])
    for _ in range(4):
        sim.step()
    x, v = sim.x, sim.v
    exact, report = ended(scene, x, v, pl.Newton(tolerance=1e-8), "f64")
    assert report.converged
    return scene, x, v, exact


def beam(away=0.0, size=1.0, cells=(20, 4, 4), **given):
    mesh = pl.tet_grid((size, 0.2 * size, 0.2 * size), cells, 5).translated((away, away, away))
    return pl.Body(mesh, LAW, pinned=lambda X: X[:, 0] < away + 1e-9, **given)


@functools.cache
def near():
    return swinging(beam())


SCENES = {
    "stiff beam": near,
    "100 m away": lambda: swinging(beam(away=100.0)),
    "1 cm beside 1 m": lambda: swinging(beam(name="large"), beam(away=3.0, size=0.01, cells=(6, 2, 2), name="small")),
    "lattice": lambda: swinging(
        pl.Body(pl.Lattice(pl.box((1.0, 0.2, 0.2)), spacing=0.05), LAW, pinned=lambda X: X[:, 0] < -0.49)
    ),
    "sheet": lambda: swinging(
        pl.Body(
            pl.Membrane(pl.cloth_grid(size=(1.0, 1.0), cells=(16, 16)), thickness=1e-3),
            pl.Corotated(young=1e7, poisson=0.3, density=500),
            pinned=[0, 16],
        )
    ),
    "thread": lambda: swinging(
        pl.Body(
            pl.Springs(pl.meshes.rod((0, 0, 0), (1.0, 0, 0), 50), radius=5e-3),
            pl.Corotated(young=1e8, poisson=0.3, density=1000),
            pinned=[0],
        )
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_newton_is_right_to_1e5_of_the_motion(name):
    """Rounding ends each solve, not the 200th iteration, and what it leaves is far below the motion."""
    scene, x, v, exact = SCENES[name]()
    end, report = ended(scene, x, v, pl.Newton(), "f32")
    assert report.kept and report.converged and report.iterations < 30, report.why
    assert error(end, exact, x) < 1e-5


def test_rounding_leaves_little_of_the_residual():
    """With positions in f32 a scaled residual of 0.6 was left at a distance of 100 m."""
    for name in ("stiff beam", "100 m away"):
        scene, x, v, _ = SCENES[name]()
        _, report = ended(scene, x, v, pl.Newton(linear=pl.linear.Direct()), "f32")
        assert report.residual < 1e-3


def test_quasi_newton_is_limited_by_its_iterations():
    """As good as in f64 for as long as anyone would wait."""
    scene, x, v, exact = near()
    errors = {}
    for precision in ("f32", "f64"):
        for k in (80, 320):
            end, report = ended(scene, x, v, pl.QuasiNewton(iterations=k), precision)
            assert report.kept, report.why
            errors[precision, k] = error(end, exact, x)
    assert errors["f32", 80] == pytest.approx(errors["f64", 80], rel=0.2)
    assert errors["f32", 320] < 1e-4


@pytest.mark.parametrize("solver", [pl.Newton(), pl.QuasiNewton()])
def test_stiff_cube_falls_as_a_stone(solver):
    """For a second, 4.99 m, through which nothing but rounding strains it."""
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (4, 4, 4), 5), LAW)
    sim = pl.Simulation(pl.Scene([cube]), pl.ImplicitEuler(DT, solver), precision="f32")
    rest, steps = sim.x, 60
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why
    moved = sim.x - rest
    fallen = 9.81 * DT**2 * steps * (steps + 1) / 2
    assert np.abs(moved - [0, 0, -fallen]).max() < 1e-5 * fallen
    assert sim.stress().max() < 1e-6 * 1e7


def test_positions_are_double_and_all_else_is_single():
    sim = pl.Simulation(pl.Scene([beam(cells=(4, 1, 1))]), precision="f32")
    assert (sim.x.dtype, sim.v.dtype) == (np.float64, np.float32)
    run = sim.run(2 * DT)
    assert run.positions.dtype == np.float32 and np.abs(run.positions[-1] - sim.x).max() < 1e-7


@pytest.mark.parametrize("young", [1e7, 1e9])
def test_stiff_blocks_fly_as_in_double_precision(place, young):
    """Two blocks that turn and fall: of 1 GPa, rounding of strains was as much as the weight, and they did not fall."""
    places = []
    for precision in ("f64", "f32"):
        law = pl.StableNeoHookean(young=young, poisson=0.3, density=1000)
        mesh = pl.tet_grid((0.05, 0.065, 0.04), (4, 5, 3))
        bodies = [pl.Body(mesh.translated((at, 0, 0)), law, velocity=(0.3, 0, 0), spin=(3, 8, 1)) for at in (0, 0.2)]
        sim = pl.Simulation(pl.Scene(bodies), pl.ImplicitEuler(1 / 60), precision=precision, device=place)
        reports = [sim.step() for _ in range(5)]
        assert all(report.why == "converged" for report in reports)
        places.append(sim.x.copy())
    assert np.abs(places[1] - places[0]).max() < 5e-6
