"""3×3 algebra against NumPy, in both precisions, on hard matrices too."""

import numpy as np
import pytest
import warp as wp

from pliant.runtime import math3
from pliant.runtime.device import Device, family


@family
def probe_kernels(t):
    mat33, vec3 = t.mat33, t.vec3

    @t.kernel
    def probe_svd(
        start: int,
        F: wp.array(dtype=mat33),
        U: wp.array(dtype=mat33),
        s: wp.array(dtype=vec3),
        V: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        u, w, v = math3.svd(F[i])
        U[i] = u
        s[i] = w
        V[i] = v

    @t.kernel
    def probe_thin_svd(
        start: int,
        F: wp.array(dtype=mat33),
        U: wp.array(dtype=mat33),
        s: wp.array(dtype=vec3),
        V: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        u, w, v = math3.thin_svd(F[i])
        U[i] = u
        s[i] = w
        V[i] = v

    @t.kernel
    def probe_plane_stretches(start: int, F: wp.array(dtype=mat33), s: wp.array(dtype=vec3), D: wp.array(dtype=mat33)):
        i = start + wp.tid()
        w, d = math3.plane_stretches(F[i])
        s[i] = w
        D[i] = d

    @t.kernel
    def probe_polar(start: int, F: wp.array(dtype=mat33), R: wp.array(dtype=mat33)):
        i = start + wp.tid()
        R[i] = math3.polar_rotation(F[i])

    @t.kernel
    def probe_differential(start: int, F: wp.array(dtype=mat33), dF: wp.array(dtype=mat33), dR: wp.array(dtype=mat33)):
        i = start + wp.tid()
        R = math3.polar_rotation(F[i])
        dR[i] = math3.rotation_differential(R, wp.transpose(R) * F[i], dF[i])

    @t.kernel
    def probe_algebra(
        start: int,
        F: wp.array(dtype=mat33),
        D: wp.array(dtype=mat33),
        K: wp.array(dtype=mat33),
        dK: wp.array(dtype=mat33),
        C: wp.array(dtype=mat33),
        e: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        K[i] = math3.cofactor(F[i])
        dK[i] = math3.cofactor_differential(F[i], D[i])
        C[i] = math3.clamp_positive(F[i] + wp.transpose(F[i]))
        x, j = math3.excess(F[i])
        e[i] = vec3(x, j, math3.von_mises(math3.cauchy(F[i], D[i])))

    return locals()


def run(name: str, precision: str, inputs: list[np.ndarray], outputs: list[str]) -> list[np.ndarray]:
    device = Device("cpu", precision)
    t, n = device.types, len(inputs[0])
    arrays = [device.array(a, t.mat33) for a in inputs]
    made = [device.zeros(n, getattr(t, kind)) for kind in outputs]
    device.launch(getattr(probe_kernels(precision), name), n, *arrays, *made)
    return [m.numpy().astype(float) for m in made]


def matrices() -> np.ndarray:
    """Random, inverted, rank 2 and 1, zero, tiny, huge, rotations, reflections, equal and nearly equal stretches."""
    random = np.random.default_rng(0)
    Q = np.linalg.qr(random.standard_normal((40, 3, 3)))[0]
    Q[:, :, 0] *= np.linalg.det(Q)[:, None]
    a, b = Q[:20], Q[20:]
    stretches = np.array([
        [1, 1, 1], [1, 1, -1], [2, 1, 0], [2, 0, 0], [1, 1, 0], [1, 1 + 1e-9, 1 - 1e-9], [3, 2, -1e-7], [1e-8, 2e-8, 3e-8],
        [1e6, 2e6, 5e5], [1, 1e-6, 1e-12], [1, 1, 1e-3], [5, 1, -1], [1, 0.5, -0.49], [1, 0.5, -0.5], [1, 1, -0.999999],
    ])  # fmt: skip
    special = np.einsum("mij,mj,mkj->mik", a[:15], stretches, b[:15])
    return np.concatenate([random.standard_normal((60, 3, 3)), special, a, a * [1, 1, -1], np.zeros((1, 3, 3)), np.eye(3)[None]])


@pytest.mark.parametrize(("precision", "accuracy"), [("f64", 1e-13), ("f32", 1e-5)])
def test_svd(precision, accuracy):
    F = matrices()
    U, s, V = run("probe_svd", precision, [F], ["mat33", "vec3", "mat33"])
    size = np.maximum(np.abs(F).max(axis=(1, 2)), 1e-30)
    back = np.einsum("mij,mj,mkj->mik", U, s, V)
    assert (np.abs(back - F).max(axis=(1, 2)) / size).max() <= 10 * accuracy
    for Q in (U, V):
        assert np.abs(np.einsum("mij,mik->mjk", Q, Q) - np.eye(3)).max() <= 10 * accuracy
        assert np.abs(np.linalg.det(Q) - 1).max() <= 10 * accuracy
    expected = np.linalg.svd(F, compute_uv=False)
    assert (np.abs(np.abs(s) - expected).max(axis=1) / size).max() <= 10 * accuracy
    assert np.all(s[:, 0] >= s[:, 1] * (1 - 1e-6)) and np.all(s[:, 1] >= 0)
    clear = np.abs(np.linalg.det(F)) > 1e-6 * size**3
    assert np.all((s[:, 2] < 0)[clear] == (np.linalg.det(F) < 0)[clear])


@pytest.mark.parametrize(("precision", "accuracy"), [("f64", 1e-12), ("f32", 2e-5)])
def test_svd_of_sheets(precision, accuracy):
    """Sheets of any normal, stretched evenly or not, turned into lines and into points."""
    random = np.random.default_rng(3)
    frames = np.linalg.qr(random.standard_normal((2, 60, 3, 3)))[0]
    thin = np.repeat([1.0, 0.5, 0.1, 1e-2, 1e-4, 0.0], 10)
    wide = np.where(np.arange(60) == 59, 0.0, 10.0 ** random.uniform(-3, 3, 60))
    F = np.einsum("mij,mj,mkj->mik", frames[0], np.stack([wide, wide * thin, 0 * wide], axis=1), frames[1])
    F[:3] = [np.diag(d) for d in ([1.0, 1, 0], [0.0, 1, 1], [1.0, 0, 1])]
    U, s, V = run("probe_thin_svd", precision, [F], ["mat33", "vec3", "mat33"])
    size = np.maximum(np.abs(F).max(axis=(1, 2)), 1e-30)
    assert (np.abs(np.einsum("mij,mj,mkj->mik", U, s, V) - F).max(axis=(1, 2)) / size).max() <= accuracy
    for Q in (U, V):
        assert np.abs(np.einsum("mij,mik->mjk", Q, Q) - np.eye(3)).max() <= accuracy
        assert np.abs(np.linalg.det(Q) - 1).max() <= accuracy
    expected = np.linalg.svd(F, compute_uv=False)
    assert (np.abs(s - expected).max(axis=1) / size).max() <= accuracy and np.all(s[:, 0] >= s[:, 1] * (1 - 1e-6))


@pytest.mark.parametrize(("precision", "accuracy"), [("f64", 1e-12), ("f32", 1e-4)])
def test_stretches_of_sheets_without_their_vectors(precision, accuracy):
    """Those of NumPy, with two that are equal, nearly so, or one of them next to nothing; D has them the other way round."""
    random = np.random.default_rng(3)
    frames = np.linalg.qr(random.standard_normal((2, 60, 3, 3)))[0]
    ratio = np.concatenate([[1.0, 1 - 1e-9, 1 - 1e-5, 1e-2, 1e-4, 1e-8, 0.0], random.uniform(0.1, 1, 53)])
    wide = 10.0 ** random.uniform(-2, 2, 60)
    expected = np.stack([wide, wide * ratio, 0 * wide], axis=1)
    F = np.einsum("mij,mj,mkj->mik", frames[0], expected, frames[1])
    turned = np.einsum("mij,mj,mkj->mik", frames[0], expected[:, [1, 0, 2]], frames[1])
    s, D = run("probe_plane_stretches", precision, [F], ["vec3", "mat33"])
    assert (np.abs(s - expected).max(axis=1) / wide).max() <= accuracy
    clear = ratio > 1e-3  # below, the direction across is rounding
    assert (np.abs(D - turned).max(axis=(1, 2)) / wide)[clear].max() <= accuracy


@pytest.mark.parametrize(("precision", "accuracy"), [("f64", 1e-11), ("f32", 2e-4)])
def test_polar_rotation_is_the_nearest(precision, accuracy):
    """R is a rotation and no other has a larger tr(RᵀF): it equals that of the signed SVD in value, if not in matrix."""
    F = matrices()
    (R,) = run("probe_polar", precision, [F], ["mat33"])
    assert np.abs(np.einsum("mij,mik->mjk", R, R) - np.eye(3)).max() <= accuracy
    assert np.abs(np.linalg.det(R) - 1).max() <= accuracy
    s = np.linalg.svd(F, compute_uv=False)
    best = s[:, 0] + s[:, 1] + np.sign(np.linalg.det(F)) * s[:, 2]
    size = np.maximum(s[:, 0], 1e-30)
    assert (np.abs(np.einsum("mij,mij->m", R, F) - best) / size).max() <= accuracy


def test_rotation_differential():
    random = np.random.default_rng(1)
    F = np.eye(3) + 0.3 * random.standard_normal((30, 3, 3))
    D, h = random.standard_normal((30, 3, 3)), 1e-6
    (found,) = run("probe_differential", "f64", [F, D], ["mat33"])
    plus, minus = (run("probe_polar", "f64", [F + s * h * D], ["mat33"])[0] for s in (1, -1))
    good = np.linalg.det(F) > 0.05
    assert good.sum() > 15
    assert np.abs(found - (plus - minus) / (2 * h))[good].max() <= 1e-7 * np.abs(found[good]).max()


def test_algebra():
    random = np.random.default_rng(2)
    F, D = random.standard_normal((50, 3, 3)), random.standard_normal((50, 3, 3))
    F[0], D[0] = np.eye(3), np.zeros((3, 3))
    K, dK, C, e = run("probe_algebra", "f64", [F, D], ["mat33", "mat33", "mat33", "vec3"])
    J = np.linalg.det(F)
    assert np.abs(K - J[:, None, None] * np.swapaxes(np.linalg.inv(F), 1, 2)).max() <= 1e-11
    h = 1e-6
    plus, minus = (run("probe_algebra", "f64", [F + s * h * D, D], ["mat33", "mat33", "mat33", "vec3"])[0] for s in (1, -1))
    assert np.abs(dK - (plus - minus) / (2 * h)).max() <= 1e-7
    w, Q = np.linalg.eigh(F + np.swapaxes(F, 1, 2))
    assert np.abs(C - np.einsum("mij,mj,mkj->mik", Q, np.maximum(w, 0), Q)).max() <= 1e-11
    assert np.abs(e[:, 0] - (np.einsum("mij,mij->m", F, F) - 3)).max() <= 1e-12
    assert np.abs(e[:, 1] - (J - 1)).max() <= 1e-12
    sigma = np.einsum("mij,mkj->mik", F[1:], D[1:]) / np.linalg.det(D[1:])[:, None, None]
    dev = sigma - np.trace(sigma, axis1=1, axis2=2)[:, None, None] * np.eye(3) / 3
    assert np.abs(e[1:, 2] / np.sqrt(1.5 * np.einsum("mij,mij->m", dev, dev)) - 1).max() <= 1e-9
    assert e[0, 2] == 0.0  # a degenerate element has no Cauchy stress


def test_vector_areas_follow_the_cofactor():
    """Σ ½ (b−a)×(c−a) of a patch, deformed by F, is cof F times that at rest, and depends on the border of the patch alone."""
    random = np.random.default_rng(4)
    ring = np.column_stack([np.cos(a := np.linspace(0, 6, 9)), np.sin(a), 0.3 * random.standard_normal(9)])
    F, tops = random.standard_normal((6, 3, 3)), random.standard_normal((6, 3))

    def area(rim, top):
        return 0.5 * np.cross(rim - top, np.roll(rim, -1, axis=0) - top).sum(axis=0)

    K = run("probe_algebra", "f64", [F, F], ["mat33", "mat33", "mat33", "vec3"])[0]
    for f, k, top in zip(F, K, tops):
        assert np.allclose(area(ring @ f.T, f @ top), k @ area(ring, tops[0]), rtol=0, atol=1e-11)
    a, b, c, d = random.standard_normal((4, 3))  # two triangles on the edge ab: the edges of a collapse
    assert np.allclose(np.cross(b - a, c - a) + np.cross(d - a, b - a), np.cross(d - c, b - a))


def test_excess_keeps_small_strains_in_single_precision():
    """At a strain of 1e-5 the plain formula would lose all digits in f32."""
    E = 1e-5 * np.random.default_rng(3).standard_normal((20, 3, 3))
    F = (np.eye(3) + E).astype(np.float32).astype(float)
    _, _, _, e = run("probe_algebra", "f32", [F, F], ["mat33", "mat33", "mat33", "vec3"])
    D = F - np.eye(3)
    expected = 2 * np.trace(D, axis1=1, axis2=2) + np.einsum("mij,mij->m", D, D)
    assert np.abs(e[:, 0] - expected).max() <= 1e-11
