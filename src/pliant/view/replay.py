"""A run that is played again: the same page and protocol as a live simulation, with a time line in place of hands."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..errors import InputError, did_you_mean
from ..output.frames import as_run, unit_of
from ..output.page import ends_of
from ..output.shapes import vertex_values, vertices
from ..output.units import round_step
from ..simulate.run import Run
from .describe import drawn, palette, surroundings
from .fields import LABELS
from .protocol import Command, Snapshot, pack_scene
from .recorder import RATE as RECORDED
from .saves import offered
from .turns import PATIENCE, RATE, STATISTICS, Turns

SAMPLED = 120  # frames that a colour scale and the box of what is in view are fitted to


class Replay(Turns):
    """Plays a run against the clock; pause, step, seek, speed, loop, reset and colour are all that it takes."""

    KIND = "replay"
    WITHOUT = "this is a replay, with nothing to pull at or to set; pl.view(sim) shows a simulation"

    def __init__(self, run: Run, name: str = ""):
        super().__init__(name)
        self.run = as_run(run)
        self.looping = True
        self._frame, self._number = 0, 0
        self._now = float(self.run.times[0])
        self._last = self._told = self._published = time.perf_counter()
        self._stale = True
        self._fields = {n: unit_of(self.run, n) for n in ("displacement", "speed", *self.run.fields)}
        self._values: tuple[str, np.ndarray, float, float] | None = None
        sizes = [len(vertices(self.run, skin, 0)) for skin in self.run.skins]
        self._first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        if not self._first[-1]:
            raise InputError("no body of this run has a surface or edges; nothing to show")
        self.epoch = 1
        self.scene = (1, self._described())
        self._changed()
        self._publish()

    @property
    def recorded(self) -> Run:
        """What a page may save."""
        return self.run

    @property
    def recorded_as(self) -> str:
        """Its name."""
        return self.name

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

    def turn(self, commands: list[Command], due: bool) -> None:
        """Obey commands, move on where it is time, and show what is new."""
        for command in commands:
            self._obey(command)
        if due and self.running:
            self._move_on()
        now = time.perf_counter()
        if self._stale and self.wanted and (commands or now - self._published >= 0.98 / RATE):
            self._publish()
        if now - self._told >= STATISTICS and self.wanted:
            self._told = now
            self._measure()

    def _move_on(self) -> None:
        times = self.run.times
        if self._now >= times[-1] + (self._rest if self.looping else 0.0):
            if self.looping:
                self._now = float(times[0])
            else:
                self._now, self.running = float(times[-1]), False
                self._changed()
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

    def _do_pause(self, client: int, value: bool) -> None:
        self.running = not value
        if self.running and self._frame == len(self.run) - 1:
            self._go(0)
        self._changed()

    def _do_step(self, client: int) -> None:
        self.running = False
        self._go((self._frame + 1) % len(self.run))
        self._changed()

    def _do_seek(self, client: int, time: float) -> None:
        """To the frame nearest to a time; it goes on from there."""
        self._go(int(np.argmin(np.abs(self.run.times - time))))

    def _do_reset(self, client: int) -> None:
        self._go(0)
        self.running = True
        self._changed()

    def _do_speed(self, client: int, value: float) -> None:
        self.speed = value
        self._changed()

    def _do_loop(self, client: int, value: bool) -> None:
        self.looping = value
        self._changed()

    def _do_colour(self, client: int, name: str) -> None:
        known = ["none", *self._fields]
        if name not in known:
            raise InputError(f"no field {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}")
        if name != "none" and (self._values is None or self._values[0] != name):
            values = self.run.values(name)
            some = np.unique(np.linspace(0, len(self.run) - 1, SAMPLED).round().astype(int))
            self._values = (name, values, *ends_of(np.stack([self._carried(values[f]) for f in some]), name))
        self.field, self._stale = name, True
        self._changed()

    def _do_leave(self, client: int) -> None:
        """A page is gone: it held nothing."""

    # --- what others see

    def _surface(self, frame: int) -> np.ndarray:
        return np.concatenate([vertices(self.run, skin, frame) for skin in self.run.skins]).astype(np.float32)

    def _carried(self, values: np.ndarray) -> np.ndarray:
        """Values at the nodes, carried to the surface vertices."""
        found = np.concatenate([vertex_values(skin, values) for skin in self.run.skins]).astype(np.float32)
        return np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)

    def _described(self) -> bytes:
        """The description of the run, packed: what the page has to know once."""
        run, arrays = self.run, {"scale": palette()}
        x = self._surface(0)
        size = max(float(np.linalg.norm(np.ptp(x, axis=0))), 1e-6)
        bodies = []
        for k, skin in enumerate(run.skins):
            first, stop = int(self._first[k]), int(self._first[k + 1])
            body = drawn(skin, k, x[first:stop], first, arrays)
            bodies.append(body | {"law": "", "sheet": False, "sliders": []})
        some = np.unique(np.linspace(0, len(run) - 1, SAMPLED).round().astype(int))
        box = np.array([(s.min(axis=0), s.max(axis=0)) for s in map(self._surface, some)], dtype=float)
        hull = (box[:, 0].min(axis=0), box[:, 1].max(axis=0))
        moves = [not np.allclose(prop.poses, prop.poses[0]) for prop in run.props]
        self._posed = any(not np.allclose(prop.poses, np.eye(4)) for prop in run.props)
        props, floor, (low, high) = surroundings(run.props, moves, hull, size, 0.0, arrays)
        about = {
            "name": self.name, "bodies": bodies, "props": props, "floor": floor, "box": [low.tolist(), high.tolist()],
            "size": size, "spacing": round_step(size / 4), "dt": float(run.dt), "nodes": len(run.rest),
            "elements": sum(len(s.tets) if s.tets is not None else 0 for s in run.skins),
            "triangles": sum(len(s.triangles) for s in run.skins),
            "fields": [{"name": n, "label": LABELS.get(n, n), "unit": u} for n, u in self._fields.items()],
            "solvers": [], "examples": [], "contact": False, "integrator": "", "device": "", "epoch": self.epoch,
            "saves": offered(), "replay": {"times": [round(float(t), 9) for t in run.times]},
        }  # fmt: skip
        return pack_scene(about, arrays)

    def _settings(self) -> dict[str, Any]:
        return {"trouble": "", "busy": "", "loop": self.looping, "frames": len(self.run)}

    def _publish(self) -> None:
        """Show the frame that is due."""
        run, frame, values, low, high = self.run, self._frame, None, 0.0, 1.0
        self._published, self._stale = time.perf_counter(), False
        if self.field != "none" and self._values is not None:
            _, nodal, low, high = self._values
            values = self._carried(nodal[frame])
        self._number += 1
        poses = np.stack([prop.poses[frame] for prop in run.props]) if self._posed else None
        self.latest = Snapshot(
            self._number, self.epoch, float(run.times[frame]), self.running, self._surface(frame), values, low, high, (), poses
        )
        self._tell()

    def _measure(self) -> None:
        energies = {name: float(values[self._frame]) for name, values in self.run.energies.items()}
        self.statistics = {
            "say": "statistics", "t": float(self.run.times[self._frame]), "factor": self.speed if self.running else 0.0,
            "steps_per_second": 0.0, "energies": energies, "ms": {}, "iterations": 0, "residual": 0.0, "dt": float(self.run.dt),
        }  # fmt: skip
        self._tell()
