"""Linear systems over nodes: how they are solved, Newton(linear=…), and what goes before, PCG(preconditioner=…)."""

from ..calls import published
from .asynchronous import AsyncCholesky
from .block import Block
from .direct import Direct
from .gmres import GMRES
from .pcg import PCG
from .preconditioners import BlockJacobi, Cholesky, Jacobi
from .sparse_inverse import SparseInverse
from .sqmr import SQMR
from .two_level import TwoLevel

__all__ = [
    "GMRES", "PCG", "SQMR", "AsyncCholesky", "Block", "BlockJacobi", "Cholesky", "Direct", "Jacobi",
    "SparseInverse", "TwoLevel",
]  # fmt: skip

published(__name__)
