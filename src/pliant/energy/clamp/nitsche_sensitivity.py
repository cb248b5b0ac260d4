"""Derivatives of weak holds by law, strength and target.

d·∂E/∂x = Σ η w r·δr − P a·δr − (∂P/∂F : δF) a·r, r = x − x_D. Laws of this form are linear in their parameters, as their
stress is in the stretches, so that the derivative by a parameter is the law at 1 for that one and 0 for the others.
"""

import functools
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...elements.base import Form
from ...material.base import Material
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ..element_functions import element_functions
from ..sensitivity import Differentiable, Segments, Slot

GRAIN = 64
_BUILT: dict[tuple, wp.Kernel] = {}


@alone
def clamp_sensitivity_kernel(material: Material, precision: str) -> wp.Kernel:
    key = (material.key, material.width, precision)
    if key not in _BUILT:
        t = Types(precision, f"clamp_sensitivity_{material.key}")
        _BUILT[key] = build(t, material)
    return _BUILT[key]


def moved_function(t: Types) -> wp.Function:
    """The function that finds Σ Nᵢ xᵢ at a point of a cell."""
    position = t.position

    def moved(x: wp.array(dtype=Any), nodes: wp.array2d(dtype=wp.int32), shape: wp.array2d(dtype=t.real), e: int, g: int):
        at = position()
        for i in range(nodes.shape[0]):
            at += wp.float64(shape[g * 8 + i, e]) * position(x[nodes[i, e]])
        return at

    return t.function("moved", moved)


@alone
@functools.cache
def held_struct(precision: str) -> Any:
    """The cells that a surface runs through, with Nᵢ, place, area vector and area of each of its points, rows, η and x_D."""
    t = Types(precision, "clamp_structs")
    reals, vectors, column = wp.array2d(dtype=t.real), wp.array2d(dtype=t.vec3), wp.array(dtype=t.real)

    @functools.partial(wp.struct, module=t.module)
    class Held:
        nodes: wp.array2d(dtype=wp.int32)
        shape: reals
        grad: vectors
        scale: column
        area: vectors
        weight: reals
        of: wp.array(dtype=wp.int32)
        eta: column
        target: wp.array2d(dtype=t.position)

    return Held


def build(t: Types, material: Material) -> wp.Kernel:
    width, law, cell, moved_from = (
        material.width,
        material.functions(t),
        element_functions(t, 8, Form.CUBIC),
        moved_function(t),
    )
    real, vec3, params, Held, load = t.real, t.vec3, t.vector(width), held_struct(t.precision), cell.load
    deformation = cell.deformation

    @t.kernel
    def of_clamp(
        start: int,
        # mesh:
        on: Held, table: wp.array(dtype=params),
        # in:
        x: wp.array(dtype=t.position), d: wp.array(dtype=vec3),
        # out: by the row of each element; and added to, where they have items, by η and by x_D
        value: wp.array(dtype=params), of_eta: wp.array(dtype=real), of_target: wp.array2d(dtype=vec3),
    ):  # fmt: skip
        e = start + wp.tid()
        U, V = load(x, on.nodes, e), load(d, on.nodes, e)
        total = params()
        strength = real(0.0)
        for g in range(on.weight.shape[0]):
            a = on.area[g, e]
            r = vec3(moved_from(x, on.nodes, on.shape, e, g) - on.target[g, e])
            dr = vec3(moved_from(d, on.nodes, on.shape, e, g))
            F, dF = deformation(U, on.grad, on.scale, e, g), deformation(V, on.grad, on.scale, e, g)
            strength += on.weight[g, e] * wp.dot(r, dr)
            i = int(0)
            while i < width:
                p = params()
                p[i] = real(1.0)
                total[i] = total[i] - wp.dot(law.stress(F, p) * a, dr) - wp.dot(law.differential(F, dF, p) * a, r)
                i += 1
            if of_target.shape[0] > 0:
                pull = law.differential(F, dF, table[on.of[e]]) * a
                of_target[g, e] = of_target[g, e] + pull - (on.eta[e] * on.weight[g, e]) * dr
        value[e] = total
        if of_eta.shape[0] > 0:
            of_eta[e] = of_eta[e] + strength

    return of_clamp


class OfClamp(Differentiable):
    """Part of ClampEnergy."""

    @property
    def parameters(self) -> dict[str, Slot]:
        own = {name: getattr(self, name) for name in ("table", "eta", "target")}
        kinds = {"target": self.device.types.vec3}
        return {name: Slot(a.shape, kinds.get(name, a.dtype)) for name, a in own.items()}

    @cached_property
    def _by_row(self) -> SimpleNamespace:
        width = self.table.dtype._length_
        values = self.device.zeros(self.count, self.table.dtype)
        return SimpleNamespace(values=values, sums=Segments(self.device, self.rows, len(self.table), width))

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        t = self.device.types
        out = (into.get("eta", self.device.none(t.real)), into.get("target", self.device.none(t.vec3, 2)))
        kernel = clamp_sensitivity_kernel(self.material, self.device.precision)
        self.device.launch(kernel, self.count, self.held, self.table, x, d, self._by_row.values, *out, grain=GRAIN)
        if "table" in into:
            self._by_row.sums.add(self._by_row.values, into["table"])


class OfLinearisedClamp(Differentiable):
    """Part of LinearisedClamp, which says what it cannot."""

    parameters: dict[str, Slot] = {}

    @property
    def undifferentiable(self) -> str:
        return (
            "hold.Weakly linearises the traction of this law in each step, which has no derivatives here; expected "
            "LinearElastic, Corotated or Arap without averaged volume, or hold.Rigidly"
        )

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        return None
