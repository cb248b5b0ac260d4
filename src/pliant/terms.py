"""Laws that are added to others: NeoHookean(young=1e4) + terms.Fibres(stiffness=1e5)."""

from .calls import published
from .material.fibres import Fibres, Muscle
from .material.projective import StrainLimit, VolumePreservation

__all__ = ["Fibres", "Muscle", "StrainLimit", "VolumePreservation"]

published(__name__)
