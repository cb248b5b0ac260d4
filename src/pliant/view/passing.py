"""Bodies that pass through each other, since a scene has no contact between them: said once, when it is first seen."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..simulate.simulation import Simulation

MOST = 100  # bodies that are looked at


class Passing:
    """Watches the boxes around the bodies of a scene in which they do not touch each other."""

    def __init__(self, sim: Simulation):
        count = len(sim.bodies) if sim.scene.contact.response is None else 0
        pairs = combinations(range(count), 2) if count <= MOST else ()
        self._apart = [(i, j) for i, j in pairs if not _meet(sim, i, j)]

    def seen(self, sim: Simulation) -> str:
        """A sentence the first time that two boxes meet which were apart at first; nothing else."""
        for i, j in self._apart:
            if _meet(sim, i, j):
                self._apart = []
                names = " and ".join(sim.bodies[k].name for k in (i, j))
                return (
                    f"{names} may pass through each other: bodies touch only what the scene says, such as "
                    "Contact(response=contact.Penalty())."
                )
        return ""


def _meet(sim: Simulation, i: int, j: int) -> bool:
    (low, high), (least, most) = ((x.min(axis=0), x.max(axis=0)) for x in (sim.bodies[k].x for k in (i, j)))
    return bool(np.all((low <= most) & (least <= high)))
