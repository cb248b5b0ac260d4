"""Surface hits of points and rays on the device.

One buffer on the device is shared by all frames and cameras of a surface in turn. Results still in use are copied to the host
before the next. Sums over the hits of a vertex run in a fixed order, that of the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from weakref import ReferenceType, ref

import numpy as np
import warp as wp
from scipy import sparse

from ...linear.matrix.gather import gather_lists
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from .surface_kernels import surface_kernels, surface_structs

LEAST = 1024  # capacity in numbers


class Meeting:
    """Device buffers for hits on a surface whose vertices are mixtures of nodes: ``matrix`` (s, nodes)."""

    def __init__(self, matrix: sparse.csr_array, triangles: np.ndarray, device: Device):
        self.matrix, self.triangles, self.device, self.kernels = matrix, triangles, device, surface_kernels("f64")
        real, vec3 = device.types.real, device.types.vec3
        across = sparse.csr_array(matrix.T)
        lists = gather_lists(triangles.ravel(), matrix.shape[0])
        self._corners = tuple(device.array(a, wp.int32) for a in lists)
        kinds = ((across.indptr, wp.int32), (across.indices, wp.int32), (across.data, real))
        self._mixture = tuple(device.array(a, kind) for a, kind in kinds)
        self._starts = device.zeros(len(triangles) + 1, wp.int32)
        self._pulled, self._out = device.zeros(matrix.shape[0], vec3), device.zeros(matrix.shape[1], vec3)
        self.read_pull = device.reader(self._out)
        self.size = 0
        self._owner: ReferenceType[Met] | None = None

    def begin(self, count: int) -> Met:
        """Reserve ``count`` numbers; the last user copies its results to the host."""
        owner: Met | None = self._owner() if self._owner is not None else None
        if owner is not None:
            owner.keep()
        if count > self.size:
            self._make(max(LEAST, count + count // 4))
        met = Met(self, count)
        self._owner = ref(met)
        return met

    def _make(self, size: int) -> None:
        device, types = self.device, self.device.types
        device.forget()
        self.size = size
        self.faces, self.weights, self.by_point = (device.zeros(size, k) for k in (wp.int32, types.vec3, types.vec3))
        self.values, self.factors = (device.zeros(size, types.real) for _ in range(2))
        self.reached = device.zeros(size, wp.float64)
        numbers = {"by_point": self.by_point, "values": self.values, "reached": self.reached}
        self.met = filled(surface_structs("f64").Met, faces=self.faces, weights=self.weights, **numbers)
        self._keys, self._order = (device.zeros(2 * size, wp.int32) for _ in range(2))  # twice, for sorting
        self.read_values = device.reader(self.values)

    def pull(self, count: int, factors: np.ndarray) -> np.ndarray:
        """(nodes, 3) the sum over the numbers of factor · ∂number/∂x."""
        device, kernels = self.device, self.kernels
        given = np.ascontiguousarray(factors, device.types.numpy)
        wp.copy(self.factors, wp.array(given, device="cpu", copy=False), count=count)
        device.launch(kernels.list_faces, self.size, count, self.faces, self._keys, self._order)
        wp.utils.radix_sort_pairs(self._keys, self._order, count)
        device.launch(kernels.find_starts, len(self.triangles) + 1, count, self._keys, self._starts)
        what = (self._starts, self._order, self.weights, self.by_point, self.factors, self._pulled)
        device.launch(kernels.pull_vertices, self.matrix.shape[0], *self._corners, *what)
        device.launch(kernels.pull_nodes, self.matrix.shape[1], *self._mixture, self._pulled, self._out)
        return self.read_pull().copy()


class Met:
    """``count`` observed numbers where points or rays meet a surface, and their derivatives by both."""

    def __init__(self, place: Meeting, count: int):
        self._place, self.count, self._kept = place, count, None
        # the last change evaluated for parts, and its result
        self.asked: tuple[np.ndarray, np.ndarray] | None = None

    @cached_property
    def values(self) -> np.ndarray:
        """(n,) the numbers: signed distances, or distances of the surface behind observed points [m]."""
        return self._place.read_values()[: self.count].copy()

    def keep(self) -> None:
        """Copy everything to the host."""
        if self._kept is None:
            place, n = self._place, self.count
            arrays = (place.faces, place.weights, place.by_point, place.reached)
            _ = self.values
            self._kept = tuple(np.array(array[:n].numpy()) for array in arrays)

    @property
    def chosen(self) -> np.ndarray:
        """(n, 3) the vertices whose triangles they meet."""
        self.keep()
        return self._place.triangles[self._kept[0]]

    @property
    def weights(self) -> np.ndarray:
        """(n, 3) of those vertices."""
        self.keep()
        return self._kept[1]

    @property
    def by_point(self) -> np.ndarray:
        """(n, 3) derivatives by the points; those by vertices are −weight times this."""
        self.keep()
        return self._kept[2]

    @property
    def reached(self) -> np.ndarray:
        """(n,) of rays, the depth of the point that moves with the camera [m]."""
        self.keep()
        return self._kept[3]

    def pull(self, factors: np.ndarray) -> np.ndarray:
        """(3·nodes,) Σ factor · ∂number/∂x."""
        if self._kept is None:
            return self._place.pull(self.count, factors).ravel()
        return (self._place.matrix.T @ (self.rows.T @ factors).reshape(-1, 3)).ravel()

    def along(self, d: np.ndarray) -> np.ndarray:
        """(n, k) changes of the numbers with changes (3·nodes, k) of the nodes, or (3·nodes,) for k = 1."""
        many = d.reshape(len(d), -1)  # a vector, or several as columns
        moved = self._place.matrix @ many.reshape(-1, 3 * many.shape[1])
        return self.rows @ moved.reshape(-1, many.shape[1])

    @cached_property
    def rows(self) -> sparse.csr_array:
        """(n, 3·s) derivatives by vertices."""
        n, vertices = self.count, self._place.matrix.shape[0]
        columns = (3 * self.chosen[:, :, None] + np.arange(3)).ravel()
        by = -self.weights[:, :, None] * self.by_point[:, None, :]
        return sparse.csr_array((by.ravel(), columns, 9 * np.arange(n + 1)), shape=(n, 3 * vertices))


class Part(Met):
    """``count`` of the numbers of ``whole``, from number ``first`` on."""

    def __init__(self, whole: Met, first: int, count: int):
        super().__init__(whole._place, count)
        self.whole, self._own = whole, slice(first, first + count)

    @cached_property
    def values(self) -> np.ndarray:
        return self.whole.values[self._own]

    def keep(self) -> None:
        if self._kept is None:
            self.whole.keep()
            self._kept = tuple(array[self._own] for array in self.whole._kept)

    def pull(self, factors: np.ndarray) -> np.ndarray:
        whole = np.zeros(self.whole.count)
        whole[self._own] = factors
        return self.whole.pull(whole)

    def along(self, d: np.ndarray) -> np.ndarray:
        """Computed for the whole at once where d cannot change, as other parts then need the same."""
        if d.flags.writeable:
            return super().along(d)
        if self.whole.asked is None or self.whole.asked[0] is not d:
            self.whole.asked = d, self.whole.along(d)
        return self.whole.asked[1][self._own]


def pulled(parts: Sequence[ByNodes], r: Sequence[np.ndarray]) -> np.ndarray:
    """(3·nodes,) gradient of all parts of a whole with their residuals."""
    whole = parts[0].met.whole
    return whole.pull(np.concatenate([part.scale * own for part, own in zip(parts, r)]))


class ByNodes:
    """(n, 3·nodes) the Jacobian of n numbers times ``scale`` (n,); knows ``@`` and ``.T``."""

    def __init__(self, met: Met, scale: np.ndarray, transposed: bool = False):
        self.met, self.scale, self.transposed = met, scale, transposed

    @property
    def T(self) -> ByNodes:
        return ByNodes(self.met, self.scale, not self.transposed)

    def __matmul__(self, d: np.ndarray) -> np.ndarray:
        if self.transposed:
            many = d.reshape(len(d), -1)
            out = np.stack([self.met.pull(self.scale * column) for column in many.T], axis=1)
        else:
            out = self.scale[:, None] * self.met.along(d)
        return out.reshape(-1, *d.shape[1:])
