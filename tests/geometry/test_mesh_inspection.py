"""Each fault, planted by hand, is found, counted and named; a sound mesh has none."""

import json
import time

import numpy as np
import pytest
import trimesh

from pliant import meshes
from pliant.errors import InputError
from pliant.geometry.inspection.mesh_inspection import dihedral_angles, inspect
from pliant.geometry.mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from pliant.geometry.mesh.primitives import cloth_grid, tet_grid

GRID = tet_grid((1, 1, 1), (2, 2, 2))
BALL = meshes.sphere(1.0, 2)


def changed(array, row, value):
    copy = np.array(array)
    copy[row] = value
    return copy


def test_sound_meshes_have_no_problems():
    for mesh in (GRID, BALL, meshes.box((1, 2, 3)), meshes.net((1, 1), (3, 3)), cloth_grid((1, 1), (3, 3))):
        report = inspect(mesh)
        assert report.ok and report.problems == (), report


def test_inverted_and_flat_tets():
    swapped = TetMesh(GRID.vertices, changed(GRID.tets, [3, 8], GRID.tets[[3, 8]][:, [1, 0, 2, 3]]))
    report = inspect(swapped)
    assert report.inverted == 2 and not report.oriented
    assert any("2 tets are inverted: 3, 8" in p for p in report.problems)
    flat = TetMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2, 3]])
    report = inspect(flat)
    assert report.flat == 1 and report.inverted == 0 and report.slivers == 0
    twice = inspect(TetMesh(GRID.vertices, changed(GRID.tets, 0, [0, 0, 1, 2])))
    assert twice.flat == 1


def test_slivers_and_dihedral_angles():
    height = 0.5 * np.tan(np.radians(3)) * np.sqrt(2) / 2
    sliver = TetMesh([[0, 0, 0], [1, 0, height], [1, 1, 0], [0, 1, height]], [[0, 1, 2, 3]])
    assert inspect(sliver).slivers == 1
    assert inspect(sliver, sliver_degrees=0.5).slivers == 0
    regular = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])
    smallest, largest, histogram = dihedral_angles(regular, np.array([[0, 1, 2, 3]]))
    exact = np.degrees(np.arccos(1 / 3))
    assert smallest[0] == pytest.approx(exact) and largest[0] == pytest.approx(exact)
    assert histogram[7] == 6 and histogram.sum() == 6
    report = inspect(tet_grid((2, 1, 1), (2, 1, 1), 6))
    assert report.dihedral_range == pytest.approx((45.0, 90.0))


def test_duplicates_and_unreferenced():
    vertices = np.vstack([GRID.vertices, GRID.vertices[4], [[9, 9, 9]]])
    report = inspect(TetMesh(vertices, np.vstack([GRID.tets, GRID.tets[2][[1, 2, 0, 3]]])))
    assert report.duplicate_vertices == 1 and report.unreferenced_vertices == 2 and report.duplicate_cells == 1
    assert any("27" in p and "exactly on another" in p for p in report.problems)
    assert any(p.startswith("1 of the tets repeats") and "40" in p for p in report.problems)
    assert report.non_manifold > 0  # the doubled tet's inner faces now have three owners
    minus = PointCloud([[0.0, 0, 0], [-0.0, 0, 0]])
    assert inspect(minus).duplicate_vertices == 1


def test_holes_loops_and_components():
    inner = [i for i in range(len(BALL.triangles)) if i not in (0, 200)]
    report = inspect(TriMesh(BALL.vertices, BALL.triangles[inner]))
    assert report.holes == 2 and report.watertight is False and report.volume is None
    assert "2 boundary loops of 6 edges" in report.notes[0]
    pair = TriMesh(
        np.vstack([BALL.vertices, BALL.vertices + 3]), np.vstack([BALL.triangles, BALL.triangles + len(BALL.vertices)])
    )
    assert inspect(pair).components == 2
    assert inspect(cloth_grid((1, 1), (3, 3))).holes == 1


def test_orientation_and_inside_out():
    odd = TriMesh(BALL.vertices, changed(BALL.triangles, 5, BALL.triangles[5][::-1]))
    report = inspect(odd)
    assert report.oriented is False and report.watertight is True
    assert any(p.startswith("at 3 edges the two triangles disagree") for p in report.problems)
    inside_out = inspect(TriMesh(BALL.vertices, BALL.triangles[:, ::-1]))
    assert inside_out.oriented and any("inside out" in p for p in inside_out.problems)


def test_non_manifold_edge():
    fin = TriMesh(
        np.vstack([BALL.vertices, [[0, 0, 5]]]),
        np.vstack([BALL.triangles, [[*BALL.triangles[0][:2], len(BALL.vertices)]]]),
    )
    report = inspect(fin)
    assert report.non_manifold == 1 and not report.watertight


def test_edges_and_clouds():
    edges = EdgeMesh([[0, 0, 0], [1, 0, 0], [1, 0, 0], [5, 5, 5]], [[0, 1], [1, 2], [1, 0]])
    report = inspect(edges)
    assert report.flat == 1 and report.duplicate_cells == 1 and report.unreferenced_vertices == 1
    assert report.length == pytest.approx(2) and report.components == 1
    cloud = inspect(PointCloud([[0, 0, 0], [2, 0, 0]], [[0, 0, 1], [0, 0, 3]]))
    assert cloud.edge_lengths == (2, 2, 2) and "1 normals are not of length 1: 1" in cloud.problems[0]


def test_agrees_with_trimesh():
    rng = np.random.default_rng(5)
    for _ in range(20):
        keep = rng.random(len(BALL.triangles)) < 0.97
        mesh = TriMesh(BALL.vertices, BALL.triangles[keep])
        report, other = inspect(mesh), trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False)
        assert report.watertight == other.is_watertight and report.oriented == other.is_winding_consistent
        assert report.area == pytest.approx(other.area)


def test_scale_does_not_matter():
    for scale in (1e-150, 1e99):
        report = inspect(GRID.scaled(scale))
        assert report.ok and report.dihedral_range == pytest.approx((54.7356, 90.0), abs=1e-4)
    with pytest.raises(InputError, match=r"2 of 2 points are beyond 1e\+100 m"):
        PointCloud([[1e308, 0, 0], [-1e308, 0, 0]])


def test_reads_as_a_table_and_as_json():
    report = inspect(TetMesh(GRID.vertices, GRID.tets, np.arange(40) % 2))
    text = str(report)
    for words in (
        "27 vertices, 40 tets",
        "1 × 1 × 1 m",
        "m³",
        "dihedral    54.74° … 90.00°",
        "problems    none",
        "regions     2",
    ):
        assert words in text
    again = json.loads(json.dumps(report.as_dict()))
    assert again["ok"] is True and again["cells"] == 40 and len(again["dihedral_histogram"]) == 18


def test_empty_and_wrong():
    assert inspect(TriMesh(np.zeros((0, 3)), [])).problems[0].startswith("it has no vertices")
    assert "it has no tets" in inspect(TetMesh(GRID.vertices, [])).problems[0]
    with pytest.raises(InputError, match="mesh is a list; expected TetMesh"):
        inspect([1, 2])
    with pytest.raises(InputError, match="sliver_degrees"):
        inspect(GRID, sliver_degrees=-1)


def test_a_quarter_million_tets_take_seconds():
    grid = tet_grid((1, 1, 1), (37, 37, 37))
    start = time.process_time()
    assert inspect(grid).ok
    assert time.process_time() - start < 5.0
