"""Contacts as energies tell of them: which mixtures of nodes press each other, along which normal and with which forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..elements.embedded_surface import widened

GONE = 0.5e30  # [m] gaps from here on are those of what presses no longer


@dataclass(frozen=True, eq=False)
class Pressed:
    """c contacts: weights of nodes sum to 1 on the first side and to −1 on the second; an obstacle has no nodes.

    The first side feels ``push`` [N] along ``normal``, which points to it from the second, and ``friction`` [N]. ``gap`` [m] is
    infinite where only friction of the step's start is left.
    """

    nodes: np.ndarray  # (c, k)
    weights: np.ndarray  # (c, k)
    normal: np.ndarray  # (c, 3)
    push: np.ndarray  # (c,)
    friction: np.ndarray  # (c, 3)
    gap: np.ndarray  # (c,)
    obstacle: np.ndarray  # (c,) number of the obstacle on the second side; −1 for a body

    @classmethod
    def of(
        cls, nodes: np.ndarray, weights: np.ndarray, pressing: np.ndarray, friction: np.ndarray, gap: np.ndarray,
        normal: np.ndarray, obstacle: int = -1,
    ) -> Pressed:  # fmt: skip
        """Those with a force on their first side; ``normal`` is for those that ``pressing`` (c, 3) has no direction of."""
        push = np.linalg.norm(pressing, axis=1)
        there = np.flatnonzero((push > 0) | np.any(friction != 0, axis=1))
        own = np.where(push[there, None] > 0, pressing[there] / np.maximum(push[there, None], 1e-300), normal[there])
        gap = np.where((gap[there] < GONE) & (push[there] > 0), gap[there], np.inf)
        number = np.full(len(there), obstacle)
        return cls(nodes[there], weights[there], own, push[there], friction[there].astype(float), gap, number)

    @classmethod
    def all_of(cls, parts: Sequence[Pressed]) -> Pressed:
        """All of them as one; an empty one of none."""
        parts = [part for part in parts if len(part)]
        if not parts:
            none, three = np.zeros(0), np.zeros((0, 3))
            return cls(np.zeros((0, 1), int), np.zeros((0, 1)), three, none, three, none, np.zeros(0, int))
        wide = max(part.nodes.shape[1] for part in parts)
        mixed = [widened(part.nodes, part.weights, wide) for part in parts]
        parts = [replace(part, nodes=nodes, weights=weights) for part, (nodes, weights) in zip(parts, mixed)]
        return cls(*(np.concatenate([getattr(part, item.name) for part in parts]) for item in fields(cls)))

    def __len__(self) -> int:
        return len(self.push)

    @property
    def force(self) -> np.ndarray:
        """(c, 3) on the first side [N]."""
        return self.push[:, None] * self.normal + self.friction

    def sides(self, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(c,) the part on the first side and on the second, by the ``starts`` of rows of parts, and (c, k) what of the nodes is
        on the first. Nodes of a rigid body have weights of either sign, whose sum tells; only soft ones touch themselves."""
        owner = np.searchsorted(starts, self.nodes, side="right") - 1
        lead = owner[:, :1]
        with_lead, there = owner == lead, self.weights != 0
        leads = np.sum(np.where(with_lead, self.weights, 0.0), axis=1) > 0
        several = np.any(there & ~with_lead, axis=1)
        follower = owner[np.arange(len(self)), np.argmax(there & ~with_lead, axis=1)]
        other = np.where(several, follower, lead[:, 0])
        one = np.where(leads | ~several, lead[:, 0], other)
        first = np.where(several[:, None], owner == one[:, None], self.weights > 0)
        first |= (self.obstacle >= 0)[:, None]
        return one, np.where(one == other, lead[:, 0], other), first

    def places(self, x: np.ndarray, side: np.ndarray) -> np.ndarray:
        """(c, 3) the mean of the nodes at x (n, 3) that are on a ``side`` (c, k), by their weights [m]; 0 of none."""
        own = np.where(side, self.weights, 0.0)  # of nodes that carry both sides what is left of them
        total = own.sum(axis=1, keepdims=True)
        share = np.divide(own, total, out=np.zeros_like(own), where=total != 0)
        return np.einsum("ck,ckj->cj", share, x[self.nodes])

    def between(self, values: np.ndarray) -> np.ndarray:
        """(c, 3) what nodes have (n, 3) on the first side, less that on the second."""
        return np.einsum("ck,ckj->cj", self.weights, values[self.nodes].astype(float))
