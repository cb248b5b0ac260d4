"""Derivatives of obstacle contact by stiffness, pose and friction memory.

An obstacle that moves by s and turns by ω about its origin o has at x the force of one that stands still, seen from there: so
δ(d·f) = −s·K d + ω·(f × d − (x − o) × K d), K the tangent of the point. Friction hangs on its anchor a instead of the place x.
"""

from functools import cached_property

import numpy as np
import warp as wp

from ...runtime.device import family
from ...runtime.kernel_structs import Structs
from ...runtime.vectors import vector_kernels
from ..sensitivity import Differentiable, Segments, Slot
from .friction_adjoint import adjoint_structs, settled_kernels
from .obstacle_functions import obstacle_functions, obstacle_structs

GRAIN = 256


@family
def contact_sensitivity_kernels(t):
    real, vec3 = t.real, t.vec3
    Obstacles, Points = obstacle_structs(t.precision)
    Anchors, PastAdjoints, Adjoints = adjoint_structs(t.precision)
    of = obstacle_functions(t)
    depth, overlap, stiffening, slip, curvature = of.depth, of.overlap, of.stiffening, of.slip, of.curvature
    placed = of.placed

    @t.kernel
    def of_obstacles(
        start: int, obstacles: Obstacles, points: Points, smoothing: real, acting: Anchors, curved: wp.int32,
        step: real, x: wp.array(dtype=t.position), d: wp.array(dtype=vec3), by: Adjoints,
    ):  # fmt: skip
        """By the stiffness of each point, which is added to, and by the pose of each obstacle, which is not."""
        i = start + wp.tid()
        k = points.stiffness[i]
        total = real(0.0)
        for o in range(obstacles.turn.shape[0]):
            move = vec3()
            spin = vec3()
            if k > real(0.0):
                found = depth(o, obstacles, points.offset[i], x[i])
                n = vec3(found[0], found[1], found[2])
                deep = overlap(found[3], smoothing)
                force = -(k * deep) * n
                Kd = (k * stiffening(found[3], smoothing) * wp.dot(n, d[i])) * n
                if curved == 1 and deep > real(0.0):
                    Kd -= (k * deep) * (curvature(o, obstacles, step, x[i]) * d[i])
                total -= deep * wp.dot(n, d[i])
                move -= Kd
                spin += wp.cross(force, d[i]) - wp.cross(vec3(x[i] - obstacles.shift[o]), Kd)
                most = acting.limit[o, i]
                if most > real(0.0):
                    there = placed(o, obstacles, acting.anchor[o, i])
                    held = vec3(there - obstacles.shift[o])
                    m = acting.normal[o, i]
                    u = slip(m, x[i], there)
                    length = wp.length(u)
                    across = d[i] - wp.dot(d[i], m) * m
                    pull = k * across
                    if k * length <= most:
                        total += wp.dot(u, d[i])
                    else:
                        e = u / length
                        pull = (most / length) * (across - wp.dot(e, d[i]) * e)
                    move -= pull
                    spin -= wp.cross(held, pull)
            by.shift[o, i] = move
            by.turn[o, i] = spin
        if by.stiffness.shape[0] > 0:
            by.stiffness[i] = by.stiffness[i] + total

    @t.kernel
    def of_memory(
        start: int, obstacles: Obstacles, points: Points, acting: Anchors, x: wp.array(dtype=t.position),
        d: wp.array(dtype=vec3), past: PastAdjoints,
    ):  # fmt: skip
        """By what friction remembers; only those that have items."""
        i = start + wp.tid()
        k = points.stiffness[i]
        if k > real(0.0):
            for o in range(obstacles.turn.shape[0]):
                most = acting.limit[o, i]
                if most > real(0.0):
                    m = acting.normal[o, i]
                    w = vec3(x[i] - placed(o, obstacles, acting.anchor[o, i]))
                    u = w - wp.dot(w, m) * m
                    length = wp.length(u)
                    q = k * d[i]
                    if k * length > most:
                        e = u / length
                        along = wp.dot(e, d[i])
                        q = (most / length) * (d[i] - along * e)
                        if past.limit.shape[0] > 0:
                            past.limit[o, i] = past.limit[o, i] + along
                    if past.anchor.shape[0] > 0:
                        across = q - wp.dot(q, m) * m
                        past.anchor[o, i] = past.anchor[o, i] - wp.transpose(obstacles.turn[o]) * across
                    if past.normal.shape[0] > 0:
                        past.normal[o, i] = past.normal[o, i] - wp.dot(q, m) * w - wp.dot(w, m) * q

    return locals()


class OfContact(Differentiable):
    """Part of ObstacleContact."""

    @property
    def parameters(self) -> dict[str, Slot]:
        """``shift`` [m] and ``rotation`` [rad], a small one about its origin, are those of each obstacle in the world. By
        ``friction`` nothing changes but what is remembered."""
        t, obstacles = self.device.types, (len(self.obstacles),)
        poses = {"shift": Slot(obstacles, t.vec3), "rotation": Slot(obstacles, t.vec3)}
        return {"stiffness": Slot((self.count,), t.real)} | poses | {"friction": Slot((1,), t.real)}

    @property
    def past(self) -> dict[str, Slot]:
        kinds = {"anchor": self.device.types.vec3}
        return {f"memory.{name}": Slot(a.shape, kinds.get(name, a.dtype)) for name, a in self.memory.items()}

    @cached_property
    def _poses(self) -> tuple[wp.array, wp.array, Segments]:
        """What every point says of the shift and the rotation of each obstacle, and the sums over them."""
        shape, vec3 = (len(self.obstacles), self.count), self.device.types.vec3
        owner = np.repeat(np.arange(shape[0]), shape[1])
        of = (self.device.zeros(shape, vec3) for _ in range(2))
        return *of, Segments(self.device, owner, shape[0], 3)

    @cached_property
    def _flat(self) -> tuple[wp.array, wp.array]:
        return self._poses[0].flatten(), self._poses[1].flatten()

    @cached_property
    def _structs(self) -> Structs:
        return Structs()

    def _here(self, x: wp.array, d: wp.array) -> tuple[wp.array, wp.array]:
        return self._points(x, self.at), self._points(d, self.direction)

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if not any(name in into for name in self.parameters):
            return
        of_shift, of_turn, sums = self._poses
        of_stiffness = into.get("stiffness", self.device.none(self.device.types.real))
        Anchors, _, Adjoints = adjoint_structs(self.device.precision)
        acting, (of_friction, of_x, _) = self._structs.of(Anchors, *self.acting), self._settled
        by = self._structs.of(Adjoints, of_stiffness, of_friction, of_x, of_shift, of_turn)
        params = (*self._shapes(), acting, int(self.curved), self.step)
        kernel = contact_sensitivity_kernels(self.device.precision).of_obstacles
        self.device.launch(kernel, self.count, *params, *self._here(x, d), by, grain=GRAIN)
        for name, values in zip(("shift", "rotation"), self._flat):
            if name in into:
                sums.add(values, into[name])

    def history(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        kinds = {name: slot.dtype for name, slot in self.past.items()}
        if not any(name in into for name in kinds):
            return
        Anchors, PastAdjoints, _ = adjoint_structs(self.device.precision)
        params = (self.posed, self.points, self._structs.of(Anchors, self.anchor, self.normal, self.limit))
        out = self._structs.of(PastAdjoints, *(into.get(n, self.device.none(kind, 2)) for n, kind in kinds.items()))
        kernel = contact_sensitivity_kernels(self.device.precision).of_memory
        self.device.launch(kernel, self.count, *params, *self._here(x, d), out, grain=GRAIN)

    @cached_property
    def _settled(self) -> tuple[wp.array, wp.array, Segments]:
        """Room for derivatives by friction and place of each point, and the sum over the points."""
        real, vec3 = self.device.types.real, self.device.types.vec3
        own = (self.device.zeros(self.count, kind) for kind in (real, vec3))
        return *own, Segments(self.device, np.zeros(self.count, int), 1, 0)

    def accept_back(
        self, x: wp.array, time: float, memory: dict[str, wp.array], into: dict[str, wp.array], out: wp.array
    ) -> None:
        if not self.friction > 0:
            return
        (of_shift, of_turn, sums), (of_friction, of_x, over_points) = self._poses, self._settled
        kernel = settled_kernels(self.device.precision).settled_back
        Anchors, PastAdjoints, Adjoints = adjoint_structs(self.device.precision)
        before = self._structs.of(Anchors, self.anchor, self.normal, self.limit)
        past = self._structs.of(PastAdjoints, *(memory[f"memory.{name}"] for name in ("anchor", "normal", "limit")))
        by = self._structs.of(Adjoints, into["stiffness"], of_friction, of_x, of_shift, of_turn)
        params = (*self._shapes(), self.friction, int(self.curved), self.step, before)
        self.device.launch(kernel, self.count, *params, self._points(x, self.at), past, by, grain=GRAIN)
        over_points.add(of_friction, into["friction"])
        for name, values in zip(("shift", "rotation"), self._flat):
            sums.add(values, into[name])
        if self.carrier is None:
            kernel = vector_kernels(self.device.precision).move
            self.device.launch(kernel, self.count, out, 1.0, of_x, out)
        else:
            self.carrier.spread(of_x, out)
