"""How the strain of a plastic body is divided: Plastic(law, yield_stress, flow=flow.Additive())."""

from .calls import published
from .material.plastic import Additive, Multiplicative

__all__ = ["Additive", "Multiplicative"]

published(__name__)
