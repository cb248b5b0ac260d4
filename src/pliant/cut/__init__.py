"""Cutting: a blade, the faces of a mesh along it, and the mesh with these faces open."""

from .blade import Blade as Blade

__all__ = ["Blade"]
