"""Rigid bodies in time: momenta and energy in flight, the flip about the middle axis, orders under forces, derivatives.

The reference is SciPy's adaptive Runge–Kutta on Euler's equations, which knows no nodes.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pliant as pl
from pliant import integrate
from pliant.contact import Rigid
from pliant.inverse import Adjoint
from pliant.inverse.gradients.forward_sensitivity import Forwards

TIGHT = pl.Newton(tolerance=1e-11)
SCHEMES = {
    "ImplicitEuler": (pl.ImplicitEuler, 1),
    "BDF2": (pl.BDF2, 2),
    "ImplicitMidpoint": (pl.ImplicitMidpoint, 2),
    "Newmark": (pl.Newmark, 2),
    "HHT": (pl.HHT, 2),
    "NewmarkTheta": (pl.NewmarkTheta, 1),
}
REFUSED = (pl.SymplecticEuler, pl.CentralDifferences, pl.LinearAcceleration)
SIZE = (0.3, 0.2, 0.1)


def flying(spin=(0.05, 10.0, 0.02), **more) -> pl.Body:
    return pl.Body(Rigid(pl.meshes.box(SIZE), density=500.0), velocity=(0.3, 0.0, 1.0), spin=spin, **more)


def momenta(sim: pl.Simulation, nodes: slice = slice(None)) -> np.ndarray:
    """(2, 3) linear momentum, and angular one about the centre."""
    x, v, mass = sim.x[nodes], sim.v[nodes].astype(float), sim.world.mass[nodes, None]
    centre = (mass * x).sum(axis=0) / mass.sum()
    return np.array([(mass * v).sum(axis=0), (mass * np.cross(x - centre, v)).sum(axis=0)])


def turned(body: pl.Body, x: np.ndarray) -> np.ndarray:
    return np.einsum("ki,kj->ij", x, body.shape.gradients[0, 0])


def hat(w: np.ndarray) -> np.ndarray:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def test_no_integrator_escapes():
    assert {*SCHEMES, *(kind.__name__ for kind in REFUSED), "QuasiStatic"} == set(integrate.__all__)


@pytest.mark.parametrize("kind", REFUSED, ids=lambda kind: kind.__name__)
def test_a_scheme_that_would_follow_the_stiff_law_is_refused(kind):
    with pytest.raises(pl.errors.InputError, match=r"contact\.Rigid body moves.*expected ImplicitEuler\(\), BDF2\(\)"):
        pl.Simulation(pl.Scene([flying()]), kind(1e-6))
    held = pl.Body(flying().shape, pinned=True)
    pl.Simulation(pl.Scene([held]), kind(1e-6))  # what nothing moves is no matter


@pytest.mark.parametrize("name", SCHEMES)
def test_free_flight_keeps_momenta_to_rounding_and_the_energy(name):
    """In every one of 1,000 steps of 1/60 s, of a box that turns over and over."""
    sim = pl.Simulation(pl.Scene([flying((1.0, 20.0, 3.0))], gravity=(0, 0, 0)), SCHEMES[name][0](1 / 60))
    first, energy = momenta(sim), sim.energies()["kinetic"]
    before, sizes = first, np.linalg.norm(first, axis=1)
    for _ in range(1000):
        report = sim.step()
        assert report.kept, report.why
        now = momenta(sim)
        assert (np.linalg.norm(now - before, axis=1) < 1e-12 * sizes).all()
        before = now
    assert np.linalg.norm(before - first, axis=1) == pytest.approx([0, 0], abs=1e-10 * sizes.min())
    assert sim.energies()["kinetic"] == pytest.approx(energy, rel=1e-9)


@pytest.mark.parametrize("name", SCHEMES)
def test_in_single_precision_momenta_stay_as_well_as_velocities_are_kept(name):
    sim = pl.Simulation(pl.Scene([flying()], gravity=(0, 0, 0)), SCHEMES[name][0](1 / 60), precision="f32")
    first = momenta(sim)
    for _ in range(200):
        assert sim.step().kept
    np.testing.assert_allclose(momenta(sim)[1], first[1], atol=2e-6 * np.linalg.norm(first[1]))


def euler_turns(body: pl.Body, times: np.ndarray) -> np.ndarray:
    """(t, 3, 3) rotations of Euler's equations without torque."""
    J = body.shape.inertia
    L = J @ np.array(body.spin)

    def slope(_, r):
        R = r.reshape(3, 3)
        return (R @ hat(np.linalg.solve(J, R.T @ L))).ravel()

    found = solve_ivp(slope, (0, times[-1]), np.eye(3).ravel(), "DOP853", times, rtol=1e-11, atol=1e-12)
    return found.y.T.reshape(-1, 3, 3)


def flips(times: np.ndarray, upright: np.ndarray) -> np.ndarray:
    """When the middle axis lies across where it was at first."""
    at = np.flatnonzero(np.diff(np.sign(upright)))
    return times[at] + (times[at + 1] - times[at]) * upright[at] / (upright[at] - upright[at + 1])


@pytest.mark.parametrize("name", SCHEMES)
def test_a_box_flips_about_its_middle_axis_when_euler_s_equations_say(name):
    body, dt, steps = flying(), 1 / 60, 300
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), SCHEMES[name][0](dt))
    times, upright = dt * np.arange(steps + 1), [1.0]
    for _ in range(steps):
        assert sim.step().kept
        upright.append(turned(body, sim.x)[1, 1])
    exact = flips(times, euler_turns(body, times)[:, 1, 1])
    found = flips(times, np.array(upright))
    assert len(exact) >= 2 and len(found) == len(exact)
    np.testing.assert_allclose(found, exact, rtol=1e-3)


def test_a_fast_spin_turns_by_its_angle():
    """100 rad/s about a principal axis, 95 degrees in a step of 1/60 s; in straight lines it stood still after some steps."""
    body = flying((0.0, 0.0, 100.0))
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(1 / 60))
    for _ in range(60):
        assert sim.step().kept
    R = turned(body, sim.x)
    assert np.angle(np.exp(1j * (np.arctan2(R[1, 0], R[0, 0]) - 100.0))) == pytest.approx(0, abs=1e-3)


HOOK, STIFFNESS = np.array([0.15, 0.1, 0.05]), 200.0


def swinging() -> pl.Body:
    """A box that turns fast and hangs by a corner on a soft spring."""
    hook = pl.Hold(pl.PointCloud([HOOK]), by=pl.hold.Springs(STIFFNESS))
    return flying((2.0, 6.0, 1.0), effects=[hook])


def reference(body: pl.Body, time: float) -> np.ndarray:
    """(4, 3) where its nodes are by Newton's and Euler's equations."""
    J, mass = body.shape.inertia, float(body.shape.lumped(body.shape.material.density).sum())

    def slope(_, s):
        c, R, v, L = s[:3], s[3:12].reshape(3, 3), s[12:15], s[15:]
        arm = R @ HOOK
        force = -STIFFNESS * (c + arm - HOOK)
        turn = R @ hat(np.linalg.solve(J, R.T @ L))
        return np.concatenate([v, turn.ravel(), force / mass + [0, 0, -9.81], np.cross(arm, force)])

    start = np.concatenate([np.zeros(3), np.eye(3).ravel(), body.velocity, J @ np.array(body.spin)])
    end = solve_ivp(slope, (0, time), start, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    return end[:3] + body.shape.rest @ end[3:12].reshape(3, 3).T


@pytest.mark.parametrize("name", SCHEMES)
def test_under_forces_and_torques_a_scheme_has_its_order(name):
    kind, order = SCHEMES[name]
    body, time, errors = swinging(), 0.5, []
    exact = reference(body, time)
    for dt in (1 / 120, 1 / 240, 1 / 480):
        sim = pl.Simulation(pl.Scene([body]), kind(dt, TIGHT))
        for _ in range(round(time / dt)):
            assert sim.step().kept
        errors.append(np.abs(sim.x - exact).max())
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert rates[-1] > order - 0.25, (errors, rates)
    assert errors[-1] < (0.03 if order == 1 else 0.002)


# --- with others


@pytest.mark.parametrize("response", [pl.contact.Penalty(), pl.contact.Barrier()], ids=lambda r: type(r).__name__)
def test_a_ball_that_hits_a_soft_block_passes_its_momentum_on(response):
    law = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)
    soft = pl.Body(pl.tet_grid((0.1,) * 3, (2, 2, 2)), law, name="soft")
    ball = pl.meshes.sphere(0.04, 1).translated((0.06, 0.04, 0.15))
    ball = pl.Body(Rigid(ball, density=2000.0), velocity=(0, 0, -1.0), spin=(0, 5.0, 0), name="ball")
    scene = pl.Scene([soft, ball], gravity=(0, 0, 0), contact=pl.Contact(friction=0.3, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 240, pl.Newton(tolerance=1e-9)))
    first = momenta(sim)[0]
    for _ in range(24):
        assert sim.step().kept
    assert np.abs(sim.v[:-4].mean(axis=0)).max() > 0.1 and sim.v[-4:, 2].mean() > -0.9
    np.testing.assert_allclose(momenta(sim)[0], first, atol=1e-6 * np.abs(first).max())


def test_a_disc_that_may_not_leave_its_plane_keeps_its_spin():
    disc = pl.meshes.box((0.2, 0.2, 0.02))
    flat = pl.Hold(True, by=pl.hold.Rigidly("z"))
    body = pl.Body(Rigid(disc, density=1000.0), spin=(0, 0, 12.0), velocity=(0.2, 0, 0), effects=[flat])
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(1 / 60))
    first = momenta(sim)
    for _ in range(60):
        assert sim.step().kept
    np.testing.assert_allclose(momenta(sim), first, atol=1e-9)
    np.testing.assert_allclose(sim.x[:, 2], body.shape.rest[:, 2], atol=1e-15)


def test_scenes_of_a_batch_fly_as_if_they_were_alone():
    scenes = [pl.Scene([flying(spin)], gravity=(0, 0, -1.0)) for spin in ((1, 2, 3), (0, 20, 1))]
    batch = pl.Batch(scenes)
    for _ in range(30):
        assert all(report.kept for report in batch.step())
    for i, scene in enumerate(scenes):
        alone = pl.Simulation(scene)
        for _ in range(30):
            alone.step()
        np.testing.assert_allclose(batch.x[i], alone.x, atol=1e-9)


def rolling() -> pl.Simulation:
    ball = pl.Body(Rigid(pl.meshes.sphere(0.05, 3).translated((0, 0, 0.05)), density=1000.0), velocity=(1, 0, 0))
    slope = pl.Scene([ball], [pl.plane(z=0)], (3, 0, -9), pl.Contact(friction=0.5))
    return pl.Simulation(slope, pl.ImplicitEuler(1 / 60))


def test_what_rolls_goes_on_bit_for_bit_from_a_checkpoint_and_from_a_state(tmp_path):
    sim = rolling()
    sim.run(0.1, fields=())
    sim.save(tmp_path / "rolling.npz")
    kept = sim.state.copy()
    ends = []
    again = pl.Simulation.load(tmp_path / "rolling.npz")
    for each in (sim, sim, again):
        each.run(0.1, fields=())
        ends.append(np.stack([each.x, each.v]))
        sim.assign(kept)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


def test_the_force_on_a_floor_is_that_of_the_step_that_ended():
    """m dv = (gravity − what the floor is pushed with) dt, friction among it."""
    sim = rolling()
    mass = sim.world.mass.sum()
    for _ in range(10):
        before = sim.v.mean(axis=0)
        assert sim.step().kept
    expected = mass * (np.array([3, 0, -9]) - (sim.v.mean(axis=0) - before) * 60)
    np.testing.assert_allclose(sim.force("obstacle 0"), expected, atol=0.01 * 9 * mass)


# --- derivatives


@pytest.mark.parametrize("kind", [pl.ImplicitEuler, pl.BDF2, pl.Newmark, pl.NewmarkTheta], ids=lambda k: k.__name__)
def test_gradients_through_a_rigid_body_are_those_of_differences(kind):
    hook = pl.Hold(pl.PointCloud([HOOK]), by=pl.hold.Springs(2e3))
    shape = Rigid(pl.meshes.box(SIZE), density=500.0, stiffness=1e7)
    body = pl.Body(shape, velocity=(0.3, 0, 1), spin=(1.0, 6.0, 2.0), effects=[hook], damping=pl.Damping(mass=0.2))
    sim, steps = pl.Simulation(pl.Scene([body]), kind(1 / 60, TIGHT)), 8
    of_x, of_v = np.random.default_rng(1).normal(size=(2, 4, 3))

    def cost(k, x, v):
        return (float((of_x * x).sum() + 0.1 * (of_v * v).sum()), of_x, 0.1 * of_v) if k == steps else (0.0, None, None)

    found, x, v = Adjoint(sim).gradient(steps, cost), sim.x, sim.v
    along = np.random.default_rng(2).normal(size=(4, 3))
    rigid = np.cross(along[0], x - x.mean(axis=0)) + along[1]

    def ended(dx: np.ndarray, dv: np.ndarray) -> float:
        sim.x, sim.v = x + dx, v + dv
        for _ in range(steps):
            assert sim.step().converged
        return cost(steps, sim.x, sim.v)[0]

    for gradient, pair in ((found.x, (rigid, 0 * rigid)), (found.v, (0 * rigid, rigid))):
        slope = (ended(*(1e-5 * d for d in pair)) - ended(*(-1e-5 * d for d in pair))) / 2e-5
        assert np.sum(gradient * rigid) == pytest.approx(slope, rel=1e-5)
    sim.reset()
    seen = []
    directions = [{(None, "gravity"): np.array([0.0, 0.0, 1.0])}, {(0, "density"): 1.0}]
    Forwards(sim, directions).run(
        steps, lambda k, x, v, dx, dv: seen.append([(of_x * d).sum() + 0.1 * (of_v * e).sum() for d, e in zip(dx, dv)])
    )
    by = [found.parameters[None, "gravity"][2], float(found.parameters[0, "density"])]
    np.testing.assert_allclose(seen[-1], by, rtol=1e-5, atol=1e-9)


def test_gradients_that_are_not_known_are_refused():
    with pytest.raises(pl.errors.InputError, match=r"HHT\(\) solves for another moment.*expected ImplicitEuler"):
        Adjoint(pl.Simulation(pl.Scene([flying()]), pl.HHT(1 / 60)))
    with pytest.raises(pl.errors.InputError, match=r"friction between contact.Rigid bodies and obstacles"):
        Adjoint(rolling())
