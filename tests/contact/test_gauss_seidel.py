"""Forces of contact: each law to rounding, for one contact and for many, on any positive matrix."""

import numpy as np
import pytest

from pliant.contact.gauss_seidel import solve_contacts
from pliant.contact.gauss_seidel_kernels import HOLDS, SLIDES, TOUCHES
from pliant.device import Device


def solved(seed, contacts, friction, kind=TOUCHES, bound=0.0):
    """Forces on a random matrix of rank enough, for gaps of either sign."""
    random = np.random.default_rng(seed)
    n = 3 * contacts
    root = random.normal(size=(n, 3 * n)) / np.sqrt(3 * n)
    W, b = root @ root.T + 0.1 * np.eye(n), random.normal(size=n) - 0.3
    law = (np.full(contacts, kind), np.full(contacts, friction), np.full(contacts, bound))
    answer = solve_contacts(Device("cpu", "f64"), W, b, *law, np.zeros(n), 2000, 1e-12)
    assert answer.sweeps < 2000
    assert np.allclose(answer.gap, b + W @ answer.force, atol=1e-9)
    return answer.force.reshape(-1, 3), (b + W @ answer.force).reshape(-1, 3)


@pytest.mark.parametrize("contacts", [1, 12])
@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_laws_of_signorini_and_coulomb(contacts, friction):
    for seed in range(10):
        force, gap = solved(seed, contacts, friction)
        assert (force[:, 0] >= 0).all() and (gap[:, 0] >= -1e-9).all()
        assert np.abs(force[:, 0] * gap[:, 0]).max() < 1e-9
        held, slip = force[:, 1:], gap[:, 1:]
        most, size, speed = friction * force[:, 0], np.linalg.norm(held, axis=1), np.linalg.norm(slip, axis=1)
        assert (size <= most + 1e-9).all()
        slips = (speed > 1e-8) & (force[:, 0] > 0)
        assert np.allclose(size[slips], most[slips], atol=1e-8)
        assert np.allclose(held[slips] * speed[slips, None], -most[slips, None] * slip[slips], atol=1e-8)


def test_what_holds_leaves_no_gap():
    _, gap = solved(3, 6, 0.0, HOLDS)
    assert np.abs(gap).max() < 1e-9


def test_what_slides_is_held_across_and_rubs_along():
    force, gap = solved(4, 6, 0.3, SLIDES, 0.05)
    assert np.abs(gap[:, 1:]).max() < 1e-9
    bound = 0.05 + 0.3 * np.linalg.norm(force[:, 1:], axis=1)
    assert (np.abs(force[:, 0]) <= bound + 1e-9).all()
    slips = np.abs(gap[:, 0]) > 1e-8
    assert slips.any()
    assert np.allclose(force[slips, 0], -np.sign(gap[slips, 0]) * bound[slips], atol=1e-8)
