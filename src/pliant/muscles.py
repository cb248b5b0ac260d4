"""Muscles inside bodies, and the directions of their fibres."""

from .calls import published
from .effects.muscles import EmbeddedMuscle
from .elements.fibre_field import FibreField

__all__ = ["EmbeddedMuscle", "FibreField"]

published(__name__)
