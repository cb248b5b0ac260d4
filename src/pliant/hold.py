"""How a Hold holds a body: by=hold.Rigidly(…), hold.Springs(…) or hold.Weakly(…)."""

from .calls import published
from .effects.holding import Rigidly, Springs, Weakly

__all__ = ["Rigidly", "Springs", "Weakly"]

published(__name__)
