"""One step of a scene: its objective, its start, and what is kept of its solution."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import warp as wp

from ..energy.base import Step, Upright
from ..energy.memory import Memory
from ..energy.touching import NOTHING, told
from ..integrate.balance import UNBOUNDED
from ..integrate.base import Implicit
from ..integrate.explicit import Explicit
from ..integrate.rigid import RigidBodies
from ..integrate.state import State
from ..integrate.tableau import Tableau
from ..integrate.tableau_kernels import explicit_kernels
from ..solve.advice import advice
from ..solve.objective import Objective
from ..solve.report import Report, judged
from .equilibrium import ADVICE, BUDGET, Work, equilibrium, hold, solved
from .world import World

ROUNDS = 4  # of a step, in which what slid along walls or was pushed further touches elsewhere
ROLLS = 8  # solves more of a step, in which rigid bodies that roll press elsewhere
MOST_PARTS = 20  # of a step, in which what is driven goes on as bodies give way
INVERTED = 2 + len(NOTHING)  # column of the sizes of a step where numbers of inverted points begin
POSITIONS, VECTORS = ("y", "anchor", "at", "origin", "z", "x"), ("v", "a", "held")  # what a step works in


def _at_once(world: World, name: str, key: tuple, work: Callable[[], None]) -> None:
    """Run launches that are the same for this name and key; on the CPU they are recorded, so that they cost one call."""
    recorded = world.objective.state(StepState).recorded.setdefault(name, {})
    world.device.replayed(work, key if world.device.is_cpu else None, recorded)


def begin_step(world: World, integrator: Implicit, state: State, work: Work) -> Tableau:
    """Make the objective that of the step which begins with ``state``; returns the rows of the scheme."""
    y, anchor, at, origin = work["y"], work["anchor"], work["at"], state.x
    rows, vectors = integrator.tableau(state), world.objective.vectors
    flies = flying(world, rows)
    if flies:
        origin = work["origin"]

    def aim() -> None:
        rows.aim(state, vectors, y, anchor, at)
        if flies:
            vectors.copy(state.x, origin)
            flies.aim(rows, integrator.dt, state, y, anchor, at, origin)

    _at_once(world, "aim", (rows, state, id(work)), aim)
    lasts = rows.time * integrator.dt
    world.begin(Step(at, state.t + lasts, rows.rate, anchor, rows.inertia, y, state.x, state.t, lasts, origin))
    return rows


def flying(world: World, rows: Tableau) -> RigidBodies | None:
    """The rigid bodies, where they move by their inertia."""
    return world.rigid if rows.inertia > 0 else None


def implicit_step(world: World, integrator: Implicit, state: State, work: Work) -> list[Report]:
    """Minimise the objective of one step; only a finite solution replaces the state. A report for each scene."""
    objective, vectors, dt = world.objective, world.objective.vectors, integrator.dt
    objective.begun = clock.perf_counter()
    before = state.remember()
    rows = begin_step(world, integrator, state, work)
    blocked = first_guess(world, integrator, state, work)
    if blocked:
        return _failed(world, state, before, [Report(False, blocked, residual=1.0, converged=False)] * objective.groups)
    y, anchor, z = work["y"], work["anchor"], work["z"]
    moving, flies = rows.inertia > 0, flying(world, rows)
    objective.moving = moving
    if moving:
        reports = solved(world, integrator, z)
        reports = _along_walls(world, integrator, work, reports) if objective.has_walls else reports
        reports = _renewed(world, integrator, z, reports)
        reports = _rolled(world, integrator, work, reports) if flies else reports
    else:
        reports = equilibrium(world, integrator, state, work, before)
    if not any(report.kept for report in reports):
        return _failed(world, state, before, reports)
    carried = bool(world.held) and rows.rate > 0

    def read() -> None:
        new = work["x"], work["v"], work["a"]
        rows.read(state, vectors, (y, anchor, z), *new)
        if flies:
            flies.read(rows, dt, state, y, z, *new)
        if carried:
            _carry(world, state, work, dt)

    _at_once(world, "read", (rows, state, id(work), carried, dt), read)
    reports = _sound(world, state, work, reports, at_rest=not moving)
    if integrator.patience:
        reports = world.balance.review(reports, integrator, state, (work["x"], work["v"]))
    elif not rows.ends_at_solution:
        reports = _finite(world, work["x"], reports)
    elif moving:
        reports = world.energy_watch.look(reports, integrator, state, (work["x"], work["v"]))
    step = replace(world.begun, start=state.x_before)  # where the present x is, once there is another
    reports = _keep(world, state, work, dt, before, reports)
    world.last = (step, z) if any(report.kept for report in reports) else None
    return reports


def accelerate(world: World, dt: float, x: wp.array, v: wp.array, time: float, work: Work) -> None:
    """work["a"] = −M⁻¹ ∇E at positions x and ``time`` [s], with damping at velocities v."""
    objective, vectors = world.objective, world.objective.vectors
    vectors.advance(x, -dt, v, work["anchor"])
    world.begin(Step(x, time, 1 / dt, work["anchor"]))
    objective.gradient(x, work["a"])
    kernel = explicit_kernels(world.device.precision).accelerate
    world.device.launch(kernel, objective.count, world.masses, work["a"])


def explicit_step(world: World, integrator: Explicit, state: State, work: Work) -> list[Report]:
    """One step of a scheme that solves nothing."""
    before, dt = state.remember(), integrator.dt
    if world.held:
        world.held.put(world.held.at(state.t + dt))
    integrator.advance(
        state,
        world.objective.vectors,
        (work["x"], work["v"], work["a"]),
        lambda x, v, time: accelerate(world, dt, x, v, time, work),
        lambda x: hold(world, x) if world.held else None,
    )
    if world.held:
        _carry(world, state, work, dt)
    reports = _sound(world, state, work, [Report(True, "explicit step", 1)] * world.objective.groups)
    reports = world.energy_watch.look(reports, integrator, state, (work["x"], work["v"]))
    return _keep(world, state, work, dt, before, reports)


def first_guess(world: World, integrator: Implicit, state: State, work: Work) -> str:
    """First guess z: the target y or the present x, whichever the objective likes better, with held nodes in place; x for
    solvers that compare no energies.

    Returns why there is none, or nothing.
    """
    objective, vectors, z, other = world.objective, world.objective.vectors, work["z"], work["x"]
    held, walls = world.held, objective.has_walls
    compares = getattr(integrator.solver, "compares", True)
    if held and held.move:
        held.put(integrator.tableau(state).held(held.at(state.t), held.at(state.t + integrator.dt)))

    def guess() -> None:
        vectors.copy(work["y"], z)
        vectors.copy(state.x, other)
        for place in (z, other) if held else ():
            hold(world, place)
        if not walls and compares:
            objective.prefer(other, z)
        elif not walls:
            vectors.copy(other, z)

    objective.replay(guess, f"first guess {bool(held)} {walls} {compares}", work["y"], state.x, other, z)
    return _short_of_walls(world, integrator, state, work) if walls else ""


def _short_of_walls(world: World, integrator: Implicit, state: State, work: Work) -> str:
    """First guess z: from the present x, with what is driven in place, towards y, as far as nothing touches.

    Returns why there is none, or nothing.
    """
    objective, vectors, z, way = world.objective, world.objective.vectors, work["z"], work["v"]
    here = objective.state(StepState).here
    vectors.copy(state.x, here)
    if (world.held and world.held.move) or any(energy.is_driven for energy in world.energies):
        why = _drive(world, integrator, here, work)
        if why:
            return why
    vectors.apart(z, here, way)
    vectors.advance(here, objective.step_limit(here, way), way, z)
    return ""


def _along_walls(world: World, integrator: Implicit, work: Work, reports: list[Report]) -> list[Report]:
    """Solve the step again where something crossed a wall that was looked at elsewhere, from where it had not."""
    objective, vectors, z, way = world.objective, world.objective.vectors, work["z"], work["v"]
    here = objective.state(StepState).here
    for _ in range(ROUNDS):
        if not any(report.kept for report in reports):
            break
        overtaken = [energy.overtaken(z, here) for energy in world.energies]
        if not any(overtaken):
            break
        vectors.apart(z, here, way)
        vectors.advance(here, objective.step_limit(here, way), way, z)
        reports = [_with(r, before) for r, before in zip(solved(world, integrator, z), reports)]
    return reports


def _rolled(world: World, integrator: Implicit, work: Work, reports: list[Report]) -> list[Report]:
    """Solve the step again where rigid bodies press other points in the end than friction has held; with a budget once."""
    for again in range(ROLLS):
        if again and not all(report.converged for report in reports if report.kept):
            break
        others = [energy.roll(work["z"]) for energy in world.energies if any(report.kept for report in reports)]
        if not any(others):
            break
        found = solved(world, integrator, work["z"])
        found = _along_walls(world, integrator, work, found) if world.objective.has_walls else found
        spent = [replace(r, iterations=r.iterations + before.iterations) for r, before in zip(found, reports)]
        reports = [r if before.kept else before for r, before in zip(spent, reports)]
    return reports


def _renewed(world: World, integrator: Implicit, z: wp.array, reports: list[Report]) -> list[Report]:
    """Go on where a solve without a budget ended, as long as contacts are found there that it did not know."""
    for _ in range(ROUNDS):
        if getattr(integrator.solver, "iterations", 0) is not None or not all(report.converged for report in reports):
            break
        missed = [energy.missed(z) for energy in world.touching]
        if not any(missed):
            break
        reports = [_with(r, before) for r, before in zip(solved(world, integrator, z), reports)]
    return reports


def _with(report: Report, before: Report) -> Report:
    """A report with the iterations of the solves before it."""
    turns = report.linear_iterations + before.linear_iterations
    return replace(report, iterations=report.iterations + before.iterations, linear_iterations=turns)


def _drive(world: World, integrator: Implicit, here: wp.array, work: Work) -> str:
    """Move held nodes and obstacles to where they belong, in parts if bodies must give way meanwhile, and ``here`` with them.

    Returns why they cannot get there, or nothing.
    """
    objective, vectors, goal, way = world.objective, world.objective.vectors, work["x"], work["v"]
    driven = [energy for energy in world.energies if energy.is_driven]
    for part in range(MOST_PARTS + 1):
        vectors.copy(here, goal)
        if world.held:
            hold(world, goal)
        vectors.apart(goal, here, way)
        for energy in driven:
            energy.set_off()
        limit = objective.step_limit(here, way)
        for energy in driven:
            energy.drive(limit)
        if limit >= 1:
            vectors.copy(goal, here)
            return ""
        if limit < 1 / MOST_PARTS or part == MOST_PARTS:
            break
        vectors.advance(here, limit, way, here)
        failed = [report.why for report in solved(world, integrator, here) if not report.kept]
        if failed:
            return f"held nodes or obstacles push bodies, which do not follow: {failed[0]}"
    return "held nodes or obstacles move through another body, or turn an element over, in one step; use a smaller dt"


def _carry(world: World, state: State, work: Work, dt: float) -> None:
    """Held components move with their mean velocity; a scheme's own read-off would swing about it for ever."""
    objective = world.objective
    objective.vectors.apart(work["x"], state.x, work["held"], 1 / dt)
    world.device.launch(objective.kernels.hold, objective.count, objective.free, work["held"], work["v"])
    objective.mask(work["a"])


def _sound(world: World, state: State, work: Work, reports: list[Report], at_rest: bool = False) -> list[Report]:
    """Reject new positions and velocities that are not finite, and points that are inverted where none may be."""
    vectors, own = world.objective.vectors, world.objective.state(StepState)

    def measure() -> None:
        world.device.copy(own.nothing, own.sizes)
        for name in ("x", "v"):
            vectors.sums.add_to(own.sizes, 1.0, vectors.kernels.dot_chunk, work[name], work[name])
        vectors.apart(work["x"], state.x, own.motion)
        vectors.sums.longest(own.sizes, own.motion, 1)

    _at_once(world, "sizes", (state, id(work)), measure)
    for energy in world.touching:
        energy.touch(work["x"], own.contacts)
    world.add_turned(work["x"], own.inverted)
    rows = own.read()  # one visit to the host for all
    size = rows[:, 0]
    reports = [judged(report, row[1], extent) for report, row, extent in zip(reports, rows, world.extents)]
    if world.touching:
        reports = [replace(report, **told(row[2:INVERTED])) for report, row in zip(reports, rows)]
        for remark in [energy.remark for energy in world.touching if energy.remark]:
            reports = [replace(report, why=f"{report.why}; {remark}") if report.kept else report for report in reports]
    why = (
        f"the new positions or velocities are not finite; {advice(world.objective)}"
        if not np.isfinite(size).all()
        else ""
    )
    reports = [
        r if np.isfinite(s) or not r.kept else replace(r, kept=False, converged=False, why=why)
        for r, s in zip(reports, size)
    ]
    return _upright(rows[:, INVERTED::2].T, at_rest, reports)


class StepState:
    """Arrays that steps work in, kept with their objective, and the launches recorded on them."""

    def __init__(self, objective: Objective):
        device, begins = objective.device, (0.0, 0.0, *NOTHING, *[0.0, 0.0] * len(Upright))
        self.nothing = device.array([begins] * objective.groups, wp.float64)  # what sizes begin with
        self.sizes = wp.clone(self.nothing)  # motion, contacts and inverted points of each scene
        self.contacts = self.sizes[:, 2:INVERTED]
        self.inverted = [self.sizes[:, i : i + 2] for i in range(INVERTED, len(begins), 2)]  # for each kind
        self.read = device.reader(self.sizes)
        self.kept = device.zeros(objective.groups, wp.int32)  # scenes whose step is kept
        self.motion, self.here = objective.vectors.new(), objective.vectors.positions()
        self.recorded: dict[str, dict] = {}  # launches of each stage


def _upright(counts: np.ndarray, at_rest: bool, reports: list[Report]) -> list[Report]:
    """Reject a solution with inverted points, (kinds, scenes), unless they are points of a motion that the law turns back.

    Those, and corners of averaged cells, are named in ``why``.
    """
    never, points, corners, counted = counts
    if at_rest:
        never, points = never + points, 0 * points
    checked, points = [], points + counted
    for report, wrong, over, folded in zip(reports, never, points, corners):
        report = replace(report, inverted=int(wrong + over + folded))
        if report.kept and wrong > 0:
            cure = f"{BUDGET}; {ADVICE}" if at_rest and not report.converged else ADVICE
            why = f"{wrong:.0f} points of the solution are inverted (det F ≤ 0); {cure}"
            report = replace(report, kept=False, converged=False, why=why)
        elif report.kept and over + folded > 0:
            places = [
                f"{n:.0f} {what}" for n, what in ((over, "points"), (folded, "corners of averaged cells")) if n > 0
            ]
            report = replace(report, why=f"{report.why}; {' and '.join(places)} are inverted (det F ≤ 0)")
        checked.append(report)
    return checked


def _finite(world: World, x: wp.array, reports: list[Report]) -> list[Report]:
    """A state whose energy is not finite is none; solvers have looked at z alone."""
    sums = world.device.zeros((len(reports), 2), wp.float64)
    for energy in world.energies:
        if not energy.of_step:
            energy.evaluate(x, sums)
    values = world.device.read(sums)[:, 0]
    why = f"{UNBOUNDED}; {advice(world.objective)}" if not np.isfinite(values).all() else ""
    return [
        replace(report, kept=False, converged=False, why=why) if report.kept and not np.isfinite(value) else report
        for report, value in zip(reports, values)
    ]


def _failed(world: World, state: State, before: dict[str, Memory], reports: list[Report]) -> list[Report]:
    """Leave everything as it was before the step."""
    state.recall(before)
    world.last = None
    world.still(state.x, state.t)
    return reports


def _keep(
    world: World, state: State, work: Work, dt: float, before: dict[str, Memory], reports: list[Report]
) -> list[Report]:
    """Make the new state the present one, but for scenes where the step failed."""
    objective, vectors = world.objective, world.objective.vectors
    failed = np.flatnonzero([not report.kept for report in reports])
    if len(failed) == len(reports):
        return _failed(world, state, before, reports)
    if len(failed):
        ok = objective.state(StepState).kept
        ok.assign(np.array([report.kept for report in reports], np.int32))
        for name in ("x", "v", "a"):
            world.device.launch(
                objective.kernels.revert, objective.count, objective.of, ok, getattr(state, name), work[name]
            )

    def keep() -> None:
        vectors.copy(state.x, state.x_before)
        vectors.copy(state.v, state.v_before)
        for name in ("x", "v", "a"):
            vectors.copy(work[name], getattr(state, name))

    _at_once(world, "keep", (state, id(work)), keep)
    state.t, state.steps = state.t + dt, state.steps + 1
    world.accept(state.x, state.t)
    if len(failed):
        state.recall_some(before, world.bounds, failed)
    return reports
