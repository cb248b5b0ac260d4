"""Initial guess (warm start) of a step, and its solution."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import warp as wp

from ...energy.capabilities import Corrected, Driven, Wall
from ...integrate.base import Implicit
from ...integrate.state import State
from ...solve.objective.report import Report
from ...solve.objective.step_objective import Objective

if TYPE_CHECKING:
    from .world import World

Work = dict[str, wp.array]
ROUNDS = 4  # of a step, in which what slid along walls or was pushed further touches elsewhere
# sizes of a body by which inertia alone leads it beyond what it meets, above which a step is split: its minimum may lie behind
# what is in the way. Sheets and blocks that meet at 5 m/s, an eighth and a quarter, end where steps 16 times as fine do; at
# 8 m/s, a quarter and a half, beyond each other
LONG = 0.25
TOO_LONG = "bodies pass each other within one step; use a smaller dt"
MOST_PARTS = 20  # of a step, in which driven walls go on as bodies give way


def hold(world: World, x: wp.array) -> None:
    """Put held components of x where they belong."""
    objective = world.objective
    world.device.launch(objective.kernels.hold, objective.count, objective.free, world.held.place, x)


def solved(world: World, integrator: Implicit, z: wp.array) -> list[Report]:
    """Minimise the objective from z on."""
    return list(integrator.solver.solve(world.objective, z).reports)


def with_spent(report: Report, before: Report) -> Report:
    """A report with the iterations of the solves before it."""
    turns = report.linear_iterations + before.linear_iterations
    return replace(report, iterations=report.iterations + before.iterations, linear_iterations=turns)


class Approach:
    """Steps of a world in which bodies may be put anywhere."""

    def __init__(self, world: World):
        self.world = world

    def guess(self, integrator: Implicit, state: State, work: Work) -> str:
        """First guess z: the target y or the present x, whichever the objective likes better, with held nodes in place; x for
        solvers that compare no energies.

        Returns why there is none, or nothing.
        """
        held, objective, z, other = self.world.held, self.world.objective, work["z"], work["x"]
        compares = getattr(integrator.solver, "compares", True)
        if held and held.move:
            held.put(integrator.tableau(state).held(held.at(state.t), held.at(state.t + integrator.dt)))

        def launches() -> None:
            objective.vectors.copy(work["y"], z)
            objective.vectors.copy(state.x, other)
            for place in (z, other) if held else ():
                hold(self.world, place)
            self._choose(other, z, compares)

        objective.replay(launches, f"first guess {bool(held)} {compares}", work["y"], state.x, other, z)
        return ""

    def _choose(self, other: wp.array, z: wp.array, compares: bool) -> None:
        if compares:
            self.world.objective.prefer(other, z)
        else:
            self.world.objective.vectors.copy(other, z)

    def solve(self, integrator: Implicit, work: Work) -> list[Report]:
        """Minimise the objective from the first guess z on."""
        return solved(self.world, integrator, work["z"])


class WallState:
    """Where bodies are with driven walls in place, kept with their objective."""

    def __init__(self, objective: Objective):
        self.here = objective.vectors.positions()


class AmongWalls(Approach):
    """Steps of a world in which no iterate may pass through walls."""

    def guess(self, integrator: Implicit, state: State, work: Work) -> str:
        """First guess z: from the present x, with driven walls in place, towards y, as far as nothing touches."""
        super().guess(integrator, state, work)
        world = self.world
        world.objective.vectors.copy(state.x, self._here)
        driven = [wall for wall in world.objective.having(Driven) if wall.has_way_left]
        moves = driven or (world.held and world.held.move)
        why = self._drive(driven, integrator, work) if moves else ""
        if not why:
            beyond = self._go_on(work)
            if beyond > LONG and integrator.splits and getattr(integrator.solver, "iterations", 0) is None:
                return TOO_LONG
        return why

    def _choose(self, other: wp.array, z: wp.array, compares: bool) -> None:
        """Nothing: z is where the way leads."""

    @property
    def _here(self) -> wp.array:
        """Where bodies are with driven walls in place, before they go on."""
        return self.world.objective.state(WallState).here

    def _go_on(self, work: Work) -> float:
        """Bring z back to as far from here as nothing touches, or to here where the objective is smaller; returns how far
        bodies would have gone beyond each other, in sizes of the smaller."""
        objective, here, way = self.world.objective, self._here, work["v"]
        objective.vectors.apart(work["z"], here, way)
        limit = objective.step_limit(here, way)
        beyond = max((wall.overshoot() for wall in objective.having(Wall)), default=0.0) if limit < 1.0 else 0.0
        objective.vectors.advance(here, limit, way, work["z"])
        objective.prefer(here, work["z"])
        return beyond

    def _drive(self, driven: list[Driven], integrator: Implicit, work: Work) -> str:
        """Move held nodes and obstacles to where they belong, in parts if bodies must give way meanwhile, which go along.

        Returns why they cannot get there, or nothing.
        """
        world, here, goal, way = self.world, self._here, work["x"], work["v"]
        objective, vectors = world.objective, world.objective.vectors
        for part in range(MOST_PARTS + 1):
            vectors.copy(here, goal)
            if world.held:
                hold(world, goal)
            vectors.apart(goal, here, way)
            for wall in driven:
                wall.start_drive()
            limit = objective.step_limit(here, way)
            for wall in driven:
                wall.advance_drive(limit)
            if limit >= 1:
                vectors.copy(goal, here)
                return ""
            if limit < 1 / MOST_PARTS or part == MOST_PARTS:
                break
            vectors.advance(here, limit, way, here)
            failed = [report.why for report in solved(world, integrator, here) if not report.kept]
            if failed:
                return f"the step failed for bodies pushed by held nodes or obstacles: {failed[0]}"
        return "held nodes or obstacles move through another body or invert an element in one step; use a smaller dt"

    def solve(self, integrator: Implicit, work: Work) -> list[Report]:
        """Minimise it, and again where something crossed a wall that was looked at elsewhere, from where it had not."""
        reports = super().solve(integrator, work)
        for _ in range(ROUNDS):
            if not any(report.kept for report in reports):
                break
            walls = self.world.objective.having(Corrected)
            missed = [wall.missed_collision(work["z"], self._here) for wall in walls]  # of all of them
            if not any(missed):
                break
            self._go_on(work)
            again = super().solve(integrator, work)
            reports = [with_spent(report, before) for report, before in zip(again, reports)]
        return reports
