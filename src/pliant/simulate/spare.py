"""Tears in place: rows to spare become nodes, and only what is around a tear changes, in the arrays that steps work on.

Launches that were recorded stay valid, so that a step after a tear costs what any other does. It is for scenes of one body whose
solver keeps its factor (``after_cut.Kept`` and ``Bordered``); in all others a tear lays the scene out anew. Both lead to the same
numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..cut.tear import Torn
from ..effects.damping import Damping
from ..effects.holding import Hold, Rigidly
from ..effects.tearing import Tearing
from ..effects.wind import Wind
from ..integrate.schemes import ImplicitEuler
from ..solve.after_cut import Bordered, Kept
from ..solve.constant_factor import constant_factor
from ..solve.quasi_newton import QuasiNewton
from ..vectors import write, write_rows
from .body import Body, Scene

if TYPE_CHECKING:
    from .simulation import Simulation

SHARE, LEAST = 0.04, 32  # rows to spare, of the nodes of a body and at least


def room(scenes: Sequence[Scene], integrator: Any) -> int:
    """Rows to spare for scenes: none where tears lay them out anew."""
    solver, (scene, *others) = getattr(integrator, "solver", None), scenes
    if others or type(integrator) is not ImplicitEuler or type(solver) is not QuasiNewton:
        return 0
    if not isinstance(solver.after_cut, Kept | Bordered) or len(scene.bodies) > 1 or scene.obstacles or scene.effects:
        return 0
    (body,) = scene.bodies
    shape, effects = body.shape, body.effects
    simple = all(
        isinstance(effect, Tearing | Wind) or (type(effect) is Hold and isinstance(effect.by, Rigidly))
        for effect in effects
    )
    plain = body.damping == Damping() and body.surface is None and not shape.bending
    if not (body.of(Tearing) and simple and plain) or (shape.dimension == 3 and body.of(Wind)):
        return 0
    return max(LEAST, int(SHARE * len(shape.rest)))


def torn_in_place(simulation: Simulation, body: Body, one: Torn) -> bool:
    """Go on with the only body torn, ``body`` being what it is after that; False, with nothing changed, where that cannot be."""
    world, objective = simulation.world, simulation.world.objective
    layout, factor = world.layout, constant_factor(objective)
    rows = slice(world.alive, len(one.origin))
    new = one.origin[rows]
    if not layout.spare or len(new) > layout.spare or np.isin(new, world.held.rows).any() or objective._matrices:
        return False
    if not factor.tears or not all(energy.tears for energy in world.energies):
        return False
    part = replace(layout.parts[0], elements=body.shape, effects=body.acting, velocity=body.start)
    world.layout = after = replace(layout, parts=(part,), spare=layout.spare - len(new))
    for energy in world.energies:
        energy.tear(after)
    write(world.masses, after.mass.astype(world.device.types.numpy))
    world.held.rest, world.held.holds = after.rest, after.holds
    for array, values in ((objective.rest, after.rest), (world.held.place, after.rest), (objective.free, after.free)):
        write_rows(array, rows, values[rows])
    objective.moves, objective.positions, objective.alive = after.free > 0, after.rest, rows.stop
    for state in (simulation.state, simulation._first):
        for name in state.FIELDS:
            write_rows(getattr(state, name), rows, getattr(state, name).numpy()[new])
        state.alive = rows.stop
    factor.tear(one.origin)
    objective.residuals.recall(objective.residuals.carried(one.origin, rows.start))
    world.last = None
    return True
