"""Solids inside bodies: volumes, centroids, overlap, cells that both surfaces cut, and tets."""

import numpy as np
import pytest

import pliant as pl
from pliant.elements.inlay import filled_share, inlay

BLOCK = pl.box(1.0)
BALL = 4 / 3 * np.pi * 0.3**3


def moment(part):
    return (part.weights * part.points).sum(axis=0) / part.weights.sum()


def test_volume_of_a_ball_is_of_second_order():
    """Halving the spacing quarters the error: 2.5, 0.62 and 0.15 %; the centroid is the ball's to a thousandth of a cell."""
    centre, spacings = np.array([0.013, 0.02, -0.01]), (0.2, 0.1, 0.05)
    parts = [inlay(pl.Lattice(BLOCK, h), pl.sphere(0.3, centre)) for h in spacings]
    errors = np.array([abs(part.weights.sum() / BALL - 1) for part in parts])
    assert errors[0] < 0.025 and np.all(np.log2(errors[:-1] / errors[1:]) > 1.9)
    for part, h in zip(parts, spacings):
        assert np.abs(moment(part) - centre).max() < 1e-3 * h


def test_a_plane_cut_is_exact():
    """Half a block, whatever the plane: volume and centroid of the part below it."""
    lattice = pl.Lattice(BLOCK, 0.25)
    for h in (0.1, 0.0, -0.33):
        part = inlay(lattice, pl.plane(z=h) & pl.box(4.0))
        assert part.weights.sum() == pytest.approx(h + 0.5, rel=1e-9)
        assert moment(part) == pytest.approx([0, 0, 0.5 * (h - 0.5)], abs=1e-9)


def test_points_are_in_their_cells_and_gradients_are_theirs():
    lattice = pl.Lattice(BLOCK, 0.1)
    part = inlay(lattice, pl.sphere(0.33, (0.1, 0.0, 0.05)))
    xi = (part.points - lattice.lowest[part.cells]) / 0.1
    assert xi.min() > 0 and xi.max() < 1 and np.array_equal(part.nodes, lattice.nodes[part.cells])
    x = lattice.rest @ np.diag([1.1, 0.9, 1.2])
    F = np.einsum("mia,mib->mab", x[part.nodes], part.gradients[:, 0])
    assert np.abs(F - np.diag([1.1, 0.9, 1.2])).max() < 1e-12


def test_what_lies_outside_the_body_does_not_count():
    """Two balls that overlap: a lens, against its closed form; and a solid around the body is the body."""
    d, R, r = 0.2, 0.35, 0.3
    lens = np.pi * (R + r - d) ** 2 * (d * d + 2 * d * (R + r) - 3 * (R - r) ** 2) / (12 * d)
    for h, error in ((0.1, 0.03), (0.05, 0.008)):
        body = pl.Lattice(pl.sphere(R), h)
        assert inlay(body, pl.sphere(r, (d, 0, 0))).weights.sum() == pytest.approx(lens, rel=error)
        around = inlay(body, pl.sphere(0.6))
        assert np.array_equal(around.weights[:, 0], body.fragments.volumes * body.spacing**3)


def test_a_cell_that_both_cut_holds_what_both_hold():
    """A cell that the body fills to a quarter, halved across by the solid, holds an eighth, to the accuracy of 16³ samples."""
    body = pl.Lattice(pl.box((9.0, 9.0, 0.5)), 1.0, origin=(-0.5, -0.5, 0.0))
    part = inlay(body, pl.plane(point=(0, 0, 0), normal=(1, 0, 0)) & pl.box(40.0))
    here = np.abs(body.lowest[part.cells] - [-0.5, -0.5, 0.0]).max(axis=1) < 1e-9
    assert part.weights[here].sum() == pytest.approx(1 / 8, rel=0.01)
    assert part.points[here][0] == pytest.approx([-0.25, 0, 0.125], abs=0.005)


def test_a_muscle_thinner_than_a_cell_is_seen():
    """A rod 0.8 cells across that passes no node: its volume to an eighth, along its axis."""
    part = inlay(pl.Lattice(BLOCK, 0.1), pl.cylinder((-2.0, 0.05, 0.05), (2.0, 0.05, 0.05), 0.04))
    assert part.count == 10 and part.weights.sum() == pytest.approx(np.pi * 0.04**2, rel=0.13)
    assert np.abs(part.points[:, 1:] - 0.05).max() < 1e-9


def test_tets_are_filled_in_part():
    """Shares against a count of random points, and a ball in a block of tets at second order."""
    random = np.random.default_rng(0)
    phi, within = random.standard_normal((40, 4)), random.dirichlet(np.ones(4), 20_000)
    counted = (phi @ within.T < 0).mean(axis=1)
    assert np.abs(filled_share(phi) - counted).max() < 0.02
    plain = np.array([[-1.0, -1, 1, 1], [-1, -1, -1, 0], [-2, 0, 0, 0], [0, 0, 1, 2]])
    assert filled_share(plain) == pytest.approx([0.5, 1, 1, 0])
    errors = []
    for n in (8, 16):
        grid = pl.tet_grid((1, 1, 1), (n, n, n), origin=(-0.5, -0.5, -0.5))
        errors.append(abs(inlay(pl.Tets(grid), pl.sphere(0.3, (0.013, 0.02, -0.01))).weights.sum() / BALL - 1))
    assert errors[0] < 0.1 and errors[1] < 0.3 * errors[0]


def test_what_is_not_met_or_has_no_inside():
    assert inlay(pl.Lattice(BLOCK, 0.1), pl.sphere(0.1, (3, 0, 0))) is None
    assert inlay(pl.Tets(pl.tet_grid((1, 1, 1), (1, 1, 1))), pl.sphere(0.1, (3, 0, 0))) is None
    with pytest.raises(pl.errors.InputError, match="Membrane; expected Lattice, Tets or Hexes"):
        inlay(pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), 0.01), pl.sphere(0.1))
