"""Background Cholesky: a factor computed asynchronously, used some steps later."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...runtime.device import Device
from ..factor.corotational_factor import CorotationalFactor, CutFactor
from ..matrix.background import BackgroundWork
from ..matrix.system import System
from .preconditioners import Apply, Cholesky

SIDES = ("front", "back")
LONGEST = 4  # times ``steps``: largest age of a factor from before cuts


@dataclass(frozen=True)
class AsyncCholesky:
    """The factor of a matrix of some steps ago, rotated with the body, and computed by a background thread.

    ``steps`` after a snapshot of the matrix was taken, its factor replaces the old one, and the next snapshot
    is taken: the factor in use is ``steps`` to twice as many steps old. No step waits for it unless it takes longer than
    that. Runs are the same bit for bit, at any speed of the thread, unless ``eager`` uses every factor as soon as
    it is ready. On a GPU it is computed there, on a second stream. The first step of a run, and the first after the
    pattern of the matrix changes, wait for theirs; with ``through_cuts`` those after a cut or a tear do not: the old factor
    is kept, copies of a node moving as one in it, while the thread computes another. That is for steps of a few
    iterations, which then take several times as many; for tightly solved steps the wait costs less. Where cuts
    follow each other so fast that it would become older than ``4 steps``, and on a GPU, a step waits. Where contact couples
    nodes, and within ``steps`` after such a cut, a checkpoint continues to the tolerance only. Outside of steps, for operators
    and adjoints, it is Cholesky().
    """

    steps: int = 8
    eager: bool = False
    through_cuts: bool = False

    assembled = True
    batch = 2

    def __post_init__(self):
        checks.whole("AsyncCholesky(steps=…)", self.steps)
        checks.flag("AsyncCholesky(eager=…)", self.eager)
        checks.flag("AsyncCholesky(through_cuts=…)", self.through_cuts)

    def remembered(self, device: Device, memory: dict[type, Any]) -> AsyncFactor:
        """The snapshots and factors in the memory of a solver between steps."""
        if AsyncFactor not in memory:
            memory[AsyncFactor] = AsyncFactor(device)
        return memory[AsyncFactor]

    def prepare(self, system: System) -> Apply:
        """A function apply(r, z); factors are exchanged at the first system of a step."""
        if system.memory is None:
            return Cholesky().prepare(system)
        factor = self.remembered(system.device, system.memory)
        if (system.first and not system.again) or factor.matrix is not system.matrix:
            factor.advance(system, self)
        factor.front.follow(system.x)
        return factor.front.apply


class AsyncFactor:
    """Two snapshots and their factors: the ``front`` one is in use, the ``back`` one in progress.

    ``memory`` is the state of later steps; ``recall`` restores another one.
    """

    def __init__(self, device: Device):
        self.device, self.matrix = device, None
        self._pair: list[CorotationalFactor] = []
        self._glued: CutFactor | None = None  # the front after a cut, until ``_job`` has made a pair
        self._job: BackgroundWork | None = None
        self.glued_for = 0
        self._waiting: dict[str, wp.array] = {}  # a memory that was recalled before there was a matrix
        self.begun, self.going, self.age = False, False, 0  # whether there is a front, whether a back, and its age
        self.pattern = 0
        self._clock = device.zeros(4, wp.int64)

    @property
    def front(self) -> CorotationalFactor | CutFactor:
        return self._glued or self._pair[0]

    @property
    def back(self) -> CorotationalFactor:
        return self._pair[1]

    def advance(self, system: System, method: AsyncCholesky) -> None:
        """A step begins with this system."""
        if self._glued is not None and self._goes_on(system, method):
            return
        if self.matrix is not system.matrix:
            self._bind(system)
        first, self.begun = not self.begun, True
        if first:
            self.front.note(system)
        if self.front.stale:  # new, or recalled
            self.front.take()
        if not first:
            self._exchange(system, method.steps, method.eager)
        self._clock.assign(self._numbers())

    def inherit(self, before: AsyncFactor, origin: np.ndarray) -> None:
        """Keep the factor from before a cut, of whose nodes ``origin`` (n,) the new ones are copies."""
        if not self.device.is_cpu or (not before.begun and before._glued is None):
            return
        front = before.front
        base, whose = (front.base, front.origin[origin]) if isinstance(front, CutFactor) else (front, origin)
        if not base.stale:
            self._glued, self.glued_for = CutFactor(base, whose), before.glued_for

    def _goes_on(self, system: System, method: AsyncCholesky) -> bool:
        """Whether the factor from before a cut is used for another step; if not, the thread's pair is ready."""
        if not method.through_cuts or self.glued_for >= LONGEST * method.steps:
            self._glued = self._job = self.matrix = None
            self.glued_for = 0
            return False
        if self._job is None or self.matrix is not system.matrix:  # the current values, the only input of the thread
            self.matrix, self.age = system.matrix, 0
            x = None if system.x is None else wp.clone(system.x)
            self._job = BackgroundWork(_pair_of, replace(system, memory=None, work={}), wp.clone(system.matrix.values), x)
        if self.age < method.steps and not (method.eager and self._job.ready):
            self.age += 1
            self.glued_for += 1
            return True
        self._pair, self._glued, self._job, self.glued_for = self._job.end(), None, None, 0
        self.pattern = zlib.crc32(system.matrix.keys.tobytes())
        self.begun, self.going, self.age = True, False, 0
        return False

    def _exchange(self, system: System, steps: int, eager: bool) -> None:
        """Move the back one to the front when it is due, and start another."""
        self.age += self.going
        if self.going and self.back.stale and not self.back.busy:  # recalled
            self.back.begin()
        if self.going and (self.age >= steps or (eager and self.back.ready)):
            self.back.finish()
            self._pair.reverse()
            self.going = False
        if not self.going:
            self.back.note(system)
            self.back.begin()
            self.going, self.age = True, 0

    def _bind(self, system: System) -> None:
        """Allocate the factors of another matrix; snapshots of the same pattern are kept, others dropped."""
        for each in self._pair:
            each.finish()
        waiting, self._waiting = self.memory, {}
        self.matrix, pattern = system.matrix, zlib.crc32(system.matrix.keys.tobytes())
        first = CorotationalFactor(system)
        self._pair = [first, CorotationalFactor(system, like=first)]
        if self.begun and self.pattern == pattern and all(self._fits(waiting, side) for side in SIDES):
            for side, each in zip(SIDES, self._pair):
                each.recall(waiting[side], waiting[f"{side} x"])
        else:
            self.begun = self.going = False
            self.age = 0
        self.pattern = pattern

    def _fits(self, memory: dict[str, wp.array], side: str) -> bool:
        return memory[side].shape == self.front.block.values.shape and memory[f"{side} x"].shape == self.front.x.shape

    # --- as a memory

    @property
    def memory(self) -> dict[str, wp.array]:
        """The snapshots, by name; empty as long as there are none."""
        if self._waiting:
            return self._waiting
        nothing, t = self.device.none, self.device.types
        arrays = {"clock": self._clock}
        for i, side in enumerate(SIDES):
            each = self._pair[i] if self._pair else None
            arrays[side] = each.block.values if each else nothing(t.mat33)
            arrays[f"{side} x"] = each.x if each else nothing(t.position)
        return arrays

    def recall(self, memory: dict[str, wp.array]) -> None:
        """Restore another memory, or none."""
        clock = memory["clock"].numpy() if "clock" in memory else np.zeros(4, np.int64)
        self.begun, self.going, self.age, self.pattern = bool(clock[0]), bool(clock[1]), int(clock[2]), int(clock[3])
        if self._glued is not None:  # to which a failed step returns
            self.begun = self.going = False
        elif not self._pair:
            self._waiting = {name: wp.clone(a) for name, a in memory.items()} if self.begun else {}
        elif not self.begun or not all(self._fits(memory, side) for side in SIDES):
            self.begun = self.going = False
        else:
            for side, each in zip(SIDES, self._pair):
                values, x = memory[side], memory[f"{side} x"]
                if not each.is_snapshot(values.numpy(), x.numpy()):
                    each.recall(values, x)
        self._clock.assign(self._numbers())

    def _numbers(self) -> np.ndarray:
        return np.array([self.begun, self.going, self.age, self.pattern], np.int64)


def _pair_of(system: System, values: wp.array, x: wp.array | None) -> list[CorotationalFactor]:
    """Storage for two factors of a system, the first of ``values`` at ``x``."""
    first = CorotationalFactor(system)
    first.recall(values, first.x if x is None else x)
    first.take()
    return [first, CorotationalFactor(system, like=first)]
