"""Boxes of crooked hexahedra, for the tests of several rooms."""

import numpy as np

from pliant.geometry.lattice.hex_mesh import HexMesh, hex_box


def bent(cells=(3, 2, 2), amount=0.06, seed=2) -> HexMesh:
    """A box of hexahedra, every vertex moved at random, so that no face is flat."""
    mesh = hex_box((1.0, 0.8, 0.6), cells, (0.1, 0.2, 0.3))
    return HexMesh(mesh.vertices + amount * np.random.default_rng(seed).uniform(-1, 1, mesh.vertices.shape), mesh.hexes)
