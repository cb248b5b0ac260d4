"""Laws whose energy would fall without end are refused, and those at the edge are not."""

import numpy as np
import pytest

from pliant import material
from pliant.errors import InputError

from .cases import Samples


@pytest.mark.parametrize(("split", "bound"), [(0.25, 1 / 6), (1.0, 1 / 3), (0.0, 0.0)])
def test_mooney_rivlin_needs_the_poisson_ratio_of_its_split(split, bound):
    with pytest.raises(InputError, match=rf"at least {bound:.4g}.*lowest energy"):
        material.MooneyRivlin(young=1e4, poisson=bound - 0.01, split=split)
    law = material.MooneyRivlin(young=1e4, poisson=bound + 1e-9, split=split)
    # volumes far from 1 on both sides, and turned over, which cost energy
    scales = np.array([1e-3, 0.1, 0.5, 2.0, 10.0, 1e3, -0.1, -1.0, -100.0])
    F = np.stack([np.diag([1.0, 1.0, s]) for s in scales] + [s * np.eye(3) for s in scales])
    assert np.all(Samples(law, len(F)).energy(F) > 0)


def test_regions_are_named_by_the_first_that_is_below():
    with pytest.raises(InputError, match=r"is 0\.1; expected at least 0\.1667"):
        material.MooneyRivlin(young=[1e4, 1e4], poisson=[0.3, 0.1])


@pytest.mark.parametrize("poisson", [-0.1, -0.5, -0.95])
def test_ogden_bears_negative_ratios_with_exponents_of_both_signs(poisson):
    """Powers outgrow λ/2 log²J where stretches vanish and where they grow; K and μ are positive, so that rest is stable.

    From about ν = −0.4 down, a body crushed to a tenth of its size has less energy than at rest.
    """
    law = material.Ogden(young=1e4, poisson=poisson)
    s = np.logspace(-4, 4, 81)
    stretches = [np.stack([a, b, c], 1) for a, b, c in ((s, s, s), (s, s, 1 / s), (s, 0 * s + 1, 0 * s + 1), (s, s, s**-2))]
    F = np.einsum("nj,jk->njk", np.concatenate(stretches), np.eye(3))
    energy = Samples(law, len(F)).energy(F)
    assert energy.min() > -1e6 and np.all(energy[(F.max(axis=(1, 2)) > 10) | (np.linalg.det(F) < 1e-6)] > 0)
    assert poisson < -0.4 or energy.min() > -1e-6
    mu, lam = law.moduli
    assert mu[0] > 0 and lam[0] + 2 / 3 * mu[0] > 0


@pytest.mark.parametrize("exponents", [(2.0,), (-2.0,), (1.0, 3.0)])
def test_ogden_with_powers_on_one_side_does_not(exponents):
    weights = [1 / len(exponents)] * len(exponents)
    material.Ogden(young=1e4, poisson=0.0, exponents=exponents, weights=weights)
    with pytest.raises(InputError, match=r"is -0.1; expected at least 0.*lowest energy"):
        material.Ogden(young=1e4, poisson=-0.1, exponents=exponents, weights=weights)


@pytest.mark.parametrize("name", ["NeoHookean", "FixedCorotated"])
def test_negative_poisson_ratios_are_for_laws_that_bear_them(name):
    with pytest.raises(InputError, match=r"is -0.1; expected at least 0"):
        getattr(material, name)(young=1e4, poisson=-0.1)
    getattr(material, name)(young=1e4, poisson=0.0)


@pytest.mark.parametrize("name", ["Corotated", "StVenantKirchhoff", "StableNeoHookean", "LinearElastic"])
def test_others_have_a_lowest_energy_down_to_minus_one(name):
    law = getattr(material, name)(young=1e4, poisson=-0.99)
    F = np.stack([np.diag(s) for s in 3.0 * np.random.default_rng(0).standard_normal((200, 3))] + [1e3 * np.eye(3)])
    assert np.all(Samples(law, len(F)).energy(F) > -1e4)


@pytest.mark.parametrize(
    "curves",
    [
        {"a": lambda x: -(x - 1)},  # softer the further
        {"a": lambda x: x, "c": lambda x: -1.0 + 0 * x},  # −J outgrows s²
        {"a": lambda x: 3 * x, "c": lambda x: -3.0 - 2 * (x - 1)},  # −J²
        {"a": lambda x: x, "b": lambda x: -(x - 1), "c": lambda x: -1 + 9 * (x - 1)},  # −(sᵢsⱼ)² at constant volume
    ],
)
def test_splines_that_fall_at_their_ends(curves):
    with pytest.raises(InputError, match="fall without end"):
        material.ValanisLandel(**curves)


def test_splines_that_rise_are_taken():
    material.ValanisLandel.polynomial(3.0)
    law = material.ValanisLandel.neo_hookean_like(1e4, 0.3, compression=3.0, tension=1.2)
    mu, lam = law.moduli
    assert mu[0] == pytest.approx(1e4 / 2.6) and lam[0] == pytest.approx(1e4 * 0.3 / (1.3 * 0.4))
    assert material.ValanisLandel.polynomial(3.0).moduli is None
