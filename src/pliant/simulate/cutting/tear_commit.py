"""Tears of a running simulation."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import warp as wp

from ...cut.tear import Torn, broken, rim_of, torn
from ...effects.effect_layout import Part
from ...effects.tearing import Tearing
from ...elements.base import Elements
from ...elements.sheets.membrane import Membrane
from ...energy.capabilities import Observable
from ...energy.elastic.point_stress import gradients_at_points
from ...errors import InputError
from ...geometry.mesh.cut_looks import carried
from ..scene.body import Body
from ..scene.world import World
from .cut_commit import following, provenance
from .in_place import torn_in_place

if TYPE_CHECKING:
    from ..simulation import Simulation

_RIMS: weakref.WeakKeyDictionary[Elements, np.ndarray] = weakref.WeakKeyDictionary()  # of meshes that tear
MESHED = {1: "edges", 2: "triangles", 3: "tets"}


def tear(simulation: Simulation) -> int:
    """Tear the bodies of a simulation where they bear too much now; returns at how many nodes."""
    bodies, parts = simulation.scene.bodies, simulation.world.layout.parts
    done = [_torn(simulation, part, body.of(Tearing)[0]) if body.of(Tearing) else None for part, body in zip(parts, bodies)]
    if all(one is None for one in done):
        return 0
    new = [old if one is None else _on(old, one) for old, one in zip(bodies, done)]
    count = sum(len(one.vertices) for one in done if one is not None)
    origin = provenance(simulation, done)
    if not torn_in_place(simulation, new, done):
        simulation._go_on_as(replace(simulation.scene, bodies=new), origin)
        return count
    hands = _hands(simulation, done)
    springs = {handle: point[2:] for handle, point in simulation.hands.points.items()}
    simulation._go_on_with([replace(simulation.scene, bodies=new)], origin)
    for handle, nodes, weights in hands:
        simulation.hands.put(handle, nodes, weights, *springs[handle])
    return count


def other_tearing(effects: Sequence[Any], given: Any) -> tuple[Any, ...]:
    """Effects with another Tearing in the place of theirs."""
    if not isinstance(given, Tearing) or not any(isinstance(effect, Tearing) for effect in effects):
        raise InputError(f"set(tearing={type(given).__name__}): expected a Tearing(…), for a body that has one among its effects")
    return tuple(given if isinstance(effect, Tearing) else effect for effect in effects)


def _torn(simulation: Simulation, part: Part, tearing: Tearing) -> Torn | None:
    elements, world, state = part.elements, simulation.world, simulation.state
    strength = tearing.strengths(elements)
    stretch = element_field(world, part, "stretch", state.x) - 1.0
    measured = stretch if tearing.stress is None else element_field(world, part, "stress", state.x)
    load = np.where(stretch > 0, measured / strength, 0.0)
    if not np.any(load >= 1.0):
        return None
    may = np.zeros(part.count, bool)
    may[tearing.chosen(elements, "Tearing.where")] = True
    may &= world.layout.free[part.nodes].sum(axis=1) > 1  # what is held in two directions stays as it is
    if elements.dimension == 1:
        return broken(elements.nodes, part.count, load, may)
    x = simulation.bodies[part.index].x

    def tensor(some: np.ndarray) -> np.ndarray:
        """(s, 3, 3) U − 1 of the polar decomposition F = R U, scaled to the load that the element bears."""
        few = Elements(elements.rest, elements.nodes[some], elements.gradients_at(some), elements.weights[some])
        F = gradients_at_points(few, x)[:, 0]
        values, axes = np.linalg.eigh(F.transpose(0, 2, 1) @ F)
        strain = np.sqrt(np.maximum(values, 0.0)) - 1.0
        solid = strain if elements.dimension == 3 else strain[:, 1:]
        largest = np.abs(solid).max(axis=1) if tearing.stress is not None else np.maximum(strain[:, -1], 1e-300)
        scale = measured[some] / strength[some] / np.maximum(largest, 1e-300)
        return (axes * (strain * scale[:, None])[:, None]) @ axes.transpose(0, 2, 1)

    def affords(around: np.ndarray, facets: np.ndarray) -> bool:
        if tearing.toughness == 0:
            return True
        energy = element_field(world, part, "energy density", state.x)[around] @ elements.volumes[around]
        return bool(energy >= tearing.toughness * _area(elements, facets))

    if elements not in _RIMS:
        _RIMS[elements] = rim_of(elements.nodes, part.count)
    return torn(elements.nodes, elements.rest, elements.volumes, load, tensor, may, affords, _RIMS[elements])


def _area(elements: Elements, facets: np.ndarray) -> float:
    """Area that opens where facets do [m²]."""
    corner = elements.rest[facets]
    if elements.dimension == 2:
        return float(np.linalg.norm(corner[:, 1] - corner[:, 0], axis=1).sum() * elements.thickness)
    return float(0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1).sum())


def element_field(world: World, part: Part, name: str, x: wp.array) -> np.ndarray:
    """(m,) a field of the material in each element of a part."""
    total = np.zeros(part.elements.count)
    for energy in world.objective.having(Observable):
        if part.index in energy.parts:
            values = energy.element_field(name, x)
            if values is not None:
                before = energy.parts[: energy.parts.index(part.index)]
                start = sum(world.layout.parts[i].elements.count for i in before)
                total += values[start : start + len(total)]
    return total


def _on(body: Body, one: Torn) -> Body:
    """The body on its torn mesh."""
    mesh = body.shape.mesh
    vertices, parts = mesh.vertices[one.origin], {MESHED[body.shape.dimension]: one.elements}
    if getattr(mesh, "looks", None) is not None:
        parts["looks"] = carried(mesh, vertices, one.elements)
    new = replace(mesh, vertices=vertices, **parts)
    shape = body.shape.torn(new) if type(body.shape) is Membrane else replace(body.shape, mesh=new)
    if one.rim is not None:
        _RIMS[shape] = one.rim
    return following(body, shape, one.origin, one.carried)


def _hands(simulation: Simulation, done: list[Torn | None]) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Handle, nodes and weights of the grabs, which keep to one of the elements that they hold."""
    found, first = [], 0
    for view, one in zip(simulation.bodies, done):
        size = view.rows.stop - view.rows.start
        for handle, (nodes, weights, _, _) in simulation.hands.points.items():
            own = nodes[weights != 0] - view.rows.start
            if own.min() < 0 or own.max() >= size:
                continue
            now = own
            if one is not None:
                before = one.origin[one.elements]
                element = np.flatnonzero(np.isin(before, own).sum(axis=1) == len(own))[0]
                now = np.array([one.elements[element][before[element] == node][0] for node in own])
            found.append((handle, now + first, weights[weights != 0]))
        first += size if one is None else len(one.origin)
    return found
