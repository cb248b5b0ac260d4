"""glTF binary (.glb): read, and written as one mesh."""

from __future__ import annotations

import json
import struct

import numpy as np

from ....errors import InputError
from ...mesh.mesh import TriMesh
from .gltf import MAGIC, read

HOLDS = ("triangles",)
__all__ = ["HOLDS", "encode", "head", "read"]


def head(document: dict, size: int) -> bytes:
    """All of a .glb file up to its binary part, which is to follow with ``size`` bytes, a multiple of four."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 28 + len(text) + size
    if total >= 2**32:
        raise InputError(f"needs {total / 2**30:.1f} GiB, more than the 4 GiB of a .glb file; write less, or another format")
    parts = struct.pack("<4sII", MAGIC, 2, total), struct.pack("<I4s", len(text), b"JSON"), text
    return b"".join(parts) + struct.pack("<I4s", size, b"BIN\0")


def encode(mesh: TriMesh, text: bool) -> bytes:
    """Write positions and triangles; three corners of 32 bits each, so only what 32-bit floats hold."""
    x, y, z = mesh.vertices.T
    with np.errstate(over="ignore"):
        places = np.stack([x, z, -y], axis=1).astype("<f4")
    if not np.isfinite(places).all():
        raise InputError("some coordinates are beyond the 32-bit floats of glTF; use ply or npz")
    corners = mesh.triangles.astype("<u4")
    views = [
        {"buffer": 0, "byteOffset": 0, "byteLength": places.nbytes, "target": 34962},
        {"buffer": 0, "byteOffset": places.nbytes, "byteLength": corners.nbytes, "target": 34963},
    ]
    bounds = {"min": places.min(axis=0).tolist(), "max": places.max(axis=0).tolist()}
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": len(places), "type": "VEC3", **bounds},
        {"bufferView": 1, "componentType": 5125, "count": corners.size, "type": "SCALAR"},
    ]
    size = places.nbytes + corners.nbytes
    document = {
        "asset": {"version": "2.0", "generator": "pliant"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": size}],
    }  # fmt: skip
    return head(document, size) + places.tobytes() + corners.tobytes()
