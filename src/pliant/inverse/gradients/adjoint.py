"""Discrete adjoint of a run, exact for its computed numbers.

The run is made forwards, then backwards step by step (adjoint_step.py); states in between are stored, or recomputed from stored
ones, with the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arguments import checks
from ...effects.gradient_mapping import undifferentiable
from ...effects.tearing import Tearing
from ...energy.sensitivity import Differentiable, Public
from ...errors import InputError, StepError
from ...integrate.base import Implicit
from ...integrate.state import State
from ...linear.krylov.pcg import PCG
from ...linear.matrix.system import LinearSolver
from ...simulate.simulation import Simulation
from ...solve.newton.newton_solver import Newton
from .adjoint_step import StepBack
from .free_values import of_start, refuse_cuts

# (step, x, v) → (c, dc/dx, dc/dv), a gradient None where it is 0
Cost = Callable[[int, np.ndarray, np.ndarray], tuple[float, np.ndarray | None, np.ndarray | None]]
See = Callable[[int, np.ndarray, np.ndarray], None]
TOLERANCE = {"f64": 1e-10, "f32": 1e-4}  # relative residual of the linear solves backwards
LOOSEST = 0.01


@dataclass(frozen=True, eq=False)
class Gradient:
    """The cost of a run, and its derivatives.

    ``parameters`` has them by (number of the body, name), such as (0, "young"), with None for the whole scene, such as
    (None, "gravity"), each of the shape of the parameter; ``x`` and ``v`` (n, 3) by positions and velocities at the start.
    """

    cost: float
    parameters: Public
    x: np.ndarray
    v: np.ndarray


class Adjoint:
    """Gradients of costs of runs of ``sim``, an implicit scheme whose every step converges.

    ``keep_every`` steps a state is kept, and those between are computed again: less memory for up to twice the time. ``linear``
    is the solver backwards, None for Newton's own, to a relative residual of ``tolerance`` (None: 1e-10 in f64, 1e-4 in f32).
    Scenes without derivatives, such as those with a barrier between bodies, are refused.
    """

    def __init__(self, sim: Simulation, keep_every: int = 1, linear: LinearSolver | None = None, tolerance: float | None = None):
        if not isinstance(sim, Simulation):
            raise InputError(f"Adjoint(sim={type(sim).__name__}): expected a Simulation")
        if not isinstance(sim.integrator, Implicit):
            raise InputError(
                f"Adjoint: {type(sim.integrator).__name__} has no adjoint here; expected an implicit scheme such as ImplicitEuler"
            )
        if linear is not None and not (hasattr(linear, "solve") and hasattr(linear, "assembled")):
            raise InputError(f"Adjoint(linear={checks.shown(linear)}): expected linear.PCG(), linear.Direct() or None")
        if tolerance is not None and not 0 < checks.real(tolerance) <= LOOSEST:
            raise InputError(
                f"Adjoint(tolerance={checks.shown(tolerance)}): expected a positive number of at most {LOOSEST}, or None"
            )
        self.sim, self.keep_every = sim, checks.whole("Adjoint(keep_every=…)", keep_every)
        refuse_cuts(sim)
        sim._without_spare()
        self._check()
        solver = sim.integrator.solver
        if linear is None:
            linear = solver.linear if isinstance(solver, Newton) else PCG()
        self.linear, self.tolerance = linear, tolerance or TOLERANCE[sim.device.precision]
        self._back = StepBack(sim, linear, self.tolerance)

    def gradient(self, steps: int, cost: Cost, see: See | None = None) -> Gradient:
        """C = Σ c_k(x_k, v_k) over the states k = 0 … ``steps`` of a run from where ``sim`` is, and the derivatives of C.

        ``cost(k, x, v)`` returns c_k and its gradients by x and v, (n, 3) arrays or None for 0; it is called from the last
        state to the first, ``see(k, x, v)`` before that from the first to the last. Afterwards ``sim`` is where it was.
        A cost with a method ``on_device(k, x, v, by_x, by_v)`` is called so instead, with Warp arrays of which it adds its
        gradients to the last two, and returns c_k: then no state visits the host.
        """
        checks.whole("gradient(steps=…)", steps)
        if not callable(cost) and not hasattr(cost, "on_device"):
            raise InputError(f"gradient(cost={checks.shown(cost)}): expected a function of a step, positions and velocities")
        if see is not None and not callable(see):
            raise InputError(
                f"gradient(see={checks.shown(see)}): expected a function of a step, positions and velocities, or None"
            )
        if self.sim.state.steps:
            raise InputError(
                f"gradient: the simulation has made {self.sim.state.steps} steps already; expected one at its start: "
                "sim.reset(), or assign sim.x or sim.v"
            )
        self._check()
        first = self.sim.state.copy()
        try:
            return self._backwards(steps, cost, self._forwards(steps, first, see))
        finally:
            self.sim.assign(first)

    def _check(self) -> None:
        """Refuse scenes without derivatives."""
        world = self.sim.world
        if any(part.of(Tearing) for part in world.layout.parts):
            raise InputError("Adjoint: a body that tears has no derivatives; expected bodies without Tearing(…)")
        if world.rigid is not None and self.sim.integrator.rows().time < 1:
            raise InputError(
                f"Adjoint: {type(self.sim.integrator).__name__}() solves for another moment than the end of a step, which is not "
                "kept for contact.Rigid bodies; expected ImplicitEuler(), BDF2(), Newmark() or NewmarkTheta()"
            )
        for why in undifferentiable(world.differentiable):
            raise InputError(f"Adjoint: {why}")
        for energy in world.energies:
            past = energy.past if isinstance(energy, Differentiable) else {}
            names = [name for name, a in energy.memory.items() if a.size and f"memory.{name}" not in past]
            if names:
                raise InputError(
                    f"Adjoint: {energy.name} remembers {', '.join(names)} from step to step, without derivatives; "
                    "expected a scene without it"
                )

    def _forwards(self, steps: int, first: State, see: See | None) -> dict[int, State]:
        """Step → state: the stored ones, and all of the last segment."""
        kept, last = {0: first}, (steps - 1) // self.keep_every * self.keep_every
        for k in range(steps + 1):
            if k:
                self._advance(k)
            if see is not None:
                x, v = (self.sim.device.read(getattr(self.sim.state, name)).astype(float) for name in "xv")
                see(k, x, v)
            if k and (k % self.keep_every == 0 or k > last):
                kept[k] = self._kept(kept.get(k - 1))
        return kept

    def _kept(self, before: State | None) -> State:
        """The current state, without arrays unused by the scheme or equal to those of the last step."""
        state = self.sim.state.copy()
        if not self.sim.integrator.needs_acceleration:
            state.a = self._back.nothing
        if before is not None:
            state.x_before, state.v_before = before.x, before.v
        return state

    def _advance(self, k: int) -> None:
        report = self.sim.step()
        if not report.kept or not report.converged:
            raise StepError(f"step {k} of the run did not converge, and only a converged one has a derivative: {report.why}")
        if report.splits:
            raise StepError(
                f"step {k} of the run was split into {report.splits}, whose derivatives are not kept; expected a smaller dt, "
                "or an integrator with splits=0"
            )

    def _backwards(self, steps: int, cost: Cost, kept: dict[int, State]) -> Gradient:
        back, total = self._back, 0.0
        back.clear(steps)
        for k in range(steps, -1, -1):
            total += self._charge(cost, k, kept[k])
            if k > 0:
                self._recompute(k - 1, kept)
                back.step(k, kept[k - 1], kept.pop(k))
        back.start(kept[0])
        x, v = (getattr(back.now, name).numpy().astype(float) for name in "xv")
        starts = of_start(self.sim, kept[0].x.numpy(), x, v)
        return Gradient(total, back.parameters() | starts | back.motions.public(x), x, v)

    def _recompute(self, end: int, kept: dict[int, State]) -> None:
        """Fill in the states up to ``end``, where they are missing, from the kept one before it."""
        if end in kept:
            return
        begin = end // self.keep_every * self.keep_every
        self.sim.assign(kept[begin])
        for k in range(begin + 1, end + 1):
            self._advance(k)
            kept[k] = self._kept(kept[k - 1])

    def _charge(self, cost: Cost, k: int, state: State) -> float:
        """The cost of a state, whose gradients go to the adjoint."""
        if hasattr(cost, "on_device"):
            value = checks.real(self._back.charge(lambda *into: cost.on_device(k, state.x, state.v, *into)))
            if not np.isfinite(value):
                raise InputError(f"cost.on_device({k}, x, v, by_x, by_v) returned {value!r}; expected a finite number")
            return value
        given: Any = cost(k, state.x.numpy().astype(float), state.v.numpy().astype(float))
        if not isinstance(given, tuple) or len(given) != 3:
            raise InputError(f"cost({k}, x, v) returned {type(given).__name__}; expected (c, dc/dx, dc/dv)")
        value = checks.real(given[0])
        gradients = [None if g is None else checks.floats(g) for g in given[1:]]
        shape = (self.sim.world.count, 3)
        for g in gradients:
            if g is not None and (g.shape != shape or not np.all(np.isfinite(g))):
                raise InputError(f"cost({k}, x, v) returned a gradient of shape {g.shape}; expected {shape}, finite, or None")
        if not np.isfinite(value):
            raise InputError(f"cost({k}, x, v) returned {given[0]!r}; expected a finite number")
        self._back.add(*gradients)
        return value
