"""How a Hold holds a body: by=hold.Rigidly(…), hold.Springs(…) or hold.Weakly(…)."""

from pliant.arguments.argument_errors import published
from pliant.effects.elasticity.holds import Rigidly, Springs, Weakly

__all__ = ["Rigidly", "Springs", "Weakly"]

published(__name__)
