"""What is remembered from one step to the next, by energies and by solvers, so that a state can carry it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

Memory = dict[str, wp.array]


class Remembers:
    """Something with a memory: arrays that a later step depends on and that are no function of positions, time and values."""

    @property
    def memory(self) -> Memory:
        """Name → array; the items, nodes or elements, run along the last axis."""
        return {}

    def recall(self, memory: Memory) -> None:
        """Put back what ``memory`` held at another time; names that it does not have stay as they are."""
        for name, now in self.memory.items():
            if name in memory and memory[name] is not now and memory[name].shape == now.shape:
                wp.copy(now, memory[name])

    def carried(self, nearest: np.ndarray, count: int) -> Memory:
        """The memory on a new mesh, ``nearest`` being the old node closest to each new one, of ``count``.

        Arrays over the nodes follow them; what is over elements is left out, and begins anew.
        """
        of_nodes = {name: a for name, a in self.memory.items() if a.shape[-1] == count}
        return {
            name: wp.array(np.take(a.numpy(), nearest, axis=a.ndim - 1), dtype=a.dtype, device=a.device)
            for name, a in of_nodes.items()
        }

    def on_copies(self, memory: Memory, parents: Sequence[np.ndarray | None]) -> Memory:
        """The carried memory where elements of some bodies are copies of ``parents``; what is over nodes stays."""
        return memory

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        """Raise ValueError where arrays from a file cannot be a memory in a scene of ``count`` nodes."""
        for name, now in self.memory.items():
            there = now.numpy()
            values = saved.get(name)
            if values is None or values.shape != there.shape or values.dtype.kind != there.dtype.kind:
                given = "missing" if values is None else f"{values.dtype} of shape {values.shape}"
                raise ValueError(f"{name} is {given}; expected {there.dtype} of shape {there.shape}")
            if not np.isfinite(values).all():
                raise ValueError(f"{name} is not finite")


def recall_rows(now: Memory, memory: Memory) -> None:
    """Put back arrays (k, n) over nodes, of which there may have been more or fewer rows to spare."""
    for name, own in now.items():
        if name in memory and memory[name] is not own and len(memory[name]) == len(own):
            rows = min(own.shape[1], memory[name].shape[1])
            wp.copy(own[:, :rows], memory[name][:, :rows])
