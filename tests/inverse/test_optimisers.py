"""Every optimiser finds the minimum of problems that need no runs, stays between the bounds and turns back where runs fail."""

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.inverse import LBFGS, BarzilaiBorwein, GaussNewton, MultiStart
from pliant.inverse.fitting.optimisers import Rejected

ALL = [LBFGS(200), GaussNewton(), BarzilaiBorwein(1000)]


class Valley:
    """A bent valley with its floor's end at ``end``; shares beyond ``wall`` fail."""

    numbers, said = 2, ""

    def __init__(self, end=(0.4, 0.3), wall=2.0):
        self.end, self.wall, self.failed, self.path = np.array(end), wall, 0, []

    def _residuals(self, s):
        if s[0] > self.wall:
            self.failed += 1
            raise Rejected("the body has burst")
        x, y = s - self.end
        return np.array([x, 3 * (y + x - x**2)]), np.array([[1.0, 0.0], [3 - 6 * x, 3.0]])

    def slope(self, s):
        r, j = self._residuals(s)
        return 0.5 * float(r @ r), j.T @ r

    def normal(self, s):
        r, j = self._residuals(s)
        return 0.5 * float(r @ r), j.T @ r, j.T @ j

    def costs(self, places, executor=None):
        return [self.slope(place)[0] for place in places]

    def accept(self, shares, cost):
        assert np.all(shares >= 0) and np.all(shares <= 1)
        self.path.append(cost)


@pytest.mark.parametrize("optimiser", ALL, ids=lambda o: type(o).__name__)
def test_the_end_of_a_valley(optimiser):
    problem = Valley()
    outcome = optimiser.search(problem, np.array([0.9, 0.9]))
    assert outcome.converged, outcome.why
    assert np.allclose(outcome.shares, problem.end, atol=1e-5)
    assert problem.path[-1] < 1e-10 < problem.path[0]


@pytest.mark.parametrize("optimiser", ALL, ids=lambda o: type(o).__name__)
def test_a_minimum_beyond_the_bounds(optimiser):
    """The best at the bound x = 1 is y = 0.3 − (x − x²) with x = 1 − 1.2."""
    outcome = optimiser.search(Valley(end=(1.2, 0.3)), np.array([0.3, 0.9]))
    assert outcome.shares[0] == 1.0 and outcome.shares[1] == pytest.approx(0.3 + 0.2 + 0.04, abs=1e-5)


@pytest.mark.parametrize("optimiser", ALL, ids=lambda o: type(o).__name__)
def test_runs_that_fail_are_steps_not_taken(optimiser):
    """The minimum is just this side of where everything fails, and steps overshoot it."""
    problem = Valley(end=(0.6, 0.5), wall=0.6004)
    outcome = optimiser.search(problem, np.array([0.05, 0.9]))
    assert np.allclose(outcome.shares, problem.end, atol=2e-3)
    with pytest.raises(Rejected, match="burst"):
        optimiser.search(problem, np.array([0.9, 0.9]))


def test_where_runs_fail_a_minimum_is_not_claimed():
    """The cost falls towards a wall, and just before it grows by what no gradient knows of."""

    class Shelf(Valley):
        def normal(self, s):
            cost, slope, normal = super().normal(s)
            return cost + (10.0 if s[0] > 0.45 else 0.0), slope, normal

    outcome = GaussNewton().search(Shelf(end=(0.9, 0.5), wall=0.5), np.array([0.4, 0.9]))
    assert not outcome.converged and outcome.why == "the body has burst"


def test_some_do_overshoot():
    """Or else the test above shows nothing."""
    failed = []
    for optimiser in ALL:
        problem = Valley(end=(0.6, 0.5), wall=0.6004)
        optimiser.search(problem, np.array([0.05, 0.9]))
        failed.append(problem.failed)
    assert sum(n > 0 for n in failed) >= 3


def test_several_starts_leave_a_side_valley():
    class Waves(Valley):
        """Least squares with a side minimum near 0.7."""

        def _residuals(self, s):
            x = s[0] - 0.2
            return np.array([np.sin(9 * x) + 3 * x]), np.array([[9 * np.cos(9 * x) + 3]])

    one = GaussNewton().search(Waves(), np.array([0.9]))
    many = MultiStart(starts=16).search(Waves(), np.array([0.9]))
    assert abs(one.shares[0] - 0.2) > 0.3 and one.cost > 0.05
    assert many.shares[0] == pytest.approx(0.2, abs=1e-6)


def test_options_that_are_none():
    for make, sentence in [
        (lambda: LBFGS(0), "whole number"),
        (lambda: GaussNewton(damping=-1), "positive"),
        (lambda: BarzilaiBorwein(first=0), "positive"),
        (lambda: BarzilaiBorwein(tolerance="x"), "positive"),
        (lambda: MultiStart(keep=9, starts=8), "from 1 to 8"),
        (lambda: MultiStart(LBFGS), r"expected LBFGS\(\)"),
    ]:
        with pytest.raises(InputError, match=sentence):
            make()


class Rough:
    """A line through noisy points, whose cost jumps from place to place by a few times the variance of the noise."""

    numbers = 10_000

    def __init__(self):
        random = np.random.default_rng(3)
        self.t, self.asked = np.linspace(-1, 1, self.numbers), 0
        self.seen = 0.3 + 0.6 * self.t + 0.2 * random.standard_normal(self.numbers)

    def normal(self, s):
        self.asked += 1
        j = np.stack([np.ones(self.numbers), self.t], axis=1)
        r = j @ s - self.seen
        jump = 0.04 * (3.0 if self.asked > 2 else 0.0) * self.asked
        return 0.5 * float(r @ r) + jump, j.T @ r, j.T @ j

    def accept(self, shares, cost):
        pass


def test_a_rough_cost_is_not_searched_for_what_noise_hides():
    """Standard deviations of the two numbers are 0.002 and 0.0035."""
    problem = Rough()
    outcome = GaussNewton().search(problem, np.array([0.9, 0.1]))
    assert outcome.converged and problem.asked <= 6
    assert np.allclose(outcome.shares, (0.3, 0.6), atol=0.01)
