"""Tableau of a time scheme: coefficients, kernels and their transpose.

One step finds the z that minimises  c/(2h²) ‖z−y‖²_M + Σ E(z)  and reads the new state off it. Everything around that
minimisation is linear in the state s = (x, v, a, x₋, v₋) and in z, so a scheme is a table of numbers, as Butcher's is
for Runge–Kutta schemes, and nothing of it has to be derived a second time for gradients.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from functools import cached_property

import numpy as np
import warp as wp

from ..arguments.checks import real
from ..errors import InputError
from ..runtime.vectors import Vectors
from .state import State
from .tableau_kernels import transposed_kernels

STATE = ("x", "v", "a", "x_before", "v_before")
TARGETS = ("y", "anchor", "at")


@dataclass(frozen=True, kw_only=True)
class Row:
    """Coefficients of a sum, in this order: over the state, the step's targets, its solution z and the new state.

    The order is part of the result in the last bit: products are added one after the other, each with one rounding.
    """

    x_before: float = 0.0
    x: float = 0.0
    y: float = 0.0
    anchor: float = 0.0
    z: float = 0.0
    new_x: float = 0.0
    v: float = 0.0
    new_v: float = 0.0
    a: float = 0.0
    v_before: float = 0.0
    new_a: float = 0.0

    @property
    def used(self) -> set[str]:
        return {f.name for f in fields(self) if getattr(self, f.name) != 0}


COLUMNS = tuple(f.name for f in fields(Row))


@dataclass(frozen=True, kw_only=True)
class Tableau:
    """One step of an implicit scheme.

    ``y`` is the target of inertia, with the factor ``inertia`` = c/h² [1/s²]; damping sees the velocity ``rate`` [1/s]
    times z − ``anchor``. Forces act, and held nodes are, a share ``time`` of the step ahead: 1 its end, ½ its middle.
    ``at`` is where stiffness damping takes its matrix: y is near z to second order, x only to first. The new state is
    ``x``, ``v`` and ``a``. A row may use what stands above it: y the state; anchor y too; at both; x, v and a all of
    them and z, v also new_x, a also new_x and new_v, or else v new_a.
    """

    y: Row
    anchor: Row
    at: Row
    inertia: float
    rate: float
    time: float = 1.0
    x: Row = Row(z=1.0)
    v: Row
    a: Row = Row()

    def __post_init__(self):
        known, given = set(STATE), {}
        for name, also in (("y", set()), ("anchor", {"y"}), ("at", {"y", "anchor"})):
            given[name] = known | also
        known |= {"y", "anchor", "z"}
        given |= {"x": known, "v": known | {"new_x", "new_a"}, "a": known | {"new_x", "new_v"}}
        for name, allowed in given.items():
            row = getattr(self, name)
            if not isinstance(row, Row) or not np.all(np.isfinite([real(c) for c in astuple(row)])) or row.used - allowed:
                raise InputError(f"Tableau({name}={row!r}): expected a Row of numbers over {', '.join(sorted(allowed))}")
        if self.v.new_a and self.a.new_v:
            raise InputError("Tableau(v=…, a=…): v uses new_a and a uses new_v; expected at most one of the two")
        if not (0 <= real(self.inertia) < np.inf and 0 <= real(self.rate) < np.inf and 0 < real(self.time) <= 1):
            given = f"inertia={self.inertia!r}, rate={self.rate!r}, time={self.time!r}"
            raise InputError(f"Tableau({given}): expected two numbers of at least 0 and a fraction of the step in (0, 1]")
        x, z = self._read[0, 0], self._read[0, 5]
        others = np.abs(self._read[0, 1:5]).max()
        if others > 0 or not np.isclose(z * self.time, 1, rtol=1e-12) or not np.isclose(x + z, 1, rtol=1e-12):
            raise InputError(
                f"Tableau(x={self.x!r}, time={self.time}): expected x = z/time + (1 − 1/time) x, so that held nodes arrive"
            )

    @property
    def ends_at_solution(self) -> bool:
        """Whether the new positions are the solution itself."""
        return self.x == Row(z=1.0)

    @property
    def recurrence(self) -> float:
        """The spectral radius on a constraint, whose x are 0: what of its forces is back after a step, as its opposite or not."""
        rates = [STATE.index(name) for name in ("v", "a", "v_before")]
        after = np.vstack([self._read[1:3, rates], np.eye(1, 3)])
        return float(np.abs(np.linalg.eigvals(after)).max())

    # --- forwards

    def aim(self, state: State, vectors: Vectors, y: wp.array, anchor: wp.array, at: wp.array) -> None:
        """Fill the targets of a step from the state."""
        known = {name: getattr(state, name) for name in STATE} | {"y": y, "anchor": anchor}
        for name, out in (("y", y), ("anchor", anchor), ("at", at)):
            self._fill(name, known, vectors, out)

    def read(self, state: State, vectors: Vectors, solved: tuple, x: wp.array, v: wp.array, a: wp.array) -> None:
        """Fill the new x, v and a from the state and ``solved`` = (y, anchor, z)."""
        known = {name: getattr(state, name) for name in STATE} | dict(zip(("y", "anchor", "z"), solved))
        known |= {"new_x": x, "new_v": v, "new_a": a}
        for name, out in (("x", x), ("a", a), ("v", v)) if self.v.new_a else (("x", x), ("v", v), ("a", a)):
            self._fill(name, known, vectors, out)

    def _fill(self, name: str, known: dict[str, wp.array], vectors: Vectors, out: wp.array) -> None:
        vectors.combine([(c, known[column]) for column, c in self._terms[name]], out)

    @cached_property
    def _terms(self) -> dict[str, list[tuple[str, float]]]:
        """Of each row what is not 0."""
        rows = {name: zip(COLUMNS, astuple(getattr(self, name))) for name in (*TARGETS, "x", "v", "a")}
        return {name: [(column, c) for column, c in row if c != 0] for name, row in rows.items()}

    def held(self, now: np.ndarray, then: np.ndarray) -> np.ndarray:
        """Where held nodes are in z, given where they are now and at the end of the step."""
        return then if self.time == 1 else (1 - self.time) * now + self.time * then

    # --- backwards

    def aim_back(self, of: tuple[wp.array, wp.array, wp.array], vectors: Vectors, into: State) -> None:
        """``into`` += the transpose of ``aim``, for adjoints ``of`` y, anchor and at."""
        self._back(self._aim, of, vectors, into)

    def read_back(self, of: tuple[wp.array, wp.array, wp.array], vectors: Vectors, into: State, z: wp.array) -> None:
        """``into``, ``z`` += the transpose of ``read``, for adjoints ``of`` the new x, v and a."""
        self._back(self._read[:, :5], of, vectors, into)
        kernel = transposed_kernels(vectors.device.precision).add_column
        vectors.device.launch(kernel, vectors.count, *self._read[:, 5].tolist(), *of, z)

    def _back(self, matrix: np.ndarray, of: tuple, vectors: Vectors, into: State) -> None:
        t = vectors.device.types
        columns, out = t.matrix(5, 3)(*matrix.T.ravel().tolist()), (getattr(into, name) for name in STATE)
        vectors.device.launch(transposed_kernels(t.precision).add_transposed, vectors.count, columns, *of, *out)

    # --- the same rows as matrices over (x, v, a, x₋, v₋, z)

    @cached_property
    def expanded(self) -> dict[str, np.ndarray]:
        """Each row with what it uses of other rows written out."""
        rows = dict(zip((*STATE, "z"), np.eye(6)))
        both = [("v", "new_v"), ("a", "new_a")]
        order = [(n, n) for n in TARGETS] + [("x", "new_x")] + (both[::-1] if self.v.new_a else both)
        for name, new in order:
            row = getattr(self, name)
            rows[new] = sum((getattr(row, c) * rows[c] for c in COLUMNS if c in row.used), np.zeros(6))
        return rows

    @property
    def _aim(self) -> np.ndarray:
        """(3, 5): y, anchor and at over the state."""
        return np.array([self.expanded[name][:5] for name in TARGETS])

    @property
    def _read(self) -> np.ndarray:
        """(3, 6): new x, v and a over the state and z."""
        return np.array([self.expanded[name] for name in ("new_x", "new_v", "new_a")])
