"""Goodness of fit: whether residuals are independent noise.

Of independent residuals with mean 0, of any size, products r_i r_j of different pairs are uncorrelated: the sum
over pairs has the variance Σ r_i² r_j² on average, and divided by its root it is standard normal for many pairs (de Jong 1987,
Theorem 2.1). It is Moran's I (1950) with another scale. The fit has removed the projection P onto the columns of J
from the residuals, and s² Σ P_ij from the mean of that sum (Cliff and Ord 1981, chapter 8); this is added again.

Of n dependent residuals the effective number is n/f: of T frames f = 1 + 2 Σ (1 − l/T) ρ(l) (Bayley and Hammersley
1946), of m places f = 1 + (m − 1) times the mean ρ of pairs, and of both the product. Sums of estimated ρ end where they are
no longer positive (Geyer 1992, section 3.3), which here is two standard errors above 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.spatial import cKDTree

from .robust_loss import Loss

NONE = (np.nan, np.nan)
LEVEL = 1e-3  # false positive rate of each test
SIZE = 1.1  # times sigma: assumed accuracy of sigma
LATE = 0.5  # of the squares of residuals: a clock offset that explains more is reported
ROUGH = 2.0  # the same where outliers are about
EXACT = 1e-6  # of the change of residuals over the whole range of a number: less is rounding of runs
FLAT = 0.05  # least curvature of robust losses
WRONG = 0.02  # of that range: residuals so large may be those of another minimum
ABSURD = 5.0  # times sigma: the same
CLIP = 3.0  # robust standard deviations at which residuals are clipped in correlations
PLACES = 400  # residuals compared in each frame
FRAMES = 100  # pairs of frames compared at each time lag
SHOWN = 300  # of those pairs, kept for a chart
RINGS = 12  # of distances in space
ENOUGH = 2.0  # standard errors, above which a correlation is significant


@dataclass(frozen=True, eq=False)
class Spot:
    """The sites of a frame's residuals: ``places`` (n, 3) and ``kinds`` (n,), such as an axis, alike among comparable ones."""

    observation: int
    rows: slice
    places: np.ndarray
    kinds: np.ndarray


class Robust(NamedTuple):
    """The loss of an observation, and the scale of its residuals."""

    loss: Loss
    scale: float


@dataclass(frozen=True)
class Goodness:
    """Tests of one observation: the size of its residuals, and their correlations from frame to frame and between neighbours.

    ``size`` is the root of their mean square, in the ``unit``, which is "sigma" where that was stated; ``chi`` the probability
    that noise of that sigma leaves as much. ``along`` and ``near`` are correlations from one frame to the next and between
    neighbours with the probability that independent residuals show as much; NaN where there is nothing to compare. ``count``
    residuals are worth ``effective`` independent ones. Of a robust loss ``curvature`` is its second derivative over the one
    that J knows. ``far``: they are as large as the effect of 2 % of the range of a number. ``clock``
    has by how much another delay would lower the squares of correlated residuals, and the change [s]; ``pairs`` (k, 2) some
    residuals, each with the one of the same thing a frame later.
    """

    observation: int
    count: int
    size: float
    unit: str
    chi: float
    along: tuple[float, float]
    near: tuple[float, float]
    effective: float
    curvature: float | None
    far: bool
    clock: tuple[float, float] | None = None
    pairs: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)), repr=False, compare=False)

    @property
    def large(self) -> bool:
        """Whether residuals exceed noise of the stated sigma; for robust losses, twice that."""
        return self.unit == "sigma" and (
            self.size > ROUGH if self.curvature is not None else self.size > SIZE and self.chi < LEVEL
        )

    @property
    def correlated(self) -> bool:
        """Whether residuals are correlated."""
        return self.along[1] < LEVEL or self.near[1] < LEVEL

    @property
    def absurd(self) -> bool:
        """Whether another minimum may explain far more."""
        return self.correlated and (self.size > ABSURD if self.unit == "sigma" else self.far)

    def __str__(self) -> str:
        parts = [f"{self.size:.4g} {self.unit}" + (f" ({chance(self.chi)})" if np.isfinite(self.chi) else "")]
        for name, (rho, p) in self._correlations:
            if np.isfinite(rho):
                parts.append(f"correlation {name} {rho:+.2f} ({chance(p)})")
        if self.effective < self.count:
            parts.append(f"{self.count} residuals worth {self.effective:.0f}")
        return ", ".join(parts)

    def sentence(self, several: bool, converged: bool = True) -> str | None:
        """A warning about the values, if any."""
        if not (self.large or self.correlated):
            return None
        of = f" of observation {self.observation}" if several else ""
        parts = [f"are {self.size:.3g} times sigma"] if self.large else []
        where = [f"{name} ({rho:+.2f})" for name, (rho, p) in self._correlations if p < LEVEL]
        if where:
            parts.append(f"are correlated {' and '.join(where)}, as noise is not")
        worth = f", which count {self.count} residuals as {self.effective:.0f}" if self.effective < self.count else ""
        why = "the model, the clock or the mesh does not explain the observation"
        why, late = why if converged else "the search has not come to a minimum", ""
        if self.clock is not None and self.clock[0] > LATE:
            late = f"; a delay changed by {1e3 * self.clock[1]:+.3g} ms would explain {100 * self.clock[0]:.0f} % of it: free "
            late += f'(None, "observation {self.observation}.delay")'
        return f"residuals{of} {' and '.join(parts)}: {why}, and that error is not in the intervals{worth}{late}"

    @property
    def _correlations(self) -> tuple[tuple[str, tuple[float, float]], ...]:
        return ("from frame to frame", self.along), ("between neighbours", self.near)


def chance(p: float) -> str:
    """A probability as short text."""
    return "p < 1e-9" if p < 1e-9 else f"p = {p:.2g}"


class Worth(NamedTuple):
    """The data of a covariance: the ``noise`` of residuals, their effective number, and ``factors`` (n,).

    A factor is by how much the variance of what a residual pulls exceeds that of an independent one of this noise.
    """

    noise: float
    effective: float
    factors: np.ndarray

    @classmethod
    def of(cls, residuals: np.ndarray, jacobian: np.ndarray, good: Sequence[Goodness], spots: list[Spot]) -> Worth:
        """Robust losses bound what outliers pull and not what they leave: of those each residual has its own variance, r² (White
        1980), and J knows g'² where the loss bends by ψ' (Huber 1981, section 7.6)."""
        n, p = jacobian.shape
        effective = sum(one.effective for one in good)
        noise = float(residuals @ residuals) / n * effective / max(effective - p, 1.0)
        if any(one.curvature is not None for one in good):
            noise = sum(one.count * one.size**2 for one in good) / n
        factors = np.empty(n)
        for spot in spots:
            one = good[spot.observation]
            own = 1.0
            if one.curvature is not None:
                own = residuals[spot.rows] ** 2 * (n / max(n - p, 1) / max(noise, 1e-300)) / one.curvature**2
            factors[spot.rows] = own * one.count / one.effective
        return cls(float(np.sqrt(noise)), effective, factors)


def goodness(
    residuals: np.ndarray, jacobian: np.ndarray | None, spots: list[Spot], units: list[str], robust: list[Robust | None]
) -> tuple[Goodness, ...]:
    """Of each observation; ``jacobian`` (n, p) has the derivatives by shares of what was fitted, None where it is not known.

    Of ``robust`` losses the size is 1.4826 times the median (Huber 1981, section 5.1), of which no chi-square test is made.
    """
    basis = np.zeros((len(residuals), 0)) if jacobian is None else _basis(jacobian)
    reach = 0.0 if jacobian is None or not jacobian.size else float(np.sqrt(np.mean(jacobian**2, axis=0).max()))
    out = []
    for number, (unit, loss) in enumerate(zip(units, robust)):
        own = [spot for spot in spots if spot.observation == number]
        out.append(_tested(residuals, basis, own, unit, loss, reach))
    return tuple(out)


def timed(one: Goodness, residuals: np.ndarray, jacobian: np.ndarray, by_delay: np.ndarray) -> Goodness:
    """With the effect of another clock offset, to first order: ``by_delay`` (n,) are derivatives of the residuals."""
    basis = _basis(jacobian)
    way = by_delay - basis @ (basis.T @ by_delay)  # the part that fitted numbers cannot explain as well
    size, square = float(way @ way), float(residuals @ residuals)
    if not size > 0:
        return one
    pull = float(way @ residuals)
    return replace(one, clock=(pull**2 / (size * square), -pull / size))


def _tested(
    residuals: np.ndarray, basis: np.ndarray, own: list[Spot], unit: str, robust: Robust | None, reach: float
) -> Goodness:
    """That of one observation; ``reach`` is what the whole range of a number does to residuals."""
    rows = np.concatenate([np.arange(spot.rows.start, spot.rows.stop) for spot in own])
    r, count = residuals[rows], len(rows)
    freedom = max(count - float(np.sum(basis[rows] ** 2)), 1.0)
    size, chi, bend = float(np.sqrt(r @ r / freedom)), np.nan, None
    if robust is not None:
        axes = 3 if len(np.unique(own[0].kinds)) == 3 else 1  # roots of a vector's three axes make that of its length
        bend = max(robust.loss.curvature(robust.scale * np.linalg.norm(r.reshape(-1, axes), axis=1), axes), FLAT)
        size = float(1.4826 * np.median(np.abs(r)))
    elif unit == "sigma":
        chi = float(stats.chi2.sf(r @ r, freedom))
    found = Goodness(own[0].observation, count, size, unit, chi, NONE, NONE, float(count), bend, size > WRONG * reach)
    if size <= EXACT * reach:
        return replace(found, chi=np.nan)
    # those of rays that slip off an edge are many times the others: clipped, as independent as before
    most = CLIP * 1.4826 * float(np.median(np.abs(r)))
    clipped = np.clip(residuals, -most, most) if most > 0 else residuals
    noise, later = float(np.sum(clipped[rows] ** 2)) / freedom, _later(own, 1)
    along, near = (_independent(clipped, pairs, basis, noise) for pairs in (later, _neighbours(own)))
    factor = _of_frames(clipped, own) if along[1] < LEVEL else 1.0
    factor *= _of_places(clipped, own) if near[1] < LEVEL else 1.0
    pairs = residuals[later[_some(len(later), SHOWN)]]
    return replace(found, along=along, near=near, effective=max(count / factor, 1.0), pairs=pairs)


def _basis(jacobian: np.ndarray) -> np.ndarray:
    """(n, k) orthonormal columns that span those of J."""
    size = np.sqrt(np.sum(jacobian**2, axis=0))
    if not (size > 0).any():
        return np.zeros((len(jacobian), 0))
    u, s, _ = np.linalg.svd(jacobian[:, size > 0] / size[size > 0], full_matrices=False)
    return u[:, s > 1e-9 * s[0]]


def _independent(r: np.ndarray, pairs: np.ndarray, basis: np.ndarray, noise: float) -> tuple[float, float]:
    """The correlation of pairs (k, 2) and the probability that independent residuals show as much."""
    if len(pairs) < 2:
        return NONE
    i, j = pairs.T
    products = r[i] * r[j]
    scale = np.sqrt(np.sum(products**2))
    size = np.sqrt(np.sum(r[i] ** 2) * np.sum(r[j] ** 2))
    if not (scale > 0 and size > 0):
        return NONE
    total = float(products.sum()) + noise * float(np.sum(basis[i] * basis[j]))
    return float(products.sum() / size), float(stats.norm.sf(total / scale))


def _some(count: int, most: int) -> np.ndarray:
    """Up to ``most`` of so many numbers, evenly."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(int)


def _by_kind(spot: Spot) -> Iterator[tuple[int, np.ndarray]]:
    for kind in np.unique(spot.kinds):
        yield int(kind), np.flatnonzero(spot.kinds == kind)


def _later(own: list[Spot], lag: int) -> np.ndarray:
    """(k, 2) residuals of a frame, and those nearest to them so many frames later."""
    pairs = [np.zeros((0, 2), int)]
    for t in _some(len(own) - lag, FRAMES) if len(own) > lag else ():
        here, then = own[t], own[t + lag]
        later = dict(_by_kind(then))
        for kind, which in _by_kind(here):
            if kind not in later:
                continue
            which, others = which[_some(len(which), PLACES)], later[kind]
            away, near = cKDTree(then.places[others]).query(here.places[which])
            if len(np.unique(here.kinds)) > 1:  # a track that is hidden then has no partner
                which, near = which[away == 0], near[away == 0]
            pairs.append(np.column_stack([which + here.rows.start, others[near] + then.rows.start]))
    return np.concatenate(pairs)


def _neighbours(own: list[Spot]) -> np.ndarray:
    """(k, 2) pairs of residuals that are nearest to each other in a frame."""
    pairs = [np.zeros((0, 2), int)]
    for spot in own:
        for _, which in _by_kind(spot):
            if len(which) > 1:
                some = _some(len(which), PLACES)
                near = cKDTree(spot.places[which]).query(spot.places[which[some]], k=2)[1]
                partner = np.where(near[:, 0] == some, near[:, 1], near[:, 0])
                both = np.sort(np.column_stack([which[some], which[partner]]), axis=1)
                pairs.append(np.unique(both, axis=0) + spot.rows.start)
    return np.concatenate(pairs)


def _of_frames(r: np.ndarray, own: list[Spot]) -> float:
    """The variance factor of correlation in time."""
    frames = len(own)
    lags = np.unique(np.geomspace(1, frames - 1, min(frames - 1, 16)).round().astype(int))
    known, rho = [0], [1.0]
    for lag in lags:
        value, error = _correlation(r, _later(own, int(lag)))
        if value < ENOUGH * error:
            break
        known.append(int(lag))
        rho.append(value)
    every = np.arange(1, known[-1] + 1)
    return float(1 + 2 * np.sum((1 - every / frames) * np.interp(every, known, rho)))


def _of_places(r: np.ndarray, own: list[Spot]) -> float:
    """The variance factor of correlation in space, from rings of distances."""
    products, squares, aways, most = [], [], [], 1
    for spot in own:
        for _, which in _by_kind(spot):
            most = max(most, len(which))
            which = which[_some(len(which), PLACES // 2)]
            i, j = np.triu_indices(len(which), 1)
            away = np.linalg.norm(spot.places[which[i]] - spot.places[which[j]], axis=1)
            here = r[which + spot.rows.start]
            products.append(here[i] * here[j])
            squares.append(0.5 * (here[i] ** 2 + here[j] ** 2))
            aways.append(away)
    product, square, away = (np.concatenate(parts) for parts in (products, squares, aways))
    ends = np.quantile(away, np.linspace(0, 1, RINGS + 1))
    ring = np.clip(np.searchsorted(ends, away, side="right") - 1, 0, RINGS - 1)
    mean = 0.0
    for number in range(RINGS):
        chosen = ring == number
        if chosen.any():
            value = float(product[chosen].sum() / max(square[chosen].sum(), 1e-300))
            if value < ENOUGH * float(np.sqrt(np.sum(product[chosen] ** 2))) / max(square[chosen].sum(), 1e-300):
                break
            mean += value * chosen.mean()
    return 1 + (most - 1) * mean


def _correlation(r: np.ndarray, pairs: np.ndarray) -> tuple[float, float]:
    """That of pairs (k, 2), and its standard error if there were none."""
    if not len(pairs):
        return 0.0, np.inf
    i, j = pairs.T
    size = max(float(np.sqrt(np.sum(r[i] ** 2) * np.sum(r[j] ** 2))), 1e-300)
    return float(r[i] @ r[j]) / size, float(np.sqrt(np.sum((r[i] * r[j]) ** 2))) / size
