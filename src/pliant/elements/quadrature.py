"""Quadrature rules of cut lattice cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from ..arguments import checks
from ..errors import InputError
from ..geometry.lattice.fragment_plane import SQUARE
from ..geometry.lattice.fragments import CORNERS, Fragments

# a regular tetrahedron on alternate corners of the cube: on a whole cell, alternate points of the 2×2×2 Gauss rule
_TETRAHEDRON = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
# the one that Patterson et al. print for a whole cell (§3.1), on [−1, 1]³
_PRINTED = np.sqrt([[2, 1, 0], [2, 1, 0], [0, 1, 2], [0, 1, 2]]) * [[1, 1, 1], [-1, 1, 1], [1, -1, 1], [1, -1, -1]] / np.sqrt(3)
_CUBE = 2.0 * CORNERS - 1
TURNS, UNEQUAL = 128, 1024  # rotations tried for each cell, orthogonal 4×4 matrices for the few that need them
_INSIDE = 1e-9


@dataclass(frozen=True, eq=False)
class Placed:
    """q points in each of m cells, in the cell's coordinates ξ ∈ [0, 1]³, and their weights as parts of the cell.

    ``counts`` says how many cut cells have all their points in the material, in the cell only, in the cell with unequal
    weights, and outside it.
    """

    xi: np.ndarray  # (m, q, 3)
    weights: np.ndarray  # (m, q)
    counts: dict[str, int] = field(default_factory=dict)


class Quadrature:
    """Base of the rules; a subclass has ``place``."""

    stabilised = False  # whether the rule needs the energy of energy/volume/hourglass_energy.py beside it
    at_corners = False  # whether its points are the corners of cells, on the surface too
    samples = 0  # Monte-Carlo points per cell for the integrals, 0 for exact ones

    def place(self, fragments: Fragments) -> Placed:
        """Points and weights for every fragment."""
        raise NotImplementedError(f"{type(self).__name__} needs place(fragments), as every Quadrature has")

    def in_squares(self, whole: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m, 4, 2) points in the plane's square cells and (m, 4) their weights as parts of a cell.

        ``whole`` (m,) says which cells are filled, ``weights`` (m, 4) are ∫ N_i over the material.
        """
        raise InputError(f"planar.Squares(quadrature={type(self).__name__}()): expected Gauss() or Corners()")


@dataclass(frozen=True)
class Moments(Quadrature):
    """Four equal points that match volume, first and second moments of the material (Patterson et al. 2012, §3.1).

    All such points are X_i = c + L R t_i: a regular tetrahedron t turned by R and brought to the covariance L Lᵀ about
    the centroid c. Turns are tried in a fixed order until all points are in the material; else those in the cell
    nearest to it; else points of unequal weight (Eq 10). ``samples`` > 0 takes the moments from that many random points
    per cell. ``printed`` takes the paper's own four points on whole cells, for comparison: one cell alone then has a
    seventh mode without energy.
    """

    samples: int = 0
    printed: bool = False

    def __post_init__(self):
        checks.flag("Moments(printed=…)", self.printed)
        checks.whole("Moments(samples=…)", self.samples, 0, 10**6, ", where 0 is exact")

    def place(self, fragments: Fragments) -> Placed:
        m, whole = len(fragments.values), fragments.whole
        xi = np.broadcast_to(0.5 + (0.5 * _PRINTED if self.printed else _TETRAHEDRON / np.sqrt(12)), (m, 4, 3)).copy()
        weights = np.broadcast_to(fragments.volumes[:, None] / 4, (m, 4)).copy()
        cut = np.flatnonzero(~whole)
        xi[cut], parts, counts = _matched(fragments, cut)
        weights[cut] = fragments.volumes[cut][:, None] * parts
        return Placed(xi, weights, counts)


@dataclass(frozen=True)
class Gauss(Quadrature):
    """2×2×2 Gauss points on whole cells; on cut cells the four points of Moments, each twice with half its weight."""

    def place(self, fragments: Fragments) -> Placed:
        four = Moments().place(fragments)
        xi, weights = np.tile(four.xi, (1, 2, 1)), np.tile(0.5 * four.weights, (1, 2))
        xi[fragments.whole] = 0.5 + _CUBE / np.sqrt(12)
        return Placed(xi, weights, four.counts)

    def in_squares(self, whole: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        xi, weights = Corners().in_squares(whole, weights)
        return np.where(whole[:, None, None], 0.5 + (2.0 * SQUARE - 1) / np.sqrt(12), xi), weights


@dataclass(frozen=True)
class Corners(Quadrature):
    """The eight corners with weights ∫ N_i over the material: integrands become their trilinear interpolants."""

    at_corners = True

    def place(self, fragments: Fragments) -> Placed:
        return Placed(np.broadcast_to(CORNERS.astype(float), (len(fragments.values), 8, 3)), fragments.corner_weights)

    def in_squares(self, whole: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.broadcast_to(SQUARE.astype(float), (len(whole), 4, 2)), weights


@dataclass(frozen=True)
class Centre(Quadrature):
    """One point in the middle of each cell, which counts as full: first order, with hourglass stabilisation."""

    stabilised = True

    def place(self, fragments: Fragments) -> Placed:
        m = len(fragments.values)
        return Placed(np.full((m, 1, 3), 0.5), np.ones((m, 1)))


@cache
def _turns(dimension: int, count: int) -> np.ndarray:
    """(count, d, d) orthogonal matrices, the same in every run: the identity, then ones spread evenly at random."""
    Q, R = np.linalg.qr(np.random.default_rng(dimension).standard_normal((count, dimension, dimension)))
    Q = Q * np.sign(np.einsum("mii->mi", R))[:, None, :]
    Q[0] = np.eye(dimension)
    return Q


def _matched(fragments: Fragments, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, int]]:
    """(r, 4, 3) points and (r, 4) parts of the volume in the given cells, and how they were found."""
    moments = fragments.moments[cells] / fragments.volumes[cells][:, None, None]
    c = moments[:, 0, 1:]
    L = np.linalg.cholesky(moments[:, 1:, 1:] - c[:, :, None] * c[:, None, :])
    xi, parts = np.zeros((len(cells), 4, 3)), np.full((len(cells), 4), 0.25)
    quality = np.full(len(cells), np.inf)  # 0 in the material, 1 in the cell, 2 unequal, 3 outside; plus how far off
    todo = np.arange(len(cells))
    for R in _turns(3, TURNS):
        X = c[todo, None] + np.einsum("mij,kj->mki", L[todo], _TETRAHEDRON @ R.T)
        todo = _better(fragments, cells, todo, X, None, xi, parts, quality, (0, 1, 3))
    todo = todo[quality[todo] >= 2]
    N = np.linalg.cholesky(moments)
    for Q in _turns(4, UNEQUAL)[1:]:
        M = N[todo] @ Q
        w = M[:, 0] ** 2
        X = np.swapaxes(M[:, 1:] / M[:, :1], 1, 2)
        X[w.min(axis=1) < 0.01] = np.inf
        _better(fragments, cells, todo, X, w, xi, parts, quality, (2, 2.5, 3.5))
    steps = (("material", 0, 1), ("cell", 1, 2), ("unequal", 2, 3), ("outside", 3, np.inf))
    return xi, parts, {name: int(np.sum((quality >= low) & (quality < high))) for name, low, high in steps}


def _better(fragments, cells, todo, X, w, xi, parts, quality, levels) -> np.ndarray:
    """Accept points X (r, 4, 3) of weights w where they beat those of the cells ``todo``.

    Returns the cells still in need.
    """
    out = np.maximum(np.abs(X - 0.5).max(axis=(1, 2)) - 0.5, 0.0)
    finite = np.isfinite(out)
    off = np.full(len(todo), np.inf)
    off[finite] = fragments.level(cells[todo[finite]], X[finite]).max(axis=1)
    score = np.where(out > _INSIDE, levels[2] + np.minimum(out, 0.49), levels[1] + 0.49 * np.tanh(np.maximum(off, 0)))
    score = np.where((out <= _INSIDE) & (off <= _INSIDE), levels[0], score)
    score[~finite] = np.inf
    better = score < quality[todo]
    chosen = todo[better]
    xi[chosen], quality[chosen] = X[better], score[better]
    if w is not None:
        parts[chosen] = w[better]
    return todo[quality[todo] > 0]


@dataclass(frozen=True)
class Averaged:
    """The volume of whole cells, and not of their points, resists compression (Eq 4–6): no locking up to ν = 0.4999.

    For laws of the form ψ₀ + κ/2 M². ``measure`` M is the law's own (None), "log" J or its "excess" J − 1;
    ``aggregate`` takes the measure of the mean J, else the mean of the measure. ``incompressible`` makes κ infinite,
    whatever the law's Poisson's ratio, and needs the solver Mixed().
    """

    measure: str | None = None
    aggregate: bool = False
    incompressible: bool = False

    def check_finite(self, owner: str) -> None:
        """Refuse what only pressures of lattice cells can hold."""
        if self.incompressible:
            raise InputError(
                f"{owner}(volume=Averaged(incompressible=True)): Mixed(), which alone can hold it, is for lattices; use "
                "Averaged() with poisson=0.4999, or Lattice"
            )

    def __post_init__(self):
        checks.among("Averaged(measure=…)", self.measure, ("log", "excess", None))
        for name in ("aggregate", "incompressible"):
            checks.flag(f"Averaged({name}=…)", getattr(self, name))
