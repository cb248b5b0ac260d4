"""What every kind of element says of its surface: points that ride on nodes, areas, where a point is, and what is too far off."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.detect.edge_crossings import crossings
from pliant.contact.pairs.contact_surface import Surface
from pliant.elements.embedded_surface import vertex_areas
from pliant.geometry.mesh.mesh import edges_of
from pliant.runtime.device import Device

BALL = pl.sphere(0.1, centre=(0.003, 0.001, 0.002))
KINDS = {
    "tets": lambda: pl.Tets(pl.tetrahedralise(BALL, edge=0.05)),
    "quadratic tets": lambda: pl.QuadraticTets(pl.tetrahedralise(BALL, edge=0.05).quadratic(onto=BALL)),
    "lattice": lambda: pl.Lattice(BALL, 0.04),
    "refined lattice": lambda: pl.Lattice(BALL, 0.04, refine=4),
    "sheet": lambda: pl.Membrane(pl.cloth_grid((0.3, 0.2), (3, 2)), thickness=1e-3),
    "thread": lambda: pl.Springs(pl.meshes.rod((0, 0, 0), (0.3, 0, 0), 4), radius=1e-3),
}


@pytest.mark.parametrize("kind", KINDS)
def test_points_ride_on_nodes(kind):
    """Weights sum to one, affine maps are followed exactly, and the areas are those of the surface."""
    elements = KINDS[kind]()
    for bound in (elements.outline, elements.drawn()):
        assert bound.weights.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
        assert bound.areas.shape == bound.lengths.shape == (bound.count,)
        A = np.eye(3) + 0.1 * np.arange(9).reshape(3, 3)
        assert bound.of(elements.rest @ A.T) == pytest.approx(bound.of(elements.rest) @ A.T, abs=1e-12)
        assert bound.matrix(len(elements.rest)) @ elements.rest == pytest.approx(bound.of(elements.rest), abs=1e-14)
    exact = {"sheet": 0.06, "thread": 2 * np.pi * 1e-3 * 0.3}.get(kind, 4 * np.pi * 0.1**2)
    assert elements.outline.areas.sum() == pytest.approx(exact, rel=0.06 if kind == "tets" else 0.02)
    assert elements.areas.sum() == pytest.approx(elements.outline.areas.sum(), rel=0.02 if "lattice" in kind else 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_points_are_located(kind):
    elements = KINDS[kind]()
    middle = elements.rest[elements.nodes].mean(axis=1)
    nodes, weights, away = elements.locate(middle)
    if elements.has_inside:
        assert np.einsum("sk,skc->sc", weights, elements.rest[nodes]) == pytest.approx(middle, abs=1e-12)
        assert np.all(away == 0) and weights.min() >= (-0.125 if kind == "quadratic tets" else 0) - 1e-12
    beyond = np.array([[0.0, 0.0, 5.0]])
    assert elements.locate(beyond)[2][0] == pytest.approx(5.0, rel=0.05)


@pytest.mark.parametrize("kind", ["lattice", "refined lattice"])
def test_a_lattice_touches_where_its_surface_is(kind):
    """At rest the points lie on the surface, one near the lowest place of it, and stand for parts of like size."""
    lattice = KINDS[kind]()
    X = lattice.outline.of(lattice.rest)
    assert np.abs(BALL(X)).max() < 1e-4 * 0.04 and X[:, 2].min() < -0.098 + 0.04 * 0.03
    assert lattice.outline.areas.max() < 1.5 * 0.04**2
    cube = pl.Lattice(pl.box(0.16, (0.08, 0.08, 0.08)), 0.04)
    points = cube.outline.of(cube.rest)
    corners = 0.16 * np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    assert np.linalg.norm(points[:, None] - corners, axis=2).min(axis=0) == pytest.approx(0, abs=1e-9)
    for axis in range(3):
        for side in (0.0, 0.16):
            face = cube.outline.triangles[(np.abs(points[cube.outline.triangles, axis] - side) < 1e-9).all(axis=1)]
            assert vertex_areas(face, points).sum() == pytest.approx(0.16**2, rel=1e-9)


SOLIDS = {
    "box": (pl.box((0.1, 0.08, 0.07)), 0.02),
    "turned box": (pl.box((0.1, 0.08, 0.07)).rotated((1, 1, 0.3), 33), 0.02),
    "box on its edge": (pl.box(0.1).rotated((0, 1, 0), 45), 0.02),
    "cylinder": (pl.cylinder((0, 0, -0.1), (0.03, 0.04, 0.1), 0.1), 0.03),
    "lens": (pl.sphere(0.1, (0, 0, 0.07)) & pl.sphere(0.1, (0, 0, -0.07)), 0.015),
    "cross": ((pl.box(0.1) | pl.box((0.2, 0.05, 0.05))).rotated((1, 1, 0.3), 33), 0.02),
    "bitten ball": ((pl.sphere(0.1) - pl.box(0.1, (0.1, 0.02, 0.03))).rotated((1, 1, 0.3), 33), 0.02),
    "ball": (BALL, 0.04),
    "thin slab": (pl.box((1.0, 0.7, 0.06)).rotated((0.3, 1, 0.2), 25), 0.1),
    "fin on a block": (pl.box(0.2) | pl.box((0.02, 0.16, 0.5)), 0.05),
}
EXACT = {"box": 2 * (0.008 + 0.007 + 0.0056), "turned box": 2 * (0.008 + 0.007 + 0.0056), "box on its edge": 0.06}


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("name", SOLIDS)
def test_the_faces_of_a_lattice_are_closed_and_well_shaped(name):
    """Every edge has two faces, none crosses another, none is a sliver, and the area and the volume are those of the solid."""
    shape, h = SOLIDS[name]
    lattice = pl.Lattice(shape, h)
    bound = lattice.outline
    X, faces = bound.of(lattice.rest), bound.triangles
    edges = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)
    one = np.arange(len(X))[:, None], np.ones((len(X), 1)), faces.astype(np.int32), edges_of(faces).astype(np.int32)
    surface = Surface(*one, np.zeros(len(X), int), bound.areas, np.zeros(len(X)), X, np.array([False]))
    assert len(crossings(Device("cpu", "f64"), surface, X)) == 0
    p = X[faces]
    sides = np.linalg.norm(p - np.roll(p, 1, axis=1), axis=2)
    area = np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1) / 2
    parts = 1 if np.median(sides) > 0.6 * h else 2 if np.median(sides) > 0.3 * h else 4
    assert sides.min() > 0.15 * h / parts and np.all(2 * area > 0.08 * sides.max(axis=1) ** 2)
    fine = pl.surface(shape, h / 8)
    assert np.einsum("tc,tc->", np.cross(p[:, 0], p[:, 1]), p[:, 2]) / 6 == pytest.approx(fine.volume, rel=0.03)
    assert area.sum() == pytest.approx(fine.areas.sum(), rel=0.03) and np.abs(shape(X)).max() < 1e-3 * h
    if name in EXACT:
        assert area.sum() == pytest.approx(EXACT[name], rel=1e-6) and bound.areas.sum() == pytest.approx(EXACT[name])
    assert len(X) < 4 * parts**2 * fine.areas.sum() / h**2


def test_thin_parts_have_faces_on_both_sides_and_at_the_tip():
    """A fin between the corners of cells has both its sides, and all of it where the rest is thick."""
    fin = pl.Lattice(pl.box((0.9, 0.4, 0.05), (0.45, 0.2, 0.05)), 0.1)
    X = fin.outline.of(fin.rest)
    assert {*X[:, 2].round(6)} >= {0.025, 0.075}
    assert fin.outline.areas.sum() == pytest.approx(2 * 0.9 * 0.4 + 2 * 0.05 * 1.3, rel=0.02)
    tall = pl.Lattice(*SOLIDS["fin on a block"])
    X = tall.outline.of(tall.rest)
    assert X[:, 2].min() == pytest.approx(-0.25, abs=1e-6) and {*X[X[:, 2] > 0.12, 0].round(6)} >= {-0.01, 0.01}


@pytest.mark.parametrize("kind", ["tets", "quadratic tets", "lattice"])
def test_surfaces_ride_or_are_refused(kind):
    elements = KINDS[kind]()
    skin = pl.surface(BALL, 0.02)
    bound = elements.bind(skin)
    assert bound.of(elements.rest) == pytest.approx(skin.vertices, abs=1e-12)
    assert bound.areas == pytest.approx(vertex_areas(skin.triangles, skin.vertices))
    total = elements.outline.lengths.sum()
    assert 0.3 * total < bound.lengths.sum() < 3 * total
    with pytest.raises(pl.errors.InputError, match="points lie outside the body"):
        elements.bind(skin.translated((0.0, 0.0, 0.15)))
    with pytest.raises(pl.errors.InputError, match="points lie outside the body"):
        elements.drawn(skin.translated((0.0, 0.0, 0.15)))


def test_other_elements_say_so():
    sheet = KINDS["sheet"]()
    with pytest.raises(pl.errors.InputError, match="has no inside"):
        sheet.bind_points(np.zeros((1, 3)), "Hold")
    with pytest.raises(pl.errors.InputError, match="carries no other surface"):
        sheet.drawn(pl.meshes.sphere(0.1, 1))
