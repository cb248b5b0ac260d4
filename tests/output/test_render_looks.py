"""Texture points, quads, colours, materials and names of a file come back from a run: OBJ in, GLB, USD, PC2 and NPZ out."""

import json
import struct

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main
from pliant.output.colours.png import png

CUBE = """mtllib two.mtl
o lower part
v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0
v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
v -1 -1 2\nv 1 -1 2\nv 1 1 2\nv -1 1 2
vt 0 0\nvt 0.25 0\nvt 0.5 0\nvt 0.75 0\nvt 1 0
vt 0 0.5\nvt 0.25 0.5\nvt 0.5 0.5\nvt 0.75 0.5\nvt 1 0.5
vt 0 1\nvt 0.25 1\nvt 0.5 1\nvt 0.75 1\nvt 1 1
usemtl red
s off
f 4/1 3/2 2/3 1/4
f 1/1 2/2 6/7 5/6
f 2/2 3/3 7/8 6/7
f 3/3 4/4 8/9 7/8
f 4/4 1/5 5/10 8/9
o upper
usemtl wood
s 1
f 5/6 6/7 10/12 9/11
f 6/7 7/8 11/13 10/12
f 7/8 8/9 12/14 11/13
f 8/9 5/10 9/15 12/14
f 9/1 10/2 11/12
f 9/-15 11/12 12/11
"""
LIBRARY = "newmtl red\nKd 0.8 0.1 0.1\nnewmtl wood\nKd 1 1 1\nd 0.5\nmap_Kd -s 1 1 1 wood.png\n"
PICTURE = png(np.full((2, 2, 3), 90, np.uint8))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("artist")
    (place / "two.obj").write_text(CUBE)
    (place / "two.mtl").write_text(LIBRARY)
    (place / "wood.png").write_bytes(PICTURE)
    return place


@pytest.fixture(scope="module")
def drawn(folder):
    return pl.read(folder / "two.obj").scaled(0.1)


@pytest.fixture(scope="module")
def run(drawn):
    mesh = pl.tet_grid((0.2, 0.2, 0.2), (1, 1, 1)).translated((-0.1, -0.1, 0.0))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e4), surface=drawn, name="cube")
    return pl.Simulation(pl.Scene([body])).run(seconds=2 / 60)


def document(path):
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + size])


def corners(mesh):
    """Everything about each corner of each triangle, in an order of its own."""
    looks = mesh.looks
    names = [f.name for f in looks.finishes]
    material = np.array([names.index(n) for n in sorted(names)]).argsort()[looks.finish[looks.owners]]
    rows = np.concatenate([mesh.vertices[looks.corners], looks.uv], axis=1)[looks.fans].reshape(-1, 15)
    return np.concatenate([rows, material[:, None]], axis=1)


def same_rows(one, other, tolerance=2e-6):
    order = [np.lexsort(np.round(rows, 4).T) for rows in (one, other)]
    assert one.shape == other.shape
    assert np.abs(one[order[0]] - other[order[1]]).max() < tolerance


def test_what_the_file_says(drawn):
    looks = drawn.looks
    assert looks.sizes.tolist() == [4] * 9 + [3, 3] and len(drawn.triangles) == 20
    assert [f.name for f in looks.finishes] == ["red", "wood"] and looks.finish.tolist() == [0] * 5 + [1] * 6
    assert looks.finishes[0].colour == (0.8, 0.1, 0.1, 1.0) and looks.finishes[1].colour == (1.0, 1.0, 1.0, 0.5)
    assert looks.finishes[1].image.tobytes() == PICTURE and looks.finishes[0].image is None
    assert looks.parts == ("lower part", "upper") and looks.part.tolist() == [0] * 5 + [1] * 6
    assert looks.uv[looks.corners_of(np.array([4]))].tolist() == [[0.75, 0], [1, 0], [1, 0.5], [0.75, 0.5]]
    assert looks.uv[-3].tolist() == [0.0, 0.0]  # −15 counts back
    parts = drawn.parts
    assert list(parts) == ["lower part", "upper"] and [len(p.vertices) for p in parts.values()] == [8, 8]
    assert "with looks" in repr(drawn)


def test_glb(run, drawn, tmp_path):
    place = pl.export(run, tmp_path / "a.glb", frames=[0])
    about = document(place)
    assert {node["name"] for node in about["nodes"]} >= {"cube", "lower part", "upper"}
    assert [m["name"] for m in about["materials"]] == ["red", "wood"]
    assert about["materials"][1]["alphaMode"] == "BLEND" and about["images"][0]["mimeType"] == "image/png"
    again = pl.read(place)
    assert again.looks.parts == ("lower part", "upper")
    same_rows(corners(again), corners(drawn))
    wood = again.looks.finishes[1]
    assert wood.image.tobytes() == PICTURE and wood.texture == "wood.png"
    # flat faces below, a round shell above: corners at the rim share normals there and not below
    below, above = again.parts["lower part"], again.parts["upper"]
    normals = [len(np.unique(np.stack([p.looks.corners, p.looks.smooth]), axis=1).T) for p in (below, above)]
    assert normals == [20, 8]
    pl.export(run, tmp_path / "moves.glb")
    channels = document(tmp_path / "moves.glb")["animations"][0]["channels"]
    assert [c["target"]["path"] for c in channels] == ["weights", "weights"]


def test_usd(run, drawn, tmp_path):
    Usd, UsdGeom, UsdShade = (pytest.importorskip(f"pxr.{n}") for n in ("Usd", "UsdGeom", "UsdShade"))
    stage = Usd.Stage.Open(str(pl.export(run, tmp_path / "a.usda")))
    for name, part in zip(("lower_part", "upper"), drawn.parts.values()):
        mesh = UsdGeom.Mesh.Get(stage, f"/run/cube/{name}")
        assert np.array_equal(mesh.GetFaceVertexCountsAttr().Get(), part.looks.sizes)
        assert np.array_equal(mesh.GetFaceVertexIndicesAttr().Get(), part.looks.corners)
        st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
        assert st.GetInterpolation() == "faceVarying" and np.allclose(st.Get(), part.looks.uv)
        bound = UsdShade.MaterialBindingAPI(mesh.GetPrim()).ComputeBoundMaterial()[0]
        assert bound.GetPath().name == {"lower_part": "red", "upper": "wood"}[name]
        assert len(mesh.GetPointsAttr().Get(2.0)) == 8
    assert (tmp_path / "wood.png").read_bytes() == PICTURE


@pytest.mark.parametrize("suffix", ["pc2", "mdd"])
def test_point_caches_fit_the_artists_object(run, drawn, tmp_path, suffix):
    place = pl.export(run, tmp_path / f"a.{suffix}")
    data = place.read_bytes()
    count = struct.unpack("<i", data[16:20])[0] if suffix == "pc2" else struct.unpack(">i", data[4:8])[0]
    assert count == len(drawn.vertices)
    first = np.frombuffer(data[32:], "<f4") if suffix == "pc2" else np.frombuffer(data[8 + 4 * len(run) :], ">f4")
    assert np.abs(first[: 3 * count].reshape(-1, 3) - drawn.vertices).max() < 1e-6
    again = pl.read(tmp_path / "a.obj")
    assert np.allclose(again.vertices, drawn.vertices, atol=1e-8) and np.array_equal(again.triangles, drawn.triangles)
    for name in ("sizes", "corners", "uv", "finish", "part"):
        assert np.allclose(getattr(again.looks, name), getattr(drawn.looks, name)), name
    assert [f.name for f in again.looks.finishes] == ["red", "wood"]
    assert again.looks.finishes[1].image.tobytes() == PICTURE
    pairs = [np.unique(np.stack([m.looks.corners, m.looks.smooth]), axis=1).shape for m in (again, drawn)]
    assert pairs[0] == pairs[1]  # as many normals


def test_a_run_and_a_checkpoint_keep_them(run, drawn, tmp_path):
    again = pl.read(pl.export(run, tmp_path / "a.npz"))
    for name, array in drawn.looks.arrays().items():
        assert np.array_equal(again.skins[0].looks.arrays()[name], array), name
    pl.write(drawn, tmp_path / "mesh.npz")
    assert np.array_equal(pl.read(tmp_path / "mesh.npz").looks.uv, drawn.looks.uv)
    body = pl.Body(pl.contact.Rigid(drawn, 1000.0), name="stone")
    sim = pl.Simulation(pl.Scene([body]))
    sim.save(tmp_path / "state.npz")
    loaded = pl.Simulation.load(tmp_path / "state.npz").frame(fields=()).skins[0].looks
    assert np.array_equal(loaded.uv, drawn.looks.uv) and loaded.parts == drawn.looks.parts
    assert loaded.finishes[1].image.tobytes() == PICTURE


def test_a_sheet_keeps_them(tmp_path):
    (tmp_path / "cloth.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n")
    sheet = pl.read(tmp_path / "cloth.obj")
    run = pl.export(pl.Body(pl.Membrane(sheet, 0.001), pl.Corotated(young=1e4)), tmp_path / "cloth.obj_0.obj")
    again = pl.read(run)
    assert again.looks.sizes.tolist() == [4] and np.array_equal(again.looks.uv, sheet.looks.uv)


def test_colours_of_ply_and_gltf(tmp_path):
    head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    head += "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float s\nproperty float t\n"
    rows = "0 0 0 255 0 0 0 0\n1 0 0 0 255 0 1 0\n1 1 0 0 0 255 1 1\n0 1 0 255 255 255 0 1\n"
    tail = "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    (tmp_path / "a.ply").write_text(head + tail + rows + "4 0 1 2 3\n")
    mesh = pl.read(tmp_path / "a.ply")
    assert mesh.looks.sizes.tolist() == [4] and mesh.looks.colours[0].tolist() == [1, 0, 0, 1]
    assert mesh.looks.uv.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    again = pl.read(pl.export(mesh, tmp_path / "a.glb")).looks
    first = mesh.looks.colours[mesh.looks.fans].reshape(-1, 4)
    assert np.allclose(again.colours, first) and np.allclose(again.uv, mesh.looks.uv[mesh.looks.fans].reshape(-1, 2))


def test_the_shell_keeps_them(folder, tmp_path, capsys):
    done = main(["run", str(folder / "two.obj"), "--out", str(tmp_path), "--seconds", "0.02", "--size", "0.2",
                 "--edge", "0.06", "--export", str(tmp_path / "two.pc2")])  # fmt: skip
    assert done == 0 and (tmp_path / "two.pc2").exists()
    again, given = pl.read(tmp_path / "two.obj").looks, pl.read(folder / "two.obj").looks
    assert np.array_equal(again.sizes, given.sizes) and np.allclose(again.uv, given.uv)
    assert [f.name for f in again.finishes] == ["red", "wood"] and again.parts == ("lower_part", "upper")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("f 1/9 2/1 3/1", "'1/9' names a texture point that is not there"), ("f 1/a 2/1 3/1", "whole number")],
)
def test_wrong_numbers_are_told(tmp_path, line, sentence):
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n" + line + "\n")
    with pytest.raises(pl.errors.InputError, match=sentence):
        pl.read(tmp_path / "bad.obj")
