"""Surface pictures: camera, lights and colour scale of a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import warp as wp

from ..arguments import checks
from ..errors import InputError
from ..runtime.device import Device
from ..simulate.record.run import Run, Skin
from .colours import colour as colours
from .colours.label_colours import Label
from .colours.units import round_step
from .frames import checked_view, unit_of
from .raster.depth_buffer import dome, draw, fitted, lamp_axes, lamp_corners, looking
from .raster.frame_shapes import (
    Soup,
    Surface,
    Tubes,
    ground_of,
    is_rod,
    posed,
    rod_radius,
    surface_places,
    surface_values,
    vertex_values,
    vertices,
)
from .raster.raster_kernels import raster
from .raster.shading import structures

HALF = np.tan(np.deg2rad(13.0))  # half the vertical angle of view
KEY_MAP, DOME_MAP, DOMES = 896, 96, 26  # texels of the shadow maps, and how many lamps make the sky
# Points of an even disc: the golden angle leaves no rows, so a soft shadow has no stripes.
_K = np.arange(14)
_R, _TURN = np.sqrt((_K + 0.5) / 14), 2.399963 * _K
DISC = np.stack([_R * np.cos(_TURN), _R * np.sin(_TURN), 0.0 * _K], axis=1)
CARPET = 160  # squares along the floor that receives the sky's shadow
LEGEND = 0.15  # part of the width kept free for the legend
BACK = ("#fbfcfd", "#dfe4ea")  # top and bottom of the backdrop


def check_size(size: tuple[int, int], samples: int) -> None:
    """Say so if a picture size [pixels] or a number of samples cannot be used."""
    try:
        width, height = size
        fine = all(isinstance(s, int | np.integer) and 16 <= s <= 16384 for s in (width, height))
    except (TypeError, ValueError):
        fine = False
    if not fine:
        raise InputError(f"size is {size!r}; expected (width, height) in pixels, each from 16 to 16384")
    checks.whole("samples", samples, 1, 8, " per pixel and direction")


def check_limits(limits: tuple[float, float], unit: str = "") -> tuple[float, float]:
    """Return the ends of a colour scale, or say why they cannot be used."""
    ends = checks.floats(limits)
    if ends.shape != (2,) or not np.isfinite(ends).all() or not ends[0] < ends[1]:
        raise checks.refusal("limits", limits, f"(low, high) with low < high, in {unit or 'the unit of the field'}, or None")
    return float(ends[0]), float(ends[1])


class SurfaceRenderer:
    """A camera, lights and colours that stay the same from frame to frame.

    ``frames`` are the frames that will be drawn; camera and limits hold all of them. ``colour`` names a field or is
    None for one hue per body; ``limits`` are its (low, high) in SI units; ``view`` is (azimuth, elevation) [degrees]. ``names``
    leaves room for those of the bodies.
    """

    def __init__(
        self, run: Run, frames: np.ndarray, colour: str | None, size: tuple[int, int], view: tuple[float, float],
        samples: int, wire: bool, limits: tuple[float, float] | None, names: bool = False,
    ):  # fmt: skip
        check_size(size, samples)
        checks.flag("wire", wire)
        checks.flag("names", names)
        if colour is not None:
            checks.instance("colour", colour, str, "the name of a field")
        view = checked_view(view)
        self.run, self.colour, self.size, self.samples, self.wire = run, colour, size, samples, wire
        self.device = Device("cpu", "f32")
        self.names = names
        self.unit = "" if colour is None else unit_of(run, colour)
        self.largest = 0.0
        self.limits = (0.0, 1.0) if colour is None else self._limits(frames, limits)
        self._place(frames, view)
        self._topology()

    def _limits(self, frames: np.ndarray, limits: tuple[float, float] | None) -> tuple[float, float]:
        shown = np.concatenate([surface_values(self.run.moment(f), self.colour) for f in frames])
        shown = shown[np.isfinite(shown)]
        if not len(shown):
            raise InputError(f"field {self.colour!r} has no finite value on the surface; choose another")
        self.largest = float(shown.max())
        if limits is not None:
            return check_limits(limits, self.unit)
        # A few corners may tower over the rest; they must not drain the colour from everything else.
        low, high = float(shown.min()), float(np.percentile(shown, 99.5))
        if self.colour == "volume ratio":
            far = float(np.percentile(np.abs(shown - 1.0), 99.5)) or 1e-3
            return 1.0 - far, 1.0 + far
        if low >= 0 and (self.colour != "height"):
            low = 0.0
        if not high > low:
            high = low + (abs(low) if low else 1.0)
        return low, high

    def _place(self, frames: np.ndarray, view: tuple[float, float]) -> None:
        """Choose camera, ground and lights."""
        run = self.run
        some = np.unique(frames[np.linspace(0, len(frames) - 1, min(len(frames), 16)).astype(int)])
        points = np.concatenate([surface_places(run.moment(f)) for f in some])
        if not any(len(s.triangles) or is_rod(s) for chapter in run.chapters for s in chapter.skins):
            raise InputError("no body of this run has a surface or edges; nothing to draw")
        low, high = points.min(axis=0), points.max(axis=0)
        extent = max(float(np.linalg.norm(high - low)), 1e-9)
        self.ground, self.floor = ground_of(run, extent)
        for prop in run.props:
            placed = np.concatenate([posed(prop, f) for f in some])
            if prop is not self.ground and len(placed) and np.ptp(placed, axis=0).max() < 2.5 * extent:
                points = np.concatenate([points, placed])
        low, high = points.min(axis=0), points.max(axis=0)
        self.centre = 0.5 * (low + high)
        self.reach = max(float(np.linalg.norm(points - self.centre, axis=1).max()), 1e-9) * 1.06
        self.extent = extent
        if self.ground is None:
            self.floor = low[2] - 0.05 * self.reach
        width, height = self.size
        axes = looking(view)
        side = LEGEND if self.colour is not None or self.names else 0.0
        room = (HALF * width / height * (1 - side) * 0.88, HALF * 0.84)
        if self.floor > low[2] - 0.6 * self.reach:  # the foot of the shadow belongs in the picture too
            points = np.concatenate([points, points * [1.0, 1.0, 0.0] + [0.0, 0.0, self.floor]])
        self.camera = fitted(points, axes, HALF, room, -0.5 * side)
        right, up, forward = axes
        sun = -0.45 * right + 0.6 * up - 0.35 * forward
        sun[2] = max(sun[2], 0.7)  # high enough that shadows stay near their owner
        towards = [sun, *dome(DOMES)]
        self.lamps = np.stack([lamp_axes(t) for t in towards])

    def _topology(self) -> None:
        """Prepare what stays the same: triangles of each chapter, palette and scale."""
        run = self.run
        self.shapes = [[self._shape(skin, chapter.rest) for skin in chapter.skins] for chapter in run.chapters]
        self.props = [(p, Surface(p.mesh.triangles, len(p.mesh.vertices))) for p in run.props if p is not self.ground]
        hues = [[s.colour or colours.body_colour(i) for i, s in enumerate(chapter.skins)] for chapter in run.chapters]
        self.named = [tuple(Label(i, s.name, h) for i, (s, h) in enumerate(zip(chapter.skins, own)))
                      for chapter, own in zip(run.chapters, hues)]  # fmt: skip
        linear = lambda own: colours.linear(np.array([colours.parsed(h) for h in [*own, colours.OBSTACLE]]))
        self.palettes = [linear(own) for own in hues]  # of each chapter, obstacles last
        self.scale = colours.linear(colours.ramp(self.colour, self.limits))

    def _shape(self, skin: Skin, rest: np.ndarray) -> Surface | Tubes:
        if is_rod(skin):
            return Tubes(skin.edges, rod_radius(rest, skin, self.extent))
        return Surface(skin.triangles, len(skin.parents))

    def _soup(self, frame: int) -> Soup:
        moment, (low, high) = self.run.moment(frame), self.limits
        values = None if self.colour is None else moment.values(self.colour)
        soups = []
        for i, (skin, shape) in enumerate(zip(moment.skins, self.shapes[self.run.chapter_of(frame)])):
            value = None
            if values is not None:
                value = np.nan_to_num((vertex_values(skin, values) - low) / (high - low))
            soups.append(shape.soup(self.device, vertices(skin, moment.x), value, i if value is None else -1))
        for prop, shape in self.props:
            soups.append(shape.soup(self.device, posed(prop, frame), None, len(moment.skins)))
        soup = Soup.joined(soups)
        return replace(soup, edged=soup.edged * (self.wire and soup.kind < len(moment.skins)))

    def render(self, frame: int) -> np.ndarray:
        """Draw one frame and return an (height, width, 3) float sRGB image in 0…1, without legend."""
        device, (width, height), s = self.device, self.size, self.samples
        real, vec3 = device.types.real, device.types.vec3
        soup, kernels = self._soup(frame), raster(device.precision)
        near = 0.02 * self.reach
        corners, source = self.camera.corners(soup.place, width * s, height * s, near)
        _, nearest = draw(device, corners, width * s, height * s)
        corners = lamp_corners(soup.place, self.lamps[0], self.centre, self.reach, KEY_MAP)
        key, _ = draw(device, corners, KEY_MAP, KEY_MAP)
        _, Triangles, Paint, Lights, Ground = structures(device.precision)
        place, lights = device.array(soup.place, vec3), Lights()
        lights.axes, lights.disc = device.array(self.lamps.reshape(-1, 3), vec3), device.array(DISC, vec3)
        lights.key = key
        lights.domes = device.zeros((DOMES, DOME_MAP, DOME_MAP), real)
        lights.centre, lights.reach = vec3(*self.centre), float(self.reach)
        device.launch(kernels.fill_domes, DOMES, lights.axes, lights.centre, lights.reach, place, lights.domes, grain=1)
        carpet, wide = device.zeros((CARPET, CARPET), real), 2.6 * self.reach
        device.launch(kernels.floor_sky, CARPET**2, CARPET, wide, float(self.floor), lights, carpet)
        ground = Ground()
        ground.kind = 1 if self.ground is None else 2
        ground.floor, ground.wide = float(self.floor), float(wide)
        ground.spacing = float(round_step(self.reach / 4.0))
        ground.horizon = float(self.reach * 5.0)
        ground.carpet = device.array(_blurred(carpet.numpy()), real)
        camera = self.camera.seen(device, (width, height), s)
        paint = Paint()
        paint.palette = device.array(self.palettes[self.run.chapter_of(frame)], vec3)
        paint.scale = device.array(self.scale, vec3)
        paint.back = device.array(colours.linear(np.array([colours.parsed(c) for c in BACK])), vec3)
        triangles = Triangles()
        triangles.place = place
        triangles.normal, triangles.value = device.array(soup.normal, vec3), device.array(soup.value, real)
        triangles.kind, triangles.edged = device.array(soup.kind, wp.int32), device.array(soup.edged, wp.int32)
        triangles.source = device.array(source, wp.int32)
        image = device.zeros(width * height, vec3)
        device.launch(kernels.shade, width * height, camera, lights, ground, paint, triangles, nearest, image)
        device.forget()
        return colours.encoded(image.numpy().reshape(height, width, 3))


def _blurred(carpet: np.ndarray) -> np.ndarray:
    """Soften the floor's sky light: a few dozen lamps leave as many faint outlines, a real sky none."""
    reach = 7
    weight = np.exp(-0.5 * (np.arange(-reach, reach + 1) / 3.0) ** 2)
    weight /= weight.sum()
    for _ in range(2):
        padded = np.pad(carpet, ((reach, reach), (0, 0)), constant_values=1.0)
        carpet = sum(w * padded[k : k + len(carpet)] for k, w in enumerate(weight)).T
    return carpet
