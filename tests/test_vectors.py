"""Sums and updates over nodes, against NumPy; the order of summation is fixed, whatever the threads."""

import itertools

import numpy as np
import pytest
import warp as wp

from pliant.runtime.device import Device
from pliant.runtime.vectors import CHUNK, Vectors

SIZES = (1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK + 3, 40_000)


def pair(precision: str, n: int, threads: int | None = None, place: str = "cpu"):
    device = Device(place, precision, threads)
    random = np.random.default_rng(n)
    a, b = (random.standard_normal((n, 3)).astype(device.types.numpy) for _ in range(2))
    return Vectors(device, n), a, b, *(device.array(v, device.types.vec3) for v in (a, b))


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("n", SIZES)
def test_sums(precision, n, place):
    vectors, a, b, da, db = pair(precision, n, place=place)
    A, B = a.astype(float), b.astype(float)
    assert vectors.dot(da, db) == pytest.approx(np.sum(A * B), rel=1e-12, abs=1e-12 * n)
    assert vectors.dot(da, da) == pytest.approx(np.sum(A * A), rel=1e-12)
    weights = np.abs(a[:, 0]).astype(a.dtype)
    device_weights = vectors.device.array(weights, vectors.device.types.real)
    expected = np.sum(weights.astype(float) * np.sum((A - B) ** 2, axis=1))
    sums, out = vectors.sums, vectors.device.zeros((1, 2), wp.float64)
    sums.add_to(out, 2.0, sums.kernels.weighted_chunk, device_weights, da, db)
    assert out.numpy()[0] == pytest.approx(2 * expected, rel=1e-12 if precision == "f64" else 1e-6)
    sums.add_to(out, -1.0, sums.kernels.sum_chunk, device_weights)
    total = weights.astype(float).sum()
    assert out.numpy()[0] == pytest.approx([2 * expected - total, 2 * expected + total], rel=1e-6)
    out.fill_(1.0)
    sums.least(out, device_weights)
    assert out.numpy()[0, 0] == min(weights.min(), 1.0)


@pytest.mark.parametrize("n", SIZES)
def test_threads_do_not_change_a_bit(n):
    found = set()
    for threads in (1, 2, 3):
        vectors, _, _, da, db = pair("f32", n, threads)
        found.add((vectors.dot(da, db), vectors.dot(db, db)))
    assert len(found) == 1


def test_updates(place):
    vectors, a, b, da, db = pair("f64", 1000, place=place)
    out = vectors.new()
    vectors.mix(2.0, da, -3.0, db, out)
    assert np.abs(out.numpy() - (2 * a - 3 * b)).max() <= 1e-14
    vectors.move(da, 0.5, db, out)
    assert np.abs(out.numpy() - (a + 0.5 * b)).max() <= 1e-14
    vectors.move(out, -1.0, out, out)
    assert np.abs(out.numpy()).max() == 0.0
    vectors.copy(db, out)
    assert np.array_equal(out.numpy(), b)


def test_bad_numbers_show():
    vectors, a, _, _, db = pair("f64", 700)
    a[650, 1] = np.nan
    da = vectors.device.array(a, vectors.device.types.vec3)
    assert np.isnan(vectors.dot(da, da))
    assert np.isnan(vectors.dot(da, db))
    a[650, 1] = np.inf
    da = vectors.device.array(a, vectors.device.types.vec3)
    assert vectors.dot(da, da) == np.inf


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_groups_have_sums_of_their_own(precision, place):
    """Each group's sum is that of the group alone; on the CPU to the last bit."""
    bounds = np.array([0, 5, 5 + CHUNK, 1000, 1000, 3000])
    device = Device(place, precision)
    a = np.random.default_rng(0).standard_normal((3000, 3)).astype(device.types.numpy)
    whole = Vectors(device, 3000, bounds)
    da = device.array(a, device.types.vec3)
    found = whole.dots(da, da).numpy().sum(axis=1)
    assert found == pytest.approx([np.sum(a[i:j].astype(float) ** 2) for i, j in itertools.pairwise(bounds)], rel=1e-12)
    alone = [Vectors(device, j - i).dot(*[device.array(a[i:j], device.types.vec3)] * 2) for i, j in ((0, 5), (1000, 3000))]
    if device.is_cpu:
        assert [found[0], found[4]] == alone
