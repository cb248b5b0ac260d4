"""Forward sensitivities beside the adjoint and beside differences of runs, and values put into simulations."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, StepError
from pliant.inverse.gradients.forward_sensitivity import Forwards
from pliant.inverse.gradients.free_values import Values
from pliant.inverse.gradients.rotation_vectors import turned, turning

from .agreement import SCHEMES, Squares, run_cost
from .test_adjoint import beam, carried, falling, loaded


def rough(friction=0.3):
    """Sliding over a ground with friction, which some nodes stick to."""
    body = pl.Body(
        pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)),
        pl.StableNeoHookean(young=3e4, poisson=0.3),
        velocity=(0.6, 0.1, -0.5),
    )
    return pl.Scene(body, [pl.plane(z=0.001)], contact=pl.Contact(friction=friction, smoothing=1e-3))


def slopes(sim: pl.Simulation, directions: list[dict], steps: int) -> np.ndarray:
    """Derivatives of the cost along each direction."""
    cost, total = Squares(sim), np.zeros(len(directions))

    def visit(k, x, v, dx, dv):
        nonlocal total
        _, by_x, by_v = cost(k, x, v)
        total = total + np.einsum("pnc,nc->p", dx, by_x) + np.einsum("pnc,nc->p", dv, by_v)

    Forwards(sim, directions).run(steps, visit)
    return total


@pytest.mark.parametrize(
    ("case", "scheme"),
    [(beam, "HHT"), (carried, "midpoint"), (falling, "BDF2"), (loaded, "Newmark"), (beam, "quasi-static")],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_forwards_and_backwards_agree(case, scheme):
    sim = pl.Simulation(case(), SCHEMES[scheme])
    values, random, steps, x = Values(sim), np.random.default_rng(0), 4, sim.x
    directions = [{key: random.uniform(0.5, 1.0, value.shape)} for key, value in values.known.items()]
    found = slopes(sim, directions, steps)
    assert np.array_equal(sim.x, x) and sim.state.steps == 0
    gradient = pl.inverse.Adjoint(sim).gradient(steps, Squares(sim))
    for slope, along in zip(found, directions):
        ((key, direction),) = along.items()
        by = values.by_value(key, values.known[key], gradient.parameters)
        assert slope == pytest.approx(np.sum(by * direction), rel=3e-6, abs=1e-12 * gradient.cost), key


def test_friction_by_differences_of_runs():
    sim, steps = pl.Simulation(rough(), SCHEMES["Euler"]), 4
    values = Values(sim)
    keys = [(None, "contact.friction"), (None, "obstacle 0.height"), (0, "young")]
    found = slopes(sim, [{key: 1.0} for key in keys], steps)
    for key, slope in zip(keys, found):
        value, costs = values.known[key], []
        h = 1e-5 * max(abs(value), 0.01)
        for sign in (1, -1):
            values.put({key: value + sign * h})
            costs.append(run_cost(sim, steps))
        values.put({})
        assert slope == pytest.approx((costs[0] - costs[1]) / (2 * h), rel=1e-6), key


def test_what_has_no_derivative_is_refused():
    sim = pl.Simulation(beam(), pl.ImplicitEuler(0.01, pl.Newton(iterations=1)))
    with pytest.raises(StepError, match="step 1 of the run did not converge"):
        Forwards(sim, [{(0, "young"): 1.0}]).run(2, lambda *given: None)
    with pytest.raises(InputError, match="did you mean 'young'"):
        Forwards(sim, [{(0, "yong"): 1.0}])
    with pytest.raises(InputError, match="goes nowhere"):
        Forwards(sim, [{(0, "young"): 0.0}])
    with pytest.raises(InputError, match="implicit scheme"):
        Forwards(pl.Simulation(beam(), pl.SymplecticEuler(1e-4)), [{(0, "young"): 1.0}])


def test_every_value_is_put_where_it_is_read():
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))
    fibres = [pl.laws.Fibres(stiffness=k, direction=d) for k, d in ((1e4, (1, 0, 0)), (2e4, (0, 1, 0)))]
    effects = [
        pl.Load((1.0, 2.0, 3.0), lambda X: X[:, 0] > 0.19),
        pl.Traction((1.0, 2.0, 3.0), lambda X: X[:, 0] > 0.19),
        pl.Pressure(10.0),
        pl.Hold(lambda X: X[:, 2] > 0.09, by=pl.hold.Springs(50.0)),
        pl.muscles.EmbeddedMuscle(pl.box((0.3, 0.3, 0.3)), (1, 0, 0), 0.4, name="biceps"),
    ]
    law = pl.Corotated(young=1e4, density=900.0) + fibres[0] + fibres[1]
    damping = pl.Damping(0.5, 0.01, exact=True)
    body = pl.Body(mesh, law, pinned=[0], effects=effects, damping=damping, velocity=(0.1, 0, 0))
    contact = pl.Contact(0.2, 300.0)
    sim = pl.Simulation(pl.Scene(body, [pl.plane(z=-0.5), pl.sphere(0.1, (0, 0, -1))], contact=contact))
    values = Values(sim)
    expected = {
        (None, "gravity"), (None, "contact.stiffness"), (None, "contact.friction"), (None, "obstacle 0.normal"),
        (None, "obstacle 0.height"), (None, "obstacle 1.shift"), (0, "Corotated.young"), (0, "Corotated.poisson"),
        (0, "Corotated.density"), (0, "Fibres 1.stiffness"), (0, "Fibres 2.stiffness"), (0, "damping.mass"),
        (0, "damping.stiffness"), (0, "load 0.force"), (0, "load 1.stress"), (0, "pressure 0.pascals"),
        (0, "hold 1.stiffness"), (0, "biceps.activation"), (0, "biceps.peak_stress"), (0, "biceps.optimal_stretch"),
        (0, "velocity"), (0, "shift"), (0, "rotation"),
    }  # fmt: skip
    assert expected <= set(values.known)
    for key, value in values.places.items():
        if key[1].endswith((".density", ".shift")):
            continue
        other = value.value * 1.01 + (np.array([0.0, 0.01, 0.0]) if key[1].endswith(".normal") else 0.0)
        values.put({key: other})
        there = Values(sim).read(key)
        if key[1].endswith(".normal"):
            other = other / np.linalg.norm(other)
        assert np.allclose(there, other, rtol=1e-12), key
        beside = {k: v for k, v in Values(sim).known.items() if k != key and not k[1].startswith("obstacle 0")}
        assert all(np.array_equal(v, values.known[k]) for k, v in beside.items())
    values.put({(0, "shift"): np.array([0.0, 0.0, 0.1]), (0, "velocity"): np.array([1.0, 0, 0])})
    assert np.allclose(sim.x[1:] - mesh.vertices[1:], (0, 0, 0.1)) and np.allclose(sim.x[0], mesh.vertices[0])
    assert np.allclose(sim.v[1:], (1.0, 0, 0))
    values.put({(None, "obstacle 0.height"): -0.3, (None, "obstacle 0.normal"): np.array([0.0, 0.6, 0.8])})
    shape = sim.scene.obstacles[0].shape
    assert shape(np.array([[0.0, 0.0, -0.5]])) == pytest.approx(-0.2)  # its point, 0.2 m below along the normal


def test_rotations():
    w, d = np.array([0.3, -0.7, 0.4]), np.array([0.2, 0.5, -0.1])
    R = turned(w)
    assert np.allclose(R @ R.T, np.eye(3)) and np.allclose(R @ w, w)
    for at in (w, 1e-6 * w, 0 * w):
        change = (turned(at + 1e-6 * d) - turned(at - 1e-6 * d)) / 2e-6 @ turned(at).T
        assert np.allclose([change[2, 1], change[0, 2], change[1, 0]], turning(at) @ d, atol=1e-9)
