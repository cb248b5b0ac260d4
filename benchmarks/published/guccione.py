"""The law of heart muscle of Guccione et al., and pressure that follows a part of a surface: for the problems of Land et al."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import warp as wp

from pliant.elements.base import Elements
from pliant.energy.loads.pressure import PressureEnergy
from pliant.extend import Material, Parameter, Step, family, math3
from pliant.geometry.mesh import tet10
from pliant.material.functions import Functions, named


@wp.func
def fibres(p: Any):
    return wp.vector(p[5], p[6], p[7])


@wp.func
def slope(E: Any, p: Any):
    """∂Q/∂E of Q = b_f E_ff² + b_t (E_ss² + E_nn² + 2 E_sn²) + 2 b_fs (E_fs² + E_fn²), which is linear in E."""
    two = E.dtype(2.0)
    d = fibres(p)
    n = E * d
    along = two * (p[1] + p[2] - two * p[3]) * wp.dot(d, n)
    return two * p[2] * E + along * wp.outer(d, d) + two * (p[3] - p[2]) * (wp.outer(n, d) + wp.outer(d, n))


@dataclass(frozen=True, kw_only=True, eq=False)
class Guccione(Material):
    """ψ = C/2 (exp Q − 1) + κ/2 (J − 1)² (Guccione, McCulloch and Waldman 1991), Q quadratic in Green's strain."""

    c: float  # [Pa]
    along: float  # b_f
    across: float  # b_t
    shear: float  # b_fs
    bulk: float  # κ [Pa]
    direction: tuple[float, float, float] = (1.0, 0.0, 0.0)  # of unit length

    PARAMETERS: ClassVar = Material.PARAMETERS | {
        "c": Parameter("Pa", "size C", 0.0),
        "along": Parameter("", "b_f", 0.0),
        "across": Parameter("", "b_t", 0.0),
        "shear": Parameter("", "b_fs", 0.0),
        "bulk": Parameter("Pa", "resistance κ to changes of volume", 0.0),
    }
    isotropic: ClassVar = False

    def table(self) -> np.ndarray:
        return np.array([[self.c, self.along, self.across, self.shear, self.bulk, *self.direction]], float)

    def without_volume(self) -> tuple[Material, np.ndarray, str]:
        return self.replaced(bulk=1e-9 * self.bulk), np.atleast_1d(self.bulk), "excess"

    def functions(self, t: Any, dimension: int = 3) -> Functions:
        real, mat33, mat99 = t.real, t.mat33, t.mat99
        half = 0.5

        def energy(F: mat33, p: Any):
            E = real(half) * (wp.transpose(F) * F - wp.identity(n=3, dtype=real))
            j = wp.determinant(F) - real(1.0)
            Q = real(half) * math3.double_dot(slope(E, p), E)
            return real(half) * (p[0] * (wp.exp(Q) - real(1.0)) + p[4] * j * j)

        def stress(F: mat33, p: Any):
            E = real(half) * (wp.transpose(F) * F - wp.identity(n=3, dtype=real))
            A = slope(E, p)
            size = real(half) * p[0] * wp.exp(real(half) * math3.double_dot(A, E))
            return F * (size * A) + p[4] * (wp.determinant(F) - real(1.0)) * math3.cofactor(F)

        def differential(F: mat33, dF: mat33, p: Any):
            E = real(half) * (wp.transpose(F) * F - wp.identity(n=3, dtype=real))
            A = slope(E, p)
            size = real(half) * p[0] * wp.exp(real(half) * math3.double_dot(A, E))
            dE = real(half) * (wp.transpose(dF) * F + wp.transpose(F) * dF)
            K = math3.cofactor(F)
            volume = math3.double_dot(K, dF) * K + (wp.determinant(F) - real(1.0)) * math3.cofactor_differential(F, dF)
            return dF * (size * A) + F * (size * (math3.double_dot(A, dE) * A + slope(dE, p))) + p[4] * volume

        def projected(F: mat33, dF: mat33, p: Any):
            """Without what turns negative: compressive stress on turning, and the curvature of the volume."""
            E = real(half) * (wp.transpose(F) * F - wp.identity(n=3, dtype=real))
            A = slope(E, p)
            size = real(half) * p[0] * wp.exp(real(half) * math3.double_dot(A, E))
            dE = real(half) * (wp.transpose(dF) * F + wp.transpose(F) * dF)
            K = math3.cofactor(F)
            S = math3.clamp_positive(size * A)
            inner = F * (size * (math3.double_dot(A, dE) * A + slope(dE, p)))
            return dF * S + inner + p[4] * math3.double_dot(K, dF) * K

        differential = t.function("Guccione_differential", differential)
        projected = t.function("Guccione_projected", projected)

        def stiffness(F: mat33, p: Any, project: bool):
            M = mat99()
            c = int(0)
            while c < 9:
                dF = mat33()
                dF[c // 3, c % 3] = real(1.0)
                dP = differential(F, dF, p)
                if project:
                    dP = projected(F, dF, p)
                for r in range(9):
                    M[r, c] = dP[r // 3, r % 3]
                c += 1
            return M

        found = named(t, "Guccione", energy=energy, stress=stress, stiffness=stiffness)
        found.differential, found.projected = differential, projected
        return found


@family
def cone_kernels(t):
    real, vec3 = t.real, t.vec3

    @t.kernel
    def cone(
        start: int,
        # mesh:
        tri: wp.array2d(dtype=wp.int32),
        factor: wp.array(dtype=real),
        # params:
        pressure: wp.array(dtype=real),
        centre: t.position,
        # in:
        x: wp.array(dtype=t.position),
        # out: p times the volume between the face and the centre
        value: wp.array(dtype=real),
    ):
        f = start + wp.tid()
        a, b, c = vec3(x[tri[0, f]] - centre), vec3(x[tri[1, f]] - centre), vec3(x[tri[2, f]] - centre)
        value[f] = pressure[0] * factor[f] * wp.dot(a, wp.cross(b, c)) / real(6.0)

    return locals()


@dataclass(frozen=True, eq=False)
class Follower:
    """Pressure [Pa] on the boundary faces of ten-node tets whose corners are all chosen, growing to its full size in 1 s.

    It turns with them. Its energy, the pressure times the volume between these faces and ``centre`` [m], is true where their rim
    moves in planes through the centre alone, as at planes of symmetry; elsewhere it has none, and steps must be taken whole.
    """

    pascals: float
    where: Callable[[np.ndarray], np.ndarray]
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def energies(self, part: Any, device: Any) -> list:
        elements: Elements = part.elements
        faces = elements.mesh.boundary_faces
        faces = faces[self.where(elements.rest)[faces[:, :3]].all(axis=1)]
        triangles = faces[:, tet10.ENCLOSING].reshape(-1, 3)
        factors = np.tile(tet10.ENCLOSING_FACTORS, len(faces))
        return [_Growing(device, triangles + part.first, part.count, -self.pascals, factors, self.centre)]


class _Growing(PressureEnergy):
    """Pressure on an open surface that grows to its full size in 1 s."""

    def __init__(self, device: Any, triangles: np.ndarray, count: int, pressure: float, factors: np.ndarray, centre):
        super().__init__(device, triangles, count, pressure, factors)
        self.full, self.centre = pressure, device.types.position(*centre)
        self.cone = cone_kernels(device.precision).cone

    def begin(self, step: Step) -> None:
        self.set(self.full * step.time)

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.device.launch(self.cone, self.faces, self.tri, self.shares, self.pascals, self.centre, x, self.scalar)
        self.sums.add_to(out, -1.0, self.sums.kernels.sum_chunk, self.scalar)
