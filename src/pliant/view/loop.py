"""The simulation in its own thread: fixed steps against the clock, commands between steps, snapshots for whoever watches."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import InputError, did_you_mean
from ..simulate.run import Run
from ..simulate.simulation import Simulation
from ..solve.newton import Newton
from ..solve.projective import ProjectiveDynamics
from ..solve.report import Report
from .describe import AS_GIVEN, QUICK, activations, described, parameters, resolved, settings, solvers, with_mean
from .edges import Edges
from .fields import Range, Surfaces
from .hands import EASED, Hands
from .protocol import Command, Snapshot, pack_scene
from .recorder import Recorder
from .saves import offered
from .turns import PATIENCE, RATE, STATISTICS, Turns, sentence

BEHIND = 0.1  # [s] of the clock that a slow simulation may owe; the rest is forgiven
SOON = 0.05  # [s] a step so near shows what was commanded before it
TRIES = 3  # of a step that fails while hands pull
CONTACTS = 400  # contact points drawn at most
log = logging.getLogger("pliant.view")


class Loop(Turns):
    """Steps a simulation, in its own thread after ``start`` or turn by turn.

    ``quick`` begins with ten quasi-Newton iterations a step where a scene asks for Newton's method: a hand that pulls wildly may
    keep that from converging, and a step that does not converge fails.
    """

    KIND = "simulation"
    WITHOUT = "this is a simulation, whose time only goes on; pl.view(run) has a time line"

    def __init__(
        self,
        sim: Simulation,
        library: Mapping[str, Callable[[], Simulation]] | None = None,
        name: str = "",
        quick: bool = False,
    ):
        super().__init__(name)
        if library is not None and not (isinstance(library, Mapping) and all(map(callable, library.values()))):
            raise InputError(f"library is {library!r:.60}; expected names with functions that make simulations")
        self.library, self._quick = dict(library or {}), quick
        self.trouble, self.busy, self.show_contacts = "", "", False
        self._edges: Edges | None = None
        self.recorder = Recorder()
        self._number, self._owed, self._single = 0, 0.0, 0  # single steps that were asked for
        self._adopt(sim, name)

    @property
    def recorded(self) -> Run | None:
        """The last recording, or None."""
        return self.recorder.run

    @property
    def recorded_as(self) -> str:
        """Name of the scene that was recorded."""
        return self.recorder.name

    # --- one turn after the other, in whatever thread

    def begin(self) -> None:
        """Before the first turn: from here on the clock counts."""
        self._last = time.perf_counter()
        self._publish()

    def hold(self, why: str) -> None:
        """Say why no turn is taken for now; nothing where it goes on."""
        self.busy = why
        self._changed()

    def due(self) -> float:
        """Seconds until the next step is due; 0 where it is due now."""
        now, dt = time.perf_counter(), self.sim.integrator.dt
        if self.running:
            self._owed = min(self._owed + (now - self._last) * self.speed, dt + BEHIND * self.speed)
        self._last = now
        if self._single or (self.running and self._owed >= dt):
            return 0.0
        return (dt - self._owed) / self.speed if self.running else PATIENCE

    def turn(self, commands: list[Command], wait: float) -> None:
        """Obey commands, take a step where one was due without a ``wait``, and show what is new."""
        for command in commands:
            self._obey(command)
        if wait == 0.0 and (self.running or self._single):
            self._step()
        elif commands and (not self.running or wait > SOON):
            self._publish()
        self._maybe_publish()

    def _step(self) -> None:
        dt = self.sim.integrator.dt
        self._owed = max(self._owed - dt, 0.0)
        self._single = max(self._single - 1, 0)
        if self._fresh:
            self.busy = "Preparing the first step; what has never been compiled takes up to a minute …"
            self._changed()
        try:
            self.recorder.begin(self.sim, self.name)
            report = self._tried()
            why = "" if report.ok else report.why
        except Exception as error:  # whatever it is, the page shall say it, and the thread live on
            report, why = None, sentence(error)
        if self._fresh:
            self.busy, self._fresh, self._owed = "", False, 0.0
            self._clock = (time.perf_counter(), self.sim.t, 0)
            self._changed()
        if why:
            self.running, self._single, self.trouble = False, 0, f"The step after t = {self.sim.t:.3f} s failed: {why}"
            log.warning("%s", self.trouble)
            self._changed()
        else:
            self._count(report)
            self._keep(report)
        self._stale = True

    def _tried(self) -> Report:
        """A step; where it fails under the pull of hands, again with a gentler one."""
        for _ in range(TRIES):
            self.hands.pull()
            report = self.sim.step()
            if report.ok or not self.hands.held:
                break
            self.hands.ease *= EASED
        if report.ok:
            self.hands.ease = min(1.0, 1.05 * self.hands.ease)
        return report

    def _keep(self, report: Report) -> None:
        """Record a step where somebody asked for it; what goes wrong there ends the recording and nothing else."""
        try:
            if not self.recorder.keep(self.sim, report):
                size = f"{self.recorder.most / 2**20:.0f} MiB"
                self._end_recording(f"it takes {size} of memory, which is all it may")
        except Exception as error:
            self.recorder.stop()
            self._mention(f"The recording ended: {sentence(error)}")

    def _end_recording(self, why: str) -> None:
        """End a recording that nobody has ended, and say so."""
        about = self.recorder.about
        self.recorder.stop()
        if about["frames"]:
            self._mention(f"The recording ended after {about['seconds']:.1f} s: {why}. It can be saved.")

    # --- commands

    def _do_grab(self, client: int, **values: Any) -> None:
        if isinstance(getattr(self.sim.integrator, "solver", None), ProjectiveDynamics):
            raise InputError("projective dynamics has no hands; choose another solver in the menu to pull")
        self.hands.grab(client, **values)

    def _do_move(self, client: int, hand: int, at: list[float]) -> None:
        self.hands.move(client, hand, at)

    def _do_release(self, client: int, hand: int, pin: bool) -> None:
        self.hands.release(client, hand, pin)

    def _do_unpin(self, client: int, pin: int) -> None:
        self.hands.unpin(pin)

    def _do_leave(self, client: int) -> None:
        self.hands.leave(client)

    def _do_strength(self, client: int, value: float) -> None:
        self.hands.strength = value
        self._changed()

    def _do_set(self, client: int, body: int, name: str, value: float) -> None:
        if body >= len(self.sim.bodies):
            raise InputError(f"set(body={body}): expected 0 … {len(self.sim.bodies) - 1}")
        known = parameters(self.sim.scene.bodies[body].material)
        muscles = activations(self.sim, body)
        if name in muscles:
            self.sim.set(body=body, activation={muscles[name]: value})
            return self._changed()
        if name not in known:
            names = [*known, *muscles]
            raise InputError(f"unknown parameter {name!r}{did_you_mean(name, names)}; known are {', '.join(names)}")
        self.sim.set(body=body, **{name: with_mean(known[name][1], value)})
        self._changed()

    def _do_gravity(self, client: int, value: list[float]) -> None:
        self.sim.set(gravity=value)
        self._changed()

    def _do_friction(self, client: int, value: float) -> None:
        self.sim.set(friction=value)
        self._changed()

    def _do_pause(self, client: int, value: bool) -> None:
        self.running, self._owed, self._single = not value, 0.0, 0
        if self.running:
            self.trouble = ""
        self._changed()

    def _do_step(self, client: int) -> None:
        self.running, self._single, self.trouble = False, self._single + 1, ""
        self._changed()

    def _do_record(self, client: int, value: bool) -> None:
        if value:
            self.recorder.start()
            self.recorder.begin(self.sim, self.name)
        else:
            self.recorder.stop()
        self._changed()

    def _do_recording(self, client: int) -> None:
        """Somebody has begun or ended it from Python."""
        self.recorder.begin(self.sim, self.name)
        self._changed()

    def _do_reset(self, client: int) -> None:
        if self.recorder.on:
            self._end_recording("the simulation was put back")
        self.sim.reset()
        self.hands.clear()
        self.running, self.trouble, self._owed, self._single = True, "", 0.0, 0
        self._clock = (time.perf_counter(), self.sim.t, 0)
        self._changed()

    def _do_speed(self, client: int, value: float) -> None:
        self.speed = value
        self._changed()

    def _do_colour(self, client: int, name: str) -> None:
        if name != "none" and name not in self.surfaces.names:
            known = ["none", *self.surfaces.names]
            raise InputError(f"no field {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}")
        self.field, self._range = name, Range(name, self._size)
        self._changed()

    def _do_contacts(self, client: int, value: bool) -> None:
        self.show_contacts = value
        self._changed()

    def _do_elements(self, client: int, value: bool) -> None:
        self._edges = Edges(self.sim) if value else None
        self.edges = self._edges.packed(self.epoch) if self._edges else None
        self._changed()

    def _do_solver(self, client: int, name: str) -> None:
        if name not in solvers(self.sim):
            raise InputError(f"no solver {name!r} for this scene; there are {', '.join(solvers(self.sim))}")
        self.sim.integrator, self.solver = resolved(name, self._given), name
        self._changed()

    def _do_example(self, client: int, name: str) -> None:
        if name not in self.library:
            near, known = did_you_mean(name, self.library), ", ".join(self.library) or "none"
            raise InputError(f"no example {name!r}{near}; there are {known}")
        if self.recorder.on:
            self._end_recording("another scene was chosen")
        self.busy = f"Setting up {name} …"
        self._changed()
        try:
            self._adopt(self.library[name](), name)
            self.running, self.trouble = True, ""
        finally:
            self.busy = ""
            self._changed()

    # --- what others see

    def _adopt(self, sim: Simulation, name: str) -> None:
        """Take over a simulation as the one that is stepped and shown."""
        _ = self.recorder.run  # a recording that has ended lets go of the simulation before
        surfaces = Surfaces(sim)
        about, arrays = described(sim, surfaces, name, list(self.library))
        self.sim, self.surfaces, self.hands, self.name = sim, surfaces, Hands(sim), name
        self._given, self.solver = sim.integrator, AS_GIVEN
        if self._quick and isinstance(getattr(sim.integrator, "solver", None), Newton):
            sim.integrator, self.solver = resolved(QUICK, sim.integrator), QUICK
        self._size = about["size"]
        if self.field not in surfaces.names:
            self.field = "none"
        self._range = Range(self.field, self._size)
        self._still = not any(o.motion is not None for o in sim.scene.obstacles)
        self._spent: dict[str, float] = {}
        self._clock, self._told, self._published = (time.perf_counter(), sim.t, 0), 0.0, 0.0
        self._rates, self._report, self._stale = (0.0, 0.0), None, True
        self._owed, self._fresh = 0.0, True
        self.scene = (self.epoch + 1, pack_scene(about | {"epoch": self.epoch + 1, "saves": offered()}, arrays))
        self.epoch += 1
        if self._edges is not None:
            self._do_elements(0, True)
        self._changed()
        self._publish()

    def _settings(self) -> dict[str, Any]:
        return {
            "trouble": self.trouble, "busy": self.busy, "contacts": self.show_contacts, "elements": self._edges is not None,
            "solver": self.solver, "strength": self.hands.strength, "recording": self.recorder.about, **settings(self.sim),
        }  # fmt: skip

    def _count(self, report: Report) -> None:
        """Mean times of the stages, steps per second, and simulated seconds per second."""
        seconds = dict(report.seconds)
        total = seconds.pop("total", 0.0)
        seconds["other"] = max(total - sum(seconds.values()), 0.0)
        self._report = report
        self._spent = {k: 0.9 * self._spent.get(k, v) + 0.1 * v for k, v in seconds.items()}
        begin, t, steps = self._clock
        self._clock = (begin, t, steps + 1)
        passed = time.perf_counter() - begin
        if passed > 0.5:
            self._rates = ((self.sim.t - t) / passed, (steps + 1) / passed)
            self._clock = (time.perf_counter(), self.sim.t, 0)

    def _maybe_publish(self) -> None:
        now = time.perf_counter()
        if self._stale and self.wanted and now - self._published >= 0.98 / RATE:
            self._publish()
        if now - self._told >= STATISTICS and self.wanted:
            self._told = now
            self._measure()

    def _publish(self) -> None:
        """Take a snapshot; the latest is the only one kept."""
        sim, values, low, high = self.sim, None, 0.0, 1.0
        self._published, self._stale = time.perf_counter(), False
        x = self.surfaces.positions()
        if self.field != "none":
            values = self.surfaces.values(self.field)
            low, high = self._range.fit(values)
        self._number += 1
        poses = None if self._still else np.stack([o.pose(sim.t) for o in sim.scene.obstacles])
        self.latest = Snapshot(
            self._number, self.epoch, sim.t, self.running, x, values, low, high,
            self.hands.shown(sim.state.x.numpy()) if self.hands.held else (), poses,
            self._touching(x) if self.show_contacts and sim.world.contact is not None else None,
            self._edges.positions() if self._edges is not None else None,
        )  # fmt: skip
        self._tell()

    def _touching(self, x: np.ndarray) -> np.ndarray:
        """(c, 6) nodes that touch an obstacle, and the normals there."""
        sim = self.sim
        x, stiff = sim.state.x.numpy().astype(float), sim.world.contact.stiffness.numpy() > 0
        offset, found = sim.world.contact.offset.numpy(), []
        for obstacle in sim.scene.obstacles:
            pose = obstacle.pose(sim.t)
            local = (x[stiff] - pose[:3, 3]) @ pose[:3, :3]
            near = np.flatnonzero(obstacle.shape(local) + offset[stiff] < 0)
            near = near[:: -(-len(near) // CONTACTS) or 1]  # of too many, some from everywhere
            if len(near):
                found.append(np.hstack([x[stiff][near], obstacle.shape.gradient(local[near]) @ pose[:3, :3].T]))
        return np.concatenate(found)[:CONTACTS] if found else np.zeros((0, 6))

    def _measure(self) -> None:
        report, (factor, rate) = self._report, self._rates if self.running else (0.0, 0.0)
        self.statistics = {
            "say": "statistics", "t": self.sim.t, "factor": factor, "steps_per_second": rate, "energies": self.sim.energies(),
            "ms": {name: 1e3 * s for name, s in self._spent.items()}, "iterations": report.iterations if report else 0,
            "residual": report.residual if report else 0.0, "dt": self.sim.integrator.dt, "recording": self.recorder.about,
        }  # fmt: skip
        self._tell()
