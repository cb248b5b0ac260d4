"""Passes in C++ around a blade, against what sorting and brute force find."""

import itertools

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import pliant as pl
from pliant.cut.sides import _passed, neighbours
from pliant.cut.split import joined
from pliant.geometry.mesh.mesh import FACES
from pliant.geometry.mesh.vertex_cells import cells_at, rows_at

MESH = pl.tetrahedralise(pl.meshes.sphere(0.1), edge=0.03)


def test_faces_that_two_tets_share_are_all_but_the_outer_ones():
    tets = MESH.tets
    first, second = neighbours(tets)
    faces = np.sort(tets[:, FACES].reshape(-1, 3), axis=1)
    assert np.array_equal(faces[first], faces[second]) and np.all(first < second)
    assert np.array_equal(np.sort(np.concatenate([first, second, MESH.outer])), np.arange(4 * len(tets)))
    order = [tuple(row) for row in faces[first].tolist()]
    assert order == sorted(order)
    side = np.random.default_rng(1).integers(-1, 2, len(tets))
    apart = side[first // 4] * side[second // 4] < 0
    some = neighbours(tets, side)
    assert np.array_equal(some[0], first[apart]) and np.array_equal(some[1], second[apart]) and apart.any()


def test_edges_that_a_blade_passes_and_no_others():
    x = MESH.vertices
    blade = pl.Blade([(-0.2, -0.01, 0.2), (0.02, 0.01, 0.2), (0.2, 0.03, 0.21)], depth=0.19)
    height, _ = blade.heights(x)
    above = height[MESH.edges] >= 0
    parted = MESH.edges[above[:, 0] != above[:, 1]]
    found = _passed(MESH.tets, x, height, blade)
    every, some = {tuple(e) for e in parted.tolist()}, [tuple(e) for e in found.tolist()]
    assert set(some) <= every and len(set(some)) == len(some)
    for edge in every - set(some):  # none of those left out meets the blade anywhere
        share = np.linspace(0, 1, 201)[:, None]
        h, within = blade.heights((1 - share) * x[edge[0]] + share * x[edge[1]])
        assert not within[np.abs(h) < 1e-4].any()
    assert 0 < len(some) < len(every)


def test_parts_of_pairs_are_those_of_a_graph():
    random = np.random.default_rng(2)
    for pairs in (0, 40, 90, 400):
        a, b = random.integers(0, 120, (2, pairs))
        graph = sparse.coo_array((np.ones(pairs), (a, b)), shape=(120, 120))
        count, labels = connected_components(graph, directed=False)
        begins, part = joined(a, b, 120)
        assert len(begins) == count and np.array_equal(part, labels)
        assert np.array_equal(begins, np.unique(labels, return_index=True)[1])


def test_cells_at_vertices():
    random = np.random.default_rng(3)
    some = random.choice(len(MESH.vertices), 12, replace=False)
    flags = np.isin(np.arange(len(MESH.vertices)), some)
    assert np.array_equal(rows_at(MESH.tets, flags), np.flatnonzero(flags[MESH.tets].any(axis=1)))
    starts, lists = cells_at(MESH.tets, some, len(MESH.vertices))
    for i, v in enumerate(some):
        assert np.array_equal(lists[starts[i] : starts[i + 1]], np.flatnonzero((MESH.tets == v).any(axis=1)))
    assert rows_at(MESH.tets, ~flags & flags).size == 0


def test_heights_above_a_sheet_with_bends_are_distances_to_it():
    path = np.array([(-1.0, 0.0, 1.0), (0.0, 0.4, 1.2), (0.5, -0.3, 1.0)])
    blade, random = pl.Blade(path, depth=1.0), np.random.default_rng(4)
    points = random.normal(size=(300, 3))
    ends = path[[0, -1]] + 20 * (path[[0, -1]] - path[[1, 1]])  # beyond its ends it goes straight on
    fine = np.concatenate([ends[:1], path, ends[1:]])[:, :2]
    fine = np.concatenate([np.linspace(a, b, 4000) for a, b in itertools.pairwise(fine)])
    apart = np.linalg.norm(points[:, None, :2] - fine[None, ::4], axis=2).min(axis=1)
    height, within = blade.heights(points)
    assert np.allclose(np.abs(height), apart, atol=0.03) and (height > 0).any() and (height < 0).any()
    flat = blade.unrolled(points)
    feet = blade.rolled(flat)
    assert np.allclose(np.linalg.norm((feet - points)[:, :2], axis=1), np.abs(height), atol=1e-12)
    depth = feet @ np.array(blade.into) - np.interp(feet[:, 0], path[:, 0], path @ np.array(blade.into))
    inside = (feet[:, 0] >= -1) & (feet[:, 0] <= 0.5) & (depth >= 0) & (depth <= 1)
    assert np.array_equal(within, inside) and within.any()


def test_quality_of_tets_and_the_slope_of_a_plane():
    from pliant.cut.snap import _slopes, quality

    regular = np.array([(1.0, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])
    tets = np.array([[0, 1, 2, 3], [1, 0, 2, 3]], np.int32)
    assert np.allclose(np.abs(quality(regular, tets)), 1.0) and quality(regular, tets).sum() == 0
    X, slope = MESH.vertices, np.array([0.3, -1.0, 0.6])
    found = _slopes(X, MESH.tets, X @ slope + 0.1, len(X))
    assert np.allclose(found, slope, atol=1e-10)


def cut_several_times():
    """A mesh that lies along nothing, cut three times, the second and the third across what was cut before."""
    from pliant.cut.mesh_cut import opened

    mesh = pl.tetrahedralise(pl.meshes.sphere(0.1), edge=0.028).rotated((1, 2, 3), 33)
    for path, into in (((-1, 0.01, 1), (1, -0.02, 1)), (0, 0, -1)), (((0.01, -1, 1), (0, 1, 0.9)), (0, 0.1, -1)):
        mesh = opened(mesh, pl.Blade([np.array(p, float) for p in path], depth=1.0, into=into)).mesh
    return mesh, pl.Blade([(-0.3, -0.2, 0.3), (0.02, 0.01, 0.3), (0.2, 0.3, 0.31)], depth=0.32)


CUT, ACROSS = cut_several_times()


def test_edges_met_and_the_vertices_that_cover_them_are_those_of_a_sort():
    from pliant.cut.sides import cover, crossings

    x, blade = CUT.vertices, ACROSS
    height, _ = blade.heights(x)
    assert np.array_equal(blade.distances(x), height)
    above = height >= 0
    edges = CUT.edges[above[CUT.edges[:, 0]] != above[CUT.edges[:, 1]]]
    edges = np.where(above[edges[:, :1]], edges, edges[:, ::-1])
    first, second = height[edges[:, 0]], -height[edges[:, 1]]
    share = first / (first + second)
    within = blade.heights((1 - share)[:, None] * x[edges[:, 0]] + share[:, None] * x[edges[:, 1]])[1]
    within &= first + second <= (1 + 1e-9) * np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1)
    ends, shares = crossings(x, CUT.edges, height, blade)
    assert np.array_equal(ends, edges[within]) and np.array_equal(shares[:, 0], share[within]) and len(ends) > 50
    corners = ends.ravel()
    degree = np.bincount(corners, minlength=len(x))
    far = np.bincount(corners, shares.ravel(), len(x)) / np.maximum(degree, 1)
    met = np.flatnonzero(degree)
    on, left = np.zeros(len(x), bool), np.ones(len(ends), bool)
    for v in met[np.lexsort((met, ~above[met], far[met].round(9)))]:
        own = (ends == v).any(axis=1) & left
        on[v], left[own] = own.any(), False
    assert np.array_equal(cover(ends, shares, above), on)


def test_sides_and_faces_between_are_those_of_all_tets():
    from pliant.cut.sides import sides

    where = sides(CUT, CUT.vertices, ACROSS)
    signs = np.where(where.on, 0, np.where(where.height >= 0, 1, -1))[CUT.tets]
    expected = np.sign(signs.max(axis=1) + signs.min(axis=1))
    flat = (signs == 0).all(axis=1)
    expected[flat] = np.where(where.height[CUT.tets[flat]].sum(axis=1) >= 0, 1, -1)
    expected[~where.on[CUT.tets].any(axis=1)] = 0
    assert np.array_equal(where.of_tet, expected) and len(where.faces) > 10
    first, second = neighbours(CUT.tets, expected)
    pairs = np.sort(np.stack([first // 4, second // 4], axis=1), axis=1)
    assert np.array_equal(np.sort(where.between, axis=1), pairs)
    assert np.array_equal(where.ring(CUT.tets), np.flatnonzero(np.isin(CUT.tets, where.faces).any(axis=1)))


def test_corners_hang_together_as_facets_that_are_sorted_say():
    from pliant.cut.sides import sides
    from pliant.cut.split import _hanging, _hanging_flat, pinched, split

    where = sides(CUT, CUT.vertices, ACROSS)
    near = where.ring(CUT.tets)
    under = np.isin(near, where.between[:, 1])
    for some in (where.faces, where.faces[::3]):
        found, expected = (way(CUT.tets[near], some, under) for way in (_hanging, _hanging_flat))
        assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
        tets, origin = split(CUT.tets, len(CUT.vertices), some, where.between[:, 1])
        assert len(origin) > len(CUT.vertices)
        edges, vertices = pinched(tets[near], where.around[origin])
        every = pl.TetMesh(CUT.vertices[origin], tets).boundary_triangles
        sides_of, times = np.unique(np.sort(every[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0, return_counts=True)
        often = sides_of[(times > 2) & where.around[origin[sides_of]].all(axis=1)]
        assert np.array_equal(np.unique(edges, axis=0).reshape(-1, 2), often)
        for v in np.flatnonzero(where.around[origin]):
            own = every[(every == v).any(axis=1)]
            if not len(own):
                continue
            links = [row[row != v] for row in own]
            graph = sparse.coo_array((np.ones(len(links)), np.transpose(links)), shape=(len(origin),) * 2)
            labels = connected_components(graph, directed=False)[1]
            assert (len(np.unique(labels[np.unique(links)])) > 1) == (v in vertices)


def test_a_patch_has_the_outer_faces_of_the_mesh_and_regions_are_told_at_its_vertices():
    from pliant.cut.sides import sides
    from pliant.cut.snap import between_regions, patch

    where = sides(CUT, CUT.vertices, ACROSS)
    near = where.ring(CUT.tets)
    own = patch(CUT, near)
    assert np.array_equal(own.nodes[own.tets], CUT.tets[near]) and np.all(np.diff(own.nodes) > 0)
    assert np.array_equal(own.nodes[own.faces], CUT.boundary_triangles[np.isin(CUT.outer // 4, near)])
    regions = (CUT.vertices[CUT.tets].mean(axis=1)[:, 1] > 0.003).astype(int)
    mesh = pl.TetMesh(CUT.vertices, CUT.tets, regions)
    first, second = neighbours(mesh.tets)
    odd = regions[first // 4] != regions[second // 4]
    faces = mesh.tets[(first[odd] // 4)[:, None], FACES[first[odd] % 4]]
    some = np.flatnonzero(where.around)
    found = between_regions(mesh, near, some)
    assert np.array_equal(found, np.isin(some, faces)) and found.any() and not found.all()
    flags = np.zeros(len(CUT.vertices), bool)
    flags[some[:5]] = True
    assert np.array_equal(rows_at(CUT.tets, flags, near), rows_at(CUT.tets, flags))
