"""What a simulation says of its contacts and forces: tables, patches and wrenches of where the last step ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
from scipy.spatial import cKDTree

from ...arguments.typing_fields import Vector
from ...effects.base import Where, by_name, select
from ...effects.effect_layout import Part
from ...energy.capabilities import Thing
from ...energy.contact_forces import Pressed
from ...integrate.base import Implicit
from ...integrate.explicit import Explicit
from ...integrate.state import State
from ...runtime.scatter_writes import write
from ..scene.body import Scene
from ..scene.world import World
from ..step.restitution import bounced
from .contact_table import ContactTable, Patch
from .events import Event, Watch
from .reactions import at_last_step, known, measured
from .wrench import about as about_point
from .wrench import check

if TYPE_CHECKING:
    from ..simulation import Simulation


class Touched:
    """Part of a simulation that tells forces."""

    scene: Scene
    world: World
    state: State
    integrator: Implicit | Explicit

    @property
    def _explicit(self) -> float | None:
        """The time step of a scheme that solves nothing [s]."""
        return self.integrator.dt if isinstance(self.integrator, Explicit) else None

    def force(self, name: str) -> np.ndarray:
        """(3,) the force [N] that bodies exert on the obstacle, hold, hand ("hand 0") or joint ("joint 0") of that name.

        On a body it is that of all that touches and holds it. It is of the last step; without one, of the state as it stands.
        ``Body(pinned=…)`` is called "pinned", an obstacle or Hold by its name; ``forces()`` has all of them.
        """
        return self._wrench(name, "force(…)")[0].copy()

    def torque(self, name: str, about: Vector | None = None) -> np.ndarray:
        """(3,) the torque [N m] on a thing that ``force`` knows, about a point [m] or its centre."""
        return about_point(self._wrench(name, "torque(…)"), about, "torque(…)")

    def forces(self) -> dict[str, np.ndarray]:
        """Name → (3,) force [N], of everything that ``force`` knows."""
        return {name: rows[0].copy() for name, rows in self.wrenches().items()}

    def _wrench(self, name: str, call: str) -> np.ndarray:
        every = self.wrenches()
        return every[check(name, list(every), call)]

    def wrenches(self) -> dict[str, np.ndarray]:
        """Name → (3, 3) force [N], torque about the origin [N m] and centre [m], of everything that ``force`` knows."""
        return measured(self.world, self.scene, self.state, self._explicit)

    def contacts(self) -> ContactTable:
        """All that presses where the last step ended: points, normals, forces, gaps, slips and which bodies and obstacles.

        Of a scheme that evaluates forces within its steps, such as ImplicitMidpoint(), it is of there. Without a step behind
        it, it is of the state as it stands. ``contacts().of(name)`` and ``between(name, name)`` choose, ``total`` adds up.
        """
        return self._pressed()[0]

    def events(self) -> tuple[Event, ...]:
        """Touches that began or ended since it was asked last: in the last step, where it is asked after each.

        Asked first, all that touches has begun. ``run(…, events=True)`` keeps those of all steps. Nobody looks unless asked.
        """
        return self._watch.look(cast("Simulation", self))

    @cached_property
    def _watch(self) -> Watch:
        return Watch()

    def patch(self, body: str, where: Where) -> Patch:
        """What presses on a part of the surface of a body: ``where`` chooses points of it as they are at rest, by a condition, a
        mask, numbers, True for all, or the name of a group of the mesh. A contact is that of the nearest point."""
        check(body, list(self.scene.names), "patch(…)")
        number = self.scene.names.index(body)
        part = self.world.layout.parts[number]
        table, first, second, x = self._pressed()
        bound, own = part.touching, x[part.nodes]
        chosen = np.zeros(bound.count, bool)
        chosen[_points(part, where)] = True
        now = bound.of(own)
        corners = now[bound.triangles[chosen[bound.triangles].all(axis=1)]].reshape(-1, 3, 3)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        called = {thing: name for name, thing in known(self.world, self.scene).items()}["body", number]
        mine = np.stack([table.first == called, table.second == called])
        place = np.where(mine[0][:, None], first, second)
        inside = mine.any(axis=0)
        inside[inside] = chosen[cKDTree(now).query(place[inside])[1]]
        return Patch(table._rows(inside).of(called), 0.5 * float(np.linalg.norm(across, axis=1).sum()))

    def _bounce(self) -> None:
        """Give what has landed in the last step its speed back, by the restitution of the scene."""
        found, _ = self._found()
        states = tuple(getattr(self.state, name).numpy().astype(float) for name in ("x", "v", "x_before", "v_before"))
        carried = self._carried(found.obstacle, found.places(states[0], found.sides(self.world.starts)[2]))
        after = bounced(self.world, self.scene, self.integrator.dt, found, carried, states)
        if after is not None:
            write(self.device, self.state.v, after.astype(self.device.types.numpy))

    def _found(self) -> tuple[Pressed, np.ndarray]:
        """What presses where the last step ended, and (n, 3) the nodes there [m]."""
        with at_last_step(self.world, self.state, self._explicit) as (_, x):
            return Pressed.all_of([energy.contacts(x) for energy in self.world.touching]), x.numpy().astype(float)

    def _pressed(self) -> tuple[ContactTable, np.ndarray, np.ndarray, np.ndarray]:
        """The table, (c, 3) where its contacts are on the first and on the second, and (n, 3) where nodes are [m]."""
        found, x = self._found()
        names: dict[Thing, str] = {thing: name for name, thing in known(self.world, self.scene).items()}
        every = tuple(name for thing, name in names.items() if thing[0] in ("body", "obstacle"))
        one, other, side = found.sides(self.world.starts)
        first, second = found.places(x, side), found.places(x, ~side)
        speed = found.between(self.state.v.numpy()) - self._carried(found.obstacle, first)
        slip = speed - np.einsum("ci,ci->c", speed, found.normal)[:, None] * found.normal
        called = lambda kind, numbers: np.array([names[kind, int(i)] for i in numbers], dtype=object)
        touched = called("body", other)
        touched[found.obstacle >= 0] = called("obstacle", found.obstacle[found.obstacle >= 0])
        columns = (first, found.normal, found.push, found.friction, found.gap, slip)
        table = ContactTable(*columns, called("body", one).astype(str), touched.astype(str), every, self.state.t)
        turned = (found.obstacle < 0) & (one > other)
        places = [np.where(turned[:, None], b, a) for a, b in ((first, second), (second, first))]
        return replace(table._turned(turned), point=places[0]), *places, x

    def _carried(self, obstacle: np.ndarray, point: np.ndarray) -> np.ndarray:
        """(c, 3) how fast obstacles go at these points, 0 for none [m/s]."""
        out, dt = np.zeros_like(point), self.integrator.dt
        for o in np.unique(obstacle[obstacle >= 0]):
            pose: Callable[[float], np.ndarray] = self.scene.obstacles[o].pose
            now, own = pose(self.state.t), obstacle == o
            change = (pose(self.state.t - dt) @ np.linalg.inv(now) - np.eye(4)) / -dt
            out[own] = point[own] @ change[:3, :3].T + change[:3, 3]
        return out


def _points(part: Part, where: Where) -> np.ndarray:
    """Numbers of the points of a part's surface that ``where`` chooses."""
    bound, what = part.touching, f"patch({part.name!r}, …)"
    if isinstance(where, str):
        nodes = select(part.elements.rest, by_name(part.elements, where, what), what)
        own = np.isin(bound.nodes, nodes) | (bound.weights == 0)
        where = own.all(axis=1)
    return select(bound.of(part.elements.rest), where, what, "point of the surface")
