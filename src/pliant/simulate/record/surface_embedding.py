"""Surface embedding of bodies: fixed weights on element nodes."""

from __future__ import annotations

import numpy as np

from ...elements.base import Elements
from ...geometry.mesh.mesh import TriMesh
from ..scene.body import Scene
from .deformed_solid import Solid
from .run import Skin


def skin_of(name: str, start: int, elements: Elements, surface: TriMesh | None) -> Skin:
    """How the body is drawn: by ``surface`` if there is one, else by the elements' own boundary."""
    bound = elements.drawn(surface)
    solid = Solid.of(elements) if elements.has_cut else None
    drawn = getattr(elements, "surface", getattr(elements, "mesh", None)) if surface is None else surface
    looks = getattr(drawn, "looks", None)
    if looks is not None and not looks.fits(bound.triangles):
        looks = None  # it is drawn by other triangles
    return Skin(
        name, start, start + len(elements.rest), bound.triangles, bound.nodes, bound.weights,
        tets=elements.tets, edges=bound.edges, solid=solid, hexes=elements.hexes, looks=looks,
    )  # fmt: skip


def skins_of(scene: Scene) -> tuple[Skin, ...]:
    """How the bodies of a scene are drawn."""
    starts = np.cumsum([0, *(len(body.shape.rest) for body in scene.bodies)])
    return tuple(
        skin_of(name, int(start), body.shape, body.surface) for name, start, body in zip(scene.names, starts, scene.bodies)
    )
