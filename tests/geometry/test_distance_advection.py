"""Carried level sets: rigid motions, stretches with closed forms, the three ways and their order, and the harmonic extension."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.geometry.lattice.band import STEPS, Band
from pliant.geometry.lattice.distance_advection import Grid
from pliant.runtime.device import Device
from pliant.simulate.record.deformed_solid import Solid

R = 0.1
BALL = R * pl.meshes.sphere(1.0, 3).vertices
TURN = Rotation.from_rotvec([0.3, 0.5, 0.7]).as_matrix()
PRINTED = pl.sdf.DirectForward(samples=1, sharpen=False)  # Alg A.2 as it stands
SHIFT = np.array([0.0137, 0.0071, 0.0033])


def off(shape, points, h, move, advection=None, **options):
    """How far points of the moved surface are from the zero level found, largest and mean, in cells."""
    lattice = pl.Lattice(shape, h)
    found = np.abs(Solid.of(lattice).sdf(move(lattice.rest), advection, **options)(move(points))) / h
    return found.max(), found.mean()


@pytest.mark.parametrize("way", [pl.sdf.DirectForward(), PRINTED, pl.sdf.Shepard()], ids=repr)
def test_rigid_motions_of_a_ball(way):
    """Within an eighth of a cell, of which a third is the curvature that trilinear samples cannot show."""
    for move in (lambda X: X + SHIFT, lambda X: X @ TURN.T + SHIFT):
        most, mean = off(pl.sphere(R), BALL, 0.02, move, way)
        assert most < 0.16 and mean < 0.11


def test_a_turned_box_keeps_its_faces():
    box = pl.box((0.16, 0.12, 0.1))
    X = np.random.default_rng(0).uniform(-0.5, 0.5, (300, 3)) * [0.12, 0.08, 0.06]
    faces = np.concatenate([np.where(np.arange(3) == a, s * np.array([0.08, 0.06, 0.05]), X) for a in range(3) for s in (-1, 1)])
    for h in (0.02, 0.01):
        most, mean = off(box, faces, h, lambda X: X @ TURN.T)
        assert most < 0.2 and mean < 0.06


def test_direct_forward_is_of_second_order():
    """The error falls fourfold when the cells are halved, where nodes alone leave a fixed part of a cell."""
    F = np.diag([1.5, 1 / 1.5, 1.0])
    wrong = [
        off(pl.sphere(R), BALL, h, lambda X: X @ F.T, pl.sdf.DirectForward(), reinitialise=False)[0] * h for h in (0.02, 0.01)
    ]
    assert wrong[0] / wrong[1] > 3.5
    plain = off(pl.sphere(R), BALL, 0.01, lambda X: X @ F.T, PRINTED, reinitialise=False)[0] * 0.01
    assert plain > 4 * wrong[1]


def test_sharpening_takes_back_the_mean():
    """On a curved surface it leaves half of the mean error, which is that of straight lines between samples; on edges too."""
    box, edge = pl.box((0.16, 0.12, 0.1)), np.array([[0.08, 0.06, z] for z in np.linspace(-0.03, 0.03, 20)])
    for shape, points, least in ((pl.sphere(R), BALL, 0.5), (box, edge, 0.8)):
        plain, sharp = (
            off(
                shape,
                points,
                0.01,
                lambda X: X @ TURN.T,
                pl.sdf.DirectForward(sharpen=sharpen),
                reinitialise=False,
            )[1]
            for sharpen in (False, True)
        )
        assert sharp < least * plain


def test_semi_lagrange_is_right_for_translations_only():
    assert off(pl.sphere(R), BALL, 0.02, lambda X: X + SHIFT, pl.sdf.SemiLagrange())[0] < 0.1
    turned = [
        off(pl.sphere(R), BALL, 0.02, lambda X: X @ TURN.T + SHIFT, way)[0] for way in (pl.sdf.SemiLagrange(), pl.sdf.Shepard())
    ]
    assert turned[0] > 1.0 > 5 * turned[1]


def test_a_stretched_ball_is_an_ellipsoid():
    """Distance to the ellipsoid from nearby points along its normals, and the volume inside."""
    F = np.diag([1.5, 0.8, 1.0])
    lattice = pl.Lattice(pl.sphere(R), 0.01)
    x = lattice.rest @ F.T
    found = Solid.of(lattice).sdf(x)
    normal = BALL @ np.linalg.inv(F)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    for d in (-0.02, -0.01, 0.01, 0.02):
        assert found(BALL @ F.T + d * normal) == pytest.approx(np.full(len(BALL), d), abs=0.0015)
    mesh = pl.surface(found, 0.008)
    assert mesh.volume == pytest.approx(4 / 3 * np.pi * R**3 * 1.2, rel=0.02)
    rise = np.linalg.norm(found.gradient(BALL @ F.T + 0.005 * normal), axis=1)
    assert rise == pytest.approx(np.ones(len(rise)), abs=0.1)
    raw = Solid.of(lattice).sdf(x, reinitialise=False)  # no distance along the stretch: half as steep again is lost there
    assert raw([[0.15 + 0.015, 0, 0]])[0] == pytest.approx(0.01, abs=0.001)


def test_the_body_at_rest_is_where_it_was():
    lattice = pl.Lattice(pl.sphere(R), 0.02)
    solid = Solid.of(lattice)
    found = solid.sdf(lattice.rest, pl.sdf.Shepard(), reinitialise=False)
    assert found(lattice.rest) == pytest.approx(lattice.depth, abs=1e-12)  # the nodes of the result are those of the lattice


def test_harmonic_extension():
    """Active values stay, inactive ones are the mean of their neighbours, constants are kept, and five steps are filled."""
    lattice = pl.Lattice(pl.sphere(0.1), 0.05)
    solid = Solid.of(lattice)
    band, values = solid.band, np.random.default_rng(0).standard_normal((len(lattice.rest), 2))
    spread = solid.spread(values)
    assert np.array_equal(spread[: len(values)], values)
    assert band.points[: len(values)] == pytest.approx(lattice.rest)
    box = np.full((*(np.array(band.number.shape) + 2), 2), np.nan)
    box[tuple((band.index + 1).T)] = spread
    beside = np.stack([box[tuple((band.index[len(values) :] + 1 + step).T)] for step in STEPS])
    assert np.nanmean(beside, axis=0) == pytest.approx(spread[len(values) :], abs=1e-12)
    assert solid.spread(np.ones((len(values), 1))) == pytest.approx(np.ones((len(spread), 1)))
    steps = np.abs(band.index[:, None] - band.active).sum(axis=2).min(axis=1)
    assert steps.max() == 5 and np.count_nonzero(band.number >= 0) == len(band.index)
    every = np.argwhere(band.number < 0)
    assert np.abs(every[:, None] - band.active).sum(axis=2).min() == 6
    affine = lambda X: X @ TURN.T + SHIFT
    assert band.points + solid.displacements(affine(lattice.rest)) == pytest.approx(affine(band.points), abs=1e-12)


def test_bits_do_not_depend_on_threads_and_precision_agrees():
    lattice = pl.Lattice(pl.sphere(R), 0.025)
    x = lattice.rest @ TURN.T + 0.3 * lattice.rest**2
    for way in (pl.sdf.DirectForward(), pl.sdf.Shepard()):
        one, many, single = (
            Solid.of(lattice).sdf(x, way, reinitialise=False, device=Device("cpu", p, n)).program[0].values
            for p, n in (("f64", 1), ("f64", 5), ("f32", None))
        )
        assert np.array_equal(one, many) and np.abs(one - single).max() < 1e-3 * R  # a point on the rim counts or not


def test_holes_are_filled_outward():
    """Stretched fourfold with nodes alone there are holes; the solid still has no gap where it is thick."""
    lattice = pl.Lattice(pl.sphere(R), 0.02)
    F = np.diag([4.0, 1.0, 1.0])
    solid = Solid.of(lattice)
    grid = Grid.around(lattice.rest @ F.T, 0.02, 3, solid.band.origin)
    _, known = pl.sdf.DirectForward(samples=1).carried(Device(), solid.band, solid.displacements(lattice.rest @ F.T), grid)
    assert not known[5:-5, 5:-5, 5:-5].all()
    for way in (pl.sdf.DirectForward(samples=1), pl.sdf.DirectForward(samples=3)):
        found = solid.sdf(lattice.rest @ F.T, way)
        assert np.all(found(0.5 * BALL @ F.T) < 0) and np.all(found(1.4 * BALL @ F.T) > 0)


def test_refusals():
    lattice = pl.Lattice(pl.sphere(R), 0.05)
    solid, x = Solid.of(lattice), lattice.rest
    tets = pl.Simulation(pl.Scene(pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.Corotated(young=1e4))))
    cases = [
        (lambda: solid.sdf(x[1:]), "shape"), (lambda: solid.sdf(x * np.nan), "finite"),
        (lambda: solid.sdf(x, spacing=0), "spacing is 0"), (lambda: solid.sdf(x, spacing=1e-5), "at most"),
        (lambda: solid.sdf(x, "forward"), "expected DirectForward"), (lambda: pl.sdf.DirectForward(radius=0.2), "is 0.2"),
        (lambda: pl.sdf.DirectForward(samples=0), "is 0; expected a whole number from 1 to 8"),
        (lambda: pl.sdf.Shepard(radius="a"), "is 'a'"),
        (lambda: pl.sdf.DirectForward(sharpen=1), "is 1; expected True or False"),
        (lambda: tets.sdf(), "not a Lattice"), (lambda: tets.sdf(3), "body=3"), (lambda: tets.frame().sdf(7), "frame=7"),
    ]  # fmt: skip
    for act, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            act()


def test_band_of_one_node():
    band = Band(pl.sphere(R), np.zeros(3), 0.1, np.array([[1, 1, 1]]), reach=1)
    assert len(band.index) == 7 and band.samples(2)[0].shape == (0, 3)
