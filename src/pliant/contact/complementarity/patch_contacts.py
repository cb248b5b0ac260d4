"""Contact rows of intersecting bodies, one for each patch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp
from scipy import sparse

from ...energy.obstacles.obstacle_energy import Obstacle
from ...runtime.device import Device
from ..intersection.intersection_regions import Intersections
from ..intersection.intersection_result import Found
from ..intersection.surface_pieces import Pieces
from ..pairs.contact_surface import Surface
from .narrow_phase import NarrowPhase, Rows


class PatchPhase(NarrowPhase):
    """Finds intersections of bodies at the start of a step, and points of the surface that touch obstacles.

    Both are kept for the step; their rows let patches end it no deeper than they began it, and leave little by
    little.
    """

    def __init__(self, device: Device, surface: Surface, gap: float, nodes: int, obstacles: Sequence[Obstacle], pieces: Pieces):
        super().__init__(device, surface, gap, nodes, obstacles, pairs=False)
        self.intersections = Intersections(device, pieces, np.zeros(pieces.bodies, int), apart=surface.apart)
        self.found: Found | None = None

    def begin(self, x: wp.array, origin: wp.array | None = None) -> None:
        super().begin(x, origin)
        self.start = self.device.read(x).copy()
        self.found = self.intersections.find(self.device.array(self.start, self.device.types.position))

    def _of_pairs(self, trusted: bool, friction: float, begun: np.ndarray, at: np.ndarray, then: np.ndarray) -> list[Rows]:
        contacts = self.found.contacts
        count = len(contacts.gaps)
        if not count:
            return []
        rows = np.repeat(np.arange(count), contacts.nodes.shape[1])
        entries = (contacts.weights.ravel(), (rows, contacts.nodes.ravel()))
        mixture = sparse.csr_matrix(entries, shape=(count, self.nodes))
        name = np.column_stack([contacts.name, np.zeros((count, 2))]).astype(np.int32)
        given = (name, mixture, contacts.normals, np.zeros(count), 0.0, mixture @ self.start)
        grips = self.surface.grips
        return [self._law(*given, friction if grips is None else grips.between(*contacts.bodies.T))]
