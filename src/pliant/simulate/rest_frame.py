"""One frame of what is not simulated yet: a scene at rest, or one of its bodies."""

from __future__ import annotations

import numpy as np

from .record.nodal_fields import material_values, of_materials
from .record.obstacle_surfaces import props_of
from .record.run import Run
from .record.surface_embedding import skins_of
from .scene.body import Body, Scene
from .scene.scene_layout import layout_of


def still(thing: Body | Scene, field: str | None = None) -> Run:
    """A run of one frame, at rest; with a parameter of the materials as its field, where it is one."""
    scene = thing if isinstance(thing, Scene) else Scene([thing])
    rest = np.concatenate([body.shape.rest for body in scene.bodies])
    props = props_of(scene.obstacles, [[obstacle.pose(0.0) for obstacle in scene.obstacles]], rest[None])
    parts = layout_of([scene]).parts
    fields = {field: material_values(parts, field)[None]} if field in of_materials(parts) else {}
    return Run.single(np.zeros(1), rest[None], np.zeros_like(rest)[None], rest, skins_of(scene), props, fields=fields)
