"""Splits of plastic strain: Plastic(law, yield_stress, flow=plasticity.Additive())."""

from pliant.arguments.argument_errors import published
from pliant.material.plasticity.plastic_law import Additive, Multiplicative

__all__ = ["Additive", "Multiplicative"]

published(__name__)
