"""Weak holds for any law: Nitsche's form, linearised each step.

E = ∫ −t·r + η/2 |r|² dA, r = x − x_D, with t = P̂ n + ∂(P̂ n)/∂x (x − x̂). This is a quadratic form, so η bounds it wherever the
body goes, also where stress grows faster than strain. At x = x̂ the traction and its derivative are the law's: so a body at
rest is not disturbed, a step of dt is off by O(dt²), and equilibria are found by taking x̂ anew until nothing changes.

P is all of the stress: of a body with averaged volume it has the part κ M̄ Q, M̄ the mean of the cell
(energy/volume/volume_energy.py).
"""

from types import SimpleNamespace

import numpy as np
import warp as wp

from ...elements.base import Form
from ...elements.lattice.lattice import Lattice
from ...elements.lattice.surface_patches import SurfacePoints
from ...linear.matrix.block_matrix import BlockMatrix
from ...material.base import Material
from ...material.mean_stiffness import fitted_stiffness
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types, family
from ..capabilities import Lagged
from ..element_functions import element_functions
from ..memory import Memory, Parents, Remembers
from ..volume.volume_energy import AveragedVolume
from ..volume.volume_measures import measure_functions
from .nitsche_clamp import GRAIN, STRENGTH, ClampEnergy, contraction
from .nitsche_sensitivity import OfLinearisedClamp, moved_function

LEAST = 0.05  # volume ratio at a surface point below which nothing is taken over
SETTLED = {"f64": 1e-9, "f32": 1e-4}  # change of the traction, as a part of the largest, that needs no other solve
_BUILT: dict[tuple, wp.Kernel] = {}


@alone
def traction_kernel(material: Material, volume: tuple[str, bool] | None, precision: str) -> wp.Kernel:
    """The kernel that takes traction and derivative of one law, and of the averaged ``volume`` (measure, of the mean)."""
    key = (material.key, material.width, volume, precision)
    if key not in _BUILT:
        measure = "" if volume is None else f"_{volume[0]}{'_aggregate' if volume[1] else ''}"
        _BUILT[key] = build(Types(precision, f"traction_{material.key}{measure}"), material, volume)
    return _BUILT[key]


def build(t: Types, material: Material, volume: tuple[str, bool] | None) -> wp.Kernel:
    law, averaged, aggregate = material.functions(t), volume is not None, volume is not None and volume[1]
    # of the mean J, the measure is a function outside of the mean; inside it is J − 1
    measure = "excess" if volume is None or aggregate else volume[0]
    M, outer = measure_functions(t, measure), measure_functions(t, volume[0] if averaged else "excess")
    real, vec3, mat33, mat99, params = t.real, t.vec3, t.mat33, t.mat99, t.vector(material.width)
    cell = element_functions(t, 8, Form.CUBIC)
    load, deformation, of_gradient = cell.load, cell.deformation, cell.gradient
    ints, vectors, reals, column = (
        wp.array2d(dtype=wp.int32), wp.array2d(dtype=vec3), wp.array2d(dtype=real), wp.array(dtype=real),
    )  # fmt: skip
    left, right = contraction(t)

    @t.kernel
    def traction(
        start: int,
        # mesh: of the surface points, and of the points of each cell
        nodes: ints,
        grad: vectors,
        scale: column,
        area: vectors,
        weight: reals,
        cells: wp.array(dtype=wp.int32),
        cell_grad: vectors,
        cell_scale: column,
        cell_weight: reals,
        # params: rows of ψ₀, κ, and η with the stiffness it was made for
        table: wp.array(dtype=params),
        of: wp.array(dtype=wp.int32),
        kappa: column,
        rest_eta: column,
        rest_stiffness: column,
        # in:
        x: wp.array(dtype=t.position),
        # out: corners x̂, ∫ P n, its derivatives, η and the stiffness across the surface
        anchor: wp.array2d(dtype=t.position),
        pull: vectors,
        slope: wp.array2d(dtype=mat33),
        eta: column,
        stiffness: column,
    ):
        e = start + wp.tid()
        p = table[of[e]]
        U = load(x, nodes, e)
        least = real(1.0)
        for g in range(weight.shape[0]):
            least = wp.min(least, wp.determinant(deformation(U, grad, scale, e, g)))
        if least < real(LEAST):
            return
        for i in range(nodes.shape[0]):
            anchor[i, e] = x[nodes[i, e]]
        s = real(0.0)
        steep = real(1.0)
        stiff = real(0.0)
        W = real(1.0)
        c = cells[e]
        if averaged:
            W = real(0.0)
            total = real(0.0)
            for g in range(cell_weight.shape[0]):
                total += cell_weight[g, c] * M.value(deformation(U, cell_grad, cell_scale, c, g))
                W += cell_weight[g, c]
            s = kappa[c] * total / W
            stiff = kappa[c]
            if aggregate:
                value, dM, ddM = outer.of_volume(total / W + real(1.0))
                s = kappa[c] * value
                steep = dM
                stiff = kappa[c] * dM * dM + s * ddM
        most = real(0.0)
        for g in range(weight.shape[0]):
            a = area[g, e]
            F = deformation(U, grad, scale, e, g)
            K = mat99()
            K = law.stiffness(F, p, False)
            total_pull = law.stress(F, p) * a
            Qa = vec3()
            if averaged:
                Qa = M.slope(F) * a
                total_pull += (s * steep) * Qa
            pull[g, e] = total_pull
            n = wp.normalize(a)
            A = right(left(K, n), n)
            Ka = left(K, a)
            if averaged:
                q = M.slope(F) * n
                A += (s * steep) * M.block(F, n, n) + stiff * wp.outer(q, q)
            most = wp.max(most, wp.sqrt(wp.ddot(A, A)))
            for j in range(nodes.shape[0]):
                gj = of_gradient(grad, scale, e, g, j)
                L = right(Ka, gj)
                if averaged:
                    b = vec3()
                    for h in range(cell_weight.shape[0]):
                        Q = M.slope(deformation(U, cell_grad, cell_scale, c, h))
                        b += (cell_weight[h, c] / W) * (Q * of_gradient(cell_grad, cell_scale, c, h, j))
                    L += (s * steep) * M.block(F, a, gj) + stiff * wp.outer(Qa, b)
                slope[g * 8 + j, e] = L
        stiffness[e] = most
        eta[e] = rest_eta[e] * wp.max(real(1.0), most / wp.max(rest_stiffness[e], real(1.0e-30)))

    return traction


@family
def quadratic_clamp_kernels(t: Types) -> dict:
    real, vec3, position, mat33, places = t.real, t.vec3, t.position, t.mat33, wp.array2d(dtype=t.position)
    ints, vectors, reals, matrices = (
        wp.array2d(dtype=wp.int32), wp.array2d(dtype=vec3), wp.array2d(dtype=real), wp.array2d(dtype=mat33),
    )  # fmt: skip

    at_point = moved_function(t)

    def along(d: wp.array(dtype=vec3), nodes: ints, slope: matrices, e: int, g: int):
        """∂(∫ P n)/∂x d."""
        total = vec3()
        for i in range(nodes.shape[0]):
            total += slope[g * 8 + i, e] * d[nodes[i, e]]
        return total

    along = t.function("clamp_along", along)

    def pulled(
        x: wp.array(dtype=position), nodes: ints, anchor: places, pull: vectors, slope: matrices, e: int, g: int
    ):
        """∫ t dA of point g."""
        total = pull[g, e]
        for i in range(nodes.shape[0]):
            total += slope[g * 8 + i, e] * vec3(x[nodes[i, e]] - anchor[i, e])
        return total

    pulled = t.function("clamp_pulled", pulled)

    @t.kernel
    def pulls(
        start: int,
        # mesh:
        nodes: ints,
        # params:
        anchor: places,
        pull: vectors,
        slope: matrices,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        out: vectors,
    ):
        e = start + wp.tid()
        for g in range(pull.shape[0]):
            out[g, e] = pulled(x, nodes, anchor, pull, slope, e, g)

    @t.kernel
    def energy(
        start: int,
        # mesh:
        nodes: ints,
        shape: reals,
        weight: reals,
        # params:
        anchor: places,
        pull: vectors,
        slope: matrices,
        eta: wp.array(dtype=real),
        target: places,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        value: wp.array(dtype=real),
    ):
        e = start + wp.tid()
        total = real(0.0)
        for g in range(weight.shape[0]):
            r = vec3(at_point(x, nodes, shape, e, g) - target[g, e])
            f = real(0.5) * eta[e] * weight[g, e] * r - pulled(x, nodes, anchor, pull, slope, e, g)
            total += wp.dot(f, r)
        value[e] = total

    @t.kernel
    def gradient(
        start: int,
        # mesh:
        nodes: ints,
        shape: reals,
        weight: reals,
        # params:
        anchor: places,
        pull: vectors,
        slope: matrices,
        eta: wp.array(dtype=real),
        target: places,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        corner: vectors,
    ):
        e = start + wp.tid()
        for i in range(nodes.shape[0]):
            corner[i, e] = vec3()
        for g in range(weight.shape[0]):
            r = vec3(at_point(x, nodes, shape, e, g) - target[g, e])
            f = eta[e] * weight[g, e] * r - pulled(x, nodes, anchor, pull, slope, e, g)
            for i in range(nodes.shape[0]):
                corner[i, e] = corner[i, e] + shape[g * 8 + i, e] * f - wp.transpose(slope[g * 8 + i, e]) * r

    @t.kernel
    def tangent(
        start: int,
        # mesh:
        nodes: ints,
        shape: reals,
        weight: reals,
        # params:
        slope: matrices,
        eta: wp.array(dtype=real),
        project: wp.int32,
        # in:
        d: wp.array(dtype=vec3),
        # out:
        corner: vectors,
    ):
        """The penalty alone where it must not be negative."""
        e = start + wp.tid()
        for i in range(nodes.shape[0]):
            corner[i, e] = vec3()
        for g in range(weight.shape[0]):
            dr = vec3(at_point(d, nodes, shape, e, g))
            f = eta[e] * weight[g, e] * dr
            if project == 0:
                f -= along(d, nodes, slope, e, g)
            for i in range(nodes.shape[0]):
                part = shape[g * 8 + i, e] * f
                if project == 0:
                    part -= wp.transpose(slope[g * 8 + i, e]) * dr
                corner[i, e] = corner[i, e] + part

    @t.kernel
    def blocks(
        start: int,
        # mesh:
        nodes: ints,
        shape: reals,
        weight: reals,
        # params:
        slope: matrices,
        eta: wp.array(dtype=real),
        project: wp.int32,
        bandwidth: wp.int32,
        # out: upper triangle of the element matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: matrices,
    ):
        e = start + wp.tid()
        for g in range(weight.shape[0]):
            pair = int(0)
            for i in range(nodes.shape[0]):
                Ni = shape[g * 8 + i, e]
                for j in range(i, wp.min(nodes.shape[0], i + bandwidth + 1)):
                    Nj = shape[g * 8 + j, e]
                    K = (eta[e] * weight[g, e] * Ni * Nj) * wp.identity(n=3, dtype=real)
                    if project == 0:
                        K -= Ni * slope[g * 8 + j, e] + Nj * wp.transpose(slope[g * 8 + i, e])
                    if g == 0:
                        block[pair, e] = K
                    else:
                        block[pair, e] = block[pair, e] + K
                    pair += 1

    return locals()


class LinearisedClamp(OfLinearisedClamp, Lagged, Remembers, ClampEnergy):
    """As ClampEnergy, for any law and for bodies with averaged volume, whose energy ``volume`` is; ``material`` is ψ₀ then."""

    def __init__(
        self,
        device: Device,
        lattice: Lattice,
        points: SurfacePoints,
        material: Material,
        eta: float | None = None,
        first: int = 0,
        rows: np.ndarray | None = None,
        volume: AveragedVolume | None = None,
    ):
        self.volume = volume
        super().__init__(device, lattice, points, material, eta, first, rows)
        t, (m, q) = device.types, points.areas.shape
        self.quadratic = quadratic_clamp_kernels(device.precision)
        self.of_cells = device.array(points.cells, wp.int32)
        self.anchor, self.pull = device.zeros((8, m), t.position), device.zeros((q, m), t.vec3)
        self.slope = device.zeros((8 * q, m), t.mat33)
        self.rest_eta, self.rest_stiffness, self.stiffness = (device.zeros(m, t.real) for _ in range(3))
        self._before = device.zeros((q, m), t.vec3)
        self._rest = device.array(np.pad(lattice.rest, ((first, 0), (0, 0))), t.position)
        self._taken = (self.anchor, self.pull, self.slope, self.eta, self.stiffness)
        self._kept = tuple(wp.clone(array) for array in self._taken)  # those of the last state that was accepted
        self._set_strength(material)

    @property
    def memory(self) -> Memory:
        """Traction and derivative of the last state; a cell that is all but turned over where a step is begun takes them."""
        return dict(zip(("anchor", "pull", "slope", "eta", "stiffness"), self._kept))

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        return {}

    def _kernels(self, material: Material) -> SimpleNamespace:
        volume = None if self.volume is None else self.volume.volume_measure
        return SimpleNamespace(traction=traction_kernel(material, volume, self.device.precision))

    def _etas(self, material: Material) -> np.ndarray:
        return np.zeros(self.count)  # found once the law has been asked for its stiffness

    def _constant_eta(self) -> wp.array:
        return self.rest_eta

    def _set_strength(self, material: Material) -> None:
        """η at rest from how stiff the law is across the surface there, 2μ + λ or a little more; fibres count as they lie."""
        self.device.clear(self.rest_eta)
        self.linearise(self._rest)
        soft = 1e-3 * np.broadcast_to(fitted_stiffness(material), len(material.table()))[self.rows]
        stiffness = np.maximum(self.stiffness.numpy().astype(float), soft)
        eta = np.full(self.count, self.given) if self.given is not None else STRENGTH * self.ratio * stiffness
        kind = self.device.types.numpy
        self.rest_stiffness.assign((stiffness if self.given is None else np.full(self.count, np.inf)).astype(kind))
        self.rest_eta.assign(eta.astype(kind))
        self.linearise(self._rest)
        self._copy(self._taken, self._kept)

    def set_parameters(self, material: Material) -> None:
        self.table.assign(material.table().astype(self.device.types.numpy))
        self._set_strength(material)
        self.material = material
        self.version += 1

    def _copy(self, source: tuple[wp.array, ...], into: tuple[wp.array, ...]) -> None:
        for one, other in zip(source, into):
            self.device.copy(one, other)

    def start(self, x: wp.array) -> None:
        """Take traction and derivative at x, where a step is begun; of cells that are all but turned over, those of memory."""
        self._copy(self._kept, self._taken)
        self.linearise(x)

    def accept(self, x: wp.array, time: float) -> None:
        super().accept(x, time)
        self.linearise(x, self._kept)
        self._copy(self._kept, self._taken)  # the energy of the state is that with the traction there

    def linearise(self, x: wp.array, into: tuple[wp.array, ...] | None = None) -> None:
        """Take traction and derivative at x; cells that are all but turned over there keep those they had."""
        v = self.volume
        cells = (self.grad, self.scale, self.weight, self.eta) if v is None else (v.grad, v.scale, v.weight, v.kappa)
        mesh = (self.nodes, self.grad, self.scale, self.area, self.weight, self.of_cells, *cells[:3])
        law = (self.table, self.of, cells[3], self.rest_eta, self.rest_stiffness)
        self.device.launch(self.kernels.traction, self.count, *mesh, *law, x, *(into or self._taken), grain=16)

    def refresh_lagged(self, x: wp.array) -> bool:
        """Take both at x; whether the traction is another than the linear one had it there."""
        args = (self.nodes, self.anchor, self.pull, self.slope, x, self._before)
        self.device.launch(self.quadratic.pulls, self.count, *args, grain=GRAIN)
        before = self._before.numpy().astype(float)
        self.linearise(x)
        now = self.pull.numpy().astype(float)
        return bool(np.abs(now - before).max() > SETTLED[self.device.precision] * np.abs(now).max())

    def _state(self) -> tuple:
        mesh = (self.nodes, self.shape, self.weight)
        return *mesh, self.anchor, self.pull, self.slope, self.eta, self.target

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.quadratic.energy, self.count, *self._state(), x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.quadratic.gradient, self.count, *self._state(), x, self.corner, grain=GRAIN)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        mesh = (self.nodes, self.shape, self.weight, self.slope, self.eta)
        self.device.launch(self.quadratic.tangent, self.count, *mesh, int(project), d, self.corner, grain=GRAIN)
        self.gather(out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        mesh = (self.nodes, self.shape, self.weight, self.slope, self.eta)
        args = (int(project), self.bandwidth(self._assembly), self._assembly.parts)
        self.device.launch(self.quadratic.blocks, self.count, *mesh, *args, grain=16)
        self._assembly.add_to(pattern)
