"""Derivatives of damping by its factors and initial state.

The forces of stiffness damping are c K(at) (x − anchor). By ``at`` λᵀK(at)e has the derivative ∂³E/∂x³ : λ : e, which is
symmetric: so it is that of the tangent K(at)λ along e. This holds for K itself and not for its positive part.
"""

import functools
from functools import cached_property
from typing import Any

import numpy as np
import warp as wp

from ...elements.base import Form
from ...material.laws.bending_law import spins, turning
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ...runtime.kernel_structs import filled
from ...runtime.math3 import double_dot
from ...runtime.vectors import Sums
from ..element_functions import element_functions
from ..sensitivity import Along, Differentiable, Public, Slot, add_sum, sensitivity_kernels


def only(parts: tuple[int, ...]) -> int | None:
    """The number of the one part, or None where several share their damping."""
    return parts[0] if len(parts) == 1 else None


class OfStiffnessDamping(Differentiable):
    """Part of StiffnessDamping."""

    @property
    def undifferentiable(self) -> str | None:
        if self.exact:
            return self.elastic.undifferentiable
        return (
            "Damping(stiffness=…) takes the positive part of the elastic tangent, which has no derivative; expected "
            "Damping(stiffness=…, exact=True)"
        )

    @property
    def parameters(self) -> dict[str, Slot]:
        """The factor, and by K the parameters of the energy that is damped."""
        return {"seconds": Slot((1,), self.device.types.real)} | self.elastic.parameters

    def pulled_back(self, where: Any, gradients: dict[str, np.ndarray]) -> Public:
        rest = {name: value for name, value in gradients.items() if name != "seconds"}
        by_name = self.elastic.pulled_back(where, rest) if rest else {}
        if "seconds" in gradients:
            by_name[only(self.elastic.parts), "damping.stiffness"] = gradients["seconds"][0]
        return by_name

    @property
    def past(self) -> dict[str, Slot]:
        nodes = Slot(None, self.device.types.vec3)
        return {"anchor": nodes, "at": nodes}

    @cached_property
    def _along(self) -> Along:
        elements = self.elastic.elements
        corners = elements.rest[elements.nodes]
        size = np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2).mean(axis=1).min()
        return Along(self.device, self.count, size)

    def _pairs(self, x: wp.array, d: wp.array) -> tuple:
        self.vectors.apart(x, self.anchor, self.offset)
        return self._along.pairs(self.at, self.offset, d, self.factor)

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if not self.rate > 0:
            return
        if "seconds" in into:
            self.vectors.apart(x, self.anchor, self.offset)
            self.device.clear(self.force)
            self.product.multiply(self.rate, self.offset, self.force)
            add_sum(self.vectors.sums, 1.0, self.vectors.dots(d, self.force), into["seconds"])
        if self.exact and any(name in into for name in self.elastic.parameters):
            for place, direction in self._pairs(x, d):
                self.elastic.sensitivity(place, direction, into)

    def history(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if not self.rate > 0:
            return
        if "anchor" in into:
            self.product.multiply(-self.factor, d, into["anchor"])
        if self.exact and "at" in into:
            for place, direction in self._pairs(x, d):
                self.elastic.tangent(place, direction, into["at"])


@alone
@functools.cache
def plates_struct(precision: str) -> Any:
    t = Types(precision, "plate_structs")

    @functools.partial(wp.struct, module=t.module)
    class Plates:
        nodes: wp.array2d(dtype=wp.int32)
        grad: wp.array2d(dtype=t.vec3)
        scale: wp.array(dtype=t.real)
        weight: wp.array2d(dtype=t.real)

    return Plates


@alone
@functools.cache
def plate_kernel(k: int, precision: str) -> wp.Kernel:
    t = Types(precision, f"bending_viscosity_sensitivity_k{k}", "_derived")
    real, vec3, mat33, params = t.real, t.vec3, t.mat33, t.vector(6)
    plate = element_functions(t, k)
    load, deformation, collect, write = plate.load, plate.deformation, plate.collect, plate.write
    vectors = wp.array(dtype=vec3)

    def rate(F: mat33, A: mat33, B: mat33, floor: real):
        return double_dot(A, B) - wp.dot(turning(F, A), spins(F, floor) * turning(F, B))

    rate, Plates = t.function("bending_rate", rate), plates_struct(precision)

    @t.kernel
    def of_plates(
        start: int,
        # mesh:
        plates: Plates,
        # params:
        table: wp.array(dtype=params), factor: real,
        # in:
        at: wp.array(dtype=t.position), e: vectors, d: vectors,
        # out: factor w times the product of the rates of each plate, and by ``at`` of its corners, D times that
        value: wp.array(dtype=real), corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        i = start + wp.tid()
        F = deformation(load(at, plates.nodes, i), plates.grad, plates.scale, i, 0)
        A = deformation(load(d, plates.nodes, i), plates.grad, plates.scale, i, 0)
        B = deformation(load(e, plates.nodes, i), plates.grad, plates.scale, i, 0)
        dF, dA, _dB, _floor = wp.grad(rate)(F, A, B, table[i][5])
        w = factor * plates.weight[0, i]
        value[i] = w * wp.ddot(A, dA)  # linear in A
        write(collect(w * table[i][0] * dF, plates.grad, plates.scale, i, 0), i, corner)

    return of_plates


class OfBendingViscosity(Differentiable):
    """Part of BendingViscosity, whose matrix is Σ w D of the rates of curvature of each plate less those of turning at ``at``."""

    undifferentiable = None

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"stiffness": Slot((self.elastic.count,), self.device.types.real)}

    def pulled_back(self, where: Any, gradients: dict[str, np.ndarray]) -> Public:
        return {(only(self.parts_damped), "damping.viscosity"): np.sum(gradients["stiffness"] * self.per_viscosity)}

    @functools.cached_property
    def _mesh(self) -> Any:
        h = self.elastic
        return filled(plates_struct(self.device.precision), nodes=h.nodes, grad=h.grad, scale=h.scale, weight=h.weight)

    def _plates(self, x: wp.array, d: wp.array) -> None:
        self.vectors.apart(x, self.anchor, self.offset)
        h, kernel = self.elastic, plate_kernel(self.elastic.k, self.device.precision)
        self.device.launch(
            kernel, h.count, self._mesh, h.table, self.factor, self.at, self.offset, d, h.scalar, h.corner, grain=512
        )

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if self.rate > 0 and "stiffness" in into:
            self._plates(x, d)
            kernel = sensitivity_kernels(self.device.precision).accumulate
            self.device.launch(kernel, self.elastic.count, 1.0, self.elastic.scalar, into["stiffness"])

    def history(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if not self.rate > 0:
            return
        if "anchor" in into:
            self.product.multiply(-self.factor, d, into["anchor"])
        if "at" in into:
            self._plates(x, d)
            self.elastic.gather(into["at"])


@alone
@functools.cache
def strain_kernel(k: int, form: Form, precision: str) -> wp.Kernel:
    """The transpose of ``viscous_kernels``: from the strain a step counts from to where it began and is expected to end."""
    t = Types(precision, f"viscous_sensitivity_{form.named(k)}")
    real, vec3, mat33, params = t.real, t.vec3, t.mat33, t.vector(7)
    of_element = element_functions(t, k, form)
    load, deformation, collect, write = of_element.load, of_element.deformation, of_element.collect, of_element.write

    @t.kernel
    def of_strain(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32), grad: wp.array2d(dtype=vec3), scale: wp.array(dtype=real),
        # params:
        before: wp.int32,
        # in: by the table of Viscous
        value: wp.array(dtype=params), at: wp.array(dtype=t.position), anchor: wp.array(dtype=t.position),
        # out: by the corners of the anchor where ``before`` is 1, else by those of ``at``
        corner: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        e = start + wp.tid()
        p = value[e]
        half = real(0.5)
        S = mat33(p[1], half * p[4], half * p[5], half * p[4], p[2], half * p[6], half * p[5], half * p[6], p[3])
        F = deformation(load(anchor, nodes, e), grad, scale, e, 0)
        G = deformation(load(at, nodes, e), grad, scale, e, 0)
        P = (F - G) * S
        if before == 1:
            P = G * S
        write(collect(P, grad, scale, e, 0), e, corner)

    return of_strain


class OfViscosity(Differentiable):
    """Part of Viscosity: E = η rate |E(x) − E₀|², E₀ = E(anchor) − ½ ΔᵀΔ, Δ = F(at) − F(anchor)."""

    @property
    def parameters(self) -> dict[str, Slot]:
        return {"viscosity": Slot((1,), self.device.types.real)}

    def pulled_back(self, where: Any, gradients: dict[str, np.ndarray]) -> Public:
        return {(only(self.parts_damped), "damping.viscosity"): gradients["viscosity"][0]}

    @property
    def past(self) -> dict[str, Slot]:
        nodes = Slot(None, self.device.types.vec3)
        return {"anchor": nodes, "at": nodes}

    @cached_property
    def _first_entry(self) -> tuple[Sums, wp.array]:
        return Sums(self.device, np.array([0, self.count])), self.device.zeros(self.count, self.device.types.real)

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if self.rate > 0 and "viscosity" in into:
            sums, entry = self._first_entry
            kernel = entry_kernel(self.device.precision)
            self.device.launch(kernel, self.count, self.element_sensitivity(x, d), entry)
            add_sum(sums, self.rate, sums.parts(sums.kernels.sum_chunk, entry), into["viscosity"])

    def history(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if not self.rate > 0:
            return
        value, kernel = (
            self.element_sensitivity(x, d),
            strain_kernel(self.k, self.elements.form, self.device.precision),
        )
        mesh = (self.nodes, self.grad, self.scale)
        for before, name in ((1, "anchor"), (0, "at")):
            if name in into:
                args = (*mesh, before, value, self.at, self.anchor, self.corner)
                self.device.launch(kernel, self.count, *args, grain=512)
                self.gather(into[name])


@alone
@functools.cache
def entry_kernel(precision: str) -> wp.Kernel:
    t = Types(precision, "viscous_sensitivity_entry")
    params = t.vector(7)

    @t.kernel
    def first_entry(start: int, values: wp.array(dtype=params), out: wp.array(dtype=t.real)):
        i = start + wp.tid()
        out[i] = values[i][0]

    return first_entry
