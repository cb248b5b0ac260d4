"""Cuts through a running simulation, with effects carried along."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arguments import checks
from ...cut.blade import Blade
from ...cut.embedded_surface_cut import cut_surface
from ...cut.lattice.lattice_cut import Parted, parted
from ...cut.lattice.lattice_kerf import less_kerf
from ...cut.lattice.lattice_surface import cut_skin
from ...cut.mesh_cut import Opened, opened
from ...cut.sheet_cut import opened_sheet
from ...cut.sides import crossings
from ...cut.tear import Torn
from ...effects.base import OnBody, select
from ...effects.elasticity.holds import Hold, Weakly
from ...effects.elasticity.muscle_effect import EmbeddedMuscle
from ...effects.loads import OnSurface
from ...elements.base import Elements
from ...elements.hexes import Hexes
from ...elements.lattice.cut_lattice import carved_of, cut_lattice, held_by
from ...elements.lattice.lattice import Lattice
from ...elements.quadratic_tets import QuadraticTets
from ...elements.sheets.membrane import Membrane
from ...elements.tets import Tets
from ...errors import InputError, PliantWarning
from ...geometry.lattice.fragments import shape_functions
from ...geometry.mesh import cut_looks
from ...geometry.mesh.embedded_surface import HeldSurface
from ...geometry.mesh.mesh import TriMesh
from ...integrate.state import Provenance
from ...linear.matrix.sparsity_pattern import Pattern
from ...material.base import Material
from ...solve.mixed.mixed_solver import Mixed
from ..scene.body import Body
from .cut_energy import without_rise
from .cut_sheet import on_sheet, without_rise_of_sheet
from .in_place import cut_in_place

if TYPE_CHECKING:
    from ..simulation import Simulation

Done = Opened | Parted | None


@dataclass(frozen=True, eq=False)
class Found:
    """What a blade does to the bodies of a scene, each with its nodes at one of ``x`` [m].

    ``again[i](share)`` is the cut of body i with vertices that go a share (n,) of their way onto the blade; ``new`` are bodies
    after it, and ``pattern`` that of the matrix then, where these are known.
    """

    blade: Blade
    bodies: Sequence[Body]
    x: Sequence[np.ndarray]
    done: Sequence[Done]
    again: dict[int, Callable[..., Opened]]
    new: dict[int, Body] = field(default_factory=dict)
    pattern: Pattern | None = None


def check(simulation: Simulation, blade: Blade, body: int | None) -> None:
    """Refuse what is no blade, no body, or cannot be cut."""
    checks.instance("cut(blade=…)", blade, Blade, "a Blade(path, depth)")
    bodies = simulation.scene.bodies
    if body is not None and (isinstance(body, bool) or not isinstance(body, int | np.integer) or not 0 <= body < len(bodies)):
        raise InputError(f"cut(body={body!r}): expected 0 … {len(bodies) - 1}, or None for all that the blade meets")
    for i in range(len(bodies)) if body is None else [int(body)]:
        shape = bodies[i].shape
        if type(shape) is Tets or (body is None and not _meets(blade, shape, simulation.bodies[i].x)):
            continue
        if type(shape) is Membrane and bodies[i].surface is None:
            continue
        if not isinstance(shape, Lattice):
            raise InputError(_cannot(simulation, i, body is not None))
        if isinstance(getattr(simulation.integrator, "solver", None), Mixed):
            raise InputError("cut(…): Mixed() takes too long on parts of lattice cells; expected Newton() or QuasiNewton()")
        _check_lattice(simulation.scene.names[i], bodies[i])


def within_reach(simulation: Simulation, blade: Blade) -> tuple[list[int], bool]:
    """Bodies that a blade meets and can cut, and whether it meets others that it cannot."""
    met = [i for i, one in enumerate(simulation.scene.bodies) if _meets(blade, one.shape, simulation.bodies[i].x)]
    can = [i for i in met if can_be_cut(simulation.scene.bodies[i])]
    return can, len(can) < len(met)


def can_be_cut(body: Body) -> bool:
    """Whether it is of elements that a blade can part."""
    if type(body.shape) is Membrane:
        return body.surface is None
    return type(body.shape) is Tets or isinstance(body.shape, Lattice)


def find(bodies: Sequence[Body], x: Sequence[np.ndarray], blade: Blade, body: int | None) -> Found:
    """What a blade does to bodies that were checked; on the host alone, so that a thread may do it."""
    done: list[Done] = [None] * len(bodies)
    again: dict[int, Callable[..., Opened]] = {}
    for i in range(len(bodies)) if body is None else [int(body)]:
        shape = bodies[i].shape
        if type(shape) is Tets or type(shape) is Membrane:
            method = opened if type(shape) is Tets else opened_sheet
            again[i] = partial(method, shape.mesh, blade, x[i], _held(bodies[i]))
            done[i] = again[i]()
        elif isinstance(shape, Lattice) and (body is not None or _meets(blade, shape, x[i])):
            done[i] = parted(carved_of(shape), x[i], blade, shape.spacing)
    return Found(blade, bodies, x, done, again)


def made(simulation: Simulation, found: Found, x: Sequence[np.ndarray], warn: bool) -> tuple[tuple[Done, ...], Provenance | None]:
    """Make a cut that was found for the shapes that the bodies have, whose nodes are at each of ``x`` (n, 3) [m] by now; also
    where all nodes then come from, None without a cut."""
    bodies, blade = simulation.scene.bodies, found.blade
    done, shifts = list(found.done), {}
    for i in found.again:
        if len(done[i].faces):
            kind = without_rise if type(bodies[i].shape) is Tets else without_rise_of_sheet
            done[i], shifts[i] = kind(simulation, i, done[i], x[i], found.again[i])
    if not any(one is not None and len(one.faces) for one in done):
        if warn:
            warnings.warn(_nothing(simulation, done, blade), PliantWarning, stacklevel=6)
        return (None,) * len(bodies), None
    objective = simulation.world.objective
    if all(one is was for one, was in zip(done, found.done)):
        objective.foreseen = found.pattern
    done = [one if one is not None and len(one.faces) else None for one in done]
    new = [
        old if one is None else _known(found, i, old, one) or cut_body(old, one, blade, then)
        for i, (old, one, then) in enumerate(zip(bodies, done, found.x))
    ]
    origin, hands = provenance(simulation, done), _hands(simulation, done)
    springs = {handle: point[2:] for handle, point in simulation.hands.points.items()}
    scene, shift = replace(simulation.scene, bodies=new), _shift(new, shifts)
    afresh = cut_in_place(simulation, new, done, shift)
    if not afresh:
        simulation._go_on_as(scene, origin)
    else:
        simulation._go_on_with([scene], origin, shift)
        done = [one and replace(one, afresh=afresh) for one in done]
    objective.foreseen = None
    for handle, nodes, weights in hands:  # those too that let go, a node of theirs being elsewhere in the material
        simulation.hands.put(handle, nodes, weights, *springs[handle])
    return tuple(done), origin


def _known(found: Found, i: int, old: Body, one: Opened | Parted) -> Body | None:
    """The body after a cut where it was found along with it, and is still of that body and cut."""
    return found.new.get(i) if found.bodies[i] is old and found.done[i] is one else None


def _shift(bodies: Sequence[Body], shifts: dict[int, np.ndarray | None]) -> np.ndarray | None:
    """(n, 3) by how much all nodes of the scene give way to a cut [m]; None where none does."""
    if all(shift is None for shift in shifts.values()):
        return None
    every = [np.zeros_like(body.shape.rest) for body in bodies]
    return np.concatenate([own if shifts.get(i) is None else shifts[i] for i, own in enumerate(every)])


def _check_lattice(name: str, body: Body) -> None:
    """Refuse what cannot follow a cut of a lattice."""
    shape = body.shape
    for effect in body.effects:
        weakly = isinstance(effect, Hold) and isinstance(effect.by, Weakly)
        if weakly or isinstance(effect, EmbeddedMuscle):
            what = "hold.Weakly" if weakly else "EmbeddedMuscle"
            raise InputError(
                f"cut(…): {name!r} is a Lattice with {what}, which does not support cuts; expected it without, or Tets"
            )
    if shape.quadrature.samples or shape.stabilised:
        raise InputError(
            f"cut(…): {name!r} is a Lattice with {shape.quadrature!r}, which does not integrate parts of cells exactly; expected "
            "Moments(), Gauss() or Corners()"
        )


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


def _cannot(simulation: Simulation, i: int, asked: bool) -> str:
    bodies, names = simulation.scene.bodies, simulation.scene.names
    shape, kind = bodies[i].shape, type(bodies[i].shape).__name__
    if type(shape) is Membrane:
        return f"cut(…): {names[i]!r} is a Membrane with surface=…, which does not support cuts; expected it without"
    more = ""
    if shape.tets is not None:  # of ten nodes, or corners around a surface
        ten = isinstance(shape, QuadraticTets)
        more = "; mesh.linear() has tets of four nodes" if ten else "; tetrahedralise(surface, edge) has tets that follow a blade"
    if isinstance(shape, Hexes):
        more = "; tetrahedralise(mesh.boundary, edge) has tets of its shape, Lattice(mesh.boundary, spacing) other cells"
    can = [k for k, one in enumerate(bodies) if can_be_cut(one)]
    aside = "" if asked or not can else f"; cut(blade, body={can[0]}) cuts {names[can[0]]!r} alone"
    return f"cut(…): {names[i]!r} is made of {kind}; expected Tets, Membrane or Lattice, which can be cut{more}{aside}"


def _nothing(simulation: Simulation, done: list[Done], blade: Blade) -> str:
    met = [name for name, one in zip(simulation.scene.names, done) if one is not None and one.crossed]
    if met:
        return (
            f"nothing was cut: the blade passes through {met[0]!r}, but one of its sides has no elements there; the body is "
            "too thin for its elements, the blade only grazes it, or it was cut there before: use a finer mesh or move the blade"
        )
    for i, (view, body) in enumerate(zip(simulation.bodies, simulation.scene.bodies)):
        if done[i] is not None and _touches(view.x, body.shape.nodes, blade):
            return (
                f"nothing was cut: the blade reaches {view.name!r}, but separates none of its nodes; it ends at the "
                "surface, only grazes it, or turns back within an element"
            )
    return "nothing was cut: the blade misses all bodies that can be cut; check their current positions, in metres"


def _touches(x: np.ndarray, nodes: np.ndarray, blade: Blade) -> bool:
    """Whether an edge of elements with nodes at ``x`` (n, 3) could reach a blade from one of its ends."""
    height, within = blade.heights(x)
    return bool(within.any() and np.abs(height[within]).min() <= np.ptp(x[nodes], axis=1).max())


def cut_body(body: Body, done: Opened | Parted, blade: Blade, x: np.ndarray) -> Body:
    """The body on its mesh after the cut, and the surface that it carries."""
    if isinstance(done, Parted):
        return _cut_lattice(body, done, blade, x)
    if isinstance(done.mesh, TriMesh):
        return following(body, on_sheet(body.shape, done), done.origin, done.carried)
    surface = body.surface
    if surface is not None:
        surface = _painted(cut_surface(body.shape.held(surface), body.shape.mesh, x, blade, done), surface)
    return following(body, Tets(done.mesh), done.origin, done.carried, surface=surface)


def _painted(surface: HeldSurface, before: TriMesh) -> HeldSurface:
    """The surface with the looks that it had before the cut."""
    return (
        surface
        if before.looks is None
        else replace(surface, looks=cut_looks.carried(before, surface.vertices, surface.triangles))
    )


def _cut_lattice(body: Body, done: Parted, blade: Blade, x: np.ndarray) -> Body:
    """The lattice body on copies of its cells; values of single cells go with all of their copies."""
    shape, before = body.shape, carved_of(body.shape)

    def after(mesh: TriMesh, closed: bool) -> HeldSurface:
        given = held_by(shape, mesh), before, x, blade, done, shape.spacing
        made = less_kerf(*given) if closed else None
        return _painted(cut_skin(*given) if made is None else made, mesh)

    surface = None if body.surface is None else after(body.surface, True)
    both = [after(shape.surface, False), after(shape.contact_surface, True)] if surface is None else [surface, surface]
    made = cut_lattice(shape, done.carved, *both)
    law = _of_copies(body.material, shape.count, done.parent)
    return following(body, made, done.origin, done.carried, done.patches, surface=surface, material=law)


def _of_copies(law: Material, count: int, parent: np.ndarray) -> Material:
    """A law whose values of ``count`` single cells are those of the copies of cells ``parent`` (m,)."""
    if max(len(law.table()), np.size(law.density)) != count or count == 1:
        return law
    laws = []
    for term in law.terms:
        own = {name: np.asarray(value) for name, value in term.parameters().items() if np.ndim(value) > 0}
        own = {name: value[parent] for name, value in own.items() if len(value) == count}
        laws.append(term.replaced(**own) if own else term)
    return laws[0] if len(laws) == 1 else replace(law, laws=tuple(laws))


def following(
    body: Body, shape: Elements, origin: np.ndarray, moved: Callable[[np.ndarray], np.ndarray],
    patches: np.ndarray | None = None, **parts: Any,
) -> Body:  # fmt: skip
    """The body of other elements, ``origin`` (n,) being its old vertices: conditions become the nodes they chose, and follow
    them, as velocities of nodes do by ``moved``; on the surface of a lattice they are triangles, of old ones ``patches``."""
    X = body.shape.rest

    def chosen(numbers: np.ndarray, of: np.ndarray = origin) -> np.ndarray:
        picked = np.zeros(1 + max(of.max(initial=0), numbers.max(initial=0)), bool)
        picked[numbers] = True
        return np.flatnonzero(picked[of])

    def carried(effect: Any) -> Any:
        if not isinstance(effect, OnBody) or not hasattr(effect, "where"):
            return effect
        if isinstance(effect, Hold) and effect.points is not None:
            return effect
        on_surface = patches is not None and isinstance(effect, OnSurface)
        numbers = effect.chosen(body.shape, f"{type(effect).__name__}.where")
        return replace(effect, where=chosen(numbers, patches if on_surface else origin))

    velocity = np.asarray(body.velocity, float)
    return body.reshaped(
        shape,
        pinned=None if body.pinned is None else chosen(select(X, body.pinned, "pinned")),
        effects=tuple(carried(effect) for effect in body.effects),
        velocity=moved(velocity) if velocity.ndim == 2 else velocity,
        **parts,
    )


def _hands(simulation: Simulation, done: list[Done]) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Handle, nodes and weights of the grabs whose nodes were moved or doubled: they keep the point of the material they hold."""
    found, first = [], 0
    for view, one, body in zip(simulation.bodies, done, simulation.scene.bodies):
        for handle, (nodes, weights, _, _) in simulation.hands.points.items():
            own = nodes[weights != 0] - view.rows.start
            if one is None or own.min() < 0 or own.max() >= len(body.shape.rest):
                continue
            point = weights[weights != 0] @ body.shape.rest[own]
            if isinstance(one, Parted):
                found.append((handle, *_grip(body.shape, one, own, point, first)))
                continue
            cells = one.cells
            for rows in (cells, one.origin[cells]):  # a cell that still has all of these nodes, else one that had
                holding = np.flatnonzero(np.isin(rows, own).sum(axis=1) == len(own))
                if len(holding):
                    break
            cell = cells[holding[0]]
            corners = one.mesh.vertices[cell]
            sides = (corners[1:] - corners[0]).T
            share = np.linalg.lstsq(sides, point - corners[0])[0] if len(cell) < 4 else np.linalg.solve(sides, point - corners[0])
            found.append((handle, cell + first, np.array([1 - share.sum(), *share])))
        first += len(body.shape.rest) if one is None else len(one.origin)
    return found


def _grip(shape: Lattice, done: Parted, own: np.ndarray, point: np.ndarray, first: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of the copy of a cell, one of those with the nodes ``own``, whose material is nearest to a point."""
    held = np.isin(shape.nodes, own).sum(axis=1)
    cells = np.flatnonzero(held == held.max())
    copies = done.heirs[np.isin(done.heirs[:, 0], cells), 1]
    xi = (point - done.carved.lowest[copies]) / shape.spacing
    copy = int(np.argmin(done.carved.away(copies, xi)))
    return done.carved.nodes[copies[copy]] + first, shape_functions(xi[copy])


def provenance(simulation: Simulation, done: Sequence[Opened | Parted | Torn | None]) -> Provenance:
    """Where all nodes of the scene come from."""
    nodes, weights, cells = [], [], []
    for view, one in zip(simulation.bodies, done):
        first, count = view.rows.start, view.rows.stop - view.rows.start
        if one is None:
            nodes.append(np.repeat(np.arange(first, first + count)[:, None], 4, axis=1))
            weights.append(np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)))
        else:
            nodes.append(one.nodes + first if first else one.nodes)
            weights.append(one.weights)
        cells.append(one.parent if isinstance(one, Parted) else None)
    if len(done) == 1:
        return Provenance(nodes[0], weights[0], tuple(cells))
    return Provenance(np.concatenate(nodes), np.concatenate(weights), tuple(cells))
