"""Time integration: schemes as rows of coefficients, state, rigid bodies."""

from .explicit import CentralDifferences, SymplecticEuler
from .schemes import BDF2, HHT, ImplicitEuler, ImplicitMidpoint, LinearAcceleration, Newmark, NewmarkTheta, QuasiStatic

__all__ = [
    "BDF2",
    "HHT",
    "CentralDifferences",
    "ImplicitEuler",
    "ImplicitMidpoint",
    "LinearAcceleration",
    "Newmark",
    "NewmarkTheta",
    "QuasiStatic",
    "SymplecticEuler",
]
