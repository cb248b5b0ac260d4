"""In-place cuts and tears, on reserved rows of arrays.

Launches that were recorded stay valid, so that a step after a tear or a cut costs what any other does. It is for scenes of one
body in which scheme, solver, elements and effects say that they keep their rows (``keeps_rows``). All others lay the scene out
afresh, and so does the first cut, with rows to spare for those to come. Both lead to the same numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...cut.change import Change
from ...cut.mesh_cut import Opened
from ...cut.tear import Torn
from ...energy.capabilities import Tearable
from ...energy.memory import remembering
from ...runtime.scatter_writes import read_rows, together, write, write_rows
from ...solve.quasi_newton.constant_factor import constant_factor
from ..scene.body import Body, Scene

if TYPE_CHECKING:
    from ..scene.world import World
    from ..simulation import Simulation

SEVERAL = "the scene has several bodies"
SHARE, LEAST = 0.04, 32  # rows to spare, of the nodes of a body and at least


def room(scenes: Sequence[Scene], integrator: Any, cut: bool) -> int:
    """Rows to spare for scenes, which were ``cut`` before: none where tears and cuts lay them out afresh."""
    if len(scenes) > 1 or len(scenes[0].bodies) > 1:
        return 0
    (scene,), (body,) = scenes, scenes[0].bodies
    tears = any(getattr(effect, "tears", False) for effect in body.effects)
    changes = [Change.TEAR] * tears + [Change.CUT] * cut
    if all(_refusal(scene, body, integrator, change) for change in changes):
        return 0
    return max(LEAST, int(SHARE * len(body.shape.rest)))


def _refusal(scene: Scene, body: Body, integrator: Any, change: Change) -> str:
    """Why such a change of the only body lays its scene out afresh; nothing where it can be made in place."""
    solver, shape = getattr(integrator, "solver", None), body.shape
    if not getattr(integrator, "keeps_rows", False):
        return _reserves_none(integrator)
    if change not in getattr(solver, "keeps_rows", ()):
        return _reserves_none(solver)
    if shape.bending or (change is Change.CUT and not shape.keeps_rows):
        return _reserves_none(shape)
    if change is Change.TEAR and body.surface is not None:
        return "the surface that the body carries is bound to other elements"
    for effect in (*scene.acting, *body.acting):
        if not hasattr(effect, "keeps_rows") or not effect.keeps_rows(change, body):
            return _reserves_none(effect)
    if scene.contact.response is not None and shape.components.any():
        return "the body has come apart, and its pieces may touch each other"
    return ""


def _reserves_none(thing: Any) -> str:
    linear = getattr(thing, "linear", None)
    given = "" if linear is None else f"linear={type(linear).__name__}()"
    return f"{type(thing).__name__}({given}) reserves no rows for new nodes"


def torn_in_place(simulation: Simulation, bodies: Sequence[Body], done: Sequence[Torn | None]) -> str:
    """Go on with the only body torn, ``bodies`` being what they are after that; says why not, with nothing changed."""
    if len(bodies) > 1:
        return SEVERAL
    world, objective, (body,), (one,) = simulation.world, simulation.world.objective, bodies, done
    why = _refusal(simulation.scene, body, simulation.integrator, Change.TEAR) or _lacks_room(world, one)
    if why:
        return why
    factor, rows = constant_factor(objective), np.arange(world.alive, len(one.origin))
    folded = any(getattr(energy, "folded", False) for energy in world.energies)  # tets on a GPU
    if objective._matrices or not factor.tears or simulation.hands.points or folded:
        return "a matrix, a grab or grouped elements belong to the mesh before it"
    _carry(simulation, one, rows)
    _lay_out(simulation, body, rows)
    factor.tear(one.origin)
    return ""


def cut_in_place(simulation: Simulation, bodies: Sequence[Body], done: Sequence[Any], shift: np.ndarray | None) -> str:
    """The same with the only body cut, and positions moved by ``shift`` (n, 3) [m]."""
    if len(bodies) > 1:
        return SEVERAL
    world, (body,), (one,) = simulation.world, bodies, done
    why = _refusal(simulation.scene, body, simulation.integrator, Change.CUT) or _lacks_room(world, one)
    if why:
        return why
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
    return ""


def _lacks_room(world: World, one: Torn | Opened) -> str:
    """Why there is no row for each new node; nothing where there is."""
    new, spare = one.origin[world.alive :], world.layout.spare
    if not spare:
        return "the first cut reserves rows for later ones"
    if len(new) > spare:
        return f"{len(new)} new nodes do not fit into the {spare} rows reserved; more are reserved now"
    if not world.objective.moves[new].all():
        return "it separates held nodes"
    fixed = [energy.name for energy in world.energies if not (isinstance(energy, Tearable) and energy.tears)]
    return f"the energy of {fixed[0]} reserves no rows for new nodes" if fixed else ""


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
    nearest = one.nodes[np.arange(len(one.nodes)), np.argmax(one.weights, axis=1)]
    for energy in simulation.world.energies:
        if energy.memory:
            owner = remembering(energy)
            owner.recall(owner.carried(nearest, simulation.world.count, ()))
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
