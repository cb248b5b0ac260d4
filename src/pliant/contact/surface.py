"""What can touch: points that are fixed mixtures of nodes, the faces and edges between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..elements.surface import widened
from ..errors import InputError


@dataclass(frozen=True, eq=False)
class Surface:
    """p points Σ w x of nodes, f triangles and e edges between them, each of a body: all that may touch in a scene.

    Points that touch by themselves are those of triangles and of edges, and single ones. ``thickness`` [m] is that of
    the sheet or thread at each point: surfaces touch where their middles are half the sum apart. ``area`` [m²] is what a
    point stands for, ``alone`` says of each body whether its parts cannot touch each other.
    """

    nodes: np.ndarray  # (p, k)
    weights: np.ndarray  # (p, k), rows sum to 1
    triangles: np.ndarray  # (f, 3)
    edges: np.ndarray  # (e, 2), each once
    body: np.ndarray  # (p,)
    area: np.ndarray  # (p,)
    thickness: np.ndarray  # (p,)
    rest: np.ndarray  # (p, 3) [m]
    alone: np.ndarray  # (bodies,)

    def __post_init__(self):
        p = len(self.nodes)
        if self.weights.shape != self.nodes.shape or any(
            len(own) != p for own in (self.body, self.area, self.thickness, self.rest)
        ):
            raise InputError(f"Surface: expected weights, body, area, thickness and rest for each of its {p} points")
        for name, corners in (("triangles", self.triangles), ("edges", self.edges)):
            if len(corners) and (corners.min() < 0 or corners.max() >= p):
                raise InputError(f"Surface({name}=…) names point {int(corners.max())} of {p}")

    @property
    def count(self) -> int:
        return len(self.nodes)

    @cached_property
    def edge_area(self) -> np.ndarray:
        """(e,) what each edge stands for [m²]: an even share of what its ends stand for."""
        degree = np.bincount(self.edges.ravel(), minlength=self.count)
        return (self.area / np.maximum(degree, 1))[self.edges].sum(axis=1)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """All of them as one; numbers of nodes are taken to be those of the scene already, those of bodies follow on."""
    wide = max(s.nodes.shape[1] for s in surfaces)
    first = np.cumsum([0, *(s.count for s in surfaces)])
    body = np.cumsum([0, *(len(s.alone) for s in surfaces)])

    nodes, weights = zip(*(widened(s.nodes, s.weights, wide) for s in surfaces))
    return Surface(
        np.concatenate(nodes),
        np.concatenate(weights),
        np.concatenate([s.triangles + i for s, i in zip(surfaces, first)]).astype(np.int32).reshape(-1, 3),
        np.concatenate([s.edges + i for s, i in zip(surfaces, first)]).astype(np.int32).reshape(-1, 2),
        np.concatenate([s.body + i for s, i in zip(surfaces, body)]),
        *(np.concatenate([getattr(s, name) for s in surfaces]) for name in ("area", "thickness", "rest", "alone")),
    )
