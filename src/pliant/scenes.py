"""Scenes that other programs describe, as bodies and obstacles: scenes.read("robot.urdf"), with a list of what does not map."""

from .calls import published
from .described.contents import Contents
from .described.read import read

__all__ = ["Contents", "read"]

published(__name__)
