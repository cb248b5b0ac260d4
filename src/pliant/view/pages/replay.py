"""Replay of a run: the same page and protocol as a live simulation, with a time line in place of hands."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ...errors import InputError, did_you_mean
from ...output.frames import run_of
from ...simulate.record.run import Run
from ..protocol.finite_numbers import finite
from ..protocol.messages import Command, Snapshot, pack_scene
from ..protocol.session import PATIENCE, RATE, STATISTICS, Turns
from ..scene.interior import Inside
from ..scene.recording import RATE as RECORDED
from ..scene.surface_fields import TWO_SIDED, checked_ends
from .downloads import offered
from .playback import Playback


class Replay(Turns):
    """Plays a run against the clock; pause, step, seek, speed, loop, reset and colour are all that it takes."""

    KIND = "replay"
    WITHOUT = "this is a replay, with nothing to pull at or to set; pl.view(sim) shows a simulation"

    def __init__(self, run: Run, name: str = ""):
        super().__init__(name)
        self.shown = Playback(run_of(run), name)
        self.run, self._given = self.shown.run, run
        self.looping = True
        self._field = "none"
        self._held: tuple[float, float] | None = None  # ends of the colour scale that somebody holds
        self._frame, self._number = 0, 0
        self._now = float(self.run.times[0])
        self._last = self._statistics_at = self._published = time.perf_counter()
        self._stale = True
        self._scenes: dict[int, bytes] = {}
        self._inside: Inside | None = None
        self._clipped = False  # whether a page does
        self._turn(0)
        self.changed()
        self._publish()

    def _turn(self, chapter: int) -> None:
        """Show the bodies of a chapter."""
        if chapter not in self._scenes:
            about, arrays = self.shown.scene(chapter)
            self._scenes[chapter] = pack_scene(about | {"saves": offered()}, arrays)
        self.epoch = chapter + 1
        self.scene = (self.epoch, self._scenes[chapter])
        self._look_inside()

    def _look_inside(self) -> None:
        """Say which tets fill the bodies of the chapter, where a page clips them."""
        self._inside = Inside(self.run.chapters[self.epoch - 1].skins) if self._clipped else None
        self.inside = None if self._inside is None else self._inside.packed(self.epoch)

    @property
    def recorded(self) -> Run:
        """What a page may save."""
        return self._given

    @property
    def recorded_as(self) -> str:
        """Its name."""
        return self.name

    @property
    def field(self) -> str:
        """What the bodies are coloured by."""
        return self._field

    # --- one turn after the other

    def begin(self) -> None:
        """Before the first turn: from here on the clock counts."""
        self._last = time.perf_counter()
        self._publish()

    def due(self) -> float:
        """Seconds until the next frame is due; 0 where it is due now."""
        now, times = time.perf_counter(), self.run.times
        if self.running:
            self._now += (now - self._last) * self.speed
        self._last = now
        if not self.running:
            return PATIENCE
        ahead = float(times[self._frame + 1]) if self._frame + 1 < len(times) else float(times[-1]) + self._rest
        return max((ahead - self._now) / self.speed, 0.0)

    @property
    def _rest(self) -> float:
        """How long the last frame stays before the first comes again [s]."""
        times = self.run.times
        return float(times[-1] - times[-2]) if len(times) > 1 else 1 / RECORDED

    def turn(self, commands: list[Command], wait: float) -> None:
        """Obey commands, move on where it was time without a ``wait`` [s], and show what is new."""
        for command in commands:
            self._obey(command)
        if wait == 0.0 and self.running:
            self._move_on()
        now = time.perf_counter()
        if self._stale and self.wanted and (commands or now - self._published >= 0.98 / RATE):
            self._publish()
        if now - self._statistics_at >= STATISTICS and self.wanted:
            self._statistics_at = now
            self._take_statistics()

    def _move_on(self) -> None:
        times = self.run.times
        if self._now >= times[-1] + (self._rest if self.looping else 0.0):
            if self.looping:
                self._now = float(times[0])
            else:
                self._now, self.running = float(times[-1]), False
                self.changed()
        self._show(int(np.searchsorted(times, self._now + 1e-9, side="right")) - 1)

    def _show(self, frame: int) -> None:
        frame = min(max(frame, 0), len(self.run) - 1)
        self._stale |= frame != self._frame
        self._frame = frame

    def _go(self, frame: int) -> None:
        """To the beginning of a frame."""
        self._show(frame)
        self._now, self._stale = float(self.run.times[self._frame]), True

    # --- commands

    def do_pause(self, client: int, value: bool) -> None:
        self.running = not value
        if self.running and self._frame == len(self.run) - 1:
            self._go(0)

    def do_step(self, client: int) -> None:
        self.running = False
        self._go((self._frame + 1) % len(self.run))

    def do_seek(self, client: int, time: float) -> None:
        """To the frame nearest to a time; it goes on from there."""
        self._go(int(np.argmin(np.abs(self.run.times - time))))

    def do_reset(self, client: int) -> None:
        self._go(0)
        self.running = True

    def do_speed(self, client: int, value: float) -> None:
        self.speed = value

    def do_loop(self, client: int, value: bool) -> None:
        self.looping = value

    def do_colour(self, client: int, name: str) -> None:
        known = ["none", *self.shown.fields]
        if name not in known:
            raise InputError(f"no field {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}")
        if name != "none":
            self.shown.ends(name)  # a field without a finite value is refused here
        self._field, self._held = name, None
        self._stale = True

    def do_range(self, client: int, ends: list[float]) -> None:
        self._held, self._stale = checked_ends(ends), True

    def do_inside(self, client: int, value: bool) -> None:
        if value != self._clipped:
            self._clipped, self._stale = value, True
            self._look_inside()

    def do_leave(self, client: int) -> None:
        """A page is gone: it held nothing."""

    # --- what others see

    def _settings(self) -> dict[str, Any]:
        return {
            "trouble": "",
            "busy": "",
            "loop": self.looping,
            "frames": len(self.run),
            "range": list(self._held or ()),
            "inside": self._clipped,
        }

    def _publish(self) -> None:
        """Show the frame that is due."""
        frame, values, inside, low, high = self._frame, None, None, 0.0, 1.0
        self._published, self._stale = time.perf_counter(), False
        chapter = self.run.chapter_of(frame)
        if chapter + 1 != self.epoch:
            self._turn(chapter)
            self.changed()
        if self.field != "none":
            low, high = self._held or self.shown.ends(self.field)
            values = self.shown.values(self.field, frame)
            if self._inside is not None:
                moment = self.run.moment(frame)
                inside = self._inside.of(moment.x, moment.values(self.field))
        self._number += 1
        poses = self.shown.poses
        self.latest = Snapshot(
            number=self._number,
            epoch=self.epoch,
            time=float(self.run.times[frame]),
            running=self.running,
            positions=self.shown.surface(frame),
            values=values,
            low=low,
            high=high,
            two=self.field in TWO_SIDED,
            poses=None if poses is None else poses[frame],
            inside=inside,
        )
        self._tell()

    def _take_statistics(self) -> None:
        energies = {name: float(values[self._frame]) for name, values in self.run.energies.items()}
        self.statistics = finite({
            "say": "statistics", "t": float(self.run.times[self._frame]), "factor": self.speed if self.running else 0.0,
            "steps_per_second": 0.0, "energies": energies, "ms": {}, "iterations": 0, "residual": 0.0, "dt": float(self.run.dt),
        })  # fmt: skip
        self._tell()
