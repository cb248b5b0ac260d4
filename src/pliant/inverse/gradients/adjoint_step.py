"""Adjoint step: one implicit step backwards.

A step solves ∇Φ(z; q) = 0 for z, q being the targets of the scheme and the parameters. With ẑ the derivative of the cost by z,
H = ∇²Φ and H d = −ẑ, the cost changes with q by d · ∂²Φ/∂z∂q: one linear solve for all parameters (implicit functions). All
else in a step is linear, and is transposed row by row.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import warp as wp

from ...effects.gradient_mapping import pulled_back
from ...energy.sensitivity import Public
from ...errors import StepError
from ...integrate.state import State
from ...integrate.tableau import Tableau
from ...integrate.tableau_kernels import explicit_kernels
from ...linear.matrix.system import LinearSolver
from ...simulate.simulation import Simulation
from ...simulate.step.step_stages import accelerate, aim, flying
from ...solve.newton.linear_system import linearised
from .adjoint_solves import solved
from .motion_derivatives import Motions
from .pin_kernels import back_kernels

TARGETS = ("target", "anchor", "at")


class StepBack:
    """Adjoints of the state, ``now``, and of all parameters of a simulation, propagated backwards step by step."""

    def __init__(self, sim: Simulation, linear: LinearSolver, tolerance: float):
        self.sim, self.linear, self.tolerance = sim, linear, tolerance
        world, vectors = sim.world, sim.vectors
        self.now, self._before = State(vectors), State(vectors)
        self._targets = {name: vectors.new() for name in TARGETS}
        self._parameters = [energy.parameter_arrays(world.count) for _, energy in world.differentiable]
        self._memories = [
            {name: slot.new(sim.device, world.count) for name, slot in energy.past.items() if name not in TARGETS}
            for _, energy in world.differentiable
        ]
        self._none, self.nothing, self.motions = vectors.positions(), vectors.new(), Motions(sim)
        self._x, self._z, self._d, self._rest, self._part = (vectors.new() for _ in range(5))

    def clear(self, steps: int) -> None:
        """Reset all adjoints to 0, for a run of so many steps."""
        self.motions.clear(steps)
        for arrays in (*self._parameters, *self._memories):
            self._zero(*arrays.values())
        self._zero(*(getattr(self.now, name) for name in State.FIELDS))

    def add(self, x: np.ndarray | None, v: np.ndarray | None) -> None:
        """Add gradients (n, 3) of the cost by the positions and velocities of ``now``."""
        vectors, kind = self.sim.vectors, self.sim.device.types.numpy
        if x is not None:
            self._part.assign(x.astype(kind))
            vectors.advance(self.now.x, 1.0, self._part, self.now.x)
        if v is not None:
            self._part.assign(v.astype(kind))
            vectors.move(self.now.v, 1.0, self._part, self.now.v)

    def charge(self, cost: Callable[[wp.array, wp.array], float]) -> float:
        """Add the gradients that ``cost`` writes into two arrays on the device; returns its result."""
        vectors, x, v = self.sim.vectors, self._part, self._rest
        self._zero(x, v)
        value = cost(x, v)
        vectors.advance(self.now.x, 1.0, x, self.now.x)
        vectors.move(self.now.v, 1.0, v, self.now.v)
        return value

    def step(self, number: int, before: State, after: State) -> None:
        """``now``, the adjoint of ``after``, becomes that of ``before``."""
        sim, vectors, now, back = self.sim, self.sim.vectors, self.now, self._before
        world, work = sim.world, sim.work
        sim.state.assign(before)
        self._forget(after)
        vectors.copy(after.x, work["x"])
        rows = aim(world, sim.integrator, sim.state, work)
        vectors.combine([(rows.time, work["x"]), (1 - rows.time, sim.state.x)], work["z"])
        self._zero(back.a, back.x_before, back.v_before, self._z, *self._targets.values())
        vectors.copy(now.x_before, back.x)
        vectors.copy(now.v_before, back.v)
        if world.held and rows.rate > 0:
            kernel = back_kernels(sim.device.precision).carried_back
            free = world.objective.free
            sim.device.launch(kernel, vectors.count, 1 / sim.integrator.dt, free, now.v, now.a, now.x, back.x)
        vectors.apart(now.x, self._none, self._x)
        self._transposed(rows, (self._x, now.v, now.a), True)
        self.motions.keep(self._z)
        world.objective.mask(self._z)
        depends = self._solve(number)
        self.motions.add(number, rows.time, work["z"], self._d)
        if depends:
            self._collect(work["z"], number)
            self._transposed(rows, tuple(self._targets[name] for name in TARGETS), False)
        self.now, self._before = back, now

    def _transposed(self, rows: Tableau, of: tuple[wp.array, ...], ends: bool) -> None:
        """Transpose of the new state's rows if the step ``ends``, or of its targets."""
        sim, back, flies = self.sim, self._before, flying(self.sim.world, rows)
        own = flies.take(of, ends) if flies else None
        if ends:
            rows.read_back(of, sim.vectors, back, self._z)
        else:
            rows.aim_back(of, sim.vectors, back)
        if flies:
            flies.back(rows, sim.integrator.dt, sim.state, sim.work["z"], own, back, self._z, ends)

    def start(self, first: State) -> None:
        """Transpose of the initial accelerations, a = −M⁻¹∇E(x, v), of schemes with accelerations."""
        sim, vectors, now = self.sim, self.sim.vectors, self.now
        if not sim.integrator.needs_acceleration:
            return
        world, state, dt = sim.world, sim.state, sim.integrator.dt
        sim.state.assign(first)
        accelerate(world, dt, state.x, state.v, state.t, sim.work)
        world.objective.mask(now.a)
        vectors.copy(now.a, self._d)
        kernel = explicit_kernels(sim.device.precision).accelerate
        sim.device.launch(kernel, vectors.count, world.masses, self._d)  # −â/m, so that the forces' part is d · ∂∇E
        self._zero(*self._targets.values(), self._part)
        self._collect(state.x)
        for energy in world.energies:
            energy.tangent(state.x, self._d, self._part, project=False)
        anchor = self._targets["anchor"]  # x − dt v
        for by_x in (self._part, anchor, self._targets["at"]):
            vectors.advance(now.x, 1.0, by_x, now.x)
        vectors.move(now.v, -dt, anchor, now.v)
        by_mass = -np.sum(now.a.numpy() * sim.work["a"].numpy(), axis=1) / world.mass
        (inertia,) = (i for i, (_, energy) in enumerate(world.differentiable) if energy is world["inertia"][0])
        masses = self._parameters[inertia]["stiffness"]
        masses.assign((masses.numpy() + by_mass).astype(sim.device.types.numpy))

    def parameters(self) -> Public:
        """Gradients by the user's parameters, of all steps so far."""
        for (_, energy), arrays in zip(self.sim.world.differentiable, self._memories):
            if any(np.any(array.numpy()) for array in arrays.values()):
                raise StepError(
                    f"{energy.name} depends on what it remembers of earlier steps, which has no derivative here; "
                    "expected a scene without it"
                )
        return pulled_back(self.sim.world.layout, self.sim.world.differentiable, self._parameters)

    def _zero(self, *arrays: wp.array) -> None:
        for array in arrays:
            self.sim.device.clear(array)

    def _forget(self, after: State) -> None:
        """Transpose of the memory updates of energies at the end of the step."""
        remembering = [item for item in zip(self.sim.world.differentiable, self._parameters, self._memories) if item[2]]
        if not remembering:
            return
        self._zero(self._part)
        for (_, energy), into, memory in remembering:
            energy.accept_back(after.x, after.t, memory, into, self._part)
        self.sim.vectors.advance(self.now.x, 1.0, self._part, self.now.x)

    def _collect(self, x: wp.array, number: int = 0) -> None:
        """Add d · ∂²E/∂x∂q of every energy, by parameters and by the initial state of the step."""
        all_of_them = zip(self.sim.world.differentiable, self._parameters, self._memories)
        for i, ((_, energy), into, memories) in enumerate(all_of_them):
            energy.sensitivity(x, self._d, into | self.motions.target(i, number))
            energy.history(x, self._d, memories | {n: a for n, a in self._targets.items() if n in energy.past})

    def _solve(self, number: int) -> bool:
        """Solve H d = −ẑ at the solution of the step; False where nothing depends on it."""
        sim, spare = self.sim, (self._rest, self._part)
        if not sim.vectors.dot(self._z, self._z):
            self._zero(self._d)
            return False
        system = linearised(sim.world.objective, sim.work["z"], False, self.linear.assembled, insist=False)
        where = f"step {number} backwards"
        return solved(self.linear, system, sim.vectors, self.tolerance, self._z, self._d, spare, where) > 0
