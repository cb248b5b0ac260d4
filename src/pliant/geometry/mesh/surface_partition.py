"""Partition of a surface by the tets that carry it.

Pieces of a triangle are found by walking from tet to tet: a piece is clipped by the four faces of its tet (Sutherland and
Hodgman), and where one of its sides lies on a face, the tet behind that face holds the next piece. Corners of pieces are known
by what they lie on, a vertex, an edge of the surface and a face of a tet, or a triangle and an edge of a tet, so that pieces
which meet share them without any tolerance. Cuts are along tets that are moved by a ten-millionth of their size, outwards where
they bound the mesh, so that nothing of a surface lies in their faces; corners are then put into the faces and onto the edges as
they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ...errors import InputError
from .embedded_surface import HeldSurface
from .mesh import TetMesh, TriMesh, edges_of, unique_rows

MOVED = 1e-7  # of the size of the mesh: how far nodes are moved before a surface is cut along their tets
OUTWARDS = 3.0  # times as far, nodes of the boundary
TRIES = 4  # moves of the nodes before a surface is given up
LOOSE = 0.01  # of the sides of pieces, which may meet no other, where one place has several tets
LOST = 1e-3  # of an area, that may lie outside of the tets
NEAREST = 24  # tets that are tried first for a point
ROOM = 8  # corners of a piece: a triangle cut by four planes has at most seven
OPPOSITE = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])  # corners of the face opposite to each corner of a tet


@dataclass(frozen=True, eq=False)
class Partition:
    """Pieces of a surface: v points on the nodes of tets, and t triangles of them, each in one tet.

    Triangles of a patch, which is what hangs together in one tet, follow each other, as do the patches of a tet.
    """

    nodes: np.ndarray  # (v, 4) of a tet that holds the point
    weights: np.ndarray  # (v, 4) at least 0, rows sum to 1; 0 for all nodes that are not of the face or edge it lies on
    triangles: np.ndarray  # (t, 3)
    tets: np.ndarray  # (t,) the tet of each
    corners: np.ndarray  # (t, 3, 4) barycentric coordinates of its corners in that tet
    patches: np.ndarray  # (t,) the patch of each, ascending
    source: np.ndarray  # (t,) the triangle of the surface that it is a part of
    # sides that meet no other, though the surface is closed: where tets in one place hold parts of it apart
    loose: int = 0

    @property
    def count(self) -> int:
        return len(self.triangles)

    @cached_property
    def edges(self) -> np.ndarray:
        """(e, 2) each once, smaller number first."""
        return edges_of(self.triangles)

    @cached_property
    def sides(self) -> np.ndarray:
        """(t, 3) the edge from each corner of a triangle to the next."""
        pairs = np.sort(self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        return unique_rows(pairs)[1].reshape(-1, 3)

    def at(self, x: np.ndarray) -> np.ndarray:
        """(v, 3) the points for nodes at x (n, 3)."""
        return np.einsum("vk,vkc->vc", self.weights, x[self.nodes])


def partition(surface: TriMesh, mesh: TetMesh) -> Partition:
    """The surface cut along the tets of a mesh, all of which it must lie in."""
    own = mesh.boundary
    if np.array_equal(surface.vertices, own.vertices) and np.array_equal(surface.triangles, own.triangles):
        return _boundary(mesh)
    size = float(np.linalg.norm(np.ptp(mesh.vertices, axis=0)))
    outwards = np.zeros(mesh.vertices.shape)  # so that a surface on the boundary of the tets is inside of them
    outwards[mesh.boundary_vertices] = OUTWARDS * own.vertex_normals
    best: Partition | None = None
    for seed in range(TRIES):
        chance = np.random.default_rng(seed).uniform(-0.5, 0.5, mesh.vertices.shape)
        moved = mesh.vertices + MOVED * size * (chance + outwards)
        cut = _Cut(surface, mesh, moved)
        if cut.outside:
            raise InputError(
                f"surface of {len(surface.triangles)} triangles: {cut.outside} of its vertices lie outside of the tets that "
                "carry it; expected a surface inside of them, as bounding_tets(…) makes them"
            )
        made = cut.partition()
        best = made if best is None or made.loose < best.loose else best
        if not best.loose:
            break
    p = best.at(mesh.vertices)[best.triangles]
    area = 0.5 * np.linalg.norm(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), axis=1).sum()
    if area < (1 - LOST) * surface.areas.sum():
        raise InputError(
            f"surface of {len(surface.triangles)} triangles: {1 - area / surface.areas.sum():.2g} of its area lies outside of "
            "the tets that carry it; expected a surface inside of them, as bounding_tets(…) makes them"
        )
    if best.loose > LOOSE * len(best.edges):
        raise InputError(
            f"surface of {len(surface.triangles)} triangles cannot be cut along its tets: {best.loose} sides of its pieces meet "
            "no other; expected a surface whose triangles meet edge to edge"
        )
    return best


def _boundary(mesh: TetMesh) -> Partition:
    """The surface of the tets themselves: each triangle is a face of one tet, and nothing is cut."""
    nodes, triangles = mesh.boundary_vertices, mesh.boundary_triangles
    faces = np.sort(mesh.tets[:, OPPOSITE], axis=2).reshape(-1, 3)
    every = np.concatenate([faces, np.sort(triangles, axis=1)])
    inverse = unique_rows(every)[1]
    owner = np.empty(inverse.max() + 1, np.int64)
    owner[inverse[: len(faces)]] = np.arange(len(faces)) // 4
    tets = owner[inverse[len(faces) :]]
    quads = np.repeat(nodes[:, None], 4, axis=1)
    weights = np.zeros(quads.shape)
    weights[:, 0] = 1.0
    return _arranged(quads, weights, mesh.boundary.triangles, tets, mesh.tets, np.arange(len(tets)))


class _Cut:
    """The pieces of a surface in tets whose nodes are ``moved`` (n, 3)."""

    def __init__(self, surface: TriMesh, mesh: TetMesh, moved: np.ndarray):
        self.surface, self.mesh, self.X = surface, mesh, moved
        tets = mesh.tets.astype(np.int64)
        faces = np.sort(tets[:, OPPOSITE], axis=2).reshape(-1, 3)
        first, inverse, _ = unique_rows(faces)
        self.faces, self.face_of = faces[first], inverse.reshape(-1, 4)
        a, b, c = (moved[self.faces[:, i]] for i in range(3))
        normal = np.cross(b - a, c - a)
        self.normal = normal / np.linalg.norm(normal, axis=1)[:, None]
        self.foot = a
        # side[tet, i]: on which side of face i its tet lies
        middle = moved[tets].mean(axis=1)
        self.side = np.sign(self._height(middle[:, None], self.face_of))
        # the tets of each face and the side of it that they are on; where a mesh holds parts apart, more than two may share one
        order = np.argsort(inverse, kind="stable")
        face, counts = inverse[order], np.bincount(inverse)
        column = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        self.owners, self.owner_sides = (np.full((len(self.faces), counts.max()), -1.0) for _ in range(2))
        self.owners[face, column], self.owner_sides[face, column] = order // 4, self.side.ravel()[order]
        self.owners = self.owners.astype(np.int64)
        triangles = surface.triangles.astype(np.int64)
        pairs = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
        first, inverse, _ = unique_rows(pairs)
        self.edges, self.sides = pairs[first], inverse.reshape(-1, 3)
        p = surface.vertices[triangles]
        self.plane = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
        self.holder = surface.holders if isinstance(surface, HeldSurface) else self._holding(surface.vertices)
        used = np.unique(triangles)
        self.outside = int(np.sum(self.holder[used] < 0))

    def _height(self, points: np.ndarray, faces: np.ndarray) -> np.ndarray:
        """Heights of points above the planes of faces."""
        return np.einsum("...c,...c->...", points - self.foot[faces], self.normal[faces])

    def _inside(self, points: np.ndarray, tets: np.ndarray) -> np.ndarray:
        return np.all(self._height(points[..., None, :], self.face_of[tets]) * self.side[tets] >= 0, axis=-1)

    def _holding(self, points: np.ndarray) -> np.ndarray:
        """(s,) the tet that holds each point, −1 where none does."""
        tree = cKDTree(self.X[self.mesh.tets].mean(axis=1))
        near = tree.query(points, k=min(NEAREST, len(self.mesh.tets)))[1].reshape(len(points), -1)
        out, left = np.full(len(points), -1), np.arange(len(points))
        for column in near.T:
            found = self._inside(points[left], column[left])
            out[left[found]] = column[left[found]]
            left = left[~found]
        for at in left:  # few: tets of very different sizes
            found = np.flatnonzero(self._inside(points[at][None], np.arange(len(self.mesh.tets))))
            if len(found):
                out[at] = found[0]
        return out

    # --- pieces: corners of polygons (m, ROOM, 3), labels of the sides that begin at them, and how many there are

    def pieces(self) -> tuple[np.ndarray, ...]:
        """Triangle, tet, sides (m, ROOM) and number of corners of every piece.

        A side is labelled by the edge of the surface that it lies on, or by −1 − the face of a tet.
        """
        every, doubtful = [], []
        triangle = np.repeat(np.arange(len(self.surface.triangles)), 3)
        front = np.column_stack([triangle, self.holder[self.surface.triangles].ravel()])
        seen = np.zeros(0, np.int64)
        size = len(self.mesh.tets)
        while len(front):
            keys = np.unique(front[:, 0] * size + front[:, 1])
            keys = keys[~np.isin(keys, seen, assume_unique=True)]
            seen = np.union1d(seen, keys)
            front = np.column_stack([keys // size, keys % size])
            labels, count = self._clip(front)
            there = count > 2
            every.append((front[there, 0], front[there, 1], labels[there], count[there]))
            piece, corner = np.nonzero((labels < 0) & (np.arange(ROOM) < count[:, None]) & there[:, None])
            owners, sides = (own[-1 - labels[piece, corner]] for own in (self.owners, self.owner_sides))
            here = np.take_along_axis(sides, np.argmax(owners == front[piece, 1][:, None], axis=1)[:, None], axis=1)
            behind = (owners >= 0) & (sides != here)
            ways = behind.sum(axis=1)
            many = np.flatnonzero(ways > 1)
            doubtful += [(front[piece[k], 0], owners[k, behind[k]]) for k in many]
            one = np.flatnonzero(ways == 1)
            front = np.column_stack([front[piece[one], 0], owners[one, np.argmax(behind[one], axis=1)]])
            if not len(front) and doubtful:
                front, doubtful = self._choose(doubtful, seen), []
        return tuple(np.concatenate(part) for part in zip(*every))

    def _choose(self, doubtful: list[tuple[int, np.ndarray]], seen: np.ndarray) -> np.ndarray:
        """Of tets in one place, that which the triangle is in already, or else one that triangles around it are in."""
        size, chosen = len(self.mesh.tets), []
        near = self.surface.triangles
        for triangle, tets in doubtful:
            if np.isin(triangle * size + tets, seen).any():
                continue
            shared = np.isin(near, near[triangle]).sum(axis=1)
            around = np.flatnonzero(shared)
            words = np.where(shared[around] > 1, 100, 1)  # triangles beyond an edge know better than those at a corner
            votes = [words[np.isin(around * size + tet, seen)].sum() for tet in tets]
            chosen.append((triangle, tets[int(np.argmax(votes))]))
        return np.array(chosen, np.int64).reshape(-1, 2)

    def _clip(self, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        m = len(pairs)
        triangle, tet = pairs.T
        labels = np.zeros((m, ROOM), np.int64)
        points = np.zeros((m, ROOM, 3))
        labels[:, :3] = self.sides[triangle]
        points[:, :3] = self.surface.vertices[self.surface.triangles[triangle]]
        count = np.full(m, 3)
        for i in range(4):
            face, side = self.face_of[tet, i], self.side[tet, i]
            height = self._height(points, face[:, None]) * side[:, None]
            labels, points, count = self._clip_by(triangle, face, height, labels, points, count)
        return labels, count

    def _clip_by(
        self, triangle: np.ndarray, face: np.ndarray, height: np.ndarray, labels: np.ndarray, points: np.ndarray,
        count: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        """What of polygons lies where heights are not negative: sides keep their labels, the new one has that of the face."""
        m = len(labels)
        new_labels, new_points, new_count = np.zeros_like(labels), np.zeros_like(points), np.zeros(m, int)
        rows = np.arange(m)
        for j in range(ROOM):
            live = j < count
            after = np.where(j + 1 < count, (j + 1) % ROOM, 0)
            here, there = height[:, j] >= 0, height[rows, after] >= 0
            keep = np.flatnonzero(live & here)
            at = new_count[keep]
            new_labels[keep, at], new_points[keep, at] = labels[keep, j], points[keep, j]
            new_count[keep] += 1
            cross = np.flatnonzero(live & (here != there))
            at = new_count[cross]
            new_points[cross, at] = self._meeting(triangle[cross], labels[cross, j], -1 - face[cross])
            # leaving, the side that begins there lies in the face; entering, it is the rest of the old one
            new_labels[cross, at] = np.where(here[cross], -1 - face[cross], labels[cross, j])
            new_count[cross] += 1
        return new_labels, new_points, new_count

    def _meeting(self, triangle: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Where two sides of a piece meet, computed alike for all pieces that share the point."""
        out = np.zeros((len(triangle), 3))
        for i in (0, 1):  # an edge of the surface and a face
            edge, face = (one, other) if i == 0 else (other, one)
            chosen = np.flatnonzero((edge >= 0) & (face < 0))
            a, b = (self.surface.vertices[self.edges[edge[chosen], k]] for k in (0, 1))
            f = -1 - face[chosen]
            ha, hb = self._height(a, f), self._height(b, f)
            out[chosen] = a + (ha / (ha - hb))[:, None] * (b - a)
        both = np.flatnonzero((one < 0) & (other < 0))
        if len(both):  # two faces: the edge between them goes through the triangle
            a, b = (self.X[self._between(one[both], other[both])[:, k]] for k in (0, 1))
            foot = self.surface.vertices[self.surface.triangles[triangle[both], 0]]
            n = self.plane[triangle[both]]
            ha, hb = (np.einsum("ic,ic->i", p - foot, n) for p in (a, b))
            out[both] = a + (ha / (ha - hb))[:, None] * (b - a)
        return out

    def _between(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(s, 2) the nodes that two faces of a tet have in common, ascending."""
        a, b = self.faces[-1 - one], self.faces[-1 - other]
        common = (a[:, :, None] == b[:, None, :]).any(axis=2)
        order = np.argsort(~common, axis=1, kind="stable")[:, :2]
        return np.sort(np.take_along_axis(a, order, axis=1), axis=1)

    def partition(self) -> Partition:
        """All pieces as triangles."""
        triangle, tet, labels, count = self.pieces()
        piece, corner = np.nonzero(np.arange(ROOM) < count[:, None])
        before = labels[piece, np.where(corner > 0, corner - 1, count[piece] - 1)]
        here = labels[piece, corner]
        keys = self._keys(triangle[piece], before, here)
        first, number, _ = unique_rows(keys - keys.min())
        place = np.full(labels.shape, -1)
        place[piece, corner] = number
        nodes, weights = self._mixtures(triangle[piece[first]], tet[piece[first]], before[first], here[first])
        made, owner = [], []
        for j in range(1, ROOM - 1):
            there = np.flatnonzero(j + 1 < count)
            made.append(np.column_stack([place[there, 0], place[there, j], place[there, j + 1]]))
            owner.append(there)
        triangles, owner = np.concatenate(made), np.concatenate(owner)
        return _arranged(nodes, weights, triangles, tet[owner], self.mesh.tets, triangle[owner], self._loose(triangles))

    def _keys(self, triangle: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(s, 3) what each corner lies on: a vertex; an edge and a face; a triangle and an edge of a tet."""
        out = np.zeros((len(one), 3), np.int64)
        vertex = (one >= 0) & (other >= 0)
        a, b = self.edges[one[vertex]], self.edges[other[vertex]]
        shared = np.where((a[:, 0] == b[:, 0]) | (a[:, 0] == b[:, 1]), a[:, 0], a[:, 1])
        out[vertex] = np.column_stack([shared, np.full((len(shared), 2), -2)])
        mixed = (one >= 0) != (other >= 0)
        edge, face = np.maximum(one, other)[mixed], -1 - np.minimum(one, other)[mixed]
        out[mixed] = np.column_stack([edge, face, np.full(len(edge), -1)])
        both = (one < 0) & (other < 0)
        out[both] = np.column_stack([triangle[both], self._between(one[both], other[both])])
        return out

    def _mixtures(
        self, triangle: np.ndarray, tet: np.ndarray, one: np.ndarray, other: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Nodes and weights of corners: barycentric coordinates in the tet as it is, 0 off the face or edge it lies on."""
        vertex = (one >= 0) & (other >= 0)
        points = np.zeros((len(one), 3))
        points[~vertex] = self._meeting(triangle[~vertex], one[~vertex], other[~vertex])
        points[vertex] = self.surface.vertices[self._keys(triangle[vertex], one[vertex], other[vertex])[:, 0]]
        quads = self.mesh.tets[tet].astype(np.int64)
        X = self.mesh.vertices[quads]
        edges = (X[:, 1:] - X[:, :1]).transpose(0, 2, 1)
        last = np.linalg.solve(edges, (points - X[:, 0])[:, :, None])[:, :, 0]
        weights = np.column_stack([1 - last.sum(axis=1), last])
        for label in (one, other):
            on = np.flatnonzero(label < 0)
            faces = self.faces[-1 - label[on]]
            off = ~(quads[on][:, :, None] == faces[:, None, :]).any(axis=2)
            weights[on] = np.where(off, 0.0, weights[on])
        weights = np.maximum(weights, 0.0)
        return quads, weights / weights.sum(axis=1)[:, None]

    def _loose(self, triangles: np.ndarray) -> int:
        """How many sides of pieces have fewer or more triangles than any edge of the surface."""
        counts = unique_rows(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1))[2]
        given = np.bincount(self.sides.ravel())
        return int(np.sum((counts < given.min()) | (counts > given.max())))


def _arranged(
    nodes: np.ndarray, weights: np.ndarray, triangles: np.ndarray, tets: np.ndarray, quads: np.ndarray, source: np.ndarray,
    loose: int = 0,
) -> Partition:  # fmt: skip
    """Triangles by tet and patch, and the coordinates of their corners in their own tets."""
    count = len(triangles)
    half = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    number, owner = unique_rows(half)[1], np.repeat(np.arange(count), 3)
    order = np.argsort(number, kind="stable")
    same = (number[order][1:] == number[order][:-1]) & (tets[owner[order][1:]] == tets[owner[order][:-1]])
    i, j = owner[order][:-1][same], owner[order][1:][same]
    graph = sparse.coo_matrix((np.ones(len(i)), (i, j)), shape=(count, count))
    patch = connected_components(graph, directed=False)[1]
    order = np.lexsort((np.arange(count), patch, tets))
    triangles, tets, patch, source = triangles[order], tets[order], patch[order], source[order]
    patch = np.concatenate([[0], np.cumsum(np.diff(patch) != 0)])
    own = quads[tets].astype(np.int64)  # (t, 4)
    of = nodes[triangles]  # (t, 3, 4)
    match = of[:, :, :, None] == own[:, None, None, :]
    corners = np.einsum("tkij,tki->tkj", match, weights[triangles])
    lost = np.abs(corners.sum(axis=2) - 1).max(initial=0.0)
    if lost > 1e-9:
        raise InputError(f"surface cut along tets: a corner lies outside of its tet by {lost:.1g}; expected tets that fill space")
    return Partition(nodes, weights, triangles.astype(np.int32), tets, corners, patch, source, loose)
