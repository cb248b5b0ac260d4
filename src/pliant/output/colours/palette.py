"""255 colours that stand for all: a palette for animated pictures, chosen by splitting boxes in Oklab."""

from __future__ import annotations

import numpy as np

from .colour import encoded, from_oklab, linear, oklab

COLOURS = 255  # one of 256 is kept for "as before"


def palette_of(images: list[np.ndarray], count: int = COLOURS) -> np.ndarray:
    """Return up to (count, 3) uint8 sRGB colours for uint8 images, split where the spread is widest."""
    some = np.concatenate([_code(i[::2, ::2]).ravel() for i in images[:: max(1, len(images) // 8)]])
    distinct, weight = np.unique(some, return_counts=True)
    points = _points(distinct)
    weight = np.minimum(weight, 40.0 * weight.mean())  # a plain backdrop needs few colours however large it is
    boxes = [np.arange(len(points))]
    spread = [_spread(points, weight, boxes[0])]
    while len(boxes) < count and max(s[0] for s in spread) > 0:
        k = int(np.argmax([s[0] for s in spread]))
        box, (_, axis, at) = boxes[k], spread[k]
        above = points[box, axis] > at
        for part in (box[above], box[~above]):
            boxes.append(part)
            spread.append(_spread(points, weight, part))
        del boxes[k], spread[k]
    centres = np.stack([np.average(points[b], axis=0, weights=weight[b]) for b in boxes])
    return np.unique((encoded(from_oklab(centres)) * 255.0 + 0.5).astype(np.uint8), axis=0)


def _code(image: np.ndarray) -> np.ndarray:
    """Each pixel as one number, which sorts faster than three."""
    red, green, blue = (image[..., k].astype(np.int32) for k in range(3))
    return (red << 16) | (green << 8) | blue


def _points(code: np.ndarray) -> np.ndarray:
    """Oklab places of such numbers."""
    return oklab(linear(np.stack([code >> 16, (code >> 8) & 255, code & 255], axis=1) / 255.0))


def _spread(points: np.ndarray, weight: np.ndarray, box: np.ndarray) -> tuple[float, int, float]:
    """Return (weighted variance, its widest axis, where to split) of one box."""
    if len(box) < 2:
        return 0.0, 0, 0.0
    mean = np.average(points[box], axis=0, weights=weight[box])
    along = (weight[box][:, None] * (points[box] - mean) ** 2).sum(axis=0)
    axis = int(along.argmax())
    if not np.ptp(points[box, axis]) > 1e-9:
        return 0.0, 0, 0.0
    return float(along[axis]), axis, float(mean[axis])


def indexed(image: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """Return the (height, width) uint8 index of the nearest palette colour of each pixel."""
    from scipy.spatial import cKDTree

    code = _code(image)
    distinct, inverse = np.unique(code, return_inverse=True)
    _, nearest = cKDTree(oklab(linear(palette / 255.0))).query(_points(distinct))
    return nearest.astype(np.uint8)[inverse].reshape(code.shape)
