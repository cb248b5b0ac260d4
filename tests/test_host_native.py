"""Routines in C++ on NumPy arrays: what they are given, and lists that equal those of a sort."""

import numpy as np
import pytest

from pliant.linear.matrix.gather import gather_lists
from pliant.runtime.host_native import Routines, start_of

ROUTINES = Routines("tried")
add = ROUTINES.add(
    "add_up",
    "const int* values, const double* weights, const bool* taken, long long count, double* out",
    "for (long long i = 0; i < count; ++i) if (taken[i]) out[0] += weights[i] * values[i];",
)


def test_arrays_and_numbers_arrive():
    out, taken = np.zeros(1), np.array([True, False, True])
    add(np.array([1, 2, 3], np.int32), np.array([0.5, 7.0, 2.0]), taken, 3, out)
    assert out[0] == 6.5


def test_what_does_not_fit_is_refused():
    out, taken, weights = np.zeros(1), np.ones(2, bool), np.ones(2)
    with pytest.raises(TypeError, match=r"add_up\(values\): expected a contiguous array of int32"):
        add(np.arange(2), weights, taken, 2, out)
    with pytest.raises(TypeError, match=r"add_up\(weights\): expected a contiguous array of float64"):
        add(np.arange(2, dtype=np.int32), np.ones(4)[::2], taken, 2, out)
    with pytest.raises(TypeError, match="4 were given"):
        add(np.arange(2, dtype=np.int32), weights, taken, 2)


def test_lists_of_targets_are_those_of_a_stable_sort():
    targets = np.random.default_rng(3).integers(0, 40, 500)
    starts, lists = gather_lists(targets, 41)
    assert np.array_equal(lists, np.argsort(targets, kind="stable"))
    assert np.array_equal(np.diff(starts), np.bincount(targets, minlength=41))
    assert gather_lists(np.zeros(0, int), 3)[0].tolist() == [0, 0, 0, 0]
    for wrong in (-1, 41):
        with pytest.raises(IndexError, match="0 … 40"):
            gather_lists(np.append(targets, wrong), 41)


def test_arrays_begin_where_numpy_says():
    whole = np.arange(24.0).reshape(4, 6)
    fixed = whole.copy()
    fixed.setflags(write=False)
    for array in (whole, whole[1:], fixed, fixed[2], whole.astype(np.int32), np.zeros((0, 3)), np.zeros(1, bool)):
        assert start_of(array) == array.ctypes.data
