"""Linear systems over nodes."""

from .direct import Direct
from .pcg import PCG

__all__ = ["PCG", "Direct"]
