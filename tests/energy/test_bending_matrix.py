"""The matrix of plates: of sheets beside each other, flat and curved, before and after their values change."""

import numpy as np
import pytest

import pliant as pl
from pliant.linear.matrix.block_matrix import BlockMatrix

FLAT = pl.cloth_grid((0.4, 0.3), (4, 3))
CURVED = pl.TriMesh(FLAT.vertices + np.outer(2.0 * FLAT.vertices[:, 0] ** 2, [0, 0, 1]), FLAT.triangles)


def scene(young: float = 1e5, poisson: float = 0.2) -> pl.Simulation:
    law = pl.Corotated(young=3e5, poisson=0.3)
    bodies = [
        pl.Body(pl.Membrane(CURVED, 0.01), pl.Corotated(young=young, poisson=poisson)),
        pl.Body(pl.Membrane(FLAT, 0.02), law),
    ]
    return pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0)))


def matrix(sim: pl.Simulation, project: bool, pattern: BlockMatrix | None = None) -> np.ndarray:
    """(3n, 3n) from the blocks of the bending energy; with a ``pattern`` that it is attached to already."""
    (energy,) = sim.world["bending"]
    n = sim.world.count
    if pattern is None:
        pattern = BlockMatrix(sim.device, n, [energy.cells()])
        energy.attach(pattern)
    pattern.clear()
    energy.blocks(sim.state.x, pattern, project=project)
    K = np.zeros((n, 3, n, 3))
    rows = np.repeat(np.arange(n), np.diff(pattern.row_start))
    K[rows, :, pattern.columns] = pattern.values.numpy()
    return K.reshape(3 * n, 3 * n)


def shaken(sim: pl.Simulation) -> pl.Simulation:
    sim.x = sim.x + 0.01 * np.random.default_rng(0).standard_normal(sim.x.shape)
    return sim


@pytest.mark.parametrize("project", [False, True])
def test_flat_and_curved_sheets_share_one_matrix(project):
    sim = shaken(scene())
    K, (energy,) = matrix(sim, project), sim.world["bending"]
    d = np.random.default_rng(1).standard_normal((sim.world.count, 3))
    out = sim.vectors.new()
    energy.tangent(sim.state.x, sim.device.array(d, sim.device.types.vec3), out, project=project)
    assert K @ d.ravel() == pytest.approx(out.numpy().ravel(), abs=1e-9 * np.abs(K).max())


def test_changed_values_change_the_matrix():
    """As a simulation that is made with them; the matrix is kept meanwhile."""
    sim, anew = shaken(scene()), shaken(scene(4e5, 0.4))
    (energy,) = sim.world["bending"]
    pattern = BlockMatrix(sim.device, sim.world.count, [energy.cells()])
    energy.attach(pattern)
    before = matrix(sim, True, pattern)
    sim.set(0, young=4e5, poisson=0.4)
    after = matrix(sim, True, pattern)
    assert np.abs(after - before).max() > 0.05 * np.abs(before).max()
    assert np.array_equal(after, matrix(anew, True))
    for name in ("elastic", "bending"):
        assert sim.energies()[name] == pytest.approx(anew.energies()[name], rel=1e-14)


def test_a_diagonal_pattern_takes_the_diagonal():
    sim = shaken(scene())
    K, (energy,) = matrix(sim, False), sim.world["bending"]
    pattern = BlockMatrix(sim.device, sim.world.count, [])
    energy.attach(pattern)
    energy.blocks(sim.state.x, pattern, project=False)
    own = K.reshape(sim.world.count, 3, sim.world.count, 3)[np.arange(sim.world.count), :, np.arange(sim.world.count)]
    assert pattern.values.numpy() == pytest.approx(own, abs=1e-10 * np.abs(own).max())
