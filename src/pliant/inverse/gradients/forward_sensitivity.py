"""Forward sensitivities of runs along directions of parameters.

The derivative of a step's residual by all its inputs, ∂∇Φ(z; q)/∂q · δq, is a central difference at the solution z of
the step, without another solve: values q ± ε δq replace q, state, memory and parameters at once. Then
H δz = −δ∇Φ with the exact Hessian, and the scheme's rows, which are linear, map δz to the new state. The error of the
difference is about 1e-9 of the derivative. It needs no ``sensitivity`` of any energy; for one direction it costs two gradients
and one linear solve in each step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InputError, StepError
from ...integrate.base import Implicit
from ...integrate.state import State
from ...linear.krylov.pcg import PCG
from ...linear.matrix.system import LinearSolver
from ...simulate.scene.body import Scene
from ...simulate.simulation import Simulation
from ...simulate.step.step_stages import accelerate, aim, flying
from ...solve.newton.linear_system import linearised
from ...solve.newton.newton_solver import Newton
from .adjoint import TOLERANCE
from .adjoint_solves import solved
from .free_values import Key, Values

# (step, x, v, dx, dv): the state (n, 3), and its derivatives along each direction (directions, n, 3)
Visit = Callable[[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
SHARE = {"f64": 1e-5, "f32": 3e-3}  # of the size of a value: step of differences
SIZE = 1e-2  # size used for a value that is 0
FEW = 12  # iterations of a linear solve up to which it reuses data of the step, such as a factor


class Direction:
    """One direction of the parameters: the values on both sides, and the derivative of the state along it."""

    def __init__(self, values: Values, along: Mapping[Key, Any]):
        sim = values.sim
        known = {key: values.read(key, "Forwards(directions=…)") for key in along}
        change = {key: np.asarray(value, float) for key, value in along.items()}
        sizes = [np.abs(known[k]).max(initial=0.0) or SIZE for k in known]
        longest = max((np.abs(d).max(initial=0.0) / s for d, s in zip(change.values(), sizes)), default=0.0)
        if not 0 < longest < np.inf:
            raise InputError(f"Forwards(directions=…): {along!r} goes nowhere; expected a change of some value")
        self.epsilon = SHARE[sim.device.precision] / longest
        moved = [{k: known[k] + sign * self.epsilon * change[k] for k in known} for sign in (1.0, -1.0)]
        self.scenes: list[Scene] = [values.scene_with(both) for both in moved]
        self.starts = [values.start_with(both) for both in moved]
        self.state = State(sim.vectors)
        self.memory: dict[str, dict[str, np.ndarray]] = {}
        self.residual = sim.vectors.new()


class Forwards:
    """Derivatives of runs of ``sim`` along ``directions``, each a change of some values by key, such as {(0, "young"): 1.0}.

    As Adjoint it needs an implicit scheme whose every step converges; ``linear`` and ``tolerance`` are those of Adjoint.
    """

    def __init__(
        self,
        sim: Simulation,
        directions: Sequence[Mapping[Key, Any]],
        linear: LinearSolver | None = None,
        tolerance: float | None = None,
    ):
        if not isinstance(sim.integrator, Implicit) or sim.state.steps:
            raise InputError(
                "Forwards: expected a simulation at its start, by an implicit scheme such as ImplicitEuler; sim.reset() goes back"
            )
        sim._without_spare()
        solver = sim.integrator.solver
        self.sim, self.tolerance = sim, tolerance or TOLERANCE[sim.device.precision]
        self.linear = linear or (solver.linear if isinstance(solver, Newton) else PCG())
        values = Values(sim)
        self.scene, self.directions = sim.scene, [Direction(values, along) for along in directions]
        new = sim.vectors.new
        self._z, self._none = (sim.vectors.positions() for _ in range(2))
        self._ahead, self._back, self._rest, self._part, self._d = (new() for _ in range(5))
        self._targets = [sim.vectors.positions() for _ in range(3)]
        self._solution, self._x, self._held = sim.vectors.positions(), sim.vectors.positions(), new()
        self._v, self._a, self._slow = new(), new(), False
        self._remembering = {
            name: energy for name, energy in sim.world.by_name.items() if any(a.size for a in energy.memory.values())
        }

    def run(self, steps: int, visit: Visit) -> None:
        """Make so many steps and call ``visit`` after each, and at the start; afterwards ``sim`` is where it was."""
        sim, first = self.sim, self.sim.state.copy()
        try:
            self._begin(first)
            self._visit(0, visit)
            for k in range(1, steps + 1):
                self._step(k)
                self._visit(k, visit)
        finally:
            sim.world.adopt([self.scene])
            sim.assign(first)

    def _visit(self, k: int, visit: Visit) -> None:
        x, v = self.sim.x.astype(float), self.sim.v.astype(float)
        dx, dv = (np.array([getattr(d.state, n).numpy() for d in self.directions], float) for n in "xv")
        visit(k, x, v, dx, dv)

    def _begin(self, first: State) -> None:
        """Derivatives of the initial state, and of its accelerations in schemes with them."""
        sim, world, state = self.sim, self.sim.world, self.sim.state
        for direction in self.directions:
            both = []
            for scene, (x, v) in zip(direction.scenes, direction.starts):
                world.adopt([scene])
                state.assign(first)
                state.x.assign(x)
                state.v.assign(v.astype(sim.device.types.numpy))
                if sim.integrator.needs_acceleration:
                    accelerate(world, sim.integrator.dt, state.x, state.v, state.t, sim.work)
                    sim.vectors.copy(sim.work["a"], state.a)
                both.append({name: getattr(state, name).numpy().astype(float) for name in State.FIELDS})
            for name, array in ((name, getattr(direction.state, name)) for name in State.FIELDS):
                slope = (both[0][name] - both[1][name]) / (2 * direction.epsilon)
                array.assign(slope.astype(array.numpy().dtype))
            direction.memory = {
                owner: {name: np.zeros_like(a.numpy()) for name, a in energy.memory.items()}
                for owner, energy in self._remembering.items()
            }
        world.adopt([self.scene])
        sim.assign(first)

    def _step(self, number: int) -> None:
        """Advance the state and its derivatives by one step."""
        sim, world, vectors = self.sim, self.sim.world, self.sim.vectors
        before = sim.state.copy()
        report = sim.step()
        if not report.kept or not report.converged:
            raise StepError(f"step {number} of the run did not converge, and only a converged one has a derivative: {report.why}")
        if report.splits:
            raise StepError(
                f"step {number} of the run was split into {report.splits}, whose derivatives are not kept; expected a smaller "
                "dt, or an integrator with splits=0"
            )
        after = sim.state.copy()
        vectors.copy(sim.work["z"], self._z)
        for direction in self.directions:
            for sign, scene, out in zip((1.0, -1.0), direction.scenes, (self._ahead, self._back)):
                self._beside(before, direction, sign, scene)
                aim(world, sim.integrator, sim.state, sim.work)
                world.objective.gradient(self._z, out)
            vectors.mix(0.5 / direction.epsilon, self._ahead, -0.5 / direction.epsilon, self._back, direction.residual)
            world.objective.mask(direction.residual)
        world.adopt([self.scene])
        sim.state.assign(before)
        rows = aim(world, sim.integrator, sim.state, sim.work)
        assembled, spare, most = self.linear.assembled, (self._rest, self._part), 0
        anew = self._slow or not report.iterations  # or else reuse the factor of Newton's method for this step
        system = linearised(world.objective, self._z, False, assembled, insist=False, first=anew, of_step=not anew)
        for direction in self.directions:
            given = (self.tolerance, direction.residual, self._d, spare, f"step {number}")
            most = max(most, solved(self.linear, system, vectors, *given))
            system = replace(system, first=False)
            self._read(rows, direction)
        self._slow = most > FEW
        for direction in self.directions if self._remembering else ():
            self._remember(before, after, direction)
        world.adopt([self.scene])
        sim.assign(after)

    def _beside(self, state: State, direction: Direction, sign: float, scene: Scene) -> None:
        """Set the state ± ε times its derivative, with the values there."""
        sim, epsilon = self.sim, sign * direction.epsilon
        sim.world.adopt([scene])
        sim.state.assign(state)
        for name in State.FIELDS:
            terms = [(1.0, getattr(state, name)), (epsilon, getattr(direction.state, name))]
            sim.vectors.combine(terms, getattr(sim.state, name))
        for owner, slopes in direction.memory.items():
            for name, array in self._remembering[owner].memory.items():
                moved = state.memory[owner][name].numpy() + epsilon * slopes[name]
                array.assign(moved.astype(slopes[name].dtype))

    def _read(self, rows: Any, direction: Direction) -> None:
        """The derivative of the new state, from that of the old one and of the solution."""
        sim, vectors, old = self.sim, self.sim.vectors, direction.state
        y, anchor, at = self._targets
        rows.aim(old, vectors, y, anchor, at)
        vectors.advance(self._none, 1.0, self._d, self._solution)
        x, v, a = self._x, self._v, self._a
        rows.read(old, vectors, (y, anchor, self._solution), x, v, a)
        flies = flying(sim.world, rows)
        if flies:
            flies.along(rows, sim.integrator.dt, sim.state, self._z, old, self._solution, x, v, a)
        objective = sim.world.objective
        if sim.world.held and rows.rate > 0:
            vectors.apart(x, old.x, self._held, 1 / sim.integrator.dt)
            sim.device.launch(objective.kernels.hold, objective.count, objective.free, self._held, v)
            objective.mask(a)
        vectors.copy(old.x, old.x_before)
        vectors.copy(old.v, old.v_before)
        for array, name in ((x, "x"), (v, "v"), (a, "a")):
            vectors.copy(array, getattr(old, name))

    def _remember(self, before: State, after: State, direction: Direction) -> None:
        """The derivative of the memory of energies after the step."""
        sim, both = self.sim, []
        for sign, scene in zip((1.0, -1.0), direction.scenes):
            epsilon = sign * direction.epsilon
            sim.world.adopt([scene])
            for owner, slopes in direction.memory.items():
                energy = self._remembering[owner]
                for name, array in energy.memory.items():
                    moved = before.memory[owner][name].numpy() + epsilon * slopes[name]
                    array.assign(moved.astype(slopes[name].dtype))
            sim.vectors.combine([(1.0, after.x), (epsilon, direction.state.x)], self._solution)
            for energy in self._remembering.values():
                energy.accept(self._solution, after.t)
            both.append({o: {n: a.numpy().copy() for n, a in e.memory.items()} for o, e in self._remembering.items()})
        for owner, slopes in direction.memory.items():
            for name in slopes:
                slopes[name] = (both[0][owner][name] - both[1][owner][name]) / (2 * direction.epsilon)
