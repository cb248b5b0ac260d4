"""Contents of a description: bodies, obstacles, gravity and omissions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..arguments import checks
from ..contact.penalty.penalty_law import Penalty
from ..effects.contact.obstacle_contact import Contact
from ..energy.obstacles.obstacle_energy import Obstacle
from ..errors import InputError
from ..geometry.distance.sdf import Sdf
from ..simulate.scene.body import Body, Scene


@dataclass(frozen=True, eq=False)
class Contents:
    """What ``scenes.read`` found: ``bodies`` and ``obstacles`` where they stand, ``gravity`` [m/s²], ``friction``.

    ``dt`` [s] is the step that the file asks for, or None; ``poses`` has the 4×4 pose of every link by its name; ``left_out``
    says what was not taken over, or otherwise than the file has it, one line each.
    """

    path: Path
    bodies: tuple[Body, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    gravity: tuple[float, ...] = (0.0, 0.0, -9.81)
    friction: float = 0.5
    dt: float | None = None
    poses: dict[str, np.ndarray] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    def __post_init__(self):
        checks.instance("Contents(path=…)", self.path, str | os.PathLike, "the name of a file")
        checks.several("Contents(bodies=…)", self.bodies, Body, "bodies")
        checks.several("Contents(obstacles=…)", self.obstacles, Obstacle, "obstacles")
        checks.vector("Contents(gravity=…)", self.gravity, "m/s²")
        checks.number("Contents(friction=…)", self.friction, 0, expected="a number of at least 0")
        if self.dt is not None:
            checks.positive("Contents(dt=…)", self.dt, "seconds")
        checks.instance("Contents(poses=…)", self.poses, dict, "poses by their names")
        checks.several("Contents(left_out=…)", self.left_out, str, "sentences")

    def scene(
        self, bodies: Sequence[Body] = (), obstacles: Sequence[Sdf | Obstacle] = (), contact: Contact | None = None
    ) -> Scene:
        """All of it as a scene, with bodies and obstacles of your own beside it.

        Several bodies push each other out, ``contact.Penalty()``, unless ``contact`` says otherwise.
        """
        given = [bodies] if isinstance(bodies, Body) else list(bodies)
        every = [*self.bodies, *given]
        if not every:
            raise InputError(
                f"{self.path.name} has nothing that moves by itself; expected bodies as well, scene(bodies=[Body(…)])"
            )
        if contact is None:
            contact = Contact(friction=self.friction, response=Penalty() if len(every) > 1 else None)
        more = [obstacles] if isinstance(obstacles, Sdf | Obstacle) else list(obstacles)
        return Scene(_named(every), [*self.obstacles, *more], self.gravity, contact)

    @property
    def summary(self) -> str:
        """One line about what was found and what was not taken over."""
        parts = [_many(len(self.bodies), "body", "bodies"), _many(len(self.obstacles), "obstacle", "obstacles")]
        rest = f"; not taken over: {', '.join(self.left_out)}" if self.left_out else ""
        return f"{self.path.name}: {' and '.join(parts)}{rest}"

    def __repr__(self) -> str:
        return f"Contents({self.summary})"


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _named(bodies: Sequence[Body]) -> list[Body]:
    """Bodies with names that differ."""
    seen: dict[str, int] = {}
    named = []
    for i, body in enumerate(bodies):
        name = body.name or f"body {i}"
        seen[name] = seen.get(name, 0) + 1
        named.append(body if seen[name] == 1 else body.reshaped(body.shape, name=f"{name} {seen[name]}"))
    return named
