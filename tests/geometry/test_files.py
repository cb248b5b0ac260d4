"""Every format reads back what it wrote, and agrees with other libraries."""

import dataclasses
import os
import time

import meshio
import numpy as np
import pytest

from pliant import meshes
from pliant.errors import InputError
from pliant.geometry import file_suffixes
from pliant.geometry.files import FORMATS, read, write
from pliant.geometry.mesh.mesh import PointCloud, TetMesh, TriMesh
from pliant.geometry.mesh.primitives import cloth_grid, tet_grid

RNG = np.random.default_rng(7)


def shaken(mesh):
    """The mesh with every coordinate moved a little, so that each one needs all its digits."""
    return dataclasses.replace(mesh, vertices=mesh.vertices + RNG.normal(scale=1e-3, size=mesh.vertices.shape))


def replaced_regions(mesh):
    return dataclasses.replace(mesh, regions=np.arange(len(mesh.tets)) % 3)


TETS = shaken(tet_grid((1, 0.3, 0.7), (2, 1, 2)))
MESHES = {
    "tets": TETS,
    "regions": TetMesh(TETS.vertices, TETS.tets, 2 * (np.arange(len(TETS.tets)) % 3)),
    "middles": shaken(replaced_regions(TETS.quadratic())),
    "hexes": shaken(meshes.hex_box((1, 0.3, 0.7), (2, 1, 2))),
    "hex regions": dataclasses.replace(meshes.hex_box((1, 1, 1), (2, 1, 1)), regions=[3, 0]),
    "triangles": shaken(cloth_grid((1, 0.3), (3, 2))),
    "edges": shaken(meshes.net((1, 0.3), (3, 2))),
    "points": PointCloud(RNG.normal(size=(20, 3)) * 10.0 ** RNG.integers(-300, 98, (20, 1))),
    "normals": PointCloud(RNG.normal(size=(20, 3)), RNG.normal(size=(20, 3))),
}
CELLS = {
    "tets": "tets",
    "regions": "tets",
    "middles": "tets",
    "hexes": "hexes",
    "hex regions": "hexes",
    "triangles": "triangles",
    "edges": "edges",
    "points": "points",
    "normals": "points",
}


def same(was, now):
    assert type(was) is type(now)
    for field in dataclasses.fields(was):
        a, b = getattr(was, field.name), getattr(now, field.name)
        assert (a is None and b is None) or np.array_equal(a, b), field.name


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("suffix", [s for s in FORMATS if s not in (".stl", ".glb")])
@pytest.mark.parametrize("name", MESHES)
def test_round_trip_is_exact(name, suffix, text, tmp_path):
    """Either the mesh comes back bit for bit, or the format says at once that it cannot hold it."""
    mesh, path = MESHES[name], tmp_path / f"mesh{suffix}"
    holds = {CELLS[name], name.removeprefix("hex ")} <= set(FORMATS[suffix].HOLDS) and not (suffix == ".ele" and name == "points")
    if holds and not (text and suffix == ".npz"):
        write(mesh, path, text=text)
        same(mesh, read(path))
    else:
        with pytest.raises(InputError, match=r"cannot hold|is read but not written|no text form|points alone"):
            write(mesh, path, text=text)
        assert not os.listdir(tmp_path)


def test_help_texts_name_every_format():
    assert {f".{name}" for name in (*file_suffixes.MESHES, *file_suffixes.VOLUMES)} == set(FORMATS)


def test_stl_joins_equal_corners_only(tmp_path):
    ball = shaken(meshes.sphere(1.0, 1))
    write(ball, tmp_path / "ball.stl", text=True)
    back = read(tmp_path / "ball.stl")
    assert len(back.vertices) == len(ball.vertices)
    assert np.array_equal(back.vertices[back.triangles], ball.vertices[ball.triangles])
    assert back.triangles[0].tolist() == [0, 1, 2]  # numbered as they appear
    write(ball, tmp_path / "ball.stl")
    single = read(tmp_path / "ball.stl")
    assert np.array_equal(single.vertices[single.triangles], ball.vertices[ball.triangles].astype(np.float32))
    near = TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [-0.0, 0, 1], [1e-300, 0, 0]], [[0, 1, 2], [4, 1, 3]])
    write(near, tmp_path / "near.stl", text=True)
    assert len(read(tmp_path / "near.stl").vertices) == 5
    with pytest.raises(InputError, match="beyond the 32-bit floats"):
        write(TriMesh(np.eye(3) * 1e90, [[0, 1, 2]]), tmp_path / "huge.stl")


@pytest.mark.filterwarnings("ignore:overflow")  # meshio's own, on text STL
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("suffix", ["msh", "vtu", "ply", "stl"])
def test_meshio_reads_what_we_write(suffix, text, tmp_path):
    name = "regions" if suffix in ("msh", "vtu") else "triangles"
    mesh, path = MESHES[name], tmp_path / f"mesh.{suffix}"
    write(mesh, path, text=text)
    theirs = meshio.read(path)
    kind, cells = ("tetra", mesh.tets) if name == "regions" else ("triangle", mesh.triangles)
    mine = mesh.vertices[cells]
    assert np.allclose(theirs.points[theirs.cells_dict[kind]], mine, atol=0 if suffix != "stl" else 1e-6)
    if name == "regions":
        data = theirs.cell_data["gmsh:physical" if suffix == "msh" else "region"][0]
        assert np.array_equal(data, mesh.regions + (suffix == "msh"))


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("suffix", ["msh", "vtu"])
def test_meshio_and_we_agree_on_ten_nodes(suffix, text, tmp_path):
    """Gmsh has the last two nodes the other way round than VTK and Abaqus; meshio turns them as we do."""
    mesh, path = MESHES["middles"], tmp_path / f"mesh.{suffix}"
    write(mesh, path, text=text)
    theirs = meshio.read(path)
    assert np.array_equal(theirs.points[theirs.cells_dict["tetra10"]], mesh.vertices[mesh.cells])
    kinds = {"msh": ("gmsh22", "gmsh"), "vtu": ("vtu",)}[suffix]
    for kind in kinds:
        meshio.write(path, meshio.Mesh(mesh.vertices, [("tetra10", mesh.cells)]), file_format=kind, binary=not text)
        back = read(path)
        assert np.array_equal(back.cells, mesh.cells) and np.allclose(back.vertices, mesh.vertices, atol=1e-15)


def test_ten_nodes_by_hand(tmp_path):
    """The order of Gmsh's reference manual: edges 01, 12, 20, 30, 23, 31."""
    corners = np.concatenate([np.zeros((1, 3)), np.eye(3)])
    ends = [(0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (3, 1)]
    points = np.concatenate([corners, [0.5 * (corners[a] + corners[b]) for a, b in ends]])
    rows = "\n".join(f"{i + 1} {x} {y} {z}" for i, (x, y, z) in enumerate(points))
    (tmp_path / "ten.msh").write_text(
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n{rows}\n$EndNodes\n$Elements\n2\n"
        "1 9 2 1 1 1 3 2 7 6 5\n2 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"
    )
    mesh = read(tmp_path / "ten.msh")
    assert mesh.volume == pytest.approx(1 / 6) and len(mesh.boundary_triangles) == 16
    assert np.array_equal(mesh.vertices[mesh.cells], TetMesh(corners, [[0, 1, 2, 3]]).quadratic().vertices[None][
        :, TetMesh(corners, [[0, 1, 2, 3]]).quadratic().cells[0]])  # fmt: skip
    text = (tmp_path / "ten.msh").read_text().replace("$Elements\n2", "$Elements\n3")
    (tmp_path / "both.msh").write_text(text.replace("$EndElements", "3 4 2 1 1 1 2 3 4\n$EndElements"))
    with pytest.raises(InputError, match="all of type 4, or all of type 11"):
        read(tmp_path / "both.msh")
    with pytest.raises(InputError, match=r"cannot hold middles.*mesh.linear\(\)"):
        write(mesh, tmp_path / "ten.veg")


@pytest.mark.parametrize("how", [
    ("msh", "gmsh", {}), ("msh", "gmsh", {"binary": False}),
    ("msh", "gmsh22", {}), ("msh", "gmsh22", {"binary": False}),
    ("vtu", "vtu", {}), ("vtu", "vtu", {"binary": False}), ("vtu", "vtu", {"compression": None}),
    ("ele", "tetgen", {}),
])  # fmt: skip
def test_we_read_what_meshio_writes(how, tmp_path):
    suffix, kind, options = how
    path = tmp_path / f"mesh.{suffix}"
    grid = meshio.Mesh(TETS.vertices, [("triangle", TETS.boundary_triangles), ("tetra", TETS.tets)])
    if kind in ("tetgen", "gmsh"):  # one kind of cell only
        grid = meshio.Mesh(TETS.vertices, [("tetra", TETS.tets)])
    meshio.write(path, grid, file_format=kind, **options)
    mesh = read(path)
    assert np.array_equal(mesh.tets, TETS.tets) and np.allclose(mesh.vertices, TETS.vertices, atol=1e-15)


def test_other_formats_go_through_meshio(tmp_path, capfd):
    plain = {name: MESHES[name] for name in ("tets", "hexes", "triangles", "edges", "points")}
    plain["middles"] = dataclasses.replace(MESHES["middles"], regions=None)
    for name in plain:
        write(plain[name], tmp_path / "mesh.vtk")
        same(plain[name], read(tmp_path / "mesh.vtk"))
    with pytest.raises(InputError, match="without regions"):
        write(MESHES["regions"], tmp_path / "regions.vtk")
    with pytest.raises(InputError, match="in its one form"):
        write(TETS, tmp_path / "text.vtk", text=True)
    (tmp_path / "broken.vtk").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="meshio could not read it"):
        read(tmp_path / "broken.vtk")
    with pytest.raises(InputError, match="meshio could not write it"):
        write(MESHES["edges"], tmp_path / "edges.svg")
    assert sorted(os.listdir(tmp_path)) == ["broken.vtk", "mesh.vtk"]
    assert capfd.readouterr() == ("", "")


def test_polygons_are_cut_as_fans(tmp_path):
    corners = "0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n"
    (tmp_path / "a.off").write_text(f"OFF # pentagon\n5 1 0\n{corners}5 0 1 2 3 4 255 0 0\n")
    (tmp_path / "a.obj").write_text("v " + corners.strip().replace("\n", "\nv ") + "\nvt 0 0\nf 1/1 2/1 3/1 -2/1 -1/1\n")
    head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
    list_line = "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    (tmp_path / "a.ply").write_text(head + list_line + corners + "5 0 1 2 3 4\n")
    for suffix in ("off", "obj", "ply"):
        assert read(tmp_path / f"a.{suffix}").triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4]]


def test_details_of_formats(tmp_path):
    def made(name, content):
        (tmp_path / name).write_bytes(content)
        return read(tmp_path / name)

    assert made("bom.obj", b"\xef\xbb\xbfv 0 0 0\r\nv 1 0 0\r\nl 1 2\r\n").edges.tolist() == [[0, 1]]
    assert made("path.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 -1\n").edges.tolist() == [[0, 1], [1, 2]]
    assert made("caps.STL", b"SOLID a b\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 0\n"
                b"ENDLOOP\nENDFACET\nENDSOLID\n").triangles.tolist() == [[0, 1, 2]]  # fmt: skip
    assert made("ones.node", b"# points\n2 3 0 0\n1 0 0 0\n2 1 0 0 # last\n").vertices.shape == (2, 3)
    made("ones.ele", b"0 4 0\n")
    tets = b"*VERTICES\n4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n*ELEMENTS\nTET\n1 4 0\n0 0 1 2 3\n"
    assert made("zero.veg", tets).tets.tolist() == [[0, 1, 2, 3]]
    sets = tets + b"*SET one\n0\n*MATERIAL m\nENU, 1000, 1, 0.4\n*REGION\nallElements, m\n*REGION\none, m\n"
    assert made("sets.veg", sets).regions.tolist() == [1]
    head = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n9 0 0 0\n7 1 0 0\n5 0 1 0\n3 0 0 1\n$EndNodes\n"
    some = head + b"$Elements\n3\n1 4 2 5 1 9 7 5 3\n2 4 0 9 7 5 3\n3 15 2 0 1 9\n$EndElements\n"
    mesh = made("tags.msh", some)
    assert mesh.tets.tolist() == [[0, 1, 2, 3]] * 2 and mesh.regions.tolist() == [4, 5]  # untagged tets come last
    assert made("empty.off", b"OFF 2 0 0\n0 0 0\n1 1 1\n").vertices.tolist() == [[0, 0, 0], [1, 1, 1]]


def test_vtu_pieces_are_joined_and_odd_cells_refused(tmp_path):
    def piece(points, nodes, ends, types):
        arrays = [("Int64", "connectivity", nodes), ("Int64", "offsets", ends), ("UInt8", "types", types)]
        cells = "".join(f'<DataArray type="{t}" Name="{n}">{v}</DataArray>' for t, n, v in arrays)
        return (
            f'<Piece NumberOfPoints="{len(points.split()) // 3}" NumberOfCells="{len(types.split())}"><Points>'
            f'<DataArray type="Float32" NumberOfComponents="3">{points}</DataArray></Points>'
            f"<Cells>{cells}</Cells></Piece>"
        )

    def made(*pieces):
        body = "".join(pieces)
        text = f'<VTKFile type="UnstructuredGrid"><UnstructuredGrid>{body}</UnstructuredGrid></VTKFile>'
        (tmp_path / "a.vtu").write_text(text)
        return read(tmp_path / "a.vtu")

    corners = "0 0 0 1 0 0 0 1 0 0 0 1"
    mesh = made(piece(corners, "0 1 2 1 3", "3 5", "5 3"), piece(corners, "1 2 3", "3", "5"))
    assert mesh.triangles.tolist() == [[0, 1, 2], [5, 6, 7]] and len(mesh.vertices) == 8  # the line is dropped
    for cells, words in [
        (("0 1 2 3", "4", "9"), "not of VTK type 5, first of type 9"),
        (("0 1 2 3", "4", "10 10"), "has 1 numbers; expected 2"),
        (("0 1 2", "3", "10"), "has 3 nodes; expected 4"),
        (("0 1 2 4", "4", "10"), "name a point outside 0…3"),
        (("0 1 2 3", "9", "10"), "not ascending within the 4"),
        (("0 1 2 3", "4", "99"), "unknown VTK type 99"),
    ]:
        with pytest.raises(InputError, match=words):
            made(piece(corners, *cells))
    with pytest.raises(InputError, match="has no <Piece>"):
        made()


def test_tetgen_pair_is_found_from_either(tmp_path):
    write(MESHES["regions"], tmp_path / "pair.node")
    assert sorted(os.listdir(tmp_path)) == ["pair.ele", "pair.node"]
    same(read(tmp_path / "pair.node"), read(tmp_path / "pair.ele"))
    with pytest.raises(InputError, match="would be read as its tets"):
        write(MESHES["points"], tmp_path / "pair.node")
    (tmp_path / "pair.node").unlink()
    for suffix in (".node", ".ele"):
        with pytest.raises(InputError, match=r"expected pair\.node in the same folder"):
            read(tmp_path / f"pair{suffix}")


@pytest.mark.parametrize("suffix", ["obj", "stl", "ply", "off", "glb", "msh", "vtu", "ele", "veg", "npz"])
def test_a_hundred_thousand_cells_take_seconds(suffix, tmp_path):
    mesh = cloth_grid((1, 1), (160, 160)) if suffix in ("obj", "stl", "ply", "off", "glb") else tet_grid((1, 1, 1), (20, 20, 25))
    path, start = tmp_path / f"big.{suffix}", time.process_time()
    write(mesh, path, text=suffix in ("stl", "msh"))
    read(path)
    assert time.process_time() - start < 8.0
