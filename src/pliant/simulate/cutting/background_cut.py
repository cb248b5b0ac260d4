"""Cuts that a thread works out while steps go on (Zeng 2023, section 6.2.2): faces, vertices, bodies, and what matrices need.

The thread has copies of positions, and meshes, patterns and lists that nobody writes on; it touches nothing of the device. What
it found is made after the first step by whose end it is there, or after ``MOST`` steps, for which the last one waits. Blades
that come meanwhile wait for their turn, with the positions of the moment in which they came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...cut.blade import Blade
from ...energy.base import foresee as list_corners
from ...energy.element_functions import folds
from ...geometry.mesh.vertex_cells import equal
from ...linear.matrix.background import BackgroundWork
from ...linear.matrix.sparsity_pattern import Pattern, Sums, renewed_pattern
from ..scene.body import Body
from .cut_commit import Found, cut_body, find

if TYPE_CHECKING:
    from ..simulation import Simulation

MOST = 30  # steps that a cut may be late


@dataclass(eq=False)
class Waiting:
    """A blade, the body it is for, and positions (n, 3) of all nodes when it came, None where their mesh has gone since."""

    blade: Blade
    body: int | None
    x: np.ndarray | None

    def goes_on(self, other: Blade, body: int | None) -> bool:
        """Whether another blade is this one drawn further, so that it does for both."""
        own, path = self.blade, np.asarray(other.path)
        if body != self.body or other.into != own.into or other.depth < own.depth or len(path) < len(own.path):
            return False
        return np.array_equal(path[: len(own.path)], own.path)


@dataclass(frozen=True, eq=False)
class Known:
    """What the thread is given: bodies, positions of their nodes, the solver's preconditioner, the matrix's pattern."""

    bodies: tuple[Body, ...]
    x: tuple[np.ndarray, ...]
    preconditioner: Any
    pattern: Pattern | None
    sums: tuple[Sums, ...]
    on_cpu: bool
    room: Callable[[Sequence[Body]], int]  # rows to spare for bodies after a cut


class BackgroundCuts:
    """The cuts of a simulation that are not made yet."""

    def __init__(self):
        self.waiting: list[Waiting] = []
        self._under_way: tuple[Waiting, Known, BackgroundWork] | None = None
        self._age = 0

    def __len__(self) -> int:
        return len(self.waiting) + (self._under_way is not None)

    def add(self, simulation: Simulation, blade: Blade, body: int | None) -> None:
        """Take a blade on; one that is the last that waits, drawn further, takes its place."""
        if self.waiting and self.waiting[-1].goes_on(blade, body):
            self.waiting.pop()
        self.waiting.append(Waiting(blade, body, simulation.x))
        self._begin(simulation)

    def _begin(self, simulation: Simulation) -> None:
        if self._under_way is None and self.waiting:
            task, self._age = self.waiting.pop(0), 0
            known = known_of(simulation, task.x)
            self._under_way = task, known, BackgroundWork(_found, known, task.blade, task.body, name="pliant-cut")

    def stepped(self, simulation: Simulation) -> None:
        """Make what is there after a step."""
        if self._under_way is not None:
            self._age += 1
            if self._under_way[2].ready or self._age >= MOST:
                self._make(simulation)

    def finish(self, simulation: Simulation) -> None:
        """Wait for all of them, and make them."""
        while self._under_way is not None:
            self._make(simulation)

    def _make(self, simulation: Simulation) -> None:
        task, known, thread = self._under_way
        try:
            found = thread.end()
        finally:
            self._under_way = None
        now = simulation.scene.bodies
        if any(one.shape is not other.shape for one, other in zip(now, known.bodies)):
            self.waiting.insert(0, task)
            for each in self.waiting:  # torn, cut or undone meanwhile: once more, where the bodies are
                each.x = None
        else:
            _, origin = simulation._cut_as_found(found, positions(simulation), warn=True)
            for each in self.waiting if origin is not None else ():
                each.x = None if each.x is None else origin.combined(each.x)
        self._begin(simulation)


def known_of(simulation: Simulation, x: np.ndarray | None = None) -> Known:
    """What a thread must know of a simulation, with its nodes at ``x`` (n, 3) [m], by default where they are."""
    solver, matrix = getattr(simulation.integrator, "solver", None), simulation.world.objective._matrices.get(False)
    linear = getattr(solver, "linear", None)
    preconditioner = getattr(linear, "used", None) if matrix is not None else None
    return Known(
        simulation.scene.bodies,
        positions(simulation, x),
        preconditioner if hasattr(preconditioner, "foresee") else None,
        None if matrix is None else matrix.pattern,
        () if matrix is None else tuple(gather.sums for gather in matrix.gathers),
        simulation.device.is_cpu,
        lambda bodies: simulation._room([replace(simulation.scene, bodies=bodies)], simulation.world),
    )


def positions(simulation: Simulation, x: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
    """(n, 3) those of the nodes of each body [m], where all nodes are at ``x``, by default where they are."""
    x = simulation.x if x is None else x
    return tuple(x[view.rows] for view in simulation.bodies)


def _found(known: Known, blade: Blade, body: int | None) -> Found:
    """The work of the thread."""
    found = foretold(known, find(known.bodies, known.x, blade, body), wait=True)
    for new in found.new.values():
        new.shape.drawn(new.surface)
    return found


def foretold(known: Known, found: Found, wait: bool = False) -> Found:
    """A cut that somebody is about to make, with bodies after it and the matrix's pattern. Unless told to ``wait``, threads work
    out lists, sums and aggregates meanwhile: single passes that leave the interpreter to the loop, since whoever takes it from
    another must wait."""
    _make_bodies(known, found)
    for new in found.new.values():
        folded = not known.on_cpu and folds(new.shape.nodes.shape[1], new.shape.form)
        list_corners(new.shape, folded, wait)
    return replace(found, pattern=_pattern(known, found, wait))


def _make_bodies(known: Known, found: Found) -> None:
    """The bodies after a cut, for ``found.new``."""
    for i, (old, one) in enumerate(zip(known.bodies, found.done)):
        if one is not None and len(one.faces):
            found.new[i] = cut_body(old, one, found.blade, known.x[i])


def _pattern(known: Known, found: Found, wait: bool) -> Pattern | None:
    """The pattern of the matrix afterwards, as far as it can be told; it is compared with the true one before it is used.

    Threads begin to find the aggregates of the preconditioner in it, and what is added up, for which ``wait`` waits.
    """
    if not found.new or known.pattern is None:
        return None
    bodies = [found.new.get(i, old) for i, old in enumerate(known.bodies)]
    before, shapes = [len(body.shape.rest) for body in known.bodies], [body.shape for body in bodies]
    after = [len(shape.rest) for shape in shapes]
    if any(old > new for old, new in zip(before, after)) or sum(before) != known.pattern.alive:
        return None
    old, new = np.cumsum([0, *before]), np.cumsum([0, *after])
    if old[-1] < known.pattern.count >= new[-1]:  # it has rows to spare for them
        numbers, rows = np.arange(known.pattern.count), known.pattern.count
    else:
        numbers, rows = np.arange(old[-1]) + np.repeat(new[:-1] - old[:-1], before), int(new[-1]) + known.room(bodies)
    was = [body.shape.nodes_from(first) for body, first in zip(known.bodies, old.tolist())]
    now = [shape.nodes_from(first) for shape, first in zip(shapes, new.tolist())]
    cells = [_cells(each, was, now, numbers) for each in known.pattern.cells]
    (body, *others), (shape, *_) = known.bodies, shapes
    # a lattice has more cells after a cut, so that none is the same as before because of its number
    same = not others and len(shape.nodes) == len(body.shape.nodes)
    among = [shape.changed_since(body.shape)[0] if own is shape.nodes else None for own in cells] if same else []
    pattern = renewed_pattern(known.pattern, numbers, rows, cells, among)
    pattern.alive = int(new[-1])
    if known.preconditioner is not None and pattern.renewal is not None:
        known.preconditioner.foresee(pattern, np.concatenate([shape.rest for shape in shapes]), wait)
    pattern.foresee_sums(known.pattern, known.sums, wait)
    return pattern


def _cells(cells: np.ndarray, was: list[np.ndarray], now: list[np.ndarray], numbers: np.ndarray) -> np.ndarray:
    """What cells of the matrix become: those of a body or of all bodies are its elements, all others stay where they are."""
    alike = all(each.shape[1] == was[0].shape[1] for each in was)
    whole = [(np.concatenate(was), np.concatenate(now))] if alike and len(was) > 1 else []
    for old, new in [*zip(was, now), *whole]:
        if equal(cells, old):
            return new
    return np.where(cells >= 0, numbers[cells], -1)
