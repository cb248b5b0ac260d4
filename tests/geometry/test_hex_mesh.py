"""Hexahedra: volumes, faces, node orders in files, and what an inspection says of them."""

import meshio
import numpy as np
import pytest
from hexahedra import bent

import pliant as pl
from pliant.geometry.lattice.fragments import CORNERS
from pliant.geometry.lattice.hex_mesh import EDGES, FACES, ORDER, HexMesh, hex_box


def test_a_box():
    mesh = hex_box((1, 2, 3), (2, 3, 4), (1, 1, 1))
    assert len(mesh.hexes) == 24 and len(mesh.vertices) == 60 and mesh.volume == pytest.approx(6)
    assert np.allclose(mesh.volumes, 6 / 24) and np.allclose(mesh.bounds, [[1, 1, 1], [2, 3, 4]])
    assert len(mesh.boundary_quads) == 2 * (2 * 3 + 3 * 4 + 2 * 4) and len(mesh.boundary_vertices) == 60 - 1 * 2 * 3
    assert len(mesh.edges) == 2 * 4 * 5 + 3 * 3 * 5 + 3 * 4 * 4
    assert mesh.boundary.volume == pytest.approx(6) and pl.inspect(mesh.boundary).watertight


def test_one_cube_goes_around_its_bottom_and_then_around_its_top():
    """In the order of VTK's type 12 and Gmsh's type 5, whose faces and edges are those of the tables here."""
    mesh = hex_box((1, 1, 1), (1, 1, 1))
    around = mesh.vertices[mesh.hexes[0]].astype(int).tolist()
    assert around[:4] == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]] and around[4:] == [[x, y, 1] for x, y, _ in around[:4]]
    corner = mesh.vertices[mesh.hexes[0]]
    assert np.array_equal(corner[ORDER], CORNERS)
    assert np.allclose(np.linalg.norm(corner[EDGES[:, 0]] - corner[EDGES[:, 1]], axis=1), 1)
    for face in FACES:
        a, b, c, d = corner[face]
        outward = np.cross(b - a, c - a)
        assert np.allclose(a + c, b + d) and outward @ (a + c - 1) > 0


def test_volumes_of_warped_cells_are_exact():
    """Against many samples of det ∂X/∂ξ, and as the flux of X/3 through the faces of all cells together."""
    mesh = bent()
    ticks = (np.arange(12) + 0.5) / 12
    places = np.stack(np.meshgrid(ticks, ticks, ticks), axis=-1).reshape(-1, 3)
    sampled = np.linalg.det(mesh.jacobians(places)).mean(axis=1)
    assert np.abs(sampled / mesh.volumes - 1).max() < 2e-3
    straight = hex_box((1.0, 0.8, 0.6), (3, 2, 2))
    A = np.array([[1.2, 0.3, 0.1], [0.0, 0.9, -0.2], [0.1, 0.0, 1.1]])
    turned = HexMesh(straight.vertices @ A.T, straight.hexes)
    assert np.allclose(turned.volumes, np.linalg.det(A) * straight.volumes, rtol=1e-13)


@pytest.mark.parametrize(
    "how",
    [
        ("msh", "gmsh", {}),
        ("msh", "gmsh22", {"binary": False}),
        ("vtu", "vtu", {}),
        ("vtk", "vtk", {}),
        ("inp", "abaqus", {}),
    ],
)
def test_files_of_others_keep_the_node_order(how, tmp_path):
    suffix, kind, options = how
    mesh, path = bent(), tmp_path / f"mesh.{suffix}"
    meshio.write(path, meshio.Mesh(mesh.vertices, [("hexahedron", mesh.hexes)]), file_format=kind, **options)
    back = pl.read(path)
    assert isinstance(back, HexMesh) and np.array_equal(back.hexes, mesh.hexes)
    assert np.allclose(back.vertices, mesh.vertices, atol=1e-12) and np.all(back.volumes > 0)


@pytest.mark.parametrize("suffix", ["msh", "vtu"])
def test_others_read_ours(suffix, tmp_path):
    mesh = bent()
    pl.write(HexMesh(mesh.vertices, mesh.hexes, np.arange(12) // 4), tmp_path / f"mesh.{suffix}")
    theirs = meshio.read(tmp_path / f"mesh.{suffix}")
    assert np.array_equal(theirs.cells_dict["hexahedron"], mesh.hexes)
    data = theirs.cell_data["gmsh:physical" if suffix == "msh" else "region"][0]
    assert np.array_equal(data, np.arange(12) // 4 + (suffix == "msh"))


def test_voxels_of_vtk_are_turned_into_hexahedra(tmp_path):
    """VTK's type 11 runs x fastest."""
    mesh, path = bent((2, 1, 1)), tmp_path / "voxels.vtu"
    pl.write(mesh, path, text=True)
    pl.write(HexMesh(mesh.vertices, mesh.hexes[:, ORDER]), tmp_path / "other.vtu", text=True)
    text = (tmp_path / "other.vtu").read_text()
    at = text.index("types")
    (tmp_path / "other.vtu").write_text(text[:at] + text[at:].replace("12 12", "11 11", 1).replace("12\n12", "11\n11", 1))
    assert np.array_equal(pl.read(tmp_path / "other.vtu").hexes, mesh.hexes)


@pytest.mark.parametrize("suffix", ["msh", "vtu", "vtk"])
def test_mixed_cells_are_refused(suffix, tmp_path):
    mesh, tets = bent((1, 1, 1)), pl.tet_grid((1, 1, 1), (1, 1, 1))
    both = meshio.Mesh(np.concatenate([mesh.vertices, tets.vertices + 3]), [("hexahedron", mesh.hexes), ("tetra", tets.tets + 8)])
    meshio.write(tmp_path / f"both.{suffix}", both, **({"file_format": "gmsh22"} if suffix == "msh" else {}))
    with pytest.raises(pl.errors.InputError, match=r"holds cells of .* and .*; expected"):
        pl.read(tmp_path / f"both.{suffix}")


def test_an_inspection_finds_folded_flat_and_skewed_cells():
    mesh = bent()
    fine = pl.inspect(mesh)
    assert fine.ok and fine.cells == 12 and fine.volume == pytest.approx(mesh.volume) and fine.watertight
    assert fine.area == pytest.approx(mesh.boundary.areas.sum()) and "hexes" in str(fine) and fine.components == 1
    wrong = mesh.hexes.copy()
    wrong[5] = wrong[5][[1, 0, 2, 3, 4, 5, 6, 7]]
    report = pl.inspect(HexMesh(mesh.vertices, wrong))
    assert report.inverted == 1 and "folded over" in report.problems[0] and ": 5;" in report.problems[0]
    flat = pl.inspect(HexMesh(mesh.vertices * [1, 1, 0], mesh.hexes))
    assert flat.flat == 12 and not flat.ok
    X = hex_box((1, 1, 1), (1, 1, 1)).vertices @ np.array([[1, 0, 0], [15, 1, 0], [0, 0, 1]])
    assert pl.inspect(HexMesh(X, hex_box((1, 1, 1), (1, 1, 1)).hexes)).slivers == 1


def test_refusals():
    X = hex_box((1, 1, 1), (1, 1, 1)).vertices
    for make, words in (
        (lambda: HexMesh(X, [[0, 1, 2, 3]]), r"expected \(m, 8\)"),
        (lambda: HexMesh(X, [[0, 1, 2, 3, 4, 5, 6, 8]]), "outside 0…7"),
        (lambda: HexMesh(X, [[0, 1, 2, 3, 4, 5, 6, 7]], [0, 1]), "one per hexahedron"),
        (lambda: hex_box((1, 1), (1, 1, 1)), "3 positive numbers"),
        (lambda: hex_box((1, 1, 1), (1, 0, 1)), "cells"),
        (
            lambda: pl.write(hex_box((1, 1, 1), (1, 1, 1)), "none.stl"),
            "cannot hold hexes; use msh, vtu, npz; or write mesh.boundary",
        ),
    ):
        with pytest.raises(pl.errors.InputError, match=words):
            make()
