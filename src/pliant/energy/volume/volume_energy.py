"""Volume energy of whole elements: Σ κ/2 W M̄².

Points that must each keep their volume lock a trilinear cell; its mean does not. M is one of energy/volume/volume_measures.py,
and M̄ either the mean of M over the element's points (Eq 5) or, for measures of J, M of the mean J̄ (Eq 6).
"""

from types import SimpleNamespace

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.base import Elements, Form
from ...errors import InputError
from ...linear.matrix.block_matrix import BlockGather, BlockMatrix
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types
from ...runtime.math3 import cofactor, cofactor_differential, double_dot
from ..base import Energy, OnElements
from ..capabilities import InversionPolicy, Invertible
from ..element_functions import element_functions, on_device
from ..quadratic_bound import Majorised
from .inverted_corners import turned_kernels
from .volume_measures import measure_functions
from .volume_sensitivity import OfModulus, OfPressure

GRAIN = 256
_BUILT: dict[tuple, SimpleNamespace] = {}


@alone
def volume_kernels(k: int, q: int, form: Form, measure: str, aggregate: bool, precision: str) -> SimpleNamespace:
    key = (k, q, form, measure, aggregate, precision)
    if key not in _BUILT:
        name = f"volume_{form.named(k)}q{q}_{measure}{'_aggregate' if aggregate else ''}"
        t = Types(precision, name)
        t.module.options["max_unroll"] = 3
        _BUILT[key] = build(t, element_functions(t, k, form), k, q, measure, aggregate)
    return _BUILT[key]


def build(t: Types, of: SimpleNamespace, k: int, q: int, measure: str, aggregate: bool) -> SimpleNamespace:
    """The kernels of one measure; ``aggregate`` takes M of the mean J̄, else the mean of M."""
    inner = _inner_functions(t, measure, aggregate)
    mean = _mean_function(t, of, q, inner)
    return SimpleNamespace(**_pressure_kernels(t, of, q, inner, mean), blocks=_blocks_kernel(t, of, k, q, inner, mean))


def _inner_functions(t: Types, measure: str, aggregate: bool) -> SimpleNamespace:
    """What is averaged, M or J, with its derivatives, and the function of the mean."""
    real, vec3, mat33, M = t.real, t.vec3, t.mat33, measure_functions(t, measure)

    if aggregate:

        def inner(F: mat33):
            return wp.determinant(F)

        def inner_slope(F: mat33):
            return cofactor(F)

        def inner_bend(F: mat33, D: mat33):
            return cofactor_differential(F, D)

        def inner_block(F: mat33, a: vec3, b: vec3):
            return -wp.skew(F * wp.cross(a, b))

        def outer(mean: real):
            return M.of_volume(mean)
    else:

        def inner(F: mat33):
            return M.value(F)

        def inner_slope(F: mat33):
            return M.slope(F)

        def inner_bend(F: mat33, D: mat33):
            return M.bend(F, D)

        def inner_block(F: mat33, a: vec3, b: vec3):
            return M.block(F, a, b)

        def outer(mean: real):
            return mean, real(1.0), real(0.0)

    functions = (inner, inner_slope, inner_bend, inner_block, outer)
    return SimpleNamespace(**{f.__name__: t.function(f"{f.__name__}_{t.module.name}", f) for f in functions})


def _mean_function(t: Types, of: SimpleNamespace, q: int, by: SimpleNamespace) -> wp.Function:
    real, meshes, reals, scales = t.real, wp.array2d(dtype=t.vec3), wp.array2d(dtype=t.real), wp.array(dtype=t.real)
    differences, deformation, inner, outer = of.differences, of.deformation, by.inner, by.outer

    def mean(U: differences, grad: meshes, scale: scales, weight: reals, e: int):
        """M̄, with the two derivatives of the outer function (1 and 0 where the measure itself is averaged), and W."""
        total = real(0.0)
        W = real(0.0)
        for g in range(q):
            total += weight[g, e] * inner(deformation(U, grad, scale, e, g))
            W += weight[g, e]
        value, slope, curvature = outer(total / W)
        return value, slope, curvature, W

    return t.function(f"mean_volume_{t.module.name}", mean)


def _pressure_kernels(t: Types, of: SimpleNamespace, q: int, by: SimpleNamespace, mean: wp.Function) -> dict:
    real, vec3, scales, inner_slope, inner_bend = t.real, t.vec3, wp.array(dtype=t.real), by.inner_slope, by.inner_bend
    meshes, reals, nodes_ = wp.array2d(dtype=vec3), wp.array2d(dtype=real), wp.array2d(dtype=wp.int32)
    differences, load, deformation, change_at = of.differences, of.load, of.deformation, of.change
    collect, write = of.collect, of.write

    @t.kernel
    def means(
        start: int, nodes: nodes_, grad: meshes, scale: scales, weight: reals, factor: wp.array(dtype=real),
        x: wp.array(dtype=t.position), out: wp.array(dtype=real),
    ):  # fmt: skip
        """factor M̄."""
        e = start + wp.tid()
        U = load(x, nodes, e)
        M, _slope, _curvature, _W = mean(U, grad, scale, weight, e)
        out[e] = factor[e] * M

    @t.kernel
    def changes(
        start: int, nodes: nodes_, grad: meshes, scale: scales, weight: reals, factor: wp.array(dtype=real),
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3), out: wp.array(dtype=real),
    ):  # fmt: skip
        """factor δM̄ along d."""
        e = start + wp.tid()
        U = load(x, nodes, e)
        _M, slope, _curvature, W = mean(U, grad, scale, weight, e)
        V = load(d, nodes, e)
        change = real(0.0)
        for g in range(q):
            F = deformation(U, grad, scale, e, g)
            change += weight[g, e] * double_dot(inner_slope(F), change_at(V, grad, scale, e, g)) / W
        out[e] = factor[e] * slope * change

    @t.kernel
    def pressure_gradient(
        start: int, nodes: nodes_, grad: meshes, scale: scales, weight: reals, s: wp.array(dtype=real),
        x: wp.array(dtype=t.position), corner: meshes,
    ):  # fmt: skip
        """P = s Q at each point."""
        e = start + wp.tid()
        U = load(x, nodes, e)
        _M, slope, _curvature, _W = mean(U, grad, scale, weight, e)
        B = differences()
        for g in range(q):
            P = (weight[g, e] * s[e] * slope) * inner_slope(deformation(U, grad, scale, e, g))
            B += collect(P, grad, scale, e, g)
        write(B, e, corner)

    @t.kernel
    def pressure_tangent(
        start: int, nodes: nodes_, grad: meshes, scale: scales, weight: reals, s: scales, ds: scales,
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3), corner: meshes,
    ):  # fmt: skip
        """δP = δs Q + s δQ."""
        e = start + wp.tid()
        U = load(x, nodes, e)
        _M, slope, curvature, W = mean(U, grad, scale, weight, e)
        V = load(d, nodes, e)
        along = ds[e] * slope
        if curvature != real(0.0) and s[e] != real(0.0):
            change = real(0.0)
            for g in range(q):
                F = deformation(U, grad, scale, e, g)
                change += weight[g, e] * double_dot(inner_slope(F), change_at(V, grad, scale, e, g)) / W
            along += s[e] * curvature * change
        B = differences()
        for g in range(q):
            F = deformation(U, grad, scale, e, g)
            dP = along * inner_slope(F)
            if s[e] != real(0.0):
                dP += s[e] * slope * inner_bend(F, change_at(V, grad, scale, e, g))
            B += collect(weight[g, e] * dP, grad, scale, e, g)
        write(B, e, corner)

    @t.kernel
    def squared(start: int, weight: reals, kappa: wp.array(dtype=real), value: wp.array(dtype=real)):
        """κ/2 W M̄² in place of M̄."""
        e = start + wp.tid()
        W = real(0.0)
        for g in range(q):
            W += weight[g, e]
        value[e] = real(0.5) * kappa[e] * W * value[e] * value[e]

    kernels = (means, changes, pressure_gradient, pressure_tangent, squared)
    return dict(zip(("means", "changes", "pressure_gradient", "pressure_tangent", "squared"), kernels))


def _blocks_kernel(t: Types, of: SimpleNamespace, k: int, q: int, by: SimpleNamespace, mean: wp.Function) -> wp.Kernel:
    real, vec3, mat33, scales = t.real, t.vec3, t.mat33, wp.array(dtype=t.real)
    meshes, reals, nodes_ = wp.array2d(dtype=vec3), wp.array2d(dtype=real), wp.array2d(dtype=wp.int32)
    load, deformation, of_gradient = of.load, of.deformation, of.gradient
    inner_slope, inner_block = by.inner_slope, by.inner_block

    @t.kernel
    def blocks(
        start: int, nodes: nodes_, grad: meshes, scale: scales, weight: reals, s: scales, kappa: scales,
        project: wp.int32, bandwidth: wp.int32, x: wp.array(dtype=t.position), out: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        """Upper triangle of the element matrix, W (s ∂²M̄ + κ ∂M̄ ∂M̄ᵀ); the second alone where it must not be negative."""
        e = start + wp.tid()
        U = load(x, nodes, e)
        _M, slope, curvature, W = mean(U, grad, scale, weight, e)
        stiff = kappa[e] * slope * slope / W
        if project == 0:
            stiff += s[e] * curvature / W
        row = int(0)
        for i in range(k):
            for j in range(i, wp.min(k, i + bandwidth + 1)):
                a = vec3()
                b = vec3()
                H = mat33()
                for g in range(q):
                    F = deformation(U, grad, scale, e, g)
                    Q = weight[g, e] * inner_slope(F)
                    gi = of_gradient(grad, scale, e, g, i)
                    gj = of_gradient(grad, scale, e, g, j)
                    a += Q * gi
                    b += Q * gj
                    if project == 0:
                        H += s[e] * slope * weight[g, e] * inner_block(F, gi, gj)
                out[row, e] = H + stiff * wp.outer(a, b)
                row += 1

    return blocks


class MeanVolume(OnElements, Energy):
    """What energies of each element's mean measure M̄ share; ``first`` is the row of the body's first node."""

    recordable = ()  # no number of its launches changes

    def __init__(self, device: Device, elements: Elements, measure: str, aggregate: bool, first: int):
        if elements.dimension != 3:
            raise InputError(f"{type(elements).__name__} has no volume to preserve; expected solid elements")
        super().__init__(device, elements, first)
        m, q, k, _ = elements.gradients.shape
        t, self.volume_measure = device.types, (measure, aggregate)
        self.kernels = volume_kernels(k, q, elements.form, measure, aggregate, device.precision)
        self.grad, self.scale = on_device(device, elements)
        self.weight = device.array(elements.weights.T, t.real)
        self.ones, self.nothing = device.array(np.ones(m), t.real), device.zeros(m, t.real)

    def _launch(self, kernel: wp.Kernel, *args: wp.array) -> None:
        mesh = (self.nodes, self.grad, self.scale, self.weight)
        self.device.launch(kernel, self.count, *mesh, *args, grain=GRAIN)

    def means(self, x: wp.array, out: wp.array, factor: wp.array | None = None) -> None:
        """out = M̄ of each element, times ``factor`` where one is given."""
        self._launch(self.kernels.means, self.ones if factor is None else factor, x, out)

    def changes(self, x: wp.array, d: wp.array, out: wp.array, factor: wp.array | None = None) -> None:
        """out = δM̄ along d, times ``factor`` where one is given."""
        self._launch(self.kernels.changes, self.ones if factor is None else factor, x, d, out)

    def pressure_gradient(self, x: wp.array, s: wp.array, out: wp.array) -> None:
        """out += Σ W s ∂M̄/∂x for pressures s [Pa], those that pull counted positive (Eq 7)."""
        self._launch(self.kernels.pressure_gradient, s, x, self.corner)
        self.gather(out)

    def pressure_tangent(self, x: wp.array, s: wp.array, d: wp.array, ds: wp.array, out: wp.array) -> None:
        """out += Σ W (δs ∂M̄/∂x + s ∂²M̄/∂x² d): how ``pressure_gradient`` changes along (d, δs)."""
        self._launch(self.kernels.pressure_tangent, s, ds, x, d, self.corner)
        self.gather(out)

    def _fill(self, x: wp.array, s: wp.array, kappa: wp.array, assembly: BlockGather, project: bool) -> None:
        """Write W (s ∂²M̄ + κ ∂M̄ ∂M̄ᵀ) of each element into ``assembly.parts``, with ``project`` the second alone."""
        mesh = (self.nodes, self.grad, self.scale, self.weight, s, kappa)
        args = (int(project), self.bandwidth(assembly), x, assembly.parts)
        self.device.launch(self.kernels.blocks, self.count, *mesh, *args, grain=16)


class AveragedVolume(OfModulus, Invertible, Majorised, MeanVolume):
    """κ/2 W M̄² of each element, so that s = κ M̄; ``kappa`` [Pa] one for all or one each.

    κ = ∞ for all makes M̄ = 0 a constraint, which only a solver that keeps pressures can hold.
    """

    name = "volume"
    bounded = False
    inversion = InversionPolicy.REPORTED

    def __init__(
        self, device: Device, elements: Elements, kappa: float | np.ndarray, measure: str = "log",
        aggregate: bool = False, first: int = 0,
    ):  # fmt: skip
        super().__init__(device, elements, measure, aggregate, first)
        m, t = self.count, device.types
        self.kappa = device.array(np.broadcast_to(kappa, m), t.real)
        self.rigid = bool(np.all(np.isinf(kappa)))
        self._whole = device.array(elements.whole_cells, wp.int32)
        self._pressure, self._change = device.zeros(m, t.real), device.zeros(m, t.real)
        self.solved = lambda: np.zeros(m)  # pressures s [Pa] of a solver that keeps them, once there is one

    def set_modulus(self, kappa: float | np.ndarray) -> None:
        self.rigid = bool(np.all(np.isinf(kappa)))
        self.kappa.assign(np.broadcast_to(kappa, self.count).astype(self.device.types.numpy))
        self.version += 1

    def _finite(self) -> None:
        if self.rigid:
            raise InputError(
                "Averaged(incompressible=True) needs a solver with pressures as unknowns; expected Mixed(), with QuasiStatic or "
                "ImplicitEuler"
            )

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        if not self.rigid:  # a constraint that is met holds no energy
            self._square(x)
            self.add_values(out)

    def _square(self, x: wp.array) -> None:
        self.means(x, self.scalar)
        self.device.launch(self.kernels.squared, self.count, self.weight, self.kappa, self.scalar, grain=4 * GRAIN)

    def element_values(self, x: wp.array) -> np.ndarray:
        """(m,) energy of each element [J]."""
        self._square(x)
        return self.scalar.numpy()

    def pressures(self, x: wp.array) -> np.ndarray:
        """(m,) −κ M̄, what each element presses with to keep its volume [Pa]; of a constraint, what a solver has found."""
        if self.rigid:
            return -self.solved()
        self.means(x, self._pressure, self.kappa)
        return -self._pressure.numpy()

    def count_inverted(self, x: wp.array, out: wp.array) -> None:
        kernel = turned_kernels(self.device.precision).turned_corners
        self.device.launch(kernel, self.count, self.nodes, self._whole, x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._finite()
        self.means(x, self._pressure, self.kappa)
        self.pressure_gradient(x, self._pressure, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        """δs = κ δM̄ gives a part that is never negative; with ``project`` it is that part alone."""
        self._finite()
        self.changes(x, d, self._change, self.kappa)
        if project:
            self.pressure_gradient(x, self._change, out)
        else:
            self.means(x, self._pressure, self.kappa)
            self.pressure_tangent(x, self._pressure, d, self._change, out)

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Σ κ W b·b with b the mean gradient of each node: a bound of ∂M̄/∂x near rest, the same along each axis."""
        mean = np.einsum("mq,mqia->mia", self.elements.weights, self.elements.gradients) / self.elements.volumes[:, None, None]
        scale = self.kappa.numpy().astype(float) * self.elements.volumes
        blocks = np.einsum("m,mia,mja->mij", scale, mean, mean)
        return self.assembled(blocks, count)

    def fill(self, x: wp.array, assembly: BlockGather, project: bool) -> None:
        """Write the element matrices at x into ``assembly.parts``."""
        self._finite()
        self.means(x, self._pressure, self.kappa)
        self._fill(x, self._pressure, self.kappa, assembly, project)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        self.fill(x, self._assembly, project)
        self._assembly.add_to(pattern)


class CellPressure(OfPressure, MeanVolume):
    """E = −p ∫ (J − 1): a constant pressure p [Pa] inside solid elements, so that s = −p. No tangent when projecting.

    By the divergence theorem the force is p times the deformed area vector of the surface, wherever it cuts the cells. The
    integral takes the points of the elements, so −p cof F joins their stress point by point and a uniform state stays so.
    """

    name = "pressure"

    def __init__(self, device: Device, elements: Elements, pressure: float, first: int = 0):
        super().__init__(device, elements, "excess", False, first)
        self.pull, self.pull_volume = (device.zeros(self.count, device.types.real) for _ in range(2))
        self.set(pressure)

    def set(self, pressure: float) -> None:
        kind = self.device.types.numpy
        self.pull.fill_(-pressure)
        self.pull_volume.assign((-pressure * self.elements.volumes).astype(kind))

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.means(x, self.scalar, self.pull_volume)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.pressure_gradient(x, self.pull, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        if not project:
            self.pressure_tangent(x, self.pull, d, self.nothing, out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if not project:
            self._fill(x, self.pull, self.nothing, self._assembly, project)
            self._assembly.add_to(pattern)
