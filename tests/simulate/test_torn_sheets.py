"""What is taken over when a sheet tears is what one made anew has, bit for bit."""

import numpy as np
import pytest

import pliant as pl
from pliant.elements.sheets.plates import Operators
from pliant.energy.element_matrix import element_matrix


def sheet(precision="f64", curved=False):
    """A sheet of triangles that are not alike, drawn apart until it tears."""
    flat = pl.cloth_grid((1.0, 0.8), (26, 20))
    X = flat.vertices.copy()
    inside = (np.abs(X[:, 0] - 0.5) < 0.49) & (np.abs(X[:, 1] - 0.4) < 0.39)
    X[inside, :2] += np.random.default_rng(3).uniform(-0.006, 0.006, (inside.sum(), 2))
    if curved:
        X[:, 2] = 0.1 * X[:, 1] ** 2
    law = pl.Corotated(young=1e5, poisson=0.3, density=500.0)
    body = pl.Body(
        pl.Membrane(pl.TriMesh(X, flat.triangles), 1e-3), law, pinned=lambda X: X[:, 0] < 0.01,
        effects=[pl.Load((40.0, 0, 0), lambda X: X[:, 0] > 0.99), pl.Tearing(stretch=1.05, noise=0.2, seed=1)],
        damping=pl.Damping(stiffness=1e-3),
    )  # fmt: skip
    scheme = pl.ImplicitEuler(dt=1 / 30, solver=pl.QuasiNewton(iterations=4))
    return pl.Simulation(pl.Scene(body), scheme, precision=precision)


def arrays(matrix):
    return matrix.data, matrix.indices, matrix.indptr


@pytest.mark.parametrize("curved", [False, True])
def test_plates_and_matrices_after_tears_are_those_made_anew(curved):
    sim, torn = sheet(curved=curved), 0
    while torn < 3:
        report = sim.step()
        torn += report.torn
        if not report.torn:
            continue
        shape = sim.scene.bodies[0].shape
        known = shape._bent
        anew = Operators.of(shape.mesh, known.stiffness, known.held)
        assert known.mesh is shape.mesh
        for name in ("triangle", "node", "factors", "curvature"):
            assert np.array_equal(getattr(known, name), getattr(anew, name)), name
        for energy in (*sim.world["elastic"], *sim.world["bending"]):
            numbers = np.arange(energy.count) if energy.numbers is None else energy.numbers
            parts = (numbers, energy.cells(), energy.elements.gradients, energy.laplacian_factors())
            made = element_matrix(*parts, energy.laplacian_blocks, sim.world.count)
            for one, other in zip(arrays(energy.element_laplacian(sim.world.count).total), arrays(made.total)):
                assert np.array_equal(one, other), energy.name
    other = pl.Membrane(shape.mesh, 1e-3)
    assert np.array_equal(other.gradients, shape.gradients) and np.array_equal(other.weights, shape.weights)


def test_matrices_of_sheets_behind_one_that_tears_are_those_made_anew():
    """Their nodes have other numbers then."""
    (body,) = sheet().scene.bodies
    other = pl.Body(pl.Membrane(body.shape.mesh.translated((0, 2, 0)), 1e-3), body.material, damping=body.damping)
    scheme = pl.ImplicitEuler(dt=1 / 30, solver=pl.QuasiNewton(iterations=4))
    sim = pl.Simulation(pl.Scene([body, other], gravity=(0, 0, 0)), scheme)
    while not sim.step().torn:
        pass
    assert sim.step().kept
    for energy in (*sim.world["elastic"], *sim.world["bending"]):
        numbers = np.arange(energy.count) if energy.numbers is None else energy.numbers
        parts = (numbers, energy.cells(), energy.elements.gradients, energy.laplacian_factors())
        made = element_matrix(*parts, energy.laplacian_blocks, sim.world.count)
        for one, anew in zip(arrays(energy.element_laplacian(sim.world.count).total), arrays(made.total)):
            assert np.array_equal(one, anew), energy.name


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_the_damping_of_flat_plates_by_numbers_is_that_by_blocks(precision):
    """Products and what Newton's method assembles are of one matrix, also after the stiffness has changed."""
    sim = sheet(precision)
    sim.step()
    sim.set(0, young=3e5)
    sim.step()
    (damping,) = (e for e in sim.world["damping"] if type(e.product).__name__ == "ScalarBlocks")
    d = damping.vectors.new()
    d.assign(np.random.default_rng(0).normal(size=(sim.world.count, 3)).astype(d.numpy().dtype))
    one, other = damping.vectors.new(), damping.vectors.new()
    damping.product.multiply(1.0, d, one)
    damping._assemble(sim.state.x)
    damping.matrix.multiply(1.0, d, other)
    size = np.abs(other.numpy()).max()
    assert size > 0 and np.abs(one.numpy() - other.numpy()).max() <= (1e-5 if precision == "f32" else 1e-13) * size


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_a_torn_sheet_goes_on_from_a_file_bit_for_bit(precision, tmp_path):
    """The file knows nothing of what was taken over."""
    sim, torn = sheet(precision), 0
    while torn < 2:
        torn += sim.step().torn
    sim.save(str(tmp_path / "torn.npz"))
    other = pl.Simulation.load(str(tmp_path / "torn.npz"))
    for _ in range(3):
        assert (sim.step().torn, sim.t) == (other.step().torn, other.t)
        assert np.array_equal(sim.x, other.x) and np.array_equal(sim.v, other.v)


def test_few_plates_are_found_anew(monkeypatch):
    sim, sizes = sheet(), []
    whole = Operators.of.__func__

    def counted(cls, mesh, *args):
        sizes.append(len(mesh.triangles))
        return whole(cls, mesh, *args)

    monkeypatch.setattr(Operators, "of", classmethod(counted))
    while not sim.step().torn:
        pass
    assert len(sizes) == 1 and sizes[0] < len(sim.scene.bodies[0].shape.mesh.triangles) / 2
