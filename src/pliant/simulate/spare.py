"""Tears and cuts in place: rows to spare become nodes, and only what is around them changes, in the arrays that steps work on.

Launches that were recorded stay valid, so that a step after a tear or a cut costs what any other does. It is for scenes of one
body: tears where the solver keeps its factor (``after_cut.Kept`` and ``Bordered``), but for those of tets on a GPU; cuts of tets
where it solves by conjugate gradients. All others lay the scene out anew, and so does the first cut, with rows to spare for those
to come. Both lead to the same numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..cut.opened import Opened
from ..cut.tear import Torn
from ..effects.damping import Damping
from ..effects.holding import Hold, Rigidly
from ..effects.tearing import Tearing
from ..effects.wind import Wind
from ..elements.tets import Tets
from ..energy.capabilities import Tearable
from ..integrate.schemes import ImplicitEuler
from ..linear.pcg import PCG
from ..linear.preconditioners import BlockJacobi, Jacobi
from ..linear.two_level import TwoLevel
from ..solve.after_cut import Bordered, Kept
from ..solve.constant_factor import constant_factor
from ..solve.newton import Newton
from ..solve.one_system import Linearised
from ..solve.quasi_newton import QuasiNewton
from ..writing import read_rows, together, write, write_rows
from .body import Body, Scene

if TYPE_CHECKING:
    from .simulation import Simulation
    from .world import World

SHARE, LEAST = 0.04, 32  # rows to spare, of the nodes of a body and at least


def room(scenes: Sequence[Scene], integrator: Any, cut: bool) -> int:
    """Rows to spare for scenes, which were ``cut`` before: none where tears and cuts lay them out anew."""
    solver, (scene, *others) = getattr(integrator, "solver", None), scenes
    if others or type(integrator) is not ImplicitEuler or len(scene.bodies) > 1 or scene.obstacles or scene.effects:
        return 0
    (body,) = scene.bodies
    if not (_may_tear(body, solver) or (cut and _may_be_cut(body, solver))) or _meets_itself(scene, body):
        return 0
    return max(LEAST, int(SHARE * len(body.shape.rest)))


def _held_alone(body: Body, *kinds: type) -> bool:
    """Whether nothing acts on a body but what holds it, and effects of some kinds."""
    rigidly = [type(effect) is Hold and isinstance(effect.by, Rigidly) for effect in body.effects]
    simple = all(held or isinstance(effect, kinds) for held, effect in zip(rigidly, body.effects))
    return simple and body.damping == Damping() and not body.shape.bending


def _may_tear(body: Body, solver: Any) -> bool:
    if type(solver) is not QuasiNewton or not isinstance(solver.after_cut, Kept | Bordered):
        return False
    windy = body.shape.dimension == 3 and body.of(Wind)
    return bool(body.of(Tearing)) and _held_alone(body, Tearing, Wind) and body.surface is None and not windy


def _may_be_cut(body: Body, solver: Any) -> bool:
    linear = getattr(solver, "linear", None)
    if not isinstance(solver, Newton | Linearised) or not isinstance(linear, PCG) or not linear.assembled:
        return False
    return isinstance(linear.used, TwoLevel | BlockJacobi | Jacobi) and type(body.shape) is Tets and _held_alone(body)


def _meets_itself(scene: Scene, body: Body) -> bool:
    """Whether a body has come apart in a scene whose bodies touch: contact is laid out anew for its pieces."""
    return scene.contact.response is not None and bool(body.shape.components.any())


def torn_in_place(simulation: Simulation, body: Body, one: Torn) -> bool:
    """Go on with the only body torn, ``body`` being what it is after that; False, with nothing changed, where that cannot be."""
    world, objective = simulation.world, simulation.world.objective
    factor, rows = constant_factor(objective), np.arange(world.alive, len(one.origin))
    folded = any(getattr(energy, "folded", False) for energy in world.energies)  # tets on a GPU
    if not _has_room(world, one) or objective._matrices or not factor.tears or simulation.hands.points or folded:
        return False
    if _meets_itself(simulation.scene, body):
        return False
    _carry(simulation, one, rows)
    _lay_out(simulation, body, rows)
    factor.tear(one.origin)
    return True


def cut_in_place(simulation: Simulation, body: Body, one: Opened, shift: np.ndarray | None) -> bool:
    """The same with the only body cut, and positions moved by ``shift`` (n, 3) [m]."""
    world, solver = simulation.world, getattr(simulation.integrator, "solver", None)
    if not _has_room(world, one) or not _may_be_cut(body, solver) or _meets_itself(simulation.scene, body):
        return False
    _, elsewhere = body.shape.changed_since(simulation.scene.bodies[0].shape)
    rows = np.flatnonzero(one.moved | elsewhere)
    with together(simulation.device):
        _carry(simulation, one, rows)
        for name in simulation.state.POSITIONS if shift is not None else ():
            array = getattr(simulation.state, name)
            here = simulation.device.read(array)[: len(shift)] + shift
            write_rows(simulation.device, array, slice(len(shift)), here)
        _lay_out(simulation, body, rows)
        world.objective.renew()
    world.still(simulation.state.x, simulation.state.t)
    return True


def _has_room(world: World, one: Torn | Opened) -> bool:
    new = one.origin[world.alive :]
    if not world.layout.spare or len(new) > world.layout.spare or not world.objective.moves[new].all():
        return False
    return all(isinstance(energy, Tearable) and energy.tears for energy in world.energies)


def _carry(simulation: Simulation, one: Torn | Opened, rows: np.ndarray) -> None:
    """The state of some rows, mixed of nodes before."""
    state, nodes, weights = simulation.state, one.nodes[rows], one.weights[rows]
    mixed = np.flatnonzero(weights[:, 0] != 1)
    arrays = [getattr(state, name) for name in state.FIELDS]
    for array, every in zip(arrays, read_rows(simulation.device, nodes.reshape(-1), *arrays)):
        before = every.reshape(*nodes.shape, 3)
        values = before[:, 0].copy()
        values[mixed] = np.einsum("nk,nkc->nc", weights[mixed], before[mixed])
        write_rows(simulation.device, array, rows, values)
    simulation.world.objective.residuals.carry(one.origin, simulation.world.alive)


def _lay_out(simulation: Simulation, body: Body, rows: np.ndarray) -> None:
    """Go on with the only body on other elements, of whose nodes some ``rows`` are new or elsewhere at rest."""
    world, objective, count = simulation.world, simulation.world.objective, len(body.shape.rest)
    layout = world.layout
    given = {"effects": body.acting, "velocity": body.start, "surface": body.surface}
    part = layout.parts[0].on_more_nodes(body.shape, **given)
    world.layout = after = replace(layout, parts=(part,), spare=layout.count - count)
    for energy in world.energies:
        energy.tear(after)
    write(world.device, world.masses, after.mass.astype(world.device.types.numpy))
    world.held.rest, world.held.holds = after.rest, after.holds
    first = simulation._first
    by_row = [(objective.rest, after.rest), (world.held.place, after.rest), (objective.free, after.free)]
    for array, values in [*by_row, (first.x, after.rest), (first.v, after.velocity)]:
        write_rows(simulation.device, array, rows, values[rows])
    objective.moves, objective.positions, objective.alive = after.free > 0, after.rest, count
    simulation.state.alive = first.alive = count
    world.last = None
