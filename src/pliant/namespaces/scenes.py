"""Importers of other programs' scenes: scenes.read("robot.urdf")."""

from pliant.arguments.argument_errors import published
from pliant.importers.scene_contents import Contents
from pliant.importers.scene_reader import read

__all__ = ["Contents", "read"]

published(__name__)
