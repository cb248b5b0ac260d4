"""Playback of a run: scenes, surfaces and values of frames."""

from __future__ import annotations

import uuid
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import InputError, first_few
from ...output.colours.units import round_step
from ...output.frames import finite_frames, fitting, unit_of
from ...output.raster.frame_shapes import is_rod, rod_radius, surface_places, surface_values
from ...simulate.record.run import Run
from ..protocol.finite_numbers import finite
from ..scene.scene_description import described_field, drawn, palettes, surroundings
from ..scene.surface_fields import TWO_SIDED, neutral_value

SAMPLED = 120  # frames that a colour scale and the box of what is in view are fitted to


def presentable(run: Run) -> tuple[Run, list[str]]:
    """The part of a run that can be shown, and a sentence for each thing that is left out as it is not finite."""
    notes = []
    fitting(run)
    good = finite_frames(run)
    if not good.any():
        raise InputError(
            f"none of the {len(run)} frames holds positions that are all finite, so there is nothing to show; "
            "a smaller dt or another solver may keep the steps from going astray"
        )
    if not good.all():
        bad = np.flatnonzero(~good)
        notes.append(
            f"{len(bad)} of {len(run)} frames hold positions that are not finite, first at {first_few(bad)}; they are left out."
        )
        run = run.selected(np.flatnonzero(good))
    odd = [name for name, values in run.energies.items() if not np.isfinite(values).all()]
    if odd:
        notes.append(f"The energy {_named(odd)} is not finite in some frames.")
    return run, notes


def _named(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names)


class Playback:
    """Scenes, surfaces and colour scales of a run; ``notes`` say what of it is not shown."""

    def __init__(self, run: Run, name: str = "", sampled: int = SAMPLED):
        self.run, self.notes = presentable(run)
        self.name = name
        self.fields = {n: unit_of(self.run, n) for n in ("displacement", "speed", *self.run.field_names)}
        self._some = np.unique(np.linspace(0, len(self.run) - 1, sampled).round().astype(int))
        self._series = uuid.uuid4().hex[:12]
        self._ends: dict[str, tuple[float, float]] = {}
        if not all(len(self.surface(int(first))) for first in self.run.starts[:-1]):
            raise InputError("no body of this run has a surface or edges; nothing to show")

    def surface(self, frame: int) -> np.ndarray:
        """(s, 3) float32 places of the vertices that draw all bodies [m]."""
        return surface_places(self.run.moment(frame)).astype(np.float32)

    def values(self, name: str, frame: int) -> np.ndarray:
        """(s,) a field at these vertices; what is not finite is 0."""
        with np.errstate(over="ignore"):
            values = surface_values(self.run.moment(frame), name).astype(np.float32)
        return np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)

    def ends(self, name: str) -> tuple[float, float]:
        """Where the colour scale of a field begins and ends, the same for all frames."""
        if name not in self._ends:
            shown = np.concatenate([surface_values(self.run.moment(int(f)), name) for f in self._some])
            self._ends[name] = ends_of(shown, name)
        return self._ends[name]

    @cached_property
    def poses(self) -> np.ndarray | None:
        """(frames, obstacles, 4, 4), or None where no obstacle is anywhere but at its own origin."""
        props = self.run.props
        moved = any(not np.allclose(prop.poses, np.eye(4)) for prop in props)
        return np.stack([prop.poses for prop in props], axis=1) if moved else None

    @cached_property
    def _hull(self) -> tuple[np.ndarray, np.ndarray]:
        box = np.array([(s.min(axis=0), s.max(axis=0)) for s in (self.surface(int(f)) for f in self._some)], dtype=float)
        return box[:, 0].min(axis=0), box[:, 1].max(axis=0)

    def scene(self, chapter: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """What the page has to know of a chapter once, and the arrays that go with it."""
        run, own = self.run, self.run.chapters[chapter]
        x = self.surface(int(run.starts[chapter]))
        first = self.surface(0)
        size = max(float(np.linalg.norm(np.ptp(first, axis=0))), 1e-6)
        arrays, bodies, start = palettes(), [], 0
        for k, skin in enumerate(own.skins):
            count = skin.stop - skin.start if is_rod(skin) else len(skin.parents)
            body = drawn(skin, k, x[start : start + count], start, arrays)
            if is_rod(skin):
                body["radius"] = rod_radius(own.rest, skin, size)
            bodies.append(body | {"law": "", "sheet": False, "sliders": []})
            start += count
        moves = [not np.allclose(prop.poses, prop.poses[0]) for prop in run.props]
        props, floor, (low, high) = surroundings(run.props, moves, self._hull, size, 0.0, arrays)
        with np.errstate(over="ignore"):
            arrays |= {f"energy:{i}": np.asarray(e).astype(np.float32) for i, e in enumerate(run.energies.values())}
            sizes = [np.linalg.norm(f, axis=1) for f in run.forces.values()]
            arrays |= {f"force:{i}": size.astype(np.float32) for i, size in enumerate(sizes)}
        replay = {
            "times": [round(float(t), 9) for t in run.times], "series": self._series, "chapter": chapter,
            "energies": list(run.energies), "forces": list(run.forces),
        }  # fmt: skip
        about = {
            "name": self.name, "bodies": bodies, "props": props, "floor": floor, "box": [low.tolist(), high.tolist()],
            "size": size, "spacing": round_step(size / 4), "dt": finite(run.dt), "nodes": len(own.rest),
            "elements": sum(len(cells) for s in own.skins for cells in (s.tets, s.hexes) if cells is not None),
            "triangles": sum(len(s.triangles) for s in own.skins),
            "fields": [described_field(n, u) for n, u in self.fields.items()],
            "solvers": [], "examples": [], "contact": False, "integrator": "", "device": "", "epoch": chapter + 1,
            "notes": self.notes, "saves": [], "replay": replay,
        }  # fmt: skip
        return about, arrays


def ends_of(shown: np.ndarray, name: str) -> tuple[float, float]:
    """Where the colour scale of a field begins and ends, for its values at the vertices in all frames."""
    values = shown[np.isfinite(shown) & (np.abs(shown) < 1e37)]  # more does not fit the numbers of a page
    if not len(values):
        raise InputError(f"field {name!r} has no finite value on the surface; name other colours")
    low, high = float(values.min()), float(np.percentile(values, 99.8))
    if name in TWO_SIDED:
        neutral = neutral_value(name)
        span = max(neutral - float(np.percentile(values, 0.2)), high - neutral) or abs(neutral) or 1.0
        return neutral - span, neutral + span
    if low >= 0 and name != "height":
        low = 0.0
    return low, high if high > low else low + (abs(low) or 1.0)
