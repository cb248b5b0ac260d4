"""A run as a skinned GLB: evaluated by the rules of glTF 2.0, the skin gives the very surfaces of the run."""

import json
import struct

import numpy as np
import pytest

import pliant as pl
from pliant.output.formats.glb_skin import BONES, rig_of
from pliant.simulate.record.run import Chapter, Run, Skin

KINDS = {5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDE = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    """A .glb file, read with nothing but the specification."""

    def __init__(self, path):
        data = path.read_bytes()
        assert struct.unpack("<4sII", data[:12]) == (b"glTF", 2, len(data))
        size = struct.unpack("<I", data[12:16])[0]
        self.json, self.data = json.loads(data[20 : 20 + size]), data[28 + size :]

    def array(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind = np.dtype(KINDS[accessor["componentType"]])
        wide = WIDE[accessor["type"]]
        assert view["byteOffset"] % kind.itemsize == 0 and view["byteLength"] == accessor["count"] * wide * kind.itemsize
        values = np.frombuffer(self.data, kind, accessor["count"] * wide, view["byteOffset"])
        return values.reshape(-1, wide) if wide > 1 else values

    def matrices(self, frame):
        """(n, 4, 4) global matrices of all nodes in a frame, parents before children."""
        nodes = [dict(node) for node in self.json["nodes"]]
        for channel in self.json["animations"][0]["channels"]:
            sampler = self.json["animations"][0]["samplers"][channel["sampler"]]
            if channel["target"]["path"] != "weights":
                nodes[channel["target"]["node"]][channel["target"]["path"]] = self.array(sampler["output"])[frame]
        out = np.tile(np.eye(4), (len(nodes), 1, 1))
        todo = [(i, np.eye(4)) for i in self.json["scenes"][0]["nodes"]]
        while todo:
            i, above = todo.pop()
            x, y, z, w = nodes[i].get("rotation", (0, 0, 0, 1))
            local = np.eye(4)
            local[:3, :3] = [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
            local[:3, :3] *= nodes[i].get("scale", (1, 1, 1))
            local[:3, 3] = nodes[i].get("translation", (0, 0, 0))
            out[i] = above @ local
            todo += [(child, out[i]) for child in nodes[i].get("children", ())]
        return out

    def skinned(self, frame):
        """Name → (s, 3) vertices and normals of each skinned mesh in a frame, z up again."""
        globals_, found = self.matrices(frame), {}
        for node in self.json["nodes"]:
            if "skin" not in node:
                continue
            skin = self.json["skins"][node["skin"]]
            inverse = self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            bones = globals_[skin["joints"]] @ inverse
            attributes = self.json["meshes"][node["mesh"]]["primitives"][0]["attributes"]
            joints, weights = self.array(attributes["JOINTS_0"]), self.array(attributes["WEIGHTS_0"])
            assert weights.min() >= 0 and np.abs(weights.sum(axis=1) - 1).max() < 1e-6
            assert np.all(joints[weights == 0] == 0)
            blend = np.einsum("sk,skij->sij", weights.astype(float), bones[joints])
            p = np.column_stack([self.array(attributes["POSITION"]), np.ones(len(joints))])
            moved = np.einsum("sij,sj->si", blend, p)[:, :3]
            normal = np.einsum("sij,sj->si", blend[:, :3, :3], self.array(attributes["NORMAL"]))
            found[node["name"]] = [a[:, [0, 2, 1]] * [1, -1, 1] for a in (moved, normal)]
        return found


@pytest.fixture(scope="module")
def run():
    material = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    ring = pl.Body(
        pl.meshes.bounding_tets(pl.meshes.torus(0.1, 0.04, 48, 24).rotated((1, 1, 0), 30).translated((0, 0, 0.15)), 4, fit=0),
        material,
        name="ring",
        spin=(9, 4, 0),
    )
    block = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)).translated((0.5, 0, 0.01)), material, name="block")
    scene = pl.Scene([ring, block], obstacles=[pl.plane(z=0.0)])
    return pl.Simulation(scene, pl.ImplicitEuler(dt=0.01)).run(0.3)


def test_the_skin_is_the_surface_of_the_run(run, tmp_path):
    file = Gltf(pl.export(run, tmp_path / "a.glb", skin=True))
    for frame in (0, 7, len(run) - 1):
        found = file.skinned(frame)
        assert list(found) == ["ring", "block"]
        for skin in run.skins:
            x = skin.of(run.positions[frame].astype(float))
            assert np.abs(found[skin.name][0] - x).max() < 1e-6  # of a metre: 32-bit floats
    turned = file.skinned(len(run) - 1)["ring"][1]
    real = pl.TriMesh(skin_of(run, "ring").of(run.positions[-1]), skin_of(run, "ring").triangles).vertex_normals
    still = file.array(file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"])
    assert np.mean(turned * real) * 3 > 0.97 > np.mean(still * real) * 3  # normals turn with the body as a whole


def skin_of(run, name):
    return next(skin for skin in run.skins if skin.name == name)


def test_it_is_smaller_than_targets(run, tmp_path):
    skinned, plain = (pl.export(run, tmp_path / f"{skin}.glb", skin=skin).stat().st_size for skin in (True, False))
    assert skinned < plain / 5
    alone = Gltf(pl.export(run, tmp_path / "one.glb", frames=3, skin=True))  # nothing moves: places without an animation
    assert "animations" not in alone.json and len(alone.json["skins"]) == 2


def test_what_has_no_skin_says_so(run, tmp_path):
    with pytest.raises(pl.errors.InputError, match=r"'a\.usd' holds no skins"):
        pl.export(run, tmp_path / "a.usd", skin=True)
    with pytest.raises(pl.errors.InputError, match=r"skin=…\) is 'yes'; expected True or False"):
        pl.export(run, tmp_path / "a.glb", skin="yes")
    wide = Skin("lattice", 0, 8, np.array([[0, 1, 2]]), np.tile(np.arange(8), (3, 1)), np.full((3, 8), 1 / 8))
    with pytest.raises(pl.errors.InputError, match="8 nodes each, and a skin has four bones"):
        rig_of(wide)
    out = Skin("body", 0, 4, np.array([[0, 1, 2]]), np.tile(np.arange(4), (3, 1)), np.array([[1.5, -0.5, 0, 0]] * 3))
    with pytest.raises(pl.errors.InputError, match="3 of 3 vertices of 'body' lie outside"):
        rig_of(out)
    many = np.arange(BONES + 1)
    with pytest.raises(pl.errors.InputError, match="65536 nodes, and a skin at most 65535 bones"):
        rig_of(Skin("big", 0, len(many), np.array([[0, 1, 2]]), many[:, None], np.ones((len(many), 1))))


def test_chapters_are_hidden_by_their_bones(run, tmp_path):
    """Of a run whose bodies change, each chapter is seen in its time."""
    first = run.chapters[0]
    parts = [Chapter(first.positions[a:b], first.velocities[a:b], first.rest, first.skins) for a, b in ((0, 2), (2, 4))]
    cut = Run(times=run.times[:4], chapters=tuple(parts))
    file = Gltf(pl.export(cut, tmp_path / "a.glb", skin=True))
    bones = [node for node in file.json["nodes"] if node.get("name") == "ring bones"]
    assert [node.get("scale") for node in bones] == [None, [0, 0, 0]]
    scaled = [c["target"]["node"] for c in file.json["animations"][0]["channels"] if c["target"]["path"] == "scale"]
    assert all(file.json["nodes"][i]["name"].endswith(" bones") for i in scaled) and len(scaled) == 4
