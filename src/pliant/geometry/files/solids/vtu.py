"""VTK's unstructured grid in XML (.vtu), in all its encodings."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np

from ...lattice.hex_mesh import ORDER, HexMesh
from ...mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from ..source import Source
from .vtu_arrays import Arrays, encode_array, xml_of
from .vtu_groups import groups_of, tags_of

HOLDS = ("tets", "hexes", "regions", "middles", "triangles", "edges", "points", "normals")
# Cell type → dimension.
_DIMENSIONS = {
    **dict.fromkeys((1, 2), 0),
    **dict.fromkeys((3, 4, 21, 35, 60, 68, 75), 1),
    **dict.fromkeys((5, 6, 7, 8, 9, 22, 23, 28, 30, 34, 36, 61, 62, 63, 69, 70, 76, 77), 2),
    **dict.fromkeys((10, 11, 12, 13, 14, 15, 16, 24, 25, 26, 27, 29, 31, 32, 33, 37, 41, 42, 64, 65, 66, 67), 3),
    **dict.fromkeys((71, 72, 73, 74, 78, 79, 80, 81), 3),
}
# cell type → nodes, noun; the corners of a voxel run x fastest
_TEN, _VOXEL = 24, 11
_SUPPORTED = {
    10: (4, TetMesh), _TEN: (10, TetMesh), 12: (8, HexMesh), _VOXEL: (8, HexMesh), 5: (3, TriMesh), 3: (2, EdgeMesh),
}  # fmt: skip
_EXPECTED = {3: "10, 24 or 12", 2: "5", 1: "3"}


def read(source: Source) -> TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud:
    """The cells of the highest dimension make the mesh, lower ones are dropped; several pieces are joined.

    A whole-number cell array "region" becomes the regions of tets and hexahedra, other such arrays of cells and points groups, a
    point array "Normals" the normals of a cloud. First-order cells are read, and tets of second order.
    """
    root, appended = xml_of(source)
    if root.tag != "VTKFile" or root.get("type") != "UnstructuredGrid":
        top_element = f"<{root.tag[:40]} type={root.get('type')!r}>"
        raise source.error(f"holds {top_element}; expected a VTKFile of type UnstructuredGrid")
    arrays = Arrays.of(source, root, appended)
    pieces = [_piece(source, arrays, piece) for piece in root.iterfind("UnstructuredGrid/Piece")]
    if not pieces:
        raise source.error("has no <Piece>")
    starts = np.cumsum([0] + [len(piece["points"]) for piece in pieces])
    points = np.concatenate([piece["points"] for piece in pieces])
    top = max(piece["top"] for piece in pieces)
    if top == 0:
        normals = [piece["normals"] for piece in pieces]
        whole = all(n is not None for n in normals)
        return source.build(PointCloud, points, np.concatenate(normals) if whole else None)
    cells, regions, kinds = [], [], set()
    for piece, start in zip(pieces, starts):
        mine = piece["dimensions"] == top
        if not mine.any():
            continue
        wrong = np.flatnonzero(mine & ~np.isin(piece["types"], list(_SUPPORTED)))
        if len(wrong):
            other = piece["types"][wrong[0]]
            raise source.error(f"{len(wrong)} cells are not of VTK type {_EXPECTED[top]}, first of type {other}, cell {wrong[0]}")
        kinds |= set(np.unique(piece["types"][mine]).tolist())
        if len({_SUPPORTED[kind] for kind in kinds}) > 1:
            raise source.error(f"holds cells of VTK types {' and '.join(map(str, sorted(kinds)))}; expected one of them")
        width, noun = _SUPPORTED[min(kinds)]
        sizes = piece["ends"] - piece["starts"]
        bad = np.flatnonzero(mine & (sizes != width))
        if len(bad):
            raise source.error(f"cell {bad[0]} of type {piece['types'][bad[0]]} has {sizes[bad[0]]} nodes; expected {width}")
        nodes = piece["connectivity"][piece["starts"][mine][:, None] + np.arange(width)]
        outside = np.flatnonzero(((nodes < 0) | (nodes >= len(piece["points"]))).any(axis=1))
        if len(outside):
            raise source.error(f"{len(outside)} cells name a point outside 0…{len(piece['points']) - 1}")
        voxel = piece["types"][mine] == _VOXEL
        nodes[voxel] = nodes[voxel][:, ORDER] if voxel.any() else nodes[voxel]
        cells.append(nodes + start)
        regions.append(None if piece["regions"] is None else piece["regions"][mine])
    every, whole = np.concatenate(cells), all(r is not None for r in regions)
    named = {"groups": groups_of(source, pieces, top)}
    if top < 3:
        return source.build(noun, points, every, **named)
    region = np.concatenate(regions) if whole else None
    if width == _SUPPORTED[_TEN][0]:
        return source.build(noun, points, every[:, :4], region, every[:, 4:], **named)
    return source.build(noun, points, every, region, **named)


def _piece(source: Source, arrays: Arrays, piece: ElementTree.Element) -> dict:
    """The arrays of one piece, checked against its counts."""
    count, total = arrays.count(piece, "NumberOfPoints"), arrays.count(piece, "NumberOfCells")
    points = arrays.find(piece, "Points", None, count, 3, "f") if count else np.zeros((0, 3))
    if points is None:
        raise source.error("a piece has no <Points>")
    out = {"points": points, "normals": arrays.find(piece, "PointData", "Normals", count, 3, "f")}
    out |= {"point tags": tags_of(arrays, piece, "PointData", count), "cell tags": tags_of(arrays, piece, "CellData", total)}
    if not total:
        none = np.zeros(0, np.int64)
        return out | dict.fromkeys(("types", "starts", "ends", "dimensions", "connectivity"), none) | {
            "regions": none, "top": 0
        }  # fmt: skip
    types = arrays.find(piece, "Cells", "types", total, 1, "iu")
    ends = arrays.find(piece, "Cells", "offsets", total, 1, "iu")
    nodes = arrays.find(piece, "Cells", "connectivity", None, 1, "iu")
    if types is None or ends is None or nodes is None:
        raise source.error("its <Cells> lack one of connectivity, offsets and types")
    starts = np.concatenate([[0], ends[:-1]])
    if (ends < starts).any() or ends[-1] > len(nodes):
        raise source.error(f"its cell offsets are not ascending within the {len(nodes)} node numbers")
    unknown = [int(t) for t in np.unique(types) if int(t) not in _DIMENSIONS]
    if unknown:
        raise source.error(f"holds cells of unknown VTK type {unknown[0]}")
    lookup = np.zeros(max(_DIMENSIONS) + 1, np.int64)
    lookup[list(_DIMENSIONS)] = list(_DIMENSIONS.values())
    regions = arrays.find(piece, "CellData", "region", total, 1, "iu")
    dimensions = lookup[types]
    return out | {
        "types": types, "starts": starts, "ends": ends, "connectivity": nodes, "dimensions": dimensions,
        "regions": regions, "top": int(dimensions.max()),
    }  # fmt: skip


def encode(mesh: TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud, text: bool) -> bytes:
    """Write 64-bit floats, as zlib-compressed base64 or as text with the digits that read back exactly."""
    if isinstance(mesh, TetMesh):
        kind, cells = (10 if mesh.middles is None else _TEN), mesh.cells
    elif isinstance(mesh, HexMesh):
        kind, cells = 12, mesh.hexes
    elif isinstance(mesh, TriMesh):
        kind, cells = 5, mesh.triangles
    elif isinstance(mesh, EdgeMesh):
        kind, cells = 3, mesh.edges
    else:
        kind, cells = 1, np.arange(len(mesh.vertices), dtype=np.int32)[:, None]
    parts = {
        "Points": [("Points", mesh.vertices)],
        "Cells": [
            ("connectivity", cells.ravel()),
            ("offsets", np.arange(1, len(cells) + 1, dtype=np.int64) * cells.shape[1]),
            ("types", np.full(len(cells), kind, np.uint8)),
        ],
    }
    if getattr(mesh, "regions", None) is not None:
        parts["CellData"] = [("region", mesh.regions)]
    if isinstance(mesh, PointCloud) and mesh.normals is not None:
        parts["PointData"] = [("Normals", mesh.normals)]
    out = [
        '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        'header_type="UInt64" compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>\n'
        f'<Piece NumberOfPoints="{len(mesh.vertices)}" NumberOfCells="{len(cells)}">\n'
    ]
    for section, arrays in parts.items():
        out += [f"<{section}>\n", *[encode_array(name, values, text) for name, values in arrays], f"</{section}>\n"]
    return "".join([*out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"]).encode()
