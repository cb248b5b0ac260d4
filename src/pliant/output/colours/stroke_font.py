"""A stroke font drawn for Pliant: letters are lines and arcs, so any size comes out smooth.

A glyph is strokes parted by ``|``; a stroke is points ``x,y`` and arcs ``@x,y,rx,ry,from,to`` (degrees, either way
round) joined in order. Capitals are 10 units high, small letters 7, and y points up from the base line.
"""

from __future__ import annotations

import functools

import numpy as np

_GLYPHS = {
    "A": "0,0 3.4,10 6.8,0|1.2,3.4 5.6,3.4",
    "B": "0,0 0,10 3.2,10 @3.2,7.65,2.35,2.35,90,-90 0,5.3|3.2,5.3 @3.3,2.65,2.65,2.65,90,-90 0,0",
    "C": "@3.8,5,3.8,5,48,312",
    "D": "0,0 0,10 2.4,10 @2.4,5,4.2,5,90,-90 0,0",
    "E": "5.2,10 0,10 0,0 5.2,0|0,5.2 4.6,5.2",
    "F": "5.0,10 0,10 0,0|0,5.2 4.3,5.2",
    "G": "@3.8,5,3.8,5,48,355 4.6,4.56",
    "H": "0,0 0,10|6.4,0 6.4,10|0,5.2 6.4,5.2",
    "I": "0,0 0,10",
    "J": "4.2,10 4.2,2.6 @2.1,2.6,2.1,2.6,0,-180",
    "K": "0,0 0,10|5.8,10 0,3.9|2.2,6.1 6,0",
    "L": "0,10 0,0 4.8,0",
    "M": "0,0 0,10 3.9,3 7.8,10 7.8,0",
    "N": "0,0 0,10 6.4,0 6.4,10",
    "O": "@4,5,4,5,0,360",
    "P": "0,0 0,10 3.1,10 @3.1,7.25,2.75,2.75,90,-90 0,4.5",
    "Q": "@4,5,4,5,0,360|4.9,2.4 7.6,-0.7",
    "R": "0,0 0,10 3.1,10 @3.1,7.25,2.75,2.75,90,-90 0,4.5|3.1,4.5 6,0",
    "S": "@3,7.5,2.6,2.5,32,270 @3,2.5,2.9,2.5,90,-148",
    "T": "0,10 6.8,10|3.4,10 3.4,0",
    "U": "0,10 0,3.2 @3.2,3.2,3.2,3.2,180,360 6.4,10",
    "V": "0,10 3.4,0 6.8,10",
    "W": "0,10 2.5,0 5,8.8 7.5,0 10,10",
    "X": "0,0 6.2,10|0,10 6.2,0",
    "Y": "0,10 3.3,4.8 6.6,10|3.3,4.8 3.3,0",
    "Z": "0,10 6,10 0,0 6,0",
    "a": "@2.9,3.5,2.9,3.5,0,360|5.8,7 5.8,0",
    "b": "0,10 0,0|@2.9,3.5,2.9,3.5,0,360",
    "c": "@3.1,3.5,3.1,3.5,48,312",
    "d": "@2.9,3.5,2.9,3.5,0,360|5.8,10 5.8,0",
    "e": "0.05,3.7 5.95,3.7 @3,3.5,3,3.5,4,316",
    "f": "@3.1,8.1,1.8,1.9,65,180 1.3,0|0,7 3.5,7",
    "g": "@2.9,3.5,2.9,3.5,0,360|5.8,7 5.8,-0.4 @2.9,-0.4,2.9,2.6,0,-150",
    "h": "0,10 0,0|0,4.2 @2.7,4.2,2.7,2.8,180,0 5.4,0",
    "i": "0,7 0,0|0,9.55 0,9.75",
    "j": "1.6,7 1.6,-1.4 @0,-1.4,1.6,1.6,0,-80|1.6,9.55 1.6,9.75",
    "k": "0,10 0,0|4.7,7 0,2.5|1.7,4.1 5,0",
    "l": "0,10 0,0",
    "m": "0,7 0,0|0,4.6 @2.15,4.6,2.15,2.4,180,0 4.3,0|4.3,4.6 @6.45,4.6,2.15,2.4,180,0 8.6,0",
    "n": "0,7 0,0|0,4.2 @2.7,4.2,2.7,2.8,180,0 5.4,0",
    "o": "@3.1,3.5,3.1,3.5,0,360",
    "p": "0,7 0,-3|@2.9,3.5,2.9,3.5,0,360",
    "q": "@2.9,3.5,2.9,3.5,0,360|5.8,7 5.8,-3",
    "r": "0,7 0,0|0,4.2 @2.5,4.2,2.5,2.8,180,72",
    "s": "@2.3,5.25,2,1.75,30,270 @2.3,1.75,2.3,1.75,90,-150",
    "t": "1.5,9.2 1.5,1.8 @3.2,1.8,1.7,1.8,180,292|0,7 3.6,7",
    "u": "0,7 0,2.8 @2.7,2.8,2.7,2.8,180,360|5.4,7 5.4,0",
    "v": "0,7 2.7,0 5.4,7",
    "w": "0,7 2,0 4,6.2 6,0 8,7",
    "x": "0,0 4.8,7|0,7 4.8,0",
    "y": "0,7 2.75,0|5.5,7 1.5,-3",
    "z": "0,7 4.6,7 0,0 4.6,0",
    "0": "@3,5,3,5,0,360",
    "1": "0.9,8.1 3.3,10 3.3,0",
    "2": "@3,7.2,2.8,2.8,165,-35 0.1,0 6,0",
    "3": "@2.9,7.6,2.5,2.4,150,-90 @2.9,2.6,2.9,2.6,90,-150",
    "4": "4.6,0 4.6,10 0,2.9 6.2,2.9",
    "5": "5.3,10 0.9,10 0.5,5.2 @2.9,3.2,3,3.2,142,-148",
    "6": "@3,3.2,3,3.2,0,360|@6,3.2,6,6.9,102,180",
    "7": "0,10 6,10 2,0",
    "8": "@3,7.5,2.4,2.5,0,360|@3,2.55,2.9,2.55,0,360",
    "9": "@3,6.8,3,3.2,0,360|@0,6.8,6,6.9,0,-78",
    ".": "0.3,0.1 0.3,0.3",
    ",": "0.6,0.4 0,-1.8",
    ":": "0.3,0.1 0.3,0.3|0.3,5.4 0.3,5.6",
    ";": "0.6,0.4 0,-1.8|0.6,5.4 0.6,5.6",
    "!": "0.3,10 0.3,3|0.3,0.1 0.3,0.3",
    "?": "@2.4,7.6,2.4,2.4,165,-55 @4.4,3.7,2,2,130,180 2.4,2.9|2.4,0.1 2.4,0.3",
    "'": "0,10 0,7.6",
    '"': "0,10 0,7.6|1.8,10 1.8,7.6",
    "(": "@4,4.2,4,7.4,128,232",
    ")": "@-2,4.2,4,7.4,52,-52",
    "[": "2,11 0,11 0,-2 2,-2",
    "]": "0,11 2,11 2,-2 0,-2",
    "{": "2.6,11 1.4,10.4 1.4,5.6 0,4.5 1.4,3.4 1.4,-1.4 2.6,-2",
    "}": "0,11 1.2,10.4 1.2,5.6 2.6,4.5 1.2,3.4 1.2,-1.4 0,-2",
    "/": "0,-1 4.2,10.6",
    "\\": "0,10.6 4.2,-1",
    "|": "0,11 0,-2",
    "-": "0,4 3.2,4",
    "−": "0,4 5,4",
    "–": "0,4 4.6,4",
    "—": "0,4 7.6,4",
    "_": "0,-1.4 5.4,-1.4",
    "+": "0,4 5.4,4|2.7,1.3 2.7,6.7",
    "=": "0,5.3 5.2,5.3|0,2.7 5.2,2.7",
    "<": "5,7.2 0,4 5,0.8",
    ">": "0,7.2 5,4 0,0.8",
    "≤": "5,8 0,5.1 5,2.2|0,0.4 5,0.4",
    "≥": "0,8 5,5.1 0,2.2|0,0.4 5,0.4",
    "≈": "@1.3,4.8,1.3,1.1,180,0 @3.9,4.8,1.3,1.1,180,360|@1.3,2.2,1.3,1.1,180,0 @3.9,2.2,1.3,1.1,180,360",
    "~": "@1.3,3.6,1.3,1.3,180,0 @3.9,3.6,1.3,1.3,180,360",
    "%": "@1.9,7.8,1.9,2.2,0,360|@7.1,2.2,1.9,2.2,0,360|7.4,10 1.6,0",
    "&": "6.6,0 1.6,7 @2.9,8.1,1.7,1.9,215,-40 @3.2,2.5,2.9,2.5,118,335 6.3,4.4",
    "*": "1.8,10 1.8,6|0.1,9 3.5,7|0.1,7 3.5,9",
    "#": "1.6,0 2.8,10|4.4,0 5.6,10|0.2,3.3 6.2,3.3|0.9,6.8 7,6.8",
    "@": "6.2,3 @4.6,4.2,1.9,2.1,0,360|6.5,6.2 6.5,3.4 @7.6,3.4,1.1,1.2,180,330 @4.6,4.3,4.4,4.9,5,310",
    "$": "@3,7.2,2.5,2.1,32,270 @3,2.8,2.8,2.3,90,-148|3,11 3,-1",
    "^": "0,7 2.2,10 4.4,7",
    "°": "@1.5,8.5,1.5,1.5,0,360",
    "·": "0.3,3.9 0.3,4.1",
    "×": "0,1.6 4.8,6.4|0,6.4 4.8,1.6",
    "±": "0,5 5.2,5|2.6,2.4 2.6,7.6|0,0.4 5.2,0.4",
    "²": "@1.5,8.6,1.4,1.4,165,-35 0.1,5 3,5",
    "³": "@1.45,8.8,1.25,1.2,150,-90 @1.45,6.3,1.45,1.3,90,-150",
    "…": "0.3,0.1 0.3,0.3|3.3,0.1 3.3,0.3|6.3,0.1 6.3,0.3",
    "→": "0,4 7.4,4|5,6.4 7.4,4 5,1.6",
    "µ": "0,7 0,-3|0,2.7 @2.6,2.7,2.6,2.7,180,360|5.2,7 5.2,0",
    "λ": "0.4,10 @1.0,8.6,1.2,1.4,90,10 5.6,0|3,5.4 0,0",
    "ν": "0,7 2.7,0 @2,6,3.2,2,-45,30",
    "σ": "@3,3.4,3,3.4,0,360|3,6.8 6.8,6.8",
    "ε": "@2.6,5.25,2.1,1.75,40,270 @2.6,1.75,2.4,1.75,90,320",
    "ρ": "0,-3 0,3.5 @3,3.5,3,3.5,180,-180",
    "θ": "@2.6,5,2.6,5,0,360|0,5 5.2,5",
    "ψ": "0,7 0,3.6 @2.9,3.6,2.9,3.6,180,360 5.8,7|2.9,9 2.9,-3",
}
_GLYPHS["μ"] = _GLYPHS["µ"]
_SPACE, _GAP, _MISSING = 4.0, 2.2, "0,0 5,0 5,10 0,10 0,0"


def _trace(stroke: str) -> np.ndarray:
    """Return the (m, 2) corners of one stroke, arcs cut into pieces of about 15 degrees."""
    points: list[tuple[float, float]] = []
    for token in stroke.split():
        values = [float(v) for v in token.lstrip("@").split(",")]
        if token[0] != "@":
            points.append((values[0], values[1]))
            continue
        x, y, rx, ry, begin, end = values
        turn = np.deg2rad(np.linspace(begin, end, max(3, int(abs(end - begin) / 15) + 2)))
        points.extend(zip(x + rx * np.cos(turn), y + ry * np.sin(turn)))
    return np.array(points)


@functools.cache
def _glyph(character: str) -> tuple[np.ndarray, float]:
    """Return ((m, 4) segments x0 y0 x1 y1, width) in font units."""
    lines = [_trace(s) for s in _GLYPHS.get(character, _MISSING).split("|")]
    segments = np.concatenate([np.hstack([line[:-1], line[1:]]) for line in lines])
    width = max(line[:, 0].max() for line in lines)
    if character in "0123456789":
        width = 6.0  # columns of figures line up
    return segments, float(width)


def text_width(text: str, size: float) -> float:
    """Width of ``text`` [pixels] when its capitals are ``size`` pixels high."""
    advance = sum(_SPACE if c == " " else _glyph(c)[1] + _GAP for c in text)
    return max(advance - _GAP, 0.0) * size / 10.0


def draw_text(
    image: np.ndarray,
    text: str,
    at: tuple[float, float],
    size: float,
    colour: np.ndarray,
    align: str = "left",
    weight: float = 1.0,
) -> None:
    """Draw ``text`` into an (height, width, 3) float sRGB image, in place.

    ``at`` is the base line's start (or middle, or end, by ``align``) in pixels from the top left; ``size`` is the
    height of capitals in pixels; ``weight`` the stroke's thickness, 1 being regular.
    """
    x = at[0] - {"left": 0.0, "centre": 0.5, "right": 1.0}[align] * text_width(text, size)
    unit, half = size / 10.0, max(0.062 * size * weight, 0.55)
    for character in text:
        if character == " ":
            x += _SPACE * unit
            continue
        segments, advance = _glyph(character)
        line = segments * [unit, -unit, unit, -unit] + [x, at[1], x, at[1]]
        x += (advance + _GAP) * unit
        stroke_ink(image, line, half, colour)


def stroke_ink(image: np.ndarray, line: np.ndarray, half: float, colour: np.ndarray) -> None:
    """Draw (m, 4) segments x0 y0 x1 y1 [pixels] with round ends and ``half`` their width into a float image."""
    height, width = image.shape[:2]
    low = np.floor(line.reshape(-1, 2).min(axis=0) - half - 1).astype(int)
    high = np.ceil(line.reshape(-1, 2).max(axis=0) + half + 1).astype(int)
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, [width, height])
    if x0 >= x1 or y0 >= y1:
        return
    px, py = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    near = _distance(px[..., None], py[..., None], line).min(axis=2)
    ink = np.clip(half - near + 0.5, 0.0, 1.0)[..., None]
    patch = image[y0:y1, x0:x1]
    patch += (colour - patch) * ink


def _distance(px: np.ndarray, py: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Distance of points to each of the (m, 4) segments."""
    ax, ay, bx, by = line.T
    dx, dy = bx - ax, by - ay
    along = np.clip(((px - ax) * dx + (py - ay) * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
    return np.hypot(px - ax - along * dx, py - ay - along * dy)
