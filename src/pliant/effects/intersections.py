"""Contact of bodies that are inside of one another: the surfaces of a scene cut along their tets, and how stiffly they push."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..contact.intersection import Intersection, IntersectionContact
from ..contact.pieces import Pieces
from ..device import Device
from ..elements.bounding import BoundingTets
from ..elements.tets import Tets
from ..energy.base import Energy
from ..errors import InputError
from ..geometry.partition import Partition, partition
from ..material.initial_modulus import initial_modulus
from .contacts import no_derivatives, refuse_batch
from .layout import Layout, Part
from .obstacles import Contact, Obstacles

VALUES = ()
STIFFER = 10.0  # than the material, as against obstacles


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    given = layout.of(Obstacles)[0]
    law = given[0].contact if given else None
    if law is None or not isinstance(law.response, Intersection) or len(layout.parts) < 2:
        return []
    refuse_batch(layout, law.response)
    return [BodyIntersection(device, layout, law)]


class BodyIntersection(IntersectionContact):
    """The springs between all parts of a scene."""

    undifferentiable = no_derivatives("Intersection")

    def __init__(self, device: Device, layout: Layout, law: Contact):
        pieces = Pieces(
            [_cut(part) for part in layout.parts],
            [part.elements.nodes + part.first for part in layout.parts],
            [part.first for part in layout.parts],
            layout.rest,
        )
        names = [part.name for part in layout.parts]
        numbers = (law.friction, law.response.recovery, law.response.damping)
        super().__init__(device, pieces, layout.count, *_stiffness(layout, law), names, *numbers)

    def adopt(self, layout: Layout) -> None:
        law = layout.of(Obstacles)[0][0].contact
        self.modulus, self.width = _stiffness(layout, law)
        self.friction, self.recovery = float(law.friction), law.response.recovery
        self.damping = float(law.response.damping)


def _cut(part: Part) -> Partition:
    """The surface of a part cut along its tets."""
    if type(part.elements) not in (Tets, BoundingTets):
        raise InputError(
            f"contact.Intersection(): {part.name} is of {type(part.elements).__name__}; expected bodies of Tets, or "
            "contact.Penalty()"
        )
    mesh, own = part.elements.mesh, part.surface
    try:
        if own is None and isinstance(part.elements, BoundingTets):
            return part.elements.cut
        return partition(mesh.boundary if own is None else own, mesh)
    except InputError as error:
        raise InputError(f"contact.Intersection(): {part.name}: {error}") from None


def _stiffness(layout: Layout, law: Contact) -> tuple[np.ndarray, np.ndarray]:
    """(parts,) moduli [Pa] and (tets,) widths [m] whose ratio is the stiffness of contact."""
    if law.response.stiffness is not None:
        tets = sum(part.elements.count for part in layout.parts)
        return np.full(len(layout.parts), float(law.response.stiffness)), np.ones(tets)
    modulus = np.array([initial_modulus(part.material) for part in layout.parts])
    if np.any(modulus <= 0):
        names = ", ".join(part.name for part, own in zip(layout.parts, modulus) if own <= 0)
        raise InputError(
            f"contact.Intersection(stiffness=None): {names} has no stiffness at rest to take it from; expected Pa/m"
        )
    widths = [part.elements.widths[part.elements.nodes].mean(axis=1) for part in layout.parts]
    return STIFFER * modulus, np.concatenate(widths)
