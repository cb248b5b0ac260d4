"""Hands: bounded springs on held points, and pins.

A pin is the constraint x_v = p_v on the vertices about its point by the method of multipliers: springs of stiffness k towards
p + d, where d grows by p − x after each step. It gives by the change of its force from one step to the next over k, and at
rest by nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...errors import InputError
from ...integrate.explicit import Explicit
from ...material.base import engineering
from ...simulate.simulation import Simulation

PALM = 0.06  # times the size of the body: how far from its middle a hand takes hold
FEW, MANY = 4, 10  # vertices that a hand holds at least and at most, where there are so many
HEAVY, LIGHT = 60.0, 2.0  # times the weight of the body on Earth: no hand pulls harder, and each may pull so hard
FIRM = 12.0  # times Young's modulus times the square of the palm's radius: between these, what the material bears
EASED = 0.4  # what is left of the pull of all hands after a step that failed
FIRMER = 100.0  # times the stiffness of a hand: that of a pin
GIVE = 1e-3  # of the size of its body: how far a pin gives at most when the whole weight comes on it at once
STRONG = 1000.0  # times the weight: what a pin bears at most, lest it gather force against what cannot move
HANDS = 32  # hands and pins at once


@dataclass(frozen=True, eq=False)
class Hold:
    """A hand around a point of a body: springs on the surface vertices about it, which move along like a clamp."""

    body: int
    handles: tuple[int, ...]  # a grab of the simulation for each vertex
    shares: np.ndarray  # (v,) of the hand's stiffness, summing to 1
    offsets: np.ndarray  # (v, 3) of the vertices from the point, when they were taken hold of [m]
    target: np.ndarray  # where the hand is [m]
    stiffness: float  # [N/m]
    most: float  # [N]
    pinned: bool = False
    beyond: np.ndarray | None = None  # (v, 3) of a pin: how far its springs aim beyond where its vertices belong [m]


class Hands:
    """All hands on a simulation, by (client, hand)."""

    def __init__(self, sim: Simulation):
        self.sim, self.strength, self.ease = sim, 1.0, 1.0
        self.held: dict[tuple, Hold] = {}

    def grab(self, client: int, hand: int, body: int, vertices: list[int], weights: list[float], at: list[float]) -> None:
        """Close a hand around the point between ``vertices`` of a body."""
        self.release(client, hand)
        if len(self.held) >= HANDS:
            raise InputError(f"{len(self.held)} hands and pins hold the bodies already; let go of some")
        if body >= len(self.sim.bodies):
            raise InputError(f"grab(body={body}): expected 0 … {len(self.sim.bodies) - 1}")
        surface = self.sim.bodies[body].surface
        if max(vertices) >= len(surface):
            raise InputError(f"grab(vertex={max(vertices)}): expected a surface vertex 0 … {len(surface) - 1}")
        if abs(sum(weights) - 1) > 1e-3:
            raise InputError(f"grab(weights={weights}): expected numbers that sum to 1")
        point = np.asarray(weights) @ surface[vertices]
        near, shares = self._palm(body, surface, point)
        mass = float(self.sim.world.mass[self.sim.bodies[body].rows].sum())
        spring = mass / (4 * self.sim.integrator.dt) ** 2
        handles = [self.sim.grab(int(v), surface[v], body, spring * w) for v, w in zip(near, shares)]
        self.held[client, hand] = Hold(
            body, tuple(handles), shares, surface[near] - point, np.asarray(at, float), spring,
            self._most(body, 9.81 * mass),
        )  # fmt: skip

    def _palm(self, body: int, surface: np.ndarray, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The surface vertices nearest to a point, and shares that fall off to the rim of the palm."""
        away = np.linalg.norm(surface - point, axis=1)
        near = np.argsort(away, kind="stable")[:MANY]
        radius = max(self._radius(body), 1.3 * float(away[near[:FEW]].max()))  # coarse meshes have wide palms
        near = near[away[near] < radius]
        shares = (1 - (away[near] / radius) ** 2) ** 2
        return near, shares / shares.sum()

    def _most(self, body: int, weight: float) -> float:
        """The largest force of a hand on a body of this weight [N]."""
        shape, terms = self.sim.scene.bodies[body].shape, self.sim.scene.bodies[body].material.terms
        moduli = [law.moduli for law in terms if law.moduli is not None]
        young = max((float(np.mean(engineering(*pair)[0])) for pair in moduli), default=np.inf)
        if shape.dimension < 3:  # sheets and threads give way by bending, long before
            young = np.inf
        return min(HEAVY * weight, max(LIGHT * weight, FIRM * young * self._radius(body) ** 2))

    def _radius(self, body: int) -> float:
        return PALM * float(np.linalg.norm(np.ptp(self.sim.scene.bodies[body].shape.rest, axis=0)))

    def move(self, client: int, hand: int, at: list[float]) -> None:
        """Lead a hand elsewhere; one that has been released meanwhile stays released."""
        if (client, hand) in self.held:
            self.held[client, hand] = replace(self.held[client, hand], target=np.asarray(at, float))

    def release(self, client: int, hand: int, pin: bool = False) -> None:
        """Open a hand, or leave a pin that keeps its point where that is now."""
        hold = self.held.pop((client, hand), None)
        if hold is not None and pin:
            self.held["pin", hold.handles[0]] = self._pinned(hold)
        elif hold is not None:
            self._open(hold)

    def _pinned(self, hold: Hold) -> Hold:
        """A pin in place of a hand: it begins with the same force."""
        x = self.sim.state.x.numpy()
        point, places = self._point(hold, x), self._places(hold, x)
        aims = np.array([self.sim.hands.points[handle][3] for handle in hold.handles])
        before, firm = self.strength * hold.stiffness, hold.stiffness
        weight = 9.81 * hold.stiffness * (4 * self.sim.integrator.dt) ** 2
        if not isinstance(self.sim.integrator, Explicit):  # whose steps would be too long for stiff springs
            firm = max(FIRMER * firm, weight / (GIVE * self._radius(hold.body) / PALM))
        return replace(
            hold, pinned=True, target=point, offsets=places - point, stiffness=firm, most=STRONG * weight,
            beyond=before / firm * (aims - places),
        )  # fmt: skip

    def unpin(self, pin: int) -> None:
        """Take away one pin, or all with -1."""
        for key, hold in list(self.held.items()):
            if hold.pinned and pin in (-1, hold.handles[0]):
                self._open(self.held.pop(key))

    def leave(self, client: int) -> None:
        """Open all hands of a client; its pins stay."""
        for key in [k for k in self.held if k[0] == client]:
            self.release(*key)

    def clear(self) -> None:
        """Forget all; the simulation has let go by itself."""
        self.held.clear()

    def _open(self, hold: Hold) -> None:
        for handle in hold.handles:
            self.sim.release(handle)

    def pull(self, again: bool = False) -> None:
        """Before a step: aim each hand's springs, but never so far that together they exceed its bound; pins have none.

        ``again`` where the step before this one failed, from which pins learn nothing.
        """
        x = self.sim.state.x.numpy() if self.held else None
        for key, hold in self.held.items():
            if hold.pinned:
                belong = hold.target + hold.offsets
                if not again and not isinstance(self.sim.integrator, Explicit):
                    beyond = hold.beyond + belong - self._places(hold, x)
                    far = np.linalg.norm(beyond, axis=1, keepdims=True)
                    beyond *= np.minimum(1.0, hold.most / hold.stiffness / np.maximum(far, 1e-300))
                    hold = self.held[key] = replace(hold, beyond=beyond)
                self._aim(hold, hold.stiffness * self.ease, belong + hold.beyond)
                continue
            spring, point = hold.stiffness * self.strength, self._point(hold, x)
            reach = hold.target - point
            share = min(1.0, self._bound(hold) / max(spring * float(np.linalg.norm(reach)), 1e-30))
            aims = point + share * reach + hold.offsets
            self._aim(hold, spring, aims)

    def _aim(self, hold: Hold, spring: float, aims: np.ndarray) -> None:
        """Move the targets of a hand's springs.

        Those of unchanged stiffness go to the device together with the last one.
        """
        points, last = self.sim.hands.points, len(aims) - 1
        for k, (handle, part) in enumerate(zip(hold.handles, hold.shares)):
            nodes, weights, stiffness, _ = points[handle]
            if k < last and stiffness == spring * float(part):
                points[handle] = (nodes, weights, stiffness, aims[k])
            else:
                self.sim.hands.put(handle, nodes, weights, spring * float(part), aims[k])

    def shown(self, x: np.ndarray) -> tuple[tuple[int, bool, np.ndarray, np.ndarray, float], ...]:
        """Number, whether it is a pin, point held and hand [m], and force [N] of each."""
        rows = []
        for hold in self.held.values():
            point = self._point(hold, x)
            if hold.pinned:
                aim = hold.shares @ (hold.target + hold.offsets + hold.beyond - self._places(hold, x))
                pull = self.ease * hold.stiffness * float(np.linalg.norm(aim))
            else:
                pull = self.strength * hold.stiffness * float(np.linalg.norm(hold.target - point))
                pull = min(pull, self._bound(hold))
            rows.append((hold.handles[0], hold.pinned, point, hold.target, pull))
        return tuple(rows)

    def _bound(self, hold: Hold) -> float:
        """Largest force now [N]: it grows with a strength above 1, and is eased after steps that failed."""
        return hold.most * max(self.strength, 1.0) * self.ease

    def _point(self, hold: Hold, x: np.ndarray) -> np.ndarray:
        """Where the point is that a hand holds [m]."""
        return hold.shares @ (self._places(hold, x) - hold.offsets)

    def _places(self, hold: Hold, x: np.ndarray) -> np.ndarray:
        """(v, 3) where the vertices are that a hand holds [m]."""
        points = [self.sim.hands.points[handle] for handle in hold.handles]
        return np.array([weights @ x[nodes].astype(float) for nodes, weights, _, _ in points])
