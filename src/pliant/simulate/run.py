"""What a simulation leaves behind: frames, energies and reports, ready to draw or to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from ..errors import InputError, did_you_mean, floats
from ..geometry.advection import Advection
from ..geometry.mesh import TriMesh
from ..geometry.sdf import Sdf
from .solid import Solid


@dataclass(frozen=True, eq=False)
class Skin:
    """How one body is drawn: a surface whose vertices are fixed mixtures of the body's nodes."""

    name: str
    start: int  # first row of this body in the scene's positions
    stop: int  # one past its last row
    triangles: np.ndarray  # (f, 3) in surface vertex numbers; empty for rods
    parents: np.ndarray  # (s, k) body node numbers (from 0) that carry each surface vertex
    weights: np.ndarray  # (s, k) their weights, each row summing to 1
    tets: np.ndarray | None = None  # (m, 4) body node numbers, for volume formats
    edges: np.ndarray | None = None  # (e, 2) body node numbers, for rods
    colour: str | None = None  # "#rrggbb", or None for one of the palette
    solid: Solid | None = None  # a lattice body's distance and cells, for slices and volumes

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
class Run:
    """Frames of a simulation: positions, nodal fields, energies and one report per step."""

    times: np.ndarray  # (frames,) [s]
    positions: np.ndarray  # (frames, n, 3) [m]
    velocities: np.ndarray  # (frames, n, 3) [m/s]
    rest: np.ndarray  # (n, 3) [m]
    skins: tuple[Skin, ...]
    props: tuple[Prop, ...] = ()
    fields: dict[str, np.ndarray] = field(default_factory=dict)  # name → (frames, n), e.g. "stress" [Pa]
    energies: dict[str, np.ndarray] = field(default_factory=dict)  # name → (frames,) [J]
    reports: tuple = ()
    step_seconds: np.ndarray = field(default_factory=lambda: np.zeros(0))  # wall time of each step [s]
    dt: float = 0.0  # time step [s]

    UNITS = {"displacement": "m", "speed": "m/s", "height": "m", "stress": "Pa", "pressure": "Pa", "energy density": "J/m³"}

    def __len__(self) -> int:
        return len(self.times)

    def values(self, name: str) -> np.ndarray:
        """(frames, n) scalar field to colour by: "displacement", "speed", "height", or a recorded one such as "stress"."""
        if name in self.fields:
            return self.fields[name]
        if name == "displacement":
            return np.linalg.norm(self.positions - self.rest, axis=2)
        if name == "speed":
            return np.linalg.norm(self.velocities, axis=2)
        if name == "height":
            return self.positions[:, :, 2]
        known = ["displacement", "speed", "height", *self.fields]
        raise InputError(f"no field {name!r} in this run{did_you_mean(name, known)}; it has {', '.join(known)}")

    def sdf(
        self, frame: int = -1, body: int = 0, advection: Advection | None = None, spacing: float | None = None,
        reinitialise: bool = True,
    ) -> Sdf:  # fmt: skip
        """The signed distance [m] of a lattice body as it is in a frame; see ``Simulation.sdf``."""
        if not isinstance(frame, int | np.integer) or not -len(self) <= frame < len(self):
            raise InputError(f"sdf(frame={frame!r}): expected one of the {len(self)} frames, numbered 0…{len(self) - 1}")
        skin = skin_with_solid(self.skins, body)
        return skin.solid.sdf(self.positions[frame, skin.start : skin.stop], advection, spacing, reinitialise)

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per second of computing."""
        spent = float(self.step_seconds.sum())
        return self.dt * len(self.step_seconds) / spent if spent > 0 else float("nan")

    def drawn(self, skins: Sequence[Skin]) -> Run:
        """The same frames, drawn by other surfaces: those that ``sim.bodies[i].carried(…)`` gives."""
        skins = tuple(skins) if isinstance(skins, list | tuple) else (skins,)
        if not skins or not all(isinstance(skin, Skin) for skin in skins):
            kinds = [type(s).__name__ for s in skins]
            raise InputError(f"drawn(…): got {kinds}; expected surfaces from sim.bodies[0].carried(…)")
        return replace(self, skins=skins)

    def beside(self, other: Run, shift: Sequence[float]) -> Run:
        """Two runs of the same moments as one, the other moved by ``shift`` [m]: energies and times of steps add up."""
        moved = floats(shift)
        if moved.shape != (3,) or not np.all(np.isfinite(moved)):
            raise InputError(f"beside(shift={shift!r}): expected three finite numbers in metres")
        if not np.array_equal(self.times, other.times) or self.fields.keys() != other.fields.keys():
            raise InputError(
                f"beside(…): one run has {len(self)} frames up to {self.times[-1]:g} s with {sorted(self.fields)}, the "
                f"other {len(other)} up to {other.times[-1]:g} s with {sorted(other.fields)}; expected the same"
            )
        first = len(self.rest)
        skins = [replace(s, start=s.start + first, stop=s.stop + first) for s in other.skins]
        there = np.eye(4)
        there[:3, 3] = moved
        energies = [dict.fromkeys(self.energies, 0.0), self.energies, other.energies]
        return Run(
            times=self.times,
            positions=np.concatenate([self.positions, other.positions + moved], axis=1),
            velocities=np.concatenate([self.velocities, other.velocities], axis=1),
            rest=np.concatenate([self.rest, other.rest + moved]),
            skins=(*self.skins, *skins),
            props=(*self.props, *(replace(p, poses=there @ p.poses) for p in other.props)),
            fields={name: np.concatenate([v, other.fields[name]], axis=1) for name, v in self.fields.items()},
            energies={k: sum(e.get(k, 0.0) for e in energies) for k in {**self.energies, **other.energies}},
            reports=(*self.reports, *other.reports),
            step_seconds=self.step_seconds + other.step_seconds,
            dt=self.dt,
        )


def skin_with_solid(skins: Sequence[Skin], body: int) -> Skin:
    """The skin of a lattice body, or one sentence about what was asked for instead."""
    if isinstance(body, bool) or not isinstance(body, int | np.integer) or not 0 <= body < len(skins):
        raise InputError(f"sdf(body={body!r}): expected 0 … {len(skins) - 1}")
    if skins[body].solid is None:
        raise InputError(
            f"{skins[body].name} is no lattice body, so no distance is carried along with it; "
            "sdf_from_mesh() samples that of a surface"
        )
    return skins[body]
