"""Wavefront OBJ: surfaces with their looks, polylines and points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...mesh.mesh import EdgeMesh, PointCloud, TriMesh
from ..source import Source, fan, number_lines, show
from .obj_looks import Sibling, Told

HOLDS = ("triangles", "edges", "points", "normals")
_LOOKS = frozenset(b"vt g o s usemtl mtllib".split())
_SKIPPED = frozenset(b"vp mg usemap maplib lod bevel c_interp d_interp shadow_obj trace_obj".split())


def read(source: Source, beside: Sibling) -> TriMesh | EdgeMesh | PointCloud:
    """Faces make a TriMesh, else lines an EdgeMesh, else the points a PointCloud.

    Polygons are cut into triangles as a fan around their first corner; they, texture points, colours, materials (with what
    the library beside the file says of them), objects or groups, whichever are more, are the ``looks`` of the mesh. Of
    normals of faces it is kept which corners share one; without faces and lines they are those of the points, if as many.
    """
    told = Told()
    vertices, vertex_lines, normals, normal_lines = [], [], [], []
    faces, face_lines, paths, path_lines = [], [], [], []
    for line, text in enumerate(_joined(source.lines()), 1):
        words = text.split()
        if not words:
            continue
        key = words[0]
        if key == b"v":
            vertices.append(words[1:])
            vertex_lines.append(line)
        elif key == b"f":
            if b"/" in text:
                told.slashed.append((len(faces), words[1:], len(told.uv), len(normals), line))
            faces.append(_indices(source, words, len(vertices), line, 3))
            face_lines.append(line)
        elif key == b"l":
            paths.append(_indices(source, words, len(vertices), line, 2))
            path_lines.append(line)
        elif key == b"p":
            _indices(source, words, len(vertices), line, 1)
        elif key == b"vn":
            normals.append(words[1:])
            normal_lines.append(line)
        elif key in _LOOKS:
            told.take(key, words, len(faces), line)
        elif key not in _SKIPPED:
            raise source.error(f"unknown keyword {show(key)}; expected OBJ polygons (v, f, l, p)", line)
    points = source.table(vertices, vertex_lines, 3, float, "a vertex")
    triangles = fan(source, faces, face_lines, len(points))
    if faces:
        looks = told.looks(source, faces, vertices, vertex_lines, len(normals), beside)
        return source.build(TriMesh, points, triangles, looks=looks)
    if paths:
        for path, line in zip(paths, path_lines):
            if min(path) < 0 or max(path) >= len(points):
                raise source.error(f"a line names a vertex outside 1…{len(points)}", line)
        return source.build(EdgeMesh, points, [pair for path in paths for pair in pairwise(path)])
    if len(normals) != len(points):
        return source.build(PointCloud, points)
    return source.build(PointCloud, points, source.table(normals, normal_lines, 3, float, "a normal"))


def _joined(lines: list[bytes]) -> list[bytes]:
    """Join lines that end in a backslash to the next, leaving blanks so that line numbers stay right."""
    if not any(line.endswith(b"\\") for line in lines):
        return lines
    joined, parts = [b""] * len(lines), []
    for i, line in enumerate(lines):
        parts.append(line.removesuffix(b"\\"))
        if not line.endswith(b"\\") or i == len(lines) - 1:
            joined[i + 1 - len(parts)] = b" ".join(parts)
            parts = []
    return joined


def _indices(source: Source, words: list[bytes], count: int, line: int, least: int) -> list[int]:
    """Vertex numbers, from 0, of one ``f``, ``l`` or ``p``; negative ones count back from the latest vertex."""
    if len(words) <= least:
        raise source.error(f"{show(words[0])} names {len(words) - 1} vertices; expected at least {least}", line)
    parts = words[1:] if b"/" not in b"".join(words) else [word.partition(b"/")[0] for word in words[1:]]
    numbers = source.integers(parts, "a list of vertices", line)
    if 0 in numbers:
        raise source.error("vertex number 0; OBJ counts from 1, or back from −1", line)
    return [n - 1 if n > 0 else count + n for n in numbers]


def encode(mesh: TriMesh | EdgeMesh | PointCloud, text: bool) -> bytes:
    """Write every number with the digits that read back exactly."""
    out = [number_lines(mesh.vertices, "v ")]
    if isinstance(mesh, TriMesh):
        out.append(number_lines(mesh.triangles + np.int64(1), "f "))
    elif isinstance(mesh, EdgeMesh):
        out.append(number_lines(mesh.edges + np.int64(1), "l "))
    elif mesh.normals is not None:
        out.append(number_lines(mesh.normals, "vn "))
    return "".join(out).encode()
