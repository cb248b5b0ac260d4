"""Flat bodies in the x–y plane, in plane strain or plane stress."""

from pliant.arguments.argument_errors import published
from pliant.elements.sheets.planar import PlaneStrain, PlaneStress, Triangles
from pliant.elements.sheets.squares import Squares

__all__ = ["PlaneStrain", "PlaneStress", "Squares", "Triangles"]

published(__name__)
