"""Triangles as plates: what a curvature is made of, on meshes of every kind."""

import numpy as np
import pytest

import pliant as pl
from benchmarks.sheets.meshes import KINDS, rectangle
from pliant.elements.sheets import plates as module
from pliant.elements.sheets.plates import plates

CELLS = 10


def wild(seed: int = 0) -> pl.TriMesh:
    """Triangles of very different sizes and angles."""
    mesh = rectangle("random", (0, 0), (1, 1), 1 / CELLS)
    X = mesh.vertices.copy()
    X[:, :2] = X[:, :2] ** 2 * [1.0, 3.0]  # 19 times as large at one end as at the other, three times as long as wide
    return pl.TriMesh(X, mesh.triangles)


def meshes() -> dict[str, pl.TriMesh]:
    return {kind: rectangle(kind, (0, 0), (1, 1), 1 / CELLS) for kind in KINDS} | {"wild": wild()}


def curvatures(groups, x: np.ndarray) -> np.ndarray:
    """(m, …, 3) of all triangles in the order of the groups, for values (n,) or positions (n, 3) at the nodes."""
    return np.concatenate([np.einsum("mk...,mkc->m...c", x[p.nodes], p.gradients[:, 0]) for p in groups])


def matrix(mesh: pl.TriMesh) -> np.ndarray:
    """(n, n) Σ A κᵀκ of deflections."""
    K = np.zeros(2 * [len(mesh.vertices)])
    for p in plates(mesh):
        blocks = np.einsum("mq,mqia,mqja->mij", p.weights, p.gradients, p.gradients)
        np.add.at(K, (p.nodes[:, :, None], p.nodes[:, None, :]), blocks)
    return K


@pytest.mark.parametrize("kind", [*KINDS, "wild"])
def test_every_quadratic_surface_has_its_curvature(kind):
    """On every triangle, the rim's too; flat surfaces, however steep, have none."""
    mesh = meshes()[kind]
    groups, (x, y) = plates(mesh), mesh.vertices[:, :2].T
    assert sum(p.count for p in groups) == len(mesh.triangles)
    for a, b, c in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0.3, -2, 1.1)):
        k = curvatures(groups, 0.5 * (a * x * x + b * y * y) + c * x * y)
        assert k[:, 0] == pytest.approx((a + b) / np.sqrt(2), abs=1e-8)
        assert (k**2).sum(axis=1) == pytest.approx(a * a + b * b + 2 * c * c, abs=1e-7)
    scale = max(np.abs(p.gradients).max() for p in groups)
    assert np.abs(curvatures(groups, 1 + 2 * x - 3 * y)).max() <= 1e-12 * scale


@pytest.mark.parametrize("kind", [*KINDS, "wild"])
def test_no_other_motion_is_free_of_energy(kind):
    values = np.linalg.eigvalsh(matrix(meshes()[kind]))
    assert values[2] <= 1e-9 * values[-1] and values[3] > 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_uniform_moments_balance(kind):
    """Σ A B vanishes at nodes that no slope of the rim is read from: what a patch test asks for."""
    mesh = meshes()[kind]
    X, total = mesh.vertices, np.zeros((len(mesh.vertices), 3))
    for p in plates(mesh):
        first = X[mesh.triangles[p.triangles, 1]] - X[mesh.triangles[p.triangles, 0]]
        angle = 2 * np.arctan2(first[:, 1], first[:, 0])[:, None]  # of each triangle's own frame
        a, b, c = np.moveaxis(p.gradients[:, 0], -1, 0)
        turned = [a, np.cos(angle) * b - np.sin(angle) * c, np.sin(angle) * b + np.cos(angle) * c]
        np.add.at(total, p.nodes, p.weights[:, :, None] * np.stack(turned, axis=-1))
    inside = np.minimum(X[:, :2], 1 - X[:, :2]).min(axis=1) > 0.35
    assert inside.sum() >= 4
    assert np.abs(total[inside]).max() <= 1e-10 * np.abs(total).max()


def test_regular_meshes_take_few_nodes():
    assert [p.nodes.shape[1] for p in plates(pl.cloth_grid((1, 1), (20, 12)))] == [8]
    assert [p.nodes.shape[1] for p in plates(meshes()["random"])] == [12]


def test_triangles_of_many_nodes_stand_apart_where_there_are_enough_others(monkeypatch):
    mesh = meshes()["random"]
    together = plates(mesh)
    monkeypatch.setattr(module, "FEW", 1)
    apart = plates(mesh)
    assert [p.nodes.shape[1] for p in apart] == [8, 12] and len(together) == 1
    w = np.random.default_rng(0).standard_normal(len(mesh.vertices))
    order = np.argsort(np.concatenate([p.triangles for p in apart]))
    assert np.abs(curvatures(apart, w)[order] - curvatures(together, w)).max() <= 1e-9


def test_the_order_of_corners_does_not_matter():
    """A sheet need not have two sides: triangles may be listed from either."""
    mesh = meshes()["random"]
    turned = mesh.triangles.copy()
    turned[::3] = turned[::3, ::-1]
    turned[1::5] = np.roll(turned[1::5], 1, axis=1)
    K, L = matrix(mesh), matrix(pl.TriMesh(mesh.vertices, turned))
    assert np.abs(K - L).max() <= 1e-9 * np.abs(K).max()


def test_a_sheet_curved_at_rest_has_one_direction_of_curvature():
    flat = pl.cloth_grid((0.6, 0.4), (12, 8))
    X = flat.vertices
    rolled = pl.TriMesh(np.column_stack([np.sin(2 * X[:, 0]) / 2, X[:, 1], (1 - np.cos(2 * X[:, 0])) / 2]), flat.triangles)
    (group,) = plates(rolled)
    F = np.einsum("mkc,mkd->mcd", rolled.vertices[group.nodes], group.gradients[:, 0])
    sizes = np.linalg.svd(F)[1]
    assert sizes[:, 1].max() <= 1e-10 * sizes[:, 0].max()
    assert sizes[:, 0] == pytest.approx(np.linalg.norm(group.curvature, axis=1))
    assert sizes[:, 0] == pytest.approx(2.0, rel=0.01)
    assert np.abs(plates(flat)[0].curvature).max() == 0


def test_a_sharp_fold_at_rest_resists_being_opened():
    """Half of a sheet at right angles to the other: flat it has the energy that it has folded by as much the other way."""
    flat = pl.cloth_grid((0.8, 0.4), (8, 4))
    X = flat.vertices
    up = np.maximum(X[:, 0] - 0.4, 0)
    folded = pl.TriMesh(np.column_stack([np.minimum(X[:, 0], 0.4), X[:, 1], up]), flat.triangles)
    (group,) = plates(folded)

    def energy(x):
        F = np.einsum("mkc,mkd->mcd", x[group.nodes], group.gradients[:, 0])
        n = np.einsum("mcd,md->mc", F, group.curvature)
        n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-30)
        G = F - n[:, :, None] * group.curvature[:, None]
        return 0.5 * np.einsum("mq,mcd,mcd->", group.weights, G, G)

    opened, half = (
        energy(X),
        energy(np.column_stack([np.minimum(X[:, 0], 0.4) + up * 0.5**0.5, X[:, 1], up * 0.5**0.5])),
    )
    assert energy(folded.vertices) <= 1e-20 * opened
    assert 0.02 * opened < half < 0.5 * opened


def test_one_triangle_does_not_bend():
    sheet = pl.Membrane(pl.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), 0.01)
    assert plates(sheet.mesh) == ()
    sim = pl.Simulation(pl.Scene([pl.Body(sheet, pl.Corotated(young=1e5), pinned=[0, 1])]))
    assert sim.step().kept


def test_edges_of_three_triangles_turn_freely():
    """Three wings along one edge: each is flat for itself, whatever the angle between them."""
    wings = []
    for angle in (0.0, 2.0, 4.0):
        X = pl.cloth_grid((0.4, 0.2), (4, 2)).vertices
        wings.append(np.column_stack([X[:, 0], X[:, 1] * np.cos(angle), X[:, 1] * np.sin(angle)]))
    tri = pl.cloth_grid((0.4, 0.2), (4, 2)).triangles
    n = len(wings[0])
    every = np.concatenate([tri, tri + n, tri + 2 * n])
    X = np.concatenate(wings)
    first = np.array([np.argmin(np.linalg.norm(X - p, axis=1)) for p in X])  # the edge is one
    used, corner = np.unique(first[every], return_inverse=True)
    mesh = pl.TriMesh(X[used], corner.reshape(-1, 3))
    assert len(mesh.vertices) == 3 * n - 2 * 5
    assert max(np.abs(p.curvature).max() for p in plates(mesh)) == 0


def test_a_strip_one_triangle_wide_bends_along():
    """It knows nothing of curvature across, and finds the rest."""
    n = 20
    X = np.array([(0.5 * i, (i % 2) * 0.8, 0.0) for i in range(n)])
    tri = [(i, i + 1, i + 2) if i % 2 == 0 else (i + 1, i, i + 2) for i in range(n - 2)]
    groups = plates(pl.TriMesh(X, tri))
    (x, y), norm = X[:, :2].T, lambda w: np.linalg.norm(curvatures(groups, w), axis=1)
    assert norm(0.5 * x * x) == pytest.approx(1, rel=0.01)
    assert norm(x * y) == pytest.approx(np.sqrt(2), rel=0.01)
    assert norm(0.5 * y * y).max() <= 1e-12
    values = np.linalg.eigvalsh(matrix(pl.TriMesh(X, tri)))
    assert values[2] <= 1e-9 * values[-1] and values[3] > 1e-4 * values[-1]


def test_held_triangles_side_by_side_are_rigid():
    """What moves beyond two rows of held nodes bends none of the triangles between; a curve begins at the inner row."""
    mesh = pl.cloth_grid((1.0, 0.4), (10, 4))
    x = mesh.vertices[:, 0]
    held = x < 0.1 + 1e-9
    (group,) = plates(mesh, held=held)
    between = mesh.vertices[mesh.triangles[group.triangles]][:, :, 0].max(axis=1) < 0.1 + 1e-9
    w = np.where(held, 0.0, (x - 0.1) ** 2 / 2)
    k = np.linalg.norm(np.einsum("mk,mkc->mc", w[group.nodes], group.gradients[:, 0]), axis=1)
    assert between.sum() == 8 and np.abs(k[between]).max() <= 1e-12
    assert k[~between] == pytest.approx(1, abs=0.01)
    (free,) = plates(mesh)
    assert np.abs(np.einsum("mk,mkc->mc", w[free.nodes], free.gradients[:, 0]))[between].max() > 0.1


def test_a_row_of_held_nodes_with_a_triangle_in_a_corner_is_a_support():
    mesh = pl.cloth_grid((1.0, 1.0), (5, 5))
    rim = np.minimum(mesh.vertices[:, :2], 1 - mesh.vertices[:, :2]).min(axis=1) < 1e-9
    assert rim[mesh.triangles].all(axis=1).any()
    ((one,), (other,)) = plates(mesh), plates(mesh, held=rim)
    assert np.array_equal(one.gradients, other.gradients)


def test_where_the_stiffness_jumps_the_stiffer_side_has_the_slope():
    """A strip whose halves are bent as one moment bends them: the curvature of either is found up to the edge between."""
    mesh = pl.cloth_grid((1.0, 0.4), (10, 4))
    x = mesh.vertices[:, 0]
    stiff = mesh.vertices[mesh.triangles][:, :, 0].mean(axis=1) < 0.5
    w = np.where(x < 0.5, 0.01, 1.0) * (x - 0.5) ** 2 / 2
    found = {}
    for name, stiffness in (("even", None), ("uneven", np.where(stiff, 100.0, 1.0))):
        (group,) = plates(mesh, stiffness)
        found[name] = np.linalg.norm(np.einsum("mk,mkc->mc", w[group.nodes], group.gradients[:, 0]), axis=1)
    moment = np.where(stiff, 100.0, 1.0) * found["uneven"]
    assert moment.max() < 1.1 and found["even"][stiff].max() > 0.1
