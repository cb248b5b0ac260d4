"""Signed distances made from something else, and a muscle's belly; the plain solids are sphere, box and their like."""

from .calls import published
from .geometry.distance import from_mesh
from .geometry.points_distance import from_points
from .geometry.sdf import spindle
from .geometry.volume_distance import from_volume

__all__ = ["from_mesh", "from_points", "from_volume", "spindle"]

published(__name__)
