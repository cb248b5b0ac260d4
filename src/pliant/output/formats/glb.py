"""glTF export: morph targets, skins and moving obstacles."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments.atomic_files import whole_file
from ...arguments.progress import track
from ...errors import InputError
from ...geometry.files.surfaces.glb import head
from ...geometry.mesh.mesh_looks import NONE, Finish
from ...simulate.record.run import Prop, Run, Skin
from ..colours import colour as colours
from ..raster.frame_shapes import is_rod, vertex_count, vertices
from .drawn_objects import Seams, normals, pieces
from .glb_skin import binds, local, rig_of, turns

LIMIT = 256 * 2**20  # [bytes] of morph targets; more than this few viewers open
_ARRAY, _INDEX = 34962, 34963
_KINDS = {"<u2": 5123, "<u4": 5125, "<f4": 5126}


class _Buffer:
    """The binary chunk and the accessors into it."""

    def __init__(self):
        self.data, self.views, self.accessors = bytearray(), [], []

    def add(self, values: np.ndarray, kind: str, bounds: bool = False, target: int | None = None) -> int:
        stored = ("<u2" if values.dtype == np.uint16 else "<u4") if values.dtype.kind in "iu" else "<f4"
        values = np.ascontiguousarray(values, dtype=stored)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        self.views.append(view | ({"target": target} if target else {}))
        self.data += values.tobytes()
        accessor = {
            "bufferView": len(self.views) - 1, "componentType": _KINDS[stored],
            "count": values.size if kind == "SCALAR" else len(values), "type": kind,
        }  # fmt: skip
        if bounds:
            flat = values.reshape(len(values), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def picture(self, data: np.ndarray) -> int:
        """The view of the bytes of an image."""
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data.tobytes() + b"\0" * (-len(data) % 4)  # numbers begin at multiples of four
        return len(self.views) - 1


def _still(seams: Seams, rest: np.ndarray, materials: dict[int, int], buffer: _Buffer) -> tuple[list[dict], np.ndarray]:
    """The primitives of an object at rest, (n, 3) [m] all vertices of its body, and its normals."""
    base = seams.normals(rest)
    attributes = {
        "POSITION": buffer.add(rest[seams.pick], "VEC3", True, _ARRAY),
        "NORMAL": buffer.add(base, "VEC3", False, _ARRAY),
    }
    if seams.uv is not None:  # the origin of a picture is at its upper left here
        attributes["TEXCOORD_0"] = buffer.add(seams.uv * [1.0, -1.0] + [0.0, 1.0], "VEC2", False, _ARRAY)
    if seams.colours is not None:
        attributes["COLOR_0"] = buffer.add(seams.colours, "VEC4", False, _ARRAY)
    primitives = []
    for finish, triangles in seams.split():
        indices = buffer.add(triangles.ravel(), "SCALAR", False, _INDEX)
        primitives.append({"attributes": attributes, "indices": indices, "material": materials[finish], "mode": 4})
    return primitives, base


def _rod(skin: Skin, places: list[np.ndarray], material: int, buffer: _Buffer) -> list[dict]:
    """The primitive of a rod at rest, (n, 3) [m], with a target for each of the other places."""
    rest = places[0]
    primitive = {
        "attributes": {"POSITION": buffer.add(rest, "VEC3", True, _ARRAY)},
        "indices": buffer.add(np.asarray(skin.edges).ravel(), "SCALAR", False, _INDEX),
        "material": material, "mode": 1,
    }  # fmt: skip
    targets = [{"POSITION": buffer.add(x - rest, "VEC3", True, _ARRAY)} for x in places[1:]]
    return [primitive | ({"targets": targets} if targets else {})]


def _material(name: str, text: str) -> dict:
    rgb = colours.linear(colours.parsed(text)).tolist()
    surface = {"baseColorFactor": [*rgb, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.55}
    return {"name": name, "pbrMetallicRoughness": surface, "doubleSided": True}


def _objects(skin: Skin) -> list[tuple[str, Seams]]:
    """The objects that draw a body, by their names, "" where it is one without."""
    return [(piece.name, Seams(piece)) for piece in pieces(skin)]


def _weight(skin: Skin) -> int:
    """Bytes of a morph target of a body."""
    return 12 * vertex_count(skin) if is_rod(skin) else 24 * sum(len(seams.pick) for _, seams in _objects(skin))


class _Document:
    """The parts of a glTF file while they are gathered."""

    def __init__(self, run: Run, frames: np.ndarray):
        self.run, self.frames, self.buffer = run, frames, _Buffer()
        self.seconds = run.times[frames] - run.times[frames[0]]
        self.moving = len(frames) > 1
        turned = [-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
        self.nodes: list[dict] = [{"name": "z up", "rotation": turned, "children": []}]
        self.meshes: list[dict] = []
        self.skins: list[dict] = []
        self.materials: list[dict] = []
        self.images: list[dict] = []
        self.samplers: list[dict] = []
        self.channels: list[dict] = []

    @cached_property
    def times(self) -> int:
        return self.buffer.add(self.seconds, "SCALAR", True)

    def node(self, name: str, mesh: dict, **more: Any) -> int:
        self.meshes.append(mesh)
        self.nodes.append({"name": name, "mesh": len(self.meshes) - 1, **more})
        return len(self.nodes) - 1

    def finish(self, finish: Finish) -> int:
        """The number of a material of the artist's."""
        surface: dict[str, Any] = {
            "baseColorFactor": list(finish.colour), "metallicFactor": finish.metallic, "roughnessFactor": finish.roughness,
        }  # fmt: skip
        if finish.kind is not None:
            image = {"name": Path(finish.texture).stem, "mimeType": finish.kind}
            self.images.append(image | {"bufferView": self.buffer.picture(finish.image)})
            surface["baseColorTexture"] = {"index": len(self.images) - 1}
        clear = {"alphaMode": "BLEND"} if finish.colour[3] < 1 else {}
        self.materials.append({"name": finish.name, "pbrMetallicRoughness": surface, "doubleSided": True} | clear)
        return len(self.materials) - 1

    def painted(self, skin: Skin, index: int) -> dict[int, int]:
        """Number of a finish of a body → that of its material; −1 is the body's own hue, white under colours of vertices."""
        looks = skin.looks
        used = {NONE} if looks is None or looks.finish is None else set(looks.finish.tolist())
        made = {}
        for number in sorted(used):
            if number != NONE:
                made[number] = self.finish(looks.finishes[number])
                continue
            hue = "#ffffff" if looks is not None and looks.colours is not None else colours.body_colour(index)
            self.materials.append(_material(skin.name, skin.colour or hue))
            made[NONE] = len(self.materials) - 1
        return made

    def sampler(self, times: int, values: int, interpolation: str = "LINEAR") -> int:
        self.samplers.append({"input": times, "output": values, "interpolation": interpolation})
        return len(self.samplers) - 1

    def channel(self, sampler: int, node: int, path: str) -> None:
        self.channels.append({"sampler": sampler, "target": {"node": node, "path": path}})

    def add_chapter(self, chapter: int, several: bool, skin_bodies: bool = False) -> None:
        """The bodies of a chapter, the weights of their targets or the places of their bones animated through its frames.

        Of several chapters, each is seen in its time.
        """
        run, buffer = self.run, self.buffer
        own = np.array([run.chapter_of(int(frame)) == chapter for frame in self.frames])
        frames = self.frames[own]
        times = -1
        if self.moving:
            times = buffer.add(self.seconds[own], "SCALAR", True) if several else self.times
        if self.moving and not skin_bodies:
            weights = self.sampler(times, buffer.add(np.eye(len(frames)), "SCALAR"))
        if several:  # a size of nothing hides; steps, as a body is there or not
            shown = np.repeat(own[:, None], 3, axis=1).astype(float)
            seen = self.sampler(self.times, buffer.add(shown, "VEC3"), "STEP")
        for index, skin in enumerate(run.chapters[chapter].skins):
            if not (len(skin.triangles) or is_rod(skin)):
                continue
            hidden = {} if own[0] else {"scale": [0.0, 0.0, 0.0]}
            materials = self.painted(skin, index)
            if skin_bodies:
                node = self._skinned(skin, materials, run.chapters[chapter].rest, frames, times, hidden)
            else:
                node, drawn = self._morphed(skin, materials, run.chapters[chapter].rest, frames, hidden)
            if self.moving and not skin_bodies:
                for target in drawn:
                    self.channel(weights, target, "weights")
            if several:
                self.channel(seen, node, "scale")

    def _morphed(
        self, skin: Skin, materials: dict[int, int], rest: np.ndarray, frames: np.ndarray, hidden: dict
    ) -> tuple[int, list[int]]:
        """A body with a target for each frame: the node that hides it, and those of its meshes."""
        rest, buffer = vertices(skin, rest), self.buffer
        places = [vertices(skin, self.run.moment(int(f)).x) for f in track(frames, f"packing {skin.name}")]
        first = [1.0] + [0.0] * (len(frames) - 1)
        if is_rod(skin):
            mesh = {"name": skin.name, "weights": first}
            mesh["primitives"] = _rod(skin, [rest, *places], materials[NONE], buffer)
            node = self.node(skin.name, mesh, **hidden)
            return node, [node]
        meshes = []
        for name, seams in _objects(skin):
            primitives, base = _still(seams, rest, materials, buffer)
            targets = [
                {"POSITION": buffer.add((x - rest)[seams.pick], "VEC3", True, _ARRAY),
                 "NORMAL": buffer.add(seams.normals(x) - base, "VEC3", False, _ARRAY)}
                for x in places
            ]  # fmt: skip
            parts = [primitive | {"targets": targets} for primitive in primitives]
            meshes.append((name, {"name": name or skin.name, "primitives": parts, "weights": first}))
        if len(meshes) == 1 and not meshes[0][0]:
            node = self.node(skin.name, meshes[0][1], **hidden)
            return node, [node]
        drawn = [self.node(name or skin.name, mesh) for name, mesh in meshes]
        self.nodes.append({"name": skin.name, "children": drawn, **hidden})
        return len(self.nodes) - 1, drawn

    def _skinned(
        self, skin: Skin, materials: dict[int, int], nodes: np.ndarray, frames: np.ndarray, times: int, hidden: dict
    ) -> int:
        """A body on bones under a node that moves as the body does as a whole; returns that node, which hides it."""
        rig, buffer, still = rig_of(skin), self.buffer, vertices(skin, nodes)
        meshes, rod = [], is_rod(skin)
        for name, seams in [("", None)] if rod else _objects(skin):
            pick = slice(None) if rod else seams.pick
            primitives = _rod(skin, [still], materials[NONE], buffer) if rod else _still(seams, still, materials, buffer)[0]
            bound = {
                "JOINTS_0": buffer.add(rig.joints[pick], "VEC4", False, _ARRAY),
                "WEIGHTS_0": buffer.add(rig.weights[pick], "VEC4", False, _ARRAY),
            }
            for primitive in primitives:
                primitive["attributes"] = primitive["attributes"] | bound
            meshes.append({"name": name or skin.name, "primitives": primitives})
        rest = nodes[rig.bones]
        x = np.stack([self.run.moment(int(frame)).x[rig.bones] for frame in track(frames, f"packing {skin.name}")])
        rotations, centres = turns(rest, x)
        places = local(x, rotations, centres)
        first = len(self.nodes) + 1
        start = {"rotation": rotations[0].tolist(), "translation": centres[0].tolist()} | hidden
        self.nodes.append({"name": f"{skin.name} bones", "children": list(range(first, first + len(rest))), **start})
        self.nodes += [{"translation": place.tolist()} for place in places[0]]
        bones = {"joints": list(range(first, first + len(rest))), "skeleton": first - 1}
        self.skins.append(bones | {"inverseBindMatrices": buffer.add(binds(rest), "MAT4")})
        for mesh in meshes:
            self.node(mesh["name"], mesh, skin=len(self.skins) - 1)
        if self.moving:
            self.channel(self.sampler(times, buffer.add(rotations, "VEC4")), first - 1, "rotation")
            self.channel(self.sampler(times, buffer.add(centres, "VEC3")), first - 1, "translation")
            for bone in range(len(rest)):
                self.channel(self.sampler(times, buffer.add(places[:, bone], "VEC3")), first + bone, "translation")
        return first - 1

    def add_obstacle(self, prop: Prop) -> None:
        from scipy.spatial.transform import Rotation

        mesh, poses, buffer = prop.mesh, prop.poses[self.frames], self.buffer
        attributes = {
            "POSITION": buffer.add(mesh.vertices, "VEC3", True, _ARRAY),
            "NORMAL": buffer.add(normals(mesh.vertices, mesh.triangles), "VEC3", False, _ARRAY),
        }
        indices = buffer.add(mesh.triangles.ravel(), "SCALAR", False, _INDEX)
        primitive = {"attributes": attributes, "indices": indices, "material": len(self.materials) - 1, "mode": 4}
        turns = Rotation.from_matrix(poses[:, :3, :3]).as_quat()
        flips = np.cumprod(np.r_[1.0, np.where((turns[1:] * turns[:-1]).sum(axis=1) < 0, -1.0, 1.0)])
        turns = turns * flips[:, None]
        start = {"translation": poses[0, :3, 3].tolist(), "rotation": turns[0].tolist()}
        node = self.node(prop.name, {"name": prop.name, "primitives": [primitive]}, **start)
        if self.moving and not np.allclose(poses, poses[0]):
            for name, values, kind in (("translation", poses[:, :3, 3], "VEC3"), ("rotation", turns, "VEC4")):
                self.channel(self.sampler(self.times, buffer.add(values, kind)), node, name)

    def bytes(self) -> tuple[bytes, bytearray]:
        """Head and binary part."""
        buffer = self.buffer
        below = {child for node in self.nodes[1:] for child in node.get("children", ())}
        self.nodes[0]["children"] = [i for i in range(1, len(self.nodes)) if i not in below]
        document = {
            "asset": {"version": "2.0", "generator": "pliant"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": self.nodes, "meshes": self.meshes, "materials": self.materials, "bufferViews": buffer.views,
            "accessors": buffer.accessors, "buffers": [{"byteLength": len(buffer.data)}],
        }  # fmt: skip
        if self.images:
            document["images"] = self.images
            document["textures"] = [{"source": i} for i in range(len(self.images))]
        if self.skins:
            document["skins"] = self.skins
        if self.moving:
            document["animations"] = [{"name": "run", "samplers": self.samplers, "channels": self.channels}]
        buffer.data += b"\0" * (-len(buffer.data) % 4)
        return head(document, len(buffer.data)), buffer.data


def write(run: Run, frames: np.ndarray, path: Path, skin: bool = False) -> None:
    """Write bodies with one morph target a frame (positions and normals), played in the run's own time.

    Every target holds all vertices, so a run of many frames grows large: over ``LIMIT`` bytes it is refused. With ``skin``
    the vertices are there once, and the nodes that carry them are bones that move. Each
    chapter has nodes of its own, which are scaled to nothing outside it.
    """
    frames = frames[np.argsort(run.times[frames], kind="stable")]
    numbers = [run.chapter_of(int(frame)) for frame in frames]
    chapters = sorted(set(numbers))
    skins = [skin for k in chapters for skin in run.chapters[k].skins]
    if not any(len(skin.triangles) or is_rod(skin) for skin in skins):
        raise InputError("no body of this run has a surface or edges; glTF has nothing to hold")
    weights = {k: sum(map(_weight, run.chapters[k].skins)) for k in chapters}
    sizes = [weights[k] for k in numbers]
    if not skin and sum(sizes) > LIMIT:
        most = max(LIMIT // max(sizes), 1)
        raise InputError(
            f"{len(frames)} frames need {sum(sizes) / 2**20:.0f} MiB of morph targets, more than "
            f"{LIMIT / 2**20:.0f} MiB; choose at most {most} frames (frames=…), or write .usd or .pc2"
        )
    document = _Document(run, frames)
    for k in chapters:
        document.add_chapter(k, len(chapters) > 1, skin)
    if run.props:
        document.materials.append(_material("obstacle", colours.OBSTACLE))
    for prop in run.props:
        document.add_obstacle(prop)
    start, data = document.bytes()
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        file.write(start)
        file.write(data)
