"""What can touch: points that are fixed mixtures of nodes, the faces and edges between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...elements.embedded_surface import widened
from ...errors import InputError
from ...geometry.mesh.mesh import TriMesh
from .kerf import KERF, drawn_apart, twins
from .pair_law import Grips

MOST = 0.25  # of the usual edge, that the side of a cut gives way


@dataclass(frozen=True, eq=False)
class Surface:
    """p points Σ w x of nodes, f triangles and e edges between them, each of a body: all that may touch in a scene.

    A body here is a connected component: a part of the scene that a cut has separated is several, and ``part`` says whose
    they are. Points of a body lie side by side, and so do its triangles. Points that touch by themselves are those of triangles
    and of edges, and single ones. ``thickness`` [m] is that of the sheet or thread at each point: surfaces touch where their
    middles are half the sum apart. ``area`` [m²] is what a point stands for, ``alone`` says of each body whether its parts cannot
    touch each other.
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
    part: np.ndarray | None = None  # (bodies,) of the scene that each belongs to; one each where none is given
    held: np.ndarray | None = None  # (p,) whether a point is held in some direction; none is where that is not given
    grips: Grips | None = None  # of its bodies; where none are given all touch

    def __post_init__(self):
        p = len(self.nodes)
        if self.part is None:
            object.__setattr__(self, "part", np.arange(len(self.alone)))
        if self.held is None:
            object.__setattr__(self, "held", np.zeros(p, bool))
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
    def sizes(self) -> np.ndarray:
        """(p,) the diagonal of the box around the body of each point at rest [m]."""
        low, high = np.full((len(self.alone), 3), np.inf), np.full((len(self.alone), 3), -np.inf)
        np.minimum.at(low, self.body, self.rest)
        np.maximum.at(high, self.body, self.rest)
        return np.linalg.norm(high - low, axis=1)[self.body]

    @cached_property
    def twin(self) -> np.ndarray:
        """(p,) the first of the points of a part that lie in one place at rest, as the two sides of a cut do."""
        return twins(self.rest, self.part[self.body])

    @cached_property
    def opened(self) -> np.ndarray:
        """(p,) 1 for points that lie in one place with others at rest."""
        return (np.bincount(self.twin, minlength=self.count)[self.twin] > 1).astype(np.int32)

    @cached_property
    def welded(self) -> np.ndarray:
        """(p,) the first of those of them that are held, and so never part; its own number for all other points."""
        own, held = np.arange(self.count), self.held & (self.opened != 0)
        own[held] = self.twin[held]
        return own

    @cached_property
    def normals(self) -> np.ndarray:
        """(p, 3) unit normals of points at rest; 0 of those without faces, and of sheets with a thickness."""
        solid = self.triangles[self.thickness[self.triangles[:, 0]] == 0]
        return TriMesh(self.rest, solid).vertex_normals if len(solid) else np.zeros_like(self.rest)

    @cached_property
    def apart(self) -> np.ndarray | None:
        """(bodies, bodies) which pass through each other; None where none do."""
        return None if self.grips is None else self.grips.apart

    def with_grips(self, parts: Grips) -> Surface:
        """With the grips of its parts; a body that is not to touch itself is alone."""
        grips = parts.of(self.part)
        return replace(self, grips=grips, alone=self.alone | (grips.bodies.diagonal()[grips.group] < 0))

    def usual_edge(self) -> float:
        """The least of the median lengths of edges at rest of all parts [m]."""
        lengths = self.usual_edges()
        return float(lengths[lengths > 0].min())

    def usual_edges(self) -> np.ndarray:
        """(parts,) the median length of edges at rest of each part [m]; 0 where it has none."""
        lengths = np.linalg.norm(self.rest[self.edges[:, 1]] - self.rest[self.edges[:, 0]], axis=1)
        of = self.part[self.body[self.edges[:, 0]]]
        parts = int(self.part.max(initial=-1)) + 1
        return np.array([np.median(lengths[of == part]) if np.any(of == part) else 0.0 for part in range(parts)])

    @cached_property
    def wings(self) -> np.ndarray:
        """(e, 2) the corners of the faces on either side of each edge, that which has it forwards first, −1 for none."""
        edges, faces = (own.astype(np.int64) for own in (self.edges, self.triangles))
        wings = np.full((len(edges), 2), -1)
        if not len(edges):
            return wings
        key = edges[:, 0] * self.count + edges[:, 1]
        order = np.argsort(key)
        for turn in range(3):
            a, b, c = (faces[:, (turn + corner) % 3] for corner in range(3))
            for side, wanted in ((0, a * self.count + b), (1, b * self.count + a)):
                at = order[np.minimum(np.searchsorted(key[order], wanted), len(key) - 1)]
                hit = key[at] == wanted
                free = wings[at[hit], side] < 0  # an edge of more faces than two has those of two
                wings[at[hit], np.where(free, side, 1 - side)] = c[hit]
        return wings

    @cached_property
    def kerf(self) -> float:
        """How far apart the sides of a cut begin [m]."""
        return KERF * self.usual_edge() if len(self.edges) else 0.0

    def drawn_apart(self, at: np.ndarray) -> np.ndarray | None:
        """(p, 3) how points at ``at`` (p, 3) give way so that sides of a cut in one place have a kerf, sheets and threads one
        that is wider by their thickness; None where none are. Held points stay."""
        width = np.where(self.held, 0.0, self.kerf + self.thickness)
        move = drawn_apart(self.triangles, self.edges, self.part[self.body], at, width)
        if move is not None and np.abs(move).max() > MOST * self.kerf / KERF:
            raise InputError(
                f"contact: a cut or tear of a sheet or thread {self.thickness.max():.2g} m thick, with edges of "
                f"{self.kerf / KERF:.2g} m, has sides that cannot begin so far apart; expected Contact(thickness=False), or "
                "longer edges"
            )
        return move

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
    part = np.cumsum([0, *(int(s.part.max()) + 1 for s in surfaces)])

    nodes, weights = zip(*(widened(s.nodes, s.weights, wide) for s in surfaces))
    return Surface(
        np.concatenate(nodes),
        np.concatenate(weights),
        np.concatenate([s.triangles + i for s, i in zip(surfaces, first)]).astype(np.int32).reshape(-1, 3),
        np.concatenate([s.edges + i for s, i in zip(surfaces, first)]).astype(np.int32).reshape(-1, 2),
        np.concatenate([s.body + i for s, i in zip(surfaces, body)]),
        *(np.concatenate([getattr(s, name) for s in surfaces]) for name in ("area", "thickness", "rest", "alone")),
        np.concatenate([s.part + i for s, i in zip(surfaces, part)]),
        np.concatenate([s.held for s in surfaces]),
    )
