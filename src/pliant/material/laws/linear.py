"""Linear elasticity: ε = ½(F + Fᵀ) − I."""

from dataclasses import dataclass
from typing import Any, ClassVar

import warp as wp

from ...errors import InputError
from ...runtime.device import Types
from ...runtime.math3 import double_dot
from ..base import Elastic
from ..functions import Functions, named


@wp.func
def hooke(e: Any, p: Any):
    """2μ e + λ tr(e) I of a strain-like matrix, by its symmetric part."""
    return p[0] * (e + wp.transpose(e)) + p[1] * wp.trace(e) * wp.identity(n=3, dtype=e.dtype)


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearElastic(Elastic):
    """Hooke's law in the rest frame: ψ = μ‖ε‖² + λ/2 tr²ε. Large rotations make it swell; use Corotated there."""

    VOLUME: ClassVar = "trace"
    isotropic: ClassVar = False
    rotation_invariant: ClassVar = False

    @wp.func
    def energy(F: Any, p: Any):
        e = F - wp.identity(n=3, dtype=F.dtype)
        return F.dtype(0.5) * double_dot(hooke(e, p), e)

    @wp.func
    def stress(F: Any, p: Any):
        return hooke(F - wp.identity(n=3, dtype=F.dtype), p)

    @wp.func
    def differential(F: Any, dF: Any, p: Any):
        return hooke(dF, p)

    @wp.func
    def second_differential(F: Any, A: Any, B: Any, p: Any):
        """∂²P/∂F² : A : B."""
        return F.dtype(0.0) * F

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        law = type(self)
        if dimension != 3:
            raise InputError("LinearElastic works on solids only, since sheets and threads turn freely; use Corotated there")
        mat33, mat99, real = t.mat33, t.mat99, t.real

        def stiffness(F: mat33, p: Any, project: bool):
            M = mat99()
            c = int(0)
            while c < 9:
                dF = mat33()
                dF[c // 3, c % 3] = real(1.0)
                dP = hooke(dF, p)
                for r in range(9):
                    M[r, c] = dP[r // 3, r % 3]
                c += 1
            return M

        functions = named(t, "LinearElastic", stiffness=stiffness)
        functions.energy, functions.stress = law.energy, law.stress
        functions.differential = functions.projected = law.differential
        return functions
