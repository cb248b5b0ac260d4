"""VTK's image data in XML (.vti). Read only."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import numpy as np

from ...distance.volume import Volume
from ..solids.vtu_arrays import Arrays, xml_of
from ..source import Source

HOLDS = ()


def read(source: Source) -> Volume:
    """The active scalars, else the first array of one component, at points or in cells; lengths as in the file.

    VTK files name no unit: one in millimetres wants ``.scaled(0.001)``.
    """
    root, appended = xml_of(source)
    image = root.find("ImageData")
    if root.tag != "VTKFile" or image is None:
        raise source.error(f"holds <{root.tag[:40]} type={root.get('type')!r}>; expected a VTKFile of type ImageData")
    pieces = image.findall("Piece")
    if len(pieces) != 1:
        raise source.error(f"has {len(pieces)} pieces; expected one")
    extent = _numbers(source, pieces[0].get("Extent") or image.get("WholeExtent", ""), 6, int, "Extent")
    low, high = extent[0::2], extent[1::2]
    if (high < low).any() or np.abs(extent).max() > 2**31:
        raise source.error(f"has the extent {extent.tolist()}; expected pairs that ascend")
    spacing = _numbers(source, image.get("Spacing", "1 1 1"), 3, float, "Spacing")
    origin = _numbers(source, image.get("Origin", "0 0 0"), 3, float, "Origin")
    axes = _numbers(source, image.get("Direction", "1 0 0 0 1 0 0 0 1"), 9, float, "Direction").reshape(3, 3)
    arrays, start = Arrays.of(source, root, appended), low.astype(float)
    element, at_points = _chosen(source, pieces[0])
    shape = [int(n) for n in high - low + (1 if at_points else 0)]
    if not at_points:
        start += 0.5  # cells lie between the points
    values = arrays.scalars(element)
    if len(values) != math.prod(shape) or not len(values):
        raise source.error(
            f"array {element.get('Name', '')[:40]!r} has {len(values)} numbers; its extent has {' × '.join(map(str, shape))}"
        )
    with np.errstate(all="ignore"):
        place = origin + axes @ (spacing * start)
    return source.build(Volume, values.reshape(shape, order="F"), spacing, place, axes)


def _chosen(source: Source, piece: ElementTree.Element) -> tuple[ElementTree.Element, bool]:
    """The array to read, and whether it is one of points."""
    candidates = []
    for section in ("PointData", "CellData"):
        parent = piece.find(section)
        if parent is not None:
            mine = [e for e in parent.iterfind("DataArray") if e.get("NumberOfComponents", "1") == "1"]
            active = [e for e in mine if e.get("Name") == parent.get("Scalars")]
            candidates += [(e, section == "PointData") for e in (active or mine)[:1]]
    if not candidates:
        raise source.error("has no array of one component; expected one in <PointData> or <CellData>")
    return candidates[0]


def _numbers(source: Source, text: str, count: int, kind: type, what: str) -> np.ndarray:
    words = text.encode().split()
    if len(words) != count:
        raise source.error(f"has {len(words)} numbers in {what}; expected {count}")
    return source.table([words], [None], count, kind, what)[0]  # type: ignore[list-item]
