"""Spheres, boxes, tori, rods and nets, sized by the words of signed distances; hexahedra; tissues of a scan; looks; groups."""

from .calls import published
from .geometry.grids import box, net, rod, sphere, torus
from .geometry.groups import Group
from .geometry.hex_mesh import HexMesh, hex_box
from .geometry.labelled import from_labels
from .geometry.looks import Finish, Looks

__all__ = ["Finish", "Group", "HexMesh", "Looks", "box", "from_labels", "hex_box", "net", "rod", "sphere", "torus"]

published(__name__)
