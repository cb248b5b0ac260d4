"""The groups of a Gmsh file: from physical tags and names of its elements, and to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....errors import InputError
from ...mesh.groups import DIMENSIONS, Groups, Part
from .msh_sections import TYPES, Block

FACES = {3: 2, 4: 3, 6: 9}  # nodes of a face → element type
POINT = 15


def groups_of(blocks: Sequence[Block], top: int, names: dict[tuple[int, int], str]) -> Groups:
    """The groups of all physical tags but those of cells without a name, which are regions alone.

    A name that several dimensions have is one group.
    """
    parts, first = [], 0
    for kind, own, physical, more in blocks:
        dimension, at = TYPES[kind][0], first
        first += len(own) if dimension == top else 0
        for tag in [*np.unique(np.abs(physical)).tolist(), *map(abs, more)]:
            name = names.get((dimension, tag), f"{DIMENSIONS[dimension]} {tag}" if dimension < top else "")
            if not tag or not name:
                continue
            mine = np.flatnonzero((np.abs(physical) == tag) | (tag in more))
            faces, cells = own[mine] if dimension == 2 < top else None, at + mine if dimension == top else None
            parts.append(Part(name, own[mine].ravel(), faces, cells))
    return Groups.gathered(parts)


def parts_of(mesh: Any, tags: np.ndarray) -> tuple[dict[tuple[int, int], str], np.ndarray, list[tuple]]:
    """Names by dimension and tag, the tags of cells, and blocks of further elements, for the groups of a mesh.

    A group of cells is a region, or where there are none one that shares no cell with another; others are refused.
    """
    names: dict[tuple[int, int], str] = {}
    blocks: list[tuple] = []
    solid = hasattr(mesh, "regions")
    top, tags = 3 if solid else 2 if hasattr(mesh, "triangles") else 1, tags.copy()
    for number, group in enumerate(getattr(mesh, "groups", ()), 1):
        kept = np.zeros(len(mesh.vertices), bool)
        if group.cells is not None:
            own = np.unique(tags[group.cells])
            fits = len(own) == 1 and own[0] > 0 and np.count_nonzero(tags == own[0]) == len(group.cells)
            if (solid and not (fits and (top, int(own[0])) not in names)) or (not solid and own.any()):
                raise InputError(
                    f"the cells of group {group.name!r} are not those of one region; msh has one name for each, npz any"
                )
            if not solid:
                tags[group.cells] = number
            names[top, int(own[0]) if solid else number] = group.name
            kept[_cells(mesh)[group.cells]] = True
        if group.faces is not None and top == 3:
            blocks.append((FACES[group.faces.shape[1]], group.faces, np.full(len(group.faces), number)))
            names[2, number] = group.name
            kept[group.faces] = True
        rest = group.nodes[~kept[group.nodes]]
        if len(rest):
            blocks.append((POINT, rest[:, None], np.full(len(rest), number)))
            names[0, number] = group.name
    return names, tags, blocks


def _cells(mesh: Any) -> np.ndarray:
    return next(getattr(mesh, name) for name in ("cells", "hexes", "triangles", "edges") if hasattr(mesh, name))
