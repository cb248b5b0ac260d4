"""Energies of elements are not found again where they were found last, and nobody can tell."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energy.elastic import elastic_energy
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.runtime.device import Device

MESH = pl.tet_grid((0.3, 0.2, 0.1), (3, 2, 2), 5).rotated((1, 2, 3), 20)


def made(device, first=0):
    return ElasticEnergy(device, pl.Tets(MESH), pl.Corotated(young=2e4, poisson=0.3, density=1000.0), first)


def placed(device, seed, first=0):
    """Tets askew, one of them flat and one a point."""
    x = np.zeros((first + len(MESH.vertices), 3))
    x[first:] = 3.0 + MESH.vertices + 0.02 * np.random.default_rng(seed).normal(size=MESH.vertices.shape)
    x[first + MESH.tets[5]] = x[first + MESH.tets[5][0]]
    x[first + MESH.tets[9], 2] = 0.0
    return device.array(x, device.types.position)


def value(energy, x):
    sums = energy.device.zeros((1, 2), wp.float64)
    energy.evaluate(x, sums)
    return float(sums.numpy()[0, 0])


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_values_do_not_depend_on_what_is_found_with_them(precision):
    device = Device("cpu", precision)
    energy, x = made(device), placed(device, 1)
    out, sums = device.zeros(len(MESH.vertices), device.types.vec3), device.zeros((1, 2), wp.float64)
    alone = energy.element_values(x).copy()
    for together in (energy.evaluate_with_gradient, energy.evaluate_ahead):
        energy.scalar.zero_()
        together(x, sums, out)
        assert np.array_equal(energy.scalar.numpy(), alone)


def test_they_are_found_once_at_a_place(monkeypatch):
    monkeypatch.setattr(elastic_energy, "MANY", 1)
    device, first = Device("cpu", "f64"), 4
    energy, runs = made(device, first), []
    run = energy._run_by_four
    monkeypatch.setattr(energy, "_run_by_four", lambda *given: (runs.append(1), run(*given)))
    x, other = placed(device, 1, first), placed(device, 2, first)

    def found(x):
        """The value, and whether it was found anew."""
        count = len(runs)
        return value(energy, x), len(runs) > count

    expected, elsewhere = value(made(device, first), x), value(made(device, first), other)
    assert found(x) == (expected, True) and found(x) == (expected, False)
    assert found(other) == (elsewhere, True) and found(x) == (expected, True)
    energy.evaluate_with_gradient(other, device.zeros((1, 2), wp.float64), device.zeros(len(x), wp.vec3d))
    assert found(other) == (elsewhere, False) and found(x) == (expected, True)
    x.numpy()[-1, 2] = np.nextafter(x.numpy()[-1, 2], 9.0)
    assert found(x)[1] and not found(x)[1]
    energy.element_mean("stress", x)
    assert found(x)[1]
    energy.set_parameters(pl.Corotated(young=4e4, poisson=0.3, density=1000.0))
    assert found(x) == (pytest.approx(2 * expected), True)


def test_a_run_goes_on_from_its_file_bit_by_bit(tmp_path):
    """One that was cut, too; a simulation from a file has found nothing before."""
    mesh = pl.tet_grid((0.3, 0.1, 0.1), (12, 4, 5))
    body = pl.Body(mesh, pl.Corotated(young=1e6, poisson=0.3), pinned=lambda X: X[:, 0] < 0.01)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(1 / 60, solver=pl.Newton(iterations=1)))
    for _ in range(3):
        sim.step()
    assert next(e for e in sim.world.energies if isinstance(e, ElasticEnergy))._found is not None
    for cut in (False, True):
        if cut:
            sim.cut(pl.Blade([(0.151, -1.0, 0.2), (0.149, 1.0, 0.2)], depth=0.15))
            sim.step()
        sim.save(tmp_path / "run.npz")
        other = pl.Simulation.load(tmp_path / "run.npz")
        for _ in range(3):
            assert sim.step().linear_iterations == other.step().linear_iterations
            assert np.array_equal(sim.x, other.x) and np.array_equal(sim.v, other.v)
