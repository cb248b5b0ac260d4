"""One step of a scene: aim, guess, solve, read, judge, keep."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import warp as wp

from ...energy.base import Step
from ...energy.capabilities import InversionPolicy, Multiplied, Rechecked, Rolling
from ...energy.contact_totals import NOTHING, told
from ...energy.memory import Memory
from ...integrate.base import Implicit
from ...integrate.energy_balance import UNBOUNDED
from ...integrate.explicit import Explicit
from ...integrate.rigid_scheme import RigidBodies
from ...integrate.state import State
from ...integrate.tableau import Tableau
from ...integrate.tableau_kernels import explicit_kernels
from ...solve.objective.advice import advice
from ...solve.objective.report import Report, judged
from ...solve.objective.step_objective import Objective
from ..scene.step_guess import ROUNDS, Work, hold, solved, with_spent
from ..scene.world import World
from .equilibrium import ADVICE, BUDGET, equilibrium

MULTIPLIED = 20  # solves more of a step, in which joints take the forces that they were found to need
SLOW, FIRMER = (
    0.2,
    10.0,
)  # of what they were off before: less is too slow, as where stiff contact presses, and they get stiffer
ROLLS = 8  # solves more of a step, in which rigid bodies that roll press elsewhere
INVERTED = 2 + len(NOTHING)  # column of the sizes of a step where numbers of inverted points begin
POSITIONS, VECTORS = ("y", "anchor", "at", "origin", "z", "x"), ("v", "a", "held")  # what a step works in


def _at_once(world: World, name: str, key: tuple, work: Callable[[], None]) -> None:
    """Run launches that are the same for this name and key; on the CPU they are recorded, so that they cost one call."""
    recorded = world.objective.state(StepState).recorded.setdefault(name, {})
    world.device.replayed(work, key if world.device.is_cpu else None, recorded)


def aim(world: World, integrator: Implicit, state: State, work: Work) -> Tableau:
    """Make the objective that of the step which begins with ``state``; returns the rows of the scheme."""
    y, anchor, at, origin = work["y"], work["anchor"], work["at"], state.x
    rows, vectors = integrator.tableau(state), world.objective.vectors
    flies = flying(world, rows)
    if flies:
        origin = work["origin"]

    def launches() -> None:
        rows.aim(state, vectors, y, anchor, at)
        if flies:
            vectors.copy(state.x, origin)
            flies.aim(rows, integrator.dt, state, y, anchor, at, origin)

    _at_once(world, "aim", (rows, state, id(work)), launches)
    lasts = rows.time * integrator.dt
    world.begin(Step(at, state.t + lasts, rows.rate, anchor, rows.inertia, y, state.x, state.t, lasts, origin))
    return rows


def flying(world: World, rows: Tableau) -> RigidBodies | None:
    """The rigid bodies, where they move by their inertia."""
    return world.rigid if rows.inertia > 0 else None


def implicit_step(world: World, integrator: Implicit, state: State, work: Work) -> list[Report]:
    """Minimise the objective of one step; only a finite solution replaces the state. A report for each scene."""
    world.objective.begun, world.objective.origin = clock.perf_counter(), state.x
    before = state.remember()
    rows = aim(world, integrator, state, work)
    blocked = world.approach.guess(integrator, state, work)
    if blocked:
        why = Report(False, blocked, residual=1.0, converged=False)
        return _failed(world, state, before, [why] * world.objective.groups)
    reports = solve(world, integrator, state, work, rows, before)
    if not any(report.kept for report in reports):
        return _failed(world, state, before, reports)
    read(world, integrator.dt, state, work, rows)
    reports = judge(world, integrator, state, work, rows, reports)
    return keep(world, state, work, integrator.dt, before, reports, work["z"])


def solve(world: World, integrator: Implicit, state: State, work: Work, rows: Tableau, before: dict[str, Memory]) -> list[Report]:
    """Find the solution z of the step from the first guess on: the minimum, or the equilibrium of a scheme without inertia."""
    world.objective.moving = rows.inertia > 0
    if not world.objective.moving:
        return equilibrium(world, integrator, state, work, before)
    reports = world.approach.solve(integrator, work)
    reports = _renewed(world, integrator, work["z"], reports)
    reports = _joined(world, integrator, work, reports)
    return _rolled(world, integrator, work, reports) if flying(world, rows) else reports


def read(world: World, dt: float, state: State, work: Work, rows: Tableau) -> None:
    """Read the new positions, velocities and accelerations off the solution z."""
    y, anchor, z, new = work["y"], work["anchor"], work["z"], (work["x"], work["v"], work["a"])
    flies, carried = flying(world, rows), bool(world.held) and rows.rate > 0

    def launches() -> None:
        rows.read(state, world.objective.vectors, (y, anchor, z), *new)
        if flies:
            flies.read(rows, dt, state, y, z, *new)
        if carried:
            _carry(world, state, work, dt)

    _at_once(world, "read", (rows, state, id(work), carried, dt), launches)


def judge(world: World, integrator: Implicit, state: State, work: Work, rows: Tableau, reports: list[Report]) -> list[Report]:
    """Reject values that are not finite and inverted points, and look at the energy that the step gained."""
    moving, new = rows.inertia > 0, (work["x"], work["v"])
    reports = _sound(world, state, work, reports, at_rest=not moving)
    if integrator.patience:
        return world.balance.review(reports, integrator, state, work["z"], new)
    if not rows.ends_at_solution:
        return _finite(world, work["x"], reports)
    return world.energy_watch.look(reports, integrator, state, new) if moving else reports


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
    return keep(world, state, work, dt, before, reports)


def _renewed(world: World, integrator: Implicit, z: wp.array, reports: list[Report]) -> list[Report]:
    """Go on where a solve without a budget ended, as long as contacts are found there that it did not know."""
    for _ in range(ROUNDS):
        if getattr(integrator.solver, "iterations", 0) is not None or not all(report.converged for report in reports):
            break
        missed = [energy.missed_contact(z) for energy in world.objective.having(Rechecked)]
        if not any(missed):
            break
        reports = [with_spent(r, before) for r, before in zip(solved(world, integrator, z), reports)]
    return reports


def _rolled(world: World, integrator: Implicit, work: Work, reports: list[Report]) -> list[Report]:
    """Solve the step again where rigid bodies press other points in the end than friction has held; with a budget once."""
    for again in range(ROLLS):
        if again and not all(report.converged for report in reports if report.kept):
            break
        kept = any(report.kept for report in reports)
        others = [energy.roll(work["z"]) for energy in world.objective.having(Rolling) if kept]
        if not any(others):
            break
        found = _joined(world, integrator, work, world.approach.solve(integrator, work))
        reports = [with_spent(r, before) if before.kept else before for r, before in zip(found, reports)]
    return reports


def _joined(world: World, integrator: Implicit, work: Work, reports: list[Report]) -> list[Report]:
    """Solve the step again with the forces that joints were found to have, until they hold.

    A budget that is used up, and rounding, end it too; the next step begins with the forces found.
    """
    joints, last = world.objective.having(Multiplied), np.inf
    for again in range(MULTIPLIED + 1):
        if not joints or not any(report.kept for report in reports):
            break
        apart = max(float(joint.find_multipliers(work["z"]).max()) for joint in joints)
        rounded = any(report.residual > report.tolerance for report in reports)
        if apart <= 1.0 or (rounded and apart > 0.5 * last):
            break
        if again == MULTIPLIED or not all(report.converged for report in reports if report.kept):
            why = f"joint constraints are violated by {apart:.2g} times their tolerance"
            reports = [replace(r, why=f"{r.why}; {why}", converged=False) if r.kept else r for r in reports]
            break
        for joint in joints:
            joint.take_multipliers(FIRMER if apart > SLOW * last else 1.0)
        last, found = apart, world.approach.solve(integrator, work)
        reports = [with_spent(r, old) if old.kept else old for r, old in zip(found, reports)]
    return reports


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
        world.add_inverted(work["x"], own.inverted)

    _at_once(world, "sizes", (state, id(work)), measure)
    for energy in world.touching:
        energy.touch(work["x"], own.contacts)
    rows = own.read()  # one visit to the host for all
    sound, extents = np.isfinite(rows[:, 0]).tolist(), world.objective.extents.tolist()
    reports = [judged(*one) for one in zip(reports, rows[:, 1].tolist(), extents)]
    if world.touching:
        reports = [report.changed(**told(row[2:INVERTED])) for report, row in zip(reports, rows)]
        for remark in [energy.remark for energy in world.touching if energy.remark]:
            reports = [replace(report, why=f"{report.why}; {remark}") if report.kept else report for report in reports]
    why = f"the new positions or velocities are not finite; {advice(world.objective)}" if not all(sound) else ""
    reports = [r if s or not r.kept else replace(r, kept=False, converged=False, why=why) for r, s in zip(reports, sound)]
    return _upright(rows[:, INVERTED::2].T, at_rest, reports)


class StepState:
    """Arrays that steps work in, kept with their objective, and the launches recorded on them."""

    def __init__(self, objective: Objective):
        device, begins = objective.device, (0.0, 0.0, *NOTHING, *[0.0, 0.0] * len(InversionPolicy))
        self.nothing = device.array([begins] * objective.groups, wp.float64)  # what sizes begin with
        self.sizes = wp.clone(self.nothing)  # motion, contacts and inverted points of each scene
        self.contacts = self.sizes[:, 2:INVERTED]
        self.inverted = [self.sizes[:, i : i + 2] for i in range(INVERTED, len(begins), 2)]  # for each kind
        self.read = device.reader(self.sizes)
        self.kept = device.zeros(objective.groups, wp.int32)  # scenes whose step is kept
        self.motion = objective.vectors.new()
        self.recorded: dict[str, dict] = {}  # launches of each stage


def _upright(counts: np.ndarray, at_rest: bool, reports: list[Report]) -> list[Report]:
    """Reject a solution with inverted points, (kinds, scenes), unless they are points of a motion that the law turns back.

    Those, and corners of averaged cells, are named in ``why``.
    """
    if not counts.any():
        return reports
    never, points, corners, counted = counts
    if at_rest:
        never, points = never + points, 0 * points
    checked, points = [], points + counted
    for report, wrong, over, folded in zip(reports, never, points, corners):
        if wrong + over + folded > 0:
            report = report.changed(inverted=int(wrong + over + folded))
        if report.kept and wrong > 0:
            cure = f"{BUDGET}; {ADVICE}" if at_rest and not report.converged else ADVICE
            why = f"{wrong:.0f} points of the solution are inverted (det F ≤ 0); {cure}"
            report = replace(report, kept=False, converged=False, why=why)
        elif report.kept and over + folded > 0:
            places = [f"{n:.0f} {what}" for n, what in ((over, "points"), (folded, "corners of averaged cells")) if n > 0]
            report = replace(report, why=f"{report.why}; {' and '.join(places)} are inverted (det F ≤ 0)")
        checked.append(report)
    return checked


def _finite(world: World, x: wp.array, reports: list[Report]) -> list[Report]:
    """A state whose energy is not finite is none; solvers have looked at z alone."""
    sums = world.device.zeros((len(reports), 2), wp.float64)
    for energy in world.objective.potentials:
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


def keep(
    world: World, state: State, work: Work, dt: float, before: dict[str, Memory], reports: list[Report],
    solution: wp.array | None = None,
) -> list[Report]:  # fmt: skip
    """Make the new state the present one, but for scenes where the step failed; ``solution`` is that of the step."""
    objective, vectors, step = world.objective, world.objective.vectors, world.begun
    failed = np.flatnonzero([not report.kept for report in reports])
    if len(failed) == len(reports):
        return _failed(world, state, before, reports)
    if len(failed):
        ok = objective.state(StepState).kept
        ok.assign(np.array([report.kept for report in reports], np.int32))
        for name in ("x", "v", "a"):
            world.device.launch(objective.kernels.revert, objective.count, objective.of, ok, getattr(state, name), work[name])

    def launches() -> None:
        vectors.copy(state.x, state.x_before)
        vectors.copy(state.v, state.v_before)
        for name in ("x", "v", "a"):
            vectors.copy(work[name], getattr(state, name))

    _at_once(world, "keep", (state, id(work)), launches)
    state.t, state.steps = state.t + dt, state.steps + 1
    world.accept(state.x, state.t)
    if len(failed):
        state.recall_some(before, failed)
    world.last = None if solution is None else (step, solution)
    return reports
