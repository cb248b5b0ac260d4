"""Functions of time as tables, which scene files can hold and checkpoints keep."""

from .calls import published
from .effects.keyframes import Keyframes, Table

__all__ = ["Keyframes", "Table"]

published(__name__)
