"""Holds (Dirichlet boundary conditions): rigid, by springs, or weak (Nitsche)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...arguments.checks import floats, is_positive, refusal
from ...arguments.typing_fields import Vector
from ...cut.change import Change
from ...elements.base import Elements
from ...elements.quadrature import Centre
from ...energy.base import Energy, Step
from ...energy.capabilities import Fastening, Thing
from ...energy.clamp.nitsche_clamp import ClampEnergy
from ...energy.clamp.nitsche_linearised import LinearisedClamp
from ...energy.points.tethers import TetherEnergy
from ...energy.sensitivity import Public
from ...errors import InputError
from ...geometry.mesh.mesh import PointCloud, TriMesh
from ...material.parameter_gradients import summed
from ...runtime.device import Device
from ..base import Changing, Motion, OnBody, Where, check_same, moved, select, select_held
from ..effect_layout import Layout, Part, Prescribed
from .elasticity import local_material, local_pulled_back
from .volume_averaging import PartVolume


class Means(Changing):
    """How a Hold holds what it chose: by default nodes, and by an energy."""

    def candidates(self, elements: Elements) -> tuple[np.ndarray, str]:
        """Positions at rest that ``where`` chooses among, and what they are."""
        return elements.rest, "node"

    def check_points(self, count: int | None) -> None:
        """Refuse ``count`` points that need not be nodes, or None for nodes that are chosen."""
        if count is not None:
            raise InputError(
                f"Hold(where=points): hold.{type(self).__name__} holds nodes, not other points; expected a condition, a "
                "mask or numbers, or by=hold.Springs(stiffness)"
            )

    def check(self, hold: Hold, elements: Elements) -> None:
        """Refuse elements that cannot be held so."""

    def prescribed(self, hold: Hold, part: Part) -> list[Prescribed]:
        """Nodes that are put where they belong."""
        return []


@dataclass(frozen=True)
class Rigidly(Means):
    """Nodes are put where they belong, exactly; ``axes`` names the components held."""

    axes: str = "xyz"

    def __post_init__(self):
        if not isinstance(self.axes, str) or not self.axes or set(self.axes) - set("xyz"):
            raise InputError(f"hold.Rigidly(axes={self.axes!r}): expected some of 'x', 'y', 'z'")

    def check_points(self, count: int | None) -> None:
        """Points are held by the nodes of the elements that they lie in."""

    def check(self, hold: Hold, elements: Elements) -> None:
        select_held(elements, hold.where, "held nodes")

    def prescribed(self, hold: Hold, part: Part) -> list[Prescribed]:
        nodes = select(part.elements.rest, hold.where, f"held nodes of {part.name}")
        X, motion = part.elements.rest[nodes], hold.motion
        at = None if motion is None else lambda time: moved("Hold.motion", motion, X, time)
        thing = ("hold", part.index, part.of(Hold).index(hold))
        return [Prescribed(nodes + part.first, ["xyz".index(axis) for axis in self.axes], at, thing)]


@dataclass(frozen=True, eq=False)
class Springs(Means):
    """Springs of ``stiffness`` [N/m] from each node or point to where it belongs; for points also one number for each."""

    stiffness: float | Vector

    CHANGES = ("stiffness",)

    def __post_init__(self):
        stiffness = floats(self.stiffness)
        number = stiffness.ndim <= 1 and stiffness.size and not isinstance(self.stiffness, bool | np.bool_)
        if not number or not np.all((stiffness > 0) & np.isfinite(stiffness)):
            raise refusal("hold.Springs(stiffness=…)", self.stiffness, "a positive number of N/m, or one for each point")
        object.__setattr__(self, "stiffness", stiffness if stiffness.ndim else float(stiffness))

    def check_points(self, count: int | None) -> None:
        given = np.shape(self.stiffness)
        if given not in ((), (count,)):
            fits = "one number, as nodes are chosen" if count is None else f"one number, or {count} of them, one for each point"
            raise InputError(f"hold.Springs(stiffness=…) has {given[0]} numbers; expected {fits}")

    def check(self, hold: Hold, elements: Elements) -> None:
        if hold.points is None:
            select_held(elements, hold.where, "held nodes")


@dataclass(frozen=True)
class Weakly(Means):
    """Nitsche's method on the cut surface of a lattice; ``eta`` [N/m³] is the strength, None takes it from the material.

    For LinearElastic, Corotated and Arap the traction is exact; for other laws, and with averaged volume, it is linear about the
    expected end of a step, of second order in dt, and equilibria are exact.
    """

    eta: float | None = None

    CHANGES = ("eta",)

    def __post_init__(self):
        if self.eta is not None and not is_positive(self.eta):
            raise InputError(f"hold.Weakly(eta={self.eta!r}): expected a positive number of N/m³, or None")

    def candidates(self, elements: Elements) -> tuple[np.ndarray, str]:
        return elements.clamp_places()

    def check(self, hold: Hold, elements: Elements) -> None:
        if not elements.has_cut:
            raise InputError(
                f"hold.Weakly is for the cut cells of a Lattice, not for {type(elements).__name__}; use hold.Rigidly or "
                "hold.Springs"
            )
        if isinstance(elements.quadrature, Centre):
            raise InputError("hold.Weakly needs a rule that integrates the material of cut cells; use Moments(), not Centre()")
        if elements.volume is not None and elements.volume.incompressible:
            raise InputError(
                "hold.Weakly needs a stress that follows from the strain, which Averaged(incompressible=True) lacks; use "
                "Averaged() with poisson=0.49, or hold.Rigidly or hold.Springs"
            )


MEANS = (Rigidly, Springs, Weakly)


@dataclass(frozen=True, eq=False)
class Hold(OnBody):
    """A part of a body held where it rests, or where ``motion(X, t)`` takes it.

    ``where`` is a condition on positions at rest, a mask, node numbers, or True for all nodes; or points (k, 3) [m] of a solid
    or the vertices of a mesh, which need not be nodes: hold.Springs pull at the points themselves, hold.Rigidly holds the nodes
    that carry them; with hold.Weakly the condition is on the centres of the triangles of a lattice's surface
    (``lattice.boundary.centres``). ``name`` is what ``sim.force`` knows it by.
    """

    where: Where | TriMesh | PointCloud | Sequence[Vector]
    motion: Motion | None = None
    by: Rigidly | Springs | Weakly = Rigidly()
    name: str = ""

    def keeps_rows(self, change: Change, body: Any) -> bool:
        return isinstance(self.by, Rigidly)

    def __post_init__(self):
        checks.text("Hold(name=…)", self.name)
        checks.function("Hold(motion=…)", self.motion, "a function of X and t that returns positions")
        if not isinstance(self.by, Means):
            raise InputError(
                f"Hold(by={type(self.by).__name__}): expected hold.Rigidly(), hold.Springs(stiffness) or hold.Weakly()"
            )
        points = _points(self.where)
        self.by.check_points(None if points is None else len(points))
        if points is not None:
            object.__setattr__(self, "where", points)

    def check_change(self, now: Hold) -> None:
        if type(now.by) is not type(self.by):
            words = f"hold.{type(now.by).__name__} in place of hold.{type(self.by).__name__}"
            raise InputError(f"Hold: {words} in a running simulation; expected the same, or build a new one")
        check_same("Hold", self, now, ("by", "motion") if self.by.CHANGES else ("by",))
        self.by.check_change(now.by)

    @property
    def points(self) -> np.ndarray | None:
        """(k, 3) points [m] that are held and need not be nodes, or None where ``where`` chooses."""
        return self.where if isinstance(self.where, np.ndarray) and self.where.ndim == 2 else None

    def candidates(self, elements: Elements) -> tuple[np.ndarray, str]:
        return self.by.candidates(elements)

    def chosen(self, elements: Elements, what: str) -> np.ndarray:
        return super().chosen(elements, what) if self.points is None else self.points

    def on_nodes(self, elements: Elements) -> Hold:
        """The same with node numbers, where points are held rigidly: all nodes that carry any of them."""
        if self.points is None or not isinstance(self.by, Rigidly):
            return self
        nodes, weights = elements.carriers(self.points, "Hold(where=points)")
        return replace(self, where=np.unique(nodes[np.abs(weights) > 1e-9]))

    def holds(self, part: Part) -> list[Prescribed]:
        """The nodes of a part that are put where they belong."""
        return self.by.prescribed(self, part)

    def springs(self, part: Part) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points at rest, and the nodes and weights on which they ride."""
        if self.points is not None:
            return self.points, *part.elements.bind_points(self.points, f"Hold of {part.name}")
        nodes = select(part.elements.rest, self.where, f"held nodes of {part.name}")[:, None]
        return part.elements.rest[nodes[:, 0]], nodes, np.ones(nodes.shape)


def _points(where: object) -> np.ndarray | None:
    """Points that a Hold was given in place of a condition, a mask or numbers."""
    given = where.vertices if isinstance(where, TriMesh | PointCloud) else where
    if callable(given) or (given is where and np.ndim(_plain(given)) < 2):
        return None
    points = floats(given)
    if points.ndim != 2 or points.shape[1] != 3 or not len(points) or not np.all(np.isfinite(points)):
        raise InputError(
            f"Hold(where=…) has shape {points.shape}; expected (k, 3) finite positions in metres, or a mesh, a condition, a mask "
            "or node numbers"
        )
    return points


def _plain(given: object) -> object:
    """Lists and arrays as arrays; whatever is none of them, and what has no shape, as nothing."""
    if not isinstance(given, list | tuple | np.ndarray):
        return None
    try:
        return np.asarray(given)
    except (ValueError, TypeError):  # rows that differ in length: where they are chosen, it is said
        return None


VALUES = (Hold,)


class _Fastening(Fastening):
    """Part of the energies of one Hold: the only thing that their forces act on."""

    part: int
    index: int  # among the holds of its part

    @property
    def thing(self) -> Thing:
        return "hold", self.part, self.index

    @property
    def middle(self) -> np.ndarray:
        """(3,) the mean of where its points belong [m]."""
        return self.target.numpy().reshape(-1, 3).mean(axis=0)

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        out = self.device.zeros(len(x), self.device.types.vec3)
        self.gradient(x, out)
        yield self.thing, out.numpy().astype(float)


class HeldBySprings(_Fastening, TetherEnergy):
    """The springs of one Hold."""

    def __init__(self, device: Device, part: Part, hold: Hold):
        self.hold, (self.points, nodes, weights) = hold, hold.springs(part)
        super().__init__(device, part.elements.rest, nodes, weights, hold.by.stiffness, part.first)
        self.part, self.index = part.index, part.of(Hold).index(hold)

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        by = gradients["stiffness"]
        key = (self.part, f"hold {self.index}.stiffness")
        return {key: by if np.ndim(self.hold.by.stiffness) else by.sum()}

    def adopt(self, layout: Layout) -> None:
        hold = layout.parts[self.part].of(Hold)[self.index]
        if hold is not self.hold:
            before, self.hold = self.hold, hold
            self.set_stiffness(hold.by.stiffness)
            if hold.motion is None and before.motion is not None:
                self.aim(self.points)

    def begin(self, step: Step) -> None:
        if self.hold.motion is not None:
            self.aim(moved("Hold.motion", self.hold.motion, self.points, step.time))


class _OfSurface(_Fastening):
    """What the surface that one Hold holds needs of the part; ``more`` is what else its energy takes."""

    def __init__(self, device: Device, part: Part, hold: Hold, *more: Energy | None):
        where, noun = hold.candidates(part.elements)
        chosen = select(where, hold.where, f"held surface of {part.name}", noun)
        points = part.elements.boundary_points(chosen)
        material, rows = local_material(part)
        super().__init__(device, part.elements, points, material, hold.by.eta, part.first, rows, *more)
        self.part, self.hold, self.at_rest = part.index, hold, points.positions.reshape(-1, 3)
        self.index, self._given = part.of(Hold).index(hold), (part.material, hold)

    def begin(self, step: Step) -> None:
        if self.hold.motion is not None:
            self.aim(moved("Hold.motion", self.hold.motion, self.at_rest, step.time))

    def adopt(self, layout: Layout) -> None:
        part = layout.parts[self.part]
        given = (part.material, part.of(Hold)[self.index])
        if any(now is not before for now, before in zip(given, self._given)):
            before, self._given, self.hold = self.hold, given, given[1]
            self.given = self.hold.by.eta
            self.set_parameters(local_material(part)[0])
            if self.hold.motion is None and before.motion is not None:
                self.aim(self.at_rest)


class ClampedSurface(_OfSurface, ClampEnergy):
    """For laws whose stress is linear in the stretches."""

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        part = layout.parts[self.part]
        material = local_material(part)[0]
        by_name = material.pulled_back(gradients["table"])
        every: Public = {}
        if self.given is None:
            by_name = summed(by_name, self.pulled_back_strength(material, gradients["eta"]))
        else:
            every[part.index, f"hold {self.index}.eta"] = gradients["eta"].sum()
        return every | {(part.index, name): value for name, value in local_pulled_back(part, by_name).items()}


class LinearlyClampedSurface(_OfSurface, LinearisedClamp):
    """For all others, and for averaged volume: the traction is linear about where the scheme expects the step to end."""

    def begin(self, step: Step) -> None:
        super().begin(step)
        self.start(step.at)


def _clamped(device: Device, part: Part, hold: Hold, made: Sequence[Energy]) -> Energy:
    volume = next((e for e in made if isinstance(e, PartVolume) and e.parts == (part.index,)), None)
    if volume is None and part.material.second_differential is not None:
        return ClampedSurface(device, part, hold)
    return LinearlyClampedSurface(device, part, hold, volume)


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    holds = [(part, hold) for part in layout.parts for hold in part.of(Hold)]
    springs = [HeldBySprings(device, part, hold) for part, hold in holds if isinstance(hold.by, Springs)]
    return springs + [_clamped(device, part, hold, made) for part, hold in holds if isinstance(hold.by, Weakly)]
