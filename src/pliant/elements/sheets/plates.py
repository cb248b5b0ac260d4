"""Plate triangles: curvature from the nodes around each.

Morley's triangle (1968) has the positions of its corners and the slopes across the middles of its edges as unknowns, and a
constant curvature from both. Here the slopes are read from the positions (edge_slopes.py), so that nodes stay the only unknowns.
Slopes that two triangles share make uniform moments balance at every inner node, whatever the mesh, and no other motion than
those that leave the sheet flat is free of energy, as with Morley's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...geometry.mesh.mesh import TriMesh
from ..base import Elements
from .edge_slopes import Folds, corrections

SIZES = 4  # nodes of an element are a multiple of this, and 8 at least, so that few kernels serve all meshes
FEW = 1024  # triangles that join those of more nodes, since they are not worth a launch of their own
FLAT = 1e-9  # curvature times size below which a triangle is flat at rest
REACH = 6  # triangles away: what is further has no part in a curvature
MANY = 0.5  # of all triangles: where so many are near a change all is found anew
STEEP = 0.2  # least share of the normal in the main direction of the curvature at rest


@dataclass(frozen=True, eq=False)
class Plates(Elements):
    """Triangles with as many nodes each: F's columns are the curvature vectors Σ Bᵢ xᵢ, weights the areas [m²].

    Of the second derivatives x₁₁, x₁₂, x₂₂ of the position by two coordinates along the rest triangle they are
    (x₁₁ + x₂₂)/√2, (x₁₁ − x₂₂)/√2 and √2 x₁₂, which are orthonormal, so that an isotropic plate has a sum of squares as energy.
    At rest F is one direction times ``curvature``.
    """

    triangles: np.ndarray | None = None  # (m,) numbers of the triangles
    curvature: np.ndarray | None = None  # (m, 3) at rest [1/m]


@dataclass(frozen=True, eq=False)
class Operators:
    """How the curvatures of a sheet's triangles follow from nodes, and what that was found for."""

    mesh: TriMesh
    stiffness: np.ndarray  # (m,)
    held: np.ndarray | None  # (n,)
    even: bool  # whether no edge has more than two triangles
    triangle: np.ndarray  # (e,) of each part of a curvature, ascending, and for each triangle
    node: np.ndarray  # (e,) in ascending order
    factors: np.ndarray  # (e, 3)
    curvature: np.ndarray  # (m, 3) at rest
    # plates from before, and which triangles are others now, until those of now are asked for
    _earlier: list[tuple[tuple[Plates, ...], np.ndarray]] = field(default_factory=list)

    @cached_property
    def plates(self) -> tuple[Plates, ...]:
        """Those of the sheet, by how many nodes they have."""
        return _grouped(self, *(self._earlier.pop() if self._earlier else ((), None)))

    @classmethod
    def of(cls, mesh: TriMesh, stiffness: np.ndarray, held: np.ndarray | None, wanted: np.ndarray | None = None) -> Operators:
        """Those of a sheet; right where they are ``wanted`` (m,)."""
        folds, given = Folds(mesh), stiffness
        if held is not None:
            rigid = held[mesh.triangles].all(axis=1)
            rigid &= (rigid[folds.twin // 3] & (folds.twin >= 0)).reshape(-1, 3).any(axis=1)
            stiffness = np.where(rigid, np.inf, stiffness)
        triangle, node, factors = _operators(mesh, folds, stiffness, wanted)
        curvature = _uncurved(mesh, triangle, node, factors)
        size = np.abs(factors).max(axis=1, initial=0.0)
        largest = np.zeros(len(mesh.triangles))
        np.maximum.at(largest, triangle, size)
        kept = size > 1e-10 * largest[triangle]
        return cls(mesh, given, held, folds.even, triangle[kept], node[kept], factors[kept], curvature)

    def followed(self, mesh: TriMesh, stiffness: np.ndarray, held: np.ndarray | None) -> Operators:
        """``of`` the same triangles, some of whose nodes were doubled: equal bit for bit, and found anew around these alone."""
        old, count = self.mesh, len(self.mesh.vertices)
        same = ((old.vertices, mesh.vertices[:count]), (self.stiffness, stiffness), (old.triangles.shape, mesh.triangles.shape))
        if self.held is not None and held is not None:
            same += ((self.held, held[:count]),)
        if not self.even or (self.held is None) != (held is None) or not all(np.array_equal(a, b) for a, b in same):
            return self.of(mesh, stiffness, held)
        other = (old.triangles != mesh.triangles).any(axis=1)
        if not other.any():
            return self
        triangles = old.triangles.astype(np.intp)
        near = _grown(triangles, count, other, REACH)
        around = np.flatnonzero(_grown(triangles, count, near, REACH))
        if len(around) > MANY * len(near):
            return self.of(mesh, stiffness, held)
        few = self.of(TriMesh(mesh.vertices, mesh.triangles[around]), stiffness[around], held, near[around])
        runs = np.flatnonzero(np.diff(near, prepend=False, append=False)).reshape(-1, 2)  # triangles side by side
        mine, fresh = np.searchsorted(self.triangle, runs), np.searchsorted(around[few.triangle], runs)
        pairs = ((self.triangle, around[few.triangle]), (self.node, few.node), (self.factors, few.factors))
        merged = [_spliced(ours, mine, others, fresh) for ours, others in pairs]
        curvature = self.curvature.copy()
        curvature[around[near[around]]] = few.curvature[near[around]]
        known = [(self.plates, near)] if "plates" in vars(self) else []
        return Operators(mesh, stiffness, held, True, *merged, curvature, known)


def _spliced(values: np.ndarray, runs: np.ndarray, others: np.ndarray, of_others: np.ndarray) -> np.ndarray:
    """The values with those of runs (r, 2) of rows replaced by runs of others."""
    parts, end = [], 0
    for (begin, stop), (first, last) in zip(runs.tolist(), of_others.tolist()):
        parts += [values[end:begin], others[first:last]]
        end = stop
    return np.concatenate([*parts, values[end:]])


def _grown(triangles: np.ndarray, count: int, some: np.ndarray, steps: int) -> np.ndarray:
    """(m,) some triangles and those up to ``steps`` edges away, at least."""
    nodes, columns = np.zeros(count, np.int8), np.ascontiguousarray(triangles.T)
    for _ in range(steps):
        nodes[triangles[np.flatnonzero(some)]] = 1
        some = sum(nodes.take(column) for column in columns) > 1
    return some


def plates(mesh: TriMesh, stiffness: np.ndarray | None = None, held: np.ndarray | None = None) -> tuple[Plates, ...]:
    """The triangles of a sheet that can bend, those of as many nodes together.

    ``stiffness`` (m,) tells where it jumps. ``held`` (n,) says which nodes cannot move: triangles of three, side by side, are
    rigid and clamp their neighbours. All others are supports, such as rows of nodes with the triangle of a corner.
    """
    return Operators.of(mesh, np.ones(len(mesh.triangles)) if stiffness is None else stiffness, held).plates


def _grouped(known: Operators, before: tuple[Plates, ...], near: np.ndarray | None) -> tuple[Plates, ...]:
    """The plates of operators; where those from before are of the same triangles, only what is ``near`` (m,) is made anew."""
    mesh, triangle = known.mesh, known.triangle
    if not len(triangle):
        return ()
    counts = np.bincount(triangle, minlength=len(mesh.triangles))
    starts = np.concatenate([[0], np.cumsum(counts)])
    sizes = np.where(counts > 0, np.maximum(8, -(-counts // SIZES) * SIZES), 0)
    found, joined = [], np.zeros(len(sizes), bool)
    for size in np.unique(sizes[sizes > 0]):
        joined |= sizes == size
        if joined.sum() < FEW and size < sizes.max():
            continue
        chosen = np.flatnonzero(joined)
        joined[:] = False
        like = [each for each in before if each.nodes.shape[1] == size and np.array_equal(each.triangles, chosen)]
        some = np.flatnonzero(near[chosen]) if like else np.arange(len(chosen))
        nodes, gradients = _padded(known, chosen[some], size, starts)
        if like:
            few, (nodes, gradients) = (nodes, gradients), (like[0].nodes.copy(), like[0].gradients.copy())
            nodes[some], gradients[some] = few
        area = like[0].weights if like else mesh.areas[chosen][:, None]
        found.append(Plates(mesh.vertices, nodes, gradients, area, triangles=chosen, curvature=known.curvature[chosen]))
    return tuple(found)


def _padded(known: Operators, chosen: np.ndarray, size: int, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(c, size) nodes of some triangles and (c, 1, size, 3) factors, with their first corners and 0 where they have fewer."""
    slot = np.arange(size)[None, :]
    taken = slot < (starts[chosen + 1] - starts[chosen])[:, None]
    entry = (starts[chosen][:, None] + slot)[taken]
    nodes = np.repeat(known.mesh.triangles[chosen, :1], size, axis=1)
    gradients = np.zeros((len(chosen), 1, size, 3))
    nodes[taken] = known.node[entry]
    gradients[:, 0][taken] = known.factors[entry]
    return nodes, gradients


def _operators(
    mesh: TriMesh, folds: Folds, stiffness: np.ndarray, wanted: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangle, node and (…, 3) factor of every part of a curvature, by triangles and nodes in ascending order."""
    # curvature = −1/A Σ l n⊗n (slope into the triangle − slope of its plane) over its edges, by the folds
    half, fold, factor = corrections(folds, stiffness, wanted)
    twins = folds.twin[half]
    shared = twins >= 0
    every = np.concatenate([folds.inner, folds.twin[folds.inner]])
    half = np.concatenate([every, half, twins[shared]])
    fold = np.concatenate([folds.fold[every], fold, fold[shared]])
    factor = np.concatenate([np.full(len(every), 0.5), -factor, factor[shared]])
    triangle = half // 3
    # the normal of an edge in the frame of the triangle's first one
    first = 3 * triangle
    edge = np.stack([folds.length[first], 0 * folds.length[first]], axis=1)
    top = np.stack([folds.along[first] * folds.length[first], folds.height[first]], axis=1)
    side = (half % 3)[:, None]
    along = np.where(side == 0, edge, np.where(side == 1, top - edge, -top)) / folds.length[half][:, None]
    x, y = along[:, 1], -along[:, 0]
    tensor = np.stack([np.full(len(x), 0.5**0.5), (x * x - y * y) * 0.5**0.5, 2**0.5 * x * y], axis=1)
    tensor *= (factor * folds.length[half] / mesh.areas[triangle])[:, None]
    nodes, jumps = folds.jumps
    count = len(mesh.vertices)
    key = (triangle[:, None] * count + nodes[fold]).reshape(-1)
    entry = (tensor[:, None, :] * jumps[fold][:, :, None]).reshape(-1, 3)
    keys, inverse = np.unique(key, return_inverse=True)
    total = np.stack([np.bincount(inverse.reshape(-1), column, len(keys)) for column in entry.T], axis=1)
    return keys // count, keys % count, total


def _uncurved(mesh: TriMesh, triangle: np.ndarray, node: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """(m, 3) curvature of each triangle at rest, ``factors`` being changed so that F has one direction there.

    What F has beside its main direction v lies in the triangle where v does not; first derivatives of the position, which the
    corners have, take it off again. They are what makes second derivatives covariant on a curved surface.
    """
    X, m = mesh.vertices, len(mesh.triangles)
    products = (X[node] - X[mesh.triangles[triangle, 0]])[:, :, None] * factors[:, None, :]
    F = np.stack([np.bincount(triangle, column, m) for column in products.reshape(-1, 9).T], axis=1).reshape(m, 3, 3)
    curved = np.flatnonzero(np.linalg.norm(F, axis=(1, 2)) * np.sqrt(mesh.areas) > FLAT)
    curvature = np.zeros((m, 3))
    if not len(curved):
        return curvature
    F, corners = F[curved], mesh.triangles[curved]
    normal = mesh.area_vectors[curved] / mesh.areas[curved][:, None]
    main = np.linalg.svd(F)[0][:, :, 0]
    upright = np.einsum("mi,mi->m", main, normal)
    main = np.where(np.abs(upright)[:, None] > STEEP, main, normal)
    upright = np.einsum("mi,mi->m", main, normal)[:, None]
    curvature[curved] = np.einsum("mi,mij->mj", normal, F) / upright
    beside = F - main[:, :, None] * curvature[curved][:, None, :]
    opposite = X[corners[:, [2, 0, 1]]] - X[corners[:, [1, 2, 0]]]
    slopes = np.cross(normal[:, None], opposite) / (2 * mesh.areas[curved])[:, None, None]
    # each corner is among the nodes of its triangle, listed in ascending order
    at = np.searchsorted(triangle * len(X) + node, curved[:, None] * len(X) + corners)
    factors[at] -= np.einsum("mki,mij->mkj", slopes, beside)
    return curvature
