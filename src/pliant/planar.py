"""Flat bodies in the x–y plane, in plane strain or plane stress."""

from .calls import published
from .elements.planar import PlaneStrain, PlaneStress, Triangles
from .elements.squares import Squares

__all__ = ["PlaneStrain", "PlaneStress", "Squares", "Triangles"]

published(__name__)
