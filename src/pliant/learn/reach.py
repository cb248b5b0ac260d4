"""Reach task: a soft finger with four muscles."""

from __future__ import annotations

import numpy as np

from ..effects.elasticity.damping import Damping
from ..effects.elasticity.muscle_effect import EmbeddedMuscle
from ..elements.tets import Tets
from ..geometry.distance.sdf import box
from ..geometry.mesh.primitives import tet_grid
from ..material.laws.neo_hookean import StableNeoHookean
from ..simulate.scene.body import Body, Scene
from .task import Moment, Task

LENGTH, WIDTH, FARTHEST = 0.12, 0.02, 0.04  # of the finger, and of spots from below it [m]
CELLS = (2, 2, 8)


class Reach(Task):
    """A soft finger of 12 cm hangs from its upper end and brings its tip over a random spot, up to 4 cm aside.

    Two actions tense one of two opposite muscles each, along x and along y. Seen are the tip, its velocity, the spot and the
    actions; the reward is minus the horizontal distance to the spot over 4 cm. ``distance`` [m] is told.
    """

    actions = 2
    observations = 8

    def __init__(self):
        mesh = tet_grid((WIDTH, WIDTH, LENGTH), CELLS, origin=(-WIDTH / 2, -WIDTH / 2, 0.0))
        self.shape = Tets(mesh)
        self.tip = int(np.argmin(np.linalg.norm(mesh.vertices, axis=1)))
        self.flesh = StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
        wide, thick = 2 * LENGTH, 0.8 * WIDTH  # beyond the finger, so that a layer at each side is left
        sizes = {"x": (thick, wide, 2 * wide), "y": (wide, thick, 2 * wide)}
        aside = {"x": (0.6 * WIDTH, 0.0, 0.0), "y": (0.0, 0.6 * WIDTH, 0.0)}
        self.layers = {(k, s): box(sizes[k], tuple(s * c for c in aside[k])) for k in "xy" for s in (1, -1)}

    def scene(self, action: np.ndarray, member: int) -> Scene:
        muscles = [
            EmbeddedMuscle(
                layer,
                (0.0, 0.0, 1.0),
                activation=lambda t, k=axis, s=side: max(0.0, s * action["xy".index(k)]),
                peak_stress=2e4,
                name=f"{'+' if side > 0 else '-'}{axis}",
            )
            for (axis, side), layer in self.layers.items()
        ]
        top = np.flatnonzero(self.shape.rest[:, 2] > LENGTH - 1e-9)
        finger = Body(self.shape, self.flesh, pinned=top, effects=muscles, damping=Damping(stiffness=0.02), name="finger")
        return Scene([finger])

    def goal(self, random: np.random.Generator) -> np.ndarray:
        """(2,) a spot, uniform in a disc below the finger [m]."""
        radius, angle = FARTHEST * np.sqrt(random.uniform()), random.uniform(0, 2 * np.pi)
        return radius * np.array([np.cos(angle), np.sin(angle)])

    def observe(self, now: Moment) -> np.ndarray:
        tip, velocity = now.x[:, self.tip, :2], now.v[:, self.tip, :2]
        return np.concatenate([tip / FARTHEST, velocity, now.goals / FARTHEST, now.actions], axis=1)

    def targets(self, now: Moment) -> np.ndarray:
        """The spot, three centimetres below the finger at rest."""
        return np.column_stack([now.goals, np.full(len(now.goals), -0.03)])[:, None]

    def reward(self, now: Moment) -> np.ndarray:
        return -self.measures(now)["distance"] / FARTHEST

    def measures(self, now: Moment) -> dict[str, np.ndarray]:
        """The horizontal ``distance`` of the tip from the spot [m]."""
        return {"distance": np.linalg.norm(now.x[:, self.tip, :2] - now.goals, axis=1)}
