"""Meshes cut by blades: no tet made or lost, no volume lost, and surfaces that stay surfaces."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import pliant as pl
from pliant.cut.mesh_cut import opened
from pliant.cut.snap import FLOOR, quality
from pliant.errors import InputError
from tests.winding import components

MESHES = {
    "six": pl.tet_grid((1, 1, 1), (5, 5, 5), 6),
    "five": pl.tet_grid((1, 1, 1), (5, 5, 5), 5),
    "bar": pl.tet_grid((2, 0.5, 0.5), (12, 3, 3), 6).rotated((1, 2, 3), 40),
    "ball": pl.tetrahedralise(pl.sphere(0.5), edge=0.2),
    "ring": pl.tetrahedralise(pl.torus(0.5, 0.2), edge=0.16),
}


def plane(point, normal, half=9.0, ahead=None):
    """A blade right through everything, or one that ends ``ahead`` of its middle."""
    normal = np.asarray(normal, float) / np.linalg.norm(normal)
    along = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    along /= np.linalg.norm(along)
    into = np.cross(normal, along)
    start = np.asarray(point, float) - half * into
    return pl.Blade([start - half * along, start + half * along], half + (half if ahead is None else ahead), into)


def stroke(rng, middle, size):
    """A curved stroke that dives to some depth."""
    share = np.linspace(-1, 1, 9)[:, None]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    bend = rng.uniform(-0.4, 0.4)
    local = np.concatenate([share, bend * share**2, np.full_like(share, -1.0)], axis=1)
    return pl.Blade(middle + size * local @ turn.T, size * rng.uniform(0.6, 2.0), turn[:, 2])


def most_fans(mesh):
    """The most fans that the faces of the surface make around a vertex: 1 on a manifold."""
    around = {}
    for face in mesh.boundary_triangles.tolist():
        for i in range(3):
            around.setdefault(face[i], []).append({face[i - 1], face[i - 2]})
    most = 0
    for fans in around.values():
        whole = []
        for edge in fans:  # of the link; edges that share an end grow together
            apart = [part for part in whole if not part & edge]
            whole = [*apart, edge.union(*(part for part in whole if part & edge))]
        most = max(most, len(whole))
    return most


def check(mesh, done):
    """What holds after any cut."""
    new = done.mesh
    assert len(new.tets) == len(mesh.tets) and np.array_equal(done.origin[new.tets], mesh.tets)
    assert np.array_equal(done.origin[: len(mesh.vertices)], np.arange(len(mesh.vertices)))
    assert new.volume == pytest.approx(mesh.volume, rel=1e-13)
    least = quality(new.vertices, new.tets)
    assert np.all(least >= np.minimum(quality(mesh.vertices, mesh.tets), FLOOR) * (1 - 1e-9)) and np.all(new.volumes > 0)
    assert np.allclose(done.carried(mesh.vertices), new.vertices, rtol=0, atol=1e-12)
    assert np.array_equal(new.outer, pl.TetMesh(new.vertices, new.tets).outer)
    report = pl.inspect(new)
    assert report.non_manifold == report.unreferenced_vertices == report.inverted == report.flat == 0
    assert report.watertight and most_fans(new) == 1, report.notes
    return report


def random_blade(rng, mesh, kind):
    middle, away = mesh.vertices.mean(axis=0), rng.uniform(-0.2, 0.2, 3)
    if kind == "plane":
        return plane(middle + away, rng.normal(size=3))
    if kind == "partial":
        return plane(middle + away, rng.normal(size=3), ahead=rng.uniform(-0.3, 0.3))
    if kind == "stroke":
        return stroke(rng, middle, 0.7)
    return plane(mesh.vertices[rng.integers(len(mesh.vertices))], np.eye(3)[rng.integers(3)])  # through vertices and edges


KINDS = ("plane", "partial", "stroke", "vertices")


@pytest.mark.parametrize("name", MESHES)
def test_random_cuts_again_and_again_leave_a_good_mesh(name):
    rng, cuts = np.random.default_rng(5), 0
    for kind in KINDS:
        mesh = MESHES[name]
        for _ in range(2):  # the second across the first
            done = opened(mesh, random_blade(rng, mesh, kind))
            check(mesh, done)
            cuts, mesh = cuts + bool(len(done.faces)), done.mesh
    assert cuts >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", MESHES)
def test_a_hundred_blades_each(name):
    rng = np.random.default_rng(11)
    for _ in range(25):
        mesh = MESHES[name]
        for _ in range(4):
            done = opened(mesh, random_blade(rng, mesh, KINDS[rng.integers(4)]))
            check(mesh, done)
            mesh = done.mesh


@pytest.mark.parametrize("name", [name for name in MESHES if name != "ring"])
def test_a_plane_right_through_leaves_two_parts_on_its_sides(name):
    mesh, rng = MESHES[name], np.random.default_rng(3)
    edge = np.linalg.norm(np.diff(mesh.vertices[mesh.edges], axis=1)[:, 0], axis=1).mean()
    for _ in range(6):
        blade = plane(mesh.vertices.mean(axis=0) + rng.uniform(-0.1, 0.1, 3), rng.normal(size=3))
        done = opened(mesh, blade)
        assert pl.inspect(done.mesh).components == 2 and not done.closed
        height = blade.heights(done.mesh.vertices)[0]
        assert np.abs(height[np.unique(done.faces)]).mean() < 0.1 * edge and done.away < 0.7 * edge
        joins = done.mesh.edges
        graph = sparse.coo_array((np.ones(len(joins)), joins.T), shape=(len(height),) * 2)
        part = connected_components(graph, directed=False)[1]
        far = np.abs(height) > 0.9 * edge  # a corner that is thinner than half an edge stays on the other side
        assert len(np.unique(part[far & (height > 0)])) == len(np.unique(part[far & (height < 0)])) == 1


def test_a_blade_that_ends_inside_leaves_one_part_with_a_slit():
    mesh = MESHES["six"]
    done = opened(mesh, plane((0.5, 0.5, 0.5), (1, 0, 0), ahead=0.1))
    report = check(mesh, done)
    assert report.components == 1 and done.new > 5 and report.area > pl.inspect(mesh).area + 1.0
    places = done.mesh.vertices[len(mesh.vertices) :]
    assert np.allclose(places[:, 0], 0.5) and len(done.faces) > 20


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_a_beam_cut_along_gains_one_sheet_of_vertices(n):
    """Table 5.1 of the thesis: n × 2n × 4n cubes; growth 1/(n + 1), no new tets, two parts, and a matrix hardly worse."""
    mesh = pl.tet_grid((2, 4, 8), (n, 2 * n, 4 * n), 6)
    done = opened(mesh, plane((1, 2, 4), (1, 0, 0), 20))
    assert len(done.mesh.tets) == 48 * n**3 and pl.inspect(done.mesh).components == 2
    assert done.new / len(mesh.vertices) == pytest.approx(1 / (n + 1), abs=1e-3)
    assert done.away < 1e-12 and done.mesh.volume == pytest.approx(64.0, rel=1e-13)
    assert _condition(done.mesh) < 20 * _condition(mesh)


def _condition(mesh):
    """Of the matrix of linear elements with a mass, by its extreme eigenvalues."""
    from scipy.sparse.linalg import eigsh

    tets, n = pl.Tets(mesh), len(mesh.vertices)
    gradient = tets.gradients[:, 0]
    blocks = np.einsum("m,mic,mjc->mij", mesh.volumes, gradient, gradient)
    rows, columns = np.repeat(mesh.tets, 4, axis=1).ravel(), np.tile(mesh.tets, (1, 4)).ravel()
    K = sparse.csr_array((blocks.ravel(), (rows, columns)), shape=(n, n))
    A = K + sparse.diags_array(tets.lumped(np.ones(())))
    largest = eigsh(A, 1, which="LM", return_eigenvectors=False, tol=1e-3)[0]
    smallest = eigsh(A, 1, sigma=0.0, which="LM", return_eigenvectors=False, tol=1e-3)[0]
    return largest / smallest


def test_regions_keep_their_volumes():
    mesh = MESHES["six"]
    regions = (mesh.vertices[mesh.tets].mean(axis=1)[:, 0] > 0.41).astype(int)
    mesh = pl.TetMesh(mesh.vertices, mesh.tets, regions)
    done = opened(mesh, plane((0.45, 0.5, 0.5), (1, 0.3, 0.1)))
    assert np.array_equal(done.mesh.regions, regions) and pl.inspect(done.mesh).components == 2
    for region in (0, 1):
        of = regions == region
        assert done.mesh.volumes[of].sum() == pytest.approx(mesh.volumes[of].sum(), rel=1e-13)


def test_what_is_not_computed_again_after_a_cut_is_what_it_would_be():
    """Volumes, outer faces and gradients, after one cut and after another across it, bit for bit."""
    mesh = MESHES["ball"]
    for normal in ((1, 0.2, 0.1), (0.1, 1, 0.3)):
        done = opened(mesh, plane((0.02, 0.01, 0), normal))
        body, mesh = pl.Tets(done.mesh), done.mesh
        anew = pl.Tets(pl.TetMesh(mesh.vertices, mesh.tets))
        assert 0 < len(done.touched) < len(mesh.tets) and np.array_equal(mesh.volumes, anew.mesh.volumes)
        assert np.array_equal(mesh.outer, anew.mesh.outer)
        assert np.array_equal(mesh.boundary_triangles, anew.mesh.boundary_triangles)
        some = np.append(done.touched[::2], np.arange(0, len(mesh.tets), 5))
        assert np.array_equal(body.gradients_at(some), anew.gradients[some])
        assert np.array_equal(body.gradients, anew.gradients) and np.array_equal(body.weights, anew.weights)
        assert body.mesh is mesh and np.array_equal(body.areas, anew.areas)
        assert np.array_equal(body.volumes, anew.volumes)
        corners, share = mesh.tets.T.ravel(), np.tile(1000.0 * mesh.volumes / 4, 4)
        assert np.array_equal(body.lumped(np.array(1000.0)), np.bincount(corners, share, len(mesh.vertices)))
        some = np.arange(len(mesh.vertices))[::-3]
        x = np.sin(3 * done.mesh.vertices[: done.origin.max() + 1])
        assert np.array_equal(done.carried_to(some, x), done.carried(x)[some]) and done.moved[some].any()


def test_held_vertices_stay():
    mesh = MESHES["five"]
    fixed = mesh.vertices[:, 2] == 0
    done = opened(mesh, plane((0.45, 0.5, 0.5), (1, 0.3, 0.1)), fixed=fixed)
    moved = np.flatnonzero(np.any(done.mesh.vertices != mesh.vertices[done.origin], axis=1))
    assert len(moved) > 10 and not fixed[done.origin[moved]].any()


def test_what_is_moved_is_moved_in_the_same_way_at_rest_and_now():
    """A deformed body cut where it is now: the cut is flat there, and the map of the deformation stays what it was."""
    mesh = MESHES["ball"]
    F = np.array([[1.5, 0.3, 0.0], [0.0, 0.8, 0.2], [0.1, 0.0, 1.1]])
    x = mesh.vertices @ F.T + [3.0, 0, 0]
    blade = plane((3.0, 0, 0.02), (0.2, 1, 0.4))
    done = opened(mesh, blade, x)
    assert np.allclose(done.carried(x), done.mesh.vertices @ F.T + [3.0, 0, 0], rtol=0, atol=1e-12)
    height = blade.heights(done.carried(x))[0][np.unique(done.faces)]
    assert np.median(np.abs(height)) < 1e-9 and pl.inspect(done.mesh).components == 2


def test_a_blade_beside_the_mesh_and_one_along_a_thin_one_open_nothing():
    mesh = MESHES["six"]
    beside = opened(mesh, plane((5, 0, 0), (1, 0, 0)))
    assert not beside.crossed and not len(beside.faces) and not beside.new
    thin = pl.tet_grid((1, 1, 0.1), (6, 6, 1), 6)
    along = opened(thin, plane((0, 0, 0.05), (0, 0, 1)))
    assert along.crossed and not along.new


def test_a_path_with_a_bend_cuts_along_it():
    mesh = pl.tet_grid((2, 2, 0.4), (20, 20, 4), 5)
    path = [(-1, 0.6, 1), (1.0, 0.6, 1), (1.4, 3.0, 1)]
    done = opened(mesh, pl.Blade(path, depth=2.0))
    assert pl.inspect(done.mesh).components == 2
    blade = pl.Blade(path, depth=2.0)
    assert np.median(np.abs(blade.heights(done.mesh.vertices[np.unique(done.faces)])[0])) < 1e-3


def test_heights_of_a_bent_blade():
    blade = pl.Blade([(0, 0, 0), (1, 0, 0), (1, 1, 0)], depth=1.0)
    seen = [[0.5, 0.2], [0.5, -0.2], [1.3, 0.5], [1.2, -0.1], [0.5, 0.2], [-1, 0.2]]
    points = np.column_stack([seen, [-0.5, -0.5, -0.5, -0.5, 0.5, -0.5]])
    height, within = blade.heights(points)
    assert np.allclose(np.abs(height), [0.2, 0.2, 0.3, np.hypot(0.2, 0.1), 0.2, 0.2])
    assert np.array_equal(np.sign(height), np.sign(height[0]) * np.array([1, -1, -1, -1, 1, 1]))
    assert within.tolist() == [True, True, True, True, False, False]
    assert len(blade.surface.triangles) == 4 and blade.surface.areas.sum() == pytest.approx(2.0)


@pytest.mark.parametrize(
    "given",
    [
        {"path": [(0, 0, 0)]},
        {"path": [(0, 0, 0), (0, 0, 1)]},
        {"path": [(0, 0, 0), (0, 0, 0)]},
        {"depth": 0.0},
        {"into": (0, 0, 0)},
        {"path": "soft"},
    ],
)
def test_bad_blades_are_refused(given):
    with pytest.raises(InputError, match="Blade"):
        pl.Blade(**({"path": [(0, 0, 0), (1, 0, 0)], "depth": 1.0} | given))


def test_a_part_of_a_stroke_follows_its_path():
    blade = pl.Blade([(0, 0, 0), (1, 0, 0), (1, 3, 0)], depth=1.0)
    assert np.allclose(blade.part(0, 0.125).path, [(0, 0, 0), (0.5, 0, 0)])
    assert np.allclose(blade.part(0.125, 0.5).path, [(0.5, 0, 0), (1, 0, 0), (1, 1, 0)])
    assert np.allclose(blade.part(0, 0.25).path, blade.path[:2]) and np.allclose(blade.part(0, 1.0).path, blade.path)
    assert blade.part(0.1, 0.5).depth == 1.0


@pytest.mark.parametrize("out, small", [(0.14, 1), (0.3, 0)])
def test_small_pieces_that_come_off_are_counted(out, small):
    """A corner of a cube is a crumb, more of it is none; the pieces are those of a label that spreads."""
    mesh = pl.tet_grid((1, 1, 1), (5, 5, 5), 6)
    done = opened(mesh, plane((out, out, out), (1, 1, 1)))
    label = components(done.mesh.tets)
    sizes = np.bincount(label[done.mesh.tets[:, 0]])
    assert len(sizes) == 2 and sorted(done.crumbs) == sorted(sizes[sizes <= 16]) and len(done.crumbs) == small
    assert ("crumbs that came off: 1" in repr(done)) is bool(small)
    again = opened(done.mesh, plane((0.55, 0.5, 0.5), (1, 0, 0)))
    assert len(np.unique(components(again.mesh.tets))) > 2 and not len(again.crumbs)  # those of an earlier cut do not count
