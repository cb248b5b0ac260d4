"""Laws that are a distance: the projection is in the set, nearest and idempotent, and k is the law's own."""

import numpy as np
import pytest
from scipy.optimize import minimize

import pliant as pl
from pliant.material.mean_stiffness import fitted_stiffness

from .cases import PROJECTIVE, Samples, law, rotations, stretched, upright

RANDOM = np.random.default_rng(11)


def projection(material, F, dimension=3):
    """p(F) = F − P/k, through the kernels of the stress."""
    return F - Samples(material, len(F), dimension).stress(F) / float(material.projective[0])


def stretches(p, dimension):
    return np.linalg.svd(p[:, :, :dimension], compute_uv=False)


def columns(F, dimension):
    """F with the columns that the element does not have set to zero."""
    return F * (np.arange(3) < dimension)


def test_the_projective_laws():
    assert set(PROJECTIVE) == {"Arap", "StrainLimit", "VolumePreservation"}


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("name", PROJECTIVE)
def test_projection_is_idempotent_and_the_energy_is_the_distance(name, dimension):
    F = columns(upright(40, 3) * 1.1, dimension)
    p = projection(law(name), F, dimension)
    assert np.abs(projection(law(name), p, dimension) - p).max() <= 1e-12
    k = float(law(name).projective[0])
    expected = 0.5 * k * np.sum((F - p) ** 2, axis=(1, 2))
    assert Samples(law(name), len(F), dimension).energy(F) == pytest.approx(expected, rel=1e-10, abs=1e-12 * k)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_strain_limit_clamps_the_stretches(dimension):
    F = columns(upright(40, 4), dimension)
    p = projection(law("StrainLimit"), F, dimension)
    assert stretches(p, dimension) == pytest.approx(np.clip(stretches(F, dimension), 0.93, 1.06), abs=1e-12)


def test_strain_limit_turns_inverted_elements_over():
    F = stretched(np.array([[1.3, 0.8, -0.2], [1.0, 0.95, -0.9]]), 5)
    p = projection(law("StrainLimit"), F)
    assert np.linalg.det(p).min() > 0.5 * 0.93**3
    assert stretches(p, 3) == pytest.approx(np.array([[1.06, 0.93, 0.93], [1.0, 0.95, 0.93]]), abs=1e-12)


def test_limits_at_one_are_arap():
    F, tight = upright(20, 6), pl.laws.StrainLimit(stiffness=1e4, low=1.0, high=1.0)
    for dimension in (1, 2, 3):
        rigid = Samples(pl.Arap(young=1e4), 20, dimension)
        limit = Samples(tight, 20, dimension)
        assert limit.energy(F) == pytest.approx(rigid.energy(F), rel=1e-11)
        assert np.abs(limit.stiffness(F, False) - rigid.stiffness(F, False)).max() <= 1e-6 * 1e4


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_volume_projection_has_volume_one(dimension):
    F = columns(stretched(RANDOM.uniform(0.02, 3.0, (60, 3)), 7), dimension)
    p = projection(law("VolumePreservation"), F, dimension)
    assert np.prod(stretches(p, dimension), axis=1) == pytest.approx(np.ones(60), abs=1e-10)


@pytest.mark.parametrize("dimension", [2, 3])
def test_volume_projection_is_the_nearest(dimension):
    """Against a search over q = exp(z), Σz = 0, from several starts; flat, inverted and swollen elements among them."""
    s = np.sort(RANDOM.uniform(0.0, np.repeat([1.2, 2.2, 4.0], 20)[:, None], (60, dimension)), axis=1)[:, ::-1].copy()
    if dimension == 3:
        s[::4, 2] *= -1
    s[0] = 0.0
    F = np.zeros((60, 3, 3))
    F[:, np.arange(dimension), np.arange(dimension)] = s
    F = np.einsum("mij,mjk->mik", rotations(60, 8), F)
    psi = Samples(pl.laws.VolumePreservation(stiffness=2.0), 60, dimension).energy(F)
    for found, row in zip(psi, s):
        starts = np.random.default_rng(0).normal(size=(10, dimension - 1))
        best = min(
            minimize(lambda z, row=row: np.sum((np.exp([*z, -z.sum()]) - row) ** 2), z, options={"gtol": 1e-9}).fun
            for z in starts
        )
        assert found <= best + 1e-9  # nothing found by the search is nearer
        assert found >= best - 1e-5


def test_weights_of_the_matrix_are_the_laws_own():
    """Exactly k, where a straight line fitted to a strain limit would be softer; and the sum of the k of a sum."""
    limit, volume, rigid = (
        pl.laws.StrainLimit(stiffness=3e4),
        pl.laws.VolumePreservation(stiffness=[2e4, 5e4]),
        pl.Arap(young=1e4),
    )
    for dimension in (1, 2, 3):
        assert fitted_stiffness(limit, dimension) == [3e4]
        assert np.array_equal(fitted_stiffness(limit + volume, dimension), [5e4, 8e4])
        assert fitted_stiffness(rigid + limit, dimension) == pytest.approx([4e4], rel=1e-15)
    assert (rigid + pl.laws.Fibres(stiffness=1.0)).projective is None
    assert pl.Corotated(young=1.0).projective is None


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"stiffness": -1.0}, "stiffness"),
        ({"stiffness": 1.0, "low": 1.1}, "low"),
        ({"stiffness": 1.0, "high": 0.9}, "high"),
        ({"stiffness": 1.0, "high": np.inf}, "high"),
    ],
)
def test_strain_limit_refuses(options, word):
    with pytest.raises(pl.errors.InputError, match=word):
        pl.laws.StrainLimit(**options)


def test_volume_preservation_needs_a_law_beside_it():
    with pytest.raises(pl.errors.InputError, match="no density"):
        pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.laws.VolumePreservation(stiffness=1e4))
    with pytest.raises(pl.errors.InputError, match="bending=False"):
        pl.Simulation(pl.Scene(pl.Body(pl.Membrane(pl.cloth_grid((1, 1), (2, 2)), 1e-3), pl.laws.StrainLimit(stiffness=1e4))))
