"""Slices of distances, fields, solids and volumes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import InputError
from ..geometry.distance.mesh_distance import MeshDistance
from ..geometry.distance.sdf import Sdf
from ..geometry.distance.volume import Volume
from ..geometry.mesh.mesh import TriMesh
from ..runtime.device import Device
from ..simulate.record.run import Run, Skin
from .colours import colour as colours
from .colours.label_colours import labels_of, middle_of, painted
from .colours.legend import INK, PALE
from .colours.stroke_font import draw_text
from .colours.units import quantity, round_step, ticks
from .frames import unit_of
from .raster.depth_buffer import draw
from .raster.frame_shapes import is_rod, posed, surface_places
from .raster.plane_cuts import cut_tets, cut_triangles, faces_of, ribbons, tets_of
from .render_looks import Slice
from .surface_pictures import BACK, LEGEND, check_limits, check_size

DISTANCE = "distance"
STROKE = 1.7  # [pixels] of a line
TRACE = np.array([0.10, 0.11, 0.14])  # colour of lines
Values = Callable[[np.ndarray], np.ndarray]  # (n, 3) points [m] → (n,) values, not a number where there is none


class SliceRenderer:
    """A plane, its window and a colour scale, fixed from frame to frame; drawn like a ``SurfaceRenderer``."""

    def __init__(
        self, thing: Run | Sdf | Volume, frames: np.ndarray, colour: str | None, size: tuple[int, int], look: Slice, samples: int,
        limits: tuple[float, float] | None,
    ):  # fmt: skip
        check_size(size, samples)
        self.thing, self.look, self.size, self.samples = thing, look, size, samples
        colour = look.colour if colour is None else colour
        self.device, self._kept = Device("cpu", "f32"), {}
        self.field = isinstance(thing, Run) and colour not in (None, DISTANCE)
        self.colour = (colour or DISTANCE) if isinstance(thing, Run) else "value" if isinstance(thing, Volume) else DISTANCE
        if colour not in (None, self.colour):
            raise InputError(f"colour is {colour!r}; a slice of a {type(thing).__name__} shows its {self.colour}: leave it out")
        if self.field:
            thing.moment(int(frames[0])).values(colour)  # an unknown field is told apart before anything is drawn
        self.unit = unit_of(thing, colour) if self.field else "" if isinstance(thing, Volume) else "m"
        if look.labels is not None and not isinstance(thing, Volume):
            raise InputError(f"Slice(labels=…) is for volumes; this is a {type(thing).__name__}")
        self.labels = labels_of(thing, look.labels) if isinstance(thing, Volume) and limits is None else ()
        self._place(frames)
        self._scale(frames, limits)

    def _place(self, frames: np.ndarray) -> None:
        """The window: all that is shown in any frame, and a margin."""
        if isinstance(self.thing, Run):
            some = np.unique(frames[np.linspace(0, len(frames) - 1, min(len(frames), 16)).astype(int)])
            points = np.concatenate([surface_places(self.thing.moment(int(f))) for f in some])
        else:
            low, high = self.thing.bounds
            if not np.all(np.isfinite([low, high])):
                raise InputError("this shape has no end, so no window holds a slice of it; cut it with a box first")
            points = np.stack(np.meshgrid(*np.stack([low, high], axis=1), indexing="ij"), axis=-1).reshape(-1, 3)
        right, up, out = self.look.axes
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        middle = middle_of(self.thing, self.labels) if self.labels else middle
        self.point = middle if self.look.point is None else np.asarray(self.look.point, float)
        width, height = self.size
        spans = [np.array([(points @ axis).min(), (points @ axis).max()]) for axis in (right, up)]
        room = (1 - LEGEND) * width, float(height)
        self.pixel = max(max(np.ptp(span), 1e-12) / (0.84 * r) for span, r in zip(spans, room))  # [m]
        centre = right * spans[0].mean() + up * spans[1].mean()
        self.corner = centre - right * (0.5 * room[0] * self.pixel) + up * (0.5 * height * self.pixel)
        self.corner += out * (self.point @ out)

    def _points(self, width: int, height: int) -> np.ndarray:
        """(height width, 3) places of so many samples on the plane [m], row by row."""
        x, y = ((np.arange(n) + 0.5) * whole / n for n, whole in zip((width, height), self.size))
        right, up, _ = self.look.axes
        across, down = (self.pixel * x)[None, :, None] * right, (self.pixel * y)[:, None, None] * up
        return (self.corner + across - down).reshape(-1, 3)

    def _distance(self, frame: int) -> Values:
        """The signed distance of all solid bodies of a frame, or of the shape itself; the last frame's is kept."""
        if isinstance(self.thing, Sdf):
            return self.thing
        if frame in self._kept:
            return self._kept[frame]
        moment, parts = self.thing.moment(frame), []
        for skin in moment.skins:
            if skin.solid is not None:
                parts.append(skin.solid.sdf(moment.x[skin.start : skin.stop], self.look.advection))
            elif skin.meshed:
                parts.append(MeshDistance(TriMesh(skin.of(moment.x), skin.triangles)))
        if not parts:
            raise InputError("no body of this run is solid, so there is no distance to slice; name a field as colour")
        self._kept = {frame: lambda points: np.minimum.reduce([part(points) for part in parts])}
        return self._kept[frame]

    def _sampled(self, frame: int, fine: float) -> np.ndarray:
        """(h, w) values on the plane, ``fine`` samples a pixel and direction; not a number where there is nothing."""
        width, height = (max(round(n * fine), 4) for n in self.size)
        if self.field:
            return self._cut_field(frame, width, height)
        points = self._points(width, height)
        if isinstance(self.thing, Volume):
            volume = self.thing
            index = np.linalg.solve(volume.axes, (points - volume.origin).T).T / volume.spacing
            inside = np.all((index >= -0.5) & (index <= np.array(volume.values.shape) - 0.5), axis=1)
            return np.where(inside, volume.at(points).astype(float), np.nan).reshape(height, width)
        return np.asarray(self._distance(frame)(points), float).reshape(height, width)

    def _plane(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n,) heights of points over the plane [m] and (n, 2) places on the picture [pixels]."""
        right, up, out = self.look.axes
        away = x - self.corner
        return away @ out, np.stack([away @ right, -(away @ up)], axis=1) / self.pixel

    def _cut_field(self, frame: int, width: int, height: int) -> np.ndarray:
        """The nodal field inside the bodies, linear in their tets; lattices are trimmed at their distance at rest."""
        moment, pieces, fine = self.thing.moment(frame), [], np.array([width, height]) / self.size
        values = moment.values(self.colour)
        for skin in moment.skins:
            own = slice(skin.start, skin.stop)
            above, place = self._plane(moment.x[own])
            depth = np.full(len(place), -1.0) if skin.solid is None else skin.solid.depth
            corner = np.column_stack([place * fine, values[own], depth])
            pieces.append(cut_tets(tets_of(skin), above, corner))
        triangles = np.concatenate(pieces)
        if not len(triangles):
            return np.full((height, width), np.nan)
        flat = np.concatenate([triangles[:, :, :2], np.zeros((len(triangles), 3, 1))], axis=2)
        _, nearest = draw(self.device, flat, width, height)
        self.device.forget()
        hit = nearest.numpy()
        row, column = np.nonzero(hit >= 0)
        a, b, c = triangles[hit[row, column]].transpose(1, 0, 2)
        p = np.stack([column + 0.5, row + 0.5], axis=1) - a[:, :2]
        ab, ac = b[:, :2] - a[:, :2], c[:, :2] - a[:, :2]
        area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
        area = np.where(area == 0, 1.0, area)
        wb, wc = (p[:, 0] * ac[:, 1] - p[:, 1] * ac[:, 0]) / area, (ab[:, 0] * p[:, 1] - ab[:, 1] * p[:, 0]) / area
        interpolated = a[:, 2:] + wb[:, None] * (b - a)[:, 2:] + wc[:, None] * (c - a)[:, 2:]
        image = np.full((height, width), np.nan)
        image[row, column] = np.where(interpolated[:, 1] <= 0, interpolated[:, 0], np.nan)
        return image

    def _scale(self, frames: np.ndarray, limits: tuple[float, float] | None) -> None:
        some = frames[np.linspace(0, len(frames) - 1, min(len(frames), 4)).astype(int)]
        coarse = [self._sampled(int(f), 0.25) for f in some]
        shown = np.concatenate([image[np.isfinite(image)] for image in coarse])
        if not len(shown) and limits is None:
            raise InputError("the plane of this slice meets nothing; move its point into the bodies")
        self.largest = float(shown.max()) if len(shown) else 0.0
        if limits is not None:
            self.limits = check_limits(limits, self.unit)
            return
        low, high = float(shown.min()), float(np.percentile(shown, 99.5))
        if self.colour == DISTANCE:
            high = max(-low, 1e-9)  # as far outside as inside: what lies farther out is all alike
            self.largest = high
        elif low >= 0 and self.colour != "height":
            low = 0.0
        self.limits = (low, high) if high > low else (low, low + (abs(low) or 1.0))

    def render(self, frame: int) -> np.ndarray:
        """Draw one frame and return an (height, width, 3) float sRGB image in 0…1, without legend."""
        s, (width, height), (low, high) = self.samples, self.size, self.limits
        values = self._sampled(frame, s)
        fade = ((np.arange(height * s) + 0.5) / (height * s))[:, None, None]
        top, bottom = (colours.linear(colours.parsed(c)) for c in BACK)
        image = np.broadcast_to(top + (bottom - top) * fade, (height * s, width * s, 3)).copy()
        there = np.isfinite(values)
        at = np.clip((values[there] - low) / (high - low), 0, 1) * 255
        scale = colours.linear(colours.ramp(self.colour, self.limits))
        drawn = np.stack([np.interp(at, np.arange(256), scale[:, k]) for k in range(3)], axis=1)
        drawn = painted(values[there], self.labels, image[there]) if self.labels else drawn
        if self.colour == DISTANCE:  # what lies outside is paler, and fades away at the end of the scale
            stay = np.where(values[there] <= 0, 1.0, 0.6 * np.clip(4 - 4 * values[there] / max(high, 1e-30), 0, 1))
            drawn = image[there] + stay[:, None] * (drawn - image[there])
        image[there] = drawn
        if self.colour == DISTANCE:
            pixel = self.pixel / s
            for level in ticks(low, high, 5):
                _ink(image, np.clip(1.1 - np.abs(values - level) / pixel, 0, 1), 0.25)
        if isinstance(self.thing, Run):
            self._lines(image, frame)
        if self.look.contour and self.colour == DISTANCE:
            steep = np.maximum(np.hypot(*np.gradient(values)), 0.1 * self.pixel / s)  # thin walls have gentle slopes
            _ink(image, np.clip(0.5 + 0.5 * STROKE * s - np.abs(values) / steep, 0, 1), 1.0)
        image = image.reshape(height, s, width, s, 3).mean(axis=(1, 3))
        image = colours.encoded(image)
        self._bar(image)
        return image

    def _lines(self, image: np.ndarray, frame: int) -> None:
        """Obstacles, elements where asked for, and the surfaces of the bodies."""
        moment, s = self.thing.moment(frame), self.samples
        obstacles = [(prop, self._plane(posed(prop, frame))) for prop in self.thing.props]
        self._strokes(image, [cut_triangles(prop.mesh.triangles, *cut) for prop, cut in obstacles], STROKE * s, 0.5)
        if self.look.cells:
            self._strokes(image, [self._on_faces(skin, moment.x) for skin in moment.skins], 0.6 * s, 0.45)
        if self.look.contour and self.colour != DISTANCE:
            lines = []
            for skin in moment.skins:
                if not is_rod(skin):
                    height, place = self._plane(skin.of(moment.x))
                    lines.append(cut_triangles(np.asarray(skin.triangles), height, place))
            self._strokes(image, lines, STROKE * s, 1.0)

    def _on_faces(self, skin: Skin, x: np.ndarray) -> np.ndarray:
        height, place = self._plane(x[skin.start : skin.stop])
        return cut_triangles(faces_of(skin), height, place)

    def _strokes(self, image: np.ndarray, lines: list[np.ndarray], width: float, ink: float) -> None:
        every = np.concatenate([np.zeros((0, 2, 2)), *lines])
        if not len(every):
            return
        strokes = ribbons(every * self.samples, width)
        flat = np.concatenate([strokes, np.zeros((len(strokes), 3, 1))], axis=2)
        _, nearest = draw(self.device, flat, image.shape[1], image.shape[0])
        self.device.forget()
        _ink(image, (nearest.numpy() >= 0).astype(float), ink)

    def _bar(self, image: np.ndarray) -> None:
        """A bar that says how long things are, and the names of the axes."""
        height, width = image.shape[:2]
        size = 0.0135 * height + 1.0
        step = round_step(0.25 * (1 - LEGEND) * width * self.pixel)
        right = int((1 - LEGEND) * width - 2.2 * size)
        left, row = right - max(int(round(step / self.pixel)), 1), int(height - 2.2 * size)
        image[row - 1 : row + 1, left:right] = PALE
        for end in (left, right - 1):
            image[row - int(0.4 * size) : row + int(0.4 * size) + 1, end : end + 1] = PALE
        draw_text(image, quantity(step, "m"), (0.5 * (left + right), row - 0.9 * size), size, INK, "centre")
        names = [_named(axis) for axis in self.look.axes[:2]]
        if all(names):
            draw_text(image, f"{names[0]} to the right, {names[1]} up", (2.2 * size, height - 4.4 * size), 0.85 * size, PALE)


def _ink(image: np.ndarray, ink: np.ndarray, strength: float) -> None:
    """Lay a line's colour over an image, in place."""
    part = strength * np.nan_to_num(ink)[..., None]
    image *= 1 - part
    image += part * colours.linear(TRACE)


def _named(axis: np.ndarray) -> str:
    """A letter with its sign, or "" for a direction between the axes."""
    k = int(np.argmax(np.abs(axis)))
    return f"{'−' if axis[k] < 0 else ''}{'xyz'[k]}" if abs(axis[k]) > 1 - 1e-9 else ""
