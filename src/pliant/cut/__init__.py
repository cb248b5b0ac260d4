"""Cuts: a blade, the faces along it, the opened mesh."""

from .blade import Blade as Blade

__all__ = ["Blade"]
