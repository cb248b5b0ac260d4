"""Every energy: its gradient, its tangent and its blocks by finite differences."""

import importlib
import pkgutil

import numpy as np
import pytest

import pliant.energy
from pliant.energy.base import Energy, Step
from pliant.energy.damping.damping_energy import Viscosity
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.obstacles.obstacle_energy import Obstacle, ObstacleContact
from pliant.energy.plasticity.plastic_energy import Flowing
from pliant.energy.sheets.bending_flow import BendingFlow
from pliant.energy.volume.volume_energy import MeanVolume
from pliant.geometry.distance.sdf import plane, sphere
from pliant.runtime.device import Device

from .cases import Gathered, body_of, elastic, make
from .energy_cases import CASES, _contact, of_pressure, shaken

STEP = 1e-6


def test_no_energy_escapes():
    for item in pkgutil.walk_packages(pliant.energy.__path__, "pliant.energy."):
        importlib.import_module(item.name)

    def below(cls):
        return {cls}.union(*[below(c) for c in cls.__subclasses__()])

    ours = {c for c in below(Energy) if c.__module__.startswith("pliant.energy")} - {Energy, MeanVolume}
    ours -= {Flowing, BendingFlow}  # what two of them share, and what only remembers
    assert ours == {cls for _, cls in CASES.values()}


@pytest.fixture(params=list(CASES))
def case(request):
    return CASES[request.param][0]()


def test_gradient(case):
    energy, x = case
    g = energy.gradient(x)
    for seed in range(4):
        d = np.random.default_rng(seed).standard_normal(x.shape)
        slope = (energy.value(x + STEP * d) - energy.value(x - STEP * d)) / (2 * STEP)
        assert np.sum(g * d) == pytest.approx(slope, rel=1e-6, abs=1e-8 * np.abs(g).sum())


def test_tangent(case):
    energy, x = case
    for seed in range(4):
        d = np.random.default_rng(seed).standard_normal(x.shape)
        expected = (energy.gradient(x + STEP * d) - energy.gradient(x - STEP * d)) / (2 * STEP)
        size = max(np.abs(expected).max(), 1e-6)
        assert np.abs(energy.tangent(x, d) - expected).max() <= 1e-6 * size


@pytest.mark.parametrize("project", [False, True])
def test_blocks_are_the_tangent_and_symmetric(case, project):
    energy, x = case
    K = energy.matrix(x, project)
    d = np.random.default_rng(3).standard_normal(x.shape)
    expected = energy.tangent(x, d, project).reshape(-1)
    size = max(np.abs(K).max(), 1e-6)
    assert np.abs(K - K.T).max() <= 1e-10 * size
    assert np.abs(K @ d.reshape(-1) - expected).max() <= 1e-9 * size * np.abs(d).max() * 10
    if project:
        assert np.linalg.eigvalsh(K).min() >= -1e-10 * size


def test_gradient_adds_to_what_is_there(case):
    energy, x = case
    out = energy.device.array(np.ones_like(x), energy.device.types.vec3)
    energy.energy.gradient(energy.array(x), out)
    assert np.abs(out.numpy() - 1 - energy.gradient(x)).max() <= 1e-9 * max(1.0, np.abs(out.numpy()).max())


def test_contact_with_a_curved_obstacle_has_a_true_gradient():
    energy, x = _contact(sphere(0.5, centre=(0.0, 0.0, -0.4)))
    assert np.count_nonzero(np.abs(energy.gradient(x)).max(axis=1)) > 10
    test_gradient((energy, x))


def test_smooth_contact_with_friction():
    energy, x = _contact(plane(z=0.0), smoothing=2e-3)
    test_gradient((energy, x))
    d, step = np.random.default_rng(0).standard_normal(x.shape), 1e-8
    expected = (energy.gradient(x + step * d) - energy.gradient(x - step * d)) / (2 * step)
    assert np.abs(energy.tangent(x, d) - expected).max() <= 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_smooth_contact_against_its_closed_form(precision):
    """Force k s log(1 + e^{−φ/s}) and energy −k s² Li₂(−e^{−φ/s}), from 60 s inside to 60 s outside (SciPy's Spence function)."""
    from scipy.special import spence

    device, k, s = Device("cpu", precision), 300.0, 2e-3
    z = np.concatenate([np.linspace(-60, 60, 49), [-1e-3, 1e-3, 0.1]])
    x = np.column_stack([0 * z, 0 * z, s * z])
    digits = 1e-12 if precision == "f64" else 2e-5
    for i in range(len(z)):
        contact = ObstacleContact(device, [Obstacle(plane(z=0.0))], np.array([k]), 0.0, smoothing=s)
        one = Gathered(contact, device)
        assert -one.gradient(x[i : i + 1])[0, 2] == pytest.approx(k * s * np.logaddexp(0, -z[i]), rel=digits)
        assert one.value(x[i : i + 1]) == pytest.approx(-k * s**2 * spence(1 + np.exp(-z[i])), rel=digits)


def test_smoothing_of_nothing_is_sharp():
    """As s goes to 0 the smooth contact becomes the sharp one, with an error of s k log 2 at the most."""
    sharp, x = _contact(plane(z=0.0), friction=0.0)
    for s in (1e-3, 1e-4):
        smooth, _ = _contact(plane(z=0.0), smoothing=s, friction=0.0)
        away = np.abs(smooth.gradient(x) - sharp.gradient(x)).max()
        assert 0 < away <= 300.0 * s * np.log(2)


def test_contact_with_a_curved_obstacle_has_a_true_tangent():
    test_tangent(_contact(sphere(0.5, centre=(0.0, 0.0, -0.4))))


@pytest.mark.parametrize("name", ["Ogden", "NeoHookean"])
def test_barrier_laws_leave_sheets_alone(name):
    """A sheet relaxes its thickness, so no step of it can invert; F has rank 2 there and det F is no measure."""
    from pliant import material

    device, sheet = Device("cpu", "f64"), body_of("x", 2)
    options = {} if name == "Ogden" else {"extended_below": 0.0}
    energy = ElasticEnergy(device, sheet, getattr(material, name)(young=1e4, **options))
    x = device.array(sheet.rest, device.types.vec3)
    assert energy.material.barrier
    assert energy.step_limit(x, x) == 1.0


def test_viscosity_feels_no_rigid_motion():
    from .cases import rotations

    base = elastic("StableNeoHookean")
    X = base.energy.elements.rest
    viscosity = Viscosity(base.device, base.energy, 3.0)
    x = shaken(X)
    viscosity.begin(Step(base.array(x), 0.0, 60.0, base.array(x)))
    moved = x @ rotations(1, 8)[0].T + [1.0, 2.0, 3.0]
    assert np.abs(Gathered(viscosity, base.device).gradient(moved)).max() <= 1e-9


def test_viscous_shear_stress_is_viscosity_times_shear_rate():
    """σ = η γ̇ for simple shear from rest."""
    base = elastic("StableNeoHookean")
    X = base.energy.elements.rest
    eta, dt, rate = 3.0, 1e-7, 2.0
    viscosity = Viscosity(base.device, base.energy, eta)
    viscosity.begin(Step(base.array(X), 0.0, 1 / dt, base.array(X)))
    x = X.copy()
    x[:, 0] += rate * dt * X[:, 2]
    power = np.sum(Gathered(viscosity, base.device).gradient(x)[:, 0] * rate * X[:, 2])
    assert power == pytest.approx(eta * rate**2 * base.energy.elements.volumes.sum(), rel=1e-5)


def test_pressure_is_minus_pressure_times_volume():
    energy, x = of_pressure()
    mesh = type(body_of("x", 3).mesh)(x, body_of("x", 3).mesh.tets)
    assert energy.value(x) == pytest.approx(-800.0 * mesh.volume, rel=1e-12)
    assert np.abs(energy.gradient(x).sum(axis=0)).max() <= 1e-12 * np.abs(energy.gradient(x)).max()


def test_step_limit_stops_before_inversion():
    """For barrier laws the limit keeps det F positive, and does not cut steps that are safe."""
    from pliant.material import NeoHookean

    elements, device = body_of("x", 3), Device("cpu", "f64")
    energy = ElasticEnergy(device, elements, NeoHookean(young=1e4, extended_below=0.0))
    X = elements.rest
    array = lambda x: device.array(x, device.types.vec3)

    def determinants(x):
        return np.linalg.det(np.einsum("mki,mkj->mij", x[elements.nodes], elements.gradients[:, 0]))

    for seed in range(5):
        d = 0.3 * np.random.default_rng(seed).standard_normal(X.shape)
        limit = energy.step_limit(array(X), array(d))
        fractions = np.linspace(0, limit, 200)
        assert 0 < limit < 1
        assert min(determinants(X + a * d).min() for a in fractions) > 0
        assert determinants(X + limit * d).min() < 0.06  # not cautious without need
        assert energy.step_limit(array(X), array(1000 * d)) == pytest.approx(limit / 1000, rel=1e-6)
    assert energy.step_limit(array(X), array(1e-4 * d)) == 1.0
    assert make("StableNeoHookean").barrier is False
