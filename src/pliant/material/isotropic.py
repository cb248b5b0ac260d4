"""Isotropic laws in principal stretches."""

from dataclasses import dataclass

from ..runtime.device import Types
from .base import Elastic
from .functions import Functions
from .spectral import of_dimension


@dataclass(frozen=True, kw_only=True, eq=False)
class Isotropic(Elastic):
    """An isotropic law: ``energy(F, p)`` and ``principal(s, p) -> (∂ψ/∂s, ∂²ψ/∂s²)``; closed forms of stress and
    differential, and of the tangent for element matrices as ``closed(F, p)`` or ``polar(F, p)``, where it has them,
    ``energy_stress(F, p)`` where the two share work, and ``stretched(s, p)``, the energy of stretches, where ``energy`` takes F
    apart. A projective law adds ``nearest(s, p)``, k times the stretches nearest in its set."""

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        law = type(self)
        keys = ("energy", "principal", "stretched", "stress", "energy_stress", "differential", "closed", "polar")
        own = {key: getattr(law, key, None) for key in (*keys, "nearest", "projection")}
        if own["principal"] is None:
            return super().functions(t, dimension)
        return of_dimension(law.__name__, Functions(**own), t, dimension)
