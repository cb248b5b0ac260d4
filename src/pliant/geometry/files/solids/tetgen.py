"""TetGen's pair of text files: points in ``.node``, tets in ``.ele``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...mesh.mesh import PointCloud, TetMesh
from ..source import Source, number_lines, numbered_lines

HOLDS = ("tets", "regions", "points")


def read(node: Source, ele: Source | None) -> TetMesh | PointCloud:
    """Read points, and tets where there is an ``.ele`` file; numbers may start at 0 or 1, as the first point does.

    The first attribute of the tets, where there is one, becomes their regions; point attributes and markers are
    dropped. Only four-corner tets are read.
    """
    _, rows, lines = _rows(node, (3,), "a point")
    points = node.table(rows, lines, 4, float, "a point")
    first = _first(node, points, lines, "point")
    if ele is None:
        return node.build(PointCloud, points[:, 1:])
    (_, attributes), rows, lines = _rows(ele, (4,), "a tet")
    cells = ele.table(rows, lines, 5, int, "a tet")
    _first(ele, cells, lines, "tet")
    bad = np.flatnonzero(((cells[:, 1:] < first) | (cells[:, 1:] >= first + len(points))).any(axis=1))
    if len(bad):
        last = first + len(points) - 1
        raise ele.error(f"{len(bad)} tets name a point outside {first}…{last}, this is the first", lines[bad[0]])
    regions = None
    if attributes:
        regions = ele.table([row[5:] for row in rows], lines, 1, float, "the region of a tet")[:, 0]
        bad = np.flatnonzero((regions != np.floor(regions)) | (regions < 0) | (regions >= 2**31))
        if len(bad):
            raise ele.error(f"region {regions[bad[0]]}; expected a whole number from 0 to 2147483647", lines[bad[0]])
    return node.build(TetMesh, points[:, 1:], cells[:, 1:] - first, regions)


def _rows(source: Source, widths: Sequence[int], what: str) -> tuple[tuple[int, int], list[list[bytes]], list[int]]:
    """The header's second and third number, and the rows that follow with their line numbers."""
    rows, lines = [], []
    for line, text in enumerate(source.lines(), 1):
        words = text.split()
        if words:
            rows.append(words)
            lines.append(line)
    if not rows:
        raise source.error("is empty; expected a header line of whole numbers")
    head = source.table([(rows[0] + [b"0"])[:3]], lines, 3, int, "the header")[0].tolist()
    count, width, attributes = head
    if width not in widths:
        raise source.error(f"the header gives {width} numbers to {what}; expected {widths[0]}", lines[0])
    if not 0 <= count <= len(rows) - 1:
        raise source.error(f"the header promises {count} rows, but {len(rows) - 1} follow", lines[0])
    return (width, attributes), rows[1 : 1 + count], lines[1 : 1 + count]


def _first(source: Source, table: np.ndarray, lines: list[int], what: str) -> int:
    """The number of the first row, 0 or 1; the rest must follow it one by one."""
    if not len(table):
        return 0
    first = table[0, 0]
    if first not in (0, 1):
        raise source.error(f"the first {what} has number {first:g}; expected 0 or 1", lines[0])
    bad = np.flatnonzero(table[:, 0] != first + np.arange(len(table)))
    if len(bad):
        raise source.error(f"{what} {table[bad[0], 0]:g} where {first + bad[0]:g} was expected", lines[bad[0]])
    return int(first)


def encode(mesh: TetMesh | PointCloud, text: bool) -> dict[str, bytes]:
    """Write both files (a cloud: ``.node`` alone), numbered from 0, with digits that read back exactly."""
    points = numbered_lines(mesh.vertices, 0)
    files = {".node": f"{len(mesh.vertices)} 3 0 0\n{points}".encode()}
    if isinstance(mesh, TetMesh):
        columns = [np.arange(len(mesh.tets))[:, None], mesh.tets]
        if mesh.regions is not None:
            columns.append(mesh.regions[:, None])
        rows = np.concatenate(columns, axis=1)
        files[".ele"] = f"{len(rows)} 4 {len(columns) - 2}\n{number_lines(rows)}".encode()
    return files
