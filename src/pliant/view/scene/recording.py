"""Keeps frames of a simulation while somebody plays with it, and makes a Run of them."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ...arguments.checks import is_positive
from ...errors import InputError
from ...simulate.record.nodal_fields import names
from ...simulate.record.recorder import Recorder
from ...simulate.record.run import Run
from ...simulate.simulation import Simulation
from ...solve.objective.report import Report

RATE = 30.0  # [1/s] frames of simulated time, by default
MOST = 256 * 2**20  # [bytes] of memory that a recording may take
FIELDS = ("stress", "pressure", "stretch", "plastic strain")  # kept at the nodes, to colour a replay by
REPORT = 1024  # [bytes] about what a report takes


def kept_of(sim: Simulation) -> tuple[str, ...]:
    """The fields that a recording keeps, of those that the bodies have."""
    return tuple(name for name in FIELDS if name in names(sim.world))


class Recording:
    """One recording at a time; all of it may be called from any thread.

    ``start`` and ``stop`` say when, ``begin`` and ``keep`` are called by whoever steps the simulation. A frame is every
    step, or every few, so that about ``rate`` are kept in a simulated second. At ``most`` bytes it ends by itself.
    """

    def __init__(self, rate: float = RATE, most: int = MOST):
        if not is_positive(rate):
            raise InputError(f"Recording(rate={rate!r}): expected a positive number of frames per second")
        self.rate, self.most = float(rate), int(most)
        self.on, self.number, self.name = False, 0, ""
        self.began = threading.Event()  # set when there is a first frame, or will be none
        self._lock = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self._frames: Recorder | None = None
        self._run: Run | None = None
        self._reports: list[Report] = []
        self._spent: list[float] = []
        self._steps = self._bytes = self._count = 0
        self._lasts = 0.0

    def start(self) -> None:
        """Begin with the next moment; what was recorded before is let go."""
        with self._lock:
            if self.on:
                raise InputError("a recording is under way; stop it before you begin another")
            self._clear()
            self.began.clear()
            self.on, self.number = True, self.number + 1

    def stop(self) -> None:
        """End the recording; what was kept stays."""
        with self._lock:
            self.on = False
            self.began.set()

    def begin(self, sim: Simulation, name: str = "") -> None:
        """Before a step: take the moment that a recording begins with, if one has just been asked for."""
        if self.on and self._frames is None:
            with self._lock:
                if self.on:
                    self._frames, self.name = Recorder(sim, kept_of(sim)), name
                    self._every = max(1, round(1 / (self.rate * sim.integrator.dt)))
                    self._take(sim)

    def keep(self, sim: Simulation, report: Report) -> bool:
        """After a good step: keep what it says, and a frame where one is due. False where there is no more room."""
        if not self.on or self._frames is None:
            return True
        with self._lock:
            if not self.on:
                return True
            self._reports.append(report)
            self._spent.append(report.seconds["total"])
            self._steps += 1
            self._bytes += REPORT
            if self._steps % self._every == 0:
                self._take(sim)
            self.on = self._bytes <= self.most
            return self.on

    def _take(self, sim: Simulation) -> None:
        shown = sum(len(skin.parents) for skin in sim.skins)
        # a surface is not kept, but whoever draws it makes one for each frame
        self._bytes += self._frames.record() + 12 * shown
        self.began.set()
        self._count, self._lasts = len(self._frames.times), self._frames.times[-1] - self._frames.times[0]

    @property
    def about(self) -> dict[str, Any]:
        """What a page shows: whether it is on, frames and seconds kept, and which share of the room they take."""
        return {
            "on": self.on, "number": self.number, "frames": self._count, "seconds": self._lasts,
            "full": min(self._bytes / self.most, 1.0),
        }  # fmt: skip

    @property
    def run(self) -> Run | None:
        """The last recording, or None where there is none or it still goes on."""
        with self._lock:
            if self._frames is not None and not self.on:
                self._run = self._frames.run(tuple(self._reports), np.array(self._spent))
                self._frames = None
            return self._run
