"""The shared checks: what they take, in which form they return it, and the sentence where they refuse."""

from fractions import Fraction

import numpy as np
import pytest

import pliant as pl
from pliant.arguments import checks

NAN, INF = float("nan"), float("inf")


class Rude:
    """Something whose text cannot be had."""

    def __repr__(self):
        raise RuntimeError("no")

    def __array__(self, *_, **__):
        raise KeyError("no")


NO_NUMBERS = [None, True, np.True_, "1", b"1", 1j, [1], {}, NAN, INF, -INF, 10**400, object, Rude(), np.array([1.0])]


@pytest.mark.parametrize("value", [1, 2.5, 10**29, np.float32(3), np.int8(4), np.array(5.0), Fraction(1, 2)])
def test_numbers_of_all_kinds(value):
    found = checks.number("n", value)
    assert type(found) is float and found == float(value) and checks.positive("n", value) == found


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("check", [checks.number, checks.positive, checks.length, checks.whole])
def test_what_is_no_number(check, value):
    with pytest.raises(pl.errors.InputError, match=r"^n is .*; expected a ") as caught:
        check("n", value)
    assert len(str(caught.value)) < 200


def test_ends_of_intervals():
    assert checks.number("n", 1, 0, 1) == 1.0 and checks.whole("n", np.int64(8), 1, 8) == 8
    for call in (
        lambda: checks.number("n", 1.001, 0, 1),
        lambda: checks.positive("n", 0),
        lambda: checks.length("n", 1e100),
        lambda: checks.whole("n", 9, 1, 8),
        lambda: checks.whole("n", 2.0),
        lambda: checks.flag("n", 1),
        lambda: checks.among("n", 1, (True, "1")),
    ):
        with pytest.raises(pl.errors.InputError, match=r"^n is "):
            call()


def test_arrays():
    assert checks.floats([1, 10**29]).tolist() == [1.0, 1e29]
    for nothing in ("abc", [1, [2, 3]], [True, False], [1, None], [1j], Rude(), ["1"], [10, True, 10**29]):
        assert checks.floats(nothing).shape == (0,)
    given = np.zeros((2, 3))
    assert checks.points("corners", given) is not given
    for bad, words in (
        ([[0, 0, INF]], "1 of 1 corners are not finite, first at 0"),
        ([[0, 0, 0], [0, 0, 1e101]], "1 of 2 corners are beyond 1e\\+100 m, first at 1"),
        ([0, 0, 0], r"corners have shape \(3,\); expected \(n, 3\)"),
        (Rude(), "cannot be read as numbers"),
    ):
        with pytest.raises(pl.errors.InputError, match=words):
            checks.points("corners", bad)


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1.0, 1e99])
def test_directions_have_unit_length(scale):
    assert np.allclose(checks.direction("axis", [0, 3 * scale, 4 * scale]), [0, 0.6, 0.8], rtol=1e-15)


@pytest.mark.parametrize("value", [(0, 0, 0), (1e300, 0, 0), (1, 2), "up", None])
def test_no_directions(value):
    with pytest.raises(pl.errors.InputError, match=r"axis is .*; expected"):
        checks.direction("axis", value)


def test_functions_of_the_caller_are_named():
    def bad(x):
        raise KeyError("left\nout \x1b[31m")

    with pytest.raises(pl.errors.InputError, match=r"motion raised KeyError: .*left") as caught:
        checks.called("motion", bad, 1)
    assert isinstance(caught.value.__cause__, KeyError) and str(caught.value).isprintable()
    assert checks.called("motion", abs, -1) == 1


@pytest.mark.parametrize("value", [Rude(), 10**5000, "a\n" * 1000, np.zeros(10**6), "\x1b[2J"], ids=type)
def test_what_is_quoted_is_short_and_plain(value):
    text = checks.shown(value)
    assert len(text) <= 80 and text.isprintable()
