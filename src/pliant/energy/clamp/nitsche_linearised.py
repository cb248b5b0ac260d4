"""Weak holds for any law: Nitsche's form, linearised each step.

E = ∫ −t·r + η/2 |r|² dA, r = x − x_D, with t = P̂ n + ∂(P̂ n)/∂x (x − x̂). This is a quadratic form, so η bounds it wherever the
body goes, also where stress grows faster than strain. At x = x̂ the traction and its derivative are the law's: so a body at
rest is not disturbed, a step of dt is off by O(dt²), and equilibria are found by taking x̂ anew until nothing changes.

P is all of the stress: of a body with averaged volume it has the part κ M̄ Q, M̄ the mean of the cell
(energy/volume/volume_energy.py).
"""

import functools
from types import SimpleNamespace
from typing import Any

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
from ...runtime.kernel_structs import filled
from ..capabilities import Lagged
from ..element_functions import element_functions
from ..memory import Memory, Parents, Remembers
from ..volume.volume_energy import AveragedVolume
from ..volume.volume_measures import measure_functions
from .nitsche_clamp import GRAIN, STRENGTH, ClampEnergy, contraction
from .nitsche_sensitivity import OfLinearisedClamp, held_struct, moved_function

LEAST = 0.05  # volume ratio at a surface point below which nothing is taken over
SETTLED = {"f64": 1e-9, "f32": 1e-4}  # change of the traction, as a part of the largest, that needs no other solve
TAKEN = ("anchor", "pull", "slope", "eta", "stiffness")
_BUILT: dict[tuple, wp.Kernel] = {}


@alone
def traction_kernel(material: Material, volume: tuple[str, bool] | None, precision: str) -> wp.Kernel:
    """The kernel that takes traction and derivative of one law, and of the averaged ``volume`` (measure, of the mean)."""
    key = (material.key, material.width, volume, precision)
    if key not in _BUILT:
        measure = "" if volume is None else f"_{volume[0]}{'_aggregate' if volume[1] else ''}"
        _BUILT[key] = build(Types(precision, f"traction_{material.key}{measure}"), material, volume)
    return _BUILT[key]


@alone
@functools.cache
def taken_structs(precision: str) -> tuple[Any, Any]:
    t = Types(precision, "taken_structs")
    column, reals, vectors = wp.array(dtype=t.real), wp.array2d(dtype=t.real), wp.array2d(dtype=t.vec3)

    @functools.partial(wp.struct, module=t.module)
    class Cells:
        """The cell of each element, its points and κ."""

        of: wp.array(dtype=wp.int32)
        grad: vectors
        scale: column
        weight: reals
        kappa: column

    @functools.partial(wp.struct, module=t.module)
    class Taken:
        """Corners x̂, ∫ P n, its derivatives, η and the stiffness across the surface."""

        anchor: wp.array2d(dtype=t.position)
        pull: vectors
        slope: wp.array2d(dtype=t.mat33)
        eta: column
        stiffness: column

    return Cells, Taken


def build(t: Types, material: Material, volume: tuple[str, bool] | None) -> wp.Kernel:
    law, averaged, aggregate = material.functions(t), volume is not None, volume is not None and volume[1]
    # of the mean J, the measure is a function outside of the mean; inside it is J − 1
    measure = "excess" if volume is None or aggregate else volume[0]
    M, outer = measure_functions(t, measure), measure_functions(t, volume[0] if averaged else "excess")
    real, vec3, mat99, params = t.real, t.vec3, t.mat99, t.vector(material.width)
    cell = element_functions(t, 8, Form.CUBIC)
    load, deformation, of_gradient = cell.load, cell.deformation, cell.gradient
    Held, (Cells, Taken), column = held_struct(t.precision), taken_structs(t.precision), wp.array(dtype=real)
    left, right = contraction(t)

    @t.kernel
    def traction(
        start: int, on: Held, cells: Cells,
        # params: rows of ψ₀, and η with the stiffness it was made for
        table: wp.array(dtype=params), rest_eta: column, rest_stiffness: column,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        taken: Taken,
    ):  # fmt: skip
        e = start + wp.tid()
        p = table[on.of[e]]
        U = load(x, on.nodes, e)
        least = real(1.0)
        for g in range(on.weight.shape[0]):
            least = wp.min(least, wp.determinant(deformation(U, on.grad, on.scale, e, g)))
        if least < real(LEAST):
            return
        for i in range(on.nodes.shape[0]):
            taken.anchor[i, e] = x[on.nodes[i, e]]
        s = real(0.0)
        steep = real(1.0)
        stiff = real(0.0)
        W = real(1.0)
        c = cells.of[e]
        if averaged:
            W = real(0.0)
            total = real(0.0)
            for g in range(cells.weight.shape[0]):
                total += cells.weight[g, c] * M.value(deformation(U, cells.grad, cells.scale, c, g))
                W += cells.weight[g, c]
            s = cells.kappa[c] * total / W
            stiff = cells.kappa[c]
            if aggregate:
                value, dM, ddM = outer.of_volume(total / W + real(1.0))
                s = cells.kappa[c] * value
                steep = dM
                stiff = cells.kappa[c] * dM * dM + s * ddM
        most = real(0.0)
        for g in range(on.weight.shape[0]):
            a = on.area[g, e]
            F = deformation(U, on.grad, on.scale, e, g)
            K = mat99()
            K = law.stiffness(F, p, False)
            total_pull = law.stress(F, p) * a
            Qa = vec3()
            if averaged:
                Qa = M.slope(F) * a
                total_pull += (s * steep) * Qa
            taken.pull[g, e] = total_pull
            n = wp.normalize(a)
            A = right(left(K, n), n)
            Ka = left(K, a)
            if averaged:
                q = M.slope(F) * n
                A += (s * steep) * M.block(F, n, n) + stiff * wp.outer(q, q)
            most = wp.max(most, wp.sqrt(wp.ddot(A, A)))
            for j in range(on.nodes.shape[0]):
                gj = of_gradient(on.grad, on.scale, e, g, j)
                L = right(Ka, gj)
                if averaged:
                    b = vec3()
                    for h in range(cells.weight.shape[0]):
                        Q = M.slope(deformation(U, cells.grad, cells.scale, c, h))
                        b += (cells.weight[h, c] / W) * (Q * of_gradient(cells.grad, cells.scale, c, h, j))
                    L += (s * steep) * M.block(F, a, gj) + stiff * wp.outer(Qa, b)
                taken.slope[g * 8 + j, e] = L
        taken.stiffness[e] = most
        taken.eta[e] = rest_eta[e] * wp.max(real(1.0), most / wp.max(rest_stiffness[e], real(1.0e-30)))

    return traction


@family
def quadratic_clamp_kernels(t: Types) -> dict:
    real, vec3, position, vectors, matrices = (
        t.real,
        t.vec3,
        t.position,
        wp.array2d(dtype=t.vec3),
        wp.array2d(dtype=t.mat33),
    )
    Held, (_, Taken) = held_struct(t.precision), taken_structs(t.precision)
    at_point = moved_function(t)

    def along(d: wp.array(dtype=vec3), on: Held, taken: Taken, e: int, g: int):
        """∂(∫ P n)/∂x d."""
        total = vec3()
        for i in range(on.nodes.shape[0]):
            total += taken.slope[g * 8 + i, e] * d[on.nodes[i, e]]
        return total

    def pulled(x: wp.array(dtype=position), on: Held, taken: Taken, e: int, g: int):
        """∫ t dA of point g."""
        total = taken.pull[g, e]
        for i in range(on.nodes.shape[0]):
            total += taken.slope[g * 8 + i, e] * vec3(x[on.nodes[i, e]] - taken.anchor[i, e])
        return total

    along, pulled = t.function("clamp_along", along), t.function("clamp_pulled", pulled)

    @t.kernel
    def pulls(
        start: int, on: Held, taken: Taken,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        out: vectors,
    ):  # fmt: skip
        e = start + wp.tid()
        for g in range(taken.pull.shape[0]):
            out[g, e] = pulled(x, on, taken, e, g)

    @t.kernel
    def energy(
        start: int, on: Held, taken: Taken,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        value: wp.array(dtype=real),
    ):  # fmt: skip
        e = start + wp.tid()
        total = real(0.0)
        for g in range(on.weight.shape[0]):
            r = vec3(at_point(x, on.nodes, on.shape, e, g) - on.target[g, e])
            f = real(0.5) * taken.eta[e] * on.weight[g, e] * r - pulled(x, on, taken, e, g)
            total += wp.dot(f, r)
        value[e] = total

    @t.kernel
    def gradient(
        start: int, on: Held, taken: Taken,
        # in:
        x: wp.array(dtype=t.position),
        # out:
        corner: vectors,
    ):  # fmt: skip
        e = start + wp.tid()
        for i in range(on.nodes.shape[0]):
            corner[i, e] = vec3()
        for g in range(on.weight.shape[0]):
            r = vec3(at_point(x, on.nodes, on.shape, e, g) - on.target[g, e])
            f = taken.eta[e] * on.weight[g, e] * r - pulled(x, on, taken, e, g)
            for i in range(on.nodes.shape[0]):
                corner[i, e] = corner[i, e] + on.shape[g * 8 + i, e] * f - wp.transpose(taken.slope[g * 8 + i, e]) * r

    @t.kernel
    def tangent(
        start: int, on: Held, taken: Taken, project: wp.int32,
        # in:
        d: wp.array(dtype=vec3),
        # out:
        corner: vectors,
    ):  # fmt: skip
        """The penalty alone where it must not be negative."""
        e = start + wp.tid()
        for i in range(on.nodes.shape[0]):
            corner[i, e] = vec3()
        for g in range(on.weight.shape[0]):
            dr = vec3(at_point(d, on.nodes, on.shape, e, g))
            f = taken.eta[e] * on.weight[g, e] * dr
            if project == 0:
                f -= along(d, on, taken, e, g)
            for i in range(on.nodes.shape[0]):
                part = on.shape[g * 8 + i, e] * f
                if project == 0:
                    part -= wp.transpose(taken.slope[g * 8 + i, e]) * dr
                corner[i, e] = corner[i, e] + part

    @t.kernel
    def blocks(
        start: int, on: Held, taken: Taken, project: wp.int32, bandwidth: wp.int32,
        # out: upper triangle of the element matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: matrices,
    ):  # fmt: skip
        e = start + wp.tid()
        for g in range(on.weight.shape[0]):
            pair = int(0)
            for i in range(on.nodes.shape[0]):
                Ni = on.shape[g * 8 + i, e]
                for j in range(i, wp.min(on.nodes.shape[0], i + bandwidth + 1)):
                    Nj = on.shape[g * 8 + j, e]
                    K = (taken.eta[e] * on.weight[g, e] * Ni * Nj) * wp.identity(n=3, dtype=real)
                    if project == 0:
                        K -= Ni * taken.slope[g * 8 + j, e] + Nj * wp.transpose(taken.slope[g * 8 + i, e])
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
        self.anchor, self.pull = device.zeros((8, m), t.position), device.zeros((q, m), t.vec3)
        self.slope = device.zeros((8 * q, m), t.mat33)
        self.rest_eta, self.rest_stiffness, self.stiffness = (device.zeros(m, t.real) for _ in range(3))
        self._before = device.zeros((q, m), t.vec3)
        self._rest = device.array(np.pad(lattice.rest, ((first, 0), (0, 0))), t.position)
        Cells, Taken = taken_structs(device.precision)
        taken = (self.anchor, self.pull, self.slope, self.eta, self.stiffness)
        kept = tuple(wp.clone(array) for array in taken)  # those of the last state that was accepted
        self._taken, self._kept = (filled(Taken, **dict(zip(TAKEN, arrays))) for arrays in (taken, kept))
        cells = {"grad": self.grad, "scale": self.scale, "weight": self.weight, "kappa": self.eta}
        if volume is not None:
            cells = {name: getattr(volume, name) for name in cells}
        self._cells = filled(Cells, of=device.array(points.cells, wp.int32), **cells)
        self._set_strength(material)

    @property
    def memory(self) -> Memory:
        """Traction and derivative of the last state; a cell that is all but turned over where a step is begun takes them."""
        return {name: getattr(self._kept, name) for name in TAKEN}

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

    def _copy(self, source: Any, into: Any) -> None:
        for name in TAKEN:
            self.device.copy(getattr(source, name), getattr(into, name))

    def start(self, x: wp.array) -> None:
        """Take traction and derivative at x, where a step is begun; of cells that are all but turned over, those of memory."""
        self._copy(self._kept, self._taken)
        self.linearise(x)

    def accept(self, x: wp.array, time: float) -> None:
        super().accept(x, time)
        self.linearise(x, self._kept)
        self._copy(self._kept, self._taken)  # the energy of the state is that with the traction there

    def linearise(self, x: wp.array, into: Any = None) -> None:
        """Take traction and derivative at x; cells that are all but turned over there keep those they had."""
        law = (self.table, self.rest_eta, self.rest_stiffness)
        args = (self.held, self._cells, *law, x, into or self._taken)
        self.device.launch(self.kernels.traction, self.count, *args, grain=16)

    def refresh_lagged(self, x: wp.array) -> bool:
        """Take both at x; whether the traction is another than the linear one had it there."""
        self.device.launch(self.quadratic.pulls, self.count, self.held, self._taken, x, self._before, grain=GRAIN)
        before = self._before.numpy().astype(float)
        self.linearise(x)
        now = self.pull.numpy().astype(float)
        return bool(np.abs(now - before).max() > SETTLED[self.device.precision] * np.abs(now).max())

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.quadratic.energy, self.count, self.held, self._taken, x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.quadratic.gradient, self.count, self.held, self._taken, x, self.corner, grain=GRAIN)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        args = (self.held, self._taken, int(project), d, self.corner)
        self.device.launch(self.quadratic.tangent, self.count, *args, grain=GRAIN)
        self.gather(out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        args = (self.held, self._taken, int(project), self.bandwidth(self._assembly), self._assembly.parts)
        self.device.launch(self.quadratic.blocks, self.count, *args, grain=16)
        self._assembly.add_to(pattern)
