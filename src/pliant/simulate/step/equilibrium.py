"""Static equilibrium in one step, or in parts.

From far away a solver may fail, or end in an equilibrium of folded cells, whose mean volume and points are in order (turned
corners tell). Such a step is made in 2, 4, then 8 parts, each from the solution of the one before: motions and loads follow the
time, and the force g₀ by which the step was out of balance where it began is taken away little by little, ∇E = (1−λ) g₀ for λ
from 0, where the present state is the solution, to 1.

The scenes of a batch are solved together along the way, and only those that went astray take its end. A budget of iterations or
of time is a promise about the cost of a step: no parts are made of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import warp as wp

from ...energy.base import Step
from ...energy.capabilities import Constraint, InversionPolicy, Lagged, Wall
from ...energy.memory import Memory
from ...integrate.base import Implicit
from ...integrate.state import State
from ...solve.objective.report import Report
from ..scene.step_guess import Work, hold, solved
from ..scene.world import World

PASSES = 20  # solves of one quasi-static step in which energies take anew what they keep fixed in each
PARTS = (2, 4, 8)
ADVICE = "try a smaller dt, or apply loads and motions in more steps"
BUDGET = "a step with a budget is not split, unlike one with a tolerance"


def settled(world: World, integrator: Implicit, z: wp.array) -> list[Report]:
    """Minimise it, and again until nothing that energies keep fixed during a solve changes any more."""
    reports = solved(world, integrator, z)
    for _ in range(PASSES):
        if not any(report.kept for report in reports):
            return reports
        changed = [energy.refresh_lagged(z) for energy in world.objective.having(Lagged)]
        if not any(changed):
            return reports
        again = solved(world, integrator, z)
        reports = [replace(r, iterations=r.iterations + before.iterations) for r, before in zip(again, reports)]
    why = f"what holds the bodies still changes after {PASSES} solves of one step; try a smaller dt"
    return [replace(report, kept=False, why=why, converged=False) for report in reports]


def equilibrium(world: World, integrator: Implicit, state: State, work: Work, before: dict[str, Memory]) -> list[Report]:
    """Find the equilibrium that the step asks for, from the first guess work["z"] on; ``before``: memories to go back to."""
    z = work["z"]
    reports = settled(world, integrator, z)
    start = _start(world, state)
    # corners that were turned over before say nothing of this step
    new = world.count_inverted(start)[InversionPolicy.REPORTED] == 0
    troubles = _troubles(world, z, reports, new)
    spent, astray = [report.iterations for report in reports], []
    for g, (report, trouble) in enumerate(zip(reports, troubles)):
        if trouble and report.kept and not report.converged:
            reports[g] = replace(report, why=f"{report.why}; {BUDGET}")
        elif trouble:
            astray.append(g)
    if astray and world.objective.having(Wall | Constraint):  # the parts would put held nodes on the other side of them
        for g in astray:
            reports[g] = replace(reports[g], kept=False, converged=False, why=f"{troubles[g]}; {ADVICE}")
        astray = []
    if not astray:
        return reports
    path, best = _Path(world, integrator, state, work, before, start), _Chosen(world, z)
    for parts in PARTS:
        found, why = path.follow(parts, new & (parts < PARTS[-1]), astray)
        for g in astray:
            spent[g] += found[g].iterations
            if not why[g]:
                said = f"{found[g].why}, in {parts} parts, since as one step {troubles[g]}"
                reports[g] = replace(found[g], why=said, iterations=spent[g])
        best.take(z, [g for g in astray if not why[g]])
        astray = [g for g in astray if why[g]]
        if not astray:
            break
    best.put(z, state.t + integrator.dt, integrator.dt)
    for g in astray:
        if reports[g].kept:
            said = f"{troubles[g]}, and in {parts} parts {why[g]}; {ADVICE}"
            reports[g] = replace(reports[g], kept=False, converged=False, why=said)
        else:
            reports[g] = replace(reports[g], iterations=spent[g])
    return reports


class _Chosen:
    """Positions of which each scene has those that were taken last."""

    def __init__(self, world: World, z: wp.array):
        self.world, self.values, self.whole = world, z.numpy().copy(), True

    def take(self, z: wp.array, scenes: list[int]) -> None:
        now = z.numpy()
        for g in scenes:
            rows = slice(*self.world.bounds[g : g + 2])
            self.values[rows] = now[rows]
        self.whole = len(scenes) == len(self.world.bounds) - 1

    def put(self, z: wp.array, time: float, lasts: float) -> None:
        """Write them into z; energies take what they keep fixed there, at the end of the step."""
        if not self.whole:
            z.assign(self.values)
            self.world.begin(Step(z, time, lasts=lasts))
            for energy in self.world.objective.having(Lagged):
                energy.refresh_lagged(z)


def _start(world: World, state: State) -> wp.array:
    """Where the way to the equilibrium begins: here, unless pins alone were moved before the first step and fold their cells."""
    counts = world.count_inverted(state.x) if state.steps == 0 else {}
    folded = np.sum([counts[kind] for kind in counts if kind is not InversionPolicy.COUNTED], axis=0) > 0
    folded = np.atleast_1d(folded)
    if not folded.any():
        return state.x
    if folded.all():
        return world.objective.rest
    of = np.repeat(folded, np.diff(world.bounds))[:, None]
    return world.device.array(np.where(of, world.objective.rest.numpy(), state.x.numpy()), world.device.types.position)


def _troubles(world: World, z: wp.array, reports: list[Report], corners: np.ndarray) -> list[str]:
    """What speaks against the solution of each scene, or nothing; ``corners``: whether turned corners do."""
    counts = world.count_inverted(z)
    turned = counts[InversionPolicy.ALWAYS] + counts[InversionPolicy.AT_REST]
    folded = np.where(corners, counts[InversionPolicy.REPORTED], 0)
    return [_trouble(*given) for given in zip(reports, turned, folded)]


def _trouble(report: Report, turned: float, folded: float) -> str:
    if not report.kept:
        return "the solver failed"
    if turned > 0:
        return f"{turned:.0f} points of the solution are inverted (det F ≤ 0)"
    return f"{folded:.0f} corners of cells are inverted (det F ≤ 0)" if folded > 0 else ""


class _Path:
    """The way from the state where a step begins to its equilibrium, in equal parts."""

    def __init__(self, world: World, integrator: Implicit, state: State, work: Work, before: dict[str, Memory], start: wp.array):
        self.world, self.integrator, self.state, self.work, self.before = world, integrator, state, work, before
        self.start = start
        self.weight = world["gravity"][0]  # forces that do not depend on positions: the imbalance joins them
        self.forces = self.weight.forces.numpy().copy()
        self.jump = np.zeros((0, 3))
        if world.held:  # pins that are not where they belong yet
            self.jump = start.numpy()[world.held.rows] - world.held.at(state.t)
        world.still(start, state.t)
        gradient = work["held"]
        world.objective.gradient(start, gradient)
        self.imbalance = gradient.numpy().copy()

    def follow(self, parts: int, corners: np.ndarray, scenes: Sequence[int] = (0,)) -> tuple[list[Report], list[str]]:
        """Go in so many parts, until all ``scenes`` went astray; of every scene the last report, and what went astray."""
        world, state, z, at = self.world, self.state, self.work["z"], self.work["at"]
        vectors = world.objective.vectors
        state.recall(self.before)
        vectors.copy(self.start, z)
        spent, last = np.zeros(len(world.bounds) - 1, int), {}
        try:
            for k in range(1, parts + 1):
                share, time = k / parts, state.t + self.integrator.dt * k / parts
                vectors.copy(z, at)
                world.begin(Step(at, time, lasts=time - state.t))
                self.weight.set(self.forces + (1 - share) * self.imbalance)
                if world.held:
                    world.held.put(world.held.at(time) + (1 - share) * self.jump)
                    hold(world, z)
                reports = settled(world, self.integrator, z)
                spent += [report.iterations for report in reports]
                troubles = _troubles(world, z, reports, corners)
                last = {g: (reports[g], why) for g, why in enumerate(troubles) if why} | last  # the first trouble of each
                if all(g in last for g in scenes):
                    break
        finally:
            self.weight.set(self.forces)
        ends = [last.get(g, (report, "")) for g, report in enumerate(reports)]
        return [replace(report, iterations=int(n)) for (report, _), n in zip(ends, spent)], [why for _, why in ends]
