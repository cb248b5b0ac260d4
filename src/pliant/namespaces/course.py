"""Functions of time as tables, which scene files can hold and checkpoints keep."""

from pliant.arguments.argument_errors import published
from pliant.effects.keyframes import Keyframes, Table

__all__ = ["Keyframes", "Table"]

published(__name__)
