"""Snapshots of a simulation between two steps."""

from __future__ import annotations

import numpy as np

from ...errors import InputError, did_you_mean
from ...simulate.simulation import Simulation
from ..protocol.messages import Snapshot
from .element_edges import Edges
from .hands import Hands
from .interior import Inside
from .surface_fields import TWO_SIDED, Range, Surfaces, checked_ends, softest

CONTACTS = 400  # contact points drawn at most
# of the largest force, below which a point that feels a smoothed obstacle from afar is none that it presses
FAINT = 1e-3


class Snapshots:
    """Takes snapshots of one simulation; ``field`` colours them, ``contacts``, ``edges`` and ``inside`` are optional."""

    def __init__(self, sim: Simulation, size: float = 1.0):
        self.sim, self.skins, self.size = sim, sim.skins, size
        self.surfaces = Surfaces(sim)
        self.field = "none"
        self.contacts = False
        self.edges: Edges | None = None
        self.inside: Inside | None = None
        self._number = 0
        self._range = Range("none", size)
        self._still = not any(obstacle.motion is not None for obstacle in sim.scene.obstacles)

    def after(self, before: Snapshots) -> Snapshots:
        """Go on as those of another simulation: the same field where there is one, the same marks, higher numbers."""
        self._number = before._number
        self.contacts = before.contacts
        if before.field in self.surfaces.names:
            self.colour(before.field)
        if before.edges is not None:
            self.show_edges(True)
        self.show_inside(before.inside is not None)
        return self

    def colour(self, name: str) -> None:
        """Choose the field that colours the bodies, or "none"."""
        known = ["none", *self.surfaces.names]
        if name not in known:
            raise InputError(f"no field {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}")
        self.field = name
        self._range = Range(name, self.size, softest(self.sim))

    def hold_range(self, ends: list[float]) -> None:
        """Hold the ends of the colour scale, or, where there are none, let them follow the values."""
        self._range.held = checked_ends(ends)

    @property
    def range_held(self) -> list[float]:
        """The ends of the colour scale where they are held."""
        return list(self._range.held or ())

    def show_edges(self, shown: bool) -> None:
        """Draw the edges of the elements, or not."""
        self.edges = Edges(self.sim) if shown else None

    def show_inside(self, shown: bool) -> None:
        """Tell what is inside of bodies, or not."""
        self.inside = Inside(self.skins) if shown else None

    def taken(self, epoch: int, running: bool, hands: Hands) -> Snapshot:
        """The present moment; positions that are not finite are refused."""
        sim, values, inside, low, high = self.sim, None, None, 0.0, 1.0
        x = self.surfaces.positions()
        bad = np.count_nonzero(~np.isfinite(x).all(axis=1))
        if bad:
            raise InputError(
                f"{bad} of {len(x)} surface vertices have no finite position at t = {sim.t:.3f} s; the last good "
                "picture stays: reset it, and take a smaller dt or another solver"
            )
        if self.field != "none":
            nodal = self.surfaces.nodal(self.field)
            values = self.surfaces.carried(nodal)
            low, high = self._range.fit(values)
            if self.inside is not None:
                inside = self.inside.of(sim.state.x.numpy(), nodal)
        self._number += 1
        return Snapshot(
            number=self._number,
            epoch=epoch,
            time=sim.t,
            running=running,
            positions=x,
            values=values,
            low=low,
            high=high,
            two=self.field in TWO_SIDED,
            held=hands.shown(sim.state.x.numpy()) if hands.held else (),
            poses=None if self._still else np.stack([o.pose(sim.t) for o in sim.scene.obstacles]),
            contacts=self._touching() if self.contacts and sim.world.touching else None,
            nodes=self.edges.positions() if self.edges is not None else None,
            inside=inside,
        )

    def _touching(self) -> np.ndarray:
        """(c, 6) points that touch obstacles and other bodies [m], and the normal forces on them [N]."""
        x, parts = self.sim.state.x.numpy(), []
        for energy in self.sim.world.touching:
            own = energy.contacts(self.sim.state.x)
            there = np.flatnonzero(own.push > FAINT * own.push.max(initial=0.0))
            there = there[:: -(-len(there) // CONTACTS) or 1]  # of too many, some from everywhere
            place = own.places(x, own.sides(self.sim.world.starts)[2])
            parts.append(np.hstack([place, own.push[:, None] * own.normal])[there])
        return np.concatenate(parts)[:CONTACTS]
