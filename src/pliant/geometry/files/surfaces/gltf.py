"""glTF 2.0 (.gltf, .glb): the triangles of a scene. Read only."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator

import numpy as np

from ...mesh.mesh import TriMesh
from ...mesh.mesh_looks import Looks
from ..source import Source, join_equal, show
from .gltf_arrays import Document
from .gltf_looks import Drawn, Piece

HOLDS = ()
MAGIC = b"glTF"
_FLOAT, _WEIGHTS, _JOINTS, _INDICES = (5126,), (5126, 5121, 5123), (5121, 5123), (5121, 5123, 5125)
_PLACES = (5126, 5120, 5121, 5122, 5123)  # whole numbers by KHR_mesh_quantization
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
# Extensions that a file may need and that leave its triangles as they are; others are refused.
_HARMLESS = ("KHR_materials", "KHR_texture", "KHR_lights", "KHR_mesh_quantization", "EXT_texture", "KHR_animation")
_LEAST, _SHARE = 1 << 22, 8  # vertices and triangles that any file may have, and that each byte of it may add


def read(source: Source, beside: Callable[[str], Source]) -> TriMesh:
    """All triangles of the default scene, every mesh where its nodes put it, turned from y up to z up.

    Vertices of one mesh are joined where bit-identical, since the format must repeat them along seams of normals and
    textures. Morph targets act with their default weights, skins in their nodes' pose. Texture points, colours, which corners
    share a normal, materials and the names of nodes are the ``looks`` of the mesh; cameras, animations, lines and points are
    dropped; unused triangles of strips that have two equal corners too.
    """
    tree, binary = _parts(source)
    document = Document(source, tree, binary, beside)
    _check_version(document)
    with np.errstate(all="ignore"):  # numbers that overflow are refused where the mesh is made
        points, triangles, looks = _Scene(document).joined()
        points = np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1) + 0.0
        return source.build(TriMesh, points, triangles, looks=looks)


def _parts(source: Source) -> tuple[dict, memoryview | None]:
    """The JSON, and the binary chunk where there is one."""
    data, binary, text = source.data, None, source.data
    if data[:4] == MAGIC:
        if len(data) < 20:
            raise source.error(f"has {len(data)} bytes; a glTF header needs 20")
        version, length = struct.unpack("<II", data[4:12])
        if version != 2:
            raise source.error(f"is glTF version {version}; expected 2", byte=4)
        if length != len(data):
            raise source.error(f"its header promises {length} bytes, but the file has {len(data)}", byte=8)
        chunks = list(_chunks(source))
        if chunks[0][0] != b"JSON":
            raise source.error(f"its first part is {show(chunks[0][0])}; expected JSON", byte=16)
        text = chunks[0][1]
        binary = chunks[1][1] if len(chunks) > 1 and chunks[1][0] == b"BIN\0" else None
    elif source.path.suffix.lower() == ".glb":
        raise source.error(f"begins with {show(data[:4])}; expected 'glTF'")
    try:
        tree = json.loads(bytes(text).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise source.error(f"is not whole JSON ({str(error)[:80]})") from None
    if not isinstance(tree, dict) or not isinstance(tree.get("asset"), dict):
        raise source.error("has no 'asset'; expected glTF 2.0")
    return tree, binary


def _chunks(source: Source) -> Iterator[tuple[bytes, memoryview]]:
    """(kind, bytes) of the parts of a binary file."""
    at, data = 12, source.data
    while at < len(data):
        if at + 8 > len(data):
            raise source.error("ends inside the head of a part", byte=at)
        length, kind = struct.unpack("<I4s", data[at : at + 8])
        if at + 8 + length > len(data):
            raise source.error(f"promises a part of {length} bytes, but {len(data) - at - 8} follow", byte=at)
        yield kind, memoryview(data)[at + 8 : at + 8 + length]
        at += 8 + length


def _check_version(document: Document) -> None:
    version = document.tree["asset"].get("version")
    if not isinstance(version, str) or version.partition(".")[0] != "2":
        raise document.source.error(f"is glTF version {show(str(version).encode())}; expected 2.0")
    for name in document.listed(document.tree, "extensionsRequired", "the file"):
        name = str(name)
        if "draco" in name or "meshopt" in name:
            raise document.source.error(f"is packed ({name}), which is not read; save it without compression")
        if not name.startswith(_HARMLESS):
            raise document.source.error(f"needs the extension {show(name.encode())}, which is not read; save it without")


class _Scene:
    """The meshes of one scene. Nothing is repeated beyond what a file of this size can mean."""

    def __init__(self, document: Document):
        self.doc, self.made = document, {}  # (mesh, weights) → its points and triangles
        size = len(document.source.data)
        self.most = _LEAST + _SHARE * size
        self.left = self.most
        self.world = self._placed()

    def _spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise self.doc.source.error(
                f"repeats its meshes to more than {self.most} vertices and triangles; save fewer copies in one file"
            )

    def joined(self) -> tuple[np.ndarray, np.ndarray, Looks | None]:
        """(n, 3) points, y up, and (m, 3) triangles of all nodes, and how they look."""
        points, triangles, start, drawn = [], [], 0, Drawn(self.doc)
        for index, turn in self.world.items():
            node = self.doc.item("nodes", index)
            if "mesh" not in node:
                continue
            x, corners, own = self._mesh(node)
            if "skin" not in node:
                x = x @ turn[:3, :3].T + turn[:3, 3]
                if np.linalg.det(turn[:3, :3]) < 0:
                    corners = corners[:, [0, 2, 1]]  # by the standard, a mirror keeps the outside outside
                    own = [part.mirrored() for part in own]
            drawn.add(node, self.doc.item("meshes", node["mesh"]), own)
            self._spend(len(x) + len(corners))
            points.append(x)
            triangles.append(corners + start)
            start += len(x)
        if not sum(map(len, triangles)):
            raise self.doc.source.error("holds no triangles in its scene; expected a surface")
        corners = np.concatenate(triangles)
        return np.concatenate(points), corners, drawn.looks(corners)

    def _placed(self) -> dict[int, np.ndarray]:
        """Node → its (4, 4) place in the scene, parents before children, in file order."""
        doc, count = self.doc, self.doc.has("nodes")
        if doc.has("scenes"):
            scene = doc.item("scenes", doc.tree.get("scene", 0))
            roots = [doc.whole(n, "a root of the scene") for n in doc.listed(scene, "nodes", "the scene")]
        else:
            below = {n for i in range(count) for n in self._children(i)}
            roots = [i for i in range(count) if i not in below]
        world: dict[int, np.ndarray] = {}
        stack = [(n, np.eye(4)) for n in reversed(roots)]
        while stack:
            index, above = stack.pop()
            if index in world:
                raise doc.source.error(f"node {index} has two parents or is its own; expected a tree")
            world[index] = above @ self._local(doc.item("nodes", index), index)
            stack += [(n, world[index]) for n in reversed(self._children(index))]
        return world

    def _children(self, index: int) -> list[int]:
        children = self.doc.listed(self.doc.item("nodes", index), "children", f"node {index}")
        return [self.doc.whole(n, f"a child of node {index}") for n in children]

    def _local(self, node: dict, index: int) -> np.ndarray:
        """(4, 4) how a node stands in its parent."""
        doc, place = self.doc, np.eye(4)
        if not node.keys() & {"matrix", "rotation", "scale", "translation"}:
            return place
        if "matrix" in node:
            return doc.numbers(node["matrix"], 16, f"matrix of node {index}").reshape(4, 4).T
        x, y, z, w = doc.numbers(node.get("rotation", [0, 0, 0, 1]), 4, f"rotation of node {index}")
        length = float(np.sqrt(x * x + y * y + z * z + w * w))
        if not 1e-6 < length < 1e6:
            raise doc.source.error(f"rotation of node {index} has length {length:.3g}; expected 1")
        x, y, z, w = x / length, y / length, z / length, w / length
        turn = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        place[:3, :3] = turn * doc.numbers(node.get("scale", [1, 1, 1]), 3, f"scale of node {index}")
        place[:3, 3] = doc.numbers(node.get("translation", [0, 0, 0]), 3, f"translation of node {index}")
        return place

    def _mesh(self, node: dict) -> tuple[np.ndarray, np.ndarray, list[Piece]]:
        """Points and triangles of a node's mesh: in the node's frame, or in that of the scene where it has a skin."""
        doc, number = self.doc, self.doc.whole(node["mesh"], "the mesh of a node")
        mesh, what = doc.item("meshes", number), f"mesh {number}"
        weights = doc.numbers(node.get("weights", mesh.get("weights", [])), None, f"weights of {what}")
        key = (number, weights.tobytes(), doc.whole(node["skin"], "the skin of a node") if "skin" in node else None)
        if key not in self.made:
            points, triangles, start = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], 0
            pieces: list[Piece] = []
            for primitive in doc.listed(mesh, "primitives", what):
                if not isinstance(primitive, dict):
                    raise doc.source.error(f"a primitive of {what} is no object")
                mode = doc.whole(primitive.get("mode", _TRIANGLES), f"mode of {what}")
                if mode in (_TRIANGLES, _STRIP, _FAN):
                    x = self._points(primitive, weights, what)
                    if key[2] is not None:
                        x = self._skinned(primitive, x, key[2], what)
                    own = self._triangles(primitive, mode, len(x), what)
                    pieces.append(Piece.of(doc, primitive, own, len(x), what))
                    triangles.append(own + start)
                    points.append(x)
                    start += len(x)
            x, corners = np.concatenate(points), np.concatenate(triangles)
            first, rank = join_equal(x)
            self.made[key] = x[first], rank[corners], pieces
        return self.made[key]

    def _points(self, primitive: dict, weights: np.ndarray, what: str) -> np.ndarray:
        """(n, 3) vertices, moved by the morph targets that have a weight."""
        doc = self.doc
        attributes = doc.table(primitive, "attributes", what)
        if "POSITION" not in attributes:
            raise doc.source.error(f"{what} has a primitive without POSITION")
        x = doc.array(attributes["POSITION"], "VEC3", _PLACES, self.left, f"POSITION of {what}").astype(float)
        self._spend(len(x))
        targets = doc.listed(primitive, "targets", what)
        for weight, target in zip(weights.tolist(), targets):
            if weight and isinstance(target, dict) and "POSITION" in target:
                move = doc.array(target["POSITION"], "VEC3", _PLACES, len(x), f"a morph target of {what}", True)
                if len(move) != len(x):
                    raise doc.source.error(f"a morph target of {what} has {len(move)} vertices; expected {len(x)}")
                x = x + weight * move
                self._spend(len(x))
        return x

    def _skinned(self, primitive: dict, x: np.ndarray, number: int, what: str) -> np.ndarray:
        """(n, 3) vertices in the scene, carried by the joints of a skin."""
        doc, skin = self.doc, self.doc.item("skins", number)
        joints = [doc.whole(j, f"a joint of skin {number}") for j in doc.listed(skin, "joints", f"skin {number}")]
        missing = [j for j in joints if j not in self.world]
        if missing or not joints:
            raise doc.source.error(f"skin {number} has joints outside the scene or none; expected nodes of the scene")
        turns = np.array([self.world[j] for j in joints])
        if "inverseBindMatrices" in skin:
            back = doc.array(skin["inverseBindMatrices"], "MAT4", _FLOAT, self.left, f"matrices of skin {number}")
            if len(back) < len(joints):
                raise doc.source.error(f"skin {number} has {len(back)} matrices; expected {len(joints)}, one a joint")
            turns = turns @ back[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1).astype(float)
        attributes, out, total = doc.table(primitive, "attributes", what), np.zeros_like(x), np.zeros((len(x), 1))
        for k in range(64):
            if f"JOINTS_{k}" not in attributes:
                break
            names = doc.array(attributes[f"JOINTS_{k}"], "VEC4", _JOINTS, self.left, f"joints of {what}")
            share = doc.array(attributes.get(f"WEIGHTS_{k}"), "VEC4", _WEIGHTS, self.left, f"weights of {what}")
            if len(names) != len(x) or len(share) != len(x) or (len(x) and int(names.max()) >= len(joints)):
                raise doc.source.error(f"joints and weights of {what} do not fit its {len(x)} vertices or its skin")
            self._spend(len(x))
            for column, weight in zip(names.T, share.T.astype(float)):
                turn = turns[column]
                moved = (turn[:, :3, :3] @ x[:, :, None])[:, :, 0] + turn[:, :3, 3]
                out, total = out + weight[:, None] * moved, total + weight[:, None]
        if not np.all(total > 0):
            raise doc.source.error(f"{what} has vertices without a joint, though its node has a skin")
        return out / total

    def _triangles(self, primitive: dict, mode: int, count: int, what: str) -> np.ndarray:
        """(m, 3) corners of a primitive with ``count`` vertices."""
        doc = self.doc
        if "indices" in primitive:
            row = doc.array(primitive["indices"], "SCALAR", _INDICES, self.left, f"indices of {what}")
            row = row.ravel().astype(np.int64)
        else:
            row = np.arange(count)
        self._spend(len(row))
        if len(row) and int(row.max()) >= count:
            raise doc.source.error(f"indices of {what} reach {row.max()}; expected less than {count}, its vertices")
        if mode == _TRIANGLES:
            if len(row) % 3:
                raise doc.source.error(f"{what} has {len(row)} corners of triangles; expected a multiple of 3")
            return row.reshape(-1, 3)
        if len(row) < 3:
            return np.zeros((0, 3), np.int64)
        i = np.arange(len(row) - 2)
        if mode == _FAN:
            return np.stack([row[i + 1], row[i + 2], np.broadcast_to(row[0], i.shape)], axis=1)
        strip = np.stack([row[i], row[i + 1 + i % 2], row[i + 2 - i % 2]], axis=1)
        a, b, c = strip.T
        return strip[(a != b) & (b != c) & (c != a)]
