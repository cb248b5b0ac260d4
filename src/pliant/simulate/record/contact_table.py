"""What presses where a step ends, as one table: a row for each contact, of bodies with each other and with obstacles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .wrench import check


@dataclass(frozen=True, eq=False)
class ContactTable:
    """c contacts at ``time`` [s]. Normals point from ``second`` to ``first``, and forces act on ``first``.

    ``names`` are those of all bodies and obstacles. Where a contact was slid away from within the step friction of it may be left
    without a normal force; its ``gap`` is infinite.
    """

    point: np.ndarray  # (c, 3) on the first [m]
    normal: np.ndarray  # (c, 3)
    normal_force: np.ndarray  # (c,) [N]
    friction: np.ndarray  # (c, 3) [N]
    gap: np.ndarray  # (c,) [m], negative for a depth
    slip: np.ndarray  # (c, 3) velocity of the first past the second, along the surface [m/s]
    first: np.ndarray  # (c,) name of a body
    second: np.ndarray  # (c,) name of a body or an obstacle
    names: tuple[str, ...] = ()
    time: float = 0.0

    TURNING = ("normal", "friction", "slip")
    COLUMNS = ("point", "normal", "normal_force", "friction", "gap", "slip", "first", "second")

    def __len__(self) -> int:
        return len(self.normal_force)

    def __repr__(self) -> str:
        said = []
        for (one, other), force in list(self.forces.items())[:8]:
            rows = np.sum((self.first == one) & (self.second == other))
            said.append(f"{rows:,} of {one} on {other} with {np.linalg.norm(force):.4g} N")
        said += [f"{len(self.forces) - 8} more pairs"] if len(self.forces) > 8 else []
        return f"ContactTable({'; '.join(said) or 'nothing touches'}; at {self.time:.4g} s)"

    @cached_property
    def force(self) -> np.ndarray:
        """(c, 3) of the second on the first, friction included [N]."""
        return self.normal_force[:, None] * self.normal + self.friction

    @property
    def total(self) -> np.ndarray:
        """(3,) the sum of the forces [N], but for those of bodies on themselves."""
        return self.force[self.first != self.second].sum(axis=0)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The first and the second of all contacts, each two once."""
        return list(dict.fromkeys(zip(self.first.tolist(), self.second.tolist())))

    @cached_property
    def forces(self) -> dict[tuple[str, str], np.ndarray]:
        """(first, second) → (3,) what the second does to the first [N]."""
        return {(a, b): self._rows((self.first == a) & (self.second == b)).force.sum(axis=0) for a, b in self.pairs}

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """Name → column."""
        return {name: getattr(self, name) for name in self.COLUMNS}

    @property
    def structured(self) -> np.ndarray:
        """(c,) one record for each contact."""
        kinds = [(name, column.dtype, column.shape[1:]) for name, column in self.columns.items()]
        out = np.zeros(len(self), kinds)
        for name, column in self.columns.items():
            out[name] = column
        return out

    def of(self, name: str) -> ContactTable:
        """The contacts of one body or obstacle, which comes first in all of them."""
        check(name, list(self.names), "contacts().of(…)")
        one = self._rows((self.first == name) | (self.second == name))
        return one._turned(one.first != name)

    def between(self, first: str, second: str) -> ContactTable:
        """The contacts of two bodies, or of a body and an obstacle, in this order."""
        check(second, list(self.names), "contacts().between(…)")
        own = self.of(first)
        return own._rows(own.second == second)

    def _rows(self, which: np.ndarray) -> ContactTable:
        return replace(self, **{name: column[which] for name, column in self.columns.items()})

    def _turned(self, which: np.ndarray) -> ContactTable:
        """With first and second exchanged in some rows."""
        turned = {name: np.where(which[:, None], -getattr(self, name), getattr(self, name)) for name in self.TURNING}
        first, second = np.where(which, self.second, self.first), np.where(which, self.first, self.second)
        return replace(self, **turned, first=first, second=second)


@dataclass(frozen=True, eq=False)
class Patch:
    """What presses on a part of a body's surface, which has the ``area`` [m²] of the faces between its points as they are now."""

    contacts: ContactTable
    area: float

    @property
    def force(self) -> np.ndarray:
        """(3,) on the body there [N]."""
        return self.contacts.total

    @property
    def pressure(self) -> float:
        """The mean pressure [Pa]: normal forces over the area; not a number where no face lies between its points."""
        return float(self.contacts.normal_force.sum() / self.area) if self.area > 0 else float("nan")
