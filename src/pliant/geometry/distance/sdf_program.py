"""Postfix programs of signed distances, with stack size and bounds.

Kernels run a program without looking: a wrong operation, a missing number or a stack that overflows would write where
it may not. So everything is checked here, when a program is made, wherever it comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import InputError
from .sdf_codes import BOX, CAPSULE, COMPLEMENT, CYLINDER, DEPTH, GRID, INTERSECTION, PLANE, SPHERE, TORUS, UNION

# of each operation, in the order of their codes: numbers of its shape, and places that it takes from the stack
PARAMETERS = {SPHERE: 1, BOX: 3, CAPSULE: 2, CYLINDER: 2, TORUS: 2, PLANE: 0, GRID: 3, UNION: 0, INTERSECTION: 0, COMPLEMENT: 0}
TAKES = {op: 2 if op in (UNION, INTERSECTION) else int(op == COMPLEMENT) for op in PARAMETERS}
LONGEST = 100_000  # instructions of one program; each is run for every point


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < np.inf


def _is_array(value: object, shape: tuple[int, ...]) -> bool:
    """Whether this is an array of finite reals of that shape."""
    return isinstance(value, np.ndarray) and value.shape == shape and value.dtype.kind == "f" and bool(np.isfinite(value).all())


@dataclass(frozen=True, eq=False)
class Instruction:
    """One step of a program: a set operation, or a primitive in its frame (x = rotation · local · scale + origin)."""

    op: int
    shape: tuple[float, ...] = ()  # radii, half sizes or grid spacings, in the local frame [m]
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))
    origin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    scale: float = 1.0
    values: np.ndarray | None = None  # (nx, ny, nz) samples of a grid [m]

    def __post_init__(self):
        wrong = self._wrong()
        if wrong:
            raise InputError(f"instruction of a signed distance: {wrong}")

    @property
    def slope(self) -> float:
        """The most by which its distance changes over a length, by that length: of a grid beside it as well."""
        if self.values is None:
            return 1.0
        steepest = [np.abs(np.diff(self.values, axis=axis)).max() / self.shape[axis] for axis in range(3)]
        return 1.0 + float(np.linalg.norm(steepest))

    def _wrong(self) -> str:
        """What a kernel could not run, in words; kernels do not look again."""
        if type(self.op) is not int or not 0 <= self.op < len(PARAMETERS):
            return f"op is {self.op!r}; expected a whole number from 0 to {len(PARAMETERS) - 1}"
        wanted = PARAMETERS[self.op]
        if not isinstance(self.shape, tuple) or len(self.shape) != wanted or not all(map(_finite, self.shape)):
            return f"shape is {self.shape!r}; expected {wanted} finite numbers for operation {self.op}"
        signed = self.shape[1:] if self.op == TORUS else self.shape  # a ring of negative radius is a spindle
        if not all(value > 0 for value in signed) or not _finite(self.scale) or not self.scale > 0:
            return f"shape is {self.shape!r} with scale {self.scale!r}; expected positive numbers"
        if (
            not _is_array(self.rotation, (3, 3))
            or np.abs(self.rotation).max() > 2
            or np.abs(self.rotation.T @ self.rotation - np.eye(3)).max() > 1e-3
        ):
            return f"rotation is {self.rotation!r}; expected a (3, 3) array of orthonormal axes"
        if not _is_array(self.origin, (3,)):
            return f"origin is {self.origin!r}; expected three finite numbers"
        if (self.values is None) != (self.op != GRID):
            return "grid values belong to grids, and to every grid"
        if self.values is not None and not (self.values.ndim == 3 and min(self.values.shape) >= 2):
            return f"grid values have shape {self.values.shape}; expected (nx, ny, nz), each at least 2"
        if self.values is not None and not _is_array(self.values, self.values.shape):
            return "grid values are not all finite numbers"
        return ""

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


def stack_depth(program: object) -> int:
    """Places of the evaluation stack that a whole program needs, or one sentence about why it is none."""
    if not isinstance(program, tuple) or not all(isinstance(step, Instruction) for step in program):
        raise InputError("the program of an Sdf holds something else than instructions; combine shapes made by sphere, box, …")
    if not 0 < len(program) <= LONGEST:
        raise InputError(f"the program of an Sdf has {len(program)} instructions; expected from 1 to {LONGEST}")
    now = deepest = 0
    for place, step in enumerate(program):
        takes = TAKES[step.op]
        if now < takes:
            raise InputError(
                f"instruction {place} of an Sdf combines {takes} shapes where {now} are left; combine shapes by | & - ~"
            )
        now += 1 - takes
        deepest = max(deepest, now)
    if now != 1:
        raise InputError(f"the program of an Sdf leaves {now} shapes; expected one: combine them by | or &")
    if deepest > DEPTH:
        raise InputError(
            f"this shape nests its set operations {deepest} deep; the evaluation stack holds {DEPTH}: "
            "sample a part of it on a grid with Sdf.resampled"
        )
    return deepest


def flattened_program(first: tuple[Instruction, ...], second: tuple[Instruction, ...], op: int) -> tuple[Instruction, ...]:
    """Two programs joined by a set operation and all the same operations at their ends, as one chain.

    A union of unions needs one place more than its deepest part that is no union, and so do intersections.
    """
    parts = sorted((*_operands(first, op), *_operands(second, op)), key=stack_depth, reverse=True)
    chain = list(parts[0])
    for part in parts[1:]:
        chain += (*part, Instruction(op))
    return tuple(chain)


def _operands(program: tuple[Instruction, ...], op: int) -> list[tuple[Instruction, ...]]:
    """What a program joins by one set operation at its end, and again at the ends of those parts."""
    whole, left = [], [program]
    while left:
        part = left.pop()
        if part[-1].op != op:
            whole.append(part)
            continue
        at, missing = len(part) - 1, 1  # walk back over the second operand
        while missing:
            at -= 1
            missing += TAKES[part[at].op] - 1
        left += [part[:at], part[at:-1]]
    return whole


def program_bounds(program: tuple[Instruction, ...]) -> np.ndarray:
    """(2, 3) lower and upper corner of a box around the solid of a program [m]."""
    stack: list[tuple[np.ndarray, bool]] = []  # a box, and whether the solid is what lies outside it
    everything = np.array([[-np.inf] * 3, [np.inf] * 3])
    for step in program:
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
