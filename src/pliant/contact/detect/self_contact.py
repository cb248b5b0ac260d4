"""Self-contact search: faces that a body's own points may touch.

A point inside its own body is no evidence, as all are near their own faces. So a face counts that the point was in front
of at the start of the step, or that pushed it before; not those around its neighbours, nor any behind which it is at rest, unless
both are sides of a cut, which coincide there.
"""

from typing import Any

import warp as wp

from ...runtime.device import family
from ..pairs.closest_points import closest_functions
from .active_pairs import slot_structs
from .edge_edge import SHALLOW
from .point_face import BORDER, Nearest
from .surface_motion import look_functions, skin_structs

TOWARDS = 0.3  # cosine between the normals of a point and a face of a solid, below which they face each other


@family
def itself_kernels(t):
    real, vec3 = t.real, t.vec3
    point_triangle, look = closest_functions(t).point_triangle, look_functions(t)
    single, face_normal = look.single, look.face_normal
    Skin, Motion = skin_structs(t.precision).Skin, skin_structs(t.precision).Motion
    Found, Memory = slot_structs(t.precision).Found, slot_structs(t.precision).Memory
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def over(p: vec3, a: vec3, b: vec3, c: vec3) -> bool:
        """Whether a point is above or below a face, or hardly beyond."""
        n = wp.cross(b - a, c - a)
        whole = wp.max(wp.dot(n, n), real(1.0e-300))
        v = wp.dot(wp.cross(p - a, c - a), n) / whole
        z = wp.dot(wp.cross(b - a, p - a), n) / whole
        low = real(-BORDER)
        return v > low and z > low and one - v - z > low

    @wp.func(module=t.module)
    def is_neighbour(i: int, f: int, skin: Skin) -> bool:
        """Whether a face has a corner in common with one of those around a point."""
        for j in range(skin.starts[i], skin.starts[i + 1]):
            g = skin.lists[j]
            for one_corner in range(skin.faces.shape[1]):
                for other in range(skin.faces.shape[1]):
                    if skin.faces[g, one_corner] == skin.faces[f, other]:
                        return True
        return False

    @wp.func(module=t.module)
    def in_ring(f: int, last: int, skin: Skin) -> bool:
        found = bool(False)
        for j in range(skin.rings[last], skin.rings[last + 1]):
            if skin.ring[j] == f:
                found = True
        return found

    @t.kernel
    def seed_itself(start: int, skin: Skin, motion: Motion, reach: real, memory: Memory, found: Found):
        """Among other bodies something was found, or not; what is nearer here takes its place."""
        i = start + wp.tid()
        own = skin.body[i]
        slot = skin.slots[i]
        mesh = skin.meshes[own]
        if skin.itself[own] != 0 and mesh != wp.uint64(0):
            p, p0 = motion.x[i], motion.begun[i]
            least = real(reach)
            if found.stiffness[slot] > zero:
                q = found.pairs[slot]
                n = wp.cross(motion.x[q[2]] - motion.x[q[1]], motion.x[q[3]] - motion.x[q[1]])
                height = wp.dot(n, p - motion.x[q[1]]) / wp.max(wp.length(n), real(1.0e-300))
                least = wp.min(least, found.side[slot] * height - found.apart[slot])
            pad = reach + skin.thickness[i]
            margin = vec3(pad, pad, pad)
            last = memory.touched[slot] - 1
            if skin.body[skin.faces[wp.max(last, 0), 0]] != own:
                last = -1
            low, high = wp.min(p, p0) - margin - motion.x[0], wp.max(p, p0) + margin - motion.x[0]
            query = wp.mesh_query_aabb(mesh, single(low), single(high))
            item = int(0)
            while wp.mesh_query_aabb_next(query, item):
                f = item + skin.first_face[own]
                if not is_neighbour(i, f, skin):
                    fa = int(skin.faces[f, 0])
                    fb = int(skin.faces[f, 1])
                    fc = int(skin.faces[f, 2])
                    n = face_normal(f, skin, motion.x)
                    offset = real(0.5) * (skin.thickness[i] + skin.thickness[fa])
                    height = wp.dot(n, p - motion.x[fa])
                    before = wp.dot(face_normal(f, skin, motion.begun), p0 - motion.begun[fa])
                    beta = point_triangle(skin.rest[i], skin.rest[fa], skin.rest[fb], skin.rest[fc])
                    off = skin.rest[i] - beta[0] * skin.rest[fa] - beta[1] * skin.rest[fb] - beta[2] * skin.rest[fc]
                    away = wp.length(off)
                    slit = skin.opened[fa] != 0 and skin.opened[fb] != 0 and skin.opened[fc] != 0
                    slit = slit and skin.opened[i] != 0
                    good = slit or away > real(2.0) * offset
                    followed = bool(False)
                    if last >= 0:
                        followed = in_ring(f, last, skin)
                    sign = real(1.0)
                    if skin.closed[own] != 0:
                        behind = wp.dot(face_normal(f, skin, skin.rest), off) <= zero
                        good = good and wp.dot(motion.normals[i], n) < real(TOWARDS)
                        good = good and (slit or not (behind and away < skin.size[own]))
                    else:
                        sign = wp.sign(before)
                        if followed:
                            sign = wp.sign(real(memory.sides[slot]))
                    if not followed:
                        good = good and sign * before - offset > real(-SHALLOW) * skin.size[own]
                    gap = sign * height - offset
                    if good and gap < least:
                        good = over(p, motion.x[fa], motion.x[fb], motion.x[fc])
                        if not good and before * height < zero:  # where it comes through
                            r = before / (before - height)
                            a = wp.lerp(motion.begun[fa], motion.x[fa], r)
                            b = wp.lerp(motion.begun[fb], motion.x[fb], r)
                            c = wp.lerp(motion.begun[fc], motion.x[fc], r)
                            good = over(p0 + r * (p - p0), a, b, c)
                        if good:
                            found.pairs[slot] = wp.vec4i(i, fa, fb, fc)
                            found.other[slot] = f + 1
                            found.side[slot] = sign
                            found.apart[slot] = offset
                            found.stiffness[slot] = skin.length[i] * skin.modulus[own]
                            least = gap

    return locals()


def seed_itself(nearest: Nearest, reach: float, memory: Any, found: Any) -> None:
    """The face of its own body that each point may touch, after ``nearest`` has looked for those of others; as there."""
    kernel, where = itself_kernels("f64").seed_itself, (nearest.skin, nearest.motion, float(reach), memory, found)
    nearest.device.launch(kernel, nearest.surface.count, *where, grain=64)
