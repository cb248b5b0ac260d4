"""Run: the record of a simulation, to draw or write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ...arguments import checks
from ...arguments.short_repr import brief
from ...arguments.typing_fields import Vector
from ...errors import InputError, did_you_mean
from ...geometry.distance.sdf import Sdf
from ...geometry.lattice.distance_advection import Advection
from ...geometry.mesh.mesh import TriMesh
from ...geometry.mesh.mesh_looks import Looks
from .deformed_solid import Solid
from .events import Event
from .probe import COMPONENTS, Probe, composed, mises
from .run_shapes import check_chapter, check_run
from .wrench import about as about_point
from .wrench import check, shifted


@dataclass(frozen=True, eq=False)
class Skin:
    """How one body is drawn: a surface whose vertices are fixed mixtures of the body's nodes."""

    name: str
    start: int  # first row of this body in the scene's positions
    stop: int  # one past its last row
    triangles: np.ndarray  # (f, 3) in surface vertex numbers; empty for rods
    parents: np.ndarray  # (s, k) body node numbers (from 0) that carry each surface vertex
    weights: np.ndarray  # (s, k) their weights, each row summing to 1
    tets: np.ndarray | None = None  # (m, 4) or (m, 10) body node numbers, for volume formats
    edges: np.ndarray | None = None  # (e, 2) body node numbers, for rods
    colour: str | None = None  # "#rrggbb", or None for one of the palette
    solid: Solid | None = None  # a lattice body's distance and cells, for slices and volumes
    hexes: np.ndarray | None = None  # (m, 8) body node numbers, around the bottom and then the top, for volume formats
    looks: Looks | None = None  # the surface as it was drawn, for formats that artists use
    __repr__ = brief

    @property
    def meshed(self) -> bool:
        """Whether the body is a solid of elements that fill the inside of its surface."""
        return self.tets is not None or self.hexes is not None

    def of(self, values: np.ndarray) -> np.ndarray:
        """Carry nodal values of the whole scene, (…, n) or (…, n, 3), to this surface's vertices."""
        axis = -2 if values.ndim >= 2 and values.shape[-1] == 3 else -1
        own = np.moveaxis(values, axis, 0)[self.start : self.stop]
        carried = self.matrix @ own.reshape(len(own), -1)
        return np.moveaxis(carried.reshape(-1, *own.shape[1:]), 0, axis)

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """(s, body nodes) weights of the nodes in each surface vertex."""
        count, width = self.parents.shape
        starts = width * np.arange(count + 1)
        shape = (count, self.stop - self.start)
        return sparse.csr_array((self.weights.ravel(), self.parents.ravel(), starts), shape=shape)


@dataclass(frozen=True, eq=False)
class Prop:
    """How one obstacle is drawn: a rigid surface and its pose in every frame."""

    name: str
    mesh: TriMesh
    poses: np.ndarray  # (frames, 4, 4)


@dataclass(frozen=True, eq=False)
class Moment:
    """One frame of a run: where its nodes are, and what draws them."""

    time: float  # [s]
    x: np.ndarray  # (n, 3) [m]
    v: np.ndarray  # (n, 3) [m/s]
    rest: np.ndarray  # (n, 3) [m]
    skins: tuple[Skin, ...]
    fields: dict[str, np.ndarray]  # name → (n,)

    def values(self, name: str) -> np.ndarray:
        """(n,) a scalar field, recorded or made of positions and velocities; see ``Run.values``."""
        return _values(name, self.x, self.v, self.rest, self.fields)


@dataclass(frozen=True, eq=False)
class Chapter:
    """Frames of the same nodes and surfaces: a run has one, and another after each change of topology."""

    positions: np.ndarray  # (frames, n, 3) [m]
    velocities: np.ndarray  # (frames, n, 3) [m/s]
    rest: np.ndarray  # (n, 3) [m]
    skins: tuple[Skin, ...]
    fields: dict[str, np.ndarray] = field(default_factory=dict)  # name → (frames, n), e.g. "stress" [Pa]
    __repr__ = brief

    def __post_init__(self):
        checks.several("run.skins", self.skins, Skin, "skins")
        check_chapter(self)

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, frames: slice | np.ndarray) -> Chapter:
        """The same bodies in some of the frames."""
        fields = {name: np.asarray(values)[frames] for name, values in self.fields.items()}
        return replace(self, positions=self.positions[frames], velocities=self.velocities[frames], fields=fields)

    def values(self, name: str) -> np.ndarray:
        """(frames, n) a scalar field; see ``Run.values``."""
        return _values(name, self.positions, self.velocities, self.rest, self.fields)

    def beside(self, other: Chapter, moved: np.ndarray) -> Chapter:
        """The bodies of two chapters of as many frames, those of the other moved [m]."""
        first = len(self.rest)
        skins = [replace(s, start=s.start + first, stop=s.stop + first) for s in other.skins]
        return Chapter(
            positions=np.concatenate([self.positions, other.positions + moved], axis=1),
            velocities=np.concatenate([self.velocities, other.velocities], axis=1),
            rest=np.concatenate([self.rest, other.rest + moved]),
            skins=(*self.skins, *skins),
            fields={name: np.concatenate([v, other.fields[name]], axis=1) for name, v in self.fields.items()},
        )


def _values(name: str, x: np.ndarray, v: np.ndarray, rest: np.ndarray, fields: dict[str, np.ndarray]) -> np.ndarray:
    """(…, n) a field of positions (…, n, 3) and velocities."""
    checks.instance("the name of a field", name, str, "text, such as 'stress'")
    if name in fields:
        return fields[name]
    if name == "displacement":
        return np.linalg.norm(x - rest, axis=-1)
    if name == "speed":
        return np.linalg.norm(v, axis=-1)
    if name == "height":
        return x[..., 2]
    known = ["displacement", "speed", "height", *fields]
    near, has = did_you_mean(name, known), ", ".join(known)
    raise InputError(f"no field {name!r} in this run{near}; it has {has}; others are recorded by sim.run(…, fields=…)")


@dataclass(frozen=True, eq=False)
class Run:
    """Frames of a simulation: chapters of positions and nodal fields, and energies and reports that run through them.

    A run whose bodies keep their nodes has one chapter, whose ``positions``, ``velocities``, ``rest``, ``skins`` and
    ``fields`` are also those of the run. Where topology changes, as in a cut, there are several: ``moment(frame)``
    gives one frame of any.
    """

    times: np.ndarray  # (frames,) [s]
    chapters: tuple[Chapter, ...]
    props: tuple[Prop, ...] = ()
    energies: dict[str, np.ndarray] = field(default_factory=dict)  # name → (frames,) [J]
    reports: tuple[Any, ...] = ()
    step_seconds: np.ndarray = field(default_factory=lambda: np.zeros(0))  # wall time of each step [s]
    dt: float = 0.0  # time step [s]
    wrenches: dict[str, np.ndarray] = field(default_factory=dict)  # name → (frames, 3, 3), see ``force`` and ``torque``
    events: tuple[Event, ...] = ()  # touches that began and ended

    def __post_init__(self):  # numbers need not be finite: those of a step that failed may not be
        for name, kinds in (("chapters", Chapter), ("props", Prop), ("reports", object), ("events", Event)):
            checks.several(f"Run({name}=…)", getattr(self, name), kinds, name)
        for name in ("energies", "wrenches"):
            checks.instance(f"Run({name}=…)", getattr(self, name), dict, "arrays by their names")
        checks.number("dt", self.dt, 0, expected="a number of seconds")
        check_run(self)

    UNITS = {
        "displacement": "m",
        "speed": "m/s",
        "height": "m",
        "stress": "Pa",
        "pressure": "Pa",
        "energy density": "J/m³",
        "young": "Pa",
        "density": "kg/m³",
        **{name: "Pa" for name in COMPONENTS if name.startswith("stress")},
    }
    PARTS = tuple(f.name for f in dataclass_fields(Chapter))

    @classmethod
    def single(
        cls, times: np.ndarray, positions: np.ndarray, velocities: np.ndarray, rest: np.ndarray, skins: Sequence[Skin],
        props: Sequence[Prop] = (), fields: dict[str, np.ndarray] | None = None,
        energies: dict[str, np.ndarray] | None = None, **parts: Any,
    ) -> Run:  # fmt: skip
        """A run of one chapter; ``parts`` are ``reports``, ``step_seconds`` and ``dt``."""
        chapter = Chapter(positions, velocities, rest, tuple(skins), fields or {})
        return cls(times, (chapter,), tuple(props), energies or {}, **parts)

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        if not len(self) or not self.chapters:
            return "Run(no frames)"
        last = self.chapters[-1]
        names = ", ".join(skin.name for skin in last.skins[:4]) + (", …" if len(last.skins) > 4 else "")
        said = [
            f"{len(self):,} frames from {self.times[0]:.4g} to {self.times[-1]:.4g} s",
            f"{len(last.rest):,} nodes of {names}",
        ]
        said += [f"fields {', '.join(last.fields)}"] if last.fields else []
        bad = sum(not report.ok for report in self.reports)
        said += [f"{bad:,} of {len(self.reports):,} steps not converged"] if bad else []
        return f"Run({'; '.join(said)})"

    # --- chapters

    @cached_property
    def starts(self) -> np.ndarray:
        """(chapters + 1,) the first frame of each chapter, and the number of frames."""
        return np.cumsum([0, *(len(chapter) for chapter in self.chapters)])

    def chapter_of(self, frame: int) -> int:
        """The number of the chapter that a frame, counted from 0, is in."""
        return int(np.searchsorted(self.starts, frame, side="right")) - 1

    def moment(self, frame: int) -> Moment:
        """One frame; −1 is the last."""
        if isinstance(frame, bool) or not isinstance(frame, int | np.integer) or not -len(self) <= frame < len(self):
            raise InputError(f"moment({frame!r}): expected one of the {len(self)} frames, numbered 0…{len(self) - 1}")
        frame = int(frame) % len(self)
        at = self.chapter_of(frame)
        chapter, i = self.chapters[at], frame - int(self.starts[at])
        fields = {name: np.asarray(values[i]) for name, values in chapter.fields.items()}
        x, v = chapter.positions[i], chapter.velocities[i]
        return Moment(float(self.times[frame]), x, v, chapter.rest, chapter.skins, fields)

    def selected(self, frames: np.ndarray) -> Run:
        """The same run with only some of its frames, in rising order; chapters of which none is left go."""
        frames = np.asarray(frames, dtype=int)
        if len(frames) and (frames[0] < 0 or frames[-1] >= len(self) or np.any(np.diff(frames) <= 0)):
            raise InputError(f"selected(…): expected rising frame numbers 0…{len(self) - 1}")
        parts = [frames[(frames >= a) & (frames < b)] - a for a, b in zip(self.starts, self.starts[1:])]
        return replace(
            self,
            times=self.times[frames],
            chapters=tuple(chapter[own] for chapter, own in zip(self.chapters, parts) if len(own)),
            props=tuple(replace(prop, poses=prop.poses[frames]) for prop in self.props),
            energies={name: np.asarray(values)[frames] for name, values in self.energies.items()},
            wrenches={name: values[frames] for name, values in self.wrenches.items()},
        )

    def _only(self, what: str) -> Any:
        """A part of the one chapter; several have no such part in common."""
        if len(self.chapters) != 1:
            when = ", ".join(f"{self.times[i]:g} s" for i in self.starts[1:-1][:3])
            raise InputError(
                f"run.{what}: this run has {len(self.chapters)} chapters, as its bodies change at t = {when}; "
                f"use run.chapters[k].{what}, or run.moment(frame) for one frame"
            )
        return getattr(self.chapters[0], what)

    @property
    def positions(self) -> np.ndarray:
        """(frames, n, 3) [m], of a run of one chapter."""
        return self._only("positions")

    @property
    def velocities(self) -> np.ndarray:
        """(frames, n, 3) [m/s], of a run of one chapter."""
        return self._only("velocities")

    @property
    def rest(self) -> np.ndarray:
        """(n, 3) rest positions [m], of a run of one chapter."""
        return self._only("rest")

    @property
    def skins(self) -> tuple[Skin, ...]:
        """How its bodies are drawn, of a run of one chapter."""
        return self._only("skins")

    @property
    def fields(self) -> dict[str, np.ndarray]:
        """Recorded fields, name → (frames, n), of a run of one chapter."""
        return self._only("fields")

    @property
    def field_names(self) -> tuple[str, ...]:
        """Names of the fields that were recorded in every chapter."""
        return tuple(n for n in self.chapters[0].fields if all(n in c.fields for c in self.chapters))

    # --- what it says

    def values(self, name: str) -> np.ndarray:
        """(frames, n) field to colour by: "displacement", "speed", "height", or a recorded one such as "stress"."""
        return self._only("values")(name)

    def sdf(
        self, frame: int = -1, body: int = 0, advection: Advection | None = None, spacing: float | None = None,
        reinitialise: bool = True,
    ) -> Sdf:  # fmt: skip
        """The signed distance [m] of a lattice body as it is in a frame; see ``Simulation.sdf``."""
        if not isinstance(frame, int | np.integer) or not -len(self) <= frame < len(self):
            raise InputError(f"sdf(frame={frame!r}): expected one of the {len(self)} frames, numbered 0…{len(self) - 1}")
        moment = self.moment(frame)
        skin = skin_with_solid(moment.skins, body)
        return skin.solid.sdf(moment.x[skin.start : skin.stop], advection, spacing, reinitialise)

    def at(self, points: Sequence[Vector] | np.ndarray, name: str) -> np.ndarray:
        """(frames, p, …) a field at points (p, 3) [m] of solids where they are at rest; "position" is where they are.

        Tensors and principal values need ``sim.run(…, fields=("stress tensor",))``; see ``Simulation.field``.
        """
        probe = Probe(points, self.skins, self.rest, "at(…)")
        if name == "position":
            return np.moveaxis(probe.of(np.moveaxis(self.positions, 2, 1)), 1, 2)
        if name == "stress" and "stress xx" in self.fields:
            return mises(self.at(points, "stress tensor"))
        found = composed(name, lambda part: probe.of(np.asarray(self.values(part), float)))
        return np.maximum(found, 0.0) if name == "stress" else found

    def along(self, start: Vector, end: Vector, name: str, count: int = 50) -> tuple[np.ndarray, np.ndarray]:
        """(count,) distances from ``start`` [m] on the line to ``end`` at rest, and what ``at`` has there."""
        ends = [checks.vector(f"along({n}=…)", p, "m") for n, p in (("start", start), ("end", end))]
        share = np.linspace(0.0, 1.0, checks.whole("along(count=…)", count, 2))
        points = (1 - share)[:, None] * ends[0] + share[:, None] * ends[1]
        return share * float(np.linalg.norm(ends[1] - ends[0])), self.at(points, name)

    def force(self, name: str) -> np.ndarray:
        """(frames, 3) the force [N] on an obstacle, a hold, a hand, a joint or a body, as ``Simulation.force`` knows them.

        For runs with ``sim.run(…, forces=True)``.
        """
        return self._wrench(name, "force(…)")[:, 0]

    def torque(self, name: str, about: Vector | None = None) -> np.ndarray:
        """(frames, 3) the torque [N m] on such a thing about a point [m], one for each frame or for all, or its centre."""
        return about_point(self._wrench(name, "torque(…)"), about, "torque(…)")

    @property
    def forces(self) -> dict[str, np.ndarray]:
        """Name → (frames, 3) force [N], of everything recorded."""
        return {name: rows[:, 0] for name, rows in self.wrenches.items()}

    def _wrench(self, name: str, call: str) -> np.ndarray:
        if not self.wrenches:
            raise InputError(f"{call}: no forces are in this run; record them with sim.run(…, forces=True)")
        return self.wrenches[check(name, list(self.wrenches), call)]

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per second of computing."""
        spent = float(self.step_seconds.sum())
        return self.dt * len(self.step_seconds) / spent if spent > 0 else float("nan")

    @property
    def contacts(self) -> np.ndarray:
        """(steps,) points and pairs that press where each step ends."""
        return np.array([r.contacts for r in self.reports], dtype=int)

    @property
    def worst_gap(self) -> np.ndarray:
        """(steps,) the least gap of these [m], negative where something is inside another; infinite where nothing presses."""
        return np.array([r.worst_gap for r in self.reports], dtype=float)

    @property
    def friction_loss(self) -> np.ndarray:
        """(steps,) energy that friction took in each step [J]."""
        return np.array([r.friction_loss for r in self.reports], dtype=float)

    # --- other runs of it

    def changed(self, **parts: Any) -> Run:
        """A copy with other parts of the run or, if it has one chapter, of that one, as in ``changed(fields=…)``."""
        inside = {name: parts.pop(name) for name in self.PARTS if name in parts}
        for name in inside:
            self._only(name)
        if inside:
            parts["chapters"] = (replace(self.chapters[0], **inside),)
        return replace(self, **parts)

    def drawn(self, skins: Skin | Sequence[Skin] | Sequence[Sequence[Skin]]) -> Run:
        """The same frames, drawn by other surfaces: those of ``sim.bodies[i].carried(…)``.

        ``skins`` are lists of them where there are several chapters.
        """
        skins = tuple(skins) if isinstance(skins, list | tuple) else (skins,)
        chapters = (skins,) if len(self.chapters) == 1 else skins
        if len(chapters) != len(self.chapters) or not all(isinstance(own, list | tuple) for own in chapters):
            raise InputError(f"drawn(…): expected surfaces for each of the {len(self.chapters)} chapters, as lists")
        for own in chapters:
            if not own or not all(isinstance(skin, Skin) for skin in own):
                kinds = [type(s).__name__ for s in own]
                raise InputError(f"drawn(…): got {kinds}; expected surfaces from sim.bodies[0].carried(…)")
        return replace(self, chapters=tuple(replace(c, skins=tuple(s)) for c, s in zip(self.chapters, chapters)))

    def beside(self, other: Run, shift: Vector) -> Run:
        """Two runs of the same moments as one, the other moved by ``shift`` [m]: energies and times of steps add up."""
        moved = checks.floats(shift)
        if moved.shape != (3,) or not np.all(np.isfinite(moved)):
            raise InputError(f"beside(shift={shift!r}): expected three finite numbers in metres")
        if not np.array_equal(self.times, other.times) or set(self.field_names) != set(other.field_names):
            raise InputError(
                f"beside(…): one run has {len(self)} frames up to {self.times[-1]:g} s with "
                f"{sorted(self.field_names)}, the "
                f"other {len(other)} up to {other.times[-1]:g} s with {sorted(other.field_names)}; expected the same"
            )
        there = np.eye(4)
        there[:3, 3] = moved
        energies = [dict.fromkeys(self.energies, 0.0), self.energies, other.energies]
        bounds = np.unique([*self.starts, *other.starts])  # a chapter ends where that of either run does
        return Run(
            times=self.times,
            chapters=tuple(self._part(a, b).beside(other._part(a, b), moved) for a, b in pairwise(bounds)),
            props=(*self.props, *(replace(p, poses=there @ p.poses) for p in other.props)),
            energies={k: sum(e.get(k, 0.0) for e in energies) for k in {**self.energies, **other.energies}},
            reports=(*self.reports, *other.reports),
            step_seconds=self.step_seconds + other.step_seconds,
            dt=self.dt,
            events=tuple(sorted((*self.events, *other.events), key=lambda event: event.time)),
            wrenches=self.wrenches | {self._other(n): shifted(r, moved) for n, r in other.wrenches.items()},
        )

    def _other(self, name: str) -> str:
        """A name for a thing of another run."""
        return f"{name} of the other" if name in self.wrenches else name

    def _part(self, begin: int, end: int) -> Chapter:
        """Frames begin … end − 1, all in one chapter."""
        at = self.chapter_of(begin)
        first = int(self.starts[at])
        return self.chapters[at][begin - first : end - first]


def skin_with_solid(skins: Sequence[Skin], body: int) -> Skin:
    """The skin of a lattice body, or one sentence about what was asked for instead."""
    if isinstance(body, bool) or not isinstance(body, int | np.integer) or not 0 <= body < len(skins):
        raise InputError(f"sdf(body={body!r}): expected 0 … {len(skins) - 1}")
    if skins[body].solid is None:
        raise InputError(
            f"{skins[body].name} is not a Lattice, so it has no signed distance; use sdf.from_mesh() for that of a surface"
        )
    return skins[body]
