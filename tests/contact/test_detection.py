"""Nearest points, broad phase and continuous detection against brute force."""

import itertools

import numpy as np
import pytest
import warp as wp
from pliant.meshes import sphere, torus

from pliant.contact.detect.broad_phase import Candidates
from pliant.contact.detect.continuous_collision import advance_kernels
from pliant.contact.pairs.closest_points import EDGE, FACE, closest_functions
from pliant.contact.pairs.contact_surface import Surface, joined
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import edges_of
from pliant.runtime.device import Device, Types, family

PRECISIONS = {"f32": 2e-6, "f64": 1e-13}


@family
def probe_kernels(t: Types) -> dict:
    of = closest_functions(t)
    weights, way = of.weights, of.way

    @t.kernel
    def probe(start: int, kind: int, p: wp.array2d(dtype=t.vec3), w: wp.array(dtype=t.vec4), out: wp.array(dtype=t.vec3)):
        i = start + wp.tid()
        own = weights(kind, p[i, 0], p[i, 1], p[i, 2], p[i, 3])
        w[i] = own
        out[i] = way(own, p[i, 0], p[i, 1], p[i, 2], p[i, 3])

    return locals()


def nearest(kind: int, p: np.ndarray, precision: str) -> tuple[np.ndarray, np.ndarray]:
    device = Device("cpu", precision)
    t = device.types
    w, out = device.zeros(len(p), t.vec4), device.zeros(len(p), t.vec3)
    device.launch(probe_kernels(precision).probe, len(p), kind, device.array(p, t.vec3), w, out)
    return w.numpy().astype(float), out.numpy().astype(float)


def quadruples(rng: np.random.Generator, count: int) -> np.ndarray:
    """General ones, flat ones, long and short, parallel edges and degenerate faces among them."""
    p = rng.normal(size=(count, 4, 3))
    p[::7, :, 2] = 0.0  # in one plane
    p[1::7, 3] = p[1::7, 2] + (p[1::7, 1] - p[1::7, 0]) * rng.uniform(-2, 2, (len(p[1::7]), 1))  # parallel edges
    p[2::7, 3] = p[2::7, 2]  # an edge of no length, a face of no area
    p[3::7, 1] = p[3::7, 0] + 1e-3 * p[3::7, 1]  # a short edge
    return p


def sampled(kind: int, p: np.ndarray, n: int = 60) -> np.ndarray:
    """Least distance over a grid of both sides: no less than the true one."""
    s = np.linspace(0, 1, n + 1)
    if kind == FACE:
        u, v = (a.ravel() for a in np.meshgrid(s, s))
        u, v = u[u + v <= 1], v[u + v <= 1]
        weights = np.stack([np.ones_like(u), u + v - 1, -u, -v])
    else:
        u, v = (a.ravel() for a in np.meshgrid(s, s))
        weights = np.stack([1 - u, u, v - 1, -v])
    return np.linalg.norm(np.einsum("ws,pwx->psx", weights, p), axis=2).min(axis=1)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", [FACE, EDGE], ids=["face", "edge"])
def test_nearest_points_are_the_nearest(kind, precision):
    p = quadruples(np.random.default_rng(1), 700)
    w, way = nearest(kind, p, precision)
    eps = PRECISIONS[precision]
    np.testing.assert_allclose(w.sum(axis=1), 0, atol=4 * eps)
    first = w[:, :1] if kind == FACE else w[:, :2]
    assert first.min() >= 0 and np.allclose(first.sum(axis=1), 1, atol=4 * eps)
    assert (-w[:, first.shape[1] :]).min() >= -eps
    distance, coarse = np.linalg.norm(way, axis=1), sampled(kind, p)
    assert np.all(distance <= coarse + 20 * eps)
    size = np.linalg.norm(np.ptp(p, axis=1), axis=1)
    assert np.all(distance >= coarse - 2 * size / 60)
    np.testing.assert_allclose(way, np.einsum("pw,pwx->px", w, p), atol=20 * eps)


def surface_of(vertices, triangles, first=0, alone=False, thickness=0.0) -> Surface:
    n = len(vertices)
    own = np.arange(n)
    return Surface(
        (own + first)[:, None], np.ones((n, 1)), triangles, edges_of(triangles), np.zeros(n, int), np.ones(n),
        np.full(n, thickness), np.asarray(vertices, float), np.array([alone]),
    )  # fmt: skip


def two_bodies(alone: bool) -> Surface:
    ball, ring = sphere(0.5, 1), torus(0.8, 0.25, 12, 6)
    tilt = ring.vertices @ np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0] + [0.2, 0.1, 0.3]
    return joined([surface_of(ball.vertices, ball.triangles), surface_of(tilt, ring.triangles, len(ball.vertices), alone)])


def expected_pairs(surface: Surface, before: np.ndarray, after: np.ndarray, reach: float, near: float) -> set:
    """Every pair whose swept boxes overlap and whose points go far enough to meet, by looking at all of them."""

    def boxes(corners):
        swept = np.concatenate([before[corners], after[corners]], axis=1)
        return swept.min(axis=1) - 0.5 * reach, swept.max(axis=1) + 0.5 * reach

    own = np.arange(surface.count)[:, None]
    pairs = set()
    for kind, first, second in ((FACE, own, surface.triangles), (EDGE, surface.edges, surface.edges)):
        (low, high), (low2, high2) = boxes(first), boxes(second)
        overlap = np.all((low[:, None] <= high2[None]) & (high[:, None] >= low2[None]), axis=2)
        i, j = np.nonzero(overlap)
        q = np.concatenate([first[i], second[j]], axis=1)
        apart = np.linalg.norm(nearest(kind, surface.rest[q], "f64")[1], axis=1) > near
        same = surface.body[q[:, 0]] == surface.body[q[:, 2]]
        shared = np.array([len(set(row)) < 4 for row in q.tolist()])
        keep = ~shared & ~(same & (surface.alone[surface.body[q[:, 0]]].astype(bool) | ~apart))
        keep &= (kind == FACE) | (j > i)
        way = (after - before)[q]
        far = np.linalg.norm(way - way.mean(axis=1, keepdims=True), axis=2)
        first_ones = far[:, :1] if kind == FACE else far[:, :2]
        goes = first_ones.max(axis=1) + far[:, first_ones.shape[1] :].max(axis=1)
        keep &= np.linalg.norm(nearest(kind, before[q], "f64")[1], axis=1) <= reach + goes
        pairs |= {(kind, *row) for row in q[keep].tolist()}
    return pairs


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("alone", [False, True], ids=["with itself", "with others"])
def test_no_pair_is_missed_and_none_is_made_up(alone, precision):
    surface = two_bodies(alone)
    rng = np.random.default_rng(3)
    before = surface.rest + 0.02 * rng.normal(size=surface.rest.shape)
    after = before + 0.1 * rng.normal(size=before.shape)
    device = Device("cpu", precision)
    candidates = Candidates(device, surface, near=0.05)
    vec3 = device.types.position
    candidates.find(device.array(surface.rest, vec3), device.array(surface.rest, vec3), 0.05, anew=True)
    candidates.find(device.array(before, vec3), device.array(after, vec3), 0.05)  # refitted, not built
    kinds, quads = candidates.kinds.numpy()[: candidates.count], candidates.pairs.numpy()[: candidates.count]
    found = [(int(k), *map(int, q)) for k, q in zip(kinds, quads)]
    assert len(set(found)) == len(found)
    wanted = expected_pairs(surface, before, after, 0.05, 0.05)
    assert wanted and wanted <= set(found)
    slightly_more = expected_pairs(surface, before, after, 0.05 + 1e-4, 0.05 - 1e-6)
    assert set(found) <= slightly_more


@pytest.mark.parametrize("threads", [1, 2])
def test_pairs_come_in_the_same_order_on_any_number_of_threads(threads):
    surface, lists = two_bodies(False), []
    for count in (1, threads):
        device = Device("cpu", "f64", threads=count)
        candidates = Candidates(device, surface, near=0.05)
        x = device.array(surface.rest, device.types.position)
        candidates.find(x, x, 0.1)
        lists.append(candidates.pairs.numpy()[: candidates.count])
    assert np.array_equal(*lists)


def moment_of_touch(kind: int, p: np.ndarray, d: np.ndarray) -> float:
    """First time in 0 … 1 at which four moving points lie in a plane and the sides meet there; inf where they do not."""
    from numpy.polynomial import Polynomial

    # det[b−a, c−a, e−a](t) as a cubic through four values
    volume = lambda t: np.linalg.det((p + t * d)[1:] - (p + t * d)[0])
    times = np.array([0.0, 1 / 3, 2 / 3, 1.0])
    cubic = Polynomial.fit(times, [volume(t) for t in times], 3)
    for root in sorted(r.real for r in cubic.roots() if abs(r.imag) < 1e-9 and -1e-12 <= r.real <= 1):
        at = p + root * d
        if np.linalg.norm(nearest(kind, at[None], "f64")[1]) < 1e-9 * (1 + np.abs(d).max()):
            return root
    return np.inf


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", [FACE, EDGE], ids=["face", "edge"])
def test_no_crossing_is_missed(kind, precision):
    rng = np.random.default_rng(5)
    p = rng.normal(size=(400, 4, 3))
    d = rng.normal(size=p.shape) * rng.choice([0.1, 1.0, 1000.0], (len(p), 1, 1))
    side = 1 if kind == FACE else 2
    aimed = p[::2, side:].mean(axis=1, keepdims=True) - p[::2, :side].mean(axis=1, keepdims=True)
    d[::2, side:] *= 0.1
    d[::2, :side] = aimed * rng.choice([2.0, 10.0, 1000.0], (len(aimed), 1, 1))  # through the middle of the other
    device = Device("cpu", precision)
    t = device.types
    count = len(p)
    pairs, kinds = device.array(np.arange(4 * count).reshape(-1, 4), wp.vec4i), device.array([kind] * count, wp.int32)
    thickness, out = device.zeros(4 * count, t.real), device.zeros(count, t.real)
    moved = (device.array(p.reshape(-1, 3), t.vec3), device.array(d.reshape(-1, 3), t.vec3))
    device.launch(advance_kernels(precision).advance, count, count, pairs, kinds, thickness, 1.0, *moved, out)
    safe = out.numpy().astype(float)
    touch = np.array([moment_of_touch(kind, a, b) for a, b in zip(p, d)])
    crossing = np.isfinite(touch)
    assert crossing.sum() > 40
    assert np.all(safe[crossing] < touch[crossing])
    begin = np.linalg.norm(nearest(kind, p, precision)[1], axis=1)
    end = np.linalg.norm(nearest(kind, p + safe[:, None, None] * d, precision)[1], axis=1)
    assert np.all(end >= 0.09 * begin)  # what is left of the distance
    stopped = safe < 1
    assert np.all(end[stopped] <= 0.2 * begin[stopped])  # and none is stopped early
    assert np.all(safe[~crossing & (end > 0.2 * begin)] == 1)


def test_what_moves_together_is_not_stopped():
    device = Device("cpu", "f64")
    t = device.types
    p, d = np.random.default_rng(6).normal(size=(4, 3)), np.tile([1000.0, 0.0, 0.0], (4, 1))
    out = device.zeros(1, t.real)
    device.launch(
        advance_kernels("f64").advance, 1, 1, device.array([[0, 1, 2, 3]], wp.vec4i), device.array([FACE], wp.int32),
        device.zeros(4, t.real), 1.0, device.array(p, t.vec3), device.array(d, t.vec3), out,
    )  # fmt: skip
    assert out.numpy()[0] == 1.0


def test_edges_are_listed_once():
    ball = sphere(0.5, 2)
    edges = edges_of(ball.triangles)
    wanted = {tuple(sorted(e)) for t in ball.triangles for e in itertools.combinations(t.tolist(), 2)}
    assert {tuple(e) for e in edges.tolist()} == wanted and len(edges) == len(wanted)
    assert surface_of(ball.vertices, ball.triangles).edge_area.sum() == pytest.approx(len(ball.vertices))


def test_faces_of_no_point_are_refused():
    with pytest.raises(InputError, match="names point 7 of 3"):
        surface_of(np.zeros((3, 3)), np.array([[0, 1, 7]]))
