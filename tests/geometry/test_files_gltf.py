"""glTF in: against trimesh on random scenes, and by hand for what it does not write; damage gives one sentence."""

import base64
import json
import re
import struct
import time
import tracemalloc

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.errors import InputError
from pliant.geometry.files.source import Source
from pliant.geometry.files.surfaces import gltf
from pliant.geometry.files.surfaces.glb import head

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "<f4")
CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


def z_up(points):
    return np.stack([points[..., 0], -points[..., 2], points[..., 1]], axis=-1)


def corners(mesh):
    """(m, 3, 3) corners of triangles, each turned so that its least corner comes first, sorted."""
    places = np.asarray(mesh.vertices)[np.asarray(getattr(mesh, "faces", getattr(mesh, "triangles", None)))]
    return lined_up(places)


def lined_up(places):
    places = np.round(places, 5) + 0.0
    first = [min(range(3), key=lambda k: tuple(t[k])) for t in places.tolist()]
    turned = np.stack([np.roll(t, -k, axis=0) for t, k in zip(places, first)])
    return turned[np.lexsort(turned.reshape(len(turned), 9).T[::-1])]


class Maker:
    """A glTF document put together by hand."""

    def __init__(self):
        self.data, self.tree = b"", {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}

    def view(self, data: bytes, **more) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        self.tree["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **more})
        self.data += data
        return len(self.tree["bufferViews"]) - 1

    def accessor(self, values: np.ndarray, **more) -> int:
        values = np.ascontiguousarray(values)
        values = values.reshape(len(values), -1)
        self.tree["accessors"].append({
            "bufferView": self.view(values.tobytes()), "componentType": CODES[values.dtype.str[1:]],
            "count": len(values), "type": TYPES[values.shape[1]], **more,
        })  # fmt: skip
        return len(self.tree["accessors"]) - 1

    def mesh(self, *primitives: dict, nodes: list | None = None, **more) -> "Maker":
        self.tree |= {"meshes": [{"primitives": list(primitives)}], "nodes": nodes or [{"mesh": 0}], **more}
        return self

    def glb(self) -> bytes:
        self.tree["buffers"] = [{"byteLength": len(self.data)}]
        size = -(-len(self.data) // 4) * 4
        return head(self.tree, size) + self.data.ljust(size, b"\0")

    def gltf(self, uri: str) -> bytes:
        self.tree["buffers"] = [{"byteLength": len(self.data), "uri": uri}]
        return json.dumps(self.tree).encode()


def square(indices=(0, 1, 2, 0, 2, 3), kind="u1", **more) -> Maker:
    made = Maker()
    place = made.accessor(SQUARE)
    return made.mesh({"attributes": {"POSITION": place}, "indices": made.accessor(np.array(indices, kind)), **more})


def read_bytes(folder, data, name="a.glb"):
    (folder / name).write_bytes(data)
    return pl.read(folder / name)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_random_scenes_of_trimesh(seed, suffix, tmp_path):
    """Nested, scaled, mirrored and repeated nodes: every triangle where trimesh puts it, turned the same way."""
    rng = np.random.default_rng(seed)
    scene, nodes = trimesh.Scene(), ["world"]
    for k in range(int(rng.integers(2, 6))):
        shape = trimesh.creation.icosphere(1, rng.uniform(0.2, 1)) if k % 2 else trimesh.creation.box(rng.uniform(0.1, 1, 3))
        turn = trimesh.transformations.random_rotation_matrix(rng.random(3))
        turn[:3, :3] = turn[:3, :3] @ np.diag(rng.uniform(0.5, 2, 3) * rng.choice([-1, 1], 3))
        turn[:3, 3] = rng.normal(size=3)
        parent = nodes[rng.integers(len(nodes))]
        name = scene.add_geometry(shape, transform=turn, node_name=f"n{k}", geom_name=f"g{k % 3}", parent_node_name=parent)
        nodes.append(name)
    if suffix == "glb":
        (tmp_path / "a.glb").write_bytes(trimesh.exchange.gltf.export_glb(scene))
    else:
        for name, data in trimesh.exchange.gltf.export_gltf(scene).items():
            (tmp_path / name.replace("model", "a")).write_bytes(data)
    ours = pl.read(tmp_path / f"a.{suffix}")
    theirs = trimesh.load_scene(tmp_path / f"a.{suffix}", process=False).to_mesh()
    turned = theirs.copy()
    turned.vertices = z_up(theirs.vertices)
    np.testing.assert_allclose(corners(ours), corners(turned), atol=3e-5)
    assert pl.inspect(ours).watertight and ours.volume == pytest.approx(theirs.volume, rel=1e-5)


def test_what_we_write_is_read_by_trimesh_and_comes_back_exactly(tmp_path):
    ball = pl.meshes.sphere(0.1, 2).translated((0.3, 0.2, 0.1))
    pl.write(ball, tmp_path / "a.glb")
    theirs = trimesh.load_scene(tmp_path / "a.glb", process=False).to_mesh()
    np.testing.assert_array_equal(z_up(theirs.vertices), ball.vertices.astype(np.float32))
    np.testing.assert_array_equal(theirs.faces, ball.triangles)
    again = pl.read(tmp_path / "a.glb")
    np.testing.assert_array_equal(again.vertices, ball.vertices.astype(np.float32))
    np.testing.assert_array_equal(again.triangles, ball.triangles)
    with pytest.raises(InputError, match="beyond the 32-bit floats"):
        pl.write(pl.TriMesh(np.eye(3) * 1e90, [[0, 1, 2]]), tmp_path / "huge.glb")
    with pytest.raises(InputError, match=r"gltf is read but not written; use .*glb"):
        pl.write(ball, tmp_path / "a.gltf")


def test_a_buffer_that_a_packer_took_away(tmp_path):
    """Optional meshopt packing leaves a fallback buffer without data."""
    made = square()
    whole = made.glb()
    with pytest.raises(InputError, match="buffer 0 has no data; files packed by Draco or meshopt"):
        read_bytes(tmp_path, json.dumps(made.tree).encode(), "a.gltf")
    assert len(read_bytes(tmp_path, whole).triangles) == 2


def test_buffers_inside_and_beside(tmp_path):
    made = square()
    want = read_bytes(tmp_path, made.glb())
    inside = made.gltf("data:application/octet-stream;base64," + base64.b64encode(made.data).decode())
    np.testing.assert_array_equal(read_bytes(tmp_path, inside, "b.gltf").vertices, want.vertices)
    (tmp_path / "my data.bin").write_bytes(made.data)
    np.testing.assert_array_equal(read_bytes(tmp_path, made.gltf("my%20data.bin"), "c.gltf").triangles, want.triangles)
    for uri, says in [
        ("../a.bin", "expected one in the same folder"), ("none.bin", "there is no file"), ("data:;base64,@@@@", "not base64"),
        ("data:text/plain,abc", "not base64"), (7, "expected text"), ("data:;base64,AAAA", "has 3 bytes; the file says"),
        ("https://a.b/c.bin", "there is no file"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=says):
            read_bytes(tmp_path, made.gltf(uri), "d.gltf")


@pytest.mark.parametrize("kind", ["u1", "u2", "u4"])
@pytest.mark.parametrize(
    ("mode", "indices", "want"),
    [
        (4, (0, 1, 2, 0, 2, 3), [[0, 1, 2], [0, 2, 3]]),
        (5, (0, 1, 3, 2), [[0, 1, 3], [1, 2, 3]]),
        (5, (0, 1, 2, 2, 0, 0, 0, 2, 3), [[0, 1, 2], [0, 2, 3]]),  # two strips sewn together by flat triangles
        (6, (0, 1, 2, 3), [[1, 2, 0], [2, 3, 0]]),
    ],
)
def test_modes_and_types_of_indices(kind, mode, indices, want, tmp_path):
    mesh = read_bytes(tmp_path, square(indices, kind, mode=mode).glb())
    np.testing.assert_array_equal(mesh.vertices, z_up(SQUARE))
    flat = SQUARE[want]
    np.testing.assert_array_equal(lined_up(mesh.vertices[mesh.triangles]), lined_up(z_up(flat)))
    assert (mesh.area_vectors[:, 1] < 0).all()  # +z of the file, towards the eye, is −y here


def test_without_indices_and_with_seams(tmp_path):
    made = Maker()
    made.mesh({"attributes": {"POSITION": made.accessor(SQUARE[[0, 1, 2, 0, 2, 3]])}})
    mesh = read_bytes(tmp_path, made.glb())
    assert len(mesh.vertices) == 4 and mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_interleaved_normalised_and_quantised(tmp_path):
    made, packed = Maker(), np.zeros(4, [("x", "<f4", 3), ("uv", "<f4", 2)])
    packed["x"], packed["uv"] = SQUARE, 7.0
    made.tree["accessors"].append({
        "bufferView": made.view(packed.tobytes(), byteStride=20), "componentType": 5126, "count": 4, "type": "VEC3",
    })  # fmt: skip
    row = made.accessor(np.array([0, 1, 2, 0, 2, 3], "u1"))
    made.mesh({"attributes": {"POSITION": 0}, "indices": row})
    np.testing.assert_array_equal(read_bytes(tmp_path, made.glb()).vertices, z_up(SQUARE))
    for kind, one in (("i1", 127), ("u1", 255), ("<i2", 32767), ("<u2", 65535)):
        for normalised in (True, False):
            made = Maker()
            whole = np.zeros((4, 4), kind)  # rows of four, as the standard aligns them
            whole[:, :3] = SQUARE * one
            view = made.view(whole.tobytes(), byteStride=4 * whole.itemsize)
            made.tree["accessors"].append({
                "bufferView": view, "componentType": CODES[np.dtype(kind).str[1:]], "count": 4, "type": "VEC3",
                "normalized": normalised,
            })  # fmt: skip
            made.mesh({"attributes": {"POSITION": 0}, "mode": 6}, extensionsRequired=["KHR_mesh_quantization"])
            want = z_up(SQUARE) * (1 if normalised else one)
            np.testing.assert_allclose(read_bytes(tmp_path, made.glb()).vertices, want)


@pytest.mark.parametrize("base", [True, False])
def test_sparse_accessors(base, tmp_path):
    made = Maker()
    made.accessor(SQUARE)
    rows, values = np.array([1, 3], "<u2"), np.array([[5, 6, 7], [8, 9, 10]], "<f4")
    made.tree["accessors"][0]["sparse"] = {
        "count": 2, "indices": {"bufferView": made.view(rows.tobytes()), "componentType": 5123},
        "values": {"bufferView": made.view(values.tobytes())},
    }  # fmt: skip
    if not base:
        del made.tree["accessors"][0]["bufferView"]
    want = SQUARE.copy() if base else np.zeros_like(SQUARE)
    want[rows] = values
    mesh = read_bytes(tmp_path, made.mesh({"attributes": {"POSITION": 0}, "mode": 6}).glb())
    np.testing.assert_array_equal(mesh.vertices[mesh.triangles].reshape(-1, 3), z_up(want[[1, 2, 0, 2, 3, 0]]))


def test_nodes_matrices_and_which_scene(tmp_path):
    made = square()
    turn = np.eye(4)
    turn[:3, 3] = 1, 2, 3
    made.tree["nodes"] = [
        {"mesh": 0}, {"children": [2], "matrix": turn.T.ravel().tolist()}, {"mesh": 0, "scale": [2, 2, -2]},
        {"mesh": 0, "rotation": [0, 0, 2**0.5, 2**0.5], "translation": [0, 0, 1]},
    ]  # fmt: skip
    made.tree |= {"scenes": [{"nodes": [0]}, {"nodes": [1, 3]}], "scene": 1}
    mesh = read_bytes(tmp_path, made.glb())
    quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    want = np.concatenate([SQUARE * [2, 2, -2] + [1, 2, 3], SQUARE @ quarter.T + [0, 0, 1]])
    np.testing.assert_allclose(mesh.vertices, z_up(want), atol=1e-12)
    assert mesh.triangles.tolist() == [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]  # the mirrored one turns over
    del made.tree["scene"]
    assert len(read_bytes(tmp_path, made.glb()).triangles) == 2
    del made.tree["scenes"]
    assert len(read_bytes(tmp_path, made.glb()).triangles) == 6


def test_morph_targets_and_skins_stand_as_a_viewer_shows_them(tmp_path):
    made = square(targets=[])
    moves = np.random.default_rng(0).normal(size=(2, 4, 3)).astype("<f4")
    made.tree["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": made.accessor(m)} for m in moves]
    made.tree["meshes"][0]["weights"] = [0.5, 0.0, 1.0]
    made.tree["accessors"].append({"componentType": 5126, "count": 4, "type": "VEC3"})  # zeros
    made.tree["meshes"][0]["primitives"][0]["targets"].append({"POSITION": len(made.tree["accessors"]) - 1})
    np.testing.assert_allclose(read_bytes(tmp_path, made.glb()).vertices, z_up(SQUARE + 0.5 * moves[0]), rtol=1e-6)
    made.tree["nodes"][0]["weights"] = [0, 2]
    np.testing.assert_allclose(read_bytes(tmp_path, made.glb()).vertices, z_up(SQUARE + 2 * moves[1]), rtol=1e-6)
    made = square()
    back = np.eye(4)
    back[:3, 3] = 0, -1, 0
    attributes = made.tree["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = made.accessor(np.array([[0, 1, 0, 0]] * 4, "u1"))
    shares = np.array([[255, 0, 0, 0]] * 2 + [[0, 255, 0, 0]] * 2, "u1")
    attributes["WEIGHTS_0"] = made.accessor(shares, normalized=True)
    made.tree["nodes"] = [
        {"mesh": 0, "skin": 0, "translation": [9, 9, 9]}, {"name": "hip"}, {"name": "knee", "translation": [0, 3, 0]},
    ]  # fmt: skip
    bind = np.stack([np.eye(4), back]).transpose(0, 2, 1).reshape(2, 16).astype("<f4")
    made.tree["skins"] = [{"joints": [1, 2], "inverseBindMatrices": made.accessor(bind)}]
    want = SQUARE + np.array([[0, 0, 0]] * 2 + [[0, 2, 0]] * 2)
    np.testing.assert_allclose(read_bytes(tmp_path, made.glb()).vertices, z_up(want), atol=1e-6)


def broken(change) -> bytes:
    made = square()
    change(made.tree)
    return made.glb()


def putting(path: str, value):
    """A change of a document: the value at a path such as ``accessors 0 count``."""
    *parents, last = [int(p) if p.isdigit() else p for p in path.split()]

    def change(tree):
        for part in parents:
            tree = tree[part]
        tree[last] = value

    return change


BROKEN = {
    "version": (putting("asset version", "1.0"), "glTF version '1.0'; expected 2.0"),
    "no asset": (lambda t: t.pop("asset"), "no 'asset'"),
    "draco": (putting("extensionsRequired", ["KHR_draco_mesh_compression"]), "is packed .*draco.*without compression"),
    "meshopt": (putting("extensionsRequired", ["EXT_meshopt_compression"]), "is packed .*meshopt"),
    "extension": (
        putting("extensionsRequired", ["EXT_mesh_gpu_instancing"]),
        "needs the extension 'EXT_mesh_gpu_instan",
    ),
    "lines": (putting("meshes 0 primitives 0 mode", 1), "no triangles in its scene"),
    "no nodes": (putting("nodes", []), "no triangles in its scene"),
    "scene": (lambda t: t.update(scenes=[{"nodes": [5]}]), r"names nodes\[5\]; it has 1"),
    "loop": (putting("nodes", [{"children": [1]}, {"mesh": 0, "children": [1]}]), "two parents or is its own"),
    "all in loops": (putting("nodes", [{"mesh": 0, "children": [0]}]), "no triangles"),
    "shared": (putting("nodes", [{"children": [2]}, {"children": [2]}, {"mesh": 0}]), "two parents"),
    "count": (putting("accessors 0 count", 10**6), "1000000 items, more than the 48 bytes"),
    "vast count": (putting("accessors 0 count", 10**12), "expected at most"),
    "part count": (putting("accessors 0 count", 1.5), "expected a whole number"),
    "true count": (putting("accessors 0 count", True), "expected a whole number"),
    "type": (putting("accessors 0 type", "VEC2"), "is 'VEC2' of component type 5126; expected VEC3"),
    "component": (putting("accessors 1 componentType", 5126), "expected SCALAR of component type 5121 or 5123 or 5125"),
    "offset": (putting("bufferViews 0 byteOffset", 40), "ends at byte 88 of a buffer of"),
    "below": (putting("bufferViews 0 byteOffset", -4), "expected a whole number, 0 or more"),
    "stride": (putting("bufferViews 0 byteStride", 4), "byteStride of 4; expected 12"),
    "view": (putting("accessors 0 bufferView", 9), r"names bufferViews\[9\]"),
    "buffer": (putting("bufferViews 0 buffer", 1), r"names buffers\[1\]; it has 1"),
    "range": (putting("accessors 0 count", 3), "indices of mesh 0 reach 3; expected less than 3"),
    "three": (putting("accessors 1 count", 5), "5 corners of triangles; expected a multiple of 3"),
    "no position": (putting("meshes 0 primitives 0 attributes", {}), "without POSITION"),
    "list": (putting("meshes 0 primitives", {}), "is no list"),
    "object": (putting("meshes 0 primitives", [3]), "is no object"),
    "rotation": (putting("nodes 0 rotation", [0, 0, 0, 0]), "has length 0; expected 1"),
    "matrix": (putting("nodes 0 matrix", [1, 2]), "expected 16 finite numbers"),
    "text": (putting("nodes 0 scale", ["a", 1, 1]), "expected 3 finite numbers"),
    "overflow": (putting("nodes 0 scale", [1e250, 1e299, 1]), "vertices are beyond"),
    "skin": (putting("nodes 0 skin", 0), r"names skins\[0\]"),
    "no data": (
        lambda t: t["accessors"][0].pop("bufferView"),
        r"POSITION of mesh 0 \(accessor 0\) has no data; files packed",
    ),
    "empty zeros": (lambda t: (t["accessors"][0].pop("bufferView"), t["accessors"][0].update(count=10**9)), "at most"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_documents_are_one_clear_sentence(name, tmp_path):
    change, says = BROKEN[name]
    if says is None:
        assert np.isfinite(read_bytes(tmp_path, broken(change)).vertices).all()
        return
    with pytest.raises(InputError, match=says) as caught:
        read_bytes(tmp_path, broken(change))
    assert "a.glb" in str(caught.value) and len(str(caught.value)) < 600


def test_broken_heads(tmp_path):
    whole = square().glb()
    for data, says in [
        (whole[:-4], "promises .* bytes, but the file has"), (b"glTF" + whole[4:10], "a glTF header needs 20"),
        (b"glTX" + whole[4:], "begins with 'glTX'; expected 'glTF'"), (whole[:4] + b"\1" + whole[5:], "version 1; expected 2"),
        (whole[:12] + b"\xff\xff\xff\x7f" + whole[16:], "promises a part of 2147483647 bytes"),
        (whole[:16] + b"BIN\0" + whole[20:], "expected JSON"), (whole.replace(b'{"asset"', b'["asset"'), "not whole JSON"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=says):
            read_bytes(tmp_path, data)
    deep = b"[" * 100_000
    with pytest.raises(InputError, match="not whole JSON"):
        read_bytes(tmp_path, deep, "deep.gltf")


def test_no_memory_on_a_files_word(tmp_path):
    """A small file whose nodes repeat one mesh thousands of times over is refused early; deep trees are no trouble."""
    made = Maker()
    made.mesh({"attributes": {"POSITION": made.accessor(np.ones((3000, 3), "<f4"))}, "mode": 6}, nodes=[{"mesh": 0}] * 1800)
    data = made.glb()
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(InputError, match="repeats its meshes to more than"):
        read_bytes(tmp_path, data)
    assert tracemalloc.get_traced_memory()[1] < 400e6 and time.process_time() - start < 10
    tracemalloc.stop()
    chain = [{"children": [i + 1]} for i in range(2000)] + [{"mesh": 0}]
    made = square()
    made.tree["nodes"] = chain
    assert len(read_bytes(tmp_path, made.glb()).triangles) == 2


def test_thousands_of_changed_values(tmp_path):
    """Any number or word of the JSON replaced by any other: a mesh or one sentence."""
    words = ["-1", "0", "1", "3", "5126", "5123", "1e308", "-1e308", "2147483648", "99999999999", "null", "true", '"x"']
    words += ["[]", "{}", "[0]", "1.5", "NaN", "Infinity", "[1,1,1]", '{"a":0}']
    made = square(targets=[])
    primitive = made.tree["meshes"][0]["primitives"][0]
    primitive["targets"] = [{"POSITION": made.accessor(SQUARE)}]
    attributes = primitive["attributes"]
    attributes["JOINTS_0"] = made.accessor(np.zeros((4, 4), "u1"))
    attributes["WEIGHTS_0"] = made.accessor(np.eye(4, dtype="<f4"))
    made.tree |= {"skins": [{"joints": [1], "inverseBindMatrices": made.accessor(np.eye(4, dtype="<f4").reshape(1, 16))}]}
    made.tree["meshes"][0]["weights"] = [0.25]
    made.tree["nodes"] = [
        {"mesh": 0, "skin": 0},
        {"scale": [1, 2, 3]},
        {"mesh": 0, "matrix": np.eye(4).ravel().tolist()},
    ]
    made.tree["accessors"][0]["sparse"] = {
        "count": 1, "indices": {"bufferView": made.view(b"\2\0"), "componentType": 5123}, "values": {"bufferView": 0},
    }  # fmt: skip
    made.tree |= {"scenes": [{"nodes": [0, 1, 2]}], "scene": 0}
    made.glb()
    text = made.gltf("a.bin").decode()
    (tmp_path / "a.bin").write_bytes(made.data)
    assert len(read_bytes(tmp_path, text.encode(), "a.gltf").triangles) == 4
    values = r'(?<=[ \[])-?\d[\d.e-]*|"[A-Za-z0-9_]+"(?!:)|\[[^\[\]]*\]|\{[^{}]*\}'
    spots = [m.span() for m in re.finditer(values, text) if m.end() - m.start() < 200]
    rng, fine, refused = np.random.default_rng(5), 0, 0
    for _ in range(3000):
        a, b = spots[rng.integers(len(spots))]
        data = (text[:a] + words[rng.integers(len(words))] + text[b:]).encode()
        try:
            mesh = gltf.read(Source(tmp_path / "a.gltf", data), lambda name: Source(tmp_path / name, made.data))
            fine += 1
            assert np.isfinite(mesh.vertices).all()
        except InputError as error:
            refused += 1
            assert str(error).isprintable() and len(str(error)) < 700
    assert fine > 100 and refused > 1500


def test_our_export_comes_back(tmp_path):
    """A run of one body as .glb reads as its first frame, z up."""
    body = pl.Body(pl.tet_grid(size=(0.2, 0.1, 0.1), cells=(2, 1, 1)), pl.StableNeoHookean(young=1e4))
    run = pl.Simulation(pl.Scene([body])).run(seconds=0.05)
    pl.export(run, tmp_path / "run.glb", frames=[2, 3])
    mesh = pl.read(tmp_path / "run.glb")
    np.testing.assert_allclose(mesh.vertices, run.skins[0].of(run.positions[2]), atol=1e-7)
    np.testing.assert_array_equal(mesh.triangles, run.skins[0].triangles)
    assert struct.unpack("<4sI", (tmp_path / "run.glb").read_bytes()[:8]) == (b"glTF", 2)
