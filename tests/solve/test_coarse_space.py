"""Steps on a budget: forces and moments on each body balance, whatever the budget, and what slides or falls does so in time."""

import numpy as np
import pytest

import pliant as pl

GRAVITY, DT = 9.81, 1 / 60
BUDGETS = {
    "one of Newton": pl.Newton(iterations=1),
    "three of Newton": pl.Newton(iterations=3),
    "one of QuasiNewton": pl.QuasiNewton(iterations=1),
    "QuasiNewton": pl.QuasiNewton(),
    "Linearised": pl.solver.Linearised(),
}


def soft(young):
    return pl.StableNeoHookean(young=young, poisson=0.3, density=1000.0)


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("solver", [pl.Newton(), *BUDGETS.values()], ids=["Newton", *BUDGETS])
@pytest.mark.parametrize("young", [1e4, 1e5, 1e7])
def test_a_block_slides_down_a_slope_with_every_solver(solver, young, precision):
    """g (sin θ − μ cos θ) at 20° with μ = 0.1."""
    angle, friction = np.radians(20.0), 0.1
    normal, down = np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])
    cube = pl.tet_grid((0.1,) * 3, (3, 3, 3), origin=(-0.05, -0.05, 0)).rotated((0, 1, 0), 20.0)
    slope = pl.plane(point=(0, 0, 0), normal=tuple(normal))
    scene = pl.Scene([pl.Body(cube, soft(young))], [slope], contact=pl.Contact(friction=friction))
    sim = pl.Simulation(scene, pl.ImplicitEuler(DT, solver), precision=precision)
    speeds = []
    for steps in (12, 18):
        for _ in range(steps):
            assert sim.step().kept
        speeds.append(np.average(sim.v, axis=0, weights=sim.world.mass) @ down)
    gained = (speeds[1] - speeds[0]) / (18 * DT)
    assert gained == pytest.approx(GRAVITY * (normal[0] - friction * normal[2]), rel=0.02)


def pile(side, speed, response, solver, precision="f64"):
    """side³ blocks of 0.1 m, 2 cm apart, that fall onto a floor; (8,) the top at every half of a tenth of a second [m]."""
    bodies = []
    for i, j, k in np.ndindex(side, side, side):
        at = (0.12 * i - 0.05, 0.12 * j - 0.05, 0.02 + 0.14 * k)
        block = pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=at)
        law = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
        bodies.append(pl.Body(block, law, damping=pl.Damping(viscosity=20.0), velocity=(0, 0, -speed)))
    contact = pl.Contact(friction=0.3, response=response)
    scene = pl.Scene(bodies, [pl.plane(z=0.0)], contact=contact)
    sim, tops = pl.Simulation(scene, pl.ImplicitEuler(DT, solver), precision=precision), []
    for _ in range(5):
        for _ in range(6):
            assert sim.step().kept
        tops.append(sim.x[:, 2].max())
    return np.array(tops)


@pytest.fixture(scope="module")
def converged():
    return {
        2: pile(2, 2.0, pl.contact.Barrier(), pl.Newton()),
        3: pile(3, 1.0, pl.contact.Penalty(), pl.Newton()),
    }


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("side, speed", [(2, 2.0), (3, 1.0)], ids=["8", "27"])
@pytest.mark.parametrize("solver", [pl.QuasiNewton(), pl.Newton(iterations=3)], ids=["QuasiNewton", "Newton"])
def test_piles_fall_as_fast_as_converged_ones(solver, side, speed, precision, converged):
    """The top at every tenth of a second to a twentieth; blocks that meet at 2 m/s against the barrier."""
    tops = pile(side, speed, pl.contact.Penalty(), solver, precision)
    assert tops == pytest.approx(converged[side], rel=0.05)


def imbalance(sim, before, rows):
    """Σ m (x − y) and Σ (x − c) × m (x − y) of a body without forces, over what its motion is [m, m²]."""
    x, v = before
    y, now, mass = x[rows] + DT * v[rows], sim.x[rows], sim.world.mass[rows]
    arm = now - np.average(now, axis=0, weights=mass)
    pull = mass[:, None] * (now - y)
    size = np.abs(mass[:, None] * DT * v[rows]).sum()
    return np.abs(pull.sum(axis=0)).max() / size, np.abs(np.cross(arm, pull).sum(axis=0)).max() / (0.1 * size)


@pytest.mark.parametrize("precision, most", [("f64", (1e-12, 1e-5)), ("f32", (1e-5, 1e-4))])
@pytest.mark.parametrize("solver", list(BUDGETS.values())[:-1], ids=list(BUDGETS)[:-1])
def test_momentum_of_what_flies_is_exact_after_one_iteration(solver, precision, most):
    """A block that spins with 30 rad/s, beside two that meet: force to rounding, moment to that of the solve."""
    blocks = [pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(at, 0, 0)) for at in (0.0, 0.101, 1.0)]
    bodies = [pl.Body(mesh, soft(1e5), velocity=(v, 0, 0)) for mesh, v in zip(blocks, (1.0, -1.0, 0.5))]
    bodies[2] = pl.Body(blocks[2], soft(1e5), velocity=(0.5, 0, 0), spin=(3.0, 10.0, 28.0))
    scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=pl.Contact(response=pl.contact.Penalty()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(DT, solver), precision=precision)
    for _ in range(6):
        before = sim.x, sim.v
        assert sim.step().kept
        assert (np.array(imbalance(sim, before, sim.bodies[2].rows)) < most).all()


@pytest.mark.parametrize("solver", list(BUDGETS.values())[:-1], ids=list(BUDGETS)[:-1])
def test_a_block_that_is_pushed_into_two_others_keeps_their_momentum(solver):
    """In all steps, and what the two get is what the one loses."""
    places, speeds = ((0.0, 0.05, 0.0), (0.105, 0.0, 0.0), (0.105, 0.102, 0.0)), (1.0, 0.0, 0.0)
    meshes = [pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=at) for at in places]
    bodies = [pl.Body(mesh, soft(1e5), velocity=(v, 0, 0)) for mesh, v in zip(meshes, speeds)]
    scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=pl.Contact(response=pl.contact.Penalty()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(DT, solver))
    mass, begun = sim.world.mass[:, None], (sim.world.mass[:, None] * sim.v).sum(axis=0)
    for _ in range(12):
        assert sim.step().kept
        assert (mass * sim.v).sum(axis=0) == pytest.approx(begun, abs=1e-6 * begun[0])
    pushed = [np.average(sim.v[body.rows, 0], weights=sim.world.mass[body.rows]) for body in sim.bodies]
    assert min(pushed[1:]) > 0.2 and pushed[0] < 0.6
