"""What integrators refuse, and one step of each on a spring by hand."""

import numpy as np
import pytest
from host_reads import host_reads

import pliant as pl
from pliant import integrate


@pytest.mark.parametrize("name", integrate.__all__)
@pytest.mark.parametrize("dt", [0, -1.0, np.inf, np.nan, "fast", True, None])
def test_time_step_is_checked(name, dt):
    with pytest.raises(pl.errors.InputError, match=name):
        getattr(integrate, name)(dt=dt)


@pytest.mark.parametrize(
    "make",
    [lambda: pl.Newmark(beta=0.1, gamma=0.6), lambda: pl.Newmark(gamma=0.4), lambda: pl.NewmarkTheta(theta=0.4),
     lambda: pl.HHT(alpha=-0.1), lambda: pl.HHT(alpha=0.4), lambda: pl.HHT(alpha=True),
     lambda: pl.LinearAcceleration(check_every=0),
     lambda: pl.NewmarkTheta(theta="half"), lambda: pl.CentralDifferences(check_every=0), lambda: pl.ImplicitEuler(solver=3)],
)  # fmt: skip
def test_refusals(make):
    with pytest.raises(pl.errors.InputError, match="expected"):
        make()


def oscillator(integrator) -> pl.Simulation:
    """One free node of mass ½ on a Hooke spring of stiffness k = π along z, pulled out by 0.1 and moving."""
    mesh = pl.meshes.rod((0, 0, 0), (0, 0, 1), 1)
    body = pl.Body(pl.Springs(mesh, radius=1.0), pl.Corotated(young=1.0, poisson=0.0, density=1 / np.pi), pinned=[0])
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), integrator)
    sim.x, sim.v = np.array([[0, 0, 0], [0, 0, 1.1]]), np.array([[0, 0, 0], [0, 0, 0.2]])
    return sim


def test_one_step_by_hand():
    """u″ = −w u with w = k/m = 2π, u = 0.1, v = 0.2, h = 0.1."""
    w, h, u, v = 2 * np.pi, 0.1, 0.1, 0.2
    solver = pl.Newton(tolerance=1e-11)
    theta, beta, gamma = 0.6, 0.3025, 0.6
    a = -w * u
    expected = {}
    x = (u + h * v) / (1 + h * h * w)
    expected["euler"] = pl.ImplicitEuler(h, solver), x, (x - u) / h
    z = (u + 0.5 * h * v) / (1 + h * h * w / 4)
    expected["midpoint"] = pl.ImplicitMidpoint(h, solver), 2 * z - u, 4 * (z - u) / h - v
    x = (u + h * v + h * h * (0.5 - beta) * a) / (1 + beta * h * h * w)
    expected["newmark"] = pl.Newmark(h, solver, beta, gamma), x, v + h * ((1 - gamma) * a - gamma * w * x)
    x = (u + h * v + h * h / 3 * a) / (1 + h * h * w / 6)
    expected["linear acceleration"] = pl.LinearAcceleration(h, solver), x, v + h * (a - w * x) / 2
    # (1 + h²(1−α)β w) a⁺ = −h²(1−α)(½−β) w a − h (1−α) w v − w u
    alpha, b, g = 0.2, 0.36, 0.7
    a_new = -w * (h * h * (1 - alpha) * (0.5 - b) * a + h * (1 - alpha) * v + u) / (1 + h * h * (1 - alpha) * b * w)
    x = u + h * v + h * h * ((0.5 - b) * a + b * a_new)
    expected["hht"] = pl.HHT(h, solver, alpha), x, v + h * ((1 - g) * a + g * a_new)
    x = (u + h * v + theta * (1 - theta) * h * h * a) / (1 + theta**2 * h * h * w)
    expected["theta"] = pl.NewmarkTheta(h, solver, theta), x, v + h * (-theta * w * x + (1 - theta) * a)
    expected["symplectic"] = pl.SymplecticEuler(h), u + h * (v + h * a), v + h * a
    x = u + h * v + h * h / 2 * a
    expected["central differences"] = pl.CentralDifferences(h), x, v + h * (a - w * x) / 2
    expected["static"] = pl.QuasiStatic(h, solver), 0.0, 0.0
    for name, (integrator, x, v_new) in expected.items():
        sim = oscillator(integrator)
        assert sim.step().kept
        assert sim.x[1, 2] - 1 == pytest.approx(x, abs=1e-9), name
        assert sim.v[1, 2] == pytest.approx(v_new, abs=1e-8), name
        assert sim.t == pytest.approx(h)


def test_hht_takes_the_fastest_motions_down():
    """At h ω = 400 each step leaves (1−α)/(1+α) of the amplitude."""
    h = 400 / np.sqrt(2 * np.pi)
    for alpha in (0.05, 0.1, 1 / 3):
        sim = oscillator(pl.HHT(h, pl.Newton(tolerance=1e-12), alpha))
        sim.x, sim.v = np.array([[0, 0, 0], [0, 0, 1.1]]), np.zeros((2, 3))
        found = []
        for _ in range(40):
            assert sim.step().kept
            found.append(sim.energies()["total"])
        assert np.sqrt(found[-1] / found[-11]) == pytest.approx(((1 - alpha) / (1 + alpha)) ** 10, rel=0.5)


def test_second_step_of_bdf2():
    """(3x⁺ − 4x + x⁻)/2h = v⁺ and the same for v, after a first step of implicit Euler."""
    w, h, u, v = 2 * np.pi, 0.1, 0.1, 0.2
    sim = oscillator(pl.BDF2(h, pl.Newton(tolerance=1e-11)))
    sim.step()
    u1 = (u + h * v) / (1 + h * h * w)
    v1 = (u1 - u) / h
    assert sim.x[1, 2] - 1 == pytest.approx(u1, abs=1e-9)
    sim.step()
    A = np.array([[3.0, -2 * h], [2 * h * w, 3.0]])
    u2, v2 = np.linalg.solve(A, [4 * u1 - u, 4 * v1 - v])
    assert sim.x[1, 2] - 1 == pytest.approx(u2, abs=1e-9)
    assert sim.v[1, 2] == pytest.approx(v2, abs=1e-8)


def test_pinned_nodes_that_move_have_their_velocity():
    """The first moving step of the midpoint rule would give twice the velocity if read off blindly."""
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6)
    pins = pl.Hold(lambda X: X[:, 0] < 1e-9, motion=lambda X, t: X + np.array([0.5 * t, 0, 0]))
    found = {}
    for name in (n for n in integrate.__all__ if n != "QuasiStatic"):
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e4), effects=pins)
        sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), getattr(pl, name)(dt=0.001))
        for _ in range(5):
            assert sim.step().kept
        held = mesh.vertices[:, 0] < 1e-9
        assert np.abs(sim.x[held] - mesh.vertices[held] - [0.0025, 0, 0]).max() <= 1e-12
        found[name] = np.abs(sim.v[held] - [0.5, 0, 0]).max()
    wrong = {name: error for name, error in found.items() if error > 1e-6}
    assert not wrong, wrong


def test_a_batch_refuses_a_scheme_whose_limit_it_does_not_check():
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6), pl.StableNeoHookean(young=1e4))
    with pytest.raises(pl.errors.InputError, match="largest stable step"):
        pl.Batch([pl.Scene([body])], pl.LinearAcceleration(solver=pl.QuasiNewton()))


@pytest.mark.parametrize(
    "make", [lambda: pl.SymplecticEuler(dt=1e-4), lambda: pl.ImplicitEuler(dt=1e-3, solver=pl.QuasiNewton())]
)
def test_no_vector_of_all_nodes_visits_the_host_in_a_step(make):
    """Accelerations and the strains of viscosity are made where they are used; only sums are read back."""
    body = pl.Body(
        pl.tet_grid((0.2, 0.1, 0.1), (8, 4, 4), 6),
        pl.StableNeoHookean(young=1e4),
        pinned=lambda X: X[:, 0] < 1e-9,
        damping=pl.Damping(mass=0.1, stiffness=1e-5, viscosity=0.01),
    )
    sim = pl.Simulation(pl.Scene([body]), make())
    assert sim.step().kept
    with host_reads() as reads:
        assert sim.step().kept
    assert reads.count and reads.largest < 8 * len(body.shape.rest) / 2
