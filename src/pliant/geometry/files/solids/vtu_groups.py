"""Groups of a VTK file, from whole-number arrays."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence

import numpy as np

from ...mesh.groups import DIMENSIONS, LONGEST, Groups, Part
from ..source import Source
from .vtu_arrays import Arrays

MOST = 64  # values of an array that are names; more are numbers of elements, or a result
FACES = {5: 3, 9: 4, 22: 6}  # cell type of a face → nodes


def tags_of(arrays: Arrays, piece: ElementTree.Element, section: str, rows: int) -> dict[str, np.ndarray]:
    """Name → (rows,) the whole-number arrays of a section of one piece, but for "region" and those of VTK's own."""
    parent, found = piece.find(section), {}
    for element in () if parent is None else parent.iterfind("DataArray"):
        name = element.get("Name", "")
        own = name.isprintable() and 0 < len(name) < LONGEST - 30 and not name.startswith("vtk") and name != "region"
        kind = element.get("type", "")
        if own and name not in found and "Int" in kind and element.get("NumberOfComponents", "1") == "1":
            found[name] = arrays.scalars(element)
            if len(found[name]) != rows:
                raise arrays.source.error(f"array {name!r} has {len(found[name])} numbers; expected {rows}")
    return found


def groups_of(source: Source, pieces: Sequence[dict], top: int) -> Groups:
    """A group for each value of an array, "array 3"; where all are 0 and 1, "array" of those that are 1.

    Of cells below the dimension ``top``, "array surface 3" with their faces, and of points, without those that are 0.
    """
    return Groups.gathered([*_of_cells(source, pieces, top), *_of_points(pieces)])


def _labels(every: Sequence[np.ndarray]) -> list[int]:
    """The values of an array that are names."""
    values, counts = np.unique(np.concatenate(every), return_counts=True)
    numbering = len(values) > 2 and counts.max() == 1
    return [] if len(values) > MOST or numbering or not values.any() else values.tolist()


def _named(name: str, value: int, labels: list[int], dimension: str = "") -> str:
    return name if value == 1 and set(labels) <= {0, 1} else f"{name} {dimension}{value}"


def _of_cells(source: Source, pieces: Sequence[dict], top: int) -> Iterator[Part]:
    for name in dict.fromkeys(name for piece in pieces for name in piece["cell tags"]):
        labels = _labels([piece["cell tags"][name] for piece in pieces if name in piece["cell tags"]])
        point, cell = 0, 0
        for piece in pieces:
            dimensions, own = piece["dimensions"], piece["cell tags"].get(name)
            number = cell + np.cumsum(dimensions == top) - 1
            for value in labels if own is not None else ():
                yield from _of_value(source, piece, own == value, top, point, number, (name, value, labels))
            point, cell = point + len(piece["points"]), cell + int(np.count_nonzero(dimensions == top))


def _of_value(
    source: Source, piece: dict, mine: np.ndarray, top: int, point: int, number: np.ndarray, label: tuple
) -> Iterator[Part]:
    """Parts of the cells ``mine`` of one piece, by dimension and type."""
    name, value, labels = label
    for kind in np.unique(piece["types"][mine]).tolist():
        rows = np.flatnonzero(mine & (piece["types"] == kind))
        dimension = int(piece["dimensions"][rows[0]])
        if dimension < top and value == 0:
            continue
        sizes = (piece["ends"] - piece["starts"])[rows]
        nodes = piece["connectivity"][np.repeat(piece["starts"][rows] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())]
        if len(nodes) and (nodes.min() < 0 or nodes.max() >= len(piece["points"])):
            raise source.error(f"cells of {name!r} name a point outside 0…{len(piece['points']) - 1}")
        nodes = nodes + point
        if dimension == top:
            yield Part(_named(name, value, labels), nodes, cells=number[rows])
        else:
            called = _named(name, value, labels, DIMENSIONS[dimension] + " ")
            faced = FACES.get(kind) if (sizes == FACES.get(kind)).all() else None
            yield Part(called, nodes, faces=nodes.reshape(-1, faced) if faced and top == 3 else None)


def _of_points(pieces: Sequence[dict]) -> Iterator[Part]:
    for name in dict.fromkeys(name for piece in pieces for name in piece["point tags"]):
        labels, point = _labels([p["point tags"][name] for p in pieces if name in p["point tags"]]), 0
        for piece in pieces:
            for value in filter(None, labels if name in piece["point tags"] else ()):
                yield Part(_named(name, value, labels), point + np.flatnonzero(piece["point tags"][name] == value))
            point += len(piece["points"])
