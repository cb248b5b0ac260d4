"""The matrices A⁽⁰⁾ from which L-BFGS may start, each with ``prepare(frame, x)`` and ``apply(q) -> r`` = A⁽⁰⁾⁻¹ q.

``once`` says that ``prepare`` belongs to the start of a run and not to every frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from pliant.linear.cholesky import analyse, factorise

from .frame import Frame
from .incomplete import IncompleteCholesky, Jacobi, conjugate_gradients, dot


class Solve:
    """The library's sparse Cholesky on NumPy vectors (n, 3), for a matrix over n nodes or over their 3n components."""

    def __init__(self, frame: Frame, matrix: sparse.csr_matrix):
        self.device, self.width = frame.sim.device, matrix.shape[0] // frame.count
        self.analysis = analyse(matrix, positions=np.repeat(frame.rest, self.width, axis=0))
        place = {"device": self.device.name, "threads": self.device.threads}
        self.factor = factorise(self.analysis, matrix, self.device.precision, **place)
        kind = self.device.types.vec3 if self.width == 1 else self.device.types.real
        self._b, self._x = (self.device.zeros(matrix.shape[0], kind) for _ in range(2))
        self(np.zeros((frame.count, 3)))  # the first solve prepares its launches, which belongs to the set-up

    def refactor(self, matrix: sparse.csr_matrix) -> None:
        self.factor.refactor(matrix)

    def __call__(self, q: np.ndarray) -> np.ndarray:
        self._b.assign(q if self.width == 1 else q.reshape(-1))
        self.factor.solve_device(self._b, self._x)
        return self._x.numpy().reshape(q.shape).copy()


class Initial:
    """What every A⁽⁰⁾ has."""

    once = True

    def prepare(self, frame: Frame, x: np.ndarray) -> None:
        """Make ready for a frame that starts at x."""

    def apply(self, q: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def learn(self, s: np.ndarray, t: np.ndarray) -> None:
        """Take note of a step and the change of gradient along it."""


class ScaledIdentity(Initial):
    """r = (sᵀt / tᵀt) q, the inverse of what Eq 7.16 prints; before the first step, over the largest entry of M/h² + L."""

    def prepare(self, frame, x):
        self.scale = 1 / frame.laplacian().diagonal().max()

    def learn(self, s, t):
        self.scale = dot(s, t) / dot(t, t)

    def apply(self, q):
        return self.scale * q


@dataclass
class Ours(Initial):
    """M/h² + L, n×n, prefactored (Eq 8.4); ``stretches`` is the interval of the stiffness fit."""

    stretches: tuple[float, float] | None = None

    def prepare(self, frame, x):
        self.apply = Solve(frame, frame.laplacian(self.stretches))


class RestHessian(Initial):
    """M/h² + ∇²E at the rest pose, 3n×3n, prefactored."""

    def prepare(self, frame, x):
        self.apply = Solve(frame, frame.hessian(frame.rest).tocsr())


class StiffnessWarping(Initial):
    """R A_rest⁻¹ Rᵀ q with a rotation for each vertex: that of the mean F of the elements around it, at the first x."""

    once = False  # the rotations are the frame's; the factor is made with the first
    solve: Solve | None = None

    def prepare(self, frame, x):
        if self.solve is None:
            self.solve = Solve(frame, frame.hessian(frame.rest).tocsr())
        elements = frame.sim.scene.bodies[0].shape
        F = np.einsum("mki,mkj->mij", x[elements.nodes], elements.gradients[:, 0])
        mean = np.zeros((frame.count, 3, 3))
        for i in range(elements.nodes.shape[1]):
            np.add.at(mean, elements.nodes[:, i], elements.volumes[:, None, None] * F)
        U, _, Vt = np.linalg.svd(mean)
        U[:, :, 2] *= np.sign(np.linalg.det(U @ Vt))[:, None]
        self.R = U @ Vt

    def apply(self, q):
        turned = self.solve(np.einsum("nji,nj->ni", self.R, q))
        return np.einsum("nij,nj->ni", self.R, turned)


class FrameHessian(Initial):
    """∇²g at the first x of the frame, projected; factored anew every frame in an order found once."""

    once = False
    solve: Solve | None = None

    def prepare(self, frame, x):
        matrix = frame.hessian(x).tocsr()
        if self.solve is None:
            self.solve = Solve(frame, matrix)
        else:
            self.solve.refactor(matrix)

    def apply(self, q):
        return self.solve(q)


@dataclass
class FrameHessianByPCG(Initial):
    """∇²g at the first x of the frame by so many conjugate gradients, preconditioned by an incomplete factor made once.

    ``of`` is what the factor is of: "rest", the rest-pose Hessian (3n×3n), or "ours", M/h² + L (n×n).
    """

    iterations: int
    of: str = "ours"

    once = False
    incomplete: IncompleteCholesky | None = None

    def prepare(self, frame, x):
        self.free, self.matrix = frame.free, frame.hessian(x)
        if self.incomplete is None:
            given = frame.hessian(frame.rest).tocsr() if self.of == "rest" else frame.laplacian()
            self.incomplete = IncompleteCholesky(given)

    def precondition(self, r):
        if self.of == "rest":
            return self.incomplete(r)
        return self.incomplete(r.reshape(-1, 3)).reshape(-1)

    def apply(self, q):
        return conjugate_gradients(self.matrix, q.reshape(-1), self.precondition, self.iterations).reshape(q.shape)


@dataclass
class OursByCG(Initial):
    """M/h² + L by so many conjugate gradients with its diagonal as preconditioner."""

    iterations: int

    def prepare(self, frame, x):
        self.matrix = frame.laplacian()
        self.jacobi = Jacobi(self.matrix)

    def apply(self, q):
        return conjugate_gradients(self.matrix, q, self.jacobi, self.iterations)
