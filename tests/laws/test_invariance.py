"""What physics demands of every law and element: no preferred frame, no net force from inside, affine fields exact."""

import numpy as np
import pytest

from .cases import EVERY, FLAT, SHEETS, SOLIDS, TEN, THREADS, Samples, body_of, elastic, make, rotations

CASES = [*[(n, 3) for n in EVERY], *[(n, 2) for n in (*SHEETS, *FLAT)], *[(n, 1) for n in (*THREADS, *FLAT)]]
CASES += [(n, TEN) for n in SOLIDS]


def shaken(X: np.ndarray, size: float, seed: int = 0) -> np.ndarray:
    """Positions after a random displacement that inverts no element."""
    return X + size * np.random.default_rng(seed).standard_normal(X.shape)


@pytest.mark.parametrize(("name", "dimension"), [(n, d) for n, d in CASES if make(n).rotation_invariant])
def test_rigid_motion_changes_nothing(name, dimension):
    """Energy stays and forces turn along; and a body that only turned feels no force."""
    energy = elastic(name, dimension)
    X = energy.energy.elements.rest
    x = shaken(X, 0.004)
    value, force = energy.value(x), energy.gradient(x)
    for Q in rotations(3, seed=5):
        moved = x @ Q.T + [0.3, -1.2, 0.7]
        assert abs(energy.value(moved) - value) <= 1e-11 * abs(value)
        assert np.abs(energy.gradient(moved) - force @ Q.T).max() <= 1e-10 * np.abs(force).max()
        at_rest = energy.gradient(X @ Q.T + [0.3, -1.2, 0.7])
        if np.abs(energy.gradient(X)).max() <= 1e-12 * np.abs(force).max():  # not active muscle, which pulls at rest
            assert np.abs(at_rest).max() <= 1e-11 * np.abs(force).max()


def test_linear_elasticity_has_a_preferred_frame():
    """So that the exception above is really one: this is why LinearElastic says to use Corotated for large rotations."""
    energy = elastic("LinearElastic")
    X = energy.energy.elements.rest
    assert not make("LinearElastic").rotation_invariant
    assert np.abs(energy.gradient(X @ rotations(1, 5)[0].T)).max() > 1e-3


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_inner_forces_add_up_to_nothing(name, dimension):
    """Action equals reaction: no net force, and no net torque where the law has no preferred frame."""
    energy = elastic(name, dimension)
    x = shaken(energy.energy.elements.rest, 0.004)
    force = energy.gradient(x)
    size = np.abs(force).sum()
    assert np.abs(force.sum(axis=0)).max() <= 1e-14 * size
    if make(name).rotation_invariant:
        assert np.abs(np.cross(x, force).sum(axis=0)).max() <= 1e-14 * size


@pytest.mark.parametrize(("name", "dimension"), [c for c in CASES if c[1] > 1])
def test_patch(name, dimension):
    """Any affine field gives one F everywhere, so that no inner node feels a force."""
    energy = elastic(name, dimension)
    elements = energy.energy.elements
    X = elements.rest
    A = np.array([[1.15, 0.12, -0.05], [-0.08, 0.93, 0.1], [0.06, -0.04, 1.08]])
    force = energy.gradient(X @ A.T + [0.1, 0.2, 0.3])
    mesh = elements.mesh
    if dimension in (3, TEN):
        outer = mesh.boundary_vertices
    else:
        pairs = np.sort(mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        edges, count = np.unique(pairs, axis=0, return_counts=True)
        outer = np.unique(edges[count == 1])
    inner = np.setdiff1d(np.arange(len(X)), outer)
    assert len(inner) >= 2
    assert np.abs(force[inner]).max() <= (1e-12 if dimension == TEN else 1e-13) * np.abs(force).max()
    F = np.einsum("mki,mqkj->mqij", (X @ A.T)[elements.nodes], elements.gradients)
    flat = np.diag([1.0, 1.0, 0.0]) if dimension == 2 else np.eye(3)
    assert np.abs(F - A @ flat).max() <= 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in EVERY if n not in SOLIDS])
def test_other_laws_on_ten_nodes(name):
    """All that is asked of every law above, on bent ten-node tets; their kernels take a while to compile."""
    test_inner_forces_add_up_to_nothing(name, TEN)
    test_patch(name, TEN)
    if make(name).rotation_invariant:
        test_rigid_motion_changes_nothing(name, TEN)


@pytest.mark.parametrize(
    ("name", "dimension"),
    [*[(n, 3) for n in ("Corotated", "NeoHookean", "StableNeoHookean", "Ogden")], ("Corotated", TEN)],
)
def test_single_precision_agrees_with_double(name, dimension):
    double, single = elastic(name, dimension), elastic(name, dimension, precision="f32")
    X = double.energy.elements.rest
    for size, tolerance in ((0.006, 2e-5), (3e-5, 2e-2)):  # large strains, and strains of 1e-3
        x = shaken(X, size).astype(np.float32).astype(float)
        force = double.gradient(x)
        d = np.random.default_rng(1).standard_normal(X.shape).astype(np.float32).astype(float)
        assert abs(single.value(x) / double.value(x) - 1) <= tolerance
        assert np.abs(single.gradient(x) - force).max() <= tolerance * np.abs(force).max()
        for project in (False, True):
            dF = double.tangent(x, d, project)
            assert np.abs(single.tangent(x, d, project) - dF).max() <= 1e-3 * np.abs(dF).max()
            K = double.matrix(x, project)
            assert np.abs(single.matrix(x, project) - K).max() <= 1e-3 * np.abs(K).max()


@pytest.mark.parametrize("name", ["NeoHookean", "Corotated"])
def test_single_precision_svd_laws_survive_equal_stretches(name):
    """In f32 the difference quotients of the σ-basis must not blow up where stretches nearly meet."""
    s = 1 + np.array([[0, 1e-4, 3e-4], [0, 1e-3, 2.5e-3], [0.1, 0.1 + 2e-3, 0], [0.0, 0.0, 0.0]])
    F = np.einsum("mij,mj,mkj->mik", rotations(4, 1), s, rotations(4, 2)).astype(np.float32).astype(float)
    double = Samples(make(name), 4).stiffness(F, True)
    single = Samples(make(name), 4, precision="f32").stiffness(F, True)
    assert np.abs(single - double).max() <= 2e-3 * np.abs(double).max()


def test_body_of_makes_each_kind():
    assert [body_of("Corotated", d).dimension for d in (1, 2, 3, TEN)] == [1, 2, 3, 3]
    assert body_of("Corotated", TEN).bent.all()
