"""Live loop: a simulation in its thread, against the clock."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import InputError
from ..simulate.interpenetration_warning import InterpenetrationWarning
from ..simulate.record.run import Run
from ..simulate.simulation import Simulation
from ..solve.newton.newton_solver import Newton
from ..solve.objective.report import Report
from .commands import Commands
from .pages.downloads import offered
from .protocol.dropped_files import MOST, SUFFIXES, Reader, Shelf
from .protocol.finite_numbers import finite
from .protocol.messages import Command, pack_scene
from .protocol.pace import Meter, Pace
from .protocol.session import PATIENCE, RATE, STATISTICS, Turns, sentence
from .realtime import said
from .scene.hands import EASED, Hands
from .scene.history import Past
from .scene.recording import Recording
from .scene.scene_description import AS_GIVEN, QUICK, described, documentation, resolved, settings
from .scene.snapshots import Snapshots
from .tuning_export import First

SOON = 0.05  # [s] a step so near shows what was commanded before it
TRIES = 3  # of a step that fails while hands pull
log = logging.getLogger("pliant.view")


def _converges(sim: Simulation) -> bool:
    """Whether steps end only when Newton's method has converged, and another solver could take them."""
    solver = getattr(sim.integrator, "solver", None)
    if not isinstance(solver, Newton) or solver.iterations is not None:
        return False
    try:
        resolved(QUICK, sim.integrator).check(sim.world.objective)
    except InputError:
        return False
    return True


class Loop(Turns):
    """Steps a simulation, in its own thread after ``start`` or turn by turn.

    ``quick`` begins with ten quasi-Newton iterations a step where a scene asks for Newton's method to convergence: a hand that
    pulls wildly may keep that from converging, and a step that does not converge fails. What is chosen from the library is
    made by its ``quick()`` where it has one, until somebody asks for the accurate settings. Its ``control(sim, report)`` is
    called after each step.
    """

    KIND = "simulation"
    WITHOUT = "this is a simulation, whose time only goes on; pl.view(run) has a time line"

    def __init__(
        self,
        sim: Simulation,
        library: Mapping[str, Callable[[], Simulation]] | None = None,
        name: str = "",
        quick: bool = False,
        on_step: Callable[[Simulation, Report], object] | None = None,
        reader: Reader | None = None,
    ):
        super().__init__(name)
        self.shelf = None if reader is None else Shelf(reader)
        if on_step is not None and not callable(on_step):
            raise InputError(f"view(on_step={on_step!r:.60}): expected a function of the simulation and a step's report")
        self.on_step = on_step
        if library is not None and not (isinstance(library, Mapping) and all(map(callable, library.values()))):
            raise InputError(f"library is {library!r:.60}; expected names with functions that make simulations")
        self.library = dict(library or {})
        self.trouble = ""
        self.busy = ""
        self.recorder = Recording()
        self.pace = Pace()
        self.past = Past()
        self.snapshots: Snapshots | None = None
        self.actions = Commands(self)
        self._quick, self.accurate = quick, not quick
        self._held = False
        self.forces = False  # whether they are measured and told
        self.adopt(sim, name)

    @property
    def recorded(self) -> Run | None:
        """The last recording, or None."""
        return self.recorder.run

    @property
    def recorded_as(self) -> str:
        """Name of the scene that was recorded."""
        return self.recorder.name

    @property
    def field(self) -> str:
        """What the bodies are coloured by."""
        return "none" if self.snapshots is None else self.snapshots.field

    def adopt(self, sim: Simulation, name: str) -> None:
        """Take over a simulation as the one that is stepped and shown."""
        _ = self.recorder.run  # a recording that has ended lets go of the simulation before
        scene = self._scene(sim, name)  # what cannot be shown leaves everything as it was
        if name != self.name or self.snapshots is None:
            self.speed = getattr(self.library.get(name), "speed", 1.0)
        self.sim = sim
        self.name = name
        self.hands = Hands(sim)
        self.given = sim.integrator
        self.solver = AS_GIVEN
        if self._quick and not self.choice(name) and _converges(sim):
            sim.integrator = resolved(QUICK, sim.integrator)
            self.solver = QUICK
        maker = self.library.get(name)
        self.control = getattr(maker, "control", None)
        made = getattr(maker, "hastened" if self.choice(name) and not self.accurate else "python", "")
        self.first = First.of(sim, self.given, self.solver, made)
        self._began, self._laid_out = sim.state.copy(), sim.world
        sim.followed = (sim.x - sim.world.rest, sim.v)
        self.meter = Meter(sim.t)
        self.past.forget()
        self.passing = InterpenetrationWarning(sim.bodies, sim.x, sim.world.bodies_touch)
        self.pace.owed = 0.0
        self._fresh = True  # no step was taken yet: what it needs may have to be compiled
        self._stale = True
        self._statistics_at = 0.0
        self._published = 0.0
        self._show(*scene)

    def go_back(self) -> None:
        """To the state that the simulation had when it came here; nodes that a cut has made follow those they come from."""
        self.past.forget()
        if self.sim.world is self._laid_out:
            self.sim.assign(self._began)
        else:
            self.sim.reset()
            moved, speeds = self.sim.followed
            self.sim.x, self.sim.v, self.sim.t = self.sim.world.rest + moved, speeds, self._began.t

    def choice(self, name: str) -> bool:
        """Whether a scene of the library comes at real-time settings and as given."""
        return getattr(self.library.get(name), "quick", None) is not None

    def made(self, name: str) -> Simulation:
        """Make a scene of the library, at the settings that are asked for."""
        maker = self.library[name]
        return maker.quick() if self.choice(name) and not self.accurate else maker()

    def _scene(self, sim: Simulation, name: str, again: bool = False) -> tuple[Snapshots, bytes]:
        """What takes the pictures of a simulation, and its description for the pages; ``again`` after a cut."""
        snapshots = Snapshots(sim)
        about, arrays = described(sim, snapshots.surfaces, name, list(self.library))
        snapshots.size = about["size"]
        if self.snapshots is not None:
            snapshots.after(self.snapshots)
        more = {"epoch": self.epoch + 1, "saves": offered(), "again": again}
        more["docs"] = documentation()
        more["settings"] = self._said(sim, name) if self.choice(name) else ""
        if view := getattr(self.library.get(name), "view", None):
            more["view"] = list(view)
        more["notes"] = [*getattr(self.library.get(name), "notes", ()), *(f"{doubt}." for doubt in sim.doubts)]
        if self.shelf is not None:
            placed = dict(zip(("up", "unit"), self.shelf.placing.get(name, ("", "")))) if name in self.shelf.paths else None
            more["opens"] = {"suffixes": SUFFIXES, "most": MOST, "placed": placed}
        return snapshots, pack_scene(about | more, arrays)

    def _said(self, sim: Simulation, name: str) -> str:
        """The settings of a scene of the library in a few words."""
        maker = self.library[name]
        other, speed = getattr(maker, "other", ""), getattr(maker, "speed", 1.0)
        words = [said(sim), "" if self.accurate else other, f"shown {1 / speed:.3g} times slower" if speed < 1 else ""]
        return ", ".join(word for word in words if word)

    def _show(self, snapshots: Snapshots, packed: bytes) -> None:
        """Begin to show other surfaces."""
        self.snapshots = snapshots
        self.scene = (self.epoch + 1, packed)
        self.epoch += 1
        self.pack_edges()
        self.pack_inside()
        self.changed()
        self._publish()

    def pack_edges(self) -> None:
        """Say which nodes the edges of elements join, where they are drawn."""
        edges = self.snapshots.edges
        self.edges = None if edges is None else edges.packed(self.epoch)

    def pack_inside(self) -> None:
        """Say which tets fill bodies, where a page clips them."""
        inside = self.snapshots.inside
        self.inside = None if inside is None else inside.packed(self.epoch)

    def stop(self, timeout: float = 60.0) -> None:
        super().stop(timeout)
        if self.shelf is not None:
            self.shelf.close()

    # --- one turn after the other, in whatever thread

    def begin(self) -> None:
        """Before the first turn: from here on the clock counts."""
        self.pace.begin()
        self._publish()

    def set_busy(self, why: str) -> None:
        """Say why no turn is taken for now; nothing where it goes on."""
        self.busy = why
        self.changed()

    def hold(self) -> None:
        """Take one step and undo it, which compiles what a step needs, then wait for the first page that has
        drawn it: it sees all that moves."""
        self._held = self.sim.t == 0.0 and self.on_step is None

    def met(self) -> None:
        if self._held:
            self._held = False
            self.commands.wake()

    def due(self) -> float:
        """Seconds until the next step is due; 0 where it is due now."""
        if self._held and not self._fresh:
            return PATIENCE
        return self.pace.due(self.running, self.speed, self.sim.integrator.dt)

    def turn(self, commands: list[Command], wait: float) -> None:
        """Obey commands, take a step where one was due without a ``wait``, and show what is new."""
        for command in commands:
            self._held = False
            self._obey(command)
        if wait == 0.0 and (self.running or self.pace.single):
            self._step()
        elif commands and (not self.running or wait > SOON):
            self._publish()
        now = time.perf_counter()
        if self._stale and self.wanted and now - self._published >= 0.98 / RATE:
            self._publish()
        if now - self._statistics_at >= STATISTICS and self.wanted:
            self._statistics_at = now
            self._take_statistics()

    def _step(self) -> None:
        self.pace.step(self.sim.integrator.dt)
        if self._fresh:
            self.set_busy("Preparing the first step; compiling it for the first time takes up to a minute …")
        try:
            self.recorder.begin(self.sim, self.name)
            self.past.keep(self.sim)
            report = self._tried()
            why = "" if report.kept else report.why
        except Exception as error:  # whatever it is, the page shall say it, and the thread live on
            report, why = None, sentence(error)
        if self._fresh:
            self._fresh = False
            if self._held and not why:
                self.go_back()
            self.pace.owed = 0.0
            self.meter.restart(self.sim.t)
            self.set_busy("")
        if why:
            self.past.forget(last=bool(self.past))
            self._stop(f"The step after t = {self.sim.t:.3f} s failed: {why}")
        else:
            self.meter.count(report, self.sim.t)
            self._keep(report)
        self._stale = True

    def _stop(self, trouble: str) -> None:
        """Take no more steps, and say why."""
        self.running = False
        self.pace.single = 0
        self.trouble = trouble
        log.warning("%s", trouble)
        self.changed()

    def _tried(self) -> Report:
        """A step; where it fails under the pull of hands, again with a gentler one."""
        for k in range(TRIES):
            self.hands.pull(again=k > 0)
            report = self.sim.step()
            if report.kept or not self.hands.held:
                break
            self.hands.ease *= EASED
        if report.kept:
            self.hands.ease = min(1.0, 1.05 * self.hands.ease)
        for after in (self.control, self.on_step):
            if not report.kept or after is None:
                continue
            try:
                if after(self.sim, report) is True:
                    self._stop(f"on_step ended it at t = {self.sim.t:.3f} s")
            except Exception as error:
                self._stop(f"on_step failed at t = {self.sim.t:.3f} s: {sentence(error)}")
        return report

    # --- recordings

    def _keep(self, report: Report) -> None:
        """Record a step where somebody asked for it; what goes wrong there ends the recording and nothing else."""
        try:
            if not self.recorder.keep(self.sim, report):
                size = f"{self.recorder.most / 2**20:.0f} MiB"
                self.end_recording(f"it takes {size} of memory, which is all it may")
        except Exception as error:
            self.recorder.stop()
            self._mention(f"The recording ended: {sentence(error)}")

    def end_recording(self, why: str) -> None:
        """End a recording that nobody has ended, and say so."""
        about = self.recorder.about
        self.recorder.stop()
        if about["frames"]:
            self._mention(f"The recording ended after {about['seconds']:.1f} s: {why}. It can be saved.")

    # --- what others see

    def _settings(self) -> dict[str, Any]:
        return {
            "trouble": self.trouble, "busy": self.busy, "contacts": self.snapshots.contacts,
            "range": self.snapshots.range_held, "forces": self.forces,
            "elements": self.snapshots.edges is not None, "inside": self.snapshots.inside is not None,
            "solver": self.solver, "strength": self.hands.strength,
            "recording": self.recorder.about, "cuts": self.sim.cuts, "accurate": self.accurate,
            "tuned": self.first.tuned(self.sim), **settings(self.sim),
        }  # fmt: skip

    def _publish(self) -> None:
        """Take a snapshot; the latest is the only one kept."""
        self._published = time.perf_counter()
        self._stale = False
        if self.sim.skins is not self.snapshots.skins:  # other topology: another scene, and its picture
            return self._show(*self._scene(self.sim, self.name, again=True))
        try:
            self.latest = self.snapshots.taken(self.epoch, self.running, self.hands)
        except InputError as error:
            if self.running or not self.trouble:
                self._stop(str(error))
        self._tell()

    def _sizes(self) -> dict[str, float]:
        """Forces [N] on all that bodies rest on or are held by."""
        return {name: float(np.linalg.norm(force)) for name, force in self.sim.forces().items()}

    def _take_statistics(self) -> None:
        if self.passing.is_watching and (note := self.passing.seen(self.sim.bodies, self.sim.x)):
            self._mention(note)
        energies, meter, running = self.sim.energies(), self.meter, self.running
        report = meter.report
        self.statistics = finite({
            "say": "statistics", "t": self.sim.t, "factor": meter.factor if running else 0.0,
            "steps_per_second": meter.steps_per_second if running else 0.0, "energies": energies,
            "ms": {name: 1e3 * s for name, s in meter.stages.items()}, "iterations": report.iterations if report else 0,
            "residual": float(report.residual) if report else 0.0, "ok": report is None or report.ok,
            "error": float(report.error / report.motion) if report and report.motion > 0 else 0.0, "dt": self.sim.integrator.dt,
            "recording": self.recorder.about, "forces": self._sizes() if self.forces else {},
        })  # fmt: skip
        astray = [name for name, value in self.statistics["energies"].items() if value is None]
        if astray and running:
            self._stop(f"The energy {', '.join(astray)} is not finite at t = {self.sim.t:.3f} s: reset it, and take a smaller dt")
        self._tell()
