"""Solids as signed distances [m]: negative inside, positive outside; primitives, set operations and sampled grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, first_few

if TYPE_CHECKING:
    from ..device import Device
    from .sdf_kernels import DeviceSdf

SPHERE, BOX, CAPSULE, CYLINDER, TORUS, PLANE, GRID, UNION, INTERSECTION, COMPLEMENT = range(10)
DEPTH = 8  # places on the evaluation stack
SAMPLES = 30_000_000  # most samples of a grid: 240 MB


@dataclass(frozen=True, eq=False)
class Instruction:
    """One step of a program: a set operation, or a primitive in its frame (x = rotation · local · scale + origin)."""

    op: int
    shape: tuple[float, ...] = ()  # radii, half sizes or grid spacings, in the local frame [m]
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))
    origin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    scale: float = 1.0
    values: np.ndarray | None = None  # (nx, ny, nz) samples of a grid [m]

    @property
    def bounds(self) -> np.ndarray:
        """(2, 3) box around a primitive [m]."""
        middle = np.zeros(3)
        along = np.abs(self.rotation)  # support of an axis-aligned local box
        if self.op == PLANE:
            normal = self.rotation[:, 2]
            box = np.array([[-np.inf] * 3, [np.inf] * 3])
            axis = int(np.argmax(np.abs(normal)))
            if abs(normal[axis]) == 1.0:  # the solid lies below the plane: one side is known
                box[1 if normal[axis] > 0 else 0, axis] = self.origin[axis]
            return box
        if self.op == SPHERE:
            half = np.full(3, self.shape[0])
        elif self.op == BOX:
            half = along @ np.array(self.shape)
        elif self.op == CAPSULE:
            half = along[:, 2] * self.shape[0] + self.shape[1]
        elif self.op in (CYLINDER, TORUS):
            first, second = self.shape
            across = np.sqrt(np.maximum(0.0, 1.0 - self.rotation[:, 2] ** 2))
            half = along[:, 2] * first + across * second if self.op == CYLINDER else across * first + second
        else:
            size = np.array(self.shape) * (np.array(self.values.shape) - 1)
            faces = [np.take(self.values, end, axis=axis).min() for axis in range(3) for end in (0, -1)]
            half = along @ (0.5 * size) + max(0.0, -min(faces))  # a solid that leaves the grid goes on outside it
            middle = self.rotation @ (0.5 * size)
        middle = self.origin + self.scale * middle
        return np.stack([middle - self.scale * half, middle + self.scale * half])


@dataclass(frozen=True, eq=False)
class Sdf:
    """A solid as its signed distance; ``a | b``, ``a & b``, ``a - b`` and ``~a`` combine solids.

    Primitives are exact everywhere; a combination is exact outside a union and a lower bound elsewhere. Call it on
    (n, 3) points [m] for (n,) distances [m].
    """

    program: tuple[Instruction, ...]
    depth: int = 1  # places of the evaluation stack it needs

    def __post_init__(self):
        if self.depth > DEPTH:
            raise InputError(
                f"this shape nests its set operations {self.depth} deep; the evaluation stack holds {DEPTH}: "
                "sample a part of it on a grid with Sdf.from_grid"
            )

    def __or__(self, other: Sdf) -> Sdf:
        return self._combined(other, UNION)

    def __and__(self, other: Sdf) -> Sdf:
        return self._combined(other, INTERSECTION)

    def __sub__(self, other: Sdf) -> Sdf:
        return self._combined(~other, INTERSECTION) if isinstance(other, Sdf) else NotImplemented

    def __invert__(self) -> Sdf:
        return Sdf((*self.program, Instruction(COMPLEMENT)), self.depth)

    def _combined(self, other: Sdf, op: int) -> Sdf:
        if not isinstance(other, Sdf):
            return NotImplemented
        first, second = (self, other) if self.depth >= other.depth else (other, self)  # the deeper first: least stack
        return Sdf((*first.program, *second.program, Instruction(op)), max(first.depth, second.depth + 1))

    def translated(self, offset: Sequence[float]) -> Sdf:
        """A copy moved by ``offset`` [m]."""
        offset = _vector("offset", offset)
        return self._changed(lambda i: replace(i, origin=i.origin + offset))

    def rotated(self, axis: Sequence[float], degrees: float) -> Sdf:
        """A copy turned about an axis through the origin."""
        from scipy.spatial.transform import Rotation

        turn = Rotation.from_rotvec(_direction("rotation axis", axis) * np.deg2rad(_number("degrees", degrees)))
        turn = turn.as_matrix()
        return self._changed(lambda i: replace(i, rotation=turn @ i.rotation, origin=turn @ i.origin))

    def scaled(self, factor: float) -> Sdf:
        """A copy scaled about the origin by one positive factor."""
        factor = _positive("scale factor", factor)
        return self._changed(lambda i: replace(i, scale=i.scale * factor, origin=i.origin * factor))

    def _changed(self, change) -> Sdf:
        return replace(self, program=tuple(change(i) if i.op < UNION else i for i in self.program))

    @cached_property
    def bounds(self) -> np.ndarray:
        """(2, 3) lower and upper corner of a box around the solid [m]; infinite where the solid is or may be."""
        stack: list[tuple[np.ndarray, bool]] = []  # a box, and whether the solid is what lies outside it
        everything = np.array([[-np.inf] * 3, [np.inf] * 3])
        for step in self.program:
            if step.op == COMPLEMENT:
                box, outside = stack.pop()
                stack.append((box, not outside))
            elif step.op in (UNION, INTERSECTION):
                (a, a_out), (b, b_out) = stack.pop(), stack.pop()
                a, b = (everything if out else box for box, out in ((a, a_out), (b, b_out)))
                low, high = (np.minimum, np.maximum) if step.op == UNION else (np.maximum, np.minimum)
                low, high = low(a[0], b[0]), high(a[1], b[1])
                stack.append((np.stack([low, np.maximum(low, high)]), False))
            else:
                stack.append((step.bounds, False))
        box, outside = stack.pop()
        return everything if outside else box

    @classmethod
    def from_grid(cls, values: np.ndarray, origin: Sequence[float], spacing: float | Sequence[float]) -> Sdf:
        """Take signed distances sampled on a regular grid, trilinear between samples.

        Outside the grid the distance to it is added to the nearest value on it.

        Args:
            values: (nx, ny, nz) signed distances [m], at least two in each direction.
            origin: position of ``values[0, 0, 0]`` [m].
            spacing: distance between samples [m], one number or three.
        """
        values = np.array(values, dtype=np.float64)
        if values.ndim != 3 or min(values.shape) < 2:
            raise InputError(f"grid values have shape {values.shape}; expected (nx, ny, nz), each at least 2")
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise InputError(f"{len(bad)} of {values.size} grid values are not finite, first at {first_few(bad)}")
        values.setflags(write=False)
        step = np.full(3, spacing, dtype=float) if np.ndim(spacing) == 0 else _vector("spacing", spacing)
        if not np.all(np.isfinite(step)) or np.any(step <= 0):
            raise InputError(f"grid spacing is {spacing!r}; expected positive numbers of metres")
        return cls((Instruction(GRID, tuple(step), origin=_vector("origin", origin), values=values),))

    def resampled(self, spacing: float) -> Sdf:
        """The same solid sampled anew on one grid, ``spacing`` [m] between samples, along the axes of the world."""
        if not np.isfinite(self.bounds).all():
            raise InputError("this shape has no end, so it cannot be sampled on a grid; cut it with a box first")
        return sampled_on_grid(self, self.bounds, spacing)

    def rounded(self, blur: float, spacing: float) -> Sdf:
        """The same solid on a grid of ``spacing`` [m], its edges and creases rounded over about ``blur`` [m].

        The distance is blurred by a Gaussian of that width: planes stay, a ball of radius R loses blur²/R.
        """
        from scipy.ndimage import gaussian_filter

        blur, spacing = _positive("blur", blur), _positive("spacing", spacing)
        if not np.isfinite(self.bounds).all():
            raise InputError("this shape has no end, so it cannot be sampled on a grid; cut it with a box first")
        grid = sampled_on_grid(self, self.bounds + 3 * blur * np.array([[-1.0], [1.0]]), spacing).program[0]
        return Sdf.from_grid(gaussian_filter(grid.values, blur / spacing, mode="nearest"), grid.origin, spacing)

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """(n,) signed distances [m] at (n, 3) points [m]."""
        return self._evaluated(points)[:, 3]

    def gradient(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) derivatives of the distance at (n, 3) points [m]; of unit length except on grids."""
        return self._evaluated(points)[:, :3]

    def _evaluated(self, points: np.ndarray) -> np.ndarray:
        from .sdf_kernels import sdf_kernels

        device = host()
        points = checked_points(points)
        there, found = device.array(points, device.types.vec3), device.zeros(len(points), device.types.vec4)
        device.launch(sdf_kernels("f64").evaluate, len(points), 0, *self._on_host.arrays, there, found)
        device.forget()
        return found.numpy()

    @cached_property
    def _on_host(self) -> DeviceSdf:
        return upload([self], host())


@cache
def host() -> Device:
    """The CPU in double precision, on which shapes are evaluated for Python."""
    from ..device import Device

    return Device("cpu", "f64")


def upload(shapes: Sequence[Sdf], device: Device) -> DeviceSdf:
    """Copy the programs and grids of several shapes to a device; kernels name a shape by its place in the list."""
    import warp as wp

    from .sdf_kernels import CODE, NUMBERS, DeviceSdf

    starts = np.cumsum([0, *(len(shape.program) for shape in shapes)])
    steps = [step for shape in shapes for step in shape.program]
    code, numbers = np.zeros((len(steps), CODE), dtype=np.int32), np.zeros((len(steps), NUMBERS))
    grids: dict[int, tuple[int, np.ndarray]] = {}  # a grid used twice is stored once
    size = 0
    for row, real, step in zip(code, numbers, steps):
        row[0] = step.op
        real[:9], real[9:12], real[12] = step.rotation.ravel(), step.origin, step.scale
        real[13 : 13 + len(step.shape)] = step.shape
        if step.values is not None:
            if id(step.values) not in grids:
                grids[id(step.values)] = (size, step.values.ravel())
                size += step.values.size
            row[1:] = grids[id(step.values)][0], *step.values.shape
    if size >= 2**31:
        raise InputError(f"the grids hold {size} samples in all; expected fewer than {2**31}: use a coarser spacing")
    samples = np.concatenate([part for _, part in grids.values()]) if grids else np.zeros(1)
    real = device.types.real
    return DeviceSdf(
        device.array(starts, wp.int32), device.array(code.ravel(), wp.int32),
        device.array(numbers.ravel(), real), device.array(samples, real),
    )  # fmt: skip


def sampled_on_grid(distance: Callable[[np.ndarray], np.ndarray], bounds: np.ndarray, spacing: float) -> Sdf:
    """A function of (n, 3) points sampled over ``bounds`` [m] and two samples more on each side."""
    low, high = bounds
    spacing = _positive("spacing", spacing)
    cells = np.ceil((high - low) / spacing) + 4  # two more on each side, so that the surface is well inside
    count = float(np.prod(cells + 1))
    if count > SAMPLES:
        raise InputError(
            f"spacing {spacing:g} m needs {count:.3g} samples; expected at most {SAMPLES:.3g}: "
            f"use a spacing of at least {spacing * (count / SAMPLES) ** (1 / 3) * 1.02:.3g} m"
        )
    origin = 0.5 * (low + high) - 0.5 * spacing * cells
    axes = [origin[i] + spacing * np.arange(int(cells[i]) + 1) for i in range(3)]
    slabs = []
    for x in axes[0]:
        slab = np.stack(np.meshgrid([x], axes[1], axes[2], indexing="ij"), axis=-1)
        slabs.append(distance(slab.reshape(-1, 3)).reshape(slab.shape[1:3]))
    return Sdf.from_grid(np.stack(slabs), origin, spacing)


def sphere(radius: float, center: Sequence[float] = (0.0, 0.0, 0.0)) -> Sdf:
    """A ball of ``radius`` [m] about ``center`` [m]."""
    return _primitive(SPHERE, (_positive("sphere radius", radius),), center)


def box(size: float | Sequence[float], center: Sequence[float] = (0.0, 0.0, 0.0)) -> Sdf:
    """A box with full edge lengths ``size`` [m], one number or three, about ``center`` [m]."""
    size = _vector("box size", [size] * 3 if np.ndim(size) == 0 else size)
    return _primitive(BOX, tuple(0.5 * _positive("box size", s) for s in size), center)


def capsule(start: Sequence[float], end: Sequence[float], radius: float) -> Sdf:
    """All points within ``radius`` [m] of the segment from ``start`` to ``end`` [m]."""
    middle, half, turn = _segment("capsule", start, end)
    return _primitive(CAPSULE, (half, _positive("capsule radius", radius)), middle, turn)


def cylinder(start: Sequence[float], end: Sequence[float], radius: float) -> Sdf:
    """A cylinder with flat ends at ``start`` and ``end`` [m]."""
    middle, half, turn = _segment("cylinder", start, end)
    return _primitive(CYLINDER, (half, _positive("cylinder radius", radius)), middle, turn)


def torus(
    major: float,
    minor: float,
    center: Sequence[float] = (0.0, 0.0, 0.0),
    axis: Sequence[float] = (0.0, 0.0, 1.0),
) -> Sdf:
    """A ring: a tube of radius ``minor`` [m] around a circle of radius ``major`` [m] about ``axis``."""
    shape = (_positive("torus major radius", major), _positive("torus minor radius", minor))
    return _primitive(TORUS, shape, center, _frame(_direction("torus axis", axis)))


def spindle(start: Sequence[float], end: Sequence[float], radius: float) -> Sdf:
    """A solid with pointed ends at ``start`` and ``end`` [m], ``radius`` [m] in the middle: a lemon, or the belly of a muscle.

    An arc of a circle turned about its chord; ``radius`` is less than half the length. Outside it is a lower bound.
    """
    middle, half, turn = _segment("spindle", start, end)
    if not _positive("spindle radius", radius) < half:
        raise InputError(f"spindle radius is {radius:g}; expected less than half its length, {half:g}")
    arc = 0.5 * (half * half / radius + radius)
    # the inner sheet of a torus whose tube is wider than its ring, which is what a ring of negative radius has
    return _primitive(TORUS, (radius - arc, arc), middle, turn) & cylinder(start, end, radius)


def plane(
    z: float | None = None, *, point: Sequence[float] | None = None, normal: Sequence[float] | None = None
) -> Sdf:
    """The half space below height ``z`` [m] (0 unless told), or below the plane through ``point`` with ``normal``."""
    if z is not None and (point is not None or normal is not None):
        raise InputError("plane was given both z and point or normal; expected one or the other")
    if z is None and point is None and normal is None:
        z = 0.0
    if z is not None:
        return _primitive(PLANE, (), (0.0, 0.0, _number("plane z", z)))
    direction = _direction("plane normal", (0.0, 0.0, 1.0) if normal is None else normal)
    return _primitive(PLANE, (), (0.0, 0.0, 0.0) if point is None else point, _frame(direction))


def _primitive(op: int, shape: tuple[float, ...], origin: Sequence[float], turn: np.ndarray | None = None) -> Sdf:
    return Sdf((Instruction(op, shape, np.eye(3) if turn is None else turn, _vector("position", origin)),))


def _segment(name: str, start: Sequence[float], end: Sequence[float]) -> tuple[np.ndarray, float, np.ndarray]:
    """Middle, half length and frame of a segment."""
    start, end = _vector(f"{name} start", start), _vector(f"{name} end", end)
    length = float(np.linalg.norm(end - start))
    if not length > 0:
        raise InputError(f"{name} starts and ends at {start.tolist()}; expected two different points")
    return 0.5 * (start + end), 0.5 * length, _frame((end - start) / length)


def _frame(axis: np.ndarray) -> np.ndarray:
    """A rotation matrix whose third column is ``axis``."""
    least = np.eye(3)[np.argmin(np.abs(axis))]
    x = np.cross(least, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def checked_points(points: object) -> np.ndarray:
    """(n, 3) finite float64 points, or one sentence about what they are instead."""
    try:
        points = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("points cannot be read as numbers; expected an (n, 3) array of metres") from None
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(f"points have shape {points.shape}; expected (n, 3)")
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise InputError(f"{len(bad)} of {len(points)} points are not finite, first at {first_few(bad)}")
    return points


def _vector(name: str, value: object) -> np.ndarray:
    try:
        vector = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        vector = np.zeros(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise InputError(f"{name} is {value!r}; expected three finite numbers")
    return vector


def _direction(name: str, value: object) -> np.ndarray:
    vector = _vector(name, value)
    length = np.linalg.norm(vector)
    if not length > 0:
        raise InputError(f"{name} is {value!r}; expected a direction of non-zero length")
    return vector / length


def _number(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"{name} is {value!r}; expected a finite number")
    return number


def _positive(name: str, value: object) -> float:
    number = _number(name, value)
    if not number > 0:
        raise InputError(f"{name} is {value!r}; expected a positive number")
    return number
