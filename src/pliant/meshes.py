"""Shapes to begin with: spheres, boxes, tori, rods and nets, sized by the same words as signed distances; hexahedra."""

from .calls import published
from .geometry.grids import box, net, rod, sphere, torus
from .geometry.hex_mesh import HexMesh, hex_box

__all__ = [
    "HexMesh",
    "box",
    "hex_box",
    "net",
    "rod",
    "sphere",
    "torus",
]

published(__name__)
