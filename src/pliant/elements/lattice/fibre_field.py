"""Fibre field of a muscle, along a harmonic function."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import spsolve

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError
from ...geometry.distance.sdf import Sdf
from ...geometry.lattice.fragments import shape_functions
from .lattice import Lattice

CAP = 1.0  # nodes this much farther from a point than the nearest one, in cells, make the end there
FAR = 8  # cells that a point may lie off the lattice, as that of a pointed solid stops short of its tip


@dataclass(frozen=True, eq=False)
class FibreField:
    """Directions from ``start`` to ``end`` of a solid: w = ∇u/|∇u|, Δu = 0, u = 0 and 1 at the ends, else ∂u/∂n = 0.

    So fibres follow the sides and gather where the solid narrows. An end is a solid that holds the nodes of the cap, or
    a point near it. ``spacing`` [m] is that of the lattice on which u is found. Call it on (n, 3) points [m] for (n, 3)
    unit vectors.
    """

    shape: Sdf
    start: Sdf | Vector
    end: Sdf | Vector
    spacing: float

    def __post_init__(self):
        checks.instance("FibreField(shape=…)", self.shape, Sdf, "an Sdf")
        checks.length("FibreField(spacing=…)", self.spacing)
        for name in ("start", "end"):
            if not isinstance(getattr(self, name), Sdf):
                checks.vector(f"FibreField({name}=…), unless it is an Sdf,", getattr(self, name), "metres")

    @cached_property
    def lattice(self) -> Lattice:
        """Cells of the solid."""
        return Lattice(self.shape, self.spacing)

    @cached_property
    def potential(self) -> np.ndarray:
        """(n,) u at the lattice's nodes, from 0 at the start to 1 at the end."""
        L, n = self.lattice, len(self.lattice.rest)
        blocks = np.einsum("mq,mqia,mqja->mij", L.weights, L.gradients, L.gradients)
        i, j = (np.broadcast_to(L.nodes[axes], blocks.shape).ravel() for axes in (np.s_[:, :, None], np.s_[:, None]))
        K = sparse.csr_matrix((blocks.ravel(), (i, j)), shape=(n, n))
        ends = [self._cap("start"), self._cap("end")]
        if np.intersect1d(*ends).size:
            raise InputError("FibreField: start and end share nodes; expected ends apart, or a smaller spacing")
        _, part = connected_components(K, directed=False)
        loose = np.setdiff1d(part, np.intersect1d(part[ends[0]], part[ends[1]]))
        if len(loose):
            raise InputError(f"FibreField: {len(loose)} parts of the solid do not join start and end; expected one piece")
        u = np.zeros(n)
        u[ends[1]] = 1.0
        free = np.setdiff1d(np.arange(n), np.concatenate(ends))
        u[free] = spsolve(K[free][:, free].tocsc(), -(K[free] @ u))
        return u

    def _cap(self, name: str) -> np.ndarray:
        given, X = getattr(self, name), self.lattice.rest
        if isinstance(given, Sdf):
            nodes = np.flatnonzero(given(X) <= 0)
            if not len(nodes):
                raise InputError(f"FibreField({name}=…): it holds no node of the solid's lattice; move it, or widen it")
            return nodes
        away = np.linalg.norm(X - checks.floats(given), axis=1) / self.spacing
        if away.min() > FAR:
            raise InputError(
                f"FibreField({name}={given!r}): it lies {away.min():.3g} cells off the solid's lattice; expected {FAR} at most"
            )
        return np.flatnonzero(away <= away.min() + CAP)

    @cached_property
    def slope(self) -> np.ndarray:
        """(n, 3) ∇u at the nodes [1/m]: the mean around each, weighted by the material."""
        L = self.lattice
        g = np.einsum("mqia,mi->mqa", L.gradients, self.potential[L.nodes])
        share = L.weights[:, :, None] * np.maximum(shape_functions(L.placed.xi), 0.0)
        total = [np.bincount(L.nodes.ravel(), np.einsum("mqi,mq->mi", share, g[..., a]).ravel(), len(L.rest)) for a in range(3)]
        return np.stack(total, axis=1) / np.bincount(L.nodes.ravel(), share.sum(axis=1).ravel(), len(L.rest))[:, None]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        nodes, N = self.lattice.embedded(np.asarray(X, float), within=True)
        w = np.einsum("si,sia->sa", N, self.slope[nodes])
        return w / np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-30)
