"""How forces change with parameters and with what a step began from: every energy and every name, by differences."""

import functools
import gc

import numpy as np
import pytest
import warp as wp

from pliant.energy.base import Energy, Step
from pliant.energy.capabilities import OfStep

from .cases import EVERY, FLAT, SHEETS, THREADS, Gathered, body_of, elastic, make
from .energy_cases import (
    CASES as ENERGIES,
)
from .energy_cases import (
    of_stiffness_damping,
    of_stiffness_damping_of_hourglass,
    of_stiffness_damping_of_volume,
    shaken,
)

pytestmark = pytest.mark.usefixtures("settled")
LAWS = [
    *[(n, 3) for n in EVERY],
    *[pytest.param(n, 2, marks=pytest.mark.slow) for n in (*SHEETS, *FLAT)],
    *[pytest.param(n, 1, marks=pytest.mark.slow) for n in (*THREADS, *FLAT)],
]
CASES = {name: make_case for name, (make_case, _) in ENERGIES.items()} | {
    "exact stiffness damping": functools.partial(of_stiffness_damping, True),
    "exact stiffness damping of volume": functools.partial(of_stiffness_damping_of_volume, True),
    "exact stiffness damping of hourglass": functools.partial(of_stiffness_damping_of_hourglass, True),
}


class Values:
    """The values behind a name of ``parameters`` or ``past``: read and written the way that the package does."""

    def __init__(self, energy: Energy, step: Step | None):
        self.energy, self.step = energy, step

    def array(self, name: str) -> wp.array | None:
        energy, elastic = self.energy, getattr(self.energy, "elastic", None)
        if name in ("at", "anchor", "target") and name in energy.past:
            return getattr(self.step, name) if self.step is not None else energy.target
        if name.startswith("memory."):
            return energy.memory[name.removeprefix("memory.")]
        if name == "pressure":
            return getattr(energy, "pascals", None)
        found = getattr(energy, name, None)
        return found if isinstance(found, wp.array) else getattr(elastic, name, None)

    def changed_by(self, name: str, change: np.ndarray, sign: float) -> None:
        """Add ``sign`` times a change; the values return to where they were with the opposite sign."""
        energy, array = self.energy, self.array(name)
        if name == "rotation":  # about the origin of each obstacle, R ← exp(ω) R
            turns = np.stack([turned(sign * w) for w in change])
            energy.turn.assign(turns @ energy.turn.numpy())
        elif array is not None:
            array.assign((array.numpy().reshape(change.shape) + sign * change).reshape(array.numpy().shape))
        elif name == "pressure":  # inside cells
            energy.set(-float(energy.pull.numpy()[0]) + sign * float(change[0]))
        elif name == "stiffness":  # of plates
            table = energy.elastic.table.numpy()
            table[:, 0] += sign * change
            energy.elastic.table.assign(table)
        else:
            setattr(energy, name, getattr(energy, name) + sign * float(change[0]))
        if self.step is not None:
            energy.begin(self.step)

    def size(self, name: str) -> np.ndarray | float:
        """Of what the values are: as large as these, but for places, which move by a part of an element."""
        if name in ("at", "anchor", "target", "shift", "memory.anchor", "memory.normal"):
            return 0.01
        if name == "rotation":
            return 0.1
        array = self.array(name)
        if self.energy.name == "contact":  # points of no stiffness, and those that stand free, stay so
            return np.abs(array.numpy())
        if array is not None:
            return np.maximum(np.abs(array.numpy()), 1e-3 * max(np.abs(array.numpy()).max(), 1e-9))
        return 800.0 if name == "pressure" else 1.0 if name == "stiffness" else abs(getattr(self.energy, name))


def turned(w: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(w)
    K = np.cross(np.eye(3), w / max(angle, 1e-30))  # rows e_i × w make the matrix of w ×
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def step_of(name: str, case: Gathered, x: np.ndarray) -> Step | None:
    """The step that the case began with, for energies that copy its arrays."""
    if not isinstance(case.energy, OfStep):
        return None
    if name == "viscosity of bricks":
        at = shaken(x, 0.01, seed=1)
        return Step(case.array(at), 0.0, 60.0, case.array(shaken(x, 0.01, seed=4)))
    return Step(case.array(shaken(x, seed=7)), 0.0, 60.0, case.array(shaken(x, seed=1)))


@functools.cache
def built(name: str) -> tuple[Gathered, np.ndarray, Step | None]:
    case, x = CASES[name]()
    step = step_of(name, case, x)
    if step is not None:
        case.energy.begin(step)
    return case, x, step


def differences(values: Values, case: Gathered, x: np.ndarray, d: np.ndarray, name: str, change: np.ndarray) -> float:
    forces = []
    for sign in (1.0, -1.0):
        values.changed_by(name, change, sign)
        forces.append(case.gradient(x))
        values.changed_by(name, change, -sign)
    return float(np.sum(d * (forces[0] - forces[1]))) / 2


@pytest.mark.parametrize("verb", ["sensitivity", "history"])
@pytest.mark.parametrize("name", list(CASES))
def test_every_name_of_every_energy(name, verb):
    case, x, step = built(name)
    energy, random = case.energy, np.random.default_rng(1)
    names = energy.parameters if verb == "sensitivity" else energy.past
    if not names:
        assert verb == "history" or energy.undifferentiable
        return
    into = energy.parameter_arrays(len(x)) if verb == "sensitivity" else energy.past_arrays(len(x))
    d = random.standard_normal(x.shape)
    getattr(energy, verb)(case.array(x), case.array(d), into)
    values, projected = Values(energy, step), name.startswith("stiffness damping")
    for key in names:
        if projected and key not in ("seconds", "anchor"):
            continue  # K's positive part has no derivative, which the energy says
        if key == "friction":
            continue  # acts through what is remembered alone, and is tried by runs
        found = into[key].numpy().astype(float)
        nothing = (key == "at" and "hourglass" in name) or (verb == "history" and getattr(energy, "friction", 1) == 0)
        assert (np.abs(found).max() == 0) == nothing, key
        for _ in range(3):
            change = 1e-5 * values.size(key) * random.standard_normal(found.shape)
            expected = differences(values, case, x, d, key, change)
            scale = np.abs(found * change).sum() + 1e-12 * np.abs(d * case.gradient(x)).sum()
            assert abs(np.sum(found * change) - expected) <= 1e-6 * scale, key


@pytest.mark.parametrize("name", list(CASES))
def test_every_energy_answers_or_says_why(name):
    energy = built(name)[0].energy
    assert energy.parameters or energy.undifferentiable
    if isinstance(energy, OfStep):
        assert energy.past or energy.undifferentiable
    for array in energy.memory if energy.past or energy.undifferentiable is None else ():
        assert f"memory.{array}" in energy.past or energy.name == "grab"  # hands hold what a person does
    if energy.undifferentiable is not None:
        assert "expected" in energy.undifferentiable


def test_what_has_no_derivative_says_so():
    assert "exact=True" in built("stiffness damping")[0].energy.undifferentiable
    assert built("exact stiffness damping")[0].energy.undifferentiable is None
    assert built("contact")[0].energy.undifferentiable is None
    assert "hold.Rigidly" in built("linear clamp")[0].energy.undifferentiable


@pytest.mark.parametrize("name", list(CASES))
def test_adds_to_what_is_there_and_keeps_nothing(name):
    """A hundred calls leave no more launches and arrays than two."""
    case, x, _ = built(name)
    energy, at, d = case.energy, case.array(x), case.array(np.cos(x))
    into, past = energy.parameter_arrays(len(x)), energy.past_arrays(len(x))

    def both():
        energy.sensitivity(at, d, into)
        energy.history(at, d, past)

    both()
    once = {key: a.numpy().astype(float) for key, a in (into | past).items()}
    kept, alive = len(case.device._recorded), live_arrays()
    for _ in range(99):
        both()
    assert len(case.device._recorded) == kept and live_arrays() <= alive
    for key, a in (into | past).items():
        assert np.allclose(a.numpy(), 100 * once[key], rtol=1e-9, atol=1e-9 * np.abs(once[key]).max(initial=0.0))


@pytest.mark.parametrize("name", list(CASES))
def test_takes_what_is_asked_for(name):
    """Names that the caller has no array for are left out, and the others are what they were."""
    case, x, _ = built(name)
    energy, at, d = case.energy, case.array(x), case.array(np.cos(x))
    for verb, make_arrays in (("sensitivity", energy.parameter_arrays), ("history", energy.past_arrays)):
        whole = make_arrays(len(x))
        getattr(energy, verb)(at, d, whole)
        getattr(energy, verb)(at, d, {})
        for key in whole:
            alone = {key: make_arrays(len(x))[key]}
            getattr(energy, verb)(at, d, alone)
            assert np.array_equal(alone[key].numpy(), whole[key].numpy())


@pytest.mark.parametrize(("name", "dimension"), LAWS)
def test_table_of_every_law(name, dimension):
    energy = elastic(name, dimension, elements=body_of(name, dimension))
    base, random = energy.energy, np.random.default_rng(0)
    X = base.elements.rest
    x, d = X + 0.004 * random.standard_normal(X.shape), random.standard_normal(X.shape)
    into = base.parameter_arrays(len(x))
    base.sensitivity(energy.array(x), energy.array(d), into)
    found, table = into["table"].numpy(), make(name).table()
    assert found.shape == table.shape
    expected = np.zeros_like(table)
    for i in range(table.shape[1]):
        step = 1e-6 * max(abs(table[0, i]), 1e-2)
        forces = []
        for sign in (1, -1):
            changed = table.copy()
            changed[0, i] += sign * step
            base.table.assign(changed)
            forces.append(energy.gradient(x))
        expected[0, i] = np.sum(d * (forces[0] - forces[1])) / (2 * step)
    base.table.assign(table)
    work = np.abs(d * energy.gradient(x)).sum()
    # compare what a change of the parameter by its own size would do
    assert np.abs((found - expected) * np.maximum(np.abs(table), 1e-3)).max() <= 1e-6 * work


def live_arrays() -> int:
    gc.collect()
    return sum(isinstance(thing, wp.array) for thing in gc.get_objects())
