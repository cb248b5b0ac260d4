"""Commands that pages may send to a live simulation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..cut.blade import Blade
from ..errors import InputError, did_you_mean
from ..material.laws.presets import PRESETS
from ..simulate.cutting.cut_commit import within_reach
from ..simulate.simulation import Simulation
from ..solve.quasi_newton.projective_dynamics import ProjectiveDynamics
from .protocol.session import sentence
from .scene.scene_description import activations, parameters, preset_values, resolved, solvers, strength, with_mean, with_strength

if TYPE_CHECKING:
    from .live_loop import Loop


class Commands:
    """The commands of a ``Loop``; each gets the number of the client that asked."""

    def __init__(self, loop: Loop):
        self.loop = loop

    # --- hands

    def do_grab(self, client: int, **values: Any) -> None:
        if isinstance(getattr(self.loop.sim.integrator, "solver", None), ProjectiveDynamics):
            raise InputError("projective dynamics has no hands; choose another solver in the menu to pull")
        self.loop.hands.grab(client, **values)

    def do_move(self, client: int, hand: int, at: list[float]) -> None:
        self.loop.hands.move(client, hand, at)

    def do_release(self, client: int, hand: int, pin: bool) -> None:
        self.loop.hands.release(client, hand, pin)

    def do_unpin(self, client: int, pin: int) -> None:
        self.loop.hands.unpin(pin)

    def do_leave(self, client: int) -> None:
        self.loop.hands.leave(client)

    def do_strength(self, client: int, value: float) -> None:
        self.loop.hands.strength = value

    # --- cuts

    def do_cut(self, client: int, path: list[list[float]], into: list[float], depth: float) -> None:
        sim, blade = self.loop.sim, Blade(path, depth, into)
        can, others = within_reach(sim, blade)
        # what stands in the way and cannot be cut, such as a rigid tool, keeps the knife from nothing else
        done = [sim.cut(blade, body=i)[i] for i in can] if can and others else sim.cut(blade)
        if not any(done):
            raise InputError("nothing was cut there: draw right across a body, or mesh it finer")
        self.loop.pace.forgive()

    def do_uncut(self, client: int) -> None:
        loop = self.loop
        if not loop.sim.cuts:
            raise InputError("there is no cut to undo")
        if loop.recorder.on:
            loop.end_recording("a cut was undone")
        handles = [handle for hold in loop.hands.held.values() for handle in hold.handles]
        loop.sim.undo_cut()
        for handle in set(handles) & set(loop.sim.hands.points):
            loop.sim.release(handle)
        loop.hands.clear()
        loop.trouble = ""
        loop.pace.forgive()
        loop.meter.restart(loop.sim.t)

    # --- values

    def do_set(self, client: int, body: int, name: str, value: float) -> None:
        sim = self.loop.sim
        self._check_body("set", body)
        known = parameters(sim.scene.bodies[body].material)
        muscles, tears = activations(sim, body), strength(sim, body)
        if name in tears:
            sim.set(body=body, tearing=with_strength(sim, body, name, value))
        elif name in muscles:
            sim.set(body=body, activation={muscles[name]: value})
        elif name in known:
            sim.set(body=body, **{name: with_mean(known[name][1], value)})
        else:
            names = [*known, *muscles, *tears]
            raise InputError(f"unknown parameter {name!r}{did_you_mean(name, names)}; known are {', '.join(names)}")

    def _check_body(self, what: str, body: int) -> None:
        if body >= len(self.loop.sim.bodies):
            raise InputError(f"{what}(body={body}): expected 0 … {len(self.loop.sim.bodies) - 1}")

    def do_preset(self, client: int, body: int, name: str) -> None:
        """Give a body the stiffness and the density of a material that people know."""
        sim = self.loop.sim
        self._check_body("preset", body)
        if name not in PRESETS:
            raise InputError(f"no preset {name!r}{did_you_mean(name, PRESETS)}; there are {', '.join(PRESETS)}")
        values = preset_values(sim.scene.bodies[body].material, PRESETS[name])
        if not values:
            raise InputError(f"{sim.scene.bodies[body].material.name} has other parameters than the preset {name!r}")
        sim.set(body=body, **values)

    def do_defaults(self, client: int) -> None:
        """Everything that can be tuned as it was at first; time goes on."""
        self.loop.first.restore(self.loop)

    def do_gravity(self, client: int, value: list[float]) -> None:
        self.loop.sim.set(gravity=value)

    def do_friction(self, client: int, value: float) -> None:
        self.loop.sim.set(friction=value)

    def do_solver(self, client: int, name: str) -> None:
        loop = self.loop
        if name not in solvers(loop.sim):
            raise InputError(f"no solver {name!r} for this scene; there are {', '.join(solvers(loop.sim))}")
        loop.sim.integrator = resolved(name, loop.given)
        loop.solver = name

    # --- time

    def do_pause(self, client: int, value: bool) -> None:
        loop = self.loop
        loop.running = not value
        loop.pace.forgive()
        if loop.running:
            loop.trouble = ""

    def do_step(self, client: int) -> None:
        loop = self.loop
        loop.running = False
        loop.pace.single += 1
        loop.trouble = ""

    def do_back(self, client: int) -> None:
        """Undo the last step, and stay there."""
        loop = self.loop
        if loop.recorder.on:
            loop.end_recording("time went back")
        loop.running = False
        loop.pace.forgive()
        loop.past.back(loop.sim)
        loop.trouble = ""
        loop.meter.restart(loop.sim.t)

    def do_speed(self, client: int, value: float) -> None:
        self.loop.speed = value

    def do_reset(self, client: int) -> None:
        loop = self.loop
        if loop.recorder.on:
            loop.end_recording("the simulation was put back")
        loop.go_back()
        loop.hands.clear()
        loop.running = True
        loop.trouble = ""
        loop.pace.forgive()
        loop.meter.restart(loop.sim.t)

    # --- recordings and other scenes

    def do_record(self, client: int, value: bool) -> None:
        loop = self.loop
        if value:
            loop.recorder.start()
            loop.recorder.begin(loop.sim, loop.name)
        else:
            loop.recorder.stop()

    def do_recording(self, client: int) -> None:
        """Somebody has begun or ended it from Python."""
        self.loop.recorder.begin(self.loop.sim, self.loop.name)

    def do_example(self, client: int, name: str) -> None:
        loop = self.loop
        if name not in loop.library:
            near, known = did_you_mean(name, loop.library), ", ".join(loop.library) or "none"
            raise InputError(f"no example {name!r}{near}; there are {known}")
        loop.set_busy(f"Setting up {name} …")
        try:
            self._follow(name, loop.made(name))
        finally:
            loop.set_busy("")

    def do_accurate(self, client: int, value: bool) -> None:
        """The scene that is shown from its start, as it was given or at real-time settings."""
        loop = self.loop
        if not loop.choice(loop.name):
            raise InputError("this simulation has no settings for real time besides its own")
        if value == loop.accurate:
            return
        before, loop.accurate = loop.accurate, value
        try:
            self.do_example(client, loop.name)
        except BaseException:
            loop.accurate = before
            raise

    def _follow(self, name: str, sim: Simulation) -> None:
        """Let another simulation take the place of the one before."""
        loop = self.loop
        if loop.recorder.on:
            loop.end_recording("another scene was chosen")
        loop.adopt(sim, name)
        loop.running = True
        loop.trouble = ""

    # --- files

    def do_opened(self, client: int, path: Path) -> None:
        """Read a file that a page has sent; ``parse`` knows no such command, so paths come from the server alone."""
        loop = self.loop
        name = path.name
        while name in loop.library and name not in loop.shelf.paths:  # that of an example
            name = f"_{name}"
        try:
            self._read(name, path)
        except InputError:
            loop.shelf.discard(path)
            raise

    def do_place(self, client: int, up: str, unit: str) -> None:
        """Read the file that is shown again, with another axis up or another unit."""
        path = self.loop.shelf.paths.get(self.loop.name) if self.loop.shelf is not None else None
        if path is None:
            raise InputError("place: this scene was not opened from a file in the page")
        self._read(self.loop.name, path, up, unit)

    def _read(self, name: str, path: Path, up: str = "", unit: str = "") -> None:
        """Show what a file holds; one that cannot be shown leaves everything as it was."""
        loop, shelf = self.loop, self.loop.shelf
        before = loop.library.get(name), shelf.paths.get(name), shelf.placing.get(name)
        loop.set_busy(f"Reading {path.name} …")
        try:
            made = shelf.maker(path, up, unit)
            sim = made()
            loop.library[name], shelf.paths[name], shelf.placing[name] = made, path, (up, unit)
            self._follow(name, sim)
        except Exception as error:
            for kept, old in zip((loop.library, shelf.paths, shelf.placing), before):
                kept.pop(name, None)
                if old is not None:
                    kept[name] = old
            raise InputError(shelf.named(sentence(error), path)) from error
        finally:
            loop.set_busy("")
        for old in shelf.tidy(name, before[1]):
            del loop.library[old]

    # --- looks

    def do_colour(self, client: int, name: str) -> None:
        self.loop.snapshots.colour(name)

    def do_range(self, client: int, ends: list[float]) -> None:
        self.loop.snapshots.hold_range(ends)

    def do_contacts(self, client: int, value: bool) -> None:
        self.loop.snapshots.contacts = value

    def do_forces(self, client: int, value: bool) -> None:
        self.loop.forces = value

    def do_elements(self, client: int, value: bool) -> None:
        self.loop.snapshots.show_edges(value)
        self.loop.pack_edges()

    def do_inside(self, client: int, value: bool) -> None:
        """Tell what is inside of bodies, which a page needs for the lids where it clips them."""
        if value != (self.loop.snapshots.inside is not None):
            self.loop.snapshots.show_inside(value)
            self.loop.pack_inside()
