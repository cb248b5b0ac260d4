"""Energy of muscles: one cell by hand, forces that balance, and a matrix that knows only their strength."""

import numpy as np
import pytest

from pliant.elements.base import Elements
from pliant.elements.inlay import inlay
from pliant.elements.lattice.lattice import Lattice
from pliant.energy.elastic.muscle_energy import MuscleEnergy
from pliant.geometry.distance.sdf import box, sphere
from pliant.material import Muscle
from pliant.runtime.device import Device

DEVICE = Device("cpu", "f64")
W = np.array([0.6, -0.64, 0.48])


def make(elements, **values) -> MuscleEnergy:
    rows = np.ones(elements.count)
    given = {"peak_stress": 3e5, "activation": 1.0, "optimal_stretch": 1.0} | values
    law = Muscle(direction=np.tile(W, (elements.count, 1)), **{k: v * rows for k, v in given.items()})
    return MuscleEnergy(DEVICE, elements, law)


def forces(energy: MuscleEnergy, x: np.ndarray) -> np.ndarray:
    out = DEVICE.zeros(len(x), DEVICE.types.vec3)
    energy.gradient(DEVICE.array(x, DEVICE.types.vec3), out)
    return -out.numpy()


def hill(stretch: float, activation: float, optimal: float) -> float:
    """Tension over peak stress, from the formulas of Patterson et al. 2012, §5, and its sources."""
    e = stretch / optimal - 1
    active = 1 - 25 / 6 * e * e if abs(e) < 0.4 else (25 / 3 * (abs(e) - 0.6) ** 2 if abs(e) < 0.6 else 0.0)
    p1, p2 = 0.05, 6.6
    p3, p4 = p1 * p2 * (np.exp(0.4 * p2) - 1), p1 * (np.exp(0.4 * p2) * (1 - 1.4 * p2) + p2 - 1)
    passive = 0.0 if e <= 0 else p1 * (np.exp(p2 * e) - p2 * e - 1) if e <= 0.4 else p3 * (1 + e) + p4
    return activation * active + passive


@pytest.mark.parametrize("optimal", [1.0, 0.9, 1.2])
@pytest.mark.parametrize("stretch", [0.35, 0.55, 0.8, 1.0, 1.15, 1.39, 1.41, 1.55, 2.0])
def test_one_cell_against_the_closed_form(stretch, optimal):
    """Corner forces f_i = −W (T/λ) (w·∇Nᵢ) F w, with W, w, F and T worked out by hand."""
    whole = inlay(Lattice(box(3.0), 1.0, origin=(-0.5, -0.5, -0.5)), box((9.0, 20.0, 20.0), (-4.5, 0.0, 0.0)))
    middle = np.flatnonzero(np.abs(whole.points - [-0.25, 0, 0]).max(axis=1) < 1e-9)  # half the cell about the origin
    nodes = whole.nodes[middle]
    part = Elements(whole.rest[nodes[0]], np.arange(8)[None], whole.gradients[middle], whole.weights[middle])
    assert part.weights == pytest.approx(np.full((1, 1), 0.5))
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    F = turn @ (np.eye(3) + (stretch - 1) * np.outer(W, W))
    X = part.rest
    gradient = np.array([[2 * a, 2 * b, 2 * c] for a, b, c in X])  # ±1 by corner, times the shape functions across
    across = np.array([[0.25, (0.5 - 0.25 * a) * 0.5, (0.5 - 0.25 * a) * 0.5] for a in 2 * X[:, 0]])
    gradient = gradient * across
    T = 3e5 * hill(stretch, 0.7, optimal)
    expected = -0.5 * T / stretch * (gradient @ W)[:, None] * (F @ W)
    found = forces(make(part, activation=0.7, optimal_stretch=optimal), X @ F.T)
    assert np.abs(found - expected).max() <= 1e-9 * 3e5


def test_force_and_torque_vanish():
    lattice = Lattice(sphere(0.1), 0.04)
    energy = make(inlay(lattice, sphere(0.07, (0.02, 0, 0))))
    x = lattice.rest + 0.01 * np.random.default_rng(0).standard_normal(lattice.rest.shape)
    f = forces(energy, x)
    assert np.abs(f).max() > 1.0
    assert np.abs(f.sum(axis=0)).max() < 1e-10 * np.abs(f).sum()
    assert np.abs(np.cross(x, f).sum(axis=0)).max() < 1e-10 * np.abs(f).sum() * 0.1


def test_pull_grows_with_activation_and_strength_alone_changes_the_matrix():
    lattice = Lattice(sphere(0.1), 0.04)
    part = inlay(lattice, sphere(0.07))
    energy = make(part, activation=0.0)
    size, stamps = [], []
    for level in (0.0, 0.2, 0.5, 1.0):
        energy.set_parameters(make(part, activation=level).material)
        size.append(np.abs(forces(energy, lattice.rest)).sum())
        stamps.append(energy.stamp)
    assert size[0] == 0 and np.all(np.diff(size) > 0) and len(set(stamps)) == 1
    assert size[1:3] == pytest.approx([0.2 * size[3], 0.5 * size[3]])
    K = energy.laplacian(len(lattice.rest)).toarray()
    energy.set_parameters(make(part, peak_stress=1e5).material)
    assert energy.stamp != stamps[0] and np.allclose(3 * energy.laplacian(len(lattice.rest)).toarray(), K)
    assert np.abs(K.sum(axis=1)).max() < 1e-9 * np.abs(K).max() and np.linalg.eigvalsh(K).min() > -1e-9 * np.abs(K).max()
