"""Bodies that pass through each other, since a scene has no contact between them: said once, when it is first seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

MOST = 100  # bodies that are looked at


class InterpenetrationWarning:
    """Watches the boxes around bodies, which have rows of x (n, 3) and a name, unless contact lets them ``touch`` each other."""

    def __init__(self, bodies: Sequence[Any], x: np.ndarray, touch: bool):
        boxes = boxes_of(x, [body.rows for body in bodies]) if not touch and len(bodies) <= MOST else []
        self._apart = [(i, j) for i, j in combinations(range(len(boxes)), 2) if in_common(boxes[i], boxes[j]) < 0]

    @property
    def is_watching(self) -> bool:
        """Whether any two were apart and have not met."""
        return bool(self._apart)

    def seen(self, bodies: Sequence[Any], x: np.ndarray) -> str:
        """A sentence the first time that two boxes meet which were apart at first; nothing else."""
        boxes = boxes_of(x, [body.rows for body in bodies]) if self._apart else []
        for i, j in self._apart:
            if in_common(boxes[i], boxes[j]) >= 0:
                self._apart = []
                return (
                    f"{bodies[i].name} and {bodies[j].name} may pass through each other: the scene has no contact between them; "
                    "expected Contact() with its default response, and bodies with faces."
                )
        return ""


def boxes_of(x: np.ndarray, rows: Iterable[slice]) -> list[np.ndarray]:
    """(2, 3) the ends of the box around each of some rows of x (n, 3) [m]."""
    return [np.stack([x[own].min(axis=0), x[own].max(axis=0)]) for own in rows]


def in_common(one: np.ndarray, other: np.ndarray) -> float:
    """The least side of the common part of two boxes (2, 3), below 0 where they are apart [m]."""
    return float((np.minimum(one[1], other[1]) - np.maximum(one[0], other[0])).min())
