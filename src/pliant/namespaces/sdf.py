"""Signed distances from meshes, points and volumes, also of deformed bodies."""

from pliant.arguments.argument_errors import published
from pliant.geometry.distance.mesh_distance import from_mesh
from pliant.geometry.distance.points_distance import from_points
from pliant.geometry.distance.sdf import spindle
from pliant.geometry.distance.volume_distance import from_volume
from pliant.geometry.lattice.distance_advection import DirectForward, SemiLagrange, Shepard

__all__ = ["DirectForward", "SemiLagrange", "Shepard", "from_mesh", "from_points", "from_volume", "spindle"]

published(__name__)
