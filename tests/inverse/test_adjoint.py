"""Gradients of runs against runs with other values, for every scheme and kind of parameter."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, StepError

from .agreement import SCHEMES, SOLVER, Squares, agree, run_cost

DT = 0.01


def beam(young=2e4, poisson=0.3, density=1100.0, mass=0.5, stiffness=0.01, viscosity=2.0, gravity=(1.0, 2.0, -9.81)):
    """Held at one end."""
    law = pl.StableNeoHookean(young=young, poisson=poisson, density=density)
    damping = pl.Damping(mass, stiffness, viscosity, exact=True)
    body = pl.Body(
        pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)),
        law,
        pinned=lambda X: X[:, 0] < 1e-9,
        damping=damping,
        velocity=(0, 0.3, 0),
    )
    return pl.Scene(body, gravity=gravity)


def carried(young=2e4, mass=0.5, density=1100.0):
    """Held nodes that move."""
    held = pl.Hold(lambda X: X[:, 0] < 1e-9, motion=lambda X, t: X + np.array([0, 0.05 * np.sin(20 * t), 0]))
    body = pl.Body(
        pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)),
        pl.Corotated(young=young, poisson=0.3, density=density),
        effects=held,
        damping=pl.Damping(mass=mass),
    )
    return pl.Scene(body, gravity=(0, 0, -9.81))


def lattice(young=2e4, poisson=0.4, density=1000.0):
    shape = pl.Lattice(pl.sphere(0.1), 0.06, pl.quadrature.Centre(), volume=pl.quadrature.Averaged())
    law = pl.NeoHookean(young=young, poisson=poisson, density=density)
    return pl.Scene(pl.Body(shape, law, pinned=lambda X: X[:, 2] > 0.05), gravity=(1.0, 0, -9.81))


def falling(young=3e4, density=1000.0, height=0.001, gravity=(0.5, 0, -9.81)):
    """Onto a smooth ground."""
    body = pl.Body(
        pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)),
        pl.StableNeoHookean(young=young, poisson=0.3, density=density),
        velocity=(0, 0, -0.5),
    )
    return pl.Scene(body, [pl.plane(z=height)], gravity, pl.Contact(smoothing=2e-3))


def cloth(young=1e5, poisson=0.3, density=300.0, viscosity=20.0):
    """A curved one: where a sheet is flat, the viscosity of its bending has no derivative by places."""
    mesh = pl.cloth_grid((0.2, 0.2), (2, 2))
    bent = mesh.vertices + mesh.vertices[:, :1] ** 2 * np.array([0, 0, 1.0])
    shape = pl.Membrane(pl.TriMesh(bent, mesh.triangles), thickness=0.01)
    law = pl.Corotated(young=young, poisson=poisson, density=density)
    return pl.Scene(pl.Body(shape, law, pinned=[0, 2], damping=pl.Damping(viscosity=viscosity)))


def thread(young=1e5, density=1000.0):
    shape = pl.Springs(pl.meshes.rod((0, 0, 0), (0.3, 0, 0), 4), radius=0.01)
    return pl.Scene(pl.Body(shape, pl.Corotated(young=young, density=density), pinned=[0]), gravity=(0, 1, -9.81))


def ten_nodes(young=2e4, poisson=0.3, density=1000.0):
    law = pl.StableNeoHookean(young=young, poisson=poisson, density=density)
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)).quadratic()
    return pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9))


def bricks(young=2e4, poisson=0.3, density=1000.0):
    law = pl.StableNeoHookean(young=young, poisson=poisson, density=density)
    mesh = pl.meshes.hex_box((0.2, 0.1, 0.1), (2, 1, 1))
    return pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9))


def loaded(force=(1.0, 2.0, 3.0), pascals=200.0, stiffness=50.0):
    springs = pl.Hold(lambda X: X[:, 0] < 0.01, by=pl.hold.Springs(stiffness))
    effects = [pl.Load(force, lambda X: X[:, 0] > 0.19), pl.Pressure(pascals), springs]
    return pl.Scene(pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), pl.Corotated(young=2e4), effects=effects))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_number_of_a_swinging_beam(scheme):
    agree(beam(), scheme)


@pytest.mark.parametrize("scheme", ["Euler", "midpoint", "HHT"])
def test_held_nodes_that_move(scheme):
    agree(carried(), scheme)


@pytest.mark.parametrize(
    ("case", "scheme"),
    [
        (lattice, "HHT"),
        (cloth, "HHT"),
        (thread, "BDF2"),
        (ten_nodes, "Newmark"),
        (bricks, "Euler"),
        (loaded, "midpoint"),
    ],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_other_elements_and_loads(case, scheme):
    agree(case(), scheme, step=1e-5)


@pytest.mark.parametrize("scheme", ["Euler", "BDF2"])
def test_smooth_ground(scheme):
    agree(falling(), scheme, 6, step=1e-5)


@pytest.mark.parametrize("scheme", ["Euler", "BDF2", "midpoint", "Newmark", "HHT"])
def test_initial_positions_and_velocities(scheme):
    """Each node by itself, also those that are held."""
    steps, random = 5, np.random.default_rng(1)
    sim = pl.Simulation(beam(), SCHEMES[scheme])
    x, v = sim.x, sim.v
    gradient = pl.inverse.Adjoint(sim).gradient(steps, Squares(sim))
    assert np.array_equal(sim.x, x) and np.array_equal(sim.v, v) and sim.state.steps == 0
    d = random.standard_normal(x.shape)
    for name, start, by, h in (("x", x, gradient.x, 1e-6), ("v", v, gradient.v, 1e-3)):
        costs = []
        for sign in (1, -1):
            sim.reset()
            setattr(sim, name, start + sign * h * d)
            costs.append(run_cost(sim, steps))
        assert np.sum(by * d) == pytest.approx((costs[0] - costs[1]) / (2 * h), rel=1e-6), name


def test_states_computed_again_give_the_same_bits():
    results = []
    for keep_every in (1, 5, 3, 100):
        sim = pl.Simulation(falling(), pl.BDF2(DT))
        results.append(pl.inverse.Adjoint(sim, keep_every).gradient(7, Squares(sim)))
    one = results[0]
    for other in results[1:]:
        assert other.cost == one.cost and other.parameters.keys() == one.parameters.keys()
        assert np.array_equal(other.x, one.x) and np.array_equal(other.v, one.v)
        assert all(np.array_equal(other.parameters[key], one.parameters[key]) for key in one.parameters)


class OnDevice(Squares):
    """The same cost, whose gradients never leave the device."""

    def __init__(self, sim: pl.Simulation):
        super().__init__(sim)
        self.sim, self.asked = sim, []

    def on_device(self, k, x, v, by_x, by_v):
        self.asked.append(k)
        value, *gradients = self(k, x.numpy().astype(float), v.numpy().astype(float))  # where a test has no kernels of its own
        for gradient, out in zip(gradients, (by_x, by_v)):
            assert not out.numpy().any()
            out.assign(gradient.astype(self.sim.device.types.numpy))
        return value


def test_a_cost_on_the_device_is_the_same():
    sim = pl.Simulation(beam(), pl.BDF2(DT))
    cost = OnDevice(sim)
    one, other = (pl.inverse.Adjoint(sim, 2).gradient(3, given) for given in (Squares(sim), cost))
    assert cost.asked == [3, 2, 1, 0] and one.cost == other.cost
    assert all(np.array_equal(one.parameters[key], other.parameters[key]) for key in one.parameters)
    cost.on_device = lambda *given: float("nan")
    with pytest.raises(InputError, match="finite number"):
        pl.inverse.Adjoint(sim).gradient(1, cost)


@pytest.mark.parametrize(("scheme", "numbers"), [("Euler", 6), ("BDF2", 6), ("Newmark", 9)])
def test_kept_states_share_what_they_can(scheme, numbers):
    """Positions and velocities, and accelerations where a scheme carries them along: no more for each kept step."""
    sim = pl.Simulation(beam(), SCHEMES[scheme])
    adjoint = pl.inverse.Adjoint(sim)
    kept = adjoint._forwards(4, sim.state.copy(), None)
    sim.reset()
    arrays = {id(getattr(state, name)): getattr(state, name) for state in kept.values() for name in state.FIELDS}
    spent = sum(array.size * 3 for array in arrays.values()) / sim.world.count
    assert spent <= 4 * numbers + 15 + 3  # the first state is whole, and one array of nothing serves all


def test_a_second_gradient_is_the_same():
    sim = pl.Simulation(beam(), pl.Newmark(DT))
    adjoint = pl.inverse.Adjoint(sim)
    one, other = (adjoint.gradient(3, Squares(sim)) for _ in range(2))
    assert one.cost == other.cost and all(np.array_equal(one.parameters[k], other.parameters[k]) for k in one.parameters)
    sim.set(young=4e4)
    assert adjoint.gradient(3, Squares(sim)).cost != one.cost


def test_solvers_agree():
    """Backwards by conjugate gradients, without a matrix, by a factor, and after a forward run of another solver."""
    found = []
    for solver, linear in [
        (SOLVER, None),
        (pl.Newton(tolerance=1e-12), None),
        (pl.Newton(tolerance=1e-12), pl.linear.PCG(assembled=False)),
        (pl.QuasiNewton(tolerance=1e-12), None),
    ]:
        sim = pl.Simulation(beam(), pl.ImplicitEuler(DT, solver))
        found.append(pl.inverse.Adjoint(sim, linear=linear).gradient(3, Squares(sim)))
    for other in found[1:]:
        for key, value in found[0].parameters.items():
            assert np.allclose(other.parameters[key], value, rtol=1e-7), key


def test_single_precision():
    found = []
    for precision in ("f64", "f32"):
        sim = pl.Simulation(carried(), pl.BDF2(DT), precision=precision)
        found.append(pl.inverse.Adjoint(sim).gradient(4, Squares(sim)).parameters[0, "young"])
    assert found[1] == pytest.approx(found[0], rel=1e-2)


def test_a_backward_solve_that_does_not_converge_gives_no_gradient():
    sim = pl.Simulation(beam(), pl.ImplicitEuler(DT))
    x = sim.x
    with pytest.raises(StepError, match=r"step 3 backwards: the linear solve left .* no gradient"):
        pl.inverse.Adjoint(sim, linear=pl.linear.PCG(iterations=1)).gradient(3, Squares(sim))
    assert np.array_equal(sim.x, x) and sim.state.steps == 0


def test_a_backward_solve_goes_on_as_long_as_it_gets_anywhere():
    """Each solve falls short of what is asked, and leaves a part to the next."""
    found = []
    for linear in (pl.linear.PCG(iterations=2), pl.linear.Direct()):
        sim = pl.Simulation(beam(), pl.ImplicitEuler(DT, pl.Newton(tolerance=1e-12)))
        found.append(pl.inverse.Adjoint(sim, linear=linear).gradient(3, Squares(sim)).parameters[0, "young"])
    assert found[0] == pytest.approx(found[1], rel=1e-7)


def test_a_backward_solve_that_rounding_ends_is_as_good_as_any():
    found = []
    for tolerance in (1e-10, 1e-15):
        sim = pl.Simulation(beam(), pl.ImplicitEuler(DT, pl.Newton(tolerance=1e-12)))
        found.append(pl.inverse.Adjoint(sim, tolerance=tolerance).gradient(3, Squares(sim)).parameters[0, "young"])
    assert found[0] == pytest.approx(found[1], rel=1e-7)


def test_a_run_that_does_not_converge_has_no_gradient():
    sim = pl.Simulation(beam(), pl.ImplicitEuler(DT, pl.Newton(iterations=1)))
    with pytest.raises(StepError, match="step 1 of the run did not converge"):
        pl.inverse.Adjoint(sim).gradient(3, Squares(sim))


def test_what_has_no_derivative_is_refused_at_once():
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), pl.Corotated(young=1e4))
    with pytest.raises(InputError, match="exact=True"):
        pl.inverse.Adjoint(pl.Simulation(pl.Scene(pl.Body(body.shape, body.material, damping=pl.Damping(stiffness=0.01)))))
    sim = pl.Simulation(pl.Scene(body))
    sim.grab(0, (0.2, 0, 0))
    with pytest.raises(InputError, match="grab remembers"):
        pl.inverse.Adjoint(sim)
    with pytest.raises(InputError, match="implicit scheme"):
        pl.inverse.Adjoint(pl.Simulation(pl.Scene(body), pl.SymplecticEuler(1e-4)))


@pytest.mark.parametrize("response", [pl.contact.Penalty(), pl.contact.Barrier(), pl.contact.Complementarity()])
def test_contact_between_bodies_is_refused_before_anything_runs(response):
    """By gradients and by fits, with what has derivatives in its place, which then is taken."""
    law, mesh = pl.Corotated(young=1e4), pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    two = [pl.Body(mesh.translated((0, 0, z)), law, name=name) for name, z in (("lower", 0.0), ("upper", 0.15))]
    sim = pl.Simulation(pl.Scene(two, contact=pl.Contact(response=response)))
    says = rf"{type(response).__name__}\(\) between bodies has no derivatives .* obstacles in place of the touched bodies"
    with pytest.raises(InputError, match=says):
        pl.inverse.Adjoint(sim)
    seen = pl.inverse.NodePositions(np.zeros((2, sim.world.count, 3)))
    with pytest.raises(InputError, match=says):
        pl.fit(sim, seen, {(1, "young"): pl.inverse.Free(1e3, 1e5)})
    assert sim.state.steps == 0
    instead = pl.Scene(two[1], [pl.box((0.1, 0.1, 0.1), (0.05, 0.05, 0.05))], contact=pl.Contact(response=None))
    pl.inverse.Adjoint(pl.Simulation(instead))


def test_what_is_given_is_checked():
    sim = pl.Simulation(beam())
    adjoint = pl.inverse.Adjoint(sim)
    for wrong, sentence in [
        (lambda k, x, v: 1.0, "expected \\(c, dc/dx, dc/dv\\)"),
        (lambda k, x, v: (1.0, x[:2], None), "a gradient of shape \\(2, 3\\)"),
        (lambda k, x, v: (float("nan"), x, None), "a finite number"),
        (3, "expected a function"),
    ]:
        with pytest.raises(InputError, match=sentence):
            adjoint.gradient(1, wrong)
    with pytest.raises(InputError, match="whole number"):
        adjoint.gradient(0, Squares(sim))
    for options in ({"keep_every": 0}, {"linear": 3}, {"tolerance": -1.0}, {"tolerance": 0.5}):
        with pytest.raises(InputError, match=next(iter(options))):
            pl.inverse.Adjoint(sim, **options)
    with pytest.raises(InputError, match="expected a Simulation"):
        pl.inverse.Adjoint(sim.scene)
    sim.step()
    with pytest.raises(InputError, match="at its start"):
        adjoint.gradient(1, Squares(sim))
