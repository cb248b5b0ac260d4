"""Restitution of rigid bodies (Newton).

A step of implicit Euler lays down what lands. Where it ends, normal impulses give every two rigid bodies, or a rigid body and an
obstacle, that press and came on at a speed u the speed e u apart. Impulses never pull, and are found contact after contact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...energy.contact_forces import Pressed
from ...errors import InputError
from ...integrate.schemes import ImplicitEuler
from ..scene.body import Scene
from ..scene.world import World

CREEP = 2.0  # times what gravity adds to a speed in a step: what comes on no faster rests
SWEEPS, ENOUGH = 200, 1e-10  # of the impulses, and the share of the fastest speed by which they may still change


def check_restitution(scenes: Sequence[Scene], integrator: object, world: World) -> None:
    """Refuse restitution where nothing would bounce by it."""
    if all(scene.contact.restitution is None for scene in scenes):
        return
    what = f"Contact(restitution={scenes[0].contact.restitution:g})"
    if len(scenes) > 1:
        raise InputError(f"{what}: a Batch does not support it; expected single simulations, or restitution=None")
    if not any(part.elements.held_whole for part in world.layout.parts):
        raise InputError(
            f"{what} is for contact.Rigid bodies, and there is none; soft bodies bounce by their elasticity: expected "
            "Damping(…) or Penalty(damping=…), which reduce it"
        )
    if not isinstance(integrator, ImplicitEuler):
        raise InputError(f"{what} with {type(integrator).__name__}(): expected ImplicitEuler()")


class Impulses:
    """Normal impulses between rigid bodies of four nodes each, and on obstacles, at contacts with nodes at x (n, 3)."""

    def __init__(self, world: World, found: Pressed, x: np.ndarray, v: np.ndarray):
        parts, self.x, self.v, self.mass = world.layout.parts, x, v, world.mass
        one, other, side = found.sides(world.starts)
        rigid = np.array([part.elements.held_whole for part in parts])
        hits = (found.push > 0) & rigid[one] & ((found.obstacle >= 0) | (rigid[other] & (one != other)))
        self.rows = np.flatnonzero(hits)
        at, self.normal = found.places(x, side)[self.rows], found.normal[self.rows]
        bodies = np.stack([one, np.where(found.obstacle >= 0, -1, other)])[:, self.rows]
        self.of, self.number = np.unique(bodies, return_inverse=True)  # −1 first, where there are obstacles
        self.number = self.number.reshape(2, -1)
        self.nodes = [parts[part].nodes for part in self.of if part >= 0]
        self.jacobian, self.inverse = np.zeros((len(self.rows), 2, 6)), np.zeros((len(self.of), 6, 6))
        centres = np.zeros((len(self.of), 3))
        first = len(self.of) - len(self.nodes)
        for b, nodes in enumerate(self.nodes, first):
            mass, own = world.mass[nodes], x[nodes]
            centres[b] = mass @ own / mass.sum()
            r = own - centres[b]
            spread = np.einsum("i,ij,ik->jk", mass, r, r)
            if world.free[nodes].all():
                self.inverse[b, :3, :3] = np.eye(3) / mass.sum()
                self.inverse[b, 3:, 3:] = np.linalg.inv(np.trace(spread) * np.eye(3) - spread)
        for s, sign in enumerate((1.0, -1.0)):
            arm = np.cross(at - centres[self.number[s]], self.normal)
            there = (self.of[self.number[s]] >= 0)[:, None]
            self.jacobian[:, s] = np.where(there, sign * np.hstack([self.normal, arm]), 0.0)
        self.first, self.centres = first, centres

    def speeds(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(c,) how fast the contacts would open if their bodies moved as those at x with velocities v of nodes do [m/s].

        A body that turns brings other points to where it touches: it is the place that counts, not the points there.
        """
        motion = np.zeros((len(self.of), 6))
        for b, nodes in enumerate(self.nodes, self.first):
            mass, own, speed = self.mass[nodes], x[nodes], v[nodes]
            r = own - mass @ own / mass.sum()
            spread = np.einsum("i,ij,ik->jk", mass, r, r)
            motion[b, :3] = mass @ speed / mass.sum()
            motion[b, 3:] = np.linalg.solve(np.trace(spread) * np.eye(3) - spread, mass @ np.cross(r, speed))
        return np.einsum("csi,csi->c", self.jacobian, motion[self.number.T])

    def solve(self, speed: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """(bodies, 6) changes of velocity and spin that leave contacts of the present normal ``speed`` no slower than wanted."""
        change, pushed = np.zeros((len(self.of), 6)), np.zeros(len(self.rows))
        moved = np.einsum("csij,csj->csi", self.inverse[self.number.T], self.jacobian)  # by a unit impulse
        yields = np.einsum("csi,csi->c", self.jacobian, moved)
        enough = ENOUGH * np.abs(wanted).max(initial=0.0)
        for _ in range(SWEEPS):
            most = 0.0
            for c in np.flatnonzero(yields > 0):
                own = self.number[:, c]
                miss = wanted[c] - speed[c] - np.sum(self.jacobian[c] * change[own])
                more = max(pushed[c] + miss / yields[c], 0.0) - pushed[c]
                pushed[c] += more
                change[own[0]] += more * moved[c, 0]
                change[own[1]] += more * moved[c, 1]
                most = max(most, abs(more) * yields[c])
            if most <= enough:
                break
        return change

    def applied(self, change: np.ndarray) -> np.ndarray:
        """(n, 3) velocities of nodes after these changes."""
        out = self.v.copy()
        for b, nodes in enumerate(self.nodes, self.first):
            out[nodes] += change[b, :3] + np.cross(change[b, 3:], self.x[nodes] - self.centres[b])
        return out


def bounced(
    world: World, scene: Scene, dt: float, found: Pressed, carried: np.ndarray, states: tuple[np.ndarray, ...]
) -> np.ndarray | None:  # fmt: skip
    """(n, 3) velocities after impacts [m/s]; None where nothing has landed.

    ``carried`` (c, 3) is how fast obstacles go at contacts, ``states`` are positions and velocities after and before the step.
    """
    x, v, x_before, v_before = states
    impulses = Impulses(world, found, x, v)
    own, gravity = impulses.rows, np.asarray(scene.gravity)
    driven = np.einsum("ci,ci->c", impulses.normal, carried[own])
    closing, speed = driven - impulses.speeds(x_before, v_before), impulses.speeds(x, v) - driven
    fast = closing > CREEP * np.linalg.norm(gravity) * dt
    if not fast.any():
        return None
    # the speed of impact: with what gravity did on the way from where the step began to the surface
    apart = np.maximum(found.gap[own] - dt * speed, 0.0)
    falls = np.where(found.obstacle[own] >= 0, -impulses.normal @ gravity, 0.0)
    impact = np.sqrt(np.maximum(closing**2 + 2 * falls * apart, 0.0))
    wanted = scene.contact.restitution * np.where(fast, impact, closing)  # one share for all: others would gain energy
    return impulses.applied(impulses.solve(speed, wanted))
