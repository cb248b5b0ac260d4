"""Signed distance from volumes: to a label or a level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arguments import checks
from ...errors import InputError
from .level_set import distances_to_level
from .sdf import SAMPLES, Instruction, Sdf
from .sdf_codes import GRID
from .volume import Volume

MARGIN = 3  # samples kept around the solid


def from_volume(
    volume: Volume,
    label: int | Sequence[int] | None = None,
    level: float | None = None,
    distance: bool = False,
    smooth: float | None = None,
    spacing: float | None = None,
) -> Sdf:
    """The solid in a labelled volume, a grey volume, or one of signed distances; where it is cut off, it is closed.

    Labels are steps; they are smoothed, and the inward motion of curved surfaces that goes with it is taken back to
    first order: a ball of 12 voxels' radius keeps its volume within 1 %. Details and gaps thinner than about two voxels
    are rounded off or lost. The samples keep the axes of the volume, cropped to the solid, and its spacing unless a
    coarser one is given.

    Args:
        volume: the samples; lengths in metres.
        label: value, or values, that the solid has; any but 0 by default.
        level: the solid is where a grey value is above this; the surface lies between samples.
        distance: the values are signed distances already [m], negative inside.
        smooth: width (sigma) of the smoothing in voxels along each axis; by default 1.25 for labels, 0 for a level.
        spacing: distance between the samples of the result [m] where it is more than the volume's: the work shrinks
            with its cube, and labels are smoothed over 0.7 of it by default.
    """
    checks.instance("volume", volume, Volume, "a Volume, such as pliant.read gives")
    if (label is not None) + (level is not None) + checks.flag("distance", distance) > 1:
        raise InputError("label, level and distance were given together; expected one of them, or none")
    if smooth is not None:
        smooth = checks.number("smooth", smooth, 0, 20, "a number of voxels from 0 to 20")
    coarser = 1.0 if spacing is None else max(1.0, checks.length("spacing", spacing) / float(volume.spacing.min()))
    if volume.values.dtype.kind == "f" and not np.isfinite(volume.values).all():
        bad = int(np.count_nonzero(~np.isfinite(volume.values)))
        raise InputError(f"{bad} of {volume.values.size} values of the volume are not finite")
    if distance:
        field, start = -volume.values.astype(float), np.zeros(3)
        if min(field.shape) < 2:
            raise InputError(f"the volume has shape {field.shape}; expected at least two samples along each axis")
    elif level is not None:
        field, start = _grey(volume, level, 0.0 if smooth is None else float(smooth))
    else:
        field, start = _labelled(volume, label, max(1.25, 0.7 * coarser) if smooth is None else float(smooth))
    _refuse_many(field.shape)
    affine = volume.affine
    origin = affine[:3, :3] @ start + volume.origin
    axes, steps = _frame(volume)
    if axes is None:
        field, origin, axes, steps = _straightened(field, affine[:3, :3], origin)
        _refuse_many(field.shape)
    if coarser > 1.0:
        field, steps = _coarsened(field, steps, float(spacing))
    values = -field if distance else distances_to_level(field, steps)
    values.setflags(write=False)
    return Sdf((Instruction(GRID, tuple(map(float, steps)), axes, origin, 1.0, values),))


def _labelled(volume: Volume, label: int | Sequence[int] | None, smooth: float) -> tuple[np.ndarray, np.ndarray]:
    """Smoothed indicator less one half around the labelled voxels, and the index of its first sample."""
    values = volume.values
    if label is None:
        if values.min() < 0 or (values.dtype.kind == "f" and np.any(values != np.floor(values))):
            raise InputError(
                f"the values reach from {values.min():g} to {values.max():g} and are not all labels; "
                "say which label, or which level of grey"
            )
        inside = values != 0
    else:
        wanted = np.atleast_1d(checks.floats(label))
        if wanted.ndim != 1 or not wanted.size:
            raise checks.refusal("label", label, "a number, or several")
        inside = np.isin(values, wanted)
    if not inside.any():
        known = ", ".join(str(k) for k in list(volume.labels())[:12]) or "many"
        which = "≠ 0" if label is None else checks.shown(label)
        raise InputError(f"no voxel has the label {which}; the values are {known}")
    reach = int(np.ceil(4.0 * smooth)) + MARGIN
    part, start = _cropped(inside, reach)
    field = _smoothed(part.astype(np.float64), smooth) - 0.5
    if not (field > 0).any():
        raise InputError(f"the label vanishes when smoothed over {smooth:g} voxels; expected smooth to be less")
    return field, start


def _grey(volume: Volume, level: float, smooth: float) -> tuple[np.ndarray, np.ndarray]:
    """Value minus level around the solid, and the index of its first sample.

    Beyond the border it is mirrored below zero.
    """
    level = checks.number("level", level)
    values = volume.values
    inside = values > level
    if not inside.any() or inside.all():
        low, high = values.min(), values.max()
        raise InputError(f"level is {level:g}, but the values reach from {low:g} to {high:g}; expected one between")
    box = _box(inside)
    low = np.maximum(box[0] - MARGIN, 0)
    high = np.minimum(box[1] + MARGIN, np.array(values.shape))
    field = values[tuple(np.s_[a:b] for a, b in zip(low, high))].astype(np.float64) - float(level)
    field = _smoothed(field, smooth)
    for axis in range(3):  # closed half a voxel beyond the outermost samples
        for end in (0, -1):
            face = -np.abs(np.take(field, [end], axis=axis))
            if (face < 0).any():
                face = np.where(face == 0, face.min() * 1e-6, face)
            field = np.concatenate([face, field] if end == 0 else [field, face], axis=axis)
    if not (field > 0).any() or not (field < 0).any():
        raise InputError(f"nothing lies above the level {level:g} when smoothed over {smooth:g} voxels")
    return field, low - 1.0


def _cropped(inside: np.ndarray, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """The part of a mask that holds all of it and ``reach`` empty voxels around, and the index of its first."""
    low, high = _box(inside)
    part = inside[tuple(np.s_[a:b] for a, b in zip(low, high))]
    _refuse_many([n + 2 * reach for n in part.shape])
    return np.pad(part, reach), low - float(reach)


def _box(inside: np.ndarray) -> np.ndarray:
    """(2, 3) first index, and the one after the last, along each axis."""
    box = np.empty((2, 3), np.int64)
    for axis in range(3):
        line = np.flatnonzero(inside.any(axis=tuple(a for a in range(3) if a != axis)))
        box[:, axis] = line[0], line[-1] + 1
    return box


def _smoothed(field: np.ndarray, width: float) -> np.ndarray:
    """A Gaussian, which moves a level set inwards by width² times its mean curvature, and that motion taken back.

    The motion is half of width² times the Laplacian along the level set, Δf − n·∇²f·n, to first order.
    """
    from scipy.ndimage import gaussian_filter

    if not width:
        return field
    f = gaussian_filter(field, width, mode="nearest")
    low, high = f.min(), f.max()
    inner = f[1:-1, 1:-1, 1:-1]
    at = np.argwhere((inner > low + 0.02 * (high - low)) & (inner < high - 0.02 * (high - low))) + 1

    def value(*step: int) -> np.ndarray:
        return f[tuple((at + step).T)]

    unit = np.eye(3, dtype=int)
    here = value(0, 0, 0)
    slope = np.stack([0.5 * (value(*unit[a]) - value(*-unit[a])) for a in range(3)], axis=1)
    normal = slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-300)
    bend = np.zeros(len(at))
    for a in range(3):
        bend += (1.0 - normal[:, a] ** 2) * (value(*unit[a]) - 2.0 * here + value(*-unit[a]))
        for b in range(a):
            pairs = [value(*(s * unit[a] + t * unit[b])) * (s * t) for s in (1, -1) for t in (1, -1)]
            bend -= 2.0 * normal[:, a] * normal[:, b] * 0.25 * sum(pairs)
    out = f.copy()
    out[tuple(at.T)] -= 0.5 * width**2 * bend
    return out


def _frame(volume: Volume) -> tuple[np.ndarray | None, np.ndarray]:
    """The axes as an orthogonal matrix, or None where they are sheared, and the spacing."""
    u, _, vt = np.linalg.svd(volume.axes)
    near = u @ vt
    return (near if np.abs(near - volume.axes).max() < 1e-4 else None), volume.spacing


def _straightened(field: np.ndarray, matrix: np.ndarray, origin: np.ndarray):
    """The field on axes of the world, with the smallest spacing of the volume; below zero beyond it."""
    from scipy.ndimage import affine_transform

    ends = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) * (np.array(field.shape) - 1)
    corners = ends @ matrix.T + origin
    low, high = corners.min(axis=0), corners.max(axis=0)
    step = float(np.linalg.norm(matrix, axis=0).min())
    shape = np.ceil((high - low) / step).astype(int) + 1
    _refuse_many(shape)
    back = np.linalg.inv(matrix)
    resampled = affine_transform(field, back * step, back @ (low - origin), tuple(shape), order=1, cval=float(field.min()))
    return resampled, low, np.eye(3), np.full(3, step)


def _coarsened(field: np.ndarray, steps: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """The field at every ``spacing`` along the axes where that is more than its own, and the new spacings."""
    from scipy.ndimage import affine_transform

    ratio = np.maximum(1.0, spacing / steps)
    shape = np.ceil((np.array(field.shape) - 1) / ratio).astype(int) + 1
    resampled = affine_transform(field, ratio, 0.0, tuple(shape), order=1, cval=float(field.min()))
    if not (resampled > 0).any():
        raise InputError(f"the solid vanishes when sampled every {spacing:g} m; expected a smaller spacing")
    return resampled, steps * ratio


def _refuse_many(shape: Sequence[int]) -> None:
    count = float(np.prod(np.asarray(shape, float)))
    if count > SAMPLES:
        raise InputError(
            f"the solid needs {count:.3g} samples; expected at most {SAMPLES:.3g}: take every second voxel, "
            "or one label at a time"
        )
