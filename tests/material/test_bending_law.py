"""The laws of plates, function by function."""

import numpy as np
import pytest
import warp as wp

from pliant.material.laws.bending_law import Bending, ViscousBending
from pliant.runtime.device import Device

RANDOM = np.random.default_rng(0)
COUNT = 40


def evaluated(law, F: np.ndarray, D: np.ndarray, project: bool = False) -> tuple[np.ndarray, ...]:
    """Energy, stress, tangent along D and projected tangent along D at each F."""
    device = Device("cpu", "f64")
    t = device.types
    functions = law.functions(t, 3)
    energy, stress, differential, projected = (
        getattr(functions, name) for name in ("energy", "stress", "differential", "projected")
    )
    params = t.vector(law.width)

    @t.kernel
    def run(
        start: int,
        F: wp.array(dtype=t.mat33),
        D: wp.array(dtype=t.mat33),
        table: wp.array(dtype=params),
        psi: wp.array(dtype=t.real),
        P: wp.array(dtype=t.mat33),
        dP: wp.array(dtype=t.mat33),
        pP: wp.array(dtype=t.mat33),
    ):
        i = start + wp.tid()
        psi[i] = energy(F[i], table[i])
        P[i] = stress(F[i], table[i])
        dP[i] = differential(F[i], D[i], table[i])
        pP[i] = projected(F[i], D[i], table[i])

    out = [device.zeros(len(F), t.real)] + [device.zeros(len(F), t.mat33) for _ in range(3)]
    inputs = (device.array(F, t.mat33), device.array(D, t.mat33), device.array(law.table(), params))
    device.launch(run, len(F), *inputs, *out)
    return tuple(a.numpy() for a in out)


def cases() -> tuple[Bending, np.ndarray, np.ndarray]:
    law = Bending(
        stiffness=RANDOM.uniform(0.5, 2, COUNT),
        poisson=RANDOM.uniform(-0.4, 0.49, COUNT),
        rest=RANDOM.standard_normal((COUNT, 3)) * (np.arange(COUNT) % 4 > 0)[:, None],
    )
    return law, *(RANDOM.standard_normal((2, COUNT, 3, 3)))


def test_the_energy_is_the_distance_to_the_shapes_at_rest():
    """Every n is at least as far as the one that counts, and one of many is nearly as near."""
    law, F, D = cases()
    psi = evaluated(law, F, D)[0]
    n = RANDOM.standard_normal((4000, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    weights = np.stack([1 + law.poisson, 1 - law.poisson, 1 - law.poisson], axis=1)
    G = F[:, None] - n[None, :, :, None] * law.rest[:, None, None, :]
    every = 0.5 * law.stiffness[:, None] * np.einsum("mncd,md->mn", G**2, weights)
    assert np.all(psi <= every.min(axis=1) + 1e-12)
    assert psi == pytest.approx(every.min(axis=1), rel=0.02)


def test_a_plate_has_the_energy_of_kirchhoff():
    """D/2 [(κ₁ + κ₂)² − 2(1−ν)(κ₁κ₂ − κ₁₂²)] of the change of curvature."""
    D, nu = 2.0, 0.3
    (k1, k2, k12), (r1, r2, r12) = (0.7, -0.2, 0.4), (0.9, 0.1, 0.3)
    columns = lambda a, b, c: np.array([(a + b) / np.sqrt(2), (a - b) / np.sqrt(2), np.sqrt(2) * c])
    law = Bending(stiffness=[D], poisson=[nu], rest=columns(r1, r2, r12)[None])
    n = np.array([0.6, 0.0, 0.8])
    F = np.outer(n, columns(k1, k2, k12))[None]
    a, b, c = k1 - r1, k2 - r2, k12 - r12
    expected = 0.5 * D * ((a + b) ** 2 - 2 * (1 - nu) * (a * b - c * c))
    assert evaluated(law, F, F)[0][0] == pytest.approx(expected, rel=1e-12)


def test_flat_where_curved_at_rest():
    """No direction is nearer than another: all of the energy, no force."""
    law = Bending(stiffness=[3.0], poisson=[0.2], rest=np.array([[0.5, 0.3, -0.1]]))
    zero = np.zeros((1, 3, 3))
    psi, P, dP, pP = evaluated(law, zero, np.ones((1, 3, 3)))
    assert psi[0] == pytest.approx(1.5 * (1.2 * 0.25 + 0.8 * (0.09 + 0.01)))
    assert np.abs(P).max() == 0 and np.all(np.isfinite(dP)) and np.all(np.isfinite(pP))


def test_the_projected_tangent_is_positive_and_no_larger_than_the_flat_plate():
    law, F, D = cases()
    _, _, exact, projected = evaluated(law, F, D)
    weights = np.stack([1 + law.poisson, 1 - law.poisson, 1 - law.poisson], axis=1)
    flat = law.stiffness * np.einsum("mcd,md->m", D**2, weights)
    value = lambda dP: np.einsum("mcd,mcd->m", dP, D)
    assert np.all(value(projected) >= -1e-12) and np.all(value(projected) <= flat + 1e-12)
    assert np.all(value(exact) <= value(projected) + 1e-12) and np.any(value(exact) < value(projected) - 1e-3)


def test_rates_of_turning_are_left_out():
    """M (ω × F) = 0 for every spin; rates that bend stay whole, and so does everything where F is all but flat."""
    device = Device("cpu", "f64")
    t = device.types
    stiffness = ViscousBending().functions(t, 3).stiffness

    @t.kernel
    def run(start: int, F: wp.array(dtype=t.mat33), table: wp.array(dtype=t.vector(6)), M: wp.array(dtype=t.mat99)):
        i = start + wp.tid()
        M[i] = stiffness(F[i], table[i], True)

    F = RANDOM.standard_normal((COUNT, 3, 3))
    F[::2] = RANDOM.standard_normal((COUNT // 2, 3, 1)) * RANDOM.standard_normal((COUNT // 2, 1, 3))
    F[0] = 1e-9
    law = ViscousBending(stiffness=RANDOM.uniform(1, 2, COUNT), rest=np.zeros((COUNT, 3)), floor=1e-12)
    out = device.zeros(COUNT, t.mat99)
    device.launch(run, COUNT, device.array(F, t.mat33), device.array(law.table(), t.vector(6)), out)
    M = out.numpy()
    spin = np.cross(RANDOM.standard_normal((COUNT, 1, 3)), np.swapaxes(F, 1, 2))
    turned = np.einsum("mij,mj->mi", M, np.swapaxes(spin, 1, 2).reshape(COUNT, 9))
    assert np.abs(turned[1:]).max() <= 1e-4
    values = np.linalg.eigvalsh(M / law.stiffness[:, None, None])
    assert values.min() >= -1e-9 and values.max() <= 1 + 1e-9
    assert np.abs(values[0] - 1).max() < 1e-4
    assert np.all(np.sum(values > 0.99, axis=1) >= 6)
