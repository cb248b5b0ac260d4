"""Element matrices of tets whose law is made of the rotation of F, fixed or not, against its tangent products."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device
from pliant.solve.objective.step_objective import Objective


@pytest.mark.parametrize(
    "tangent", [pl.rotations.Exact(), pl.rotations.Warped(), pl.rotations.Truncated(), pl.rotations.Hybrid()]
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
    law = pl.Corotated(young=3e5, poisson=0.45, tangent=pl.rotations.Hybrid())
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


def _odd_tets(device, tangent, rows=True):
    """Tets whose number is no multiple of four, of two kinds, most of them bent; some are flat, turned over or a point."""
    random = np.random.default_rng(7)
    mesh = pl.tet_grid((0.3, 0.2, 0.1), (3, 1, 1), 5)
    law = pl.Corotated(young=np.array([2e4, 7e4]), poisson=np.array([0.3, 0.45]), density=1000.0, tangent=tangent)
    energy = ElasticEnergy(device, pl.Tets(mesh), law, rows=random.integers(0, 2, len(mesh.tets)) if rows else None)
    assert len(mesh.tets) % 4 == 3
    x = 3.0 + mesh.vertices + 0.02 * random.normal(size=mesh.vertices.shape)
    flat, over, point = (x.copy() for _ in range(3))
    flat[:, 2] = 3.0
    over[:, 2] *= -1.0
    point[mesh.tets[5]] = point[mesh.tets[5][0]]
    places = [x, flat, over, point, mesh.vertices @ np.diag([1.0, -0.5, -0.5])]
    return energy, [device.array(place, device.types.position) for place in places]


@pytest.mark.parametrize("tangent", [pl.rotations.Exact(), pl.rotations.Hybrid()])
@pytest.mark.parametrize("precision, close", [("f64", 1e-12), ("f32", 3e-5)])
def test_four_tets_at_a_time_have_the_energy_and_the_forces_of_each_alone(precision, close, tangent):
    device = Device("cpu", precision)
    energy, places = _odd_tets(device, tangent)
    n, kernels = len(energy.elements.rest), energy.kernels
    size = float(np.abs(energy.elements.weights).sum()) * 7e4
    for x in places:
        one, forces = device.zeros(energy.count, device.types.real), device.zeros(n, device.types.vec3)
        device.launch(kernels.energy_gradient, energy.count, *energy._mesh(), x, one, energy.fold, energy.corner)
        energy.gather(forces)
        again, sums = device.zeros(n, device.types.vec3), device.zeros((1, 2), wp.float64)
        energy.evaluate_with_gradient(x, sums, again)
        assert np.abs(energy.scalar.numpy() - one.numpy()).max() <= close * size
        assert np.abs(energy.element_values(x) - one.numpy()).max() <= close * size
        assert np.abs(again.numpy() - forces.numpy()).max() <= close * np.abs(forces.numpy()).max() > 0
        ahead, found = device.zeros(n, device.types.vec3), device.zeros((1, 2), wp.float64)
        energy.evaluate_ahead(x, found, ahead)
        assert np.abs(ahead.numpy() - again.numpy()).max() <= close * np.abs(forces.numpy()).max()
        np.testing.assert_allclose(found.numpy(), sums.numpy(), rtol=100 * close)
        assert sums.numpy()[0, 0] == pytest.approx(one.numpy().astype(float).sum(), rel=1e-4 if precision == "f32" else 1e-12)


@pytest.mark.parametrize("tangent", [pl.rotations.Exact(), pl.rotations.Warped()])
@pytest.mark.parametrize("precision, close", [("f64", 1e-11), ("f32", 1e-4)])
def test_an_objective_sums_the_matrix_of_tets_without_its_diagonal(precision, close, tangent):
    device = Device("cpu", precision)
    energy, places = _odd_tets(device, tangent)
    n = len(energy.elements.rest)
    objective = Objective(device, [energy], np.ones((n, 3)))
    matrix = objective.matrix()
    assert energy.alone_in is matrix
    assembly, other = energy.assembly(matrix), BlockMatrix(device, n, [energy.cells()])
    for x in places[:3]:
        values = objective.assemble(x, project=False).values.numpy()
        other.clear()
        energy.fill(x, assembly, project=False)
        assembly.add_to(other)
        assert np.abs(values - other.values.numpy()).max() <= close * np.abs(other.values.numpy()).max() > 0
        before = values.copy()
        objective.refresh()
        objective.value_and_residual(x, objective.vectors.new(), ahead=True)
        objective.value(places[2])  # which leaves what was found ahead as it is
        objective.assemble(x, project=False, ahead=True)
        assert np.abs(matrix.values.numpy() - before).max() <= close * np.abs(before).max()


def test_elements_that_share_nodes_with_others_sum_their_diagonal_themselves():
    device = Device("cpu", "f64")
    (one, places), (other, _) = (_odd_tets(device, pl.rotations.Warped(), rows) for rows in (True, False))
    n = len(one.elements.rest)
    objective = Objective(device, [one, other], np.ones((n, 3)))
    both = objective.assemble(places[0], project=False).values.numpy().copy()
    assert one.alone_in is objective.matrix() and other.alone_in is None
    apart = [Objective(device, [energy], np.ones((n, 3))) for energy in (one, other)]
    parts = [each.assemble(places[0], project=False).values.numpy() for each in apart]
    assert np.abs(both - parts[0] - parts[1]).max() <= 1e-13 * np.abs(both).max()
