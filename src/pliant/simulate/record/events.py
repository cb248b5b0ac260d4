"""Touches that begin and end: of two bodies, or of a body and an obstacle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..simulation import Simulation

Couple = tuple[str, str]


@dataclass(frozen=True)
class Event:
    """A touch of ``first`` and ``second``, the names of two bodies or of a body and an obstacle, that ``began`` or ended by
    ``time`` [s]."""

    time: float
    first: str
    second: str
    began: bool = True

    def __str__(self) -> str:
        return f"{self.time:.4g} s: {self.first} {'touches' if self.began else 'leaves'} {self.second}"


class Watch:
    """What touched when it was looked at last; nothing is computed while nobody looks."""

    def __init__(self, couples: Sequence[Couple] = ()):
        self.touching, self.steps = set(couples), 0

    def look(self, simulation: Simulation) -> tuple[Event, ...]:
        """What has begun and ended since, in the order of names; a simulation that went back begins again."""
        if simulation.state.steps < self.steps:
            self.touching = set()
        elif simulation.state.steps == self.steps and self.steps:
            return ()
        now, before, time = touching(simulation), self.touching, simulation.t
        self.touching, self.steps = now, simulation.state.steps
        changes = [(couple, couple in now) for couple in sorted(now ^ before)]
        return tuple(Event(time, *couple, began) for couple, began in changes)


def touching(simulation: Simulation) -> set[Couple]:
    """What presses now, each two once."""
    table = simulation.contacts()
    return set(table._rows((table.normal_force > 0) & (table.first != table.second)).pairs)


def left_touching(events: Sequence[Event]) -> set[Couple]:
    """What touches after these."""
    out: set[Couple] = set()
    for event in events:
        (out.add if event.began else out.discard)((event.first, event.second))
    return out


def restored(about: dict[str, Any]) -> tuple[Event, ...]:
    """Those that a file holds as tables; none in older ones."""
    given = about.get("events", ())
    return tuple(Event(float(e["time"]), str(e["first"]), str(e["second"]), bool(e["began"])) for e in given)
