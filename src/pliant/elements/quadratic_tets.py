"""Quadratic tetrahedra: ten nodes, straight or bent, four quadrature points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arguments import checks
from ..errors import InputError, first_few
from ..geometry.mesh import tet10
from ..geometry.mesh.mesh import TetMesh
from .embedded_surface import Mixture
from .tets import Tets

STEPS = 12  # of Newton's method that finds the place of a point in a bent tet
REACHED = 1e-13  # how close to a point that is, in lengths of the tet's edges
TRIED = 12  # tets in which a point is looked for,
OUTSIDE = -0.5  # if its least coordinate there, with straight edges, is no less than this
STRAIGHT = 1e-9  # a vertex on an edge is half-way if it is no further from there, in lengths of the edge


@dataclass(frozen=True, eq=False)
class QuadraticTets(Tets):
    """Solid elements from a TetMesh of ten-node tets; four-node ones get a node half-way on every edge.

    Displacements are quadratic in each tet, so that bodies bend and stresses converge as linear tets cannot. Tets that are
    inverted, or bent so much that they turn over at a quadrature point, are refused. Nodes take mass in proportion to ∫ N²
    (Hinton, Rock and Zienkiewicz 1976), weight with it; loads and pressure are integrated exactly.
    """

    found_from = -1e-9
    keeps_rows = False
    locks_from = None  # at ν = 0.4999 bars four tets across are too stiff in bending by 3 %, two across by 9 %

    def _arrays(self) -> None:
        mesh = checks.instance("mesh of QuadraticTets", self.mesh, TetMesh, "a TetMesh, such as mesh.quadratic()")
        mesh = mesh.quadratic() if mesh.middles is None else mesh
        nodes, X = mesh.cells, mesh.vertices
        J = tet10.jacobians(X[nodes], tet10.POINTS)
        det = np.linalg.det(J)
        bad = np.flatnonzero((det <= 0).any(axis=1) | (mesh.volumes <= 0))
        if len(bad):
            raise InputError(
                f"{len(bad)} of {len(nodes)} ten-node tets are inverted, flat or bent so much that they turn over, first at "
                f"{first_few(bad)}; check the order of their nodes (see TetMesh), or take mesh.linear().quadratic()"
            )
        gradients = np.einsum("qkd,mqdc->mqkc", tet10.shape_derivatives(tet10.POINTS), np.linalg.inv(J))
        self._derive(mesh=mesh, rest=X, nodes=nodes, gradients=gradients, weights=det / 24, recovery=tet10.RECOVERY)
        self._integrate_bent()

    def _integrate_bent(self) -> None:
        """Let the four points of bent tets integrate a constant stress exactly, as those of straight ones do.

        ∇N det J is of degree three there and the rule of degree two. Gradients are shifted by the same at all points of an
        element, weights scaled, such that Σ w ∇N = ∫ ∇N dV and Σ w = V; F of affine maps stays exact (Chen et al. 2013).
        """
        bent = np.flatnonzero(self.bent)
        if not len(bent):
            return
        gradients, weights = self.gradients.copy(), self.weights.copy()
        V, mean = tet10.mean_gradients(self.rest[self.nodes[bent]])
        sums = weights[bent].sum(axis=1)
        gradients[bent] += (mean - np.einsum("mq,mqkc->mkc", weights[bent] / sums[:, None], gradients[bent]))[:, None]
        weights[bent] *= (V / sums)[:, None]
        self._derive(gradients=gradients, weights=weights)

    @property
    def tets(self) -> np.ndarray:
        """(m, 10) nodes of each tetrahedron."""
        return self.nodes

    def lumped(self, density: np.ndarray) -> np.ndarray:
        """(n,) nodal masses [kg]: 1/36 of an element's at its corners, 4/27 half-way on its edges."""
        share = (np.broadcast_to(density, self.count) * self.volumes)[:, None] * tet10.LUMPED
        return np.bincount(self.nodes.ravel(), share.ravel(), len(self.rest))

    def pulled_back_masses(self, gradient: np.ndarray) -> np.ndarray:
        return gradient[self.nodes] @ tet10.LUMPED * self.volumes

    def surface_shares(self, chosen: np.ndarray) -> Mixture:
        """(f, 6) nodes of the faces that have all of theirs chosen, and ∫ N_i over each [m²]."""
        faces = self.mesh.boundary_faces
        faces = faces[np.isin(faces, chosen).all(axis=1)]
        return faces, tet10.face_shares(self.rest[faces])

    @cached_property
    def enclosing(self) -> tuple[np.ndarray, np.ndarray]:
        """Twenty triangles between the six nodes of each face, whose weighted volumes are that under the bent face."""
        faces = self.mesh.boundary_faces
        triangles = faces[:, tet10.ENCLOSING].reshape(-1, 3)
        return triangles, np.tile(tet10.ENCLOSING_FACTORS, len(faces))

    @cached_property
    def bent(self) -> np.ndarray:
        """(m,) whether a node of each tet lies off the middle of its edge."""
        X = self.rest[self.nodes]
        ends = X[:, tet10.EDGES]
        away = np.linalg.norm(X[:, 4:] - ends.mean(axis=2), axis=2)
        return (away > STRAIGHT * np.linalg.norm(ends[:, :, 1] - ends[:, :, 0], axis=2)).any(axis=1)

    def filling(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Eight tets between the ten nodes of each."""
        lam = tet10.NODES[tet10.EIGHT].mean(axis=1)
        J = tet10.jacobians(self.rest[self.nodes], lam)
        gradients = np.einsum("qkd,mqdc->mqkc", tet10.shape_derivatives(lam), np.linalg.inv(J))
        every = np.repeat(np.arange(self.count), len(lam))
        return self.nodes[:, tet10.EIGHT].reshape(-1, 4), every, gradients.reshape(-1, 10, 3)

    @cached_property
    def _inverses(self) -> np.ndarray:
        """(m, 3, 3) from offsets to λ₁, λ₂, λ₃ of the tets with straight edges."""
        X = self.rest[self.nodes[:, :4]]
        return np.linalg.inv(np.swapaxes(X[:, 1:] - X[:, :1], 1, 2))

    def _straight(self, points: np.ndarray, tets: np.ndarray) -> np.ndarray:
        """(s, 4) λ of each point in its tet, as if that had straight edges."""
        xi = np.einsum("sdc,sc->sd", self._inverses[tets], points - self.rest[self.nodes[tets, 0]])
        return np.column_stack([1 - xi.sum(axis=1), xi])

    def _candidates(self, points: np.ndarray) -> np.ndarray:
        """The few that a point would lie deepest in, or least outside, if their edges were straight; best first."""
        near = super()._candidates(points)
        least = np.stack([self._straight(points, column).min(axis=1) for column in near.T], axis=1)
        return np.take_along_axis(near, np.argsort(-least, axis=1, kind="stable")[:, :TRIED], axis=1)

    def _places(self, points: np.ndarray, tets: np.ndarray) -> np.ndarray:
        """(s, 4) λ of each point in its tet; far outside a bent one, as if its edges were straight."""
        lam = self._straight(points, tets)
        bent = np.flatnonzero(self.bent[tets] & (lam.min(axis=1) >= OUTSIDE))
        if not len(bent):
            return lam
        X, xi = self.rest[self.nodes[tets[bent]]], lam[bent, 1:]
        X, p = X - X[:, :1], points[bent] - X[:, 0]  # so that bodies far from the origin lose no digits
        size = np.linalg.norm(X[:, 1:4] - X[:, :1], axis=2).max(axis=1)
        away, left = np.full(len(bent), np.inf), np.arange(len(bent))
        for _ in range(STEPS):
            place = np.column_stack([1 - xi[left].sum(axis=1), xi[left]])
            r = p[left] - np.einsum("sk,skc->sc", tet10.shape_functions(place), X[left])
            away[left] = np.linalg.norm(r, axis=1) / size[left]
            going = away[left] > REACHED
            left, place, r = left[going], place[going], r[going]
            if not len(left):
                break
            J = np.einsum("skc,skd->scd", X[left], tet10.shape_derivatives(place))
            usable = np.abs(np.linalg.det(J)) > 1e-9 * size[left] ** 3
            step = np.linalg.solve(np.where(usable[:, None, None], J, np.eye(3)), r[:, :, None])[:, :, 0]
            xi[left] += np.clip(np.where(usable[:, None], step, 0.0), -0.5, 0.5)
        place = np.column_stack([1 - xi.sum(axis=1), xi])
        reached = (away <= REACHED) & (place.min(axis=1) > -1)
        lam[bent[reached]] = place[reached]
        return lam

    def _weights(self, points: np.ndarray, tets: np.ndarray, lam: np.ndarray) -> np.ndarray:
        """(s, 10) N at points inside; outside those of the nearest place λ ≥ 0, continued as a linear function."""
        N = tet10.shape_functions(lam)
        out = np.flatnonzero(lam.min(axis=1) < 0)
        if len(out):
            near = np.maximum(lam[out], 0.0)
            near = near / near.sum(axis=1, keepdims=True)
            X, dN = self.rest[self.nodes[tets[out]]], tet10.shape_derivatives(near)
            N[out] = tet10.shape_functions(near)
            r = points[out] - np.einsum("sk,skc->sc", N[out], X)
            J = np.einsum("skc,skd->scd", X, dN)
            N[out] += np.einsum("skd,sd->sk", dN, np.linalg.solve(J, r[:, :, None])[:, :, 0])
        return N
