"""Nearly incompressible bricks: with the volume of whole elements they bend as a beam does, point by point they lock."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.points.node_energies import DeadForces
from pliant.energy.volume.volume_energy import AveragedVolume
from pliant.errors import PliantWarning
from pliant.runtime.device import Device
from pliant.solve.objective.step_objective import Objective

from .cases import EVERY, LAWS, brick, make

YOUNG, LENGTH, WIDTH = 1e6, 1.0, 0.125


def deflection(poisson: float, measure: pl.quadrature.Averaged | None, cells=(16, 2, 2), load: float = 1e-2) -> float:
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
    report = pl.Newton(linear=pl.linear.Direct(), hessian=pl.solver.Projected(), tolerance=1e-9).solve(objective, x).report
    assert report.kept, report.why
    inertia, area = WIDTH**4 / 12, WIDTH**2
    beam = load * LENGTH**3 / (3 * YOUNG * inertia) + load * LENGTH / (5 / 6 * float(law.mu) * area)
    return -np.mean((x.numpy() - X)[tip, 2]) / beam


def test_averaging_cures_locking():
    """From ν = 0.49 to 0.4999 the mean keeps its answer; single points lose four fifths of it."""
    mean = [deflection(poisson, pl.quadrature.Averaged()) for poisson in (0.49, 0.4999)]
    points = [deflection(poisson, None) for poisson in (0.49, 0.4999)]
    assert mean[1] == pytest.approx(mean[0], rel=0.01) and 0.7 < mean[1] < 1.05
    assert points[1] < 0.35 < points[0] < mean[0]


@pytest.mark.parametrize(
    "measure",
    [pl.quadrature.Averaged("log", True), pl.quadrature.Averaged("excess"), pl.quadrature.Averaged("excess", True)],
)
def test_measures_agree_for_small_strain(measure):
    assert deflection(0.499, measure) == pytest.approx(deflection(0.499, pl.quadrature.Averaged()), rel=1e-4)


def test_sheets_have_no_volume():
    sheet = pl.Membrane(pl.cloth_grid((1.0, 1.0), (1, 1)), thickness=0.1)
    with pytest.raises(pl.errors.InputError, match="no volume to preserve"):
        AveragedVolume(Device(), sheet, 1.0)


SPLIT = [name for name in EVERY if make(name).without_volume() is not None]


def test_laws_that_split_off_their_volume():
    """All that resist it by a term of its own, alone and in sums with laws of one direction."""
    assert set(LAWS) - set(SPLIT) == {"Arap", "Fibres", "Muscle", "StrainLimit", "VolumePreservation"}
    assert {"StableNeoHookean+Fibres", "NeoHookean+Fibres+Muscle", "NeoHookean+StrainLimit"} <= set(SPLIT)
    assert "Corotated+NeoHookean" not in SPLIT  # they measure it in two ways
    assert pl.ValanisLandel.polynomial(1e3).without_volume() is None


def test_moduli_of_both_terms_add_up():
    one, other = pl.NeoHookean(young=1e4, poisson=0.3), pl.NeoHookean(young=2e4, poisson=0.4)
    rest, kappa, measure = (one + other).without_volume()
    assert float(kappa) == pytest.approx(float(one.lam + other.lam)) and measure == "log"
    assert (one + other).moduli[0] == pytest.approx(float(one.mu + other.mu))
    assert rest.moduli[1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("law", SPLIT)
def test_law_and_its_volume_make_up_the_law(law):
    """ψ₀ + κ/2 M² at one point is ψ, for stresses too: the split that cells with averaged volume use."""
    material = make(law)
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


def sinking(shape, poisson):
    """How far the end of a bar of 0.4 × 0.1 × 0.1 m sinks under its weight [m]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        body = pl.Body(shape, pl.Corotated(young=1e6, poisson=poisson), pinned=lambda X: X[:, 0] < X[:, 0].min() + 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.QuasiStatic(1.0, pl.Newton(linear=pl.linear.Direct())))
    assert sim.step().converged
    end = shape.rest[:, 0] > shape.rest[:, 0].max() - 1e-9
    return -np.mean((sim.x - shape.rest)[end, 2])


def test_bodies_that_lock_warn_from_a_tenth_on():
    """Against the same bar with averaged volume, and for tets against ν = 0, where nothing locks."""
    solid = pl.box((0.4, 0.1, 0.1))
    mean, plain = pl.Lattice(solid, 0.025, volume=pl.quadrature.Averaged()), pl.Lattice(solid, 0.025)
    tets = pl.Tets(pl.tet_grid((0.4, 0.1, 0.1), (16, 4, 4)))
    for shape, below in ((plain, 0.44), (tets, 0.46)):
        first = sinking(mean, 0.0) / sinking(shape, 0.0)
        stiffer = [sinking(mean, nu) / sinking(shape, nu) / first for nu in (below, shape.locks_from)]
        assert stiffer[0] < 1.1 < stiffer[1]


@pytest.mark.parametrize("poisson", [0.3, 0.479, 0.48, 0.4999])
def test_the_warning_names_the_cure(poisson):
    mesh, solid, law = pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.box(0.2), pl.NeoHookean(young=1e5, poisson=poisson)
    shapes = [mesh, pl.Lattice(solid, 0.1), pl.Lattice(solid, 0.1, volume=pl.quadrature.Averaged())]
    shapes += [
        pl.Lattice(solid, 0.1, quadrature=pl.quadrature.Centre()),
        pl.Membrane(pl.cloth_grid((1, 1), (2, 2)), thickness=0.1),
    ]
    warned = []
    for shape in shapes:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            pl.Body(shape, law)
        assert len(caught) <= 1 and all("Averaged()" in str(w.message) for w in caught)
        assert all(w.category is PliantWarning and w.filename == __file__ for w in caught)
        warned.append(len(caught))
    assert warned == [poisson >= 0.48, poisson >= 0.46, 0, 0, 0]
