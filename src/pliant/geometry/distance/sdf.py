"""Signed distance functions (SDF) [m]: primitives, set operations, sampled grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...arguments import checks
from ...arguments.short_repr import extent
from ...arguments.typing_fields import Vector
from ...errors import InputError, first_few
from . import sdf_codes as codes
from .sdf_program import LONGEST, Instruction, flattened_program, program_bounds, stack_depth

if TYPE_CHECKING:
    from ...runtime.device import Device
    from .sdf_kernels import DeviceSdf

SAMPLES = 30_000_000  # most samples of a grid: 240 MB


@dataclass(frozen=True, eq=False)
class Sdf:
    """A solid as its signed distance; ``a | b``, ``a & b``, ``a - b`` and ``~a`` combine solids.

    Primitives are exact everywhere; a combination is exact outside a union and a lower bound elsewhere. Call it on
    (n, 3) points [m] for (n,) distances [m].
    """

    program: tuple[Instruction, ...]
    depth: int = field(init=False)  # places of the evaluation stack it needs

    def __post_init__(self):
        object.__setattr__(self, "depth", stack_depth(self.program))

    def __repr__(self) -> str:
        parts = sum(step.op < codes.UNION for step in self.program)
        size = extent(self.bounds) if np.isfinite(self.bounds).all() else "without end"
        return f"Sdf({size})" if parts == 1 else f"Sdf({size}, of {parts} shapes)"

    @property
    def slope(self) -> float:
        """The most by which the distance changes over a length, by that length: 1, or more where a grid is steeper."""
        return max(step.slope for step in self.program)

    def __or__(self, other: Sdf) -> Sdf:
        return self._combined(other, codes.UNION)

    def __and__(self, other: Sdf) -> Sdf:
        return self._combined(other, codes.INTERSECTION)

    def __sub__(self, other: Sdf) -> Sdf:
        return self._combined(~_solid(other), codes.INTERSECTION)

    def __invert__(self) -> Sdf:
        return Sdf((*self.program, Instruction(codes.COMPLEMENT)))

    def _combined(self, other: Sdf, op: int) -> Sdf:
        _solid(other)
        first, second = (self, other) if self.depth >= other.depth else (other, self)  # the deeper first: least stack
        depth = max(first.depth, second.depth + 1)
        if depth > codes.DEPTH or len(first.program) + len(second.program) >= LONGEST:
            return Sdf(flattened_program(first.program, second.program, op))
        joined = object.__new__(Sdf)  # both were checked: to check all again would make long chains slow
        object.__setattr__(joined, "program", (*first.program, *second.program, Instruction(op)))
        object.__setattr__(joined, "depth", depth)
        return joined

    def translated(self, offset: Vector) -> Sdf:
        """A copy moved by ``offset`` [m]."""
        offset = checks.vector("offset", offset)
        return self._changed(lambda i: replace(i, origin=i.origin + offset))

    def rotated(self, axis: Vector, degrees: float) -> Sdf:
        """A copy turned about an axis through the origin."""
        from scipy.spatial.transform import Rotation

        angle = np.deg2rad(checks.number("rotation angle in degrees", degrees))
        turn = Rotation.from_rotvec(checks.direction("rotation axis", axis) * angle).as_matrix()
        return self._changed(lambda i: replace(i, rotation=turn @ i.rotation, origin=turn @ i.origin))

    def scaled(self, factor: float) -> Sdf:
        """A copy scaled about the origin by one positive factor."""
        factor = checks.positive("scale factor", factor)
        return self._changed(lambda i: replace(i, scale=i.scale * factor, origin=i.origin * factor))

    def _changed(self, change) -> Sdf:
        return replace(self, program=tuple(change(i) if i.op < codes.UNION else i for i in self.program))

    @cached_property
    def bounds(self) -> np.ndarray:
        """(2, 3) lower and upper corner of a box around the solid [m]; infinite where the solid is or may be."""
        return program_bounds(self.program)

    @classmethod
    def from_grid(cls, values: np.ndarray, origin: Vector, spacing: float | Vector) -> Sdf:
        """Take signed distances sampled on a regular grid, trilinear between samples.

        Contact takes a quadratic spline of the samples instead, whose normal does not jump between cells. Outside the grid
        the distance to it is added to the nearest value on it.

        Args:
            values: (nx, ny, nz) signed distances [m], at least two in each direction.
            origin: position of ``values[0, 0, 0]`` [m].
            spacing: distance between samples [m], one number or three.
        """
        values = checks.floats(values).copy()
        if values.ndim != 3 or min(values.shape) < 2:
            raise InputError(f"grid values have shape {values.shape}; expected (nx, ny, nz), each at least 2")
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise InputError(f"{len(bad)} of {values.size} grid values are not finite, first at {first_few(bad)}")
        values.setflags(write=False)
        step = _three("grid spacing", spacing)
        return cls((Instruction(codes.GRID, step, origin=checks.vector("origin", origin), values=values),))

    def resampled(self, spacing: float) -> Sdf:
        """The same solid resampled on one grid, ``spacing`` [m] between samples, along the axes of the world."""
        if not np.isfinite(self.bounds).all():
            raise InputError("this shape has no end, so it cannot be sampled on a grid; cut it with a box first")
        return sampled_on_grid(self, self.bounds, spacing)

    def rounded(self, blur: float, spacing: float) -> Sdf:
        """The same solid on a grid of ``spacing`` [m], its edges and creases rounded over about ``blur`` [m].

        The distance is blurred by a Gaussian of that width: planes stay, a ball of radius R loses blur²/R.
        """
        from scipy.ndimage import gaussian_filter

        blur, spacing = checks.length("blur", blur), checks.length("spacing", spacing)
        if not np.isfinite(self.bounds).all():
            raise InputError("this shape has no end, so it cannot be sampled on a grid; cut it with a box first")
        grid = sampled_on_grid(self, self.bounds + 3 * blur * np.array([[-1.0], [1.0]]), spacing).program[0]
        return Sdf.from_grid(gaussian_filter(grid.values, blur / spacing, mode="nearest"), grid.origin, spacing)

    def __call__(self, points: ArrayLike) -> np.ndarray:
        """(n,) signed distances [m] at (n, 3) points [m]."""
        return self.evaluated(points)[:, 3]

    def gradient(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) derivatives of the distance at (n, 3) points [m]; of unit length except on grids."""
        return self.evaluated(points)[:, :3]

    def evaluated(self, points: ArrayLike) -> np.ndarray:
        """(n, 4) derivatives of the distance and the distance."""
        from .sdf_kernels import sdf_kernels

        device = host()
        points = checks.points("points", points)
        there, values = device.array(points, device.types.vec3), device.zeros(len(points), device.types.vec4)
        device.launch(sdf_kernels("f64").evaluate, len(points), 0, *self._on_host.arrays, there, values)
        device.forget()
        return values.numpy()

    @cached_property
    def _on_host(self) -> DeviceSdf:
        return upload([self], host())


@cache
def host() -> Device:
    """The CPU in double precision, on which shapes are evaluated for Python."""
    from ...runtime.device import Device

    return Device("cpu", "f64")


def numbers_of(shapes: Sequence[Sdf]) -> np.ndarray:
    """(instructions, codes.NUMBERS) where the primitives of several shapes are and how large."""
    steps = [step for shape in shapes for step in shape.program]
    numbers = np.zeros((len(steps), codes.NUMBERS))
    for real, step in zip(numbers, steps):
        real[:9], real[9:12], real[12] = step.rotation.ravel(), step.origin, step.scale
        real[13 : 13 + len(step.shape)] = step.shape
    return numbers


def only_moved(shape: Sdf, other: Sdf) -> bool:
    """Whether two shapes are the same but for those numbers."""
    forms = [[(step.op, id(step.values), len(step.shape)) for step in given.program] for given in (shape, other)]
    return forms[0] == forms[1]


def upload(shapes: Sequence[Sdf], device: Device) -> DeviceSdf:
    """Copy the programs and grids of several shapes to a device; kernels name a shape by its place in the list."""
    import warp as wp

    from .sdf_kernels import DeviceSdf

    starts = np.cumsum([0, *(len(shape.program) for shape in shapes)])
    steps = [step for shape in shapes for step in shape.program]
    code, numbers = np.zeros((len(steps), codes.CODE), dtype=np.int32), numbers_of(shapes)
    grids: dict[int, tuple[int, np.ndarray]] = {}  # a grid used twice is stored once
    size = 0
    for row, step in zip(code, steps):
        row[0] = step.op
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
    spacing = checks.length("spacing", spacing)
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


def sphere(radius: float, centre: Vector = (0.0, 0.0, 0.0)) -> Sdf:
    """A ball of ``radius`` [m] about ``centre`` [m]."""
    return _primitive(codes.SPHERE, (checks.length("sphere radius", radius),), centre)


def box(size: float | Vector, centre: Vector = (0.0, 0.0, 0.0)) -> Sdf:
    """A box with full edge lengths ``size`` [m], one number or three, about ``centre`` [m]."""
    return _primitive(codes.BOX, tuple(0.5 * edge for edge in _three("box size", size)), centre)


def capsule(start: Vector, end: Vector, radius: float) -> Sdf:
    """All points within ``radius`` [m] of the segment from ``start`` to ``end`` [m]."""
    middle, half, turn = _segment("capsule", start, end)
    return _primitive(codes.CAPSULE, (half, checks.length("capsule radius", radius)), middle, turn)


def cylinder(start: Vector, end: Vector, radius: float) -> Sdf:
    """A cylinder with flat ends at ``start`` and ``end`` [m]."""
    middle, half, turn = _segment("cylinder", start, end)
    return _primitive(codes.CYLINDER, (half, checks.length("cylinder radius", radius)), middle, turn)


def torus(major: float, minor: float, centre: Vector = (0.0, 0.0, 0.0), axis: Vector = (0.0, 0.0, 1.0)) -> Sdf:
    """A ring: a tube of radius ``minor`` [m] around a circle of radius ``major`` [m] about ``axis``."""
    shape = (checks.length("torus major radius", major), checks.length("torus minor radius", minor))
    return _primitive(codes.TORUS, shape, centre, _frame(checks.direction("torus axis", axis)))


def spindle(start: Vector, end: Vector, radius: float) -> Sdf:
    """A solid with pointed ends at ``start`` and ``end`` [m], ``radius`` [m] in the middle, like the belly of a muscle.

    An arc of a circle turned about its chord; ``radius`` is less than half the length. Outside it is a lower bound.
    """
    middle, half, turn = _segment("spindle", start, end)
    radius = checks.length("spindle radius", radius)
    if not radius < half:
        raise InputError(f"spindle radius is {radius:g}; expected less than half its length, {half:g}")
    arc = 0.5 * (half * half / radius + radius)
    # the inner sheet of a torus whose tube is wider than its ring, which is what a ring of negative radius has
    return _primitive(codes.TORUS, (radius - arc, arc), middle, turn) & cylinder(start, end, radius)


def plane(z: float | None = None, *, point: Vector | None = None, normal: Vector | None = None) -> Sdf:
    """The half space below height ``z`` [m] (default 0), or below the plane through ``point`` with ``normal``."""
    if z is not None and (point is not None or normal is not None):
        raise InputError("plane was given both z and point or normal; expected one or the other")
    if z is None and point is None and normal is None:
        z = 0.0
    if z is not None:
        return _primitive(codes.PLANE, (), (0.0, 0.0, checks.number("plane z", z)))
    direction = checks.direction("plane normal", (0.0, 0.0, 1.0) if normal is None else normal)
    return _primitive(codes.PLANE, (), (0.0, 0.0, 0.0) if point is None else point, _frame(direction))


def _primitive(op: int, shape: tuple[float, ...], origin: Vector, turn: np.ndarray | None = None) -> Sdf:
    return Sdf((Instruction(op, shape, np.eye(3) if turn is None else turn, checks.vector("position", origin)),))


def _segment(name: str, start: Vector, end: Vector) -> tuple[np.ndarray, float, np.ndarray]:
    """Middle, half length and frame of a segment."""
    start, end = checks.vector(f"{name} start", start), checks.vector(f"{name} end", end)
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


def _three(name: str, value: object) -> tuple[float, ...]:
    """Three positive lengths [m], from one or three."""
    if checks.floats(value).ndim == 0:
        return (checks.length(name, value),) * 3
    return tuple(checks.lengths(name, value, 3).tolist())


def _solid(value: object) -> Sdf:
    return checks.instance("the operand of |, & or - on an Sdf", value, Sdf, "another Sdf, such as sphere(0.1)")
