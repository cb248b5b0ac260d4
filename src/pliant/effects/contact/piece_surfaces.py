"""Surfaces of all parts, cut along tets for intersection contact."""

from __future__ import annotations

import numpy as np

from ...contact.intersection.surface_pieces import Pieces
from ...elements.bounding_tets import BoundingTets
from ...elements.tets import Tets
from ...errors import InputError
from ...geometry.mesh.surface_partition import Partition, partition
from ..effect_layout import Layout, Part


def pieces_of(layout: Layout, response: str) -> Pieces:
    """The pieces of all connected components; ``response`` is who asks, for refusals."""
    every = [(*one, part.first) for part in layout.parts for one in _of_components(part, _cut(part, response))]
    cuts, tets, first = zip(*every)
    return Pieces(cuts, tets, first, layout.rest)


def _of_components(part: Part, whole: Partition) -> list[tuple[Partition, np.ndarray]]:
    """The partition of each connected component of a part, and its tets by the rows of the layout."""
    tets, component, bound = part.elements.nodes + part.first, part.elements.components, part.touching
    if part.components == 1:
        return [(whole, tets)]
    number = np.zeros(int(component.max()) + 1, int)
    heaviest = np.argmax(np.abs(bound.weights), axis=1)
    number[component[bound.nodes[np.arange(bound.count), heaviest]]] = part.component
    of, made = number[component[part.elements.nodes[:, 0]]], []
    place = np.zeros(len(tets), int)
    for each in range(part.components):
        own, rows = np.flatnonzero(of == each), np.flatnonzero(of[whole.tets] == each)
        place[own] = np.arange(len(own))
        used, triangles = np.unique(whole.triangles[rows], return_inverse=True)
        patches = np.unique(whole.patches[rows], return_inverse=True)[1]
        of_pieces = (place[whole.tets[rows]], whole.corners[rows], patches, whole.source[rows])
        points = (whole.nodes[used], whole.weights[used], triangles.reshape(-1, 3).astype(np.int32))
        made.append((Partition(*points, *of_pieces, whole.loose), tets[own]))
    return made


def _cut(part: Part, response: str) -> Partition:
    """The surface of a part cut along its tets."""
    if type(part.elements) not in (Tets, BoundingTets):
        raise InputError(
            f"contact.{response}: {part.name} is of {type(part.elements).__name__}; expected bodies of Tets, or contact.Penalty()"
        )
    mesh, own = part.elements.mesh, part.surface
    try:
        if own is None and isinstance(part.elements, BoundingTets):
            return part.elements.cut
        return partition(mesh.boundary if own is None else own, mesh)
    except InputError as error:
        raise InputError(f"contact.{response}: {part.name}: {error}") from None
