"""Functions of time as tables, for scene files and checkpoints."""

from pliant.arguments.argument_errors import published
from pliant.effects.keyframes import Keyframes, Table

__all__ = ["Keyframes", "Table"]

published(__name__)
