"""Forces and torques on what holds and touches the bodies: obstacles, pins, springs, clamps, hands, joints, other bodies.

Every one of them is a share of the gradient where a step ends: of the energy that stands for the thing, and of nodes that are
put where they belong the sum of all, inertia and damping included, which nothing else balances. By the third law it is what
the bodies do to the thing, so that all of them add up with gravity and loads to the change of momentum in the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import warp as wp

from ...effects.elasticity.holds import Hold
from ...effects.joints.joint_effects import Joint, named_joint
from ...effects.joints.joint_energies import SceneRows
from ...energy import capabilities as can
from ...energy.base import Energy, Step
from ...energy.capabilities import Thing
from ...energy.obstacles.obstacle_energy import Obstacle
from ...energy.points.grabs import Grabs
from ...errors import InputError
from ...integrate.state import State
from ..scene.body import Scene
from ..scene.world import World
from .wrench import ROWS

FOUND = can.Constraint | can.Multiplied  # forces that a solver has found, which stay as they are


def known(world: World, scene: Scene) -> dict[str, Thing]:
    """What forces act on, by name: the user's own where no two things share it, else with its kind or body."""
    things: list[tuple[str, str, Thing]] = []  # short name, full name, thing
    for i, name in enumerate(scene.names):
        things.append((name, f"body {name}", ("body", i)))
    for o, obstacle in enumerate(scene.obstacles):
        things.append((obstacle.name, f"{obstacle.name} {o}", ("obstacle", o)))
    for part in world.layout.parts:
        for i, hold in enumerate(part.of(Hold)):
            name = hold.name or f"hold {i}"
            things.append((name, f"{name} of {part.name}", ("hold", part.index, i)))
    response = scene.contact.response
    names = [""] * len(getattr(response, "joints", ())) + [joint.name for joint in scene.joints]
    things += [(name or f"joint {i}", f"joint {i}", ("joint", i)) for i, name in enumerate(names)]
    things += [(f"hand {h}", f"hand {h}", ("hand", h)) for h in world[Grabs.name][0].points]
    short = [name for name, _, _ in things]
    return {name if short.count(name) == 1 else full: thing for name, full, thing in things}


def measured(world: World, scene: Scene, state: State, explicit: float | None) -> dict[str, np.ndarray]:
    """(3, 3) force, torque about the origin and centre of every thing where the last step ended, by name.

    ``explicit`` is the time step of a scheme that solves nothing [s]. Where there is no step behind the state, and with such
    schemes, forces are those of the state as it stands.
    """
    things = {thing: name for name, thing in known(world, scene).items()}
    none, sums = np.zeros((ROWS, 3)), {}
    with at_last_step(world, state, explicit) as (step, x):
        for thing, share in _shares(world, x, _carried(world, state, explicit)):
            if thing in things:
                more = _sum(share, x, _centre(world, scene, thing, x, step.time))
                if things[thing] in sums:  # points and faces have their own shares; the centre is the same
                    more[:2] += sums[things[thing]][:2]
                sums[things[thing]] = more
    return {name: sums.get(name, none) for name in things.values()}


@contextmanager
def at_last_step(world: World, state: State, explicit: float | None) -> Iterator[tuple[Step, wp.array]]:
    """The energies as they were where the last step ended, with that step and its solution; afterwards as they are.

    ``explicit`` is as in ``measured``. Without a step behind the state it is the state as it stands.
    """
    stands = Step(state.x, state.t)
    if explicit is not None:
        anchor = world.objective.vectors.positions()
        world.objective.vectors.advance(state.x, -explicit, state.v, anchor)
        stands = Step(state.x, state.t, 1 / explicit, anchor)
    step, x = (stands, state.x) if world.last is None or explicit is not None else world.last
    past = step is not stands
    if past:
        step = replace(step, start=state.x_before)  # where the x is by now that the step began with
    owners = [n for n, energy in world.by_name.items() if past and energy.memory and not isinstance(energy, FOUND)]
    now = state.back(owners)
    try:
        _begin(world, step)
        if past and step.start is not None:
            for energy in world.energies:
                if isinstance(energy, can.Corrected):
                    energy.replay_correction(step.start)
                if isinstance(energy, can.Rolling):
                    energy.roll(x)
        if past and step.inertia == 0:
            for energy in world.objective.having(can.Lagged):
                if not isinstance(energy, FOUND):
                    energy.refresh_lagged(x)
        yield step, x
    finally:
        state.recall(now)
        _begin(world, Step(state.x, state.t))


def joint_position(world: World, joints: Sequence[Joint], x: wp.array, which: int | str) -> float:
    """The angle, way or length of a joint at x."""
    joint = joints[named_joint(joints, which, "joint_position(…)")]
    for energy in world.energies:
        if isinstance(energy, SceneRows) and (value := energy.position(joint, x)) is not None:
            return value
    raise InputError(
        f"joint_position({which!r}): joint.{type(joint).__name__} has no angle and no length; expected another joint"
    )


def _begin(world: World, step: Step) -> None:
    """Put the energies into a step, or to rest; forces that a solver has found stay as they are."""
    for energy in world.energies:
        if isinstance(energy, can.Wall) and step.start is not None:
            energy.begin(Step(step.start, step.begun))  # which was there when the step began
        if not isinstance(energy, FOUND):
            energy.begin(step)
        if isinstance(energy, can.Driven) and energy.has_way_left:
            energy.advance_drive(1.0)


def _carried(world: World, state: State, dt: float | None) -> np.ndarray | float:
    """(n, 3) what changed the speed of nodes in the last step of an explicit scheme [N], which no energy stands for."""
    if dt is None or state.steps == 0:
        return 0.0
    return world.mass[:, None] * (state.v.numpy().astype(float) - state.v_before.numpy()) / dt


def _shares(world: World, x: wp.array, more: np.ndarray | float) -> Iterator[tuple[Thing, np.ndarray]]:
    """Every thing and its share of the gradient at x, (n, 3) [N]; ``more`` is added to the sum of all gradients."""
    outer = world.objective.having(can.Touching | can.Fastening)
    for energy in world.objective.having(can.Reacting):
        yield from energy.reactions(x)
    held = np.zeros((world.count, 3))
    if any(hold.thing for hold in world.held.holds):
        total = -(_gradient(world, world.energies, x) + more)
        for hold in world.held.holds:
            if hold.thing is not None:
                share, own = np.zeros_like(total), np.ix_(hold.rows, hold.axes)
                share[own] = np.where(held[own] == 0, total[own], 0.0)  # what two of them hold, the first one feels
                held[own] = 1.0
                yield hold.thing, share
        held *= total
    touched = -(_gradient(world, outer, x) + held)
    for part in world.layout.parts:
        share = np.zeros_like(touched)
        share[part.nodes] = touched[part.nodes]
        yield ("body", part.index), share


def _gradient(world: World, energies: list[Energy], x: wp.array) -> np.ndarray:
    """(n, 3) the sum of some gradients [N]; of volumes that cannot change, that of the pressures found."""
    out = world.objective.vectors.new()
    for energy in energies:
        if getattr(energy, "rigid", False):
            energy.pressure_gradient(x, world.device.array(energy.solved(), world.device.types.real), out)
        else:
            energy.gradient(x, out)
    return out.numpy().astype(float)


def _sum(share: np.ndarray, x: wp.array, centre: np.ndarray) -> np.ndarray:
    return np.stack([share.sum(axis=0), np.cross(x.numpy(), share).sum(axis=0), centre])


def _centre(world: World, scene: Scene, thing: Thing, x: wp.array, time: float) -> np.ndarray:
    """(3,) the point that torques on a thing are about, unless told [m]."""
    kind, number = thing[0], thing[1]
    if kind == "body":
        rows, place = world.layout.parts[number].nodes, x.numpy()
        return world.mass[rows] @ place[rows] / world.mass[rows].sum()
    if kind == "obstacle":
        return _middle(scene.obstacles[number], time)
    if kind == "hold":
        held = next((h.rows for h in world.held.holds if h.thing == thing), None)
        return _fastening(world, thing).middle if held is None else x.numpy()[held].mean(axis=0)
    if kind == "hand":
        return np.asarray(world[Grabs.name][0].points[number][3], float)
    every = [*world.objective.having(can.Fastening), *world.objective.having(can.Constraint)]
    joints = [energy for energy in every if hasattr(energy, "joint_middle")]  # those of contact have the first numbers
    return next(middle for energy in joints if (middle := energy.joint_middle(number, x)) is not None)


def _fastening(world: World, thing: Thing) -> Energy:
    """The energy of a Hold."""
    fastenings = [energy for energy in world.objective.having(can.Fastening) if hasattr(energy, "thing")]
    return next(energy for energy in fastenings if energy.thing == thing)


def _middle(obstacle: Obstacle, time: float) -> np.ndarray:
    """The middle of the box around an obstacle, its end along axes that have but one, and 0 where there is none."""
    pose, (low, high) = obstacle.pose(time), obstacle.shape.bounds
    ends = np.where(np.isfinite([low, high]), [low, high], 0.0)
    return pose[:3, :3] @ (ends.sum(axis=0) / np.maximum(np.isfinite([low, high]).sum(axis=0), 1)) + pose[:3, 3]
