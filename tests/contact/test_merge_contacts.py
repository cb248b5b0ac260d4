"""Contacts that say the same are one."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.complementarity.merge_contacts import drop_duplicates

rng = np.random.default_rng(5)


def groups(sizes, spread, flip):
    """Contacts in groups: points within ``spread`` of a place of its own, one normal, either side called the first."""
    of = np.repeat(np.arange(len(sizes)), sizes)
    place = 10.0 * rng.standard_normal((len(sizes), 3))[of]
    normal = rng.standard_normal((len(sizes), 3))
    normal = (normal / np.linalg.norm(normal, axis=1)[:, None])[of]
    first, second = place + 0.1 * normal, place - 0.1 * normal
    shift = rng.uniform(-spread, spread, (len(of), 3))
    first, second = first + shift, second + shift
    turned = flip & (np.arange(len(of)) % 2 == 1)
    return of, *(np.where(turned[:, None], *pair) for pair in ((second, first), (first, second), (-normal, normal)))


@pytest.mark.parametrize("flip", (False, True))
def test_one_of_each_group_stays_that_of_the_lowest_rank(flip):
    of, first, second, normal = groups((1, 4, 7, 2), 1e-3, flip)
    rank = rng.permutation(len(of))
    kept = drop_duplicates(first, second, normal, rank, near=0.01, turned=0.01)
    assert np.array_equal(of[kept], np.arange(4))
    assert all(rank[k] == rank[of == of[k]].min() for k in kept)


def test_what_is_turned_or_thicker_stays():
    first, second = np.zeros((3, 3)), np.zeros((3, 3))
    first[:, 2] = (0.1, 0.1, 0.2)
    second[:, 2] = (0.0, 0.0, -0.1)
    normal = np.array([[0, 0, 1.0], [0, np.sin(0.1), np.cos(0.1)], [0, 0, 1.0]])
    assert len(drop_duplicates(first, second, normal, np.arange(3), near=0.01, turned=0.01)) == 3


def test_a_row_of_near_ones_does_not_fall_together():
    """Each is near the next; what is left out is near one that stays."""
    first = np.zeros((101, 3))
    first[:, 0] = 0.006 * np.arange(101)
    kept = drop_duplicates(first, first - [0, 0, 0.1], np.tile([0, 0, 1.0], (101, 1)), np.arange(101), 0.01, 0.01)
    assert np.array_equal(kept, np.arange(0, 101, 2))


def test_pads_of_one_mesh_have_no_two_contacts_in_a_place():
    """Corners above corners, of which each is near the edges and faces around the other: the weight is carried all the same."""
    law = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0)
    pads = [pl.Body(pl.tet_grid((0.1, 0.1, 0.05), (2, 2, 1), origin=(0, 0, z)), law) for z in (0.001, 0.052)]
    contact = pl.Contact(friction=0.3, response=pl.contact.Complementarity(gap=1e-3))
    scene = pl.Scene(pads, obstacles=[pl.plane(z=0.0)], contact=contact)
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=pl.Newton(iterations=1)))
    for _ in range(30):
        report = sim.step()
    assert report.kept
    contact = sim.world.objective.constraint
    rows = contact.detector.kept
    between = rows.chosen(np.flatnonzero(rows.name[:, 1] >= 0))
    place = between.mixture.maximum(0) @ sim.x
    apart = np.linalg.norm(place[:, None] - place[None], axis=2) + np.eye(between.count)
    assert between.count >= 9 and apart.min() > 1e-5
    pushed = contact.forces[contact.names[:, 1] >= 0]
    assert np.abs(pushed[:, 2]).sum() == pytest.approx(9.81 * 0.5, rel=0.02)
