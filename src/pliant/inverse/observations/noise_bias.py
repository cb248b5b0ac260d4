"""How far noise alone puts points from a surface: where it is curved, nearest distances are not 0 on average.

A point s + n of a surface, n normal with standard deviation σ in each coordinate, is σ²(κ₁ + κ₂)/2 outside of it on average while
σκ is small; where noise reaches across a body the nearest place is on the wrong side besides. Least squares of such distances
swells the body with whatever parameters do that. So noise is drawn and put on the surface of the run as well, at the places that
are nearest to the points of a frame, and the distances that come of it are averaged over draws that end next to one another.
Given its nearest place the distance of a point less that average is 0 on average at the true parameters, whatever curvature and
noise are, and therefore so is Jᵀr.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from .surface_hits import Met
from .surface_places import Surfaces

DRAWS = 20_000  # in each frame at least, as far as MOST for each point allow
MOST = 16  # pairs of draws for each point
TOGETHER = 24  # draws that are averaged


class Distances(NamedTuple):
    """Of n points: signed distances d (n,), nearest ``places`` (n, 3) and ways u (n, 3) from there, ∂d/∂point."""

    d: np.ndarray
    places: np.ndarray
    u: np.ndarray


def distances(met: Met, q: np.ndarray) -> Distances:
    """Those of points q (n, 3) that meet a surface."""
    d, u = met.values, met.by_point
    return Distances(d, q - d[:, None] * u, u)


def expected(surfaces: Surfaces, x: np.ndarray, near: Distances, sigma: float, seed: int) -> np.ndarray:
    """(n,) what noise of ``sigma`` [m] in each coordinate does on average to distances of points next to places of a surface.

    All nodes are at x. Draws come in pairs of both signs, for the same number of them whatever the positions are.
    """
    n = len(near.d)
    pairs = int(np.clip(DRAWS // (2 * n), 1, MOST))
    noise = sigma * np.random.default_rng(seed).normal(size=(pairs, n, 3))
    q = (near.places + np.concatenate([noise, -noise])).reshape(-1, 3)
    drawn = distances(surfaces.away(x, q), q)
    together = min(TOGETHER, len(drawn.d))
    # both sides of what is thin are next to each other, but not the ways from them
    tree = cKDTree(np.hstack([drawn.places, sigma * drawn.u]))
    beside = tree.query(np.hstack([near.places, sigma * near.u]), k=together)[1].reshape(n, together)
    return drawn.d[beside].mean(axis=1)
