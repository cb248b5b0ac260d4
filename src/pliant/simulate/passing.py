"""Bodies that pass through each other, since a scene has no contact between them: said once, when it is first seen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

MOST = 100  # bodies that are looked at


class Passing:
    """Watches the boxes around bodies, which have rows of x (n, 3) and a name, unless contact lets them ``touch`` each other."""

    def __init__(self, bodies: Sequence[Any], x: np.ndarray, touch: bool):
        boxes = _boxes(bodies, x) if not touch and len(bodies) <= MOST else []
        self._apart = [(i, j) for i, j in combinations(range(len(boxes)), 2) if not _meet(boxes[i], boxes[j])]

    @property
    def is_watching(self) -> bool:
        """Whether any two were apart and have not met."""
        return bool(self._apart)

    def seen(self, bodies: Sequence[Any], x: np.ndarray) -> str:
        """A sentence the first time that two boxes meet which were apart at first; nothing else."""
        boxes = _boxes(bodies, x) if self._apart else []
        for i, j in self._apart:
            if _meet(boxes[i], boxes[j]):
                self._apart = []
                return (
                    f"{bodies[i].name} and {bodies[j].name} may pass through each other: the scene has no contact between them; "
                    "expected Contact() with its default response, and bodies with faces."
                )
        return ""


def _boxes(bodies: Sequence[Any], x: np.ndarray) -> list[np.ndarray]:
    return [np.stack([own.min(axis=0), own.max(axis=0)]) for own in (x[body.rows] for body in bodies)]


def _meet(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.all((one[0] <= other[1]) & (other[0] <= one[1])))
