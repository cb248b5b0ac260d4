"""Integrators: how a step looks back and what it minimises."""

from .schemes import BDF2, ImplicitEuler, ImplicitMidpoint, Newmark, NewmarkTheta, QuasiStatic
from .symplectic import SymplecticEuler

__all__ = ["BDF2", "ImplicitEuler", "ImplicitMidpoint", "Newmark", "NewmarkTheta", "QuasiStatic", "SymplecticEuler"]
