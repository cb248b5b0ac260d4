"""Loads (Neumann boundary conditions): forces, tractions, pressure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import warp as wp

from ..arguments import checks
from ..arguments.checks import floats
from ..arguments.typing_fields import Vector
from ..elements.base import Elements
from ..energy.base import Energy, Step
from ..energy.loads.pressure import PressureEnergy
from ..energy.point_sensitivity import point_sensitivity_kernels
from ..energy.points.node_energies import DeadForces
from ..energy.sensitivity import Public, Segments, Slot
from ..energy.volume.volume_energy import CellPressure
from ..errors import InputError
from ..runtime.device import Device
from .base import Course, OnBody, Where, factor, select
from .effect_layout import Layout, Part


class OnSurface(OnBody):
    """A load whose ``where`` chooses nodes, or on a lattice triangles of the cut surface."""

    def candidates(self, elements: Elements) -> tuple[np.ndarray, str]:
        return elements.load_places()


@dataclass(frozen=True, eq=False)
class Load(OnSurface):
    """A force [N] in all, spread over the chosen nodes (by area over faces, else equally), times ``course(t)``.

    On a lattice ``where`` chooses triangles of the cut surface by their centres (``lattice.cut.centres``).
    """

    force: Vector
    where: Where
    course: Course | None = None

    CHANGES = ("force", "course")

    def __post_init__(self):
        checks.vector("Load(force=…)", self.force, "N")
        checks.function("Load(course=…)", self.course, "a function of time that returns a factor")


@dataclass(frozen=True, eq=False)
class Traction(OnSurface):
    """A force per rest area [Pa] on the boundary faces whose nodes are all chosen, times ``course(t)``.

    On a lattice ``where`` chooses triangles of the cut surface by their centres (``lattice.cut.centres``).
    """

    stress: Vector
    where: Where
    course: Course | None = None

    CHANGES = ("stress", "course")

    def __post_init__(self):
        checks.vector("Traction(stress=…)", self.stress, "Pa")
        checks.function("Traction(course=…)", self.course, "a function of time that returns a factor")


@dataclass(frozen=True, eq=False)
class Pressure(OnBody):
    """Pressure [Pa] inside the body's closed surface, times ``course(t)``."""

    pascals: float
    course: Course | None = None

    CHANGES = ("pascals", "course")

    def __post_init__(self):
        if isinstance(self.course, str):
            raise InputError(
                f"Pressure(…, {self.course!r}): it acts inside the whole closed surface and takes no group; expected "
                f"Traction(stress, {self.course!r}) for a part of it"
            )
        checks.number("Pressure(pascals=…)", self.pascals, expected="a finite number of Pa")
        checks.function("Pressure(course=…)", self.course, "a function of time that returns a factor")


VALUES = (Load, Traction, Pressure)


class _OfPressure:
    """What the pressure in one part has in common, whatever its surface; ``take`` says which it is."""

    def take(self, part: Part, load: Pressure) -> None:
        self.load, self.place = load, (part.index, part.of(Pressure).index(load))

    def begin(self, step: Step) -> None:
        if self.load.course is not None:
            self.factor = factor(self.load.course, step.time)
            self.set(float(self.load.pascals) * self.factor)

    def adopt(self, layout: Layout) -> None:
        part, index = self.place
        load = layout.parts[part].of(Pressure)[index]
        if load is not self.load:
            self.load, self.factor = load, 1.0 if load.course is None else self.factor
            self.set(float(load.pascals) * self.factor)

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        part, index = self.place
        return {(part, f"pressure {index}.pascals"): gradients["pressure"][0]}


class SurfacePressure(_OfPressure, PressureEnergy):
    """Pressure inside the closed surface of tets or of a sheet."""

    def __init__(self, device: Device, layout: Layout, part: Part, load: Pressure):
        triangles, factors = enclosing(part)
        super().__init__(device, triangles + part.first, layout.count, load.pascals, factors)
        self.take(part, load)


class InnerPressure(_OfPressure, CellPressure):
    """Pressure through the volume of cells: inside the surface that cuts a lattice, or in hexahedra."""

    def __init__(self, device: Device, part: Part, load: Pressure):
        super().__init__(device, part.elements, load.pascals, part.first)
        self.take(part, load)


class Loads(DeadForces):
    """The sum of all loads and tractions, each times its course."""

    def __init__(self, device: Device, layout: Layout, loads: Sequence[tuple[Part, Load | Traction]]):
        super().__init__(device, np.zeros((layout.count, 3)))
        self.loads, self.factors = tuple(loads), ()
        self.parts_of_sum = [device.array(self._forces(*load), device.types.vec3) for load in loads]

    def _forces(self, part: Part, load: Load | Traction) -> np.ndarray:
        forces = np.zeros((self.count, 3))
        forces[part.nodes] = nodal_forces(part, load)
        return forces

    def begin(self, step: Step) -> None:
        factors = tuple(factor(load.course, step.time) for _, load in self.loads)
        if factors != self.factors:
            self.factors = factors
            self._add_up()

    def _add_up(self) -> None:
        self.device.clear(self.forces)
        for scale, forces in zip(self.factors, self.parts_of_sum):
            self.vectors.move(self.forces, scale, forces, self.forces)

    def adopt(self, layout: Layout) -> None:
        loads = _loads(layout)
        changed = [i for i, (now, before) in enumerate(zip(loads, self.loads)) if now[1] is not before[1]]
        self.loads = loads
        for i in changed:
            self.parts_of_sum[i].assign(self._forces(*loads[i]).astype(self.device.types.numpy))
        if changed:
            self._add_up()

    @property
    def parameters(self) -> dict[str, Slot]:
        """The force [N] or traction [Pa] of each load."""
        return {f"load {i}": Slot((1,), self.device.types.vec3) for i in range(len(self.loads))}

    @cached_property
    def _shares(self) -> tuple[list[wp.array], wp.array, Segments]:
        """Of each load how much of its vector each node takes; what is added up; and the sum over all nodes."""
        device, t = self.device, self.device.types
        shares = []
        for part, load in self.loads:
            weights, whole = np.zeros(self.count), nodal_weights(part, load)
            weights[part.nodes] = whole / (whole.sum() if isinstance(load, Load) else 1.0)
            shares.append(device.array(weights, t.real))
        return shares, device.zeros(self.count, t.vec3), Segments(device, np.zeros(self.count, int), 1, 3)

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        shares, values, sums = self._shares
        kernel = point_sensitivity_kernels(self.device.precision).of_target
        for i, (scale, share) in enumerate(zip(self.factors, shares)):
            if f"load {i}" in into:
                self.device.clear(values)
                self.device.launch(kernel, self.count, scale, share, d, values)
                sums.add(values, into[f"load {i}"])

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        every: Public = {}
        for (part, load), by in zip(self.loads, (gradients[f"load {i}"][0] for i in range(len(self.loads)))):
            word = "force" if isinstance(load, Load) else "stress"
            every[part.index, f"load {part.of(Load, Traction).index(load)}.{word}"] = by
        return every


def nodal_forces(part: Part, load: Load | Traction) -> np.ndarray:
    """(n, 3) force on each node of the part [N]: ∫ N_i t dA, t being the traction or the load over its area."""
    given = load.force if isinstance(load, Load) else load.stress
    vector = floats(given)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise InputError(f"{type(load).__name__}: got {given!r}; expected three finite numbers")
    weights = nodal_weights(part, load)
    return weights[:, None] * (vector / weights.sum() if isinstance(load, Load) else vector)


def nodal_weights(part: Part, load: Load | Traction) -> np.ndarray:
    """(n,) ∫ N_i dA over what is loaded [m²], or 1 for each node where that is no surface."""
    elements = part.elements
    where, noun = load.candidates(elements)
    chosen = select(where, load.where, f"load on {part.name}", noun)
    nodes, shares = elements.surface_shares(chosen)
    if not len(nodes):
        if isinstance(load, Traction):
            raise InputError(f"Traction on {part.name}: no boundary face has all its nodes chosen")
        nodes, shares = chosen[:, None], np.ones((len(chosen), 1))
    return np.bincount(nodes.ravel(), shares.ravel(), len(elements.rest))


def enclosing(part: Part) -> tuple[np.ndarray, np.ndarray]:
    """(t, 3) nodes of triangles and their factors, for the volume inside the part's surface, which must be closed."""
    if part.elements.held_whole:
        raise InputError(
            f"Pressure on {part.name}: a {type(part.elements).__name__} body keeps its volume, so pressure inside it does "
            "nothing; expected Traction(…) on some of its triangles, or a soft body"
        )
    faces, count = part.elements.surface_faces, part.count
    directed = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    forward = np.sort(directed @ [count, 1])
    backward = np.sort(directed[:, ::-1] @ [count, 1])
    if not len(faces) or not np.array_equal(forward, backward):
        raise InputError(f"Pressure on {part.name}: its surface is not closed, so it encloses no volume")
    return part.elements.enclosing


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    pressures: list[Energy] = []
    for part in layout.parts:
        for load in part.of(Pressure):
            inside = part.elements.pressed_inside
            pressures.append(InnerPressure(device, part, load) if inside else SurfacePressure(device, layout, part, load))
    loads = _loads(layout)
    return pressures + ([Loads(device, layout, loads)] if loads else [])


def _loads(layout: Layout) -> tuple[tuple[Part, Load | Traction], ...]:
    return tuple((part, load) for part in layout.parts for load in part.of(Load, Traction))
