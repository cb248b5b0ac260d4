"""Memory of energies and solvers from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

Memory = dict[str, wp.array]
Parents = Sequence[np.ndarray | None]  # of each body the elements before a cut that its elements are copies of, if others


class Remembers:
    """An owner of a memory with more to do than to copy its arrays, or to let those over the nodes follow them."""

    memory: Memory  # name → array; the items, nodes or elements, run along the last axis

    def recall(self, memory: Memory) -> None:
        """Put back what ``memory`` held at another time; names that it does not have stay as they are."""
        for name, now in self.memory.items():
            if name in memory and memory[name] is not now and memory[name].shape == now.shape:
                wp.copy(now, memory[name])

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """The memory on a new mesh, ``nearest`` being the old node closest to each new one, of ``count``.

        Arrays over the nodes follow them; what is over elements is left out, and begins anew.
        """
        of_nodes = {name: a for name, a in self.memory.items() if a.shape[-1] == count}
        return {
            name: wp.array(np.take(a.numpy(), nearest, axis=a.ndim - 1), dtype=a.dtype, device=a.device)
            for name, a in of_nodes.items()
        }

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        """Raise ValueError where arrays from a file cannot be a memory in a scene of ``count`` nodes."""
        for name, now in self.memory.items():
            there, values = now.numpy(), saved.get(name)
            if values is None or values.shape != there.shape or values.dtype.kind != there.dtype.kind:
                given = "missing" if values is None else f"{values.dtype} of shape {values.shape}"
                raise ValueError(f"{name} is {given}; expected {there.dtype} of shape {there.shape}")
            if not np.isfinite(values).all():
                raise ValueError(f"{name} is not finite")


class _Plain(Remembers):
    """The memory of an owner with no more to do."""

    def __init__(self, memory: Memory):
        self.memory = memory


def remembering(owner: Any) -> Remembers:
    """An owner of a memory, with the verbs for it."""
    return owner if isinstance(owner, Remembers) else _Plain(owner.memory)


def recall_rows(now: Memory, memory: Memory) -> None:
    """Put back arrays (k, n) over nodes, of which there may have been more or fewer rows to spare."""
    for name, own in now.items():
        if name in memory and memory[name] is not own and len(memory[name]) == len(own):
            rows = min(own.shape[1], memory[name].shape[1])
            wp.copy(own[:, :rows], memory[name][:, :rows])
