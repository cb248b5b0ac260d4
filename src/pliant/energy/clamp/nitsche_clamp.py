"""Weak holds of surfaces through cells (Nitsche).

Its gradient has the consistency term −∫ P n · δx, the symmetry term −∫ (∂P/∂F : δF) n · r and the penalty +η ∫ r · δx
(Weiß 2018, Eq 2.4.5 with the sign of η put right). At r = 0 nothing but the traction is left, so the true solution is not
disturbed, as it is by a penalty alone. With G = r ⊗ n the symmetry term is −(∂P/∂F : G) : δF, so its derivative needs ∂²P/∂F².

Where the stress grows faster than the strain, no η bounds −(P n)·r by η/2 |r|² far from the solution: so this is for laws whose
stress grows in proportion, those with ``second_differential``. For all others see nitsche_linearised.py.
"""

from types import SimpleNamespace

import numpy as np
import warp as wp
from scipy import sparse

from ...elements.base import Elements, Form
from ...elements.lattice.lattice import Lattice
from ...elements.lattice.surface_patches import SurfacePoints
from ...geometry.lattice.fragments import shape_functions, shape_gradients
from ...linear.matrix.block_matrix import BlockMatrix
from ...material.base import Material
from ...material.functions import Functions
from ...material.parameter_gradients import Gradients, moduli_of
from ...runtime.build_lock import alone
from ...runtime.device import Device, Types
from ...runtime.kernel_structs import filled
from ..base import Energy, OnElements
from ..element_functions import element_functions, on_device
from ..quadratic_bound import Majorised
from .nitsche_sensitivity import OfClamp, held_struct, moved_function

STRENGTH = 20.0  # c of η = c (2μ+λ) max(1/h, A/V), A/V being the held area over the volume of the material in each cell
GRAIN = 64
_BUILT: dict[tuple, SimpleNamespace] = {}


@alone
def clamp_kernels(material: Material, precision: str) -> SimpleNamespace:
    key = (material.key, material.width, precision)
    if key not in _BUILT:
        t = Types(precision, f"clamp_{material.key}")
        _BUILT[key] = build(t, material.functions(t), material.second_differential, material.width)
    return _BUILT[key]


def contraction(t: Types) -> tuple[wp.Function, wp.Function]:
    """K[r, c] = Σ aᵢ M[3r+i, 3c+j] bⱼ in two halves, the first of which serves many b; its loops are left to run time too."""
    vec3, mat33, mat99, half = t.vec3, t.mat33, t.mat99, t.matrix(3, 9)

    def left(M: mat99, a: vec3):
        H = half()
        at = int(0)
        while at < 27:
            r = at // 9
            c = at % 9
            H[r, c] = a[0] * M[3 * r, c] + a[1] * M[3 * r + 1, c] + a[2] * M[3 * r + 2, c]
            at += 1
        return H

    def right(H: half, b: vec3):
        K = mat33()
        for r in range(3):
            for c in range(3):
                K[r, c] = H[r, 3 * c] * b[0] + H[r, 3 * c + 1] * b[1] + H[r, 3 * c + 2] * b[2]
        return K

    return t.function("contracted_left", left), t.function("contracted_right", right)


def build(t: Types, law: Functions, second: wp.Function, width: int) -> SimpleNamespace:
    """Make the kernels. Loops over points and nodes are left to run time: unrolled, they would take minutes to compile."""
    k, cell, Held, moved = 8, element_functions(t, 8, Form.CUBIC), held_struct(t.precision), moved_function(t)
    real, vec3, mat33, params, vectors = t.real, t.vec3, t.mat33, t.vector(width), wp.array2d(dtype=t.vec3)
    load, deformation, of_gradient = cell.load, cell.deformation, cell.gradient

    @t.kernel
    def energy(
        start: int,
        # mesh:
        on: Held, table: wp.array(dtype=params),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        value: wp.array(dtype=real),
    ):  # fmt: skip
        e = start + wp.tid()
        p = table[on.of[e]]
        U = load(x, on.nodes, e)
        total = real(0.0)
        for g in range(on.weight.shape[0]):
            r = vec3(moved(x, on.nodes, on.shape, e, g) - on.target[g, e])
            P = law.stress(deformation(U, on.grad, on.scale, e, g), p)
            total += real(0.5) * on.eta[e] * on.weight[g, e] * wp.dot(r, r) - wp.dot(P * on.area[g, e], r)
        value[e] = total

    @t.kernel
    def gradient(
        start: int,
        # mesh:
        on: Held, table: wp.array(dtype=params),
        # in:
        x: wp.array(dtype=t.position),
        # out:
        corner: vectors,
    ):  # fmt: skip
        e = start + wp.tid()
        p = table[on.of[e]]
        U = load(x, on.nodes, e)
        for g in range(on.weight.shape[0]):
            r = vec3(moved(x, on.nodes, on.shape, e, g) - on.target[g, e])
            F = deformation(U, on.grad, on.scale, e, g)
            f = on.eta[e] * on.weight[g, e] * r - law.stress(F, p) * on.area[g, e]
            D = law.differential(F, wp.outer(r, on.area[g, e]), p)
            for i in range(on.nodes.shape[0]):
                part = on.shape[g * k + i, e] * f - D * of_gradient(on.grad, on.scale, e, g, i)
                if g == 0:
                    corner[i, e] = part
                else:
                    corner[i, e] = corner[i, e] + part

    @t.kernel
    def tangent(
        start: int,
        # mesh:
        on: Held, table: wp.array(dtype=params), project: wp.int32,
        # in:
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3),
        # out:
        corner: vectors,
    ):  # fmt: skip
        """The penalty alone where it must not be negative."""
        e = start + wp.tid()
        p = table[on.of[e]]
        U = load(x, on.nodes, e)
        for g in range(on.weight.shape[0]):
            dr = vec3(moved(d, on.nodes, on.shape, e, g))
            f = on.eta[e] * on.weight[g, e] * dr
            D = mat33()
            if project == 0:
                r = vec3(moved(x, on.nodes, on.shape, e, g) - on.target[g, e])
                F = deformation(U, on.grad, on.scale, e, g)
                dF = deformation(load(d, on.nodes, e), on.grad, on.scale, e, g)
                f -= law.differential(F, dF, p) * on.area[g, e]
                D = law.differential(F, wp.outer(dr, on.area[g, e]), p) + second(F, dF, wp.outer(r, on.area[g, e]), p)
            for i in range(on.nodes.shape[0]):
                part = on.shape[g * k + i, e] * f - D * of_gradient(on.grad, on.scale, e, g, i)
                if g == 0:
                    corner[i, e] = part
                else:
                    corner[i, e] = corner[i, e] + part

    return SimpleNamespace(energy=energy, gradient=gradient, tangent=tangent, blocks=_blocks_kernel(t, law, second, params))


def _blocks_kernel(t: Types, law: Functions, second: wp.Function, params: type) -> wp.Kernel:
    k, cell, Held, moved = 8, element_functions(t, 8, Form.CUBIC), held_struct(t.precision), moved_function(t)
    real, vec3, mat33, mat99, half, (left, right) = t.real, t.vec3, t.mat33, t.mat99, t.matrix(3, 9), contraction(t)
    load, deformation, of_gradient = cell.load, cell.deformation, cell.gradient

    def bent(F: mat33, G: mat33, p: params):
        """9×9 matrix of ∂²P/∂F² : G."""
        M = mat99()
        c = int(0)
        while c < 9:
            dF = mat33()
            dF[c // 3, c % 3] = real(1.0)
            dP = second(F, dF, G, p)
            for r in range(9):
                M[r, c] = dP[r // 3, r % 3]
            c += 1
        return M

    bent = t.function(f"bent_{t.module.name}", bent)

    @t.kernel
    def blocks(
        start: int,
        # mesh:
        on: Held, table: wp.array(dtype=params), project: wp.int32, bandwidth: wp.int32,
        # in:
        x: wp.array(dtype=t.position),
        # out: upper triangle of the element matrix, pair by pair, up to ``bandwidth`` off the diagonal
        block: wp.array2d(dtype=mat33),
    ):  # fmt: skip
        """K_ij −= Nᵢ KDⱼ + Nⱼ KDᵢᵀ with KDⱼ = ∂(P n)/∂xⱼ, K_ij += η Nᵢ Nⱼ (Eq 4.4.16–4.4.17), and the curvature of the law."""
        e = start + wp.tid()
        p = table[on.of[e]]
        U = load(x, on.nodes, e)
        for g in range(on.weight.shape[0]):
            M = mat99()
            T = mat99()
            a = on.area[g, e]
            if project == 0:
                r = vec3(moved(x, on.nodes, on.shape, e, g) - on.target[g, e])
                F = deformation(U, on.grad, on.scale, e, g)
                M = law.stiffness(F, p, False)
                T = bent(F, wp.outer(r, a), p)
            Ma = left(M, a)
            pair = int(0)
            for i in range(on.nodes.shape[0]):
                Ni = on.shape[g * k + i, e]
                Ti = half()
                Ki = mat33()
                if project == 0:
                    gi = of_gradient(on.grad, on.scale, e, g, i)
                    Ti = left(T, gi)
                    Ki = wp.transpose(right(Ma, gi))
                for j in range(i, wp.min(on.nodes.shape[0], i + bandwidth + 1)):
                    Nj = on.shape[g * k + j, e]
                    K = (on.eta[e] * on.weight[g, e] * Ni * Nj) * wp.identity(n=3, dtype=real)
                    if project == 0:
                        gj = of_gradient(on.grad, on.scale, e, g, j)
                        K -= Ni * right(Ma, gj) + Nj * Ki + right(Ti, gj)
                    if g == 0:
                        block[pair, e] = K
                    else:
                        block[pair, e] = block[pair, e] + K
                    pair += 1

    return blocks


class ClampEnergy(OfClamp, OnElements, Majorised, Energy):
    """Part of a lattice's surface held at ``target``, weakly; ``rows`` as in ElasticEnergy.

    ``eta`` [N/m³] is the same everywhere, or None for c (2μ+λ) max(1/h, A/V). Its tangent is the penalty alone when projecting.
    """

    name = "held weakly"
    recordable = ()  # no number of its launches changes

    def __init__(
        self,
        device: Device,
        lattice: Lattice,
        points: SurfacePoints,
        material: Material,
        eta: float | None = None,
        first: int = 0,
        rows: np.ndarray | None = None,
    ):
        nodes, h = lattice.nodes[points.cells], lattice.spacing
        m, q, k = len(nodes), points.xi.shape[1], 8
        cubes = {"places": 2 * points.xi - 1, "edges": np.full(m, h)}
        elements = Elements(lattice.rest, nodes, shape_gradients(points.xi) / h, points.areas, **cubes)
        super().__init__(device, elements, first)
        t = device.types
        self.points, self.given, self.material = points, eta, material
        self.N = shape_functions(points.xi)
        held = np.bincount(points.cells, points.areas.sum(axis=1), lattice.count)
        self.ratio = np.maximum(1 / h, held / (lattice.fragments.volumes * h**3))[points.cells]
        self.rows = np.zeros(m, int) if rows is None else np.asarray(rows)[points.cells]
        self.kernels = self._kernels(material)
        self.shape = device.array(self.N.reshape(m, q * k).T, t.real)
        self.grad, self.scale = on_device(device, elements)
        self.area = device.array(points.area_vectors.transpose(1, 0, 2), t.vec3)
        self.weight = device.array(points.areas.T, t.real)
        self.table = device.array(material.table(), t.vector(material.width))
        self.of = device.array(self.rows, wp.int32)
        self.eta = device.array(self._etas(material), t.real)
        self.target = device.array(points.positions.transpose(1, 0, 2), t.position)
        names = ("nodes", "shape", "grad", "scale", "area", "weight", "of", "eta", "target")
        self.held = filled(held_struct(device.precision), **{name: getattr(self, name) for name in names})

    def _kernels(self, material: Material) -> SimpleNamespace:
        return clamp_kernels(material, self.device.precision)

    def _etas(self, material: Material) -> np.ndarray:
        """(m,) η [N/m³]."""
        if self.given is not None:
            return np.full(self.count, float(self.given))
        modulus = np.atleast_1d(2 * material.mu + material.lam)
        return STRENGTH * self.ratio * (modulus[self.rows] if len(modulus) > 1 else modulus)

    def pulled_back_strength(self, material: Material, gradient: np.ndarray) -> Gradients:
        """Gradient by the parameters for that by ``eta``, where that is taken from the material."""
        rows = len(np.atleast_1d(2 * material.mu + material.lam))
        of = np.zeros(self.count, int) if rows == 1 else self.rows
        by = np.bincount(of, STRENGTH * self.ratio * gradient, rows)
        return material.pulled_back_from(moduli_of, np.stack([2 * by, by], axis=-1))

    def set_parameters(self, material: Material) -> None:
        kind = self.device.types.numpy
        self.table.assign(material.table().astype(kind))
        self.eta.assign(self._etas(material).astype(kind))
        self.material = material
        self.version += 1

    def aim(self, target: np.ndarray) -> None:
        """Say where the points (m q, 3) belong [m]."""
        target = np.asarray(target, float).reshape(self.points.positions.shape)
        self.target.assign(np.ascontiguousarray(target.transpose(1, 0, 2)))

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.energy, self.count, self.held, self.table, x, self.scalar, grain=GRAIN)
        self.add_values(out)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.kernels.gradient, self.count, self.held, self.table, x, self.corner, grain=GRAIN)
        self.gather(out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        args = (self.held, self.table, int(project), x, d, self.corner)
        self.device.launch(self.kernels.tangent, self.count, *args, grain=GRAIN)
        self.gather(out)

    def _constant_eta(self) -> wp.array:
        """η as the laplacian has it, which changes with the parameters alone."""
        return self.eta

    def laplacian(self, count: int) -> sparse.csr_matrix:
        """Σ η Nᵢ Nⱼ: the penalty, which outweighs the rest."""
        weight = self._constant_eta().numpy().astype(float)[:, None] * self.points.areas
        return self.assembled(np.einsum("mq,mqi,mqj->mij", weight, self.N, self.N), count)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        args = (self.held, self.table, int(project), self.bandwidth(self._assembly), x, self._assembly.parts)
        self.device.launch(self.kernels.blocks, self.count, *args, grain=16)
        self._assembly.add_to(pattern)
