"""Every format that export writes is read back by somebody else's reader, or from its definition where there is none.

Each reader gives the same account of a file, which must be that of the run: times, vertices of every body in every frame, their
triangles, and fields. VTK's own readers take half a gigabyte and are slow tests; Blender has a file of its own.
"""

from __future__ import annotations

import json
import struct
import tracemalloc
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field, replace

import h5py
import meshio
import numpy as np
import pytest
import trimesh
from pxr import Usd, UsdGeom, UsdValidation

from pliant.output.colours import colour as colours
from pliant.output.export import FORMATS, export
from pliant.output.formats.merged_mesh import Merged
from pliant.output.raster.frame_shapes import posed, vertices
from pliant.simulate.record.run import Run, Skin

BODIES = ("beam", "cloth", "rod")


@dataclass
class Seen:
    """What a reader found: times [s], body → (frames, v, 3) places [m] z up, body → triangles, body → field (frames, v)."""

    times: np.ndarray
    places: dict[str, np.ndarray]
    triangles: dict[str, np.ndarray] = field(default_factory=dict)
    stress: dict[str, np.ndarray] = field(default_factory=dict)
    ball: np.ndarray | None = None  # (frames, v, 3) places of the moving obstacle


def by_body(run, merged_places):
    """(frames, v, 3) of one mesh of all bodies, split."""
    starts = Merged(run).starts
    return {skin.name: merged_places[:, a:b] for skin, a, b in zip(run.skins, starts, starts[1:])}


def split(run, triangles):
    """Triangles of one mesh of all bodies, by body and in the body's own numbers."""
    starts = Merged(run).starts
    owner = np.searchsorted(starts, triangles[:, 0], side="right") - 1
    return {skin.name: triangles[owner == i] - starts[i] for i, skin in enumerate(run.skins)}


def numpy_archive(run, folder):
    with np.load(export(run, folder / "run.npz")) as found:
        about = json.loads(found["about"].tobytes())
        names = [s["name"] for s in about["skins"]]
        x, stress = found["positions"], found[f"field_{about['fields'].index('stress')}"]
        rows = {n: slice(s["start"], s["stop"]) for n, s in zip(names, about["skins"])}
        pick = {n: found[f"skin_{i}_parents"][:, 0] + rows[n].start for i, n in enumerate(names)}
        triangles = {n: found[f"skin_{i}_triangles"] for i, n in enumerate(names)}
        return Seen(found["times"], {n: x[:, p] for n, p in pick.items()}, triangles, {n: stress[:, p] for n, p in pick.items()})


def ply_by_trimesh(run, folder):
    export(run, folder / "frame_{:04d}.ply")
    files = [folder / f"frame_{i:04d}.ply" for i in range(len(run))]
    meshes = [trimesh.load(f, process=False) for f in files]
    stress = np.array([np.ravel(m.metadata["_ply_raw"]["vertex"]["data"]["stress"]) for m in meshes])
    times = [float(f.read_bytes().split(b"comment t = ")[1].split()[0]) for f in files]
    return Seen(
        np.array(times), by_body(run, np.array([m.vertices for m in meshes])), split(run, meshes[-1].faces),
        {k: v[..., 0] for k, v in by_body(run, stress[..., None]).items()},
    )  # fmt: skip


def obj_by_meshio(run, folder):
    export(run, folder / "frame.obj")
    assert "# Pliant, metres, z up" in (folder / "frame_0000.obj").read_text()
    meshes = [meshio.read(folder / f"frame_{i:04d}.obj") for i in range(len(run))]
    (cells,) = meshes[-1].cells  # meshio leaves out the lines of the rod
    return Seen(run.times, by_body(run, np.array([m.points for m in meshes])), split(run, cells.data))


def grids(read_frame, run, times, obstacles):
    """The account of unstructured grids, whose points are the nodes of the bodies."""
    parts = [read_frame(i) for i in range(len(times))]
    starts = [s.start for s in run.skins]
    points, stress = (np.array([p[k] for p in parts]) for k in (0, 2))
    seen = Seen(times, {}, {})
    for i, skin in enumerate(run.skins):
        at = starts[i] + skin.parents[:, 0]
        seen.places[skin.name], seen.stress[skin.name] = points[:, at], stress[:, at]
    cells = parts[0][1]
    np.testing.assert_array_equal(cells["tetra"], run.skins[0].tets)
    np.testing.assert_array_equal(cells["line"] - starts[2], run.skins[2].edges)
    seen.triangles = {"cloth": cells["triangle"] - starts[1]}
    for i, part in enumerate(parts):
        np.testing.assert_allclose(part[3], run.positions[i] - run.rest, atol=1e-15)
        np.testing.assert_allclose(part[4], run.velocities[i], atol=1e-15)
    seen.ball = np.array([obstacles(i) for i in range(len(times))])[:, len(run.props[0].mesh.vertices) :]
    return seen


def pvd_by_meshio(run, folder):
    root = xml.parse(export(run, folder / "run.pvd")).getroot()
    listed = [(float(e.get("timestep")), int(e.get("part")), e.get("file")) for e in root.iter("DataSet")]
    files = {part: [folder / name for _, p, name in listed if p == part] for part in (0, 1)}

    def frame(i):
        mesh = meshio.read(files[0][i])
        data = mesh.point_data
        sizes = [len(c.data) for c in mesh.cells]
        np.testing.assert_array_equal(np.concatenate(mesh.cell_data["body"]), np.repeat([0, 1, 2], sizes))
        cells = {c.type: c.data for c in mesh.cells}
        return mesh.points, cells, np.ravel(data["stress"]), data["displacement"], data["velocity"]

    times = np.array([t for t, part, _ in listed if part == 0])
    return grids(frame, run, times, lambda i: meshio.read(files[1][i]).points)


def vtkhdf_by_h5py(run, folder):
    """By the definition of VTKHDF 2.0: what a step's offsets point at."""
    file, names = export(run, folder / "run.vtkhdf"), {10: "tetra", 5: "triangle", 3: "line"}

    def step(root, i):
        steps = root["Steps"]
        part = steps["PartOffsets"][i]
        assert steps["NumberOfParts"][i] == 1
        points, cells, ids = (root[f"NumberOf{k}"][part] for k in ("Points", "Cells", "ConnectivityIds"))
        at, first, corner = steps["PointOffsets"][i], steps["CellOffsets"][i, 0], steps["ConnectivityIdOffsets"][i, 0]
        ends, types = root["Offsets"][first : first + cells + 1], root["Types"][first : first + cells]
        flat = root["Connectivity"][corner : corner + ids]
        assert ends[0] == 0 and ends[-1] == ids
        found, fields = {}, {}
        for kind in np.unique(types):
            mine = np.flatnonzero(types == kind)
            found[names[kind]] = np.stack([flat[ends[k] : ends[k + 1]] for k in mine])
        for name, values in root["PointData"].items():
            begin = steps["PointDataOffsets"][name][i]
            fields[name] = values[begin : begin + points]
        return root["Points"][at : at + points], found, fields

    def frame(i):
        with h5py.File(file) as opened:
            points, cells, data = step(opened["VTKHDF"], i)
            return points, cells, data["stress"], data["displacement"], data["velocity"]

    def obstacles(i):
        with h5py.File(folder / "run_obstacles.vtkhdf") as opened:
            return step(opened["VTKHDF"], i)[0]

    with h5py.File(file) as opened:
        root = opened["VTKHDF"]
        assert root.attrs["Version"].tolist() == [2, 0] and root.attrs["Type"] == b"UnstructuredGrid"
        assert h5py.check_string_dtype(root.attrs.get_id("Type").dtype).length == len("UnstructuredGrid")
        assert root["Steps"].attrs["NSteps"] == len(run) and root["PointData/stress"].attrs["units"] == "Pa"
        np.testing.assert_array_equal(root["CellData/body"], np.repeat([0, 1, 2], [648, 288, 10]))
        times = root["Steps/Values"][:]
    return grids(frame, run, times, obstacles)


def obj_triangles(folder, run):
    """The mesh that a point cache moves: one object, as many vertices as the cache has points."""
    text = (folder / "run.obj").read_text().splitlines()
    assert [line for line in text if line.startswith("o ")] == ["o bodies"]
    assert sum(line.startswith("v ") for line in text) == Merged(run).starts[-1]
    return split(run, np.array([line.split()[1:] for line in text if line.startswith("f ")], int) - 1)


def pc2_by_definition(run, folder):
    data = export(run, folder / "run.pc2").read_bytes()
    sign, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    assert (sign, version, start, rate, samples) == (b"POINTCACHE2\0", 1, 0.0, 1.0, len(run))
    places = np.frombuffer(data[32:], "<f4").reshape(samples, points, 3)
    return Seen(run.times, by_body(run, places), obj_triangles(folder, run))


def mdd_by_definition(run, folder):
    """LightWave: frames and points, a time for each frame, then places frame by frame; all big-endian, four bytes each."""
    data = export(run, folder / "run.mdd").read_bytes()
    frames, points = (int.from_bytes(data[i : i + 4], "big") for i in (0, 4))
    times = np.array(struct.unpack(f">{frames}f", data[8 : 8 + 4 * frames]))
    rest = data[8 + 4 * frames :]
    assert len(rest) == 12 * frames * points
    places = np.array(struct.unpack(f">{3 * frames * points}f", rest)).reshape(frames, points, 3)
    return Seen(times, by_body(run, places), obj_triangles(folder, run))


def glb_by_trimesh(run, folder):
    """The rest shape and the place of nodes by trimesh; morph targets from the definition, as trimesh leaves them out."""
    file = export(run, folder / "run.glb")
    scene = trimesh.load_scene(file, process=False)
    turn, _ = scene.graph["beam"]
    np.testing.assert_allclose(turn[:3, :3] @ [0, 0, 1], [0, 1, 0], atol=1e-7)  # our up is the up of glTF
    triangles = {n: np.asarray(scene.geometry[n].faces) for n in ("beam", "cloth")}
    for skin in run.skins[:2]:
        np.testing.assert_allclose(scene.geometry[skin.name].vertices, skin.of(run.rest), atol=1e-6)
    data = file.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    document, binary = json.loads(data[20 : 20 + length]), data[28 + length :]

    def array(k):
        accessor = document["accessors"][k]
        view = document["bufferViews"][accessor["bufferView"]]
        assert view["byteOffset"] % 4 == 0
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        values = np.frombuffer(binary, "<f4", accessor["count"] * width, view["byteOffset"]).reshape(-1, width)
        if "min" in accessor:
            assert accessor["min"] == values.min(axis=0).tolist() and accessor["max"] == values.max(axis=0).tolist()
        return values

    places = {}
    for mesh in document["meshes"][:3]:
        (primitive,) = mesh["primitives"]
        base, targets = array(primitive["attributes"]["POSITION"]), primitive["targets"]
        assert "min" in document["accessors"][primitive["attributes"]["POSITION"]] and len(targets) == len(run)
        places[mesh["name"]] = np.array([base + array(t["POSITION"]) for t in targets])
        if "NORMAL" in primitive["attributes"]:
            normals = array(primitive["attributes"]["NORMAL"]) + array(targets[9]["NORMAL"])
            np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)
    animation = document["animations"][0]
    samplers = {
        (document["nodes"][c["target"]["node"]]["name"], c["target"]["path"]): animation["samplers"][c["sampler"]]
        for c in animation["channels"]
    }
    assert set(samplers) == {*((n, "weights") for n in BODIES), ("ball", "translation"), ("ball", "rotation")}
    weights = samplers["beam", "weights"]
    np.testing.assert_array_equal(array(weights["output"]).reshape(len(run), len(run)), np.eye(len(run)))
    ball = run.props[1].mesh.vertices + array(samplers["ball", "translation"]["output"])[:, None]
    return Seen(array(weights["input"])[:, 0], places, triangles, ball=ball)


def usd_by_pxr(suffix):
    def reader(run, folder):
        file = export(run, folder / f"run{suffix}")
        stage = Usd.Stage.Open(str(file))
        assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0 and UsdGeom.GetStageUpAxis(stage) == "Z"
        assert stage.GetDefaultPrim().GetPath() == "/run"
        rate, codes = stage.GetTimeCodesPerSecond(), range(len(run))
        assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(run) - 1)
        np.testing.assert_allclose([rate, stage.GetFramesPerSecond()], 1 / (run.times[1] - run.times[0]))
        seen = Seen(np.array([c / rate for c in codes]), {})
        for name in BODIES[:2]:
            mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/run/{name}"))
            assert mesh.GetPointsAttr().GetTimeSamples() == list(codes)
            seen.places[name] = np.array([mesh.GetPointsAttr().Get(c) for c in codes])
            spans = np.array([mesh.GetExtentAttr().Get(c) for c in codes])
            np.testing.assert_allclose(spans[:, 0], seen.places[name].min(axis=1))
            np.testing.assert_allclose(spans[:, 1], seen.places[name].max(axis=1))
            seen.triangles[name] = np.reshape(mesh.GetFaceVertexIndicesAttr().Get(), (-1, 3))
            assert set(mesh.GetFaceVertexCountsAttr().Get()) == {3} and mesh.GetSubdivisionSchemeAttr().Get() == "none"
            primvar = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("stress")
            assert primvar.GetInterpolation() == "vertex"
            seen.stress[name] = np.array([primvar.Get(c) for c in codes])
            assert not mesh.GetNormalsAttr().HasAuthoredValue()  # viewers make their own, which move with the points
            assert len(mesh.GetDisplayColorAttr().Get()) == 1
        rod = UsdGeom.BasisCurves(stage.GetPrimAtPath("/run/rod"))
        assert list(rod.GetCurveVertexCountsAttr().Get()) == [2] * 10
        ball = stage.GetPrimAtPath("/run/ball")
        rest = np.array(UsdGeom.Mesh(ball).GetPointsAttr().Get())
        moves = [np.array(UsdGeom.Xformable(ball).GetLocalTransformation(c)) for c in codes]
        seen.ball = np.array([rest @ m[:3, :3] + m[3, :3] for m in moves])
        return seen

    return reader


READERS = {
    ".npz": numpy_archive, ".ply": ply_by_trimesh, ".obj": obj_by_meshio, ".pvd": pvd_by_meshio, ".vtkhdf": vtkhdf_by_h5py,
    ".pc2": pc2_by_definition, ".mdd": mdd_by_definition, ".glb": glb_by_trimesh,
    ".usd": usd_by_pxr(".usd"), ".usda": usd_by_pxr(".usda"), ".usdc": usd_by_pxr(".usdc"),
}  # fmt: skip


def test_no_format_without_a_reader():
    assert set(READERS) == set(FORMATS) - {".csv"}  # a table of forces and energies: tests/simulate/test_forces.py


@pytest.mark.parametrize("suffix", READERS)
def test_another_reader_sees_the_run(run, tmp_path, suffix):
    seen = READERS[suffix](run, tmp_path)
    np.testing.assert_allclose(seen.times, run.times, atol=1e-7)
    assert "beam" in seen.places and "cloth" in seen.triangles
    for i, skin in enumerate(run.skins):
        if skin.name in seen.places:
            want = np.array([vertices(run.skins[i], run.positions[f]) for f in range(len(run))])
            np.testing.assert_allclose(seen.places[skin.name], want, atol=2e-7)
        if seen.triangles.get(skin.name) is not None and len(skin.triangles):
            np.testing.assert_array_equal(seen.triangles[skin.name], skin.triangles)
        if skin.name in seen.stress:
            np.testing.assert_allclose(seen.stress[skin.name], skin.of(run.fields["stress"]), rtol=1e-6, atol=1e-3)
    if seen.ball is not None:
        want = np.array([posed(run.props[1], f) for f in range(len(run))])
        np.testing.assert_allclose(seen.ball, want, atol=2e-7)


def test_frames_that_are_not_in_order(run, tmp_path):
    """Formats with a clock hold frames in the order of time, whatever order they were asked in."""
    with h5py.File(export(run, tmp_path / "run.vtkhdf", frames=[7, 2])) as file:
        np.testing.assert_array_equal(file["VTKHDF/Steps/Values"], run.times[[2, 7]])
        np.testing.assert_array_equal(file["VTKHDF/Points"][: run.skins[0].stop], run.positions[2, : run.skins[0].stop])
    stage = Usd.Stage.Open(str(export(run, tmp_path / "run.usda", frames=[7, 2])))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/run/beam"))
    assert stage.GetStartTimeCode() == 0 and stage.GetEndTimeCode() == 1
    np.testing.assert_allclose(mesh.GetPointsAttr().Get(1), run.skins[0].of(run.positions[7]), atol=1e-6)


@pytest.mark.parametrize("suffix", ["usda", "usdc"])
def test_usd_passes_its_own_checks(run, tmp_path, suffix):
    checks = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(checks) > 20
    stage = Usd.Stage.Open(str(export(run, tmp_path / f"run.{suffix}")))
    assert [e.GetMessage() for e in UsdValidation.ValidationContext(checks).Validate(stage)] == []


def test_names_that_usd_cannot_have(run, tmp_path):
    """Two bodies of one name, and fields with odd names."""
    skins = (replace(run.skins[0], name="3 d!"), replace(run.skins[1], name="3 d!"))
    odd = run.changed(skins=skins, fields={"von Mises": run.fields["stress"]})
    stage = Usd.Stage.Open(str(export(odd, tmp_path / "run.usda")))
    meshes = [p for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
    assert len(meshes) == 4 and UsdGeom.PrimvarsAPI(meshes[0]).HasPrimvar("von_Mises")


def vtk_arrays(grid):
    from vtkmodules.util.numpy_support import vtk_to_numpy as array

    data = {name: array(grid.GetPointData().GetArray(name)) for name in ("stress", "displacement", "velocity")}
    cells, kinds = {}, np.array([grid.GetCellType(i) for i in range(grid.GetNumberOfCells())])
    ends = grid.GetCells()
    offsets, flat = array(ends.GetOffsetsArray()), array(ends.GetConnectivityArray())
    for name, kind, width in (("tetra", 10, 4), ("triangle", 5, 3), ("line", 3, 2)):
        cells[name] = flat[offsets[:-1][kinds == kind][:, None] + np.arange(width)]
    return array(grid.GetPoints().GetData()), cells, data["stress"], data["displacement"], data["velocity"]


@pytest.mark.slow
def test_vtkhdf_is_played_by_vtk(run, tmp_path):
    from vtkmodules.util.numpy_support import vtk_to_numpy as array
    from vtkmodules.vtkIOHDF import vtkHDFReader

    export(run, tmp_path / "run.vtkhdf")
    readers = []
    for name in ("run.vtkhdf", "run_obstacles.vtkhdf"):
        reader = vtkHDFReader()
        assert reader.CanReadFile(str(tmp_path / name))
        reader.SetFileName(str(tmp_path / name))
        reader.UpdateInformation()
        readers.append(reader)

    def at(reader, i):
        reader.SetStep(i)
        reader.Update()
        return reader.GetOutputDataObject(0)

    times = []
    for i in range(readers[0].GetNumberOfSteps()):
        at(readers[0], i)
        times.append(readers[0].GetTimeValue())
    seen = grids(
        lambda i: vtk_arrays(at(readers[0], i)),
        run,
        np.array(times),
        lambda i: array(at(readers[1], i).GetPoints().GetData()),
    )
    np.testing.assert_array_equal(times, run.times)
    np.testing.assert_array_equal(seen.places["beam"], run.skins[0].of(run.positions))
    np.testing.assert_array_equal(seen.triangles["cloth"], run.skins[1].triangles)


@pytest.mark.slow
def test_vtu_is_read_by_vtk(run, tmp_path):
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    export(run, tmp_path / "run.pvd", frames=[0, 7])
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(tmp_path / "run" / "bodies_0007.vtu"))
    reader.Update()
    points, cells, stress, displacement, _ = vtk_arrays(reader.GetOutput())
    np.testing.assert_array_equal(points, run.positions[7])
    np.testing.assert_array_equal(cells["tetra"], run.skins[0].tets)
    np.testing.assert_array_equal(stress, run.fields["stress"][7])
    np.testing.assert_array_equal(displacement, run.positions[7] - run.rest)


def test_a_field_as_colours(run, tmp_path):
    """PLY and USD vertices coloured by a field: the least and the largest value have the ends of the scale."""
    values = np.concatenate([skin.of(run.fields["stress"]) for skin in run.skins[:2]], axis=1)
    frame, row = np.unravel_index(values.argmax(), values.shape)
    low, high = (colours.scale()[i] for i in (0, -1))
    export(run, tmp_path / "f_{:04d}.ply", colour="stress")
    first, last = (trimesh.load(tmp_path / f"f_{i:04d}.ply", process=False) for i in (0, frame))
    np.testing.assert_array_equal(first.visual.vertex_colors[:10, :3], np.tile(np.rint(255 * low), (10, 1)))
    np.testing.assert_array_equal(last.visual.vertex_colors[row, :3], np.rint(255 * high))
    stage = Usd.Stage.Open(str(export(run, tmp_path / "run.usdc", colour="stress")))
    shades = [UsdGeom.Mesh(stage.GetPrimAtPath(f"/run/{n}")).GetDisplayColorPrimvar() for n in ("beam", "cloth")]
    assert [s.GetInterpolation() for s in shades] == ["vertex", "vertex"]
    seen = np.concatenate([np.array(s.Get(int(frame))) for s in shades])
    np.testing.assert_allclose(seen[row], colours.linear(high), atol=1e-6)
    np.testing.assert_allclose(np.array(shades[0].Get(0)) - colours.linear(low), 0.0, atol=1e-6)


@pytest.mark.parametrize("suffix", [".npz", ".ply", ".vtkhdf", ".pc2", ".mdd"])
def test_frames_are_streamed(tmp_path, suffix):
    """Nothing of the size of the run is made while it is written."""
    count, frames = 3000, 80
    x = np.random.default_rng(0).random((count, 3), np.float32).astype(float)
    still = np.broadcast_to(x, (frames, count, 3))
    skin = Skin("sheet", 0, count, np.arange(count).reshape(-1, 3), np.arange(count)[:, None], np.ones((count, 1)))
    run = Run.single(np.arange(frames) / 60, still, still, x, (skin,), fields={"stress": still[..., 0]})
    export(run, tmp_path / f"warm{suffix}", frames=[0, 1])
    tracemalloc.start()
    export(run, tmp_path / f"run{suffix}")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.5 * run.positions.nbytes
