"""Joint frames: points and directions of bodies as mixtures of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ...errors import InputError
from ...material.initial_modulus import initial_modulus
from ..effect_layout import Layout, Part

OF_SOFT, OF_RIGID = 100.0, 0.1  # stiffness of joints over Young's modulus times the size of an element, or of the body
INSIDE = 1e-6  # of a body's size: how far outside a point still lies in it


@dataclass(frozen=True, eq=False)
class Ride:
    """A vector Σ w x + shift over some nodes of a scene."""

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

    def nodes(self) -> list[Ride]:
        """The mean of its nodes."""
        rows = np.arange(self.part.count) + self.part.first
        return [Ride(rows, np.full(len(rows), 1 / len(rows)), np.zeros(3))]

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

    def mobility(self, nodes: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """(d, d) how d numbers with slopes (d, k, 3) by its nodes move with forces on them [1/kg], of rigid bodies as such."""
        if not self.rigid:
            return np.einsum("akc,bkc,k->ab", slopes, slopes, 1 / self.part.mass[nodes])
        arms = self.elements.rest[nodes] - self.elements.centre
        push, twist = slopes.sum(axis=1), np.cross(arms, slopes).sum(axis=1)
        return push @ push.T / self.part.mass.sum() + twist @ np.linalg.solve(self.elements.inertia, twist.T)

    @cached_property
    def mass(self) -> float:
        """Its mass [kg], of soft bodies that of a node."""
        return float(self.part.mass.sum() if self.rigid else self.part.mass.mean())

    @cached_property
    def mass_over_firmness(self) -> float:
        """Mass [kg], of a node of soft bodies, over the stiffness [N/m] that joints have on it where nothing moves by inertia."""
        size = float(np.mean(self.elements.volumes)) ** (1 / 3)
        firm = (OF_RIGID if self.rigid else OF_SOFT) * initial_modulus(self.part.material) * size
        return self.mass / firm if firm > 0 else 1e-6


class Places:
    """The bodies of one scene of a layout."""

    def __init__(self, layout: Layout, parts: Sequence[Part], joined: Sequence[Sequence[str | None]]):
        self.layout, self.parts = layout, {part.name: part for part in parts}
        self._known: dict[str, Place] = {}
        self._carried = self._masses(joined)

    def _masses(self, joined: Sequence[Sequence[str | None]]) -> dict[str, float]:
        """The mass [kg] of all that joints hang together with a body and that moves."""
        number = {name: i for i, name in enumerate(self.parts)}
        free = np.array([part.mass @ (self.layout.free[part.nodes].max(axis=1) > 0) for part in self.parts.values()])
        pairs = [(number[a], number[b]) for names in joined for a, b in combinations([n for n in names if n], 2)]
        pairs = [pair for pair in pairs if free[list(pair)].all()]  # what is held passes nothing on
        rows, columns = np.array(pairs, int).reshape(-1, 2).T
        graph = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(free), len(free)))
        of = connected_components(graph, directed=False)[1]
        return dict(zip(self.parts, np.bincount(of, free)[of]))

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
                f"{joint}: {name} is a body of {type(place.elements).__name__}, and this joint is for contact.Rigid bodies and "
                "the world; expected a joint.Weld of a rigid body to it, or two joint.Ball on its axis"
            )
        return place

    def mobility(self, nodes: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        """(2, d, d) how d numbers with slopes (d, k, 3) by nodes move with forces on them: by inertia [1/kg], as if bodies had
        the mass of all that hangs together with them, and by what joints take for their stiffness [m/N]; of what is held, 0."""
        total, hung = np.zeros((2, len(slopes), len(slopes))), 1.0
        for name, part in self.parts.items():
            own = (nodes >= part.nodes.start) & (nodes < part.nodes.stop)
            own[own] = self.layout.free[nodes[own]].max(axis=1) > 0
            if own.any():
                by_mass, place = self[name].mobility(nodes[own] - part.first, slopes[:, own]), self[name]
                total += by_mass, by_mass * place.mass_over_firmness
                hung = max(hung, self._carried[name] / place.mass)
        return total / np.array([hung, 1.0])[:, None, None]

    def turning(self, names: Sequence[str | None]) -> np.ndarray:
        """(2, 1, 1) how rigid bodies turn against each other with a torque about the axis of most inertia [1/(kg m²), 1/(N m)].

        Joints that keep axes in line need as much stiffness about all others: torques about one tilt bodies about the next.
        """
        total, hung = np.zeros((2, 3, 3)), 1.0
        for place in [self[name] for name in names if name is not None]:
            if self.layout.free[place.part.nodes].any():
                inverse = np.linalg.inv(place.elements.inertia)
                total += inverse, inverse * place.mass_over_firmness
                hung = max(hung, self._carried[place.name] / place.mass)
        return np.linalg.eigvalsh(total)[:, 0, None, None] / np.array([hung, 1.0])[:, None, None]


def shared_points(one: Place, other: Place, what: str) -> np.ndarray:
    """(p, 3) where two bodies are welded unless told: at points of the surface of either that lie in the other, [m]."""
    if not isinstance(one, Place) or not isinstance(other, Place):
        raise InputError(
            f"{what}: {one.name} and {other.name} have no points in common; expected points=…, or Hold(where) on the body"
        )
    found = np.concatenate([a.surface[b.inside(a.surface)] for a, b in ((one, other), (other, one))])
    _, first = np.unique(np.round(found / (INSIDE * one.size)), axis=0, return_index=True)
    found = found[np.sort(first)]
    if len(found) < 3 or np.linalg.matrix_rank(found - found.mean(axis=0), tol=INSIDE * one.size) < 2:
        raise InputError(
            f"{what}: {len(found)} points of the surfaces of {one.name} and {other.name} lie in the other body; expected three "
            "that are not collinear, as points=…, or bodies that touch at rest"
        )
    return found
