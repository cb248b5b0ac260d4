"""One step of a scene: what is minimised, from where, and what is kept of it."""

from __future__ import annotations

import time as clock
from dataclasses import replace

import numpy as np
import warp as wp

from ..integrate.base import Implicit, State
from ..integrate.symplectic import SymplecticEuler
from ..solve.report import Report
from .world import World

Work = dict[str, wp.array]


def implicit_step(world: World, integrator: Implicit, state: State, work: Work, time: float) -> list[Report]:
    """Minimise the objective of one step; only a solution that is finite replaces the state. A report for each scene."""
    objective, vectors, dt = world.objective, world.objective.vectors, integrator.dt
    objective.begun = clock.perf_counter()
    y, anchor, z = work["y"], work["anchor"], work["z"]
    stage = integrator.stage(state, vectors, time, y, anchor)
    _prepare(world, state, anchor, stage.rate, stage.time)
    world.inertia.scale = stage.inertia
    vectors.copy(y, world.inertia.target)
    _start(world, integrator, state, work, time)
    solver = integrator.solver
    reports = solver.solve_groups(objective, z) if objective.groups > 1 else [solver.solve(objective, z)]
    if not any(report.ok for report in reports):
        return reports
    integrator.read(state, vectors, z, work["x"], work["v"], work["a"])
    if world.pins and stage.rate > 0:
        _carry(world, state, work, dt)
    return _keep(world, state, work, time + dt, reports)


def accelerate(world: World, dt: float, state: State, work: Work, time: float) -> None:
    """work["a"] = −M⁻¹ ∇E at the present positions, with damping at the present velocities."""
    objective, vectors = world.objective, world.objective.vectors
    vectors.move(state.x, -dt, state.v, work["anchor"])
    _prepare(world, state, work["anchor"], 1 / dt, time)
    world.inertia.scale = 0.0
    objective.gradient(state.x, work["a"])
    acceleration = -work["a"].numpy() / world.mass[:, None]
    work["a"].assign(acceleration.astype(world.device.types.numpy))


def explicit_step(world: World, integrator: SymplecticEuler, state: State, work: Work, time: float) -> list[Report]:
    """v⁺ = v − h M⁻¹ ∇E(x), x⁺ = x + h v⁺, with damping at the present velocity."""
    objective, vectors, dt = world.objective, world.objective.vectors, integrator.dt
    accelerate(world, dt, state, work, time)
    vectors.move(state.v, dt, work["a"], work["v"])
    objective.mask(work["v"])
    vectors.move(state.x, dt, work["v"], work["x"])
    if world.pins:
        world.put_pins(world.pinned(time + dt))
        _hold(world, work["x"])
        _carry(world, state, work, dt)
    return _keep(world, state, work, time + dt, [Report(True, "explicit step", 1)] * world.objective.groups)


def _prepare(world: World, state: State, anchor: wp.array, rate: float, time: float) -> None:
    """Tell damping where the step begins, and everything that depends on time when it is."""
    for damping in world.stepwise:
        damping.begin(state.x, anchor, rate)
    if world.drag is not None:
        world.drag.scale = rate
        world.objective.vectors.copy(anchor, world.drag.target)
    world.at_time(time)


def _start(world: World, integrator: Implicit, state: State, work: Work, time: float) -> None:
    """First guess z: the target y or the present x, whichever the objective likes better, with held nodes in place."""
    objective, vectors, z, other = world.objective, world.objective.vectors, work["z"], work["x"]
    vectors.copy(work["y"], z)
    vectors.copy(state.x, other)
    if world.pins:
        if world.pins_move:
            world.put_pins(integrator.hold(world.pinned(time), world.pinned(time + integrator.dt)))
        for guess in (z, other):
            _hold(world, guess)
    objective.prefer(other, z)


def _hold(world: World, x: wp.array) -> None:
    """Put held components of x where they belong."""
    objective = world.objective
    world.device.launch(objective.kernels.hold, objective.count, objective.free, world.place, x)


def _carry(world: World, state: State, work: Work, dt: float) -> None:
    """Held components move with their mean velocity; a scheme's own read-off would swing about it for ever."""
    objective = world.objective
    objective.vectors.mix(1 / dt, work["x"], -1 / dt, state.x, work["held"])
    world.device.launch(objective.kernels.hold, objective.count, objective.free, work["held"], work["v"])
    objective.mask(work["a"])


def _keep(world: World, state: State, work: Work, time: float, reports: list[Report]) -> list[Report]:
    """Make the new state the present one, but for scenes where the step failed or is not finite."""
    objective, vectors = world.objective, world.objective.vectors
    size = sum(vectors.dots(work[name], work[name]).numpy().sum(axis=1) for name in ("x", "v"))
    why = "the new positions or velocities are not finite; try a smaller dt or an inversion-safe material"
    reports = [r if np.isfinite(s) or not r.ok else replace(r, ok=False, why=why) for r, s in zip(reports, size)]
    if not any(report.ok for report in reports):
        return reports
    if not all(report.ok for report in reports):
        ok = world.device.array([report.ok for report in reports], wp.int32)
        for name in ("x", "v", "a"):
            world.device.launch(
                objective.kernels.revert, objective.count, objective.of, ok, getattr(state, name), work[name]
            )
    vectors.copy(state.x, state.x_before)
    vectors.copy(state.v, state.v_before)
    for name in ("x", "v", "a"):
        vectors.copy(work[name], getattr(state, name))
    state.steps += 1
    if world.contact is not None:
        world.contact.place(time)
        world.contact.settle(state.x)
    return reports
