"""How the strain of a plastic body is divided: Plastic(law, yield_stress, flow=flow.Additive())."""

from pliant.arguments.argument_errors import published
from pliant.material.plasticity.plastic_law import Additive, Multiplicative

__all__ = ["Additive", "Multiplicative"]

published(__name__)
