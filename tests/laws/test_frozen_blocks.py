"""Element matrices of tets whose law is made of the rotation of F, fixed or not, against its tangent products."""

import numpy as np
import pytest

import pliant as pl
from pliant.device import Device
from pliant.energy.elastic import ElasticEnergy
from pliant.linear.matrix import BlockMatrix


@pytest.mark.parametrize(
    "tangent", [pl.tangents.Exact(), pl.tangents.Warped(), pl.tangents.Truncated(), pl.tangents.Hybrid()]
)
def test_the_matrix_multiplies_as_the_tangent_does(tangent):
    device, random = Device("cpu", "f64"), np.random.default_rng(5)
    mesh = pl.tet_grid((0.3, 0.2, 0.2), (3, 2, 2))
    law = pl.Corotated(young=np.array([2e4, 7e4]), poisson=0.3, density=1000.0, tangent=tangent)
    rows = random.integers(0, 2, len(mesh.tets))
    energy = ElasticEnergy(device, pl.Tets(mesh), law, rows=rows)
    n = len(mesh.vertices)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = mesh.vertices @ turn.T + 0.02 * random.normal(size=(n, 3))
    x, d = device.array(moved, device.types.position), device.array(random.normal(size=(n, 3)), device.types.vec3)
    by_matrix, by_tangent = device.zeros(n, device.types.vec3), device.zeros(n, device.types.vec3)
    matrix = BlockMatrix(device, n, [energy.cells()])
    energy.attach(matrix)
    energy.blocks(x, matrix, project=False)
    matrix.multiply(1.0, d, by_matrix)
    energy.tangent(x, d, by_tangent)
    assert np.allclose(by_matrix.numpy(), by_tangent.numpy(), rtol=1e-10, atol=1e-10 * np.abs(by_tangent.numpy()).max())
    diagonal = BlockMatrix(device, n, [])
    energy.attach(diagonal)
    energy.blocks(x, diagonal, project=False)
    assert np.allclose(diagonal.values.numpy(), matrix.values.numpy()[matrix.diagonal], rtol=1e-12)


@pytest.mark.parametrize("precision, close", [("f64", 1e-13), ("f32", 2e-6)])
def test_a_matrix_summed_of_turned_gradients_is_that_of_element_matrices(precision, close):
    device, random = Device("cpu", precision), np.random.default_rng(6)
    mesh = pl.tet_grid((0.3, 0.2, 0.2), (3, 2, 2), 5)
    law = pl.Corotated(young=3e5, poisson=0.45, tangent=pl.tangents.Hybrid())
    energy = ElasticEnergy(device, pl.Tets(mesh), law)
    n = len(mesh.vertices)
    x = device.array(5.0 + mesh.vertices + 0.03 * random.normal(size=(n, 3)), device.types.position)
    one, other = (BlockMatrix(device, n, [energy.cells()]) for _ in range(2))
    energy.attach(one)
    energy.blocks(x, one, project=False)
    assembly = energy.assembly(other)
    energy.fill(x, assembly, project=False)
    assembly.add_to(other)
    size = np.abs(other.values.numpy()).max()
    assert np.abs(one.values.numpy() - other.values.numpy()).max() <= close * size > 0
