"""Gmsh's MSH: versions 1, 2 and 4.1, written as 2.2."""

from __future__ import annotations

import re

import numpy as np

from ....errors import InputError
from ...lattice.hex_mesh import HexMesh
from ...mesh import tet10
from ...mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from ..source import Source, number_lines, numbered_lines
from .msh_groups import groups_of, parts_of
from .msh_sections import TYPES, Contents, names_of, read_1, read_2, read_4

HOLDS = ("tets", "hexes", "regions", "middles", "triangles", "edges", "points", "groups")
_FORMAT = re.compile(rb"\$MeshFormat\s+(\d+(?:\.\d+)?)\s+(\d+)\s+(\d+)[ \t]*\r?\n")
_TEN = 11  # the element type of tets with ten nodes
_NOUNS = {4: TetMesh, _TEN: TetMesh, 5: HexMesh, 2: TriMesh, 1: EdgeMesh}  # element type → noun
_EXPECTED = {
    3: "tetrahedra (all of type 4, or all of type 11) or hexahedra (type 5)", 2: "triangles (type 2)", 1: "lines (type 1)",
}  # fmt: skip


def read(source: Source) -> TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud:
    """The cells of the highest dimension make the mesh; of lower ones those with a physical tag are kept as its groups.

    Vertices come in file order, used or not. Physical tag t of a tet or hexahedron becomes region t − 1; where only some
    have a tag, the others form one more region, numbered last. Physical names are those of the groups; a tag of faces, lines
    or points without a name is called "surface 2", "line 3" or "point 1". First-order cells are read, and tets of second order.
    """
    text = source.data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"$NOD", b"$ELM")):
        return _mesh(source, read_1(source))
    header = _FORMAT.search(source.data, 0, 4096)
    if not header:
        raise source.error("has no $MeshFormat (nor $NOD) at its start; expected a Gmsh mesh", byte=0)
    version, binary, size = header[1].decode(), int(header[2][:9]), int(header[3][:9])
    if version not in ("2", "2.0", "2.1", "2.2", "4.1") or binary > 1 or size != 8:
        raise source.error(
            f"MSH version {version[:9]}, file type {binary}, {size}-byte numbers; expected version 1, 2.2 or 4.1 with "
            "8-byte numbers (gmsh -save -format msh22 writes one)",
            byte=header.start(),
        )
    order, at = None, header.end()
    if binary:
        one = source.data[at : at + 4]
        order = {b"\1\0\0\0": "<", b"\0\0\0\1": ">"}.get(one)
        if order is None:
            raise source.error(f"its byte-order mark is {one.hex() or 'missing'}; expected the number 1", byte=at)
        at += 4
    return _mesh(source, read_4(source, at, order) if version == "4.1" else read_2(source, at, order))


def _mesh(source: Source, contents: Contents) -> TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud:
    tags, points, blocks = contents
    blocks = [block for block in blocks if len(block[1])]
    top = max((TYPES[block[0]][0] for block in blocks), default=0)
    if top == 0:
        return source.build(PointCloud, points)
    mine = [block for block in blocks if TYPES[block[0]][0] == top]
    for kind, cells, *_ in mine:
        if kind not in _NOUNS:
            raise source.error(f"{len(cells)} cells are of Gmsh type {kind} ({TYPES[kind][1]} nodes); expected {_EXPECTED[top]}")
    kinds = sorted({block[0] for block in mine})
    if len(kinds) > 1:
        raise source.error(f"holds cells of Gmsh types {' and '.join(map(str, kinds))}; expected {_EXPECTED[top]}")
    noun = _NOUNS[kinds[0]]
    cells = _numbers(source, tags, np.concatenate([block[1] for block in mine]))
    physical = np.abs(np.concatenate([block[2] for block in mine]))
    numbered = [(kind, _numbers(source, tags, own), *more) for kind, own, *more in blocks]
    named = {"groups": groups_of(numbered, top, names_of(source))}
    if top < 3:
        return source.build(noun, points, cells, **named)
    regions = np.where(physical > 0, physical - 1, physical.max()) if physical.any() else None
    if kinds == [_TEN]:
        return source.build(noun, points, cells[:, :4], regions, cells[:, tet10.GMSH][:, 4:], **named)
    return source.build(noun, points, cells, regions, **named)


def _numbers(source: Source, tags: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Turn node tags, which may have gaps and any order, into row numbers."""
    order = np.argsort(tags, kind="stable")
    ordered = tags[order]
    twice = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(twice):
        raise source.error(f"node tag {ordered[twice[0]]} is used twice")
    if not len(tags):
        raise source.error("holds elements but no nodes")
    at = np.minimum(np.searchsorted(ordered, cells), len(ordered) - 1)
    bad = np.flatnonzero((ordered[at] != cells).any(axis=1))
    if len(bad):
        raise source.error(f"{len(bad)} cells name a node that is not in the file, first cell {bad[0]}")
    return order[at]


def encode(mesh: TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud, text: bool) -> bytes:
    """Write version 2.2; region r becomes physical tag r + 1, and groups physical names."""
    kind, cells = _typed_cells(mesh)
    count, tags = len(mesh.vertices), np.zeros(len(cells), np.int64)
    if getattr(mesh, "regions", None) is not None:
        tags = mesh.regions + np.int64(1)
    names, tags, blocks = parts_of(mesh, tags)
    if tags.max(initial=0) >= 2**31:
        raise InputError("region 2147483647 has no Gmsh tag; number the regions from 0 up")
    blocks, head = [(kind, cells, tags), *blocks], ""
    if names:
        lines = "".join(f'{dimension} {tag} "{name}"\n' for (dimension, tag), name in sorted(names.items()))
        head = f"$PhysicalNames\n{len(names)}\n{lines}$EndPhysicalNames\n"
    total, first, rows = sum(len(own) for _, own, _ in blocks), 1, []
    for one, own, tagged in blocks:
        ids, columns = np.arange(first, first + len(own)), [tagged, np.maximum(tagged, 1)]
        if text:
            columns = [np.full(len(own), one), np.full(len(own), 2), *columns]
        rows.append(np.column_stack([ids, *columns, own + np.int64(1)]))
        first += len(own)
    if text:
        points, elements = numbered_lines(mesh.vertices, 1), "".join(map(number_lines, rows))
        return (
            f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{head}$Nodes\n{count}\n{points}$EndNodes\n"
            f"$Elements\n{total}\n{elements}$EndElements\n"
        ).encode()
    nodes = np.empty(count, [("id", "<i4"), ("x", "<f8", 3)])
    nodes["id"], nodes["x"] = np.arange(1, count + 1), mesh.vertices
    return b"".join(
        [
            b"$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n",
            head.encode(),
            b"$Nodes\n%d\n" % count,
            nodes.tobytes(),
            b"\n$EndNodes\n$Elements\n%d\n" % total,
            *(
                np.array([one, len(own), 2], "<i4").tobytes() + row.astype("<i4").tobytes()
                for (one, own, _), row in zip(blocks, rows)
            ),
            b"\n$EndElements\n",
        ]
    )


def _typed_cells(mesh: TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud) -> tuple[int, np.ndarray]:
    """The Gmsh element type and the (m, k) cells of a mesh."""
    if isinstance(mesh, TetMesh):
        return (4, mesh.tets) if mesh.middles is None else (_TEN, mesh.cells[:, tet10.GMSH])
    if isinstance(mesh, HexMesh):
        return 5, mesh.hexes
    if isinstance(mesh, TriMesh):
        return 2, mesh.triangles
    if isinstance(mesh, EdgeMesh):
        return 1, mesh.edges
    return 15, np.arange(len(mesh.vertices))[:, None]
