"""A scalar matrix factored once and applied to the three coordinates of every node."""

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device, family
from ..energy.base import Tethers
from .cholesky.factor import Factor, factorise
from .cholesky.symbolic import analyse


@family
def tether_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def reach(
        start: int,
        nodes: wp.array2d(dtype=wp.int32),
        weights: wp.array2d(dtype=real),
        # in:
        x: wp.array(dtype=vec3),
        # out: Uᵀ x
        out: wp.array(dtype=vec3),
    ):
        j = start + wp.tid()
        total = vec3()
        for k in range(nodes.shape[1]):
            total += weights[j, k] * x[nodes[j, k]]
        out[j] = total

    @t.kernel
    def take_back(
        start: int,
        # params: A⁻¹U S⁻¹ (r, n)
        spread: wp.array2d(dtype=real),
        # in: Uᵀ x
        reached: wp.array(dtype=vec3),
        # out: x −= A⁻¹U S⁻¹ Uᵀ x
        x: wp.array(dtype=vec3),
    ):
        i = start + wp.tid()
        total = x[i]
        for j in range(spread.shape[0]):
            total -= spread[j, i] * reached[j]
        x[i] = total

    @t.kernel
    def put_axes(start: int, axes: vec3, part: wp.array(dtype=vec3), out: wp.array(dtype=vec3)):
        """Replace the components along ``axes``, which are 1 there and 0 elsewhere."""
        i = start + wp.tid()
        one = vec3(real(1.0), real(1.0), real(1.0))
        out[i] = wp.cw_mul(axes, part[i]) + wp.cw_mul(one - axes, out[i])

    return locals()


class Prefactored:
    """A⁻¹ on (n,) vec3 arrays, for a symmetric positive definite n×n matrix A whose values change rarely.

    ``free`` (n, 3) is 0 in components that are held: rows and columns of nodes held along an axis are cut off for that
    axis, so axes that hold different nodes have a factor each. ``positions`` (n, 3) of the nodes guide the elimination
    order; without them it comes from the graph alone. ``stamp`` tells one set of values from another.
    """

    def __init__(
        self,
        device: Device,
        matrix: sparse.csr_matrix,
        free: np.ndarray,
        stamp: tuple = (),
        positions: np.ndarray | None = None,
    ):
        self.device, self.positions, self.count = device, positions, matrix.shape[0]
        self.factorisations = self.version = 0
        self._buffer = device.zeros(self.count, device.types.vec3)
        self.parts: list[AxisFactor] = []
        self.refactor(matrix, free, stamp)

    def refactor(self, matrix: sparse.csr_matrix, free: np.ndarray, stamp: tuple = ()) -> None:
        """Take other values and other held components; a pattern that has changed as well is analysed anew."""
        moves, shared = np.unique(np.asarray(free) > 0, axis=1, return_inverse=True)
        old, self.parts = self.parts, []
        for i, keep in enumerate(moves.T):
            cut = sparse.diags(keep.astype(float))
            own = (cut @ matrix @ cut + sparse.diags(1.0 - keep)).tocsr()
            axes = np.flatnonzero(np.ravel(shared) == i)
            self.parts.append(AxisFactor(self, own, keep, axes, old[i] if i < len(old) else None))
        self.factorisations += 1
        self.stamp, self.leaning = stamp, None

    def lean(self, tethers: Tethers | None) -> None:
        """Add springs to the matrix, in place of those that it had."""
        state = tethers.version if tethers is not None else None
        if state != self.leaning:
            self.leaning = state
            self.version += 1
            for part in self.parts:
                part.lean(tethers)

    @property
    def factor(self) -> Factor:
        """That of the first axis; the same for all unless nodes are held along some axes only."""
        return self.parts[0].factor

    def solve(self, b: wp.array, out: wp.array) -> None:
        """out = A⁻¹ b."""
        self.parts[0].solve(b, out)
        kernel = tether_kernels(self.device.precision).put_axes
        for part in self.parts[1:]:
            part.solve(b, self._buffer)
            self.device.launch(kernel, self.count, part.axes, self._buffer, out)


class AxisFactor:
    """The factor for the axes along which the same nodes are held, and the springs that lean on it.

    Springs that come and go need no factorisation: Woodbury's identity, (A + UKUᵀ)⁻¹ = A⁻¹ − A⁻¹U S⁻¹UᵀA⁻¹ with
    S = K⁻¹ + UᵀA⁻¹U, takes one solve for each.
    """

    def __init__(
        self, whole: Prefactored, matrix: sparse.csr_matrix, keep: np.ndarray, axes: np.ndarray, old: "AxisFactor | None"
    ):
        device = whole.device
        self.device, self.keep, self.rank = device, keep, 0
        self.kernels = tether_kernels(device.precision)
        self.axes = device.types.vec3(*[float(a in axes) for a in range(3)])
        self.pattern = (matrix.indptr, matrix.indices)
        if old is not None and all(np.array_equal(a, b) for a, b in zip(self.pattern, old.pattern)):
            self.factor, self._kept = old.factor, old._kept
            self.factor.refactor(matrix)
        else:
            self.factor = factorise(
                analyse(matrix, positions=whole.positions), matrix, device.precision, device.name, device.threads
            )
            self._kept: dict[int, tuple[wp.array, ...]] = {}

    def lean(self, tethers: Tethers | None) -> None:
        self.rank = 0 if tethers is None else len(tethers.nodes)
        if tethers is None:
            return
        n, r, t = self.factor.analysis.count, self.rank, self.device.types
        weights = tethers.weights * self.keep[tethers.nodes]
        U = np.zeros((n, r))
        for j in range(r):
            np.add.at(U[:, j], tethers.nodes[j], weights[j])
        W = self.factor.solve(U)
        S = np.diag(1 / tethers.stiffness) + U.T @ W
        if r not in self._kept:  # one set for each number of springs, so that recorded launches stay valid
            shapes = ((tethers.nodes.shape, wp.int32), (weights.shape, t.real), ((r, n), t.real), (r, t.vec3))
            self._kept[r] = tuple(self.device.zeros(shape, kind) for shape, kind in shapes)
        self._nodes, self._weights, self._spread, self._reached = self._kept[r]
        self._nodes.assign(tethers.nodes.astype(np.int32))
        self._weights.assign(weights.astype(t.numpy))
        self._spread.assign(np.linalg.solve(S, W.T).astype(t.numpy))

    def solve(self, b: wp.array, out: wp.array) -> None:
        self.factor.solve_device(b, out)
        if self.rank:
            n = self.factor.analysis.count
            self.device.launch(self.kernels.reach, self.rank, self._nodes, self._weights, out, self._reached)
            self.device.launch(self.kernels.take_back, n, self._spread, self._reached, out)
