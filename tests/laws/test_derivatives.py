"""Stress is ∂ψ/∂F and the tangent is ∂P/∂F, for every law and sum of laws, in solids, sheets and threads."""

import numpy as np
import pytest
import warp as wp

from .cases import EVERY, FLAT, SHEETS, SUMS, THREADS, YOUNG, Samples, elastic, make, special, states, upright

STEP = 1e-6  # of the central differences; small, since some tangents have kinks (muscle at rest)
CASES = [*[(n, 3) for n in EVERY], *[(n, 2) for n in (*SHEETS, *FLAT)], *[(n, 1) for n in (*THREADS, *FLAT)]]


def directions(dimension: int) -> np.ndarray:
    """(9, 3, 3), (6, 3, 3) or (3, 3, 3) unit changes of the columns of F that the element has."""
    found = []
    for r in range(3):
        for c in range(dimension):
            D = np.zeros((3, 3))
            D[r, c] = 1
            found.append(D)
    return np.array(found)


def deformations(name: str, dimension: int) -> np.ndarray:
    """F for the law; for sheets and threads upright ones, of which the first columns are used."""
    return states(make(name)) if dimension == 3 else np.concatenate([upright(20, 5), special()])


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_stress_is_the_derivative_of_the_energy(name, dimension):
    F, D = deformations(name, dimension), directions(dimension)
    points = (F[:, None, None] + STEP * np.array([1, -1])[:, None, None, None] * D).reshape(-1, 3, 3)
    psi = Samples(make(name), len(points), dimension).energy(points).reshape(len(F), 2, len(D))
    expected = (psi[:, 0] - psi[:, 1]) / (2 * STEP)
    P = Samples(make(name), len(F), dimension).stress(F)[:, :, :dimension].reshape(len(F), -1)
    assert np.abs(P - expected).max() <= 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_tangent_is_the_derivative_of_the_stress(name, dimension):
    F, D = deformations(name, dimension), directions(dimension)
    m, k = len(F), len(D)
    points = (F[:, None, None] + STEP * np.array([1, -1])[:, None, None, None] * D).reshape(-1, 3, 3)
    P = Samples(make(name), len(points), dimension).stress(points).reshape(m, 2, k, 3, 3)
    expected = (P[:, 0] - P[:, 1]) / (2 * STEP)
    many = Samples(make(name), m * k, dimension)
    dP = many.tangent(np.repeat(F, k, axis=0), np.tile(D, (m, 1, 1))).reshape(m, k, 3, 3)
    size = np.abs(expected).max(axis=(1, 2, 3), keepdims=True)
    size = np.maximum(size, 1e-9 * size.max())  # zero for a strain limit that is not reached
    assert (np.abs(dP - expected) / size).max() <= 1e-6


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_blocks_hold_the_tangent(name, dimension):
    """The 9×9 matrix of the assembled blocks acts as the product does, exact and projected, and is symmetric."""
    F, D = deformations(name, dimension), directions(dimension)
    one, many = Samples(make(name), len(F), dimension), Samples(make(name), len(F) * len(D), dimension)
    for project in (False, True):
        M = one.stiffness(F, project)
        dP = many.tangent(np.repeat(F, len(D), axis=0), np.tile(D, (len(F), 1, 1)), project).reshape(len(F), len(D), 9)
        product = np.einsum("mrc,kc->mkr", M, D.reshape(len(D), 9))
        size = np.abs(dP).max()
        assert np.abs(product - dP).max() <= 1e-7 * size
        assert np.abs(M - np.swapaxes(M, 1, 2)).max() <= 1e-10 * size


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_projected_tangent_is_positive_and_exact_where_that_is(name, dimension):
    F = deformations(name, dimension)
    law = Samples(make(name), len(F), dimension)
    exact, projected = law.stiffness(F, False), law.stiffness(F, True)
    size = np.abs(exact).max()
    assert np.linalg.eigvalsh(projected).min() >= -1e-10 * size
    # clamping single laws is the nearest positive matrix, clamping a sum term by term only a positive one
    positive = np.linalg.eigvalsh(exact).min(axis=1) >= -1e-12 * size
    if name not in SUMS:
        # where stretches nearly meet, their difference quotients are limits, which exact closed forms do without
        assert np.abs(exact - projected)[positive].max(initial=0.0) <= 1e-7 * size
        assert positive.any() or name == "Muscle"  # active muscle at rest pulls, so it is never at a minimum


@pytest.mark.parametrize(("name", "dimension"), [(n, d) for n, d in CASES if make(n).isotropic])
def test_isotropic_laws_are_at_rest_at_rest(name, dimension):
    law = Samples(make(name), 1, dimension)
    assert np.abs(law.stress(np.eye(3)[None])).max() <= 1e-11 * YOUNG
    assert abs(law.energy(np.eye(3)[None])[0]) <= 1e-12 * YOUNG


def test_fibres_in_a_sheet_lie_in_its_plane():
    """A direction that leaves the plane is laid into it, triangle by triangle, so that the sheet rests at rest."""
    import pliant as pl

    sheet = pl.Membrane(pl.cloth_grid((1.0, 1.0), (3, 3)), thickness=0.01)
    fibres = pl.laws.Fibres(stiffness=YOUNG, direction=(1.0, 0.5, 2.0))
    sim = pl.Simulation(pl.Scene(pl.Body(sheet, pl.StableNeoHookean(young=YOUNG) + fibres), gravity=(0, 0, 0)))
    force = sim.vectors.new()
    sim.world["elastic"][0].gradient(sim.state.x, force)
    assert np.abs(force.numpy()).max() <= 1e-12 * YOUNG
    with pytest.raises(pl.errors.InputError, match="is normal to 18 of 18 triangles"):
        upright = pl.StableNeoHookean(young=YOUNG) + pl.laws.Fibres(stiffness=YOUNG, direction=(0.0, 0.0, 1.0))
        pl.Simulation(pl.Scene(pl.Body(sheet, upright)))


@pytest.mark.parametrize(("name", "dimension"), CASES)
def test_one_pass_for_energy_and_forces_gives_both(name, dimension):
    """Laws that share work between the two say the same as each by itself."""
    alone = elastic(name, dimension)
    rest = alone.energy.elements.rest
    turned = rest @ np.array([[1.1, 0.2, 0.0], [-0.2, 0.9, 0.1], [0.0, 0.1, 1.05]])
    x = turned + 0.004 * np.random.default_rng(5).standard_normal(rest.shape)
    sums, out = alone.device.zeros((1, 2), wp.float64), alone.device.zeros(len(x), alone.device.types.vec3)
    alone.energy.evaluate_with_gradient(alone.array(x), sums, out)
    force = alone.gradient(x)
    assert sums.numpy()[0, 0] == pytest.approx(alone.value(x), rel=1e-11)
    assert np.abs(out.numpy() - force).max() <= 1e-11 * np.abs(force).max()
