"""The state of a run: all that a step begins with and all that it leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import warp as wp

from ..energy.memory import Memory, remembering
from ..runtime.vectors import Vectors


@dataclass(frozen=True, eq=False)
class Provenance:
    """Where the nodes of a new mesh come from: (n, k) ``nodes`` of the old one, combined with ``weights``."""

    nodes: np.ndarray
    weights: np.ndarray
    cells: tuple[np.ndarray | None, ...] = ()  # of each body whose elements are others (m,) old ones, else None

    def combined(self, values: np.ndarray) -> np.ndarray:
        """(n, …) values at the new nodes, of those at the old ones."""
        return np.einsum("nk,nk...->n...", self.weights, values[self.nodes])

    @property
    def nearest(self) -> np.ndarray:
        """(n,) the old node with the largest weight."""
        return self.nodes[np.arange(len(self.nodes)), np.argmax(self.weights, axis=1)]


def _copied(array: wp.array) -> wp.array:
    """A copy of an array; one without items, on which nobody can write, is its own."""
    return wp.clone(array) if array.size else array


class State:
    """Positions, velocities and accelerations now and one step ago, the time t [s], and every memory of a run.

    ``owners`` says who remembers, by name: a state that belongs to a run works on their arrays, a copy has its own. Rows
    after the first ``alive`` (all, unless told) are no nodes, but to spare.
    """

    FIELDS = ("x", "v", "a", "x_before", "v_before")
    POSITIONS = ("x", "x_before")

    def __init__(self, vectors: Vectors, owners: Callable[[], Mapping[str, Any]] = dict, alive: int | None = None):
        self.alive = vectors.count if alive is None else alive
        for name in self.FIELDS:
            setattr(self, name, vectors.positions() if name in self.POSITIONS else vectors.new())
        self.vectors, self.owners = vectors, owners
        self.t, self.steps = 0.0, 0
        self._copied: dict[str, Memory] | None = None
        self._before: dict[str, Memory] = {}

    x: wp.array
    v: wp.array
    a: wp.array
    x_before: wp.array
    v_before: wp.array

    @property
    def memory(self) -> dict[str, Memory]:
        """Owner → name → array, of those who remember something."""
        if self._copied is not None:
            return self._copied
        memories = {name: owner.memory for name, owner in self.owners().items()}
        return {name: memory for name, memory in memories.items() if memory}

    def copy(self) -> State:
        """The state as it is now, for ``assign`` at any later time."""
        other = State(self.vectors, alive=self.alive)
        for name in self.FIELDS:
            self.vectors.copy(getattr(self, name), getattr(other, name))
        other.t, other.steps = self.t, self.steps
        other._copied = {owner: {k: _copied(a) for k, a in memory.items()} for owner, memory in self.memory.items()}
        return other

    def assign(self, other: State) -> None:
        """Go back, or forward, to another state of the same run; rows to spare may be more or fewer."""
        rows = min(self.vectors.count, other.vectors.count)
        for name in self.FIELDS:
            self.vectors.copy(getattr(other, name)[:rows], getattr(self, name)[:rows])
        self.t, self.steps = other.t, other.steps
        self.recall(other.memory)

    def recall(self, memory: Mapping[str, Memory]) -> None:
        """Put memories back; owners that are not named keep theirs."""
        for name, owner in self.owners().items():
            if name in memory:
                remembering(owner).recall(memory[name])

    def remember(self) -> dict[str, Memory]:
        """A copy of all memories, valid until the next call: what a step that fails goes back to."""
        for owner, memory in self.memory.items():
            before = self._before.setdefault(owner, {})
            for name, now in memory.items():
                if name not in before or before[name].shape != now.shape:
                    before[name] = _copied(now)
                elif now.size:
                    self.vectors.copy(now, before[name])
        return self._before

    def back(self, owners: Iterable[str]) -> dict[str, Memory]:
        """Put back, for some owners, what ``remember`` kept; returns a copy of what they held until now, for ``recall``."""
        now = {name: {key: wp.clone(a) for key, a in self.memory[name].items()} for name in owners}
        self.recall({name: self._before[name] for name in owners if name in self._before})
        return now

    def recall_some(self, memory: Mapping[str, Memory], groups: np.ndarray) -> None:
        """Put back the memories of some of the groups, whose items lie one group after the other."""
        for name, owner in self.owners().items():
            for key, now in owner.memory.items():
                if not now.size:
                    continue
                ends = owner.sums.bounds.numpy()
                items = np.concatenate([np.arange(ends[g], ends[g + 1]) for g in groups])
                values, old, axis = now.numpy().copy(), memory[name][key].numpy(), now.ndim - 1
                here = (slice(None),) * axis + (items,)
                values[here] = old[here]
                now.assign(values)
            remembering(owner).recall(owner.memory)  # for what follows from it

    def carried(self, vectors: Vectors, provenance: Provenance) -> State:
        """The state on other nodes, for a run with the same effects on a new mesh.

        Memories of nodes follow the nearest old node, those of flow its element; those of other elements, and of what is
        not there any more, start afresh.
        """
        other = State(vectors, alive=len(provenance.nodes))
        first, mixed = provenance.nodes[:, 0], np.flatnonzero(provenance.weights[:, 0] != 1)
        nodes, weights = provenance.nodes[mixed], provenance.weights[mixed]
        for name in self.FIELDS:
            values = getattr(self, name).numpy()
            mean = np.zeros((vectors.count, 3), values.dtype)
            mean[: len(first)] = values[first]
            mean[mixed] = np.einsum("nk,nkc->nc", weights, values[nodes])
            getattr(other, name).assign(mean)
        other.t, other.steps = self.t, self.steps
        nearest, count = provenance.nearest, self.vectors.count
        other._copied = {
            name: remembering(owner).carried(nearest, count, provenance.cells) for name, owner in self.owners().items()
        }
        return other
