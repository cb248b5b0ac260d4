"""A cut through a running simulation: bodies on their new meshes, and what acts on them carried along."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import checks
from ..cut.blade import Blade
from ..cut.opened import Opened, opened
from ..cut.sides import crossings
from ..cut.surface import cut_surface
from ..cut.tear import Torn
from ..effects.base import OnBody, select
from ..effects.holding import Hold
from ..elements.base import Elements
from ..elements.tets import Tets
from ..errors import InputError, PliantWarning
from ..integrate.state import Provenance
from .body import Body

if TYPE_CHECKING:
    from .simulation import Simulation


def cut(simulation: Simulation, blade: Blade, body: int | None = None, warn: bool = True) -> tuple[Opened | None, ...]:
    """Cut the bodies of tets of a simulation, or one of them; see ``Simulation.cut``. ``warn`` where nothing is cut."""
    checks.instance("cut(blade=…)", blade, Blade, "a Blade(path, depth)")
    bodies = simulation.scene.bodies
    if body is not None and (
        isinstance(body, bool) or not isinstance(body, int | np.integer) or not 0 <= body < len(bodies)
    ):
        raise InputError(f"cut(body={body!r}): expected 0 … {len(bodies) - 1}, or None for all that the blade meets")
    done: list[Opened | None] = [None] * len(bodies)
    for i in range(len(bodies)) if body is None else [int(body)]:
        shape, x = bodies[i].shape, simulation.bodies[i].x
        if type(shape) is Tets:
            done[i] = opened(shape.mesh, blade, x, _held(bodies[i]))
        elif body is not None or _meets(blade, shape, x):
            raise InputError(_cannot(simulation.scene.names[i], shape, body is not None))
    if not any(one is not None and len(one.faces) for one in done):
        if warn:
            warnings.warn(_nothing(simulation, done), PliantWarning, stacklevel=4)
        return (None,) * len(bodies)
    done = [one if one is not None and len(one.faces) else None for one in done]
    now = [view.x for view in simulation.bodies]
    new = [old if one is None else _cut_body(old, one, blade, x) for old, one, x in zip(bodies, done, now)]
    origin, hands = provenance(simulation, done), _hands(simulation, done)
    simulation._go_on_with([replace(simulation.scene, bodies=new)], origin)
    for handle, nodes, weights in hands:
        _, _, stiffness, target = simulation.hands.points[handle]
        simulation.hands.put(handle, nodes, weights, stiffness, target)
    return tuple(done)


def _held(body: Body) -> np.ndarray:
    """(n,) nodes that are held, which stay where they are."""
    held, X = np.zeros(len(body.shape.rest), bool), body.shape.rest
    for effect in body.acting:
        if isinstance(effect, Hold) and effect.points is None:
            held[select(X, effect.where, "held nodes")] = True
    return held


def _meets(blade: Blade, shape: Elements, x: np.ndarray) -> bool:
    """Whether a blade passes between nodes of an element."""
    i, j = np.triu_indices(shape.nodes.shape[1], 1)
    edges = np.stack([shape.nodes[:, i], shape.nodes[:, j]], axis=2).reshape(-1, 2)
    return bool(len(crossings(x, edges, blade.heights(x)[0], blade)[0]))


def _cannot(name: str, shape: Elements, asked: bool) -> str:
    kind = type(shape).__name__
    linear = "; mesh.linear() has tets of four nodes" if shape.tets is not None else ""
    aside = "" if asked else ", or cut(blade, body=…) to cut one body alone"
    return f"cut(…): {name!r} is made of {kind}, and only Tets can be cut; expected Tets{linear}{aside}"


def _nothing(simulation: Simulation, done: list[Opened | None]) -> str:
    met = [name for name, one in zip(simulation.scene.names, done) if one is not None and one.crossed]
    if met:
        return (
            f"nothing was cut: the blade passes through {met[0]!r}, but has no tets on one of its sides there; the body is too "
            "thin for its tets, so mesh it finer, or the blade only grazes it"
        )
    return "nothing was cut: the blade lies beside all bodies of tets; check where they are now, in metres"


def _cut_body(body: Body, done: Opened, blade: Blade, x: np.ndarray) -> Body:
    """The body on its mesh after the cut, and the surface that it carries."""
    surface = body.surface
    if surface is not None:
        surface = cut_surface(body.shape.held(surface), body.shape.mesh, x, blade, done)
    shape = body.shape.changed(done.mesh, done.touched)
    return following(body, shape, done.origin, done.carried, surface=surface)


def following(
    body: Body, shape: Elements, origin: np.ndarray, moved: Callable[[np.ndarray], np.ndarray], **parts: Any
) -> Body:
    """The body of other elements, ``origin`` (n,) being its old vertices: conditions become the nodes they chose, and follow
    them, as velocities of nodes do by ``moved``."""
    X = body.shape.rest

    def chosen(numbers: np.ndarray) -> np.ndarray:
        return np.flatnonzero(np.isin(origin, numbers))

    def carried(effect: Any) -> Any:
        if not isinstance(effect, OnBody) or not hasattr(effect, "where"):
            return effect
        if isinstance(effect, Hold) and effect.points is not None:
            return effect
        return replace(effect, where=chosen(effect.chosen(body.shape, f"{type(effect).__name__}.where")))

    velocity = np.asarray(body.velocity, float)
    return body.reshaped(
        shape,
        pinned=None if body.pinned is None else chosen(select(X, body.pinned, "pinned")),
        effects=tuple(carried(effect) for effect in body.effects),
        velocity=moved(velocity) if velocity.ndim == 2 else velocity,
        **parts,
    )


def _hands(simulation: Simulation, done: list[Opened | None]) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Handle, nodes and weights of the grabs whose nodes were moved or doubled: they keep the point of the material they hold."""
    found, first = [], 0
    for view, one, body in zip(simulation.bodies, done, simulation.scene.bodies):
        for handle, (nodes, weights, _, _) in simulation.hands.points.items():
            own = nodes[weights != 0] - view.rows.start
            if one is None or own.min() < 0 or own.max() >= len(body.shape.rest):
                continue
            point, tets = weights[weights != 0] @ body.shape.rest[own], one.mesh.tets
            for rows in (tets, one.origin[tets]):  # a tet that still has all of these nodes, else one that had
                holding = np.flatnonzero(np.isin(rows, own).sum(axis=1) == len(own))
                if len(holding):
                    break
            tet = tets[holding[0]]
            corners = one.mesh.vertices[tet]
            share = np.linalg.solve((corners[1:] - corners[0]).T, point - corners[0])
            found.append((handle, tet + first, np.array([1 - share.sum(), *share])))
        first += len(body.shape.rest) if one is None else len(one.origin)
    return found


def provenance(simulation: Simulation, done: Sequence[Opened | Torn | None]) -> Provenance:
    """Where all nodes of the scene come from."""
    nodes, weights = [], []
    for view, one in zip(simulation.bodies, done):
        rows = np.arange(view.rows.start, view.rows.stop)
        nodes.append(np.repeat(rows[:, None], 4, axis=1) if one is None else one.nodes + view.rows.start)
        weights.append(np.tile([1.0, 0.0, 0.0, 0.0], (len(rows), 1)) if one is None else one.weights)
    return Provenance(np.concatenate(nodes), np.concatenate(weights))
