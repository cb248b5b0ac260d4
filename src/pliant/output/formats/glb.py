"""glTF binary: every body at rest with a morph target for each frame, and obstacles that move as rigid nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import InputError
from ...geometry.files.glb import head
from ...geometry.mesh import TriMesh
from ...progress import track
from ...simulate.run import Run
from .. import colour as colours
from ..atomic import whole_file
from ..shapes import is_rod, vertices

LIMIT = 256 * 2**20  # [bytes] of morph targets; more than this few viewers open
_FLOAT, _UINT, _ARRAY, _INDEX = 5126, 5125, 34962, 34963


class _Buffer:
    """The binary chunk and the accessors into it."""

    def __init__(self):
        self.data, self.views, self.accessors = bytearray(), [], []

    def add(self, values: np.ndarray, kind: str, bounds: bool = False, target: int | None = None) -> int:
        values = np.ascontiguousarray(values, dtype="<u4" if values.dtype.kind in "iu" else "<f4")
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        self.views.append(view | ({"target": target} if target else {}))
        self.data += values.tobytes()
        accessor = {
            "bufferView": len(self.views) - 1, "componentType": _UINT if values.dtype.kind == "u" else _FLOAT,
            "count": values.size if kind == "SCALAR" else len(values), "type": kind,
        }  # fmt: skip
        if bounds:
            flat = values.reshape(len(values), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _normals(x: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    normals = TriMesh(x, triangles).vertex_normals
    return np.where(np.linalg.norm(normals, axis=1, keepdims=True) > 0.5, normals, [[0.0, 0.0, 1.0]])


def _body(run: Run, index: int, frames: np.ndarray, buffer: _Buffer) -> dict:
    skin = run.skins[index]
    rod = is_rod(skin)
    rest = run.rest[skin.start : skin.stop] if rod else skin.of(run.rest)
    cells = np.asarray(skin.edges if rod else skin.triangles)
    attributes = {"POSITION": buffer.add(rest, "VEC3", True, _ARRAY)}
    if not rod:
        base = _normals(rest, cells)
        attributes["NORMAL"] = buffer.add(base, "VEC3", False, _ARRAY)
    primitive = {
        "attributes": attributes, "indices": buffer.add(cells.ravel(), "SCALAR", False, _INDEX),
        "material": index, "mode": 1 if rod else 4, "targets": [],
    }  # fmt: skip
    for frame in track(frames, f"packing {skin.name}"):
        x = vertices(run, skin, int(frame))
        target = {"POSITION": buffer.add(x - rest, "VEC3", True, _ARRAY)}
        if not rod:
            target["NORMAL"] = buffer.add(_normals(x, cells) - base, "VEC3", False, _ARRAY)
        primitive["targets"].append(target)
    first = [1.0] + [0.0] * (len(frames) - 1)
    return {"name": skin.name, "primitives": [primitive], "weights": first}


def _material(name: str, text: str) -> dict:
    rgb = colours.linear(colours.parsed(text)).tolist()
    surface = {"baseColorFactor": [*rgb, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.55}
    return {"name": name, "pbrMetallicRoughness": surface, "doubleSided": True}


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write bodies with one morph target a frame (positions and normals), played in the run's own time.

    Every target holds all vertices, so a run of many frames grows large: over ``LIMIT`` bytes it is refused.
    """
    from scipy.spatial.transform import Rotation

    drawn = [i for i, s in enumerate(run.skins) if len(s.triangles) or is_rod(s)]
    if not drawn:
        raise InputError("no body of this run has a surface or edges; glTF has nothing to hold")
    sizes = [(s.stop - s.start) * 12 if is_rod(s) else len(s.parents) * 24 for s in run.skins]
    if sum(sizes) * len(frames) > LIMIT:
        most = max(LIMIT // sum(sizes), 1)
        raise InputError(
            f"{len(frames)} frames need {sum(sizes) * len(frames) / 2**20:.0f} MiB of morph targets, more than "
            f"{LIMIT / 2**20:.0f} MiB; choose at most {most} frames (frames=…), or write .usd or .pc2"
        )
    buffer = _Buffer()
    order = np.argsort(run.times[frames], kind="stable")
    frames = frames[order]
    moving = len(frames) > 1
    times = buffer.add(run.times[frames] - run.times[frames[0]], "SCALAR", True) if moving else None
    ones = buffer.add(np.eye(len(frames)), "SCALAR") if moving else None
    nodes: list[dict] = [{"name": "z up", "rotation": [-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)], "children": []}]
    meshes, samplers, channels = [], [{"input": times, "output": ones, "interpolation": "LINEAR"}], []
    materials = [_material(s.name, s.colour or colours.body_colour(i)) for i, s in enumerate(run.skins)]
    for index in drawn:
        meshes.append(_body(run, index, frames, buffer))
        nodes.append({"name": run.skins[index].name, "mesh": len(meshes) - 1})
        channels.append({"sampler": 0, "target": {"node": len(nodes) - 1, "path": "weights"}})
    if run.props:
        materials.append(_material("obstacle", colours.OBSTACLE))
    for prop in run.props:
        mesh, poses = prop.mesh, prop.poses[frames]
        attributes = {
            "POSITION": buffer.add(mesh.vertices, "VEC3", True, _ARRAY),
            "NORMAL": buffer.add(_normals(mesh.vertices, mesh.triangles), "VEC3", False, _ARRAY),
        }
        indices = buffer.add(mesh.triangles.ravel(), "SCALAR", False, _INDEX)
        primitive = {"attributes": attributes, "indices": indices, "material": len(materials) - 1, "mode": 4}
        meshes.append({"name": prop.name, "primitives": [primitive]})
        turns = Rotation.from_matrix(poses[:, :3, :3]).as_quat()
        flips = np.cumprod(np.r_[1.0, np.where((turns[1:] * turns[:-1]).sum(axis=1) < 0, -1.0, 1.0)])
        turns = turns * flips[:, None]
        start = {"translation": poses[0, :3, 3].tolist(), "rotation": turns[0].tolist()}
        nodes.append({"name": prop.name, "mesh": len(meshes) - 1, **start})
        if moving and not np.allclose(poses, poses[0]):
            for name, values, kind in (("translation", poses[:, :3, 3], "VEC3"), ("rotation", turns, "VEC4")):
                samplers.append({"input": times, "output": buffer.add(values, kind), "interpolation": "LINEAR"})
                channels.append({"sampler": len(samplers) - 1, "target": {"node": len(nodes) - 1, "path": name}})
    nodes[0]["children"] = list(range(1, len(nodes)))
    document = {
        "asset": {"version": "2.0", "generator": "pliant"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": nodes, "meshes": meshes, "materials": materials, "bufferViews": buffer.views,
        "accessors": buffer.accessors, "buffers": [{"byteLength": len(buffer.data)}],
    }  # fmt: skip
    if moving:
        document["animations"] = [{"name": "run", "samplers": samplers, "channels": channels}]
    buffer.data += b"\0" * (-len(buffer.data) % 4)
    with whole_file(path) as temporary, open(temporary, "wb") as file:
        file.write(head(document, len(buffer.data)))
        file.write(buffer.data)
