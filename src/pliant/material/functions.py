"""Law device functions in one precision and dimension."""

from __future__ import annotations

from dataclasses import dataclass, fields

import warp as wp

from ..runtime.device import Types


@dataclass(eq=False)
class Functions:
    """Device functions of F, or of the principal stretches s, and the parameters p; None where a law offers none.

    Every law has ``energy(F, p)``, ``stress(F, p)``, the tangent as ``differential(F, dF, p)`` (exact), ``projected(F,
    dF, p)`` (positive semi-definite) and ``stiffness(F, p, project)`` (9×9).
    """

    energy: wp.Function | None = None
    stress: wp.Function | None = None
    differential: wp.Function | None = None
    projected: wp.Function | None = None
    stiffness: wp.Function | None = None
    energy_stress: wp.Function | None = None  # (F, p), of laws that share work between the two
    principal: wp.Function | None = None  # (s, p) → ∂ψ/∂s, ∂²ψ/∂s², of isotropic laws
    # (s, p) → ψ of stretches, none of them negative, where ``energy`` takes longer
    stretched: wp.Function | None = None
    linearise: wp.Function | None = None  # (F, p, project), the tangent in the frame of the principal stretches
    closed: wp.Function | None = None  # (F, p) → A, K, c with ∂P/∂F = c₀ 1 + c₁ A⊗A + c₂ K⊗K + c₃ ∂K/∂F, K = ∂det F/∂F
    # (F, p) → R, D, c with δP = c₀ δF + c₁ (R:δF) R + c₂ δR, D = R (tr(S) I − S)⁻¹ Rᵀ, F = R S
    polar: wp.Function | None = None
    # (F, p) → R, c with δP = c₀ δF + c₁ R δFᵀ R + c₂ (R:δF) R, of laws with R held fixed
    turned: wp.Function | None = None
    work_weights: wp.Function | None = None  # (F, D, p) → s, w with stress : D = ∂ψ/∂s · w
    nearest: wp.Function | None = None  # (s, p), k times the stretches nearest in the set of a projective law
    projection: wp.Function | None = None  # (F, p), k times the shape nearest in it
    relaxed: wp.Function | None = None  # of sheets (F, p) → U, s, V, of threads (stretch, p) → s, with no stress across
    flow: wp.Function | None = None  # of plastic laws: by how much what has flowed, and α, change in a step
    lanes: bool = False  # whether ψ = μ‖F−R‖² + λ/2 tr²(RᵀF−I) with p = (μ, λ, …), which native code knows
    name: str = ""
    parts: tuple[Functions, ...] = ()  # of a sum: the isotropic terms as one, then each of the others

    @property
    def terms(self) -> tuple[Functions, ...]:
        """The parts of a sum, or the law itself."""
        return self.parts or (self,)

    def offered(self, *names: str) -> dict[str, wp.Function]:
        """Those of ``names``, or of all, that the law has."""
        every = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in ("lanes", "name", "parts")}
        return {name: every[name] for name in names or every if every[name] is not None}


def named(t: Types, name: str, **functions) -> Functions:
    """Several device functions of the law called ``name``."""
    return Functions(**{key: t.function(f"{name}_{key}", function) for key, function in functions.items()})
