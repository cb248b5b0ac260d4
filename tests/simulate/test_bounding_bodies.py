"""Bodies of bounding tets: at rest nothing moves, they fall with g, weigh and stretch as their solid does."""

import numpy as np
import pytest

import pliant as pl

JELLY = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)


def test_at_rest_nothing_moves_and_all_falls_with_g(place):
    surface = pl.meshes.torus(0.5, 0.15, 24, 12)
    body = pl.Body(pl.meshes.bounding_tets(surface, 4, fit=1), JELLY)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=0.01), device=place)
    for _ in range(3):
        assert sim.step().kept
    small = 1e-9 if sim.device.precision == "f64" else 1e-5
    assert np.abs(sim.x - body.shape.rest).max() < small
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.01), device=place)
    run = sim.run(0.1)
    fallen = -9.81 * 0.01**2 * 55  # implicit Euler: g h² n (n + 1) / 2
    drawn = run.skins[0].of(run.positions[-1]) - surface.vertices
    assert np.abs(drawn - [0, 0, fallen]).max() < 1e-4 * abs(fallen)


def test_lies_on_the_ground_with_its_surface_and_its_weight(place):
    ball = pl.meshes.sphere(0.1, 3).translated((0, 0, 0.101))
    body = pl.Body(pl.meshes.bounding_tets(ball, 3, fit=2), JELLY, name="ball", damping=pl.Damping(mass=8.0))
    sim = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=0.0)]), pl.ImplicitEuler(dt=0.01), device=place)
    run = sim.run(1.0, forces=True)
    weight = 9.81 * 1000 * ball.volume
    assert abs(run.force("obstacle 0")[-1][2]) == pytest.approx(weight, rel=0.02)
    lowest = run.skins[0].of(run.positions[-1])[:, 2].min()
    assert -5e-3 < lowest < 1e-3  # the surface, and not the nodes, meets the ground
    assert run.positions[-1][:, 2].min() < lowest - 1e-3


def test_a_checkpoint_goes_on(tmp_path):
    ball = pl.meshes.sphere(0.1, 2)
    body = pl.Body(pl.meshes.bounding_tets(ball, 2, fit=0, touching=pl.meshes.sphere(0.1, 1)), JELLY)
    sim = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=-0.12)]), pl.ImplicitEuler(dt=0.01))
    sim.run(0.05)
    sim.save(tmp_path / "a.npz")
    other = pl.Simulation.load(tmp_path / "a.npz")
    for each in (sim, other):
        each.run(0.05)
    assert np.array_equal(sim.x, other.x)


def test_swings_as_fine_tets_do():
    """Free bending of a bar that no axis is along: coarse tets are stiffer, and by filled shares nearer than as if full."""
    law = pl.Corotated(young=1e5, poisson=0.3, density=1000)
    bar = pl.surface(pl.capsule((-0.5, 0, 0), (0.5, 0, 0), 0.12).rotated((1, 2, 3), 33), 0.06)
    fine = pl.modes(pl.Body(pl.tetrahedralise(bar, 0.12).quadratic(), law), 2).frequencies
    shape = pl.meshes.bounding_tets(bar, 8, fit=2)
    coarse, full = (pl.modes(pl.Body(each, law), 2).frequencies for each in (shape, shape.mesh))
    assert np.all((fine < coarse) & (coarse < 1.4 * fine) & (coarse < full))


def test_a_stiff_body_in_single_precision_is_thrown_about():
    """Slivers of a filled share of 1e-7 and less, a thousand times stiffer, fast and spinning: every step is taken."""
    shape = pl.meshes.bounding_tets(pl.meshes.torus(0.1, 0.03, 24, 12).rotated((3, 1, 2), 41).translated((0, 0, 0.2)), 5, fit=1)
    law = pl.StableNeoHookean(young=2e7, poisson=0.45, density=1000)
    body = pl.Body(shape, law, velocity=(3, 0, -8), spin=(40, 0, 20))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.4))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60), precision="f32")
    run = sim.run(0.5)
    assert all(report.kept for report in run.reports)
    x = run.skins[0].of(run.positions[-1])
    assert np.ptp(x, axis=0).max() < 0.32 and x[:, 2].min() > -0.03


def test_slivers_do_not_turn_over_in_a_fall():
    """A ball on knobs, most of whose boundary tets are nearly empty, falls on them."""
    solid = pl.sphere(0.2, (0, 0, 0.45))
    for angle in np.arange(3) * 2 * np.pi / 3:
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        solid = solid | pl.capsule(0.1 * out + (0, 0, 0.4), 0.25 * out + (0, 0, 0.15), 0.06)
    shape = pl.meshes.bounding_tets(pl.surface(solid, 0.05), cells=5, fit=2)
    filled = shape.moments.sum(axis=1) / shape.mesh.volumes
    assert np.sum(filled < 0.01) > 10
    body = pl.Body(shape, JELLY, damping=pl.Damping(stiffness=2e-3), velocity=(0, 0, -2.0))
    run = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=0.0)]), pl.ImplicitEuler(dt=1 / 60)).run(0.5)
    x = run.positions[:, shape.tets]
    assert np.linalg.det(x[:, :, 1:] - x[:, :, :1]).min() > 0


def test_a_cut_names_tets_that_can_be_cut():
    """Bounding tets have four nodes each already."""
    sim = pl.Simulation(pl.Scene([pl.Body(pl.meshes.bounding_tets(pl.meshes.sphere(0.1, 1), 2, fit=0), JELLY)]))
    with pytest.raises(pl.errors.InputError, match=r"tetrahedralise\(surface, edge\)") as refused:
        sim.cut(pl.Blade([(-1, 0, 0), (1, 0, 0)], 1.0, into=(0, 1, 0)))
    assert "linear()" not in str(refused.value)
