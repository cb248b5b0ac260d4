"""What every kind of element says of its surface: points that ride on nodes, areas, where a point is, and what is too far off."""

import numpy as np
import pytest

import pliant as pl
from pliant.elements.crossings import EDGES, crossings
from pliant.elements.surface import vertex_areas
from pliant.errors import PliantWarning
from pliant.geometry.fragments import CORNERS, fragments_of

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
    assert elements.areas.sum() == pytest.approx(elements.outline.areas.sum(), rel=1e-9)


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
    """At rest the points lie on the surface, to within what is cut off in a (sub)cell, and stand for parts of like size."""
    lattice = KINDS[kind]()
    X = lattice.outline.of(lattice.rest)
    assert np.abs(BALL(X)).max() < 0.04 * {"lattice": 0.1, "refined lattice": 0.03}[kind]
    assert lattice.outline.areas.max() < 1.5 * 0.04**2
    assert np.abs(BALL(X)).max() > 0 and X[:, 2].min() < -0.098 + 0.04 * 0.03
    cube = pl.Lattice(pl.box(0.16, (0.08, 0.08, 0.08)), 0.04)
    points = cube.outline.of(cube.rest)
    on = np.abs(points).min(axis=1) < 1e-12
    assert np.all(on | (np.abs(points - 0.16).min(axis=1) < 1e-12)) and len(points) == 5**3 - 3**3
    assert len(np.unique(points.round(9), axis=0)) == len(points)


def test_crossings_are_those_of_the_edges():
    """i = φ_a/(φ_a − φ_b) on each of the twelve edges whose ends differ in sign, on the nodes of that edge."""
    values = np.array([[-0.3, 0.4, 0.2, 0.9, 0.5, 0.8, 0.6, 1.0], [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 0.5]])
    nodes = np.arange(16).reshape(2, 8)
    pairs, weights = crossings(fragments_of(values), nodes)
    expected = {}
    for cell in range(2):
        for a, b in EDGES:
            f, g = values[cell, [a, b]]
            if (f < 0) != (g < 0):
                expected[tuple(nodes[cell, [a, b]])] = f / (f - g)
    assert len(expected) == 6 and {tuple(p) for p in pairs} == set(expected)
    for pair, weight in zip(pairs, weights):
        assert weight == pytest.approx([1 - expected[tuple(pair)], expected[tuple(pair)]])
    assert all(np.abs(CORNERS[a] - CORNERS[b]).sum() == 1 for a, b in EDGES) and len(EDGES) == 12


def test_thin_parts_have_points_on_both_sides_and_at_the_tip():
    """A fin between the corners crosses edges twice; its tip, which crosses none nearby, has points of its own."""
    fin = pl.Lattice(pl.box((0.9, 0.4, 0.05), (0.45, 0.2, 0.05)), 0.1)
    X = fin.outline.of(fin.rest)
    assert {*X[:, 2].round(6)} >= {0.025, 0.075}
    assert fin.outline.areas.sum() == pytest.approx(2 * 0.9 * 0.4 + 2 * 0.05 * 1.3, rel=0.02)
    with pytest.warns(PliantWarning, match="keeps 80"):
        small = pl.Lattice(pl.sphere(0.04, centre=(0.05, 0.05, 0.05)), 0.1, refine=4)
    assert small.outline.count == 6 and small.outline.nodes.shape[1] == 8


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
