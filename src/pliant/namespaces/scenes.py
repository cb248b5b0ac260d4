"""Scenes that other programs describe, as bodies and obstacles: scenes.read("robot.urdf"), with a list of what does not map."""

from pliant.arguments.argument_errors import published
from pliant.importers.scene_contents import Contents
from pliant.importers.scene_reader import read

__all__ = ["Contents", "read"]

published(__name__)
