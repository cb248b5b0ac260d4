"""Every format is read back by somebody else's reader, or by hand where there is none."""

from __future__ import annotations

import builtins
import json
import struct
from dataclasses import dataclass, replace

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.output.export import FORMATS, export
from pliant.output.formats import glb
from pliant.output.formats.merged import Merged
from pliant.output.formats.npz import read_run


def listed(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_npz_brings_everything_back(run, tmp_path):
    file = export(run, tmp_path / "run.npz")
    again = read_run(file)
    for name in ("times", "positions", "velocities", "rest", "step_seconds"):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))
    np.testing.assert_array_equal(again.fields["stress"], run.fields["stress"])
    np.testing.assert_array_equal(again.energies["kinetic"], run.energies["kinetic"])
    assert again.dt == run.dt
    assert [s.name for s in again.skins] == [s.name for s in run.skins]
    np.testing.assert_array_equal(again.skins[0].tets, run.skins[0].tets)
    assert again.skins[1].tets is None
    np.testing.assert_array_equal(again.props[1].poses, run.props[1].poses)
    assert listed(tmp_path) == ["run.npz"]


def test_npz_brings_reports_back(run, tmp_path):
    @dataclass(frozen=True)
    class Report:
        ok: bool
        why: str
        times: dict
        iterations: int

    reports = (Report(True, "converged", {"solve": np.float32(0.5)}, np.int64(4)), Report(False, "stuck", {}, 9))
    again = read_run(export(replace(run, reports=reports), tmp_path / "run.npz")).reports
    assert [(r.ok, r.why, r.iterations) for r in again] == [(True, "converged", 4), (False, "stuck", 9)]
    assert again[0].times == {"solve": 0.5}
    twice = read_run(export(replace(run, reports=again), tmp_path / "run.npz")).reports
    assert twice == again


def test_npz_with_cells_out_of_range_is_refused(run, tmp_path):
    for change, says in (
        ({"triangles": run.skins[0].triangles + 10**6}, "name a vertex outside"),
        ({"tets": run.skins[0].tets[:, :3]}, "expected rows of numbers"),
        ({"weights": run.skins[0].weights[:-1]}, "weights of body 'beam'"),
    ):
        bad = replace(run, skins=(replace(run.skins[0], **change),))
        with pytest.raises(InputError, match=says):
            read_run(export(bad, tmp_path / "bad.npz"))


def test_npz_of_some_frames(run, tmp_path):
    again = read_run(export(run, tmp_path / "run.npz", frames=[0, -1]))
    np.testing.assert_array_equal(again.positions, run.positions[[0, -1]])
    np.testing.assert_array_equal(again.fields["stress"], run.fields["stress"][[0, -1]])


def test_broken_npz_gives_one_sentence(run, tmp_path):
    whole = export(run, tmp_path / "run.npz").read_bytes()
    rng = np.random.default_rng(3)
    refused = 0
    for i in range(60):
        data = bytearray(whole[: rng.integers(1, len(whole))] if i % 2 else whole)
        for at in rng.integers(0, len(data), 20):
            data[at] = rng.integers(256)
        (tmp_path / "bad.npz").write_bytes(data)
        try:
            read_run(tmp_path / "bad.npz")
        except InputError:
            refused += 1
    assert refused > 50
    with pytest.raises(InputError, match="no file"):
        read_run(tmp_path / "none.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(InputError, match="holds no run"):
        read_run(tmp_path / "other.npz")


def test_ply_sequence_is_read_by_trimesh(run, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    export(run, tmp_path / "out" / "frame_{:04d}.ply", frames=slice(0, 3))
    assert listed(tmp_path) == [f"out/frame_000{i}.ply" for i in range(3)]
    mesh = trimesh.load(tmp_path / "out" / "frame_0002.ply", process=False)
    merged = Merged(run)
    np.testing.assert_allclose(mesh.vertices, merged.places(2), atol=1e-6)
    np.testing.assert_array_equal(mesh.faces, np.concatenate(merged.triangles))
    data = mesh.metadata["_ply_raw"]["vertex"]["data"]
    np.testing.assert_allclose(np.ravel(data["stress"]), merged.values("stress", 2), rtol=1e-5, atol=1e-3)


def test_obj_sequence_is_read_by_trimesh(run, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    export(run, tmp_path / "shape.obj", frames=[1, 4])
    assert listed(tmp_path) == ["shape_0001.obj", "shape_0004.obj"]
    scene = trimesh.load(tmp_path / "shape_0004.obj", process=False, split_object=True, group_material=False)
    meshes = scene.geometry.values() if hasattr(scene, "geometry") else [scene]
    faces = sum(len(getattr(m, "faces", ())) for m in meshes)
    assert faces == sum(len(s.triangles) for s in run.skins)
    first = (tmp_path / "shape_0004.obj").read_text().splitlines()[1].split()
    np.testing.assert_allclose([float(v) for v in first[1:]], Merged(run).places(4)[0], rtol=1e-8)


def test_one_frame_and_a_folder(run, tmp_path):
    export(run, tmp_path / "last.ply", frames=-1)
    export(run, tmp_path / "folder", frames=[0, 2])
    assert listed(tmp_path) == ["folder/frame_0000.ply", "folder/frame_0002.ply", "last.ply"]


def test_vtu_is_read_by_meshio(run, tmp_path):
    meshio = pytest.importorskip("meshio")
    export(run, tmp_path / "run.pvd", frames=[0, 5])
    assert listed(tmp_path) == [
        "run.pvd", "run/bodies_0000.vtu", "run/bodies_0005.vtu", "run/obstacles_0000.vtu", "run/obstacles_0005.vtu",
    ]  # fmt: skip
    assert 'file="run/bodies_0005.vtu"' in (tmp_path / "run.pvd").read_text()
    mesh = meshio.read(tmp_path / "run" / "bodies_0005.vtu")
    cells = {c.type: c.data for c in mesh.cells}
    np.testing.assert_array_equal(cells["tetra"], run.skins[0].tets)
    assert len(cells["triangle"]) == len(run.skins[1].triangles) and len(cells["line"]) == 10
    nodes = run.skins[0].stop
    np.testing.assert_allclose(mesh.points[:nodes], run.positions[5, :nodes])
    np.testing.assert_allclose(mesh.point_data["velocity"][:nodes], run.velocities[5, :nodes])
    np.testing.assert_allclose(mesh.point_data["displacement"][:nodes], (run.positions[5] - run.rest)[:nodes])
    np.testing.assert_allclose(np.ravel(mesh.point_data["stress"])[:nodes], run.fields["stress"][5, :nodes])
    ball = meshio.read(tmp_path / "run" / "obstacles_0005.vtu")
    np.testing.assert_allclose(ball.points[4:].mean(axis=0)[0], run.props[1].poses[5, 0, 3], atol=1e-6)


def test_pc2_by_hand(run, tmp_path):
    data = export(run, tmp_path / "run.pc2").read_bytes()
    sign, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    merged = Merged(run)
    assert (sign, version, points, samples) == (b"POINTCACHE2\0", 1, merged.starts[-1], len(run))
    assert (start, rate) == (0.0, 1.0)
    cache = np.frombuffer(data[32:], "<f4").reshape(samples, points, 3)
    np.testing.assert_allclose(cache[7], merged.places(7), atol=1e-6)
    text = (tmp_path / "run.obj").read_text()
    assert sum(line.startswith("v ") for line in text.splitlines()) == points


def glb_parts(data):
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def test_glb_is_read_by_trimesh_and_its_morphs_add_up(run, tmp_path):
    trimesh = pytest.importorskip("trimesh")
    file = export(run, tmp_path / "run.glb")
    scene = trimesh.load(file, process=False)
    assert {"beam", "cloth", "ball", "floor"} <= set(scene.geometry)
    beam = scene.geometry["beam"]
    np.testing.assert_allclose(beam.vertices, run.skins[0].of(run.rest), atol=1e-6)
    document, binary = glb_parts(file.read_bytes())

    def array(k):
        accessor = document["accessors"][k]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        return np.frombuffer(binary, "<f4", accessor["count"] * width, view["byteOffset"]).reshape(-1, width)

    targets = document["meshes"][0]["primitives"][0]["targets"]
    assert len(targets) == len(run)
    base = array(document["meshes"][0]["primitives"][0]["attributes"]["POSITION"])
    np.testing.assert_allclose(base + array(targets[9]["POSITION"]), run.skins[0].of(run.positions[9]), atol=1e-6)
    normal = array(document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"]) + array(targets[9]["NORMAL"])
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1.0, atol=1e-5)
    sampler = document["animations"][0]["samplers"][0]
    np.testing.assert_allclose(array(sampler["input"])[:, 0], run.times, atol=1e-6)
    np.testing.assert_array_equal(array(sampler["output"]).reshape(len(run), len(run)), np.eye(len(run)))
    moves = {c["target"]["path"] for c in document["animations"][0]["channels"]}
    assert moves == {"weights", "translation", "rotation"}


def test_glb_says_when_it_would_grow_too_large(run, tmp_path, monkeypatch):
    monkeypatch.setattr(glb, "LIMIT", 30_000)
    with pytest.raises(InputError, match=r"choose at most \d+ frames"):
        export(run, tmp_path / "run.glb")
    assert listed(tmp_path) == []


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usd"])
def test_usd_is_read_by_pxr(run, tmp_path, suffix):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    file = export(run, tmp_path / f"run{suffix}")
    assert listed(tmp_path) == [file.name]
    stage = Usd.Stage.Open(str(file))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0 and UsdGeom.GetStageUpAxis(stage) == "Z"
    np.testing.assert_allclose(stage.GetTimeCodesPerSecond(), 1 / (run.times[1] - run.times[0]))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/run/beam"))
    np.testing.assert_array_equal(np.reshape(mesh.GetFaceVertexIndicesAttr().Get(), (-1, 3)), run.skins[0].triangles)
    np.testing.assert_allclose(mesh.GetPointsAttr().Get(7), run.skins[0].of(run.positions[7]), atol=1e-6)
    stress = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("stress").Get(7)
    np.testing.assert_allclose(stress, run.skins[0].of(run.fields["stress"][7]), rtol=1e-5, atol=1e-3)
    rod = UsdGeom.BasisCurves(stage.GetPrimAtPath("/run/rod"))
    assert list(rod.GetCurveVertexCountsAttr().Get()) == [2] * 10
    ball = UsdGeom.Xformable(stage.GetPrimAtPath("/run/ball"))
    moved = ball.GetLocalTransformation(7).ExtractTranslation()
    np.testing.assert_allclose(moved, run.props[1].poses[7, :3, 3])


def test_usd_missing_says_what_to_install(run, tmp_path, monkeypatch):
    honest = builtins.__import__

    def without(name, *rest, **more):
        if name.split(".")[0] == "pxr":
            raise ImportError(name)
        return honest(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install pliant\[usd\]"):
        export(run, tmp_path / "run.usd")
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "frames", "says"),
    [
        ("run.gbl", None, r"did you mean '\.glb'.*the formats are"),
        ("run.ply", 99, "no frame 99"),
        ("run.ply", [0.5], "expected whole numbers"),
        ("run.ply", [], "no frames were chosen"),
        ("run_{a}.ply", None, "frame number"),
        ("run_{:.0s}.ply", None, "frame number|one name"),
        ("run_{{}}.ply", None, "one name to several"),
        (7, None, "expected a file name"),
    ],
)
def test_bad_requests_leave_nothing(run, tmp_path, name, frames, says):
    path = tmp_path / name if isinstance(name, str) else name
    with pytest.raises(InputError, match=says):
        export(run, path, frames)
    assert listed(tmp_path) == []


@pytest.mark.parametrize("suffix", sorted(set(FORMATS) - {".usdc", ".usd"}))
def test_a_failure_halfway_leaves_nothing(run, tmp_path, monkeypatch, suffix):
    if suffix == ".usda":
        pytest.importorskip("pxr")
    calls = iter(range(100))
    honest = type(run.skins[0]).of

    def failing(self, values):
        if next(calls) > 6:
            raise OSError(28, "No space left on device")
        return honest(self, values)

    def honest_failure():
        raise OSError(28, "No space left on device")

    if suffix == ".npz":
        monkeypatch.setattr(np, "savez_compressed", lambda *_, **__: honest_failure())
    monkeypatch.setattr(type(run.skins[0]), "of", failing)
    with pytest.raises((InputError, OSError), match="No space"):
        export(run, tmp_path / f"run{suffix}")
    assert listed(tmp_path) == []


def test_folder_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot write"):
        export(run, tmp_path / "file" / "run.npz")
