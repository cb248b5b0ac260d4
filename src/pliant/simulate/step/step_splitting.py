"""Step splitting: halves of a step that has no solution.

Driven obstacles and held nodes follow their courses at the times of the sub-steps. BDF2, which looks a step back, begins each
pair of halves with implicit Euler; after them the step before is again one of the whole length. The state is that at the end of
all sub-steps, or, where one of them fails, that at the beginning. A budget of iterations is a promise about the cost of a step:
it is not split. Nor are the scenes of a batch, which step together: the report of one that failed says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...integrate.base import Implicit
from ...integrate.state import State
from ...solve.objective.report import Report, allowed, worst
from ..scene.step_guess import TOO_LONG, Work
from ..scene.world import World
from .step_stages import implicit_step

TOGETHER = "a Batch does not split steps; a Simulation of this scene alone does"


def split_step(world: World, integrator: Implicit, state: State, work: Work) -> list[Report]:
    """One step, in halves where it fails as a whole; a report for each scene."""
    reports = implicit_step(world, integrator, state, work)
    converges = getattr(integrator.solver, "iterations", 0) is None
    if all(report.kept for report in reports) or not integrator.splits or not converges:
        return reports
    if len(reports) > 1:
        return [report if report.kept else replace(report, why=f"{report.why}; {TOGETHER}") for report in reports]
    (whole,) = reports
    halves = _halves(world, _halved(integrator, whole), state, work)
    done = _sum([whole, halves])
    if done.kept:
        return [replace(done, why=f"split into {done.splits} steps: {done.why}")]
    to = "" if whole.why == TOO_LONG else f" into steps of down to {integrator.dt / 2**integrator.splits:.2g} s"
    return [replace(done, why=f"{whole.why}; split{to}: {halves.why}")]


def _halved(integrator: Implicit, failed: Report) -> Implicit:
    """The scheme of half the step; one that is too long for what moves is halved until it is not."""
    half = integrator.halved
    return replace(half, splits=integrator.splits) if failed.why == TOO_LONG else half


def _halves(world: World, half: Implicit, state: State, work: Work) -> Report:
    """A step that failed as a whole in two halves."""
    first, parts = state.copy(), []
    state.steps = 0  # nothing is known of a step of this length before
    for _ in range(2):
        (part,) = implicit_step(world, half, state, work)
        if not part.kept and half.splits:
            part = _sum([part, _halves(world, _halved(half, part), state, work)])
        parts.append(part)
        if not part.kept:
            state.assign(first)
            world.last = None
            world.still(state.x, state.t)
            return _sum(parts)
    vectors = world.objective.vectors
    vectors.copy(first.x, state.x_before)
    vectors.copy(first.v, state.v_before)
    state.t, state.steps = first.t + 2 * half.dt, first.steps + 1
    return replace(_sum(parts), splits=sum(part.splits or 1 for part in parts), **_judged(world, first, state, parts))


def _judged(world: World, first: State, last: State, parts: Sequence[Report]) -> dict[str, Any]:
    """The motion of the whole of a split step, and how near to its solution the parts are: their errors add up."""
    way = world.device.read(last.x) - world.device.read(first.x)
    motion, poor = float(np.linalg.norm(way, axis=1).max(initial=0.0)), worst(parts)
    return {
        "motion": motion,
        "allowed": allowed(motion, world.objective.extents[0]),
        "error": sum(part.error for part in parts),
        "residual": max(part.residual for part in parts),
        "converged": all(part.converged for part in parts),
        "rounded": all(part.rounded for part in parts),
        "why": poor.why,
        "worst": poor.worst,
    }


def _sum(reports: Sequence[Report]) -> Report:
    """The last of several reports, with what all of them cost."""
    seconds = {name: sum(r.seconds.get(name, 0.0) for r in reports) for r in reports for name in r.seconds}
    costs = ("iterations", "linear_iterations", "evaluations", "friction_loss")
    return replace(reports[-1], seconds=seconds, **{name: sum(getattr(r, name) for r in reports) for name in costs})
