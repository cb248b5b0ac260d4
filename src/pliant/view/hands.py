"""Hands that hold points of bodies: springs whose force is bounded, and pins, which are hands that stay."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..energy.base import REACH
from ..errors import InputError
from ..simulate.simulation import Simulation

MOST = 60.0  # times the weight of the body on Earth: the largest force of a hand
PALM = 0.06  # times the size of the body: how far from its middle a hand takes hold
MANY = 64  # hands and pins at once


@dataclass(frozen=True, eq=False)
class Hold:
    """A hand on a point between surface vertices of a body; a hand without a client is a pin."""

    handle: int
    body: int
    vertices: tuple[int, ...]
    weights: tuple[float, ...]
    target: np.ndarray  # [m]
    stiffness: float  # [N/m]
    most: float  # [N]
    offset: np.ndarray  # from the point that was meant to the mean of the vertices held [m]
    pinned: bool = False


class Hands:
    """All hands on a simulation, by (client, hand)."""

    def __init__(self, sim: Simulation):
        self.sim, self.strength = sim, 1.0
        self.held: dict[tuple, Hold] = {}

    def grab(
        self, client: int, hand: int, body: int, vertices: list[int], weights: list[float], at: list[float]
    ) -> None:
        """Close a hand around a point of a body: it takes hold of the vertices about it, so that no spike is drawn out."""
        self.release(client, hand)
        if len(self.held) >= MANY:
            raise InputError(f"{len(self.held)} hands and pins hold the bodies already; let go of some")
        handle = self.sim.grab(vertices, at, body=body, weights=weights)  # refuses what does not fit
        spring = self.sim.world.grabs.points[handle][2]
        x = self.sim.state.x.numpy()
        point = self._mean(handle, x)
        palm = self._palm(body, point)
        if palm is not None:
            vertices, weights = palm
            self.sim.grab(vertices, at, body, spring, handle, weights=weights)
        weight = 9.81 * float(self.sim.world.mass[self.sim.bodies[body].rows].sum())
        self.held[client, hand] = Hold(
            handle, body, tuple(vertices), tuple(weights), np.asarray(at, float), spring, MOST * weight,
            self._mean(handle, x) - point,
        )  # fmt: skip

    def _palm(self, body: int, point: np.ndarray) -> tuple[list[int], list[float]] | None:
        """The surface vertices nearest to a point, at most ``REACH``, and weights that fall off to the rim of the palm."""
        surface = self.sim.bodies[body].surface
        radius = PALM * float(np.linalg.norm(np.ptp(surface, axis=0)))
        away = np.linalg.norm(surface - point, axis=1)
        near = np.argsort(away, kind="stable")[:REACH]
        near = near[away[near] < radius]
        if len(near) < 4:
            return None
        weights = (1 - (away[near] / radius) ** 2) ** 2
        return near.tolist(), (weights / weights.sum()).tolist()

    def move(self, client: int, hand: int, at: list[float]) -> None:
        """Lead a hand elsewhere; one that has been released meanwhile stays released."""
        if (client, hand) in self.held:
            self.held[client, hand] = replace(self.held[client, hand], target=np.asarray(at, float))

    def release(self, client: int, hand: int, pin: bool = False) -> None:
        """Open a hand, or leave it where it is as a pin."""
        hold = self.held.pop((client, hand), None)
        if hold is not None and pin:
            self.held["pin", hold.handle] = replace(hold, pinned=True)
        elif hold is not None:
            self.sim.release(hold.handle)

    def unpin(self, pin: int) -> None:
        """Take away one pin, or all with -1."""
        for key, hold in list(self.held.items()):
            if hold.pinned and pin in (-1, hold.handle):
                del self.held[key]
                self.sim.release(hold.handle)

    def leave(self, client: int) -> None:
        """Open all hands of a client; its pins stay."""
        for key in [k for k in self.held if k[0] == client]:
            self.release(*key)

    def clear(self) -> None:
        """Forget all; the simulation has let go by itself."""
        self.held.clear()

    def pull(self) -> None:
        """Before a step: aim each spring at its hand, but never so far that it would pull harder than it may."""
        x = self.sim.state.x.numpy() if self.held else None
        for hold in self.held.values():
            spring = hold.stiffness * self.strength
            anchor = self._anchor(hold, x)
            reach = hold.target - anchor
            share = min(1.0, hold.most / max(spring * float(np.linalg.norm(reach)), 1e-30))
            aim = anchor + hold.offset + share * reach
            self.sim.grab(hold.vertices, aim, hold.body, spring, hold.handle, weights=hold.weights)

    def shown(self, x: np.ndarray) -> tuple[tuple[int, bool, np.ndarray, np.ndarray, float], ...]:
        """Handle, whether it is a pin, point held and hand [m], and force [N] of each."""
        found = []
        for hold in self.held.values():
            anchor = self._anchor(hold, x)
            pull = self.strength * hold.stiffness * float(np.linalg.norm(hold.target - anchor))
            found.append((hold.handle, hold.pinned, anchor, hold.target, min(pull, hold.most)))
        return tuple(found)

    def _anchor(self, hold: Hold, x: np.ndarray) -> np.ndarray:
        return self._mean(hold.handle, x) - hold.offset

    def _mean(self, handle: int, x: np.ndarray) -> np.ndarray:
        nodes, weights = self.sim.world.grabs.points[handle][:2]
        return weights @ x[nodes].astype(float)
