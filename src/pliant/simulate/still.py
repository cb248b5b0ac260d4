"""One frame of what is not simulated yet: a scene at rest, or one of its bodies."""

from __future__ import annotations

import numpy as np

from .body import Body, Scene
from .embed import skins_of
from .props import props_of
from .run import Run


def still(thing: Body | Scene) -> Run:
    """A run of one frame, at rest."""
    scene = thing if isinstance(thing, Scene) else Scene([thing])
    rest = np.concatenate([body.shape.rest for body in scene.bodies])
    props = props_of(scene.obstacles, [[obstacle.pose(0.0) for obstacle in scene.obstacles]], rest[None])
    return Run.single(np.zeros(1), rest[None], np.zeros_like(rest)[None], rest, skins_of(scene), props)
