"""Penalty contact of bodies: surfaces and stiffness of all scenes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...contact.automatic import Automatic
from ...contact.obstacles.deepest_points import curved
from ...contact.obstacles.obstacle_faces import FaceContact
from ...contact.pairs.contact_surface import Surface, joined
from ...contact.penalty.penalty_law import Penalty, hardness
from ...contact.penalty.penalty_springs import PenaltyContact
from ...energy.base import Energy, Step
from ...energy.sensitivity import Differentiable
from ...errors import InputError
from ...material.initial_modulus import initial_modulus
from ...runtime.device import Device
from ..effect_layout import Layout
from .body_contact import no_derivatives, surface_of, usual_edge
from .initial_overlap import refuse_nested
from .obstacle_contact import Contact, InPieces, ObstacleEffect, Obstacles, grips_of

VALUES = ()
OF_AN_EDGE = 0.5  # reach, where none is given


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    law = _law(layout)
    if law is None or not isinstance(law.response, Penalty):
        return []
    points = [energy for energy in made if isinstance(energy, ObstacleEffect) and curved(energy.obstacles)]
    solids = any(len(part.touching.triangles) for part in layout.parts if not part.elements.held_axes)
    meets = points and solids and law.response.meets_faces
    faces: list[Energy] = [ObstacleFaces(device, layout, law, points[0])] if meets else []
    flat = any(part.elements.held_axes for part in layout.parts)
    left_out = isinstance(law.response, Automatic) and (flat or not solids) and not law.self_contact
    return faces + ([BodyPenalty(device, layout, law)] if _meet(layout, law) and not left_out else [])


def _meet(layout: Layout, law: Contact) -> bool:
    """Whether there is anything that bodies could touch besides obstacles; a flat body touches these alone."""
    flat = all(part.elements.held_axes for part in layout.parts)
    several = len(layout.parts) > len(layout.effects) or (not flat and max(layout.components) > 1)
    return several or law.touches_itself


def _law(layout: Layout) -> Contact | None:
    given = layout.of(Obstacles)[0]
    return given[0].contact if given else None


class ObstacleFaces(InPieces, FaceContact):
    """The springs between the faces of all solids and sheets of a scene and those of its obstacles that are not flat."""

    undifferentiable = no_derivatives("Penalty")

    def __init__(self, device: Device, layout: Layout, law: Contact, points: ObstacleEffect):
        self._points_of, self._time, self.wholes = points, 0.0, points.wholes
        solids = [part for part in layout.parts if not part.elements.held_axes]
        surface = joined([surface_of(part, law.thickness, "Penalty") for part in solids])
        size = float(np.linalg.norm(np.ptp(layout.rest, axis=0)))
        stiffness = self._corners(layout, law)
        surface = surface.with_grips(grips_of(layout).of(np.array([part.index for part in solids])))
        super().__init__(device, surface, points.obstacles, stiffness, law.friction, law.smoothing, size)

    def _corners(self, layout: Layout, law: Contact) -> np.ndarray:
        """(p,) stiffness of the points of solids [N/m]."""
        own = np.concatenate([np.full(part.touching.count, not part.elements.held_axes, bool) for part in layout.parts])
        return self._points_of.point_stiffness(layout, law)[own]

    def begin(self, step: Step) -> None:
        self._time = step.time
        super().begin(step)

    def adopt(self, layout: Layout) -> None:
        given = layout.of(Obstacles)[0][0]
        law = given.contact
        if any(now is not before for now, before in zip(given.pieces, self.obstacles)):
            self.reshape(given.pieces)
            self.place(self._time)
        self.stiffen(self._corners(layout, law))
        self.rub(grips_of(layout).obstacles)
        self.smoothing = float(law.smoothing)


class BodyPenalty(Differentiable, PenaltyContact):
    """The springs between all parts of a scene; scenes side by side share the law of contact."""

    undifferentiable = no_derivatives("Penalty")

    def __init__(self, device: Device, layout: Layout, law: Contact):
        surface = joined([surface_of(part, law.thickness, "Penalty") for part in layout.parts])
        surface = surface.with_grips(grips_of(layout))
        sizes = (len(layout.parts),) if layout.sizes is None else layout.sizes
        scene = np.repeat(np.arange(len(sizes)), sizes)[surface.part]
        own = law.touches_itself or len(surface.alone) > len(layout.parts)  # threads meet their own body alone
        if not len(surface.triangles) and not (own and len(surface.edges)):
            names = ", ".join(part.name for part in layout.parts)
            raise InputError(
                f"contact.Penalty(): none of {names} has faces that others could touch; expected tets, sheets or rigid bodies "
                "among them, or Body(…, surface=…)"
            )
        if layout.begins is not None and layout.begins.x is None and law.fallback is None:
            refuse_nested(layout, surface, "Penalty", wholly=True)  # others find a way out
        of = np.searchsorted(surface.body[surface.triangles[:, 0]], np.arange(len(surface.alone) + 1))
        closed = np.array([_has_inside(surface.triangles[i:j]) for i, j in pairwise(of)])
        reach = OF_AN_EDGE * usual_edge(surface, "Penalty") if law.response.reach is None else law.response.reach
        modulus, length = _stiffness(layout, law, surface)
        self._thick = law.thickness
        numbers = (modulus, length, reach, layout.count, scene, closed, law.friction)
        super().__init__(device, surface, *numbers, law.touches_itself, law.response.damping)

    def adopt(self, layout: Layout) -> None:
        law = _law(layout)
        self.rub(grips_of(layout))
        self.damping = float(law.response.damping)
        if law.thickness != self._thick:
            self._thick = law.thickness
            thickness = np.concatenate([surface_of(part, law.thickness, "Penalty").thickness for part in layout.parts])
            self.skin.thickness.assign(thickness)
            self.thickest = float(thickness.max(initial=0.0))
        for array, values in zip((self.skin.modulus, self.skin.length), _stiffness(layout, law, self.surface)):
            array.assign(values)


def _has_inside(triangles: np.ndarray) -> bool:
    """Whether every edge of the triangles has one on either side."""
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    return bool(len(edges) and np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2))


def _stiffness(layout: Layout, law: Contact, surface: Surface) -> tuple[np.ndarray, np.ndarray]:
    """(bodies,) moduli [Pa] and (p,) lengths [m] whose product is the stiffness of points."""
    if law.response.stiffness is not None:
        return np.full(len(surface.alone), law.response.stiffness), np.ones(surface.count)
    modulus = np.array([part.elements.yielding * initial_modulus(part.material) for part in layout.parts])
    if np.any(modulus <= 0):
        names = ", ".join(part.name for part, own in zip(layout.parts, modulus) if own <= 0)
        raise InputError(f"contact.Penalty(stiffness=None): {names} has no stiffness at rest to take it from; expected N/m")
    lengths = [part.touching.lengths / part.elements.yielding for part in layout.parts]
    return hardness(law.response) * modulus[surface.part], np.concatenate(lengths)
