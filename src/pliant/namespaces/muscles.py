"""Muscles inside bodies, and the directions of their fibres."""

from pliant.arguments.argument_errors import published
from pliant.effects.elasticity.muscle_effect import EmbeddedMuscle
from pliant.elements.lattice.fibre_field import FibreField

__all__ = ["EmbeddedMuscle", "FibreField"]

published(__name__)
