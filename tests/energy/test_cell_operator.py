"""The tangent of lattice cells in (x, p) against differences of forces that NumPy computes on its own."""

import numpy as np
import pytest
from scipy.linalg import polar

import pliant as pl
from pliant.energy.volume.cell_operator import CellOperator
from pliant.energy.volume.hourglass_energy import SHAPE
from pliant.geometry.lattice.fragments import shape_gradients
from pliant.runtime.device import Device

MU, KAPPA = 1.3, 20.0
LAWS = {
    "log": (pl.NeoHookean, lambda F: MU * (F - np.linalg.inv(F).T), lambda F: np.linalg.inv(F).T),
    "excess": (
        pl.FixedCorotated,
        lambda F: 2 * MU * (F - polar(F)[0]),
        lambda F: np.linalg.det(F) * np.linalg.inv(F).T,
    ),
    "stretch": (pl.Corotated, lambda F: 2 * MU * (F - polar(F)[0]), lambda F: polar(F)[0]),
    "green": (pl.StVenantKirchhoff, lambda F: MU * F @ (F.T @ F - np.eye(3)), lambda F: F),
    "trace": (pl.LinearElastic, lambda F: MU * (F + F.T - 2 * np.eye(3)), lambda F: np.eye(3)),
}
VALUES = {
    "log": lambda F: np.log(np.linalg.det(F)),
    "excess": lambda F: np.linalg.det(F) - 1,
    "stretch": lambda F: np.trace(polar(F)[1]) - 3,
    "green": lambda F: 0.5 * (np.trace(F.T @ F) - 3),
    "trace": lambda F: np.trace(F) - 3,
}
CASES = [(name, False) for name in LAWS] + [("log", True), ("excess", True)]


def lattice() -> pl.Lattice:
    return pl.Lattice(pl.sphere(0.5), 0.4, origin=(0.07, 0.02, -0.05))


def forces(shape: pl.Lattice, measure: str, aggregate: bool, order: int, alpha: float, x: np.ndarray, p: np.ndarray):
    """∂Ê/∂x and ∂Ê/∂p (Eq 7) of NumPy's own."""
    _law, stress, slope = LAWS[measure]
    if order == 1:
        centre = shape_gradients(np.full((1, 1, 3), 0.5)) / shape.spacing
        gradients, weights = np.repeat(centre, shape.count, axis=0), shape.fragments.volumes[:, None] * shape.spacing**3
    else:
        gradients, weights = shape.gradients, shape.weights
    f, q = np.zeros_like(x), np.zeros(shape.count)
    for e, nodes in enumerate(shape.nodes):
        F = np.einsum("ka,qkb->qab", x[nodes], gradients[e])
        w, W = weights[e], weights[e].sum()
        if aggregate:
            mean = w @ np.linalg.det(F) / W
            M, outer = (np.log(mean), 1 / mean) if measure == "log" else (mean - 1, 1.0)
            Q = [outer * np.linalg.det(A) * np.linalg.inv(A).T for A in F]
        else:
            M, Q = w @ [VALUES[measure](A) for A in F] / W, [slope(A) for A in F]
        for g, A in enumerate(F):
            f[nodes] += w[g] * gradients[e, g] @ (stress(A) + alpha * p[e] * Q[g]).T
        q[e] = alpha * W * (M - alpha * p[e] / KAPPA)
        if order == 1:
            f[nodes] += MU * shape.spacing * shape.fragments.volumes[e] * SHAPE @ x[nodes]
    return f, q


def operator(shape, measure, aggregate=False, precision="f64", **options):
    law = LAWS[measure][0].from_lame(MU, KAPPA)
    psi, kappa, own = law.without_volume()
    assert own == measure and float(kappa) == pytest.approx(KAPPA)
    return CellOperator(Device("cpu", precision), shape, psi, kappa, measure, aggregate, **options)


def state(shape, seed=0, size=0.03):
    random = np.random.default_rng(seed)
    turn = np.linalg.qr(random.standard_normal((3, 3)))[0]
    turn = np.eye(3) + 0.1 * turn
    x = shape.rest @ turn.T + size * random.standard_normal(shape.rest.shape)
    return x, random.standard_normal(shape.count), random


def product(op, x, pressure, d, dp):
    t, device = op.device.types, op.device
    out, out_p = device.zeros(len(x), t.vec3), device.zeros(len(pressure), t.real)
    op.linearise(device.array(x, t.position), device.array(pressure, t.real))
    op.apply(device.array(d, t.vec3), device.array(dp, t.real), out, out_p)
    return out.numpy(), out_p.numpy()


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("measure", "aggregate"), CASES)
def test_product_is_the_derivative_of_the_forces(measure, aggregate, order):
    shape, alpha, step = lattice(), 2.5, 1e-6
    x, p, random = state(shape)
    d, dp = random.standard_normal(x.shape), random.standard_normal(shape.count)
    found = product(operator(shape, measure, aggregate, order=order, fix="none", alpha=alpha), x, alpha * p, d, dp)
    ahead, behind = (
        forces(shape, measure, aggregate, order, alpha, x + sign * step * d, p + sign * step * dp) for sign in (1, -1)
    )
    for mine, a, b in zip(found, ahead, behind, strict=True):
        expected = (a - b) / (2 * step)
        np.testing.assert_allclose(mine, expected, atol=2e-7 * np.abs(expected).max())


@pytest.mark.parametrize("fix", ["none", "paper", "psd"])
@pytest.mark.parametrize("order", [1, 2])
def test_operator_is_symmetric(order, fix):
    shape = lattice()
    x, p, random = state(shape, size=0.06)
    op = operator(shape, "log", order=order, fix=fix, alpha=0.7)
    a, b = ([random.standard_normal(x.shape), random.standard_normal(shape.count)] for _ in range(2))
    Ka, Kb = product(op, x, p, *a), product(op, x, p, *b)
    ab, ba = (sum(np.sum(u * v) for u, v in zip(*pair, strict=True)) for pair in ((Ka, b), (Kb, a)))
    assert ab == pytest.approx(ba, rel=1e-10)


def reduced(op, shape, x, pressure) -> np.ndarray:
    """A + κ Bᵀ D⁻¹ B with the pressures eliminated, dense."""
    n, m = x.size, shape.count
    K = np.zeros((n + m, n + m))
    for i, unit in enumerate(np.eye(n + m)):
        K[:, i] = np.concatenate([part.reshape(-1) for part in product(op, x, pressure, unit[:n].reshape(-1, 3), unit[n:])])
    return K[:n, :n] - K[:n, n:] @ np.linalg.solve(K[n:, n:], K[n:, :n])


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("measure", ["log", "stretch"])
def test_only_the_psd_fix_leaves_no_negative_curvature(measure, order):
    """Under strong pressures, of both signs, the plain tangent has negative curvature, and the safe one none."""
    shape = lattice()
    x, p, _random = state(shape, size=0.05)
    least = {
        fix: np.linalg.eigvalsh(reduced(operator(shape, measure, order=order, fix=fix), shape, x, 10 * p))
        for fix in ("none", "psd")
    }
    assert least["none"][0] < -1e-3 * least["none"][-1]
    assert least["psd"][0] > -1e-9 * least["psd"][-1]


def test_fixes_change_nothing_at_rest():
    shape = lattice()
    _x, _p, random = state(shape)
    d, dp = random.standard_normal(shape.rest.shape), random.standard_normal(shape.count)
    results = [
        product(operator(shape, "log", fix=fix, order=order), shape.rest, np.zeros(shape.count), d, dp)
        for order in (1, 2)
        for fix in ("none", "paper", "psd")
    ]
    for i in (0, 3):
        for other in results[i + 1 : i + 3]:
            np.testing.assert_allclose(other[0], results[i][0], atol=1e-9)


def test_half_the_digits_in_single_precision():
    shape = lattice()
    x, p, random = state(shape)
    d, dp = random.standard_normal(x.shape), random.standard_normal(shape.count)
    single, double = (product(operator(shape, "log", precision=kind), x, p, d, dp) for kind in ("f32", "f64"))
    for a, b in zip(single, double, strict=True):
        np.testing.assert_allclose(a, b, atol=2e-5 * np.abs(b).max())


def test_rows_and_weights():
    """Cells of their own stiffness, and whole cells in place of their material."""
    shape = lattice()
    x, p, random = state(shape)
    d, dp = random.standard_normal(x.shape), random.standard_normal(shape.count)
    psi, kappa, measure = pl.NeoHookean.from_lame(np.full(shape.count, MU), np.full(shape.count, KAPPA)).without_volume()
    many = CellOperator(Device(), shape, psi, kappa, measure, rows=np.arange(shape.count))
    one = operator(shape, "log")
    np.testing.assert_allclose(product(many, x, p, d, dp)[0], product(one, x, p, d, dp)[0], rtol=1e-9, atol=1e-12)
    whole, half = (product(operator(shape, "log", weights=w), x, p, d, dp)[1] for w in ("whole", "half"))
    np.testing.assert_allclose(half / shape.fragments.volumes, whole, rtol=1e-9)


@pytest.mark.parametrize("wrong", [{"order": 3}, {"weights": "none"}, {"fix": "all"}])
def test_names_what_it_does_not_know(wrong):
    with pytest.raises(pl.errors.InputError, match=next(iter(wrong))):
        operator(lattice(), "log", **wrong)
