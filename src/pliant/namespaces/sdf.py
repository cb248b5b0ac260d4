"""Signed distances made from something else, and a muscle's belly; the plain solids are sphere, box and their like."""

from pliant.arguments.argument_errors import published
from pliant.geometry.distance.mesh_distance import from_mesh
from pliant.geometry.distance.points_distance import from_points
from pliant.geometry.distance.sdf import spindle
from pliant.geometry.distance.volume_distance import from_volume

__all__ = ["from_mesh", "from_points", "from_volume", "spindle"]

published(__name__)
