"""Every law against formulas worked out by hand: small strain, uniaxial stress, simple shear, plane stress."""

import numpy as np
import pytest
from scipy.optimize import brentq

from pliant import material
from pliant.elements.springs import Springs
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.geometry.mesh.mesh import EdgeMesh
from pliant.material.base import lame
from pliant.runtime.device import Device

from .cases import ELASTIC, POISSON, SHEETS, THREADS, YOUNG, Gathered, Samples, law, make

MU, LAM = (float(v) for v in lame(YOUNG, POISSON))
STRETCHES = np.array([0.6, 0.8, 0.95, 1.0, 1.1, 1.5, 2.0])


def hooke(mu: float, lam: float) -> np.ndarray:
    """(9, 9) tangent of linear elasticity."""
    I = np.eye(3)
    C = mu * (np.einsum("ik,jl->ijkl", I, I) + np.einsum("il,jk->ijkl", I, I)) + lam * np.einsum("ij,kl->ijkl", I, I)
    return C.reshape(9, 9)


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.45])
@pytest.mark.parametrize("name", ELASTIC)
def test_small_strain_is_hooke_with_the_given_modulus_and_ratio(name, poisson):
    poisson = {"Arap": 0.0, "MooneyRivlin": max(poisson, 1 / 6)}.get(name, poisson)
    mu, lam = (float(v) for v in lame(YOUNG, poisson))
    M = Samples(law(name, YOUNG, poisson), 1).stiffness(np.eye(3)[None], project=False)[0]
    assert np.abs(M - hooke(mu, lam)).max() <= 1e-9 * YOUNG
    d = np.random.default_rng(0).standard_normal((1, 3, 3))
    dP = Samples(law(name, YOUNG, poisson), 1).tangent(np.eye(3)[None], d)[0]
    assert np.abs(dP.reshape(9) - hooke(mu, lam) @ d.reshape(9)).max() <= 1e-9 * YOUNG


def test_drawn_law_has_nearly_the_given_modulus_and_ratio():
    M = Samples(make("ValanisLandel"), 1).stiffness(np.eye(3)[None], project=False)[0]
    assert np.abs(M - hooke(MU, LAM)).max() <= 0.02 * LAM


@pytest.mark.parametrize("name", [n for n in SHEETS if "+" not in n])
def test_sheet_at_small_strain_is_plane_stress(name):
    M = Samples(make(name), 1, 2).stiffness(np.eye(3)[None], project=False)[0].reshape(3, 3, 3, 3)
    assert M[0, 0, 0, 0] == pytest.approx(YOUNG / (1 - POISSON**2), rel=1e-9)
    assert M[0, 0, 1, 1] == pytest.approx(POISSON * YOUNG / (1 - POISSON**2), rel=1e-9)
    assert M[0, 1, 0, 1] == pytest.approx(MU, rel=1e-9)
    assert abs(M[2, 0, 2, 0]) <= 1e-9 * YOUNG  # out of the plane only tension holds


@pytest.mark.parametrize("name", THREADS)
def test_thread_at_small_strain_has_youngs_modulus(name):
    M = Samples(make(name), 1, 1).stiffness(np.eye(3)[None], project=False)[0].reshape(3, 3, 3, 3)
    assert M[0, 0, 0, 0] == pytest.approx(YOUNG, rel=1e-9)
    assert abs(M[1, 0, 1, 0]) <= 1e-9 * YOUNG


# --- uniaxial stress: (lateral stretch, axial P) of each law by hand, at axial stretch s


def _linear(s):
    return 1 - POISSON * (s - 1), YOUNG * (s - 1)


def _stvk(s):
    return np.sqrt(1 - POISSON * (s * s - 1)), YOUNG * s * (s * s - 1) / 2


def _fixed_corotated(s):
    # 2μ(l−1) + λ(s l² − 1) s l = 0
    roots = np.roots([LAM * s * s, 0, 2 * MU - LAM * s, -2 * MU])
    l = next(r.real for r in roots if abs(r.imag) < 1e-12 and r.real > 0)
    return l, 2 * MU * (s - 1) + LAM * (s * l * l - 1) * l * l


def _neo_hookean(s, mu=MU, lam=LAM):
    # μ l² = μ − λ log(s l²)
    l = brentq(lambda l: mu * (l * l - 1) + lam * np.log(s * l * l), 0.05, 5, xtol=1e-15)
    return l, mu * (s - l * l / s)


def _stable_neo_hookean(s):
    mu, lam = MU * 4 / 3, LAM + MU * 5 / 6
    first = lambda l: mu * (1 - 1 / (s * s + 2 * l * l + 1))
    l = brentq(lambda l: first(l) + (lam * (s * l * l - 1) - 0.75 * mu) * s, 0.05, 5, xtol=1e-15)
    return l, first(l) * (s - l * l / s)


def _mooney_rivlin(s):
    c1, c2 = 0.5 * MU * 0.75, 0.5 * MU * 0.25
    lam = LAM - 4 * c2
    volume = lambda l: lam * np.log(s * l * l) - 2 * c1 - 4 * c2  # J c′(J)
    l = brentq(lambda l: 2 * c1 * l * l + 2 * c2 * l * l * (s * s + l * l) + volume(l), 0.05, 5, xtol=1e-15)
    return l, 2 * c1 * s + 4 * c2 * s * l * l + volume(l) / s


def _ogden(s):
    alpha, weight = np.array([1.3, 5.0, -2.0]), np.array([0.9692, 0.0071, 0.0237])
    mu = 2 * MU * weight / alpha
    volume = lambda l: LAM * np.log(s * l * l) - mu.sum()
    l = brentq(lambda l: np.sum(mu * l**alpha) + volume(l), 0.05, 5, xtol=1e-15)
    return l, (np.sum(mu * s**alpha) + volume(l)) / s


UNIAXIAL = {
    "LinearElastic": _linear,
    "Corotated": _linear,
    "Arap": lambda s: (1.0, YOUNG * (s - 1)),
    "FixedCorotated": _fixed_corotated,
    "StVenantKirchhoff": _stvk,
    "NeoHookean": _neo_hookean,
    "StableNeoHookean": _stable_neo_hookean,
    "MooneyRivlin": _mooney_rivlin,
    "Ogden": _ogden,
}


@pytest.mark.parametrize("name", ELASTIC)
def test_uniaxial_stress(name):
    found = np.array([UNIAXIAL[name](s) for s in STRETCHES])
    F = np.array([np.diag([s, l, l]) for s, l in zip(STRETCHES, found[:, 0])])
    expected = np.zeros_like(F)
    expected[:, 0, 0] = found[:, 1]
    assert np.abs(Samples(make(name), len(F)).stress(F) - expected).max() <= 1e-8 * YOUNG


@pytest.mark.parametrize("name", THREADS)
def test_threads_are_in_uniaxial_stress(name):
    F = STRETCHES[:, None, None] * np.eye(3)
    found = Samples(make(name), len(F), 1).stress(F)[:, 0, 0]
    assert np.abs(found - [UNIAXIAL[name](s)[1] for s in STRETCHES]).max() <= 1e-8 * YOUNG


def test_neo_hookean_table():
    """μ = 1, λ = 10: stretch, lateral stretch, P; rounded to six decimals."""
    table = np.array([
        [0.5, 1.356112, -3.178078], [0.8, 1.105665, -0.728119], [1.2, 0.919916, 0.494796],
        [1.5, 0.829342, 1.041461], [2.0, 0.724125, 1.737822], [3.0, 0.596258, 2.881492],
    ])  # fmt: skip
    rubber = material.NeoHookean.from_lame(mu=1.0, lam=10.0)
    thread = Samples(rubber, len(table), 1).stress(table[:, :1, None] * np.eye(3))[:, 0, 0]
    assert np.abs(thread - table[:, 2]).max() <= 6e-7
    lateral, P = np.array([_neo_hookean(s, 1.0, 10.0) for s in table[:, 0]]).T
    assert np.abs(lateral - table[:, 1]).max() <= 6e-7
    solid = Samples(rubber, len(table)).stress(np.array([np.diag([s, l, l]) for s, l in zip(table[:, 0], lateral)]))
    assert np.abs(solid[:, 0, 0] - P).max() <= 1e-8
    assert np.abs(solid[:, 1, 1]).max() <= 1e-8


def test_nearly_incompressible_neo_hookean_tends_to_the_textbook():
    """P = μ(s − s⁻²) in the limit λ → ∞; at λ/μ = 1e6 to 1e-5."""
    rubber = material.NeoHookean.from_lame(mu=1.0, lam=1e6)
    found = Samples(rubber, len(STRETCHES), 1).stress(STRETCHES[:, None, None] * np.eye(3))[:, 0, 0]
    assert np.abs(found - (STRETCHES - STRETCHES**-2.0)).max() <= 1e-5


# --- simple shear F = I + γ e₁⊗e₂


def _shear(name: str, g: float) -> np.ndarray:
    F = np.eye(3)
    F[0, 1] = g
    cof = np.eye(3)
    cof[1, 0] = -g
    I = 3 + g * g
    c, s = 2 / np.sqrt(4 + g * g), g / np.sqrt(4 + g * g)
    R = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    if name == "LinearElastic":
        return MU * g * np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    if name == "Corotated":
        return 2 * MU * (F - R) + LAM * (np.sqrt(4 + g * g) - 2) * R
    if name == "FixedCorotated":
        return 2 * MU * (F - R)
    if name == "Arap":
        return YOUNG * (F - R)
    if name == "StVenantKirchhoff":
        S = np.array([[LAM * g * g / 2, MU * g, 0], [MU * g, (MU + LAM / 2) * g * g, 0], [0, 0, LAM * g * g / 2]])
        return F @ S
    if name == "NeoHookean":
        return MU * (F - cof)
    if name == "StableNeoHookean":
        return MU * 4 / 3 * (I / (I + 1) * F - 0.75 * cof)
    if name == "MooneyRivlin":
        c1, c2 = 0.5 * MU * 0.75, 0.5 * MU * 0.25
        return 2 * c1 * F + 2 * c2 * (I * F - F @ F.T @ F) - (2 * c1 + 4 * c2) * cof
    if name == "Ogden":
        U, stretch, Vt = np.linalg.svd(F)
        alpha, weight = np.array([1.3, 5.0, -2.0]), np.array([0.9692, 0.0071, 0.0237])
        mu = 2 * MU * weight / alpha
        return U @ np.diag([(np.sum(mu * x**alpha) - mu.sum()) / x for x in stretch]) @ Vt
    raise KeyError(name)


@pytest.mark.parametrize("name", ELASTIC)
def test_simple_shear(name):
    shears = np.array([-0.7, -0.1, 0.0, 1e-5, 0.3, 1.0])
    F = np.tile(np.eye(3), (len(shears), 1, 1))
    F[:, 0, 1] = shears
    expected = np.array([_shear(name, g) for g in shears])
    assert np.abs(Samples(make(name), len(F)).stress(F) - expected).max() <= 1e-8 * YOUNG


# --- Valanis–Landel forms of other laws, fibres, muscle, springs, sheets


def test_valanis_landel_forms_reproduce_polynomial_laws():
    """With cubic a′ the splines are exact: St Venant–Kirchhoff and corotated come back."""
    forms = {
        "StVenantKirchhoff": (lambda x: MU * x * (x * x - 1) + LAM / 2 * (x**3 - 3 * x), lambda x: LAM / 2 * x),
        "Corotated": (lambda x: 2 * MU * (x - 1) + LAM * (x - 3), lambda x: LAM + 0 * x),
    }
    F = np.concatenate([np.diag(s)[None] for s in ([1.3, 0.9, 0.7], [0.6, 1.8, 1.1], [2.0, 1.5, 0.4])])
    for name, (a, b) in forms.items():
        drawn, plain = Samples(material.ValanisLandel(a=a, b=b), 3), Samples(make(name), 3)
        assert np.abs(drawn.stress(F) - plain.stress(F)).max() <= 1e-8 * YOUNG
        assert np.abs(drawn.energy(F) - plain.energy(F)).max() <= 1e-8 * YOUNG
        assert np.abs(drawn.stiffness(F, False) - plain.stiffness(F, False)).max() <= 1e-7 * YOUNG


def test_polynomial_law():
    """a = μ(x−1)⁴: P = 4μ(s−1)³, ψ = μ(s−1)⁴ in uniaxial stretch."""
    s = np.array([0.3, 0.7, 1.0, 1.4, 2.1])
    F = np.array([np.diag([x, 1, 1]) for x in s])
    drawn = Samples(material.ValanisLandel.polynomial(YOUNG), len(s))
    assert np.abs(drawn.stress(F)[:, 0, 0] - 4 * YOUNG * (s - 1) ** 3).max() <= 1e-8 * YOUNG
    assert np.abs(drawn.energy(F) - YOUNG * (s - 1) ** 4).max() <= 1e-8 * YOUNG


def test_fibres_pull_along_their_direction_only():
    d = np.array([0.6, -0.64, 0.48])
    F = np.eye(3) + 0.4 * np.outer(d, d)
    found = Samples(make("Fibres"), 1).stress(F[None])[0]
    assert np.abs(found - 0.4 * YOUNG * np.outer(d, d)).max() <= 1e-10 * YOUNG


def test_muscle_pulls_with_peak_stress_at_rest_length():
    d = np.array([0.6, -0.64, 0.48])
    points = [
        (1.0, 1.0, 0.0),
        (0.4, 0.0, 0.0),
        (1.2, 1 - 25 / 6 * 0.04, 0.05 * (np.exp(1.32) - 2.32)),
        (1.5, 25 / 3 * 0.01, 0.05 * (np.exp(2.64) - 3.64) + 0.033 * (np.exp(2.64) - 1)),
    ]
    for stretch, active, passive in points:
        F = np.eye(3) + (stretch - 1) * np.outer(d, d)
        tension = d @ Samples(make("Muscle"), 1).stress(F[None])[0] @ d
        assert tension == pytest.approx(YOUNG * (0.7 * active + passive), rel=1e-9, abs=1e-9 * YOUNG)


def test_corotated_thread_is_hookes_spring():
    """½ k (l − l₀)² with k = E A / l₀, its force and its Hessian (Eq 4.2–4.8), to 1e-12; up to stretch 1 + 1/ν."""
    random = np.random.default_rng(0)
    X, x = random.standard_normal((2, 3)), 0.4 * random.standard_normal((2, 3))
    radius, device = 0.013, Device("cpu", "f64")
    spring = Gathered(ElasticEnergy(device, Springs(EdgeMesh(X, [[0, 1]]), radius), make("Corotated")), device)
    rest, d = np.linalg.norm(X[0] - X[1]), x[0] - x[1]
    length = np.linalg.norm(d)
    k = YOUNG * np.pi * radius**2 / rest
    assert spring.value(x) == pytest.approx(0.5 * k * (length - rest) ** 2, rel=1e-12)
    pull = k * (length - rest) * d / length
    assert np.abs(spring.gradient(x) - [pull, -pull]).max() <= 1e-12 * np.abs(pull).max()
    H = k * (np.eye(3) - rest / length * (np.eye(3) - np.outer(d, d) / length**2))
    assert np.abs(spring.matrix(x) - np.block([[H, -H], [-H, H]])).max() <= 1e-12 * k


def test_equibiaxial_sheet():
    """A neo-Hookean sheet stretched alike in both directions: μ(t² − 1) + λ log(s²t) = 0 gives its thickness t."""
    s = np.array([0.8, 1.0, 1.3, 2.0])
    F = s[:, None, None] * np.eye(3)
    expected = []
    for x in s:
        t = brentq(lambda t, x=x: MU * (t * t - 1) + LAM * np.log(x * x * t), 0.01, 5, xtol=1e-15)
        expected.append(MU * (x - t * t / x))
    P = Samples(make("NeoHookean"), len(s), 2).stress(F)
    assert np.abs(P[:, 0, 0] - expected).max() <= 1e-8 * YOUNG
    assert np.abs(P[:, 1, 1] - expected).max() <= 1e-8 * YOUNG
    assert np.abs(P[:, 2]).max() <= 1e-8 * YOUNG
