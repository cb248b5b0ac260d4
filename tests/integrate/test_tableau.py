"""Rows of coefficients: what they give, what they refuse, and that the step backwards is their transpose."""

from dataclasses import dataclass

import numpy as np
import pytest

import pliant as pl
from pliant import integrate
from pliant.integrate.base import Implicit
from pliant.integrate.schemes import ImplicitEuler
from pliant.integrate.state import State
from pliant.integrate.tableau import COLUMNS, STATE, Row, Tableau
from pliant.runtime.device import Device
from pliant.runtime.vectors import Vectors

IMPLICIT = [name for name in integrate.__all__ if issubclass(getattr(integrate, name), Implicit)]
ROUNDING = {"f64": 1e-14, "f32": 1e-6}


def random(vectors: Vectors, seed: int) -> list:
    """Three random vectors of adjoints."""
    draw, t = np.random.default_rng(seed), vectors.device.types
    return [vectors.device.array(draw.standard_normal((vectors.count, 3)), t.vec3) for _ in range(3)]


def random_state(vectors: Vectors, seed: int) -> State:
    state, draw = State(vectors), np.random.default_rng(seed)
    for name in STATE:
        getattr(state, name).assign(draw.standard_normal((vectors.count, 3)).astype(vectors.device.types.numpy))
    return state


def dot(one, other) -> float:
    return sum(float(np.sum(a.numpy().astype(float) * b.numpy().astype(float))) for a, b in zip(one, other))


def size(one) -> float:
    return np.sqrt(dot(one, one))


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("steps", [0, 3])
@pytest.mark.parametrize("name", IMPLICIT)
def test_transpose(name, steps, precision):
    """⟨A s, w⟩ = ⟨s, Aᵀ w⟩ for the targets and for the read-off."""
    vectors = Vectors(Device("cpu", precision), 7)
    state, into = random_state(vectors, 0), State(vectors)
    z = vectors.device.array(random(vectors, 1)[0].numpy(), vectors.device.types.position)
    state.steps = steps
    rows = getattr(integrate, name)(dt=0.3).tableau(state)
    past = [getattr(state, n) for n in STATE]
    y, anchor, at = (vectors.positions() for _ in range(3))
    rows.aim(state, vectors, y, anchor, at)
    w = random(vectors, 2)
    rows.aim_back(tuple(w), vectors, into)
    back = [getattr(into, n) for n in STATE]
    tolerance = ROUNDING[precision] * (size(past) * size(back) + size((y, anchor, at)) * size(w))
    assert dot((y, anchor, at), w) == pytest.approx(dot(past, back), abs=tolerance)

    new = [vectors.positions(), vectors.new(), vectors.new()]
    rows.read(state, vectors, (y, anchor, z), *new)
    into, z_back = State(vectors), vectors.new()
    rows.read_back(tuple(w), vectors, into, z_back)
    back = [*(getattr(into, n) for n in STATE), z_back]
    tolerance = ROUNDING[precision] * (size([*past, z]) * size(back) + size(new) * size(w))
    assert dot(new, w) == pytest.approx(dot([*past, z], back), abs=tolerance)
    assert size(back) > 0


@pytest.mark.parametrize("name", IMPLICIT)
def test_rows_are_consistent(name):
    """A uniform motion x = x₀ + v t without forces is kept by every scheme that has a velocity."""
    scheme = getattr(integrate, name)(dt=0.25)
    vectors = Vectors(Device("cpu", "f64"), 2)
    x, v = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[0.5, -1, 2], [3, 0.25, -0.125]])
    for steps in (0, 3):
        state = State(vectors)
        state.steps = steps
        state.x.assign(x), state.v.assign(v)
        state.x_before.assign(x - 0.25 * v), state.v_before.assign(v)
        rows = scheme.tableau(state)
        y, anchor, at, *new = (vectors.new() for _ in range(6))
        rows.aim(state, vectors, y, anchor, at)
        rows.read(state, vectors, (y, anchor, y), *new)  # nothing pulls, so z = y
        if scheme.order == 0:
            continue
        assert np.abs(new[0].numpy() - (x + 0.25 * v)).max() <= 1e-14
        assert np.abs(new[1].numpy() - v).max() <= 1e-13
        assert np.abs(rows.rate * (y.numpy() - anchor.numpy()) - v).max() <= 1e-13  # damping sees the velocity
        assert np.abs(new[2].numpy()).max() <= 1e-12


def test_columns_are_in_the_order_of_the_kernels():
    assert COLUMNS == ("x_before", "x", "y", "anchor", "z", "new_x", "v", "new_v", "a", "v_before", "new_a")


@pytest.mark.parametrize(
    "change",
    [
        {"y": Row(z=1)},
        {"anchor": Row(new_x=1)},
        {"y": 1.0},
        {"v": Row(x=np.nan)},
        {"v": Row(x="h")},
        {"rate": "fast"},
        {"v": Row(new_a=1), "a": Row(new_v=1)},
        {"rate": -1.0},
        {"time": 0.0},
        {"inertia": np.inf},
        {"time": 0.5},  # held nodes would not arrive
        {"x": Row(z=1, v=0.1)},
    ],
)
def test_refusals(change):
    x = Row(x=1)
    given = {"y": x, "anchor": x, "at": x, "inertia": 1.0, "rate": 1.0, "v": Row(z=1, x=-1)}
    Tableau(**given)
    with pytest.raises(pl.errors.InputError, match="expected"):
        Tableau(**given | change)


def test_a_scheme_of_ones_own():
    """Implicit Euler written anew by a user gives its bits."""

    @dataclass(frozen=True)
    class Mine(Implicit):
        """x⁺ = x + h v⁺."""

        def rows(self) -> Tableau:
            h, x = self.dt, Row(x=1)
            return Tableau(y=Row(x=1, v=h), anchor=x, at=x, inertia=1 / h**2, rate=1 / h, v=Row(z=1 / h, x=-1 / h))

    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e4), pinned=lambda X: X[:, 0] < 1e-9)
    found = []
    for scheme in (Mine(dt=0.02), ImplicitEuler(dt=0.02)):
        sim = pl.Simulation(pl.Scene([body]), scheme)
        for _ in range(3):
            assert sim.step().kept
        found.append(sim.x)
    assert np.array_equal(*found)
