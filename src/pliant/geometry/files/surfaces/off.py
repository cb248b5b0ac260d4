"""OFF, the Object File Format: a list of points and a list of polygons, as text."""

from __future__ import annotations

import numpy as np

from ...mesh.mesh import PointCloud, TriMesh
from ..source import Source, fan, number_lines, show

HOLDS = ("triangles", "points", "normals")
# Header word → how many numbers open a vertex line that matter: position, then normal.
_WIDTHS = {b"OFF": 3, b"COFF": 3, b"NOFF": 6, b"CNOFF": 6}


def read(source: Source) -> TriMesh | PointCloud:
    """Faces make a TriMesh, none a PointCloud; polygons are cut into triangles as a fan, colours are dropped."""
    rows, lines = [], []
    for line, text in enumerate(source.lines(), 1):
        words = text.split()
        if words:
            rows.append(words)
            lines.append(line)
    if not rows or rows[0][0] not in _WIDTHS:
        start, line = (show(rows[0][0]), lines[0]) if rows else ("nothing", None)
        raise source.error(f"starts with {start}; expected 'OFF', 'COFF', 'NOFF' or 'CNOFF'", line)
    width = _WIDTHS[rows[0][0]]
    if len(rows[0]) > 1:  # the counts may share the first line
        rows[0] = rows[0][1:]
    else:
        del rows[0], lines[0]
    if not rows:
        raise source.error("ends before the counts of vertices and faces")
    points, faces = source.table(rows[:1], lines, 2, int, "the counts of vertices and faces")[0].tolist()
    if points < 0 or faces < 0:
        raise source.error(f"promises {points} vertices and {faces} faces; expected 0 or more", lines[0])
    if points + faces > len(rows) - 1:
        have = len(rows) - 1
        raise source.error(f"promises {points} vertices and {faces} faces, but only {have} lines follow", lines[0])
    table = source.table(rows[1 : 1 + points], lines[1 : 1 + points], width, float, "a vertex")
    if not faces:
        return source.build(PointCloud, table[:, :3], table[:, 3:] if width == 6 else None)
    polygons = []
    for row, line in zip(rows[1 + points : 1 + points + faces], lines[1 + points :]):
        sides = source.number(row[0], int, "a face", line)
        if sides < 3 or len(row) <= sides:
            raise source.error(f"a face of {sides} corners has {len(row) - 1} numbers; expected 3 or more", line)
        polygons.append(source.integers(row[1 : 1 + sides], "a face", line))
    return source.build(TriMesh, table[:, :3], fan(source, polygons, lines[1 + points :], points))


def encode(mesh: TriMesh | PointCloud, text: bool) -> bytes:
    """Write every number with the digits that read back exactly; normals make it NOFF."""
    if isinstance(mesh, TriMesh):
        threes = np.full((len(mesh.triangles), 1), 3)
        faces = np.concatenate([threes, mesh.triangles], axis=1)
        head, rows = f"OFF\n{len(mesh.vertices)} {len(faces)} 0\n", mesh.vertices
        return (head + number_lines(rows) + number_lines(faces)).encode()
    if mesh.normals is None:
        return (f"OFF\n{len(mesh.vertices)} 0 0\n" + number_lines(mesh.vertices)).encode()
    rows = np.concatenate([mesh.vertices, mesh.normals], axis=1)
    return (f"NOFF\n{len(rows)} 0 0\n" + number_lines(rows)).encode()
