"""What is remembered from one step to the next, by energies and by solvers, so that a state can carry it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import warp as wp

Memory = dict[str, wp.array]
Parents = Sequence[
    np.ndarray | None
]  # of each body the elements before a cut that its elements are copies of, if others


class Remembers:
    """An owner of a memory, arrays that a later step depends on and that are no function of positions, time and values, with
    more to do than to copy them where they are put back."""

    memory: Memory  # name → array; the items, nodes or elements, run along the last axis

    def recall(self, memory: Memory) -> None:
        """Put back what ``memory`` held at another time; names that it does not have stay as they are."""
        _copy_back(self.memory, memory)

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        """Raise ValueError where arrays from a file cannot be a memory in a scene of ``count`` nodes."""
        _check(self.memory, saved)


class Remeshed:
    """An owner of a memory that does more, where the mesh changes, than to let arrays over the nodes follow them."""

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """The memory on a new mesh, ``nearest`` being the old node closest to each new one, of ``count``; what is left out
        begins anew."""
        raise NotImplementedError


def recall(owner: Any, memory: Memory) -> None:
    """Put back what the memory of an owner held at another time."""
    if isinstance(owner, Remembers):
        owner.recall(memory)
    else:
        _copy_back(owner.memory, memory)


def check(owner: Any, saved: dict[str, np.ndarray], count: int) -> None:
    """Raise ValueError where arrays from a file cannot be the memory of an owner in a scene of ``count`` nodes."""
    if isinstance(owner, Remembers):
        owner.check(saved, count)
    else:
        _check(owner.memory, saved)


def carried(owner: Any, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
    """The memory of an owner on a new mesh, as Remeshed.carried says; else arrays over the nodes follow the nearest ones."""
    if isinstance(owner, Remeshed):
        return owner.carried(nearest, count, parents)
    of_nodes = {name: a for name, a in owner.memory.items() if a.shape[-1] == count}
    return {
        name: wp.array(np.take(a.numpy(), nearest, axis=a.ndim - 1), dtype=a.dtype, device=a.device)
        for name, a in of_nodes.items()
    }


def _copy_back(here: Memory, memory: Memory) -> None:
    for name, now in here.items():
        if name in memory and memory[name] is not now and memory[name].shape == now.shape:
            wp.copy(now, memory[name])


def _check(here: Memory, saved: dict[str, np.ndarray]) -> None:
    for name, now in here.items():
        there, values = now.numpy(), saved.get(name)
        if values is None or values.shape != there.shape or values.dtype.kind != there.dtype.kind:
            given = "missing" if values is None else f"{values.dtype} of shape {values.shape}"
            raise ValueError(f"{name} is {given}; expected {there.dtype} of shape {there.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name} is not finite")
