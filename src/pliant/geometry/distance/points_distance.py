"""Signed distance from oriented points, as range scanners deliver them.

Each point is a small disc of the surface. Their winding number, which is one inside and zero outside, solves a Poisson
equation: Δχ = ∇·(sum of the discs' normals times areas), with the sign that makes χ fall outwards. It is solved with
Fourier transforms on the grid after the discs have been spread over a Gaussian, which also evens out noise; holes are
bridged by smooth membranes. The level that makes the surface is the one that the points themselves lie at, nearby.
"""

from __future__ import annotations

import numpy as np

from ...arguments import checks
from ...errors import InputError, first_few
from ..mesh.mesh import PointCloud
from .level_set import distances_to_level
from .sdf import SAMPLES, Sdf

NEIGHBOURS = 8  # points that share the disc around a point
MARGIN = 6  # samples around the points; twice as many before the solution repeats itself


def from_points(cloud: PointCloud, spacing: float | None = None, smooth: float = 1.5) -> Sdf:
    """The closed surface that passes through points with normals, as signed distances on a grid.

    Points may be noisy and uneven; noise is averaged over about ``smooth`` spacings, and details smaller than that are
    lost. Where the points leave a hole, it is bridged.

    Args:
        cloud: points [m] with outward normals.
        spacing: distance between samples [m]; the median distance between neighbouring points by default.
        smooth: width (sigma) of the averaging, in spacings.
    """
    checks.instance("cloud", cloud, PointCloud, "a PointCloud with normals")
    if cloud.normals is None:
        raise InputError("the PointCloud has no normals; expected one for each point, pointing outward")
    if len(cloud.vertices) < 2 * NEIGHBOURS:
        raise InputError(f"the PointCloud has {len(cloud.vertices)} points; expected at least {2 * NEIGHBOURS}")
    length = np.linalg.norm(cloud.normals, axis=1)
    bad = np.flatnonzero(length < 1e-12)
    if len(bad):
        raise InputError(f"{len(bad)} of {len(length)} normals are zero, first at {first_few(bad)}; expected directions")
    smooth = checks.number("smooth", smooth, 0.5, 20, "a number of spacings from 0.5 to 20")
    areas, between = _discs(cloud.vertices)
    spacing = between if spacing is None else checks.length("spacing", spacing)
    low, high = cloud.bounds
    margin = int(np.ceil(MARGIN + 2.0 * smooth))
    shape = np.ceil((high - low) / spacing) + 2 * margin + 1
    if np.prod(shape) * 8 > 4 * SAMPLES:
        fits = spacing * (np.prod(shape) * 2 / SAMPLES) ** (1 / 3) * 1.02
        raise InputError(f"spacing {spacing:g} m needs {np.prod(shape):.3g} samples; use at least {fits:.3g} m")
    shape = shape.astype(int)
    origin = 0.5 * (low + high) - 0.5 * spacing * (shape - 1)
    index = (cloud.vertices - origin) / spacing
    winding = _winding(index, cloud.normals / length[:, None] * (areas / spacing**2)[:, None], shape, smooth)
    field = winding - _level_nearby(winding, index, areas, smooth)
    return Sdf.from_grid(distances_to_level(field, np.full(3, float(spacing))), origin, float(spacing))


def _discs(points: np.ndarray) -> tuple[np.ndarray, float]:
    """(n,) area of the surface that each point stands for [m²], and the median distance between neighbours [m]."""
    from scipy.spatial import cKDTree

    reach = cKDTree(points).query(points, k=NEIGHBOURS + 1, workers=-1)[0]
    between = float(np.median(reach[:, 1:3]))
    if not between > 0:
        raise InputError("most points of the PointCloud coincide; expected them spread over a surface")
    widest = reach[:, -1]
    return np.pi * np.minimum(widest, 20.0 * np.median(widest)) ** 2 / (NEIGHBOURS + 0.5), between


def _winding(index: np.ndarray, vectors: np.ndarray, shape: np.ndarray, smooth: float) -> np.ndarray:
    """(nx, ny, nz) winding number of small discs, each ``vectors`` (normal times area, in cells) at ``index``."""
    from scipy.fft import irfftn, next_fast_len, rfftn

    size = [next_fast_len(int(2 * n), real=True) for n in shape]  # room around, so that the copies are far
    waves = [2.0 * np.pi * np.fft.fftfreq(n) for n in size[:2]] + [2.0 * np.pi * np.fft.rfftfreq(size[2])]
    kx, ky, kz = np.meshgrid(*waves, indexing="ij", sparse=True)
    square = kx**2 + ky**2 + kz**2
    square[0, 0, 0] = 1.0
    total = np.zeros(square.shape, dtype=complex)
    for axis, k in enumerate((kx, ky, kz)):
        total += 1j * k * rfftn(_spread(index, vectors[:, axis], size), workers=-1)
    hat = total / square * np.exp(-0.5 * max(smooth**2 - 1.0 / 3.0, 0.0) * square)  # linear spreading adds a third
    hat[0, 0, 0] = 0.0
    chi = irfftn(hat, size, workers=-1)
    chi -= chi[-1, -1, -1]  # zero far away
    return chi[: shape[0], : shape[1], : shape[2]]


def _spread(index: np.ndarray, weights: np.ndarray, shape) -> np.ndarray:
    """Weights at places between samples, shared by the eight around."""
    base = np.floor(index).astype(np.int64)
    part = index - base
    out = np.zeros(int(np.prod(shape)))
    for corner in range(8):
        step = np.array([corner >> 2 & 1, corner >> 1 & 1, corner & 1])
        share = np.prod(np.where(step, part, 1.0 - part), axis=1)
        at = np.ravel_multi_index(tuple((base + step).T), tuple(shape))
        out += np.bincount(at, share * weights, minlength=len(out))
    return out.reshape(tuple(shape))


def _level_nearby(winding: np.ndarray, index: np.ndarray, areas: np.ndarray, smooth: float) -> np.ndarray:
    """The winding number at the points, averaged around each sample; far from all points, over all of them."""
    from scipy.ndimage import gaussian_filter, map_coordinates

    at = map_coordinates(winding, index.T, order=1)
    mean = float(np.average(at, weights=areas))
    if mean < 0.2:
        way = "inwards" if mean < -0.2 else "no common way"
        raise InputError(f"the normals point {way}, so the points enclose nothing; expected outward normals")
    weights = areas / areas.mean()
    width = 2.0 * smooth
    count = gaussian_filter(_spread(index, weights, winding.shape), width)
    total = gaussian_filter(_spread(index, weights * (at - mean), winding.shape), width)
    few = 1e-3 * count.max()
    return mean + total / (count + few)
