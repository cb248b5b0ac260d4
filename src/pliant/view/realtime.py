"""Real-time settings: single precision, short steps, few iterations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..contact.barrier.barrier_energy import Barrier
from ..contact.complementarity.contact_solver import Complementarity
from ..contact.pairs.pair_law import Anisotropic
from ..contact.penalty.penalty_law import Penalty
from ..integrate.base import Implicit
from ..integrate.schemes import QuasiStatic
from ..linear.factor.direct import Direct
from ..linear.krylov.gmres import GMRES
from ..simulate.scene.body import Scene
from ..simulate.scene.contact_response import said as said_response
from ..simulate.simulation import Simulation
from ..solve.newton.newton_solver import Newton
from ..solve.quasi_newton.quasi_newton_solver import QuasiNewton

STEP = 1 / 60  # [s] no step is shorter, unless a scene needs it
TOUCHING = QuasiNewton(iterations=10)
JOINED = Newton(iterations=2, linear=Direct())  # joints take the forces found from step to step


@dataclass(frozen=True)
class Quick:
    """What is other than usual; None for what is usual.

    ``solver``: ten quasi-Newton iterations where bodies touch anything, whose stiffness comes and goes within a step, else one
    linearisation. ``dt`` [s]: 1/60 s, or the scene's where that is longer. ``contact``: arguments of ``Contact`` that take the
    place of the scene's; usually springs in place of a barrier and of forces that are found. ``arguments``: of an example's own
    ``simulation``, for a coarser mesh. ``slower``: how many times slower than the clock it is shown, where what happens is too
    fast for the eye.
    """

    solver: Any = None
    dt: float | None = None
    contact: Mapping[str, Any] | None = None
    arguments: Mapping[str, Any] | None = None
    slower: float = 1.0


USUAL = Quick()


def quickened(sim: Simulation, by: Quick = USUAL) -> Simulation:
    """The same scene at real-time settings, where it is now."""
    scene, integrator = sim.scene, sim.integrator
    contact = _springs(scene) if by.contact is None else by.contact
    if contact:
        scene = replace(scene, contact=replace(scene.contact, **contact))
    if isinstance(integrator, QuasiStatic):  # its steps are as long as its loads ask for, and end in equilibrium
        integrator = replace(integrator, solver=by.solver or integrator.solver, dt=by.dt or integrator.dt)
    elif isinstance(integrator, Implicit):
        solver = by.solver or _few(integrator.solver, scene)
        integrator = replace(integrator, dt=by.dt or max(integrator.dt, STEP), solver=solver)
    made = Simulation(scene, integrator, device=sim.device.name, precision="f32")
    if sim.t or not np.array_equal(made.x, sim.x.astype(made.x.dtype)) or not np.array_equal(made.v, sim.v.astype(made.v.dtype)):
        made.x, made.v, made.t = sim.x, sim.v, sim.t
    return made


def _springs(scene: Scene) -> dict[str, Any]:
    """Springs in place of a barrier and of forces that are found: bodies feel themselves still, and sheets have a thickness."""
    response = scene.contact.response
    if any(isinstance(pair.friction, Anisotropic) for pair in scene.contact.pairs):  # which springs do not know
        return {}
    if not isinstance(response, Barrier | Complementarity) or getattr(response, "joints", ()):
        return {}
    thin = any(body.shape.dimension < 3 for body in scene.bodies)
    return {"response": Penalty(), "self_contact": scene.contact.touches_itself, "thickness": thin}


def _few(solver: Any, scene: Scene) -> Any:
    """A few cheap iterations where it was Newton's method or one like it; others, and fewer, as they are."""
    if isinstance(solver, Newton) and (solver.line_search is None or isinstance(solver.linear, GMRES)):
        return solver  # of forces without an energy
    if not isinstance(solver, Newton | QuasiNewton) or isinstance(scene.contact.response, Barrier | Complementarity):
        return solver  # which finds the forces of needles and other joints
    if scene.joints:
        return JOINED
    if isinstance(solver, QuasiNewton) and solver.iterations is not None and solver.iterations < TOUCHING.iterations:
        return solver
    return TOUCHING if scene.obstacles or said_response(scene, "") else Newton(iterations=1)


def said(sim: Simulation) -> str:
    """The settings of a simulation in a few words."""
    solver, dt = getattr(sim.integrator, "solver", None), sim.integrator.dt
    words = {"f32": "single precision", "f64": "double precision"}[sim.device.precision]
    parts = [words, f"steps of 1/{1 / dt:.0f} s" if dt < 1 else f"steps of {dt:g} s"]
    if isinstance(solver, Newton):
        count = solver.iterations
        parts.append("Newton to convergence" if count is None else f"Newton × {count}")
    elif isinstance(solver, QuasiNewton):
        parts.append(f"quasi-Newton × {solver.iterations}")
    elif solver is not None:
        parts.append(type(solver).__name__)
    return ", ".join([*parts, *filter(None, [sim.response and f"contact by {sim.response.partition(',')[0]}"])])
