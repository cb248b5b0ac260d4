"""Materials: strain in, energy and stress out."""

from .corotated import Arap, Corotated, FixedCorotated
from .fibres import Fibres, Muscle
from .linear import LinearElastic
from .neo_hookean import MooneyRivlin, NeoHookean, StableNeoHookean
from .ogden import Ogden
from .projective import StrainLimit, VolumePreservation
from .stvk import StVenantKirchhoff
from .valanis_landel import ValanisLandel

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
