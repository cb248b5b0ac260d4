"""Layout of effects: parts and their nodes in one vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from ..arguments.typing_fields import Vector
from ..elements.base import Elements
from ..elements.embedded_surface import Binding
from ..elements.tets import Tets
from ..energy.capabilities import Thing
from ..errors import InputError
from ..geometry.mesh.mesh import TriMesh
from ..material.base import Material
from .components import by_component

Kind = TypeVar("Kind")


@dataclass(frozen=True, eq=False)
class Prescribed:
    """Nodes (rows of the layout) whose components ``axes`` are prescribed: at rest, or where ``motion(t)`` puts them [m]."""

    rows: np.ndarray
    axes: list[int]
    motion: Callable[[float], np.ndarray] | None = None
    thing: Thing | None = None  # what its forces act on; None for the plane of a flat body


@dataclass(frozen=True, eq=False)
class Part:
    """Elements of one material whose first node is row ``first`` of the layout, and the effects on them.

    ``index`` counts the parts of a layout; ``velocity`` [m/s] is (3,) or one for each node.
    """

    elements: Elements
    material: Material
    first: int = 0
    name: str = "body 0"
    effects: tuple[Any, ...] = ()
    index: int = 0
    velocity: Vector = (0.0, 0.0, 0.0)
    surface: TriMesh | None = None  # carried along, drawn, and where it touches others, in place of the elements' own

    @property
    def count(self) -> int:
        """Nodes."""
        return len(self.elements.rest)

    @property
    def nodes(self) -> slice:
        """Rows of the layout."""
        return slice(self.first, self.first + self.count)

    def of(self, *kinds: type[Kind]) -> list[Kind]:
        """The effects of some classes, in the order given."""
        return [effect for effect in self.effects if isinstance(effect, kinds)]

    def rows(self) -> np.ndarray | None:
        """Row of the material's parameter table for each element, or None where one row serves all."""
        material, elements = self.material, self.elements
        count = max(len(material.table()), np.size(material.density))
        regions = getattr(getattr(elements, "mesh", None), "regions", None)
        if count == 1:
            return None
        if count == elements.count:
            return np.arange(count)
        if regions is not None and count == regions.max() + 1:
            return np.asarray(regions)
        known = f" or {regions.max() + 1} (one per region)" if regions is not None else ""
        raise InputError(
            f"{material.name} has {count} rows of parameters; expected 1 (for the body), {elements.count} (one per "
            f"element){known}"
        )

    @cached_property
    def _by_component(self) -> tuple[Binding, np.ndarray]:
        bound = self.elements.outline if self.surface is None else self.elements.bind(self.surface)
        return by_component(bound, self.elements.components)

    @property
    def touching(self) -> Binding:
        """The points at which it touches others, those of each connected component side by side."""
        return self._by_component[0]

    @property
    def component(self) -> np.ndarray:
        """(p,) the connected component that each of these points belongs to, ascending."""
        return self._by_component[1]

    @property
    def components(self) -> int:
        """How many bodies it is to contact."""
        return int(self.component.max(initial=0)) + 1

    @property
    def half_thickness(self) -> np.ndarray:
        """(p,) half the thickness at each of these points [m]."""
        bound = self.touching
        return np.max(np.where(bound.weights != 0, self.elements.half_thickness[bound.nodes], 0.0), axis=1)

    @cached_property
    def mass(self) -> np.ndarray:
        """(n,) mass of each node [kg]."""
        return self.elements.lumped(self.densities)

    def pulled_back_mass(self, gradient: np.ndarray) -> np.ndarray:
        """Gradient by the material's density, of its shape, for that by ``mass``."""
        by_element, density, rows = (self.elements.pulled_back_masses(gradient), np.asarray(self.material.density), self.rows())
        if density.size == 1:
            return by_element.sum().reshape(density.shape)
        return np.bincount(rows if rows is not None else np.zeros(len(by_element), int), by_element, density.size)

    def changed(self, material: Material, effects: tuple[Any, ...]) -> Part:
        """The same elements with other values; masses are taken over where no density has changed."""
        part = replace(self, material=material, effects=effects)
        if np.array_equal(material.density, self.material.density):
            part.__dict__["mass"] = self.mass
        return part

    def on_more_nodes(self, elements: Elements, **others: Any) -> Part:
        """The same after a tear or a cut; of tets only the masses around it are found again."""
        part = replace(self, elements=elements, **others)
        if type(elements) is Tets:
            part.__dict__["mass"] = elements.lumped_since(self.elements, self.mass, self.densities)
        return part

    @property
    def densities(self) -> np.ndarray:
        """(m,) or () density of each element [kg/m³]."""
        density, rows = np.asarray(self.material.density), self.rows()
        return density if density.ndim == 0 else density[rows if rows is not None else 0]


@dataclass(frozen=True, eq=False)
class Beginning:
    """Where a simulation begins: the nodes at x (n, 3) [m], or at rest, at ``time`` [s]."""

    x: np.ndarray | None = None
    time: float = 0.0


@dataclass(frozen=True, eq=False)
class Layout:
    """All parts of a scene, or of several that know nothing of each other, in one vector of nodes.

    ``effects`` are those of each scene as a whole; ``sizes`` says how many parts each scene has. The nodes of part i are rows
    ``starts[i]`` to ``starts[i+1]``, those of scene s rows ``bounds[s]`` to ``bounds[s+1]``. After them come ``spare`` rows, held
    and without mass, that a tear turns into nodes of the last part. ``begins``: where a
    simulation does; None where it goes on.
    """

    parts: tuple[Part, ...]
    effects: tuple[tuple[Any, ...], ...] = ((),)
    sizes: tuple[int, ...] | None = None
    spare: int = 0
    begins: Beginning | None = Beginning()

    def of(self, kind: type[Kind]) -> list[list[Kind]]:
        """For each scene, its effects of a class."""
        return [[effect for effect in effects if isinstance(effect, kind)] for effects in self.effects]

    @cached_property
    def starts(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum([part.count for part in self.parts])]).astype(int)

    @cached_property
    def bounds(self) -> np.ndarray:
        sizes = (len(self.parts),) if self.sizes is None else self.sizes
        bounds = self.starts[np.cumsum([0, *sizes])]
        bounds[-1] += self.spare
        return bounds

    @property
    def count(self) -> int:
        """Rows: nodes, and those to spare."""
        return int(self.starts[-1]) + self.spare

    @property
    def components(self) -> list[int]:
        """How many bodies each scene is to contact."""
        ends = np.cumsum([0, *((len(self.parts),) if self.sizes is None else self.sizes)])
        return [sum(part.components for part in self.parts[i:j]) for i, j in pairwise(ends)]

    @property
    def touching_names(self) -> list[str]:
        """What these are called."""
        every = [(part.name, i, part.components) for part in self.parts for i in range(part.components)]
        return [name if count == 1 else f"piece {i} of {name}" for name, i, count in every]

    def _with_spare(self, values: np.ndarray) -> np.ndarray:
        """Values of all nodes, and 0 in the rows to spare."""
        return np.concatenate([values, np.zeros((self.spare, *values.shape[1:]))]) if self.spare else values

    def numbers(self, before: Layout) -> np.ndarray | None:
        """(n before,) row of each node of a layout of the same parts with fewer nodes, which are the first of each part; None
        where there are others."""
        counts, now = np.diff(before.starts), np.diff(self.starts)
        if len(counts) != len(now) or (counts > now).any():
            return None
        return np.arange(before.starts[-1]) + np.repeat(self.starts[:-1] - before.starts[:-1], counts)

    @cached_property
    def rest(self) -> np.ndarray:
        """(n, 3) positions at rest [m]."""
        return self._with_spare(np.concatenate([part.elements.rest for part in self.parts]))

    @property
    def start(self) -> np.ndarray:
        """(n, 3) positions where a simulation begins [m]."""
        begins = self.begins
        return self.rest if begins is None or begins.x is None else self._with_spare(np.asarray(begins.x, float))

    @cached_property
    def mass(self) -> np.ndarray:
        """(n,) mass of each node [kg]."""
        mass = np.concatenate([part.mass for part in self.parts])
        loose = np.flatnonzero(mass <= 0)
        if len(loose):
            raise InputError(
                f"{len(loose)} of {len(mass)} nodes belong to no element, first at {loose[:5].tolist()}; "
                "remove vertices that no element uses"
            )
        return self._with_spare(mass)

    def changed(self, parts: tuple[Part, ...], effects: tuple[tuple[Any, ...], ...]) -> Layout:
        """A layout with other values on the same shapes, which keeps all that values have no part in."""
        layout = replace(self, parts=parts, effects=effects)
        kept = ["starts", "bounds", "rest", "velocity", "holds", "free"]
        kept += ["mass"] if all(new.mass is old.mass for new, old in zip(parts, self.parts)) else []
        layout.__dict__.update({name: self.__dict__[name] for name in kept if name in self.__dict__})
        return layout

    @cached_property
    def velocity(self) -> np.ndarray:
        """(n, 3) velocity of each node at the start [m/s]."""
        parts = [np.broadcast_to(part.velocity, part.elements.rest.shape) for part in self.parts]
        return self._with_spare(np.concatenate(parts).astype(float))

    @cached_property
    def holds(self) -> list[Prescribed]:
        """What the effects of all parts hold, and what flat parts hold across their plane."""
        holding = [(part, effect) for part in self.parts for effect in part.effects if hasattr(effect, "holds")]
        flat = [part for part in self.parts if part.elements.held_axes]
        across = [Prescribed(np.arange(part.count) + part.first, list(part.elements.held_axes)) for part in flat]
        return [hold for part, effect in holding for hold in effect.holds(part)] + across

    @cached_property
    def free(self) -> np.ndarray:
        """(n, 3) 1 where a component may move, 0 where it is held."""
        free = np.ones((self.count, 3))
        free[self.starts[-1] :] = 0.0
        for hold in self.holds:
            free[np.ix_(hold.rows, hold.axes)] = 0.0
        return free
