"""Files that cannot be read or written: one clear sentence, exit code 2 and no file."""

import struct

import numpy as np
import pytest
from sentences import check_folder, check_sentence

import pliant as pl
from pliant.cli.main import main

SHAPE = pl.tet_grid((1, 1, 1), (1, 1, 1))
CORNERS = np.eye(4, 3)


def simulation() -> pl.Simulation:
    return pl.Simulation(pl.Scene(pl.Body(SHAPE, pl.StableNeoHookean(young=1e4))))


STL = b"\0" * 80
PLY = b"ply\nformat binary_little_endian 1.0\nelement vertex 9999999999\nproperty float x\nproperty float y\n"
MSH = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n$EndNodes\n$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n"
# name of a file, its content, and words of the sentence
FILES = {
    "empty file": ("a.stl", b"", "is empty; expected a mesh"),
    "no suffix": ("mesh", b"hello", "no suffix"),
    "unknown suffix": ("a.stll", b"hello", "did you mean '.stl'?"),
    "truncated stl": ("a.stl", STL + struct.pack("<I", 2) + b"\0" * 60, "2"),
    "huge count in stl": ("a.stl", STL + struct.pack("<I", 0xFFFFFFFF) + b"\0" * 50, "4294967295"),
    "huge count in ply": ("a.ply", PLY + b"end_header\n" + b"\0" * 30, "9999999999"),
    "ply without header end": ("a.ply", PLY, "a.ply"),
    "obj index": ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 7\n", "line 3"),
    "obj text": ("a.obj", b"v 0 zero 0\n", "line 1"),
    "obj without vertices": ("a.obj", b"# nothing\n", "no vertices"),
    "nan in off": (
        "a.off",
        b"OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n",
        "line 4: 'nan' in a vertex; expected a finite",
    ),
    "off count": ("a.off", b"OFF\n99999999999 1 0\n0 0 0\n", "a.off"),
    "msh of one node": ("a.msh", MSH.format("1\n1 0 0 0").encode(), "a.msh"),
    "msh of text nodes": ("a.msh", MSH.format("x").encode(), "a.msh"),
    "msh of another kind": ("a.msh", b"MeshVersionFormatted 2\n", "a.msh"),
    "binary as veg": ("a.veg", bytes(range(256)), "a.veg"),
    "broken xml": ("a.vtu", b"<VTKFile><Piece", "a.vtu"),
    "vtu bomb of counts": (
        "a.vtu",
        b'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="9999999999" '
        b'NumberOfCells="1"></Piece></UnstructuredGrid></VTKFile>',
        "a.vtu",
    ),
    "ele without node": ("a.ele", b"1 4 0\n1 1 2 3 4\n", "its points are missing; expected a.node"),
    "damaged npz": ("a.npz", b"PK\x03\x04 and no more", "not a whole .npz archive"),
}


@pytest.mark.parametrize("name", FILES)
def test_mesh_files(name, tmp_path, capsys):
    file, content, words = FILES[name]
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(pl.errors.InputError) as caught:
        pl.read(path)
    assert words in check_sentence(caught.value) and file in str(caught.value)
    for argv in (["inspect", path], ["mesh", path, tmp_path / "out.msh"]):
        assert main(list(map(str, argv))) == 2
        out, err = capsys.readouterr()
        assert out == "" and err == f"pliant: {caught.value}\n"
    check_folder(tmp_path, {file})


def write_to(name, what=SHAPE, **options):
    return lambda folder: pl.write(what, folder / name, **options)


def output(function, name, **options):
    return lambda folder: getattr(pl, function)(simulation().frame(), folder / name, **options)


OUTPUT = {
    "tets in stl": (write_to("a.stl"), "stl cannot hold tets; use"),
    "no folder": (write_to("none/a.msh"), "there is no folder"),
    "write to a suffix nobody knows": (write_to("a.xyzzy"), "expected one of"),
    "write a number": (write_to("a.msh", 3), "expected TetMesh, HexMesh, TriMesh, EdgeMesh, PointCloud or Volume"),
    "write nothing": (write_to("a.ply", pl.TriMesh(CORNERS, [])), "has no triangles"),
    "text npz": (write_to("a.npz", text=True), "no text form"),
    "folder as a file": (lambda folder: pl.write(SHAPE, folder.parent / folder.name / ".."), "expected"),
    "picture as jpg": (output("picture", "a.jpg"), "expected a name ending in .png"),
    "picture of no field": (output("picture", "a.png", colour="colour"), "no field 'colour' in this run"),
    "picture of frame 9": (output("picture", "a.png", frame=9), "9"),
    "picture of no size": (output("picture", "a.png", size=(0, 10)), "size"),
    "page as pdf": (output("page", "a.pdf"), "expected a name ending in .html"),
    "film of one moment": (output("animation", "a.png"), "less than two pictures"),
    "video as avi": (output("video", "a.avi"), "expected a name ending in .mp4 or .webm"),
    "export as mp4": (output("export", "a.mp4"), "the formats are"),
    "save as text": (lambda folder: simulation().save(folder / "a.txt"), "expected a name ending in .npz"),
    "save nowhere": (lambda folder: simulation().save(folder / "none" / "a.npz"), "there is no folder"),
    "load nothing": (lambda folder: pl.Simulation.load(folder / "a.npz"), "there is no file"),
    "read a folder": (lambda folder: pl.read(folder / ".."), "expected"),
    "read nothing": (lambda folder: pl.read(folder / "a.stl"), "there is no file"),
    "read a number": (lambda folder: pl.read(3), "expected the name of a file"),
}


@pytest.mark.parametrize("name", OUTPUT)
def test_files_to_write(name, tmp_path):
    action, words = OUTPUT[name]
    with pytest.raises(pl.errors.InputError) as caught:
        action(tmp_path)
    assert words in check_sentence(caught.value)
    check_folder(tmp_path, set())
