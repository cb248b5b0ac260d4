"""The kernels are generic in nodes and quadrature points: an 8-node cell with 8 Gauss points obeys the same laws."""

import numpy as np
import pytest

from pliant import StableNeoHookean
from pliant.elements.base import Elements
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device


def cube(size: float = 0.5) -> Elements:
    """Two trilinear cells side by side, integrated with 2×2×2 Gauss points."""
    corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], dtype=float)
    rest = np.array([[i, j, k] for i in (0, 1, 2) for j in (0, 1) for k in (0, 1)], dtype=float) * size
    nodes = np.array([[4 * (c[0] + cell) + 2 * c[1] + c[2] for c in corners.astype(int)] for cell in (0, 1)])
    points = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) / np.sqrt(3) / 2 + 0.5
    sign = 2 * corners - 1
    shape = np.where(corners > 0, points[:, None], 1 - points[:, None])  # (q, 8, 3)
    gradient = np.stack([sign[:, a] * np.prod(np.delete(shape, a, axis=2), axis=2) for a in range(3)], axis=2) / size
    return Elements(rest, nodes, np.tile(gradient, (2, 1, 1, 1)), np.full((2, 8), size**3 / 8))


@pytest.fixture(scope="module")
def setting():
    device, elements = Device("cpu", "f64"), cube()
    energy = ElasticEnergy(device, elements, StableNeoHookean(young=1e4, poisson=0.3))
    rng = np.random.default_rng(3)
    x = elements.rest + 0.03 * rng.standard_normal(elements.rest.shape)
    return device, elements, energy, x, rng.standard_normal(x.shape)


def test_volume_and_affine_fields(setting):
    _device, elements, _energy, _x, _d = setting
    assert elements.volumes.sum() == pytest.approx(2 * 0.125, rel=1e-14)
    A = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.05, 0.0, 1.2]])
    gradients = np.einsum("mki,mqkj->mqij", (elements.rest @ A.T)[elements.nodes], elements.gradients)
    assert np.abs(gradients - A).max() < 1e-14


def test_gradient_tangent_and_blocks(setting):
    device, _elements, energy, x, d = setting
    vec3, n, h = device.types.vec3, len(x), 1e-6

    def gradient(positions):
        out = device.zeros(n, vec3)
        energy.gradient(device.array(positions, vec3), out)
        return out.numpy().copy()

    slope = (energy.value(device.array(x + h * d, vec3)) - energy.value(device.array(x - h * d, vec3))) / (2 * h)
    assert slope == pytest.approx(np.sum(gradient(x) * d), rel=1e-7)
    out = device.zeros(n, vec3)
    energy.tangent(device.array(x, vec3), device.array(d, vec3), out)
    change = (gradient(x + h * d) - gradient(x - h * d)) / (2 * h)
    assert np.abs(change - out.numpy()).max() < 1e-6 * np.abs(change).max()
    pattern = BlockMatrix(device, n, [energy.cells()])
    energy.attach(pattern)
    energy.blocks(device.array(x, vec3), pattern, project=False)
    dense = np.zeros((n, 3, n, 3))
    dense[np.repeat(np.arange(n), np.diff(pattern.row_start)), :, pattern.columns, :] = pattern.values.numpy()
    product = np.einsum("iajb,jb->ia", dense, d)
    assert np.abs(product - out.numpy()).max() < 1e-12 * np.abs(product).max()
    assert np.abs(gradient(x).sum(axis=0)).max() < 1e-12 * np.abs(gradient(x)).max()
