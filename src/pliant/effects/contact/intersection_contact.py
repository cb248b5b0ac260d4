"""Contact of intersecting bodies by surfaces cut along tets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...contact.intersection.intersection_energy import Intersection, IntersectionContact
from ...contact.intersection.intersection_result import Contacts, Found
from ...contact.intersection.surface_pieces import Pieces
from ...contact.pairs.pair_law import Grips
from ...energy.base import Energy
from ...energy.sensitivity import Differentiable
from ...errors import InputError
from ...material.initial_modulus import initial_modulus
from ...runtime.device import Device
from ..effect_layout import Layout
from .body_contact import BodyContact, ForcedContact, no_derivatives, refuse_batch, usual_edge
from .obstacle_contact import Contact, Obstacles, grips_of
from .penalty_contact import BodyPenalty
from .piece_surfaces import pieces_of

VALUES = ()
STIFFER = 10.0  # than the material, as against obstacles
CLEAR = 0.1  # of an edge, to which bodies are pushed apart for walls that cannot begin where they touch


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    given = layout.of(Obstacles)[0]
    law = given[0].contact if given else None
    response = None if law is None else _response(law)
    if response is None or (max(layout.components) < 2 and not _within(law)):
        return []
    refuse_batch(layout, response)
    if law.fallback is None:
        return [BodyIntersection(device, layout, law)]
    (near,) = (energy for energy in made if isinstance(energy, BodyPenalty | BodyContact | ForcedContact))
    return [Fallback(device, layout, law, near) if isinstance(near, BodyPenalty) else WayOut(device, layout, law, near)]


def _response(law: Contact) -> Intersection | None:
    """The intersection of a law, whether it is its response or its fallback."""
    return law.response if isinstance(law.response, Intersection) else law.fallback


def _within(law: Contact) -> bool:
    """Whether it parts parts of one body; a fallback parts bodies alone."""
    return law.fallback is None and law.touches_itself


class BodyIntersection(Differentiable, IntersectionContact):
    """The springs between all parts of a scene."""

    undifferentiable = no_derivatives("Intersection")

    def __init__(self, device: Device, layout: Layout, law: Contact):
        pieces = pieces_of(layout, "Intersection()")
        names = layout.touching_names
        numbers = (self._grips(layout), _response(law).recovery, _response(law).damping)
        given = (*_stiffness(layout, law, pieces), names, *numbers)
        super().__init__(device, pieces, layout.count, *given, itself=_within(law))

    @staticmethod
    def _grips(layout: Layout) -> Grips:
        return grips_of(layout).of(np.repeat(np.arange(len(layout.parts)), [part.components for part in layout.parts]))

    def adopt(self, layout: Layout) -> None:
        law = layout.of(Obstacles)[0][0].contact
        self.modulus, self.width = _stiffness(layout, law, self.pieces)
        self.grips, self.recovery = self._grips(layout), _response(law).recovery
        self.damping = float(_response(law).damping)


class Fallback(BodyIntersection):
    """The springs between those parts that are deeper in one another than an edge, which ``springs`` leave to it."""

    def __init__(self, device: Device, layout: Layout, law: Contact, springs: BodyPenalty):
        super().__init__(device, layout, law)
        self.springs, self.deep = springs, usual_edge(springs.surface, "Penalty")

    def look(self, x: wp.array, lasts: float = 0.0, rate: float = 0.0) -> None:
        super().look(x, lasts, rate)
        self.springs.leave(self.taken)

    def chosen(self, found: Found) -> Contacts:
        own = found.contacts
        depth = np.zeros((self.pieces.bodies,) * 2)
        np.maximum.at(depth, tuple(own.bodies.T), -own.gaps)
        self.taken = np.maximum(depth, depth.T) > self.deep
        return own.only(self.taken[tuple(own.bodies.T)])

    @property
    def remark(self) -> str:
        return super().remark if self.number else ""


class WayOut(BodyIntersection):
    """The springs between those parts that intersect, which ``walls`` cannot part and leave to it until they are out."""

    def __init__(self, device: Device, layout: Layout, law: Contact, walls: BodyContact | ForcedContact):
        super().__init__(device, layout, law)
        self.walls, self.clearance = walls, CLEAR * usual_edge(walls.surface)
        walls.fallback = self

    def look(self, x: wp.array, lasts: float = 0.0, rate: float = 0.0) -> None:
        super().look(x, lasts, rate)
        self.walls.leave(self.taken)

    def chosen(self, found: Found) -> Contacts:
        self.taken = np.zeros((self.pieces.bodies,) * 2, bool)
        for both in (self.pieces.body[found.pairs], found.contacts.bodies, np.array(found.contained, int).reshape(-1, 2)):
            self.taken[tuple(both.T)] = self.taken[tuple(both[:, ::-1].T)] = True
        return found.contacts

    @property
    def remark(self) -> str:
        if not self.taken.any():
            return ""
        a, b = np.argwhere(self.taken)[0]
        said = f"{self.names[a]} and {self.names[b]} intersected, and were pushed apart by Contact(fallback=…)"
        return "; ".join(words for words in (super().remark, said) if words)


def _stiffness(layout: Layout, law: Contact, pieces: Pieces) -> tuple[np.ndarray, np.ndarray]:
    """(bodies,) moduli [Pa] and (tets,) widths [m] whose ratio is the stiffness of contact."""
    response = _response(law)
    if response.stiffness is not None:
        return np.full(pieces.bodies, float(response.stiffness)), np.ones(len(pieces.tets))
    modulus = np.array([initial_modulus(part.material) for part in layout.parts])
    if np.any(modulus <= 0):
        names = ", ".join(part.name for part, own in zip(layout.parts, modulus) if own <= 0)
        raise InputError(f"contact.Intersection(stiffness=None): {names} has no stiffness at rest to take it from; expected Pa/m")
    widths = np.concatenate([part.elements.widths for part in layout.parts])[pieces.tets].mean(axis=1)
    return STIFFER * np.repeat(modulus, [part.components for part in layout.parts]), widths
