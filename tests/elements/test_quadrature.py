"""Rules on lattice cells: what they integrate exactly, and where their points lie."""

import numpy as np
import pytest
from cut_cells import contains, planes, random_values

import pliant as pl
from pliant.elements.quadrature import Centre, Corners, Gauss, Moments
from pliant.geometry.lattice.fragments import CORNERS, POWERS, fragments_of, shape_functions

WITHIN_SECOND = POWERS.sum(axis=1) <= 2


def fragments(count: int, seed: int):
    """Random fragments of at least 2 % of a cell, half of them plane cuts (convex), whole cells among the rest."""
    normal, offset = planes(count // 2, seed)
    rough = random_values(count, seed + 1)
    rough = rough[np.random.default_rng(seed).permutation(len(rough))]
    values = np.concatenate([(CORNERS @ normal.T - offset).T, rough])
    found = fragments_of(values)
    kept = np.flatnonzero(found.volumes >= 0.02)
    convex = kept < count // 2
    kept = np.concatenate([kept[convex], kept[~convex][: count - np.count_nonzero(convex)]])
    return fragments_of(values[kept]), np.sort(convex)[::-1][: len(kept)]


def integrals(placed, degree_two_only=True):
    found = np.einsum("mq,mqk->mk", placed.weights, np.prod(placed.xi[:, :, None, :] ** POWERS, axis=-1))
    return found[:, WITHIN_SECOND] if degree_two_only else found


@pytest.mark.parametrize("rule", [Moments(), Gauss()], ids=["Moments", "Gauss"])
def test_exact_to_degree_two(rule):
    f, _ = fragments(500, 0)
    placed = rule.place(f)
    assert np.abs(integrals(placed) - f.integrals[:, WITHIN_SECOND]).max() <= 1e-10
    assert placed.weights.min() > 0
    assert placed.weights.sum(axis=1) == pytest.approx(f.volumes, abs=1e-12)


def statistics(count: int, seed: int) -> dict[str, int]:
    f, convex = fragments(count, seed)
    placed = Moments().place(f)
    cut = np.flatnonzero(~f.whole)
    inside = contains(f, cut, placed.xi[cut], 1e-8).all(axis=1)
    cell = np.all(np.abs(placed.xi[cut] - 0.5) <= 0.5 + 1e-8, axis=(1, 2))
    equal = np.ptp(placed.weights[cut], axis=1) <= 1e-12
    counts = placed.counts
    assert sum(counts.values()) == len(cut)
    assert counts["material"] == np.count_nonzero(inside & equal)
    assert counts["cell"] == np.count_nonzero(cell & equal & ~inside)
    assert counts["outside"] == np.count_nonzero(~cell)
    flat = convex[cut]
    assert np.mean(inside[flat]) >= 0.99 and np.mean(cell) >= 0.99
    return counts


def test_points_lie_in_the_material():
    """Of convex fragments at least 99 %; the others are counted by what was done instead."""
    counts = statistics(500, 3)
    assert counts["cell"] > 0  # fragments in two parts have no such points


@pytest.mark.slow
def test_points_lie_in_the_material_of_many_fragments():
    counts = statistics(10_000, 4)
    print(counts)
    assert counts["outside"] <= 20


def test_whole_cells():
    f = fragments_of(np.full((1, 8), -1.0))
    four, eight = Moments().place(f), Gauss().place(f)
    assert set(map(tuple, np.round(four.xi[0], 12))) < set(map(tuple, np.round(eight.xi[0], 12)))
    assert np.abs(eight.xi - 0.5).ravel() == pytest.approx(np.full(24, 0.5 / np.sqrt(3)))
    assert np.abs(integrals(eight, False) - f.integrals).max() <= 1e-14
    assert Centre().place(f).weights.tolist() == [[1.0]] and Centre().stabilised and not Moments().stabilised
    assert four.counts == dict.fromkeys(("material", "cell", "unequal", "outside"), 0)


def test_corners_integrate_trilinear_functions():
    f, _ = fragments(60, 6)
    placed = Corners().place(f)
    assert placed.weights.min() > 0
    found = np.einsum("mq,mqk->mk", placed.weights, shape_functions(placed.xi))
    assert np.abs(found - f.corner_weights).max() <= 1e-13
    linear = POWERS.max(axis=1) <= 1
    assert np.abs(integrals(placed, False) - f.integrals)[:, linear].max() <= 1e-13


def test_the_same_points_every_time():
    f, _ = fragments(80, 7)
    np.random.seed(0)
    a = Moments().place(f)
    np.random.seed(1)
    assert np.array_equal(a.xi, Moments().place(f).xi)


@pytest.mark.parametrize("samples", [-1, 2.5, True, 10**9])
def test_refusals(samples):
    with pytest.raises(pl.errors.InputError, match="samples"):
        Moments(samples=samples)
