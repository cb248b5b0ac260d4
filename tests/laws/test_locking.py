"""Nearly incompressible bricks: with the volume of whole elements they bend as a beam does, point by point they lock."""

import numpy as np
import pytest

import pliant as pl
from pliant.device import Device
from pliant.energy.elastic import ElasticEnergy
from pliant.energy.points import DeadForces
from pliant.energy.volume import AveragedVolume
from pliant.solve.objective import Objective

from .cases import brick

YOUNG, LENGTH, WIDTH = 1e6, 1.0, 0.125


def deflection(poisson: float, measure: pl.Averaged | None, cells=(16, 2, 2), load: float = 1e-2) -> float:
    """Sinking of the tip of a cantilever under a small dead load at its end, over that of Timoshenko's beam."""
    elements, device = brick(cells, WIDTH / cells[1]), Device("cpu", "f64")
    law = pl.NeoHookean(young=YOUNG, poisson=poisson)
    if measure is None:
        energies = [ElasticEnergy(device, elements, law)]
    else:
        shear, kappa, own = law.without_volume()
        volume = AveragedVolume(device, elements, float(kappa), measure.measure or own, measure.aggregate)
        energies = [ElasticEnergy(device, elements, shear), volume]
    X = elements.rest
    forces = np.zeros_like(X)
    tip = X[:, 0] > LENGTH - 1e-9
    forces[tip, 2] = -load / tip.sum()
    free = np.repeat((X[:, 0] > 1e-9)[:, None], 3, axis=1).astype(float)
    objective = Objective(device, [*energies, DeadForces(device, forces)], free, positions=X)
    x = device.array(X, device.types.vec3)
    report = pl.Newton(linear=pl.Direct(), hessian=pl.Projected(), tolerance=1e-9).solve(objective, x)
    assert report.ok, report.why
    inertia, area = WIDTH**4 / 12, WIDTH**2
    beam = load * LENGTH**3 / (3 * YOUNG * inertia) + load * LENGTH / (5 / 6 * float(law.mu) * area)
    return -np.mean((x.numpy() - X)[tip, 2]) / beam


def test_averaging_cures_locking():
    """From ν = 0.49 to 0.4999 the mean keeps its answer; single points lose four fifths of it."""
    mean = [deflection(poisson, pl.Averaged()) for poisson in (0.49, 0.4999)]
    points = [deflection(poisson, None) for poisson in (0.49, 0.4999)]
    assert mean[1] == pytest.approx(mean[0], rel=0.01) and 0.7 < mean[1] < 1.05
    assert points[1] < 0.35 < points[0] < mean[0]


@pytest.mark.parametrize("measure", [pl.Averaged("log", True), pl.Averaged("excess"), pl.Averaged("excess", True)])
def test_measures_agree_for_small_strain(measure):
    assert deflection(0.499, measure) == pytest.approx(deflection(0.499, pl.Averaged()), rel=1e-4)


def test_sheets_have_no_volume():
    sheet = pl.Membrane(pl.cloth_grid((1.0, 1.0), (1, 1)), thickness=0.1)
    with pytest.raises(pl.InputError, match="no volume to keep"):
        AveragedVolume(Device(), sheet, 1.0)


SPLIT = [name for name in pl.material.__all__ if getattr(getattr(pl, name), "VOLUME", None)] + ["MooneyRivlin"]


@pytest.mark.parametrize("law", SPLIT)
def test_law_and_its_volume_make_up_the_law(law):
    """ψ₀ + κ/2 M² at one point is ψ, for stresses too: the split that cells with averaged volume use."""
    material = getattr(pl, law)(young=1e4, poisson=0.3)
    shape, kappa, measure = material.without_volume()
    tet = pl.Tets(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)))
    device = Device()
    x = device.array(tet.rest + 0.01 * np.random.default_rng(1).standard_normal(tet.rest.shape), device.types.vec3)
    whole, parts = ElasticEnergy(device, tet, material), (
        ElasticEnergy(device, tet, shape), AveragedVolume(device, tet, kappa, measure))  # fmt: skip
    assert whole.value(x) == pytest.approx(sum(part.value(x) for part in parts), rel=1e-10)
    total, sums = device.zeros(len(tet.rest), device.types.vec3), device.zeros(len(tet.rest), device.types.vec3)
    whole.gradient(x, total)
    for part in parts:
        part.gradient(x, sums)
    np.testing.assert_allclose(sums.numpy(), total.numpy(), atol=1e-10 * np.abs(total.numpy()).max())
