"""Results of an intersection search: regions and contacts of patches."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np


@dataclass(frozen=True, eq=False)
class Inside:
    """Parts of patches inside another body, (k,) each: sheet, region, patch, vector area [m²] and the middle in its tet.

    Sheets 2g and 2g + 1 are the surfaces of the bodies of pair g, as these meet.
    """

    sheet: np.ndarray
    region: np.ndarray
    patch: np.ndarray
    area: np.ndarray  # (k, 3)
    middle: np.ndarray  # (k, 4) barycentric
    triangles: np.ndarray  # (sheets,) wholly inside
    whole: np.ndarray  # (sheets,) patches that are, and were not looked into
    mismatched: np.ndarray  # (pairs,) triangles with sides whose ends and piercings disagree


@dataclass(frozen=True, eq=False)
class Region:
    """A part of two bodies that is inside of both: its vector areas [m²] and normal, which points out of the first body."""

    bodies: tuple[int, int]
    areas: np.ndarray  # (2, 3)
    normal: np.ndarray
    kind: str  # "" where the normal is that of the areas, or why it is not


@dataclass(frozen=True, eq=False)
class Contacts:
    """Mixtures of nodes of two bodies each, which are pushed apart along a normal that points out of the first.

    ``gap`` [m] is negative: minus the depth. ``name`` is the patch and the body around it, which persist over steps.
    """

    nodes: np.ndarray  # (c, 8) of the first and of the second body
    weights: np.ndarray  # (c, 8) the first four sum to −1, the others to 1
    normals: np.ndarray  # (c, 3)
    gaps: np.ndarray  # (c,)
    areas: np.ndarray  # (c,) along the normal [m²]
    name: np.ndarray  # (c, 2)
    bodies: np.ndarray  # (c, 2)

    @classmethod
    def none(cls) -> Contacts:
        """No contacts."""
        shapes = ((0, 8), int), ((0, 8), float), ((0, 3), float), (0, float), (0, float), ((0, 2), int), ((0, 2), int)
        return cls(*(np.zeros(shape, kind) for shape, kind in shapes))

    def with_more(self, other: Contacts) -> Contacts:
        """These and others."""
        both = ((getattr(contacts, each.name) for contacts in (self, other)) for each in fields(self))
        return Contacts(*(np.concatenate(list(pair)) for pair in both))

    def only(self, chosen: np.ndarray) -> Contacts:
        """Those that are chosen (c,)."""
        return Contacts(*(getattr(self, each.name)[chosen] for each in fields(self)))


@dataclass(eq=False)
class Found:
    """Results of one intersection search."""

    contacts: Contacts
    regions: list[Region] = field(default_factory=list)
    pairs: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), int))  # of triangles
    inside: Inside | None = None
    curves: int = 0
    open: int = 0  # open ends of curves
    contained: list[tuple[int, int]] = field(default_factory=list)  # a body, and the one that contains it
    lost: int = 0  # inner patches whose rays hit nothing

    def words(self, names: list[str]) -> str:
        """Why regions have no normal, and the fallback; empty where all have one."""
        said = [f"{names[a]} is wholly inside {names[b]}" for a, b in self.contained]
        folded = {region.bodies[0] for region in self.regions if region.kind and region.bodies[0] == region.bodies[1]}
        left = [f"{names[body]} intersects itself, which is not resolved" for body in sorted(folded)]
        for region in self.regions:
            one, other = (names[body] for body in region.bodies)
            if region.bodies[0] in folded and region.bodies[0] == region.bodies[1]:
                continue
            if region.kind == "tangled":
                said.append(f"{one} and {other}: the intersection curves are tangled")
            elif region.kind == "balanced":
                said.append(f"{one} passes right through {other}")
        return "; ".join([*said, *(["pushed out along the shortest path"] if said else []), *left])
