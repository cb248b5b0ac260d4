"""Mesh primitives, hexahedra, tissues of a scan, looks and groups."""

from pliant.arguments.argument_errors import published
from pliant.elements.bounding_tets import bounding_tets
from pliant.geometry.lattice.hex_mesh import HexMesh, hex_box
from pliant.geometry.mesh.groups import Group
from pliant.geometry.mesh.mesh_looks import Finish, Looks
from pliant.geometry.mesh.primitives import box, net, rod, sphere, torus
from pliant.geometry.tetrahedra.label_tets import from_labels

__all__ = [
    "Finish", "Group", "HexMesh", "Looks", "bounding_tets", "box", "from_labels", "hex_box", "net", "rod", "sphere",
    "torus",
]  # fmt: skip

published(__name__)
