"""Linear systems: matrices, factors, preconditioners, Krylov methods."""

from ..arguments.argument_errors import published
from .factor.direct import Direct
from .krylov.block_preconditioner import Block
from .krylov.gmres import GMRES
from .krylov.pcg import PCG
from .krylov.sqmr import SQMR
from .preconditioner.background_cholesky import AsyncCholesky
from .preconditioner.preconditioners import BlockJacobi, Cholesky, Jacobi
from .preconditioner.sparse_inverse import SparseInverse
from .preconditioner.two_level import TwoLevel

__all__ = [
    "GMRES", "PCG", "SQMR", "AsyncCholesky", "Block", "BlockJacobi", "Cholesky", "Direct", "Jacobi",
    "SparseInverse", "TwoLevel",
]  # fmt: skip

published(__name__)
