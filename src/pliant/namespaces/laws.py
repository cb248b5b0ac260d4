"""Laws that are added to others: NeoHookean(young=1e4) + laws.Fibres(stiffness=1e5)."""

from pliant.arguments.argument_errors import published
from pliant.material.laws.fibres import Fibres, Muscle
from pliant.material.laws.projective import StrainLimit, VolumePreservation

__all__ = ["Fibres", "Muscle", "StrainLimit", "VolumePreservation"]

published(__name__)
