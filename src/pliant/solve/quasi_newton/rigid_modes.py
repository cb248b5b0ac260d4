"""Rigid modes in solves with a constant factor.

The factor has A = S + L at the four nodes of a rigid body, with L the laplacian of its stiff law and S all else, mostly inertia.
Along its six rigid modes P at the positions of now the law has no stiffness; along the other six of twelve L is right.
So B⁻¹ = P (PᵀSP)⁻¹ Pᵀ + (1 − Π) A⁻¹ (1 − Π), with Π the projector onto the modes.
"""

import numpy as np
import warp as wp

from ...runtime.device import family
from ..objective.step_objective import Objective

LEAST = 1e-6  # of its largest eigenvalue: least eigenvalue of S, or else only the law holds the body


@family
def rigid_modes_kernels(t):
    vec3, position = t.vec3, t.position
    ints, nodes, places = wp.array(dtype=wp.int32), wp.array(dtype=vec3), wp.array(dtype=position)
    shares = wp.array(dtype=wp.mat44d)

    def middle(n: int, x: places):
        return wp.float64(0.25) * (wp.vec3d(x[n]) + wp.vec3d(x[n + 1]) + wp.vec3d(x[n + 2]) + wp.vec3d(x[n + 3]))

    middle = t.function("middle", middle)

    def stretched(n: int, x: places, v: nodes, out: nodes):
        """out = (1 − Π) v at the four nodes from n on."""
        c = middle(n, x)
        mean = wp.vec3d()
        moment = wp.vec3d()
        spread = wp.mat33d()
        for i in range(4):
            r = wp.vec3d(x[n + i]) - c
            u = wp.vec3d(v[n + i])
            mean += wp.float64(0.25) * u
            moment += wp.cross(r, u)
            spread += wp.dot(r, r) * wp.identity(n=3, dtype=wp.float64) - wp.outer(r, r)
        spin = wp.inverse(spread) * moment
        for i in range(4):
            r = wp.vec3d(x[n + i]) - c
            out[n + i] = vec3(wp.vec3d(v[n + i]) - mean - wp.cross(spin, r))

    stretched = t.function("stretched", stretched)

    @t.kernel
    def drop_modes(start: int, first: ints, x: places, b: nodes, out: nodes):
        stretched(first[start + wp.tid()], x, b, out)

    @t.kernel
    def put_modes(start: int, first: ints, share: shares, x: places, b: nodes, z: nodes):
        """z ← (1 − Π) z + P (PᵀSP)⁻¹ Pᵀ b."""
        k = start + wp.tid()
        n, S = first[k], share[k]
        stretched(n, x, z, z)
        c = middle(n, x)
        whole = wp.float64(0.0)
        lever = wp.vec3d()
        turns = wp.mat33d()
        force = wp.vec3d()
        torque = wp.vec3d()
        for i in range(4):
            r = wp.vec3d(x[n + i]) - c
            force += wp.vec3d(b[n + i])
            torque += wp.cross(r, wp.vec3d(b[n + i]))
            for j in range(4):
                s = wp.vec3d(x[n + j]) - c
                whole += S[i, j]
                lever += S[i, j] * s
                turns += S[i, j] * (wp.dot(r, s) * wp.identity(n=3, dtype=wp.float64) - wp.outer(s, r))
        # whole t + ω × lever = force and lever × t + turns ω = torque
        turns -= (wp.dot(lever, lever) * wp.identity(n=3, dtype=wp.float64) - wp.outer(lever, lever)) / whole
        spin = wp.inverse(turns) * (torque - wp.cross(lever, force) / whole)
        shift = (force - wp.cross(spin, lever)) / whole
        for i in range(4):
            z[n + i] = z[n + i] + vec3(shift + wp.cross(spin, wp.vec3d(x[n + i]) - c))

    return locals()


class RigidModes:
    """The free rigid bodies of an objective that are held by more than their own law."""

    def __init__(self, objective: Objective):
        self.objective, self.device = objective, objective.device
        self.kernels, self.stamp = rigid_modes_kernels(self.device.precision), None
        self.count = 0

    def take(self) -> None:
        """Read the constant matrix at the nodes of rigid bodies, where it has changed."""
        objective = self.objective
        if objective.turning is None or self.stamp == objective.stamp:
            return
        self.stamp = objective.stamp
        first, share = free_bodies(objective)
        if len(first) != self.count or not self.count:
            self.first, self.share = self.device.array(first, wp.int32), self.device.array(share, wp.mat44d)
            self.count, self.b = len(first), objective.vectors.new()
        else:
            self.first.assign(first)
            self.share.assign(share)

    def stretching(self, x: wp.array, b: wp.array) -> wp.array:
        """b without its rigid modes; b itself where there are no rigid bodies."""
        if not self.count:
            return b
        self.device.copy(b, self.b)
        self.device.launch(self.kernels.drop_modes, self.count, self.first, x, b, self.b)
        return self.b

    def move(self, x: wp.array, b: wp.array, z: wp.array) -> None:
        """Add to z the rigid motion by the force b."""
        if self.count:
            self.device.launch(self.kernels.put_modes, self.count, self.first, self.share, x, b, z)


def free_bodies(objective: Objective) -> tuple[np.ndarray, np.ndarray]:
    """(r,) first nodes of rigid bodies and (r, 4, 4) S of each, of those without pins and held by S."""
    first = objective.turning.first
    nodes = first[:, None] + np.arange(4)
    whole = objective.laplacian(cut=False).tocsr()
    for law in objective.majorised:
        if law.rigid_rows:
            whole = whole - law.laplacian(objective.count)
    rows, columns = np.repeat(nodes, 4, axis=1), np.tile(nodes, 4)
    share = np.asarray(whole[rows.ravel(), columns.ravel()]).reshape(-1, 4, 4)
    size = np.linalg.eigvalsh(share)
    held = size[:, 0] > LEAST * size[:, -1]
    kept = held & objective.moves[nodes].all(axis=(1, 2))
    return first[kept], share[kept]
