"""Where joints act: points and directions of bodies and of the world, as mixtures of the nodes of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import InputError
from ..material.initial_modulus import initial_modulus
from .layout import Layout, Part

OF_SOFT, OF_RIGID = 100.0, 0.1  # stiffness of joints over Young's modulus times the size of an element, or of the body
INSIDE = 1e-6  # of a body's size: how far outside a point still lies in it


@dataclass(frozen=True, eq=False)
class Ride:
    """A vector Σ w x + shift over some nodes of a scene, which has their masses [kg] and stiffnesses [N/m] too."""

    nodes: np.ndarray  # (k,)
    weights: np.ndarray  # (k,)
    shift: np.ndarray  # (3,)

    def __sub__(self, other: Ride) -> Ride:
        nodes = np.concatenate([self.nodes, other.nodes])
        return Ride(nodes, np.concatenate([self.weights, -other.weights]), self.shift - other.shift)

    def times(self, factor: float) -> Ride:
        return Ride(self.nodes, factor * self.weights, factor * self.shift)


class World:
    """What does not move, as joints know it."""

    name, rigid, size, part = "the world", True, np.inf, None

    def at(self, points: np.ndarray, what: str) -> list[Ride]:
        """Points (p, 3) [m] of it at rest."""
        return [Ride(np.zeros(0, int), np.zeros(0), point) for point in np.asarray(points, float)]

    def way(self, directions: np.ndarray) -> list[Ride]:
        """Directions (p, 3) that turn with it."""
        return self.at(directions, "")


class Place:
    """A body as joints know it."""

    def __init__(self, part: Part):
        self.part, self.name, self.elements = part, part.name, part.elements
        self.rigid = part.elements.held_whole
        self.size = float(np.ptp(part.touching.of(part.elements.rest), axis=0).max())

    def at(self, points: np.ndarray, what: str) -> list[Ride]:
        """Points (p, 3) [m] of it at rest."""
        nodes, weights = self.elements.bind_points(np.asarray(points, float), f"{what} of {self.name}")[:2]
        return self._rides(nodes, weights, np.zeros(3))

    def way(self, directions: np.ndarray) -> list[Ride]:
        """Directions (p, 3) that turn with it, of a rigid body."""
        weights = np.asarray(directions) @ self.elements.gradients[0, 0].T
        return self._rides(np.broadcast_to(self.elements.nodes, weights.shape), weights, np.zeros(3))

    def _rides(self, nodes: np.ndarray, weights: np.ndarray, shift: np.ndarray) -> list[Ride]:
        return [Ride(n + self.part.first, w, shift) for n, w in zip(np.asarray(nodes, int), np.asarray(weights, float))]

    def inside(self, points: np.ndarray) -> np.ndarray:
        """(p,) whether points lie in it."""
        return self.elements.locate(points)[2] <= INSIDE * self.size

    @property
    def surface(self) -> np.ndarray:
        """(p, 3) points of its surface at rest [m]."""
        return self.part.touching.of(self.elements.rest)

    @property
    def firmness(self) -> float:
        """Stiffness [N/m] that joints have on it where nothing moves by inertia."""
        size = float(np.mean(self.elements.volumes)) ** (1 / 3)
        firm = (OF_RIGID if self.rigid else OF_SOFT) * initial_modulus(self.part.material) * size
        return firm if firm > 0 else 1e6 * float(self.part.mass.mean())


class Places:
    """The bodies of one scene of a layout."""

    def __init__(self, layout: Layout, parts: Sequence[Part]):
        self.layout, self.parts = layout, {part.name: part for part in parts}
        self._known: dict[str, Place] = {}

    def __getitem__(self, name: str | None) -> Any:
        if name is None:
            return World()
        if name not in self._known:
            self._known[name] = Place(self.parts[name])
        return self._known[name]

    def rigid(self, name: str | None, joint: str) -> Any:
        """A body that must be rigid for a joint."""
        place = self[name]
        if not place.rigid:
            raise InputError(
                f"{joint}: {name} is a body of {type(place.elements).__name__}, and this joint is for contact.Rigid bodies and the "
                "world; expected a joint.Weld of a rigid body to it, or two joint.Ball on its axis"
            )
        return place

    @cached_property
    def _of_nodes(self) -> tuple[np.ndarray, np.ndarray]:
        """(n,) masses and stiffnesses of nodes of the layout, inf where they are held."""
        firm = np.full(self.layout.count, np.inf)
        for name, part in self.parts.items():
            firm[part.nodes] = self[name].firmness
        held = self.layout.free.max(axis=1) == 0
        return np.where(held, np.inf, self.layout.mass), np.where(held, np.inf, firm)

    def mass(self, nodes: np.ndarray) -> np.ndarray:
        return self._of_nodes[0][nodes]

    def firm(self, nodes: np.ndarray) -> np.ndarray:
        return self._of_nodes[1][nodes]


def shared_points(one: Place, other: Place, what: str) -> np.ndarray:
    """(p, 3) where two bodies are welded unless told: at points of the surface of either that lie in the other, [m]."""
    if one.rigid and other.rigid:
        return (one if isinstance(one, Place) else other).elements.rest
    if not isinstance(one, Place) or not isinstance(other, Place):
        raise InputError(
            f"{what}: {one.name} and {other.name} have no points in common; expected points=…, or Hold(where) on the body"
        )
    found = np.concatenate([a.surface[b.inside(a.surface)] for a, b in ((one, other), (other, one))])
    _, first = np.unique(np.round(found / (INSIDE * one.size)), axis=0, return_index=True)
    found = found[np.sort(first)]
    if len(found) < 3 or np.linalg.matrix_rank(found - found.mean(axis=0), tol=INSIDE * one.size) < 2:
        raise InputError(
            f"{what}: {len(found)} points of the surfaces of {one.name} and {other.name} lie in the other body; expected three that "
            "are not in line, as points=…, or bodies that touch at rest"
        )
    return found
