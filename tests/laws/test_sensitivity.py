"""How forces change with the material: d · ∂²E/∂x∂p of every law, by differences of the parameter table."""

import numpy as np
import pytest

from .cases import EVERY, FLAT, SHEETS, THREADS, body_of, elastic, make

CASES = [
    *[(n, 3) for n in EVERY],
    *[pytest.param(n, 2, marks=pytest.mark.slow) for n in (*SHEETS, *FLAT)],
    *[pytest.param(n, 1, marks=pytest.mark.slow) for n in (*THREADS, *FLAT)],
]


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_sensitivity(name, dimension):
    energy = elastic(name, dimension, elements=body_of(name, dimension))
    base, random = energy.energy, np.random.default_rng(0)
    X = base.elements.rest
    x, d = X + 0.004 * random.standard_normal(X.shape), random.standard_normal(X.shape)
    found = base.sensitivity(energy.array(x), energy.array(d))
    table = make(name).table()
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
