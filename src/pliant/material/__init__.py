"""Material laws: strain in, energy and stress out."""

from .laws.corotated import Arap, Corotated, FixedCorotated
from .laws.fibres import Fibres, Muscle
from .laws.linear import LinearElastic
from .laws.neo_hookean import MooneyRivlin, NeoHookean, StableNeoHookean
from .laws.ogden import Ogden
from .laws.projective import StrainLimit, VolumePreservation
from .laws.stvk import StVenantKirchhoff
from .laws.valanis_landel import ValanisLandel

__all__ = [
    "Arap",
    "Corotated",
    "Fibres",
    "FixedCorotated",
    "LinearElastic",
    "MooneyRivlin",
    "Muscle",
    "NeoHookean",
    "Ogden",
    "StVenantKirchhoff",
    "StableNeoHookean",
    "StrainLimit",
    "ValanisLandel",
    "VolumePreservation",
]
