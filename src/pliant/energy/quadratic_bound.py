"""What an energy tells the solvers that keep one matrix for a whole run: a quadratic bound that never moves."""

from __future__ import annotations

import numpy as np
import warp as wp
from scipy import sparse

from ..linear.factor.low_rank import LowRank


class Majorised:
    """Mixed into energies of which quasi-Newton and projective dynamics take part or all into their matrix.

    An energy without it is in the gradient only, which slows quasi-Newton down and rules projective dynamics out. ``bounded``
    says that the laplacian exceeds every tangent, so that ``local_step`` has a bound to give.
    """

    bounded = False

    def laplacian(self, count: int) -> sparse.csr_matrix | None:
        """A constant (count, count) matrix L such that L ⊗ I₃ stands in for the Hessian wherever the body is; None for none."""
        return None

    def laplacian_rows(self, nodes: np.ndarray, count: int) -> sparse.csr_matrix | None:
        """(k, count) its rows at some nodes, None for none; NotImplemented where they are not found without the others."""
        own = type(self)
        return None if own.laplacian is Majorised.laplacian else NotImplemented

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        """The local step of projective dynamics: out += b(x), the linear term of a quadratic bound.

        E ≤ ½ zᵀLz − b·z + constant for every z, with equality at z = x (Eq 5.6); L is the laplacian. For a
        projective energy b is J p(x) and its linear terms; False, and nothing added, where the energy has no such bound.
        """
        return False

    @property
    def stamp(self) -> tuple:
        """Changes whenever the laplacian does."""
        return ()

    @property
    def tethers(self) -> LowRank | None:
        """Stiff springs between few nodes that come and go, so that they are no part of the laplacian; None for none."""
        return None
