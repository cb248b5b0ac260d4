"""A run whose bodies change half way goes through every output: each frame shows the bodies of its own chapter."""

from __future__ import annotations

import json

import h5py
import meshio
import numpy as np
import pytest
import trimesh
from pxr import Usd, UsdGeom

from pliant.errors import InputError
from pliant.output.export import FORMATS, export
from pliant.output.formats.merged_mesh import Merged
from pliant.output.formats.npz import holds_run, read_run
from pliant.output.picture import animation, filmstrip, picture
from pliant.output.raycast import RayRenderer
from pliant.output.render_looks import RayCast, Slice
from pliant.output.slices import SliceRenderer
from pliant.output.surface_pictures import SurfaceRenderer
from pliant.output.video import video

FRAMES = (6, 7)  # the last of one chapter and the first of the next


def places(cut, frame):
    return Merged(cut, cut.chapter_of(frame)).places(frame)


def test_every_format_takes_it_or_says_why(cut, tmp_path):
    """No format escapes: it writes the run or refuses in one sentence."""
    refused = set()
    for suffix in FORMATS:
        pattern = "frame_{:04d}" if suffix in (".ply", ".obj") else "run"
        try:
            export(cut, tmp_path / f"{pattern}{suffix}")
        except InputError as error:
            assert "change at t = 0.7 s" in str(error) and "frames=range(0, 7)" in str(error)
            refused.add(suffix)
    assert refused == {".pc2", ".mdd"}


def test_npz_brings_the_chapters_back(cut, tmp_path):
    file = export(cut, tmp_path / "run.npz")
    again = read_run(file)
    assert holds_run(file) and [len(chapter) for chapter in again.chapters] == [7, 6]
    for one, other in zip(cut.chapters, again.chapters):
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.fields["stress"], other.fields["stress"])
        assert [s.name for s in one.skins] == [s.name for s in other.skins]
        np.testing.assert_array_equal(one.skins[0].tets, other.skins[0].tets)
    np.testing.assert_array_equal(cut.energies["kinetic"], again.energies["kinetic"])
    some = read_run(export(cut, tmp_path / "some.npz", frames=[8, 10]))  # of one chapter: the layout of old files
    np.testing.assert_array_equal(some.positions, cut.chapters[1].positions[[1, 3]])
    with np.load(tmp_path / "some.npz") as old:
        assert json.loads(old["about"].tobytes())["pliant_run"] == 1


def test_meshes_of_each_frame(cut, tmp_path):
    export(cut, tmp_path / "frame_{:04d}.ply", colour="stress")
    export(cut, tmp_path / "frame_{:04d}.obj")
    for frame in FRAMES:
        ply = trimesh.load(tmp_path / f"frame_{frame:04d}.ply", process=False)
        np.testing.assert_allclose(ply.vertices, places(cut, frame), atol=1e-6)
        lines = (tmp_path / f"frame_{frame:04d}.obj").read_text().splitlines()
        assert sum(line.startswith("v ") for line in lines) == len(places(cut, frame))
        assert sum(line == "o rod" for line in lines) == (1 if frame == 6 else 0)


def test_vtk_grids(cut, tmp_path):
    export(cut, tmp_path / "run.pvd")
    with h5py.File(export(cut, tmp_path / "run.vtkhdf")) as file:
        root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
        for frame in FRAMES:
            k, moment = cut.chapter_of(frame), cut.moment(frame)
            grid = meshio.read(tmp_path / "run" / f"bodies_{frame:04d}.vtu")
            part = int(steps["PartOffsets"][frame])
            first, count = int(steps["PointOffsets"][frame]), int(root["NumberOfPoints"][part])
            points = root["Points"][first : first + count]
            np.testing.assert_allclose(points, grid.points)
            beam = moment.skins[0]
            np.testing.assert_allclose(points[: beam.stop], moment.x[: beam.stop])
            cells = int(steps["CellOffsets"][frame, 0])
            tets = root["Connectivity"][int(steps["ConnectivityIdOffsets"][frame, 0]) :][: beam.tets.size]
            np.testing.assert_array_equal(tets.reshape(-1, 4), beam.tets)
            # the offsets of each part begin with a 0 of their own
            ends = root["Offsets"][cells + part : cells + part + 1 + int(root["NumberOfCells"][part])]
            assert ends[0] == 0 and ends[-1] == root["NumberOfConnectivityIds"][part] and part == k


def test_usd_changes_its_topology(cut, tmp_path):
    stage = Usd.Stage.Open(str(export(cut, tmp_path / "run.usda", colour="stress")))
    for frame in FRAMES:
        moment = cut.moment(frame)
        beam = UsdGeom.Mesh(stage.GetPrimAtPath("/run/beam"))
        triangles = np.array(beam.GetFaceVertexIndicesAttr().Get(frame)).reshape(-1, 3)
        np.testing.assert_array_equal(triangles, moment.skins[0].triangles)
        assert len(beam.GetFaceVertexCountsAttr().Get(frame)) == len(triangles)
        np.testing.assert_allclose(beam.GetPointsAttr().Get(frame), moment.skins[0].of(moment.x), atol=1e-6)
        rod = UsdGeom.BasisCurves(stage.GetPrimAtPath("/run/rod"))
        assert len(rod.GetPointsAttr().Get(frame)) == (20 if frame == 6 else 0)
    assert len([p for p in stage.GetPrimAtPath("/run").GetChildren() if p.GetName().startswith("beam")]) == 1


def test_glb_shows_each_chapter_in_its_time(cut, tmp_path):
    data = export(cut, tmp_path / "run.glb").read_bytes()
    length = int.from_bytes(data[12:16], "little")
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def read(accessor):
        about = document["accessors"][accessor]
        view = document["bufferViews"][about["bufferView"]]
        values = np.frombuffer(binary, "<f4", view["byteLength"] // 4, view["byteOffset"])
        return values.reshape(-1, 3) if about["type"] == "VEC3" else values

    (animated,) = document["animations"]
    scales = {}
    for channel in animated["channels"]:
        if channel["target"]["path"] == "scale":
            sampler = animated["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "STEP"
            scales[channel["target"]["node"]] = read(sampler["output"])[:, 0]
    names = [document["nodes"][node]["name"] for node in scales]
    assert names == ["beam", "cloth", "rod", "beam", "cloth"]
    first, _, _, second, _ = scales.values()
    np.testing.assert_array_equal(first, np.arange(13) < 7)
    np.testing.assert_array_equal(second, np.arange(13) >= 7)
    beam = document["meshes"][3]["primitives"][0]
    assert len(beam["targets"]) == 6
    moment = cut.moment(7)
    moved = read(beam["attributes"]["POSITION"]) + read(beam["targets"][0]["POSITION"])
    np.testing.assert_allclose(moved, moment.skins[0].of(moment.x), atol=1e-6)


def test_point_caches_take_one_chapter(cut, tmp_path):
    export(cut, tmp_path / "later.pc2", frames=range(7, 13))
    points = int.from_bytes((tmp_path / "later.pc2").read_bytes()[16:20], "little")
    assert points == len(places(cut, 7))


def test_pictures_follow(cut, tmp_path):
    stage = SurfaceRenderer(cut, np.arange(13), "stress", (120, 90), (-58.0, 18.0), 1, False, None)
    assert all(np.isfinite(stage.render(frame)).all() for frame in FRAMES)
    hues = SurfaceRenderer(cut, np.arange(13), None, (120, 90), (-58.0, 18.0), 1, True, None)
    assert np.abs(hues.render(6) - hues.render(7)).max() > 0.1
    look = Slice(point=(0.2, 0.05, 0.2), cells=True)
    for colour in (None, "stress"):
        slices = SliceRenderer(cut, np.arange(13), colour, (80, 60), look, 1, None)
        assert all(np.isfinite(slices.render(frame)).all() for frame in FRAMES)
    picture(cut, tmp_path / "a.png", frame=7, size=(64, 48), samples=1)
    filmstrip(cut, tmp_path / "b.png", frames=[0, 12], size=(64, 48), samples=1)
    animation(cut, tmp_path / "c.png", fps=5, size=(64, 48), samples=1, colour="speed")


def test_rays_and_videos_follow(cut, tmp_path):
    beams = cut.drawn([[chapter.skins[0]] for chapter in cut.chapters])  # rays want solids
    rays = RayRenderer(beams, np.arange(13), (64, 48), (-58.0, 18.0), RayCast(spacing=0.02), 1)
    assert np.abs(rays.render(6) - rays.render(7)).max() > 0.05
    assert video(cut, tmp_path / "a.mp4", fps=5, size=(64, 48), samples=1).stat().st_size > 1000


def test_chapters_that_do_not_fit_are_refused(cut, tmp_path):
    from dataclasses import replace

    with pytest.raises(InputError, match=r"chapters of this run have \[7, 6\] frames; expected 12 in all"):
        export(replace(cut, times=cut.times[:12]), tmp_path / "a.npz")
    with pytest.raises(InputError, match="go back to an earlier chapter"):
        export(cut, tmp_path / "a.npz", frames=[8, 2])
    assert not list(tmp_path.iterdir())
