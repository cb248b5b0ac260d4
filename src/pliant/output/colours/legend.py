"""Legends of pictures: the colour bar with its ticks and unit, the time and a title."""

from __future__ import annotations

import numpy as np

from . import colour as colours
from .stroke_font import draw_text, text_width
from .units import number, prefix, quantity, ticks

INK = np.array([0.16, 0.18, 0.22])
PALE = np.array([0.42, 0.45, 0.50])


def draw_legend(image: np.ndarray, title: str, unit: str, limits: tuple[float, float], largest: float) -> None:
    """Draw a colour bar at the right edge of a float sRGB image, in place; ``limits`` and ``largest`` in SI units."""
    height, width = image.shape[:2]
    size = 0.0135 * height + 1.0
    factor, name = prefix(max(abs(limits[0]), abs(limits[1])), unit)
    low, high = limits[0] * factor, limits[1] * factor
    bar_height, bar_width = int(0.42 * height), max(int(0.021 * height), 6)
    left, top = int(width - 0.088 * width - bar_width), int(0.29 * height)
    ramp = colours.ramp(title, limits)
    at = np.linspace(1.0, 0.0, bar_height) * 255
    image[top : top + bar_height, left : left + bar_width] = np.stack(
        [np.interp(at, np.arange(256), ramp[:, k]) for k in range(3)], axis=1
    )[:, None]
    for tick in ticks(low, high, 5):
        y = top + (1 - (tick - low) / (high - low)) * (bar_height - 1)
        row = round(y)
        image[row : row + 1, left + bar_width : left + bar_width + max(int(0.4 * size), 3)] = PALE
        draw_text(image, number(tick, 4), (left + bar_width + size * 0.9, y + size * 0.5), size, INK)
    heading = f"{title} [{name}]" if name else title
    middle = min(left + 0.5 * bar_width, width - 0.5 * text_width(heading, size) - size)
    draw_text(image, heading, (middle, top - size * 1.5), size, INK, "centre", weight=1.25)
    if largest * factor > high * 1.02:
        note = f"max {quantity(largest, unit)}"
        draw_text(image, note, (middle, top + bar_height + size * 2.4), size * 0.85, PALE, "centre")


def draw_caption(image: np.ndarray, title: str | None, time: float | None) -> None:
    """Draw the title at the top left and the time [s] at the bottom left of a float sRGB image, in place."""
    height = image.shape[0]
    size = 0.0135 * height + 1.0
    if title:
        draw_text(image, title, (size * 2.2, size * 3.4), size * 1.35, INK, weight=1.2)
    if time is not None:
        draw_text(image, f"t = {time:.2f} s", (size * 2.2, height - size * 2.2), size, PALE)
