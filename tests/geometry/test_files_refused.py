"""What no format can read or write is one clear sentence, and what was there before stays."""

import os
import sys
import warnings
import zipfile

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.geometry.files import read, write
from pliant.geometry.mesh.mesh import EdgeMesh, PointCloud
from pliant.geometry.mesh.primitives import cloth_grid

SHEET = cloth_grid((1, 0.3), (3, 2))
CLOUD = PointCloud(np.random.default_rng(7).normal(size=(20, 3)))
VTU = b'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="%b" NumberOfCells="0">' \
    b'<Points><DataArray type="Float64" NumberOfComponents="3" format="%b">%b</DataArray></Points>' \
    b"</Piece></UnstructuredGrid></VTKFile>"  # fmt: skip
PLY = b"ply\nformat %b 1.0\nelement vertex %b\nproperty float x\nproperty float y\nproperty float z\nend_header\n%b"
FACE = b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n" \
    b"element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n"  # fmt: skip
MSH = b"$MeshFormat\n%b\n$EndMeshFormat\n$Nodes\n%b\n$EndNodes\n$Elements\n%b\n$EndElements\n"
VEG = b"*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 1 2 3 4\n"
BAD_FILES = {
    "empty.obj": (b"", "is empty"),
    "nothing.obj": (b"# only a comment\n", "no vertices"),
    "utf16.obj": ("v 0 0 0\n".encode("utf-16"), "UTF-16"),
    "binary.obj": (b"v 0 0 0\n\0\1\2", "byte 8: holds binary data"),
    "word.obj": (b"v 0 0 0\nv 1 x 0\n", "line 2: 'x' in a vertex; expected a finite number"),
    "short.obj": (b"v 0 0\n", "line 1: a vertex has 2 values; expected 3"),
    "nan.obj": (b"v 0 nan 0\n", "line 1: 'nan'"),
    "underscore.obj": (b"v 0 1_0 0\n", "line 1: '1_0'"),
    "range.obj": (b"v 0 0 0\nf 1 1 2\n", "line 2: face 0 names a vertex that is not among the 1"),
    "zero.obj": (b"v 0 0 0\nf 0 1 1\n", "counts from 1"),
    "two.obj": (b"v 0 0 0\nf 1 1\n", "at least 3"),
    "keyword.obj": (b"v 0 0 0\nhello 1\n", "line 2: unknown keyword 'hello'"),
    "garbage.stl": (bytes(range(1, 256)) * 2, "header promises"),
    "huge.stl": (b" " * 80 + b"\xff\xff\xff\xff" + b"\1" * 50, "promises 4294967295 triangles"),
    "cut.stl": (b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "before 'endsolid'"),
    "order.stl": (b"solid a\nvertex 0 0 0\nendsolid\n", "line 2: found 'vertex 0'; expected 'facet normal'"),
    "nan.stl": (b" " * 80 + b"\1\0\0\0" + b"\xff" * 50, "not finite"),
    "short.stl": (b"abc", "expected 'solid'"),
    "no_magic.ply": (b"hello\n", "expected 'ply'"),
    "no_end.ply": (b"ply\nformat ascii 1.0\n", "ends before 'end_header'"),
    "format.ply": (PLY % (b"binary_middle", b"1", b""), "line 2: format 'binary_middle'"),
    "count.ply": (PLY % (b"ascii", b"-1", b""), "has count '-1'"),
    "huge.ply": (PLY % (b"binary_little_endian", b"999999999999", b""), "promises 999999999999"),
    "huge_text.ply": (PLY % (b"ascii", b"999999999999", b"0 0 0\n"), "ends after 1 of 999999999999 lines"),
    "infinite.ply": (PLY % (b"binary_little_endian", b"1", b"\0\0\x80\x7f" * 3), "not finite"),
    "property.ply": (b"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n", "line 4: unreadable"),
    "columns.ply": (b"ply\nformat ascii 1.0\nelement vertex 1\nproperty int a\nend_header\n1\n", "no number 'x'"),
    "range.ply": (FACE + b"3 0 0 1\n", "face 0 names a vertex that is not among the 1"),
    "corners.ply": (FACE + b"2 0 0\n", "face 0 has 2 corners"),
    "list.ply": (FACE + b"9 0 0\n", "line 11: vertex_indices of a face has 2 of 9 values"),
    "magic.off": (b"OOF\n1 0 0\n", "line 1: starts with 'OOF'"),
    "huge.off": (b"OFF\n99999999999 1 0\n", "only 0 lines follow"),
    "face.off": (b"OFF\n1 1 0\n0 0 0\n3 0 0 5\n", "line 4: face 0 names a vertex that is not"),
    "magic.msh": (b"hello\n", "expected a Gmsh mesh"),
    "version.msh": (MSH % (b"4.0 0 8", b"0", b"0"), r"version 4\.0"),
    "huge.msh": (MSH % (b"2.2 0 8", b"99999999999\n1 0 0 0", b"0"), "ends after 4 of 399999999996 numbers"),
    "type.msh": (MSH % (b"2.2 0 8", b"1\n1 0 0 0", b"1\n1 999 0 1"), "unknown type 999"),
    "node.msh": (MSH % (b"2.2 0 8", b"1\n1 0 0 0", b"1\n1 4 0 1 1 1 2"), "a node that is not in the file"),
    "twice.msh": (MSH % (b"2.2 0 8", b"2\n1 0 0 0\n1 1 1 1", b"1\n1 4 0 1 1 1 1"), "tag 1 is used twice"),
    "prisms.msh": (MSH % (b"2.2 0 8", b"1\n1 0 0 0", b"1\n1 6 0 1 1 1 1 1 1"), r"type 6 \(6 nodes\); expected tetrahedra"),
    "word.msh": (MSH % (b"2.2 0 8", b"1\n1 0 zero 0", b"0"), "line 6: 'zero' in nodes"),
    "cut.msh": (b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0", r"section \$Nodes has no end"),
    "order.msh": (b"$MeshFormat\n2.2 1 8\n\1\1\1\1\n$EndMeshFormat\n", "byte-order mark"),
    "no_cells.msh": (b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n", "no section"),
    "xml.vtu": (b"<VTKFile", "not whole XML"),
    "other.vtu": (b"<html></html>", "expected a VTKFile"),
    "entities.vtu": (b'<!DOCTYPE a [<!ENTITY b "c">]><VTKFile/>', "declares XML entities"),
    "count.vtu": (VTU % (b"5", b"ascii", b"0 0 0"), "has 3 numbers; expected 15"),
    "huge.vtu": (VTU % (b"99999999999999", b"binary", b"AAAA"), "is cut short"),
    "base64.vtu": (VTU % (b"1", b"binary", b"!!!!"), "not base64"),
    "lies.vtu": (VTU % (b"1", b"binary", b"/////w=="), "promises 4294967295 bytes"),
    "format.vtu": (VTU % (b"1", b"telepathy", b""), "format 'telepathy'"),
    "none.vtu": (VTU % (b"0", b"ascii", b""), "no vertices"),
    "huge.node": (b"99999999999 3 0 0\n1 0 0 0\n", "promises 99999999999 rows, but 1 follow"),
    "flat.node": (b"1 2 0 0\n1 0 0\n", "gives 2 numbers to a point"),
    "start.node": (b"1 3 0 0\n5 0 0 0\n", "expected 0 or 1"),
    "gap.node": (b"2 3 0 0\n1 0 0 0\n3 0 0 0\n", "line 3: point 3 where 2 was expected"),
    "section.veg": (b"*VERTICEZ\n", "did you mean 'VERTICES'"),
    "include.veg": (b"*INCLUDE other.veg\n", "paste the included file"),
    "none.veg": (b"*VERTICES\n1 3 0 0\n1 0 0 0\n", r"0 sections \*ELEMENTS"),
    "cubes.veg": (b"*VERTICES\n1 3 0 0\n1 0 0 0\n*ELEMENTS\nCUBIC\n0 8 0\n", "only TET is read"),
    "count.veg": (b"*VERTICES\n9 3 0 0\n1 0 0 0\n*ELEMENTS\nTET\n0 4 0\n", "promises 9 rows of a vertex, but 1 follow"),
    "gap.veg": (VEG + b"*SET s\n1\n*REGION\ns, m\n", "1 tets belong to no region, first tet 2"),
    "set.veg": (VEG + b"*SET side\n1\n*REGION\nsite, m\n", "no set 'site' .did you mean 'side'"),
    "member.veg": (VEG + b"*SET s\n1, 3\n*REGION\ns, m\n", "set 's' names a tet outside 1…2"),
    "material.veg": (VEG + b"*REGION\ns\n", "needs a set and a material"),
    "range.veg": (VEG.replace(b"2 1 2 3 4", b"2 1 2 3 5"), "line 11: 1 tets name a vertex outside 1…4"),
    "zip.npz": (b"PK\3\4 not a zip", r"not a whole \.npz archive"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_are_one_clear_sentence(name, tmp_path, capfd):
    content, words = BAD_FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match=words) as caught:
            read(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_npz_refuses_other_archives_and_lies(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, a=np.zeros(3))
    with pytest.raises(InputError, match="holds a; expected a mesh written by pliant"):
        read(path)
    np.savez(path, kind=np.array("TriMesh"), vertices=np.zeros((3, 3)))
    with pytest.raises(InputError, match="no array 'triangles'"):
        read(path)
    np.savez(path, kind=np.array("PointCloud"), vertices=np.array([None, {}], dtype=object))
    with pytest.raises(InputError, match="does not match its header"):
        read(path)
    write(CLOUD, path)
    huge = zipfile.ZipFile(path).read("vertices.npy").replace(b"(20, 3)", b"(2**9,)").replace(b"2**9", b"9999")
    with zipfile.ZipFile(tmp_path / "lie.npz", "w") as archive:
        archive.writestr("kind.npy", zipfile.ZipFile(path).read("kind.npy"))
        archive.writestr("vertices.npy", huge)
    with pytest.raises(InputError, match="does not match its header"):
        read(tmp_path / "lie.npz")


def test_paths_that_are_no_files(tmp_path, monkeypatch):
    (tmp_path / "liver.stl").write_bytes(b"x")
    (tmp_path / "folder.obj").mkdir()
    os.mkfifo(tmp_path / "pipe.obj")
    os.mkfifo(tmp_path / "pipe")
    for path, words in [
        (tmp_path / "livr.stl", r"no file .*did you mean 'liver\.stl'"),
        (tmp_path / "nowhere" / "a.obj", "there is no file"),
        (tmp_path / "folder.obj", "is a folder"),
        (tmp_path / "pipe.obj", "a device or a pipe"),
        (tmp_path / "pipe", "no suffix"),
        (tmp_path / ("a" * 400 + ".obj"), "name too long|no file"),
        (tmp_path / "liver.stll", r"suffix '\.stll' \(did you mean '\.stl'\?\); expected one of obj, stl"),
        (tmp_path / "liver", "no suffix"),
        ("a\0.obj", "expected the name of a file"),
        (None, "expected the name of a file"),
        (7, "expected the name of a file"),
    ]:
        with pytest.raises(InputError, match=words):
            read(path)
    monkeypatch.setitem(sys.modules, "meshio", None)
    with pytest.raises(InputError, match=r"installing pliant\[io\] adds those of meshio"):
        read(tmp_path / "liver.vtk")


@pytest.mark.parametrize("case", ["folder", "missing", "empty", "no cells", "kind", "late"])
def test_a_failed_write_leaves_what_was_there(case, tmp_path, monkeypatch):
    path, mesh = tmp_path / "mesh.obj", SHEET
    path.write_text("precious")
    if case == "folder":
        path.unlink()
        path.mkdir()
    elif case == "missing":
        path = tmp_path / "nowhere" / "mesh.obj"
    elif case == "empty":
        mesh = PointCloud(np.zeros((0, 3)))
    elif case == "no cells":
        mesh = EdgeMesh(mesh.vertices, [])
    elif case == "kind":
        mesh = mesh.vertices
    else:
        monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(InputError):
        write(mesh, path)
    assert os.listdir(tmp_path) == ["mesh.obj"]
    if (tmp_path / "mesh.obj").is_file():
        assert (tmp_path / "mesh.obj").read_text() == "precious"


def test_written_files_follow_the_umask(tmp_path):
    old = os.umask(0o022)
    try:
        write(SHEET, tmp_path / "mesh.ply")
    finally:
        os.umask(old)
    assert (tmp_path / "mesh.ply").stat().st_mode & 0o777 == 0o644
