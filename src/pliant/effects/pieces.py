"""The surfaces of all parts of a scene, cut along their tets, for contact of what intersects."""

from __future__ import annotations

from ..contact.pieces import Pieces
from ..elements.bounding import BoundingTets
from ..elements.tets import Tets
from ..errors import InputError
from ..geometry.partition import Partition, partition
from .layout import Layout, Part


def pieces_of(layout: Layout, response: str) -> Pieces:
    """The pieces of all parts; ``response`` is who asks, for refusals."""
    return Pieces(
        [_cut(part, response) for part in layout.parts],
        [part.elements.nodes + part.first for part in layout.parts],
        [part.first for part in layout.parts],
        layout.rest,
    )


def _cut(part: Part, response: str) -> Partition:
    """The surface of a part cut along its tets."""
    if type(part.elements) not in (Tets, BoundingTets):
        raise InputError(
            f"contact.{response}: {part.name} is of {type(part.elements).__name__}; expected bodies of Tets, or "
            "contact.Penalty()"
        )
    mesh, own = part.elements.mesh, part.surface
    try:
        if own is None and isinstance(part.elements, BoundingTets):
            return part.elements.cut
        return partition(mesh.boundary if own is None else own, mesh)
    except InputError as error:
        raise InputError(f"contact.{response}: {part.name}: {error}") from None
