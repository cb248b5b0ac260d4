"""Cuts that a simulation makes by itself when their time has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arguments import checks
from ...cut.blade import Blade
from ...elements.base import Elements
from ...elements.lattice.lattice import Lattice
from ...elements.sheets.membrane import Membrane
from ...elements.tets import Tets
from ...errors import InputError
from ..scene.body import Body

BACK = 3.0  # edges of a tet or a cell: how far a stroke that grows reaches back


@dataclass(frozen=True, eq=False)
class PlannedCut:
    """A blade that cuts at a time [s], or whose stroke grows from ``at`` to ``until``; ``body`` by number, None for all."""

    blade: Blade
    at: float
    until: float | None = None
    body: int | None = None

    def __post_init__(self):
        checks.instance("plan_cut(blade=…)", self.blade, Blade, "a Blade(path, depth)")
        at = checks.number("plan_cut(at=…)", self.at)
        if at < 0:
            raise InputError(f"plan_cut(at={at:g}): expected a time in seconds, 0 or later")
        object.__setattr__(self, "at", at)
        if self.until is not None:
            until = checks.number("plan_cut(until=…)", self.until)
            if until <= at:
                raise InputError(f"plan_cut(at={at:g}, until={until:g}): expected an end after the beginning, or None")
            object.__setattr__(self, "until", until)
        if self.body is not None:
            object.__setattr__(self, "body", checks.whole("plan_cut(body=…)", self.body, 0))

    def check(self, shapes: Sequence[Elements]) -> None:
        """Refuse a plan for bodies that are not there, or cannot be cut."""
        if self.body is not None and self.body >= len(shapes):
            raise InputError(f"plan_cut(body={self.body}): expected 0 … {len(shapes) - 1}, or None for all")
        chosen = shapes if self.body is None else [shapes[self.body]]
        if not any(type(shape) in (Tets, Membrane) or isinstance(shape, Lattice) for shape in chosen):
            raise InputError("plan_cut(…): only Tets, Membrane and Lattice can be cut; expected a body of one of them")

    def share(self, t: float) -> float:
        """How much of the stroke is drawn at a time: 0 before it, 1 from its end on."""
        slack = 1e-9 * max(1.0, abs(self.at))
        if t < self.at - slack:
            return 0.0
        return 1.0 if self.until is None else min(1.0, (t - self.at + slack) / (self.until - self.at))

    def begin(self, t: float, bodies: Sequence[Body]) -> float:
        """Where the part of the stroke begins that cuts after a time: a few tets before its end then, where the cut goes on.

        What lies further back has been cut, and a body that moves is not cut there again.
        """
        if self.until is None:
            return 0.0
        chosen = bodies if self.body is None else [bodies[self.body]]
        volumes = [body.shape.mesh.volumes for body in chosen if type(body.shape) is Tets]
        edges = [float(np.cbrt(6 * np.sqrt(2) * np.percentile(own, 90))) for own in volumes]
        areas = [body.shape.mesh.areas for body in chosen if type(body.shape) is Membrane]
        edges += [float(np.sqrt(4 / np.sqrt(3) * np.percentile(own, 90))) for own in areas]
        edge = max(edges + [float(body.shape.spacing) for body in chosen if isinstance(body.shape, Lattice)])
        length = float(np.linalg.norm(np.diff(self.blade.path, axis=0), axis=1).sum())
        return max(0.0, self.share(t) - BACK * edge / length)
