"""Forces of contact: each law to rounding, for one contact and for many, on any positive matrix."""

import numpy as np
import pytest

from pliant.contact.complementarity.accelerated_jacobi import AcceleratedJacobi
from pliant.contact.complementarity.contact_compliance import Delassus
from pliant.contact.complementarity.gauss_seidel import solve_contacts
from pliant.contact.complementarity.gauss_seidel_kernels import HOLDS, SLIDES, TOUCHES
from pliant.runtime.device import Device

HERE = Device("cpu", "f64")


def case(seed, contacts, friction, kind=TOUCHES, bound=0.0):
    """A random matrix of rank enough, gaps of either sign, and laws."""
    random = np.random.default_rng(seed)
    n = 3 * contacts
    root = random.normal(size=(n, 3 * n)) / np.sqrt(3 * n)
    W, b = root @ root.T + 0.1 * np.eye(n), random.normal(size=n) - 0.3
    return W, b, (np.full(contacts, kind), np.full(contacts, friction), np.full(contacts, bound))


def solved(*given):
    """Forces, and the gaps that they leave."""
    W, b, law = case(*given)
    answer = solve_contacts(HERE, Delassus.of(W, HERE), b, *law, np.zeros(len(b)), 2000, 1e-12)
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


@pytest.mark.parametrize(
    ("friction", "kind", "bound"), [(0.0, 0, 0.0), (0.4, 0, 0.0), (1.2, 0, 0.0), (0.0, 1, 0.0), (0.3, 2, 0.05)]
)
def test_all_at_once_finds_what_sweeps_find(device, friction, kind, bound):
    solver = AcceleratedJacobi(device)
    for seed, contacts in ((0, 1), (1, 12), (2, 40), (3, 12)):
        W, b, law = case(seed, contacts, friction, kind, bound)
        swept = solve_contacts(HERE, Delassus.of(W, HERE), b, *law, np.zeros(len(b)), 2000, 1e-12)
        there = Delassus.of(W, device)
        found = solver.solve(there, b, *law, np.zeros(len(b)), 2000, 1e-12)
        assert found.change <= 1e-12 and found.sweeps < 1000  # none of them swept one after the other
        assert np.abs(found.force - swept.force).max() <= 1e-10
        assert np.abs(found.gap - (b + W @ found.force)).max() <= 1e-13
        again = solver.solve(there, b, *law, found.force, 2000, 1e-12)
        assert again.sweeps <= 2 and np.array_equal(again.force, solver.solve(there, b, *law, found.force, 2000, 1e-12).force)


def test_all_at_once_says_where_it_ended_too_soon(device):
    W, b, law = case(0, 20, 0.4)
    there = Delassus.of(W, device)
    short = AcceleratedJacobi(device).solve(there, b, *law, np.zeros(len(b)), 2, 1e-12)
    assert short.sweeps == 2 and short.change > 1e-12
    rest = AcceleratedJacobi(device).solve(there, b, *law, np.zeros(len(b)), 60, 1e-12)  # half at once, the rest swept
    assert 30 < rest.sweeps < 60 and rest.change <= 1e-12
    assert (
        np.abs(rest.force - solve_contacts(HERE, Delassus.of(W, HERE), b, *law, np.zeros(len(b)), 200, 1e-12).force).max()
        <= 1e-10
    )


def test_contacts_that_push_may_be_swept_alone():
    """Many contacts on few unknowns, most of which end open: the same gaps as where all are swept every time."""
    random, contacts = np.random.default_rng(3), 120
    along = np.linspace(0, 1, contacts)[:, None]  # neighbours do nearly the same
    J = np.repeat(np.exp(-(((along - np.linspace(0, 1, 25)) / 0.05) ** 2)), 3, axis=0) * np.tile([1, 0.3, 0.3], 120)[:, None]
    W = J @ J.T + 1e-4 * np.diag(random.uniform(1, 2, 3 * contacts))
    b = np.tile([0.02, 0.0, 0.0], contacts)
    b[::3] -= 0.05 * np.sin(9 * along[:, 0]) ** 2
    law = (np.zeros(contacts, np.int32), np.zeros(contacts), np.zeros(contacts))
    given = (HERE, Delassus.of(W, HERE), b, *law, np.zeros(3 * contacts), 20000, 1e-10)
    plain, apart = solve_contacts(*given), solve_contacts(*given, alone=True)
    assert 20 < plain.sweeps < 20000 and 0 < np.count_nonzero(plain.force[::3]) < 0.6 * contacts
    assert apart.change <= 1e-10 and apart.sweeps < 2 * plain.sweeps
    np.testing.assert_allclose(apart.gap, plain.gap, atol=1e-6)
    np.testing.assert_allclose(apart.gap, b + W @ apart.force, atol=1e-12)
