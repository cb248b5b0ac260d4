"""Small line charts as SVG or PNG, with units on the axes; no plotting library needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from ..arguments import checks
from ..arguments.atomic_files import write_bytes, write_text
from ..arguments.short_repr import brief
from ..arguments.typing_fields import Vector
from ..errors import InputError
from .colours import colour as colours
from .colours.png import png
from .colours.stroke_font import draw_text, stroke_ink, text_width
from .colours.units import decades, number, prefix, ticks

INK, PALE, GRID = "#29303a", "#6b7380", "#e3e7ec"
TEXT = 12.0  # [pixels] type size
_ADVANCE = 1.06  # a browser's letters are a little wider than ours


@dataclass(frozen=True, eq=False)
class Series:
    """One set of (x, y) pairs with a name, drawn as a line or as points."""

    x: np.ndarray
    y: np.ndarray
    name: str
    colour: str
    dots: bool


def _power(value: float) -> str:
    """A round number far from one, as 2e5."""
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")


@dataclass(frozen=True)
class _Axis:
    """Data to pixels along one direction."""

    low: float
    high: float
    begin: float
    end: float
    log: bool
    ticks: np.ndarray
    texts: list[str]
    label: str

    def at(self, value: np.ndarray) -> np.ndarray:
        value, low, high = (np.log10(v) if self.log else v for v in (value, self.low, self.high))
        return self.begin + (value - low) / (high - low) * (self.end - self.begin)


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart of lines and points; ``line`` and ``points`` return a chart with one more series.

    ``x_unit`` and ``y_unit`` are SI units, to which a fitting prefix is given; ``size`` is in pixels.
    """

    title: str = ""
    x_label: str = ""
    y_label: str = ""
    x_unit: str = ""
    y_unit: str = ""
    log_x: bool = False
    log_y: bool = False
    size: tuple[int, int] = (640, 400)
    series: tuple[Series, ...] = ()
    __repr__ = brief

    def __post_init__(self):
        for name in ("title", "x_label", "y_label", "x_unit", "y_unit"):
            checks.text(f"Chart({name}=…)", getattr(self, name))
        for name in ("log_x", "log_y"):
            checks.flag(f"Chart({name}=…)", getattr(self, name))
        if checks.floats(self.size).shape != (2,):
            raise checks.refusal("Chart(size=…)", self.size, "(width, height) in pixels")
        for pixels in self.size:
            checks.whole("Chart(size=…)", pixels, 1, 20_000)
        checks.several("Chart(series=…)", self.series, Series, "series, which line and points add")

    def _repr_svg_(self) -> str:
        return self.svg()

    def line(self, x: Vector, y: Vector, name: str = "", colour: str | None = None) -> Chart:
        """A copy with a line through (x, y), in SI units; it breaks where a value is not finite."""
        return self._with(x, y, name, colour, False)

    def points(self, x: Vector, y: Vector, name: str = "", colour: str | None = None) -> Chart:
        """A copy with a dot at every (x, y), in SI units."""
        return self._with(x, y, name, colour, True)

    def _with(self, x: object, y: object, name: str, colour: str | None, dots: bool) -> Chart:
        try:
            x, y = np.array(x, dtype=float), np.array(y, dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"series {name!r} cannot be read as numbers; expected two lists of numbers") from None
        if x.ndim != 1 or x.shape != y.shape:
            shapes = f"x of shape {x.shape} and y of shape {y.shape}"
            raise InputError(f"series {name!r} has {shapes}; expected two lists of one length")
        if self.log_x:
            x[~(x > 0)] = np.nan
        if self.log_y:
            y[~(y > 0)] = np.nan
        if not (np.isfinite(x) & np.isfinite(y)).any():
            kind = "positive, finite" if self.log_x or self.log_y else "finite"
            raise InputError(f"series {name!r} has no {kind} point; expected at least one")
        if colour is None:
            # Points that follow a line of the same name are its measurements and share its colour.
            same = [s.colour for s in self.series if s.name == name and name]
            names = list(dict.fromkeys(s.name or str(i) for i, s in enumerate(self.series)))
            colour = same[0] if same else colours.body_colour(len(names))
        colours.parsed(colour)
        return replace(self, series=(*self.series, Series(x, y, name, colour, dots)))

    def svg(self) -> str:
        """Return the chart as a self-contained SVG document."""
        width, height = self.size
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{escape(self.title, {chr(34): "&quot;"})}" '
            'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]
        anchor = {"left": "start", "centre": "middle", "right": "end"}
        for shape, at, style in self._shapes():
            if shape == "line":
                path = " ".join(f"{x:.2f},{y:.2f}" for x, y in at)
                out.append(
                    f'<polyline points="{path}" fill="none" stroke="{style["colour"]}" stroke-width="{style["width"]}" '
                    'stroke-linejoin="round" stroke-linecap="round"/>'
                )
            elif shape == "dot":
                fill = f'r="{style["radius"]}" fill="{style["colour"]}"'
                out.append(f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" {fill}/>')
            else:
                weight = ' font-weight="600"' if style.get("bold") else ""
                out.append(
                    f'<text x="{at[0]:.2f}" y="{at[1]:.2f}" font-size="{style["size"]}" fill="{style["colour"]}" '
                    f'text-anchor="{anchor[style["align"]]}"{weight}>{escape(style["text"])}</text>'
                )
        return "\n".join([*out, "</svg>"]) + "\n"

    def image(self, scale: float = 2.0) -> np.ndarray:
        """Return the chart as an (height, width, 3) uint8 sRGB image, ``scale`` pixels for each of ``size``."""
        width, height = self.size
        picture = np.ones((round(height * scale), round(width * scale), 3))
        for shape, at, style in self._shapes():
            hue = colours.parsed(style["colour"])
            if shape == "text":
                size = style["size"] * 0.7 * scale  # type size to height of capitals
                weight = 1.35 if style.get("bold") else 1.0
                draw_text(picture, style["text"], (at[0] * scale, at[1] * scale), size, hue, style["align"], weight)
                continue
            if shape == "line":
                points, half = np.asarray(at) * scale, 0.5 * style["width"] * scale
            else:
                points, half = np.array([at, at]) * scale, style["radius"] * scale
            segments = np.hstack([points[:-1], points[1:]])
            for first in range(0, len(segments), 24):
                stroke_ink(picture, segments[first : first + 24], half, hue)
        return (np.clip(picture, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the chart as ``.svg`` or ``.png`` and return the path."""
        suffix = Path(path).suffix.lower() if isinstance(path, str | PathLike) else ""
        if suffix == ".svg":
            return write_text(path, self.svg())
        if suffix == ".png":
            return write_bytes(path, png(self.image()))
        raise InputError(f"chart path is {str(path)!r}; expected a name ending in .svg or .png")

    def _axis(self, which: str, begin: float, end: float, count: int) -> _Axis:
        values = np.concatenate([getattr(s, which) for s in self.series])
        values = values[np.isfinite(values)]
        low, high, log = values.min(), values.max(), getattr(self, f"log_{which}")
        label, unit = getattr(self, f"{which}_label"), getattr(self, f"{which}_unit")
        if log:
            margin = (high / low) ** 0.03
            low, high = (low / margin, high * margin) if high > low else (low / 2, high * 2)
            at = decades(low, high)
            if len(at) < 2:
                low, high = 10.0 ** np.floor(np.log10(low)), 10.0 ** np.ceil(np.log10(high))
                at = decades(low, high)
            texts = [number(t, 3) if 1e-3 <= t <= 1e4 else _power(t) for t in at]
            return _Axis(low, high, begin, end, True, at, texts, f"{label} [{unit}]" if unit else label)
        factor, unit = prefix(max(abs(low), abs(high)), unit)
        spread = high - low
        if not spread > 1e-12 * max(abs(low), abs(high)):
            spread = abs(low) or 1.0
            low, high = low - 0.5 * spread, high + 0.5 * spread
        margin = 0.0 if which == "x" and not any(s.dots for s in self.series) else 0.04 * spread
        low, high = low - margin, high + margin
        at = ticks(low * factor, high * factor, count) / factor
        texts = [number(t * factor, 6) for t in at]
        return _Axis(low, high, begin, end, False, at, texts, f"{label} [{unit}]" if unit else label)

    def _shapes(self) -> list[tuple[str, object, dict]]:
        """Return (kind, place, style) of everything to draw, back to front."""
        if not self.series:
            raise InputError("this chart has no series; use chart = chart.line(x, y, name)")
        width, height = self.size
        names = [s for i, s in enumerate(self.series) if s.name and s.name not in [t.name for t in self.series[:i]]]
        legend = names if len(names) > 1 else []
        top = 24.0 + (16.0 if self.title else 0.0) + (24.0 if legend else 0.0) + (16.0 if self.y_label else 0.0)
        bottom = height - (46.0 if self.x_label else 30.0)
        y = self._axis("y", bottom, top, max(3, int((bottom - top) / 42)))
        left = 22.0 + max(text_width(t, 0.7 * TEXT) * _ADVANCE for t in y.texts)
        x = self._axis("x", left, width - 22.0, max(3, int((width - left) / 90)))
        text = {"size": TEXT, "colour": PALE, "align": "left"}
        out: list[tuple[str, object, dict]] = []
        for at, label in zip(y.at(y.ticks), y.texts):
            out.append(("line", [(left, at), (width - 22.0, at)], {"colour": GRID, "width": 1.0}))
            out.append(("text", (left - 8.0, at + 0.35 * TEXT), text | {"text": label, "align": "right"}))
        for at, label in zip(x.at(x.ticks), x.texts):
            out.append(("line", [(at, bottom), (at, bottom + 4.0)], {"colour": PALE, "width": 1.0}))
            out.append(("text", (at, bottom + 8.0 + TEXT), text | {"text": label, "align": "centre"}))
        out.append(("line", [(left, bottom), (width - 22.0, bottom)], {"colour": PALE, "width": 1.0}))
        line = 26.0
        if self.title:
            style = text | {"text": self.title, "size": 15.0, "colour": INK, "bold": True}
            out.append(("text", (14.0, line), style))
            line += 22.0
        at = 14.0
        for s in legend:
            if s.dots and not any(t.name == s.name and not t.dots for t in self.series):
                out.append(("dot", (at + 8.0, line - 4.0), {"colour": s.colour, "radius": 3.2}))
            else:
                out.append(("line", [(at, line - 4.0), (at + 16.0, line - 4.0)], {"colour": s.colour, "width": 2.4}))
            out.append(("text", (at + 22.0, line), text | {"text": s.name, "colour": INK}))
            at += 40.0 + text_width(s.name, 0.7 * TEXT) * _ADVANCE
        if self.y_label:
            out.append(("text", (14.0, top - 12.0), text | {"text": y.label}))
        if self.x_label:
            out.append(("text", (width - 22.0, height - 10.0), text | {"text": x.label, "align": "right"}))
        for s in self.series:
            px, py = x.at(s.x), y.at(s.y)
            fine = np.isfinite(px) & np.isfinite(py)
            if s.dots:
                out += [("dot", (a, b), {"colour": s.colour, "radius": 3.2}) for a, b in zip(px[fine], py[fine])]
                continue
            breaks = np.flatnonzero(np.diff(np.concatenate([[False], fine, [False]]).astype(int)))
            for first, stop in zip(breaks[::2], breaks[1::2]):
                path = list(zip(px[first:stop], py[first:stop]))
                kind = ("line", path, {"colour": s.colour, "width": 2.2})
                out.append(kind if len(path) > 1 else ("dot", path[0], {"colour": s.colour, "radius": 1.6}))
        return out
