"""Colours: one hue per body, and a scale from low to high whose lightness grows evenly. Mixed in Oklab."""

from __future__ import annotations

import numpy as np

from ...errors import InputError
from ...geometry.mesh.mesh_looks import light as linear

# Hues picked to stay apart under lamp shading and for most kinds of colour-blind eyes.
BODIES = ("#d9654f", "#3f7fb5", "#e3a33c", "#3a9c84", "#8b6bb1", "#c2608f", "#7f9a3d", "#5a6f86")
OBSTACLE = "#b9bec6"
# Anchors of the scale: never so dark that the shading of a surface drowns.
SCALE = ("#37348c", "#2b6fb4", "#24a3a8", "#7fcb72", "#fbe65a")
# Two-sided: as dark at both ends, and without a hue where nothing is.
TWO_SIDED = ("#23459c", "#5f93d4", "#dcd9d2", "#d98a5c", "#9c2f1f")

_TO_LMS = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929],
     [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
_TO_LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468],
     [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


def encoded(light: np.ndarray) -> np.ndarray:
    """Turn linear light into sRGB in 0…1."""
    light = np.clip(light, 0.0, 1.0)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def oklab(light: np.ndarray) -> np.ndarray:
    """Turn linear light (…, 3) into Oklab, where equal steps look equal."""
    return np.cbrt(np.asarray(light) @ _TO_LMS.T) @ _TO_LAB.T


def from_oklab(lab: np.ndarray) -> np.ndarray:
    """Turn Oklab (…, 3) into linear light, clipped to what a screen can show."""
    lms = (lab @ np.linalg.inv(_TO_LAB).T) ** 3
    return np.clip(lms @ np.linalg.inv(_TO_LMS).T, 0.0, 1.0)


def parsed(text: str) -> np.ndarray:
    """Turn "#rrggbb" into sRGB in 0…1."""
    try:
        if len(text) != 7 or text[0] != "#":
            raise ValueError
        return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    except (TypeError, ValueError):
        raise InputError(f"colour is {text!r}; expected the form '#rrggbb'") from None


def body_colour(index: int) -> str:
    """Return the colour of the index-th body; those of many bodies go round again, paler, then darker."""
    other, part = ((1.0, 0.0), (1.0, 0.5), (0.0, 0.4))[index // len(BODIES) % 3]
    mixed = (1 - part) * parsed(BODIES[index % len(BODIES)]) + part * other
    return "#" + "".join(f"{round(255 * c):02x}" for c in mixed)


def scale(count: int = 256) -> np.ndarray:
    """Return (count, 3) sRGB colours in 0…1 from low to high."""
    anchors = oklab(linear(np.array([parsed(c) for c in SCALE])))
    # Spread the anchors by their lightness, so that lightness is a straight line in the value.
    place = (anchors[:, 0] - anchors[0, 0]) / (anchors[-1, 0] - anchors[0, 0])
    return _mixed(count, place, anchors)


def two_sided(count: int = 256) -> np.ndarray:
    """Return (count, 3) sRGB colours in 0…1 for values on both sides of one that is neutral: blue below, red above."""
    anchors = oklab(linear(np.array([parsed(c) for c in TWO_SIDED])))
    return _mixed(count, np.linspace(0.0, 1.0, len(anchors)), anchors)


def ramp(name: str | None, limits: tuple[float, float], count: int = 256) -> np.ndarray:
    """Return (count, 3) sRGB colours from one end of the scale of a field to the other.

    A field whose values lie on both sides of what is neutral has no hue there, and is as dark as far away to either side.
    """
    low, high = limits
    neutral = neutral_value(name)
    if neutral is None or not low < neutral < high:
        return scale(count)
    away = np.linspace(low, high, count) - neutral
    both = two_sided(count)
    at = 0.5 * (count - 1) * (1 + away / max(neutral - low, high - neutral))
    return np.stack([np.interp(at, np.arange(count), both[:, k]) for k in range(3)], axis=1)


def neutral_value(name: str | None) -> float | None:
    """The value of a field where nothing happens: none of heights and distances, which only happen to pass 0."""
    return None if name in (None, "height", "distance", "value") else 1.0 if name == "volume ratio" else 0.0


def _mixed(count: int, place: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    at = np.linspace(0.0, 1.0, count)
    return encoded(from_oklab(np.stack([np.interp(at, place, anchors[:, i]) for i in range(3)], axis=1)))
