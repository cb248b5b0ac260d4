"""Lattice cells and their material part: classes, and integrals against closed forms found another way."""

import numpy as np
import pytest
from cut_cells import active_nodes, planes, random_values, surface_weights
from scipy.spatial import ConvexHull, HalfspaceIntersection

import pliant as pl
from pliant.geometry.lattice.fragments import (
    CORNERS,
    POWERS,
    classes_of,
    fragments_of,
    interpolated,
    node_counts,
    sampled_integrals,
    shape_functions,
    shape_gradients,
)  # fmt: skip

# free nodes, elements and empty nodes of the cuboid benchmark at resolutions 5 … 20 (Weiss 2018, Tables 4.1 and B.5)
FREE = [675, 1309, 1729, 3105, 3825, 4131, 6479, 7623, 10465, 12025, 13325, 17415, 19575, 25823, 28611, 29733]
CELLS = [448, 960, 1296, 2464, 3072, 3328, 5400, 6400, 8976, 10368, 11520, 15288, 17248, 23040, 25600, 26624]
EMPTY_5 = [5443, 6491, 8479, 9016, 11475, 13365, 14269, 16977, 18179, 22097, 24405, 25641, 29673, 29752, 35349, 39583]
EMPTY_3 = [2175, 2563, 3671, 3564, 4995, 6173, 6121, 7769, 7895, 10421, 11785, 11769, 14425, 13132, 16973, 20031]


@pytest.mark.parametrize("row", range(16))
def test_cuboid_counts(row):
    """The benchmark's sizes are half sizes, and it snaps |φ| < 0.01 m."""
    resolution = row + 5
    half, centre = np.array([1.29, 0.4, 0.8]), np.array([0.0, 1.0, 0.0])
    found = classes_of(pl.box(2 * half, centre=centre), 1 / resolution, snap=0.01 * resolution)
    assert len(found.active_cells) == CELLS[row]
    assert np.count_nonzero(active_nodes(found)) == FREE[row]
    bounds = np.stack([(centre - half).astype(np.float32), (centre + half).astype(np.float32)])
    for border, empty in ((3, EMPTY_3), (5, EMPTY_5)):
        total = np.prod(node_counts(bounds.astype(float), 1 / resolution, border))
        assert total - np.count_nonzero(active_nodes(found)) == empty[row]


def test_classes_of_a_ball():
    """Inner nodes are those inside; an active cell has one; nothing inside lies outside the lattice."""
    ball = pl.sphere(0.5, centre=(0.03, -0.2, 0.4))
    c = classes_of(ball, 0.11)
    assert active_nodes(c)[c.inner].all() and not c.inner[[0, -1]].any() and not c.inner[:, :, [0, -1]].any()
    values = c.values(c.active_cells)
    assert (values.min(axis=1) < 0).all()
    place = c.origin + c.spacing * (c.active_cells + CORNERS[5])
    assert np.abs(ball(place) / c.spacing - values[:, 5]).max() <= 1e-4


def gauss(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights on tets (s, 4, 3) or triangles (s, 3, 3): collapsed Gauss rules, exact to degree 5."""
    t, w = np.polynomial.legendre.leggauss(4)
    t, w = 0.5 * (t + 1), 0.5 * w
    if corners.shape[1] == 3:
        a, b = np.meshgrid(t, t, indexing="ij")
        weight = np.outer(w * (1 - t), w).ravel() * 2
        bary = np.stack([a, (1 - a) * b, (1 - a) * (1 - b)], axis=-1).reshape(-1, 3)
    else:
        a, b, c = np.meshgrid(t, t, t, indexing="ij")
        weight = np.einsum("i,j,k->ijk", w * (1 - t) ** 2, w * (1 - t), w).ravel() * 6
        bary = np.stack([a, (1 - a) * b, (1 - a) * (1 - b) * c, (1 - a) * (1 - b) * (1 - c)], axis=-1).reshape(-1, 4)
    return np.einsum("gk,skc->sgc", bary, corners), weight


def convex_part(normal: np.ndarray, offset: float) -> tuple[np.ndarray, np.ndarray]:
    """Tets of the cube below a plane and triangles of the cut, by half-space intersection and convex hulls."""
    spaces = np.concatenate([[[*normal, -offset]], *[[[*(s * e), -(s > 0) * 1.0]] for e in np.eye(3) for s in (1, -1)]])
    low = CORNERS[np.argmin(CORNERS @ normal)]
    inside = low + 1e-4 * (0.5 - low) + 1e-3 * min(1.0, offset - low @ normal) * (0.5 - low)
    hull = ConvexHull(HalfspaceIntersection(spaces, inside).intersections)
    p = hull.points[hull.simplices]
    tets = np.concatenate([p, np.broadcast_to(hull.points.mean(axis=0), (len(p), 1, 3))], axis=1)
    return tets, p[np.abs(p @ normal - offset).max(axis=1) < 1e-9]


def test_planar_cuts_are_exact():
    """Volumes, moments, corner weights and the cut surface of half-space cuts in general position."""
    normal, offset = planes(150, 0)
    found = fragments_of((CORNERS @ normal.T - offset).T)
    for i in range(150):
        tets, cut = convex_part(normal[i], offset[i])
        size = np.abs(np.linalg.det(tets[:, 1:] - tets[:, :1])) / 6
        x, w = gauss(tets)
        monomial = lambda x: np.prod(x[..., None, :] ** POWERS, axis=-1)
        assert np.abs(found.integrals[i] - np.einsum("s,g,sgk->k", size, w, monomial(x))).max() <= 1e-12
        assert np.abs(found.corner_weights[i] - np.einsum("s,g,sgk->k", size, w, shape_functions(x))).max() <= 1e-12
        area = 0.5 * np.linalg.norm(np.cross(cut[:, 1] - cut[:, 0], cut[:, 2] - cut[:, 0]), axis=1)
        x, w = gauss(cut)
        assert np.abs(surface_weights(found)[i] - np.einsum("s,g,sgk->k", area, w, shape_functions(x))).max() <= 1e-12
        assert np.abs(found.normals[i] - normal[i]).max() <= 1e-9
        assert surface_weights(found)[i].sum() == pytest.approx(area.sum(), abs=1e-12)
        assert np.abs(found.area_vectors[found.owner == i].sum(axis=0) - area.sum() * normal[i]).max() <= 1e-12


def test_fragment_and_complement_fill_the_cell():
    values = random_values(200, 1)
    values = values[(values != 0).all(axis=1) & (values > 0).any(axis=1)]
    a, b = fragments_of(values), fragments_of(-values)
    assert np.abs(a.integrals + b.integrals - 1 / np.prod(POWERS + 1, axis=1)).max() <= 1e-12
    assert np.abs(surface_weights(a) - surface_weights(b)).max() <= 1e-12
    assert a.volumes.min() > 0 and a.volumes.max() < 1


def test_divergence_theorem():
    """The area vectors of a fragment's cut surface and of its parts of the cell's faces add up to nothing."""
    values = random_values(150, 2)
    f = fragments_of(values)
    total = np.zeros((len(values), 3))
    np.add.at(total, f.owner, f.area_vectors)
    for axis in range(3):
        for side in (0, 1):
            face = np.flatnonzero(CORNERS[:, axis] == side)
            total[:, axis] += (2 * side - 1) * _face_area(values[:, face])
    inner_faces = (values <= 0).sum(axis=1) < 8
    assert np.abs(total[inner_faces & (values != 0).all(axis=1)]).max() <= 1e-12


def _face_area(f: np.ndarray) -> np.ndarray:
    """Area of φ < 0 in a square whose four triangles meet at the centre."""
    ring = f[:, [0, 1, 3, 2]]
    middle, total = f.mean(axis=1), np.zeros(len(f))
    for i in range(4):
        three = np.sort(np.stack([ring[:, i], ring[:, (i + 1) % 4], middle], axis=1), axis=1)
        n = (three < 0).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            one = three[:, 0] ** 2 / ((three[:, 0] - three[:, 1]) * (three[:, 0] - three[:, 2]))
            two = 1 - three[:, 2] ** 2 / ((three[:, 2] - three[:, 1]) * (three[:, 2] - three[:, 0]))
        total += 0.25 * np.select([n == 0, n == 1, n == 2], [0.0, one, two], 1.0)
    return total


def test_symmetric_and_interpolated():
    """Mirrored corner values give mirrored integrals; the sign of the interpolant is what was integrated."""
    values = random_values(40, 3)
    mirrored = values[:, [1, 0, 3, 2, 5, 4, 7, 6]]
    a, b = fragments_of(values), fragments_of(mirrored)
    assert np.abs(a.corner_weights - b.corner_weights[:, [1, 0, 3, 2, 5, 4, 7, 6]]).max() <= 1e-12
    assert np.abs(interpolated(values[:, None], CORNERS.astype(float)) - values).max() <= 1e-14
    normal, offset = planes(30, 4)
    xi = np.random.default_rng(5).random((30, 9, 3))
    linear = np.einsum("mpc,mc->mp", xi, normal) - offset[:, None]
    assert np.abs(interpolated((CORNERS @ normal.T - offset).T[:, None], xi) - linear).max() <= 1e-13


def test_sampled_integrals_agree():
    """Monte Carlo within five standard errors of the exact integrals, and it does scatter."""
    values, s = random_values(30, 6), 20000
    exact = fragments_of(values)
    xi = np.random.default_rng(7).random((s, 3))
    inside = interpolated(values[:, None], xi[None]) <= 0
    found = sampled_integrals(inside, xi)
    second = inside.astype(float) @ np.prod(xi[:, None, :] ** POWERS, axis=2) ** 2 / s
    error = np.sqrt(np.maximum(second - found**2, 1e-8) / s)
    z = (found - exact.integrals) / error
    assert np.abs(z).max() <= 5 and np.abs(z).mean() > 0.3


def test_faces_in_the_surface_belong_to_the_cell_inside():
    flush = np.where(CORNERS[:, 2] == 1, 0.0, -1.0)
    f = fragments_of(np.stack([flush, -flush, np.full(8, -1.0)]))
    assert f.whole.tolist() == [True, False, True] and f.volumes == pytest.approx([1, 0, 1])
    assert set(f.owner) == {0}
    assert f.area_vectors.sum(axis=0) == pytest.approx([0, 0, 1])
    assert surface_weights(f)[0] == pytest.approx(np.where(CORNERS[:, 2] == 1, 0.25, 0))


def test_ball_volume_and_area_are_second_order():
    errors = []
    for n in (8, 16, 32):
        c = classes_of(pl.sphere(0.5), 1 / n, origin=(0.013, 0.007, 0.003))
        f = fragments_of(c.values(c.active_cells))
        volume, area = f.volumes.sum() / n**3, surface_weights(f).sum() / n**2
        errors.append([abs(volume / (np.pi / 6) - 1), abs(area / np.pi - 1)])
        total = f.area_vectors.sum(axis=0) / n**2
        assert np.abs(total).max() <= 1e-12  # watertight
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders.min() >= 1.8 and max(errors[-1]) < 2e-3


def test_shape_gradients():
    xi, h = np.random.default_rng(0).random((20, 3)), 1e-6
    for axis in range(3):
        step = h * np.eye(3)[axis]
        slope = (shape_functions(xi + step) - shape_functions(xi - step)) / (2 * h)
        assert np.abs(slope - shape_gradients(xi)[..., axis]).max() <= 1e-9
