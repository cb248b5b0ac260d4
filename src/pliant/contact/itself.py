"""Which face of its own body each point of a surface may touch in a step: sheets that fold up, fingers that close.

A point inside its own body says nothing, as all of them are near their own faces. So a face counts that the point was in front
of where the step began, or that pushed it before; not those around its neighbours, nor any behind which it is at rest, unless
both are sides of a cut, which lie in one place there.
"""

import warp as wp

from ..device import family
from .closest import closest_functions
from .edges import SHALLOW
from .nearest import BORDER, Nearest

TOWARDS = 0.3  # cosine between the normals of a point and a face of a solid, below which they look at each other


@family
def itself_kernels(t):
    real, vec3 = t.real, t.vec3
    points, ints, reals = wp.array(dtype=vec3), wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    corners = wp.array2d(dtype=wp.int32)
    point_triangle = closest_functions(t).point_triangle
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def single(x: vec3) -> wp.vec3:
        return wp.vec3(wp.float32(x[0]), wp.float32(x[1]), wp.float32(x[2]))

    @wp.func(module=t.module)
    def normal_of(f: int, faces: corners, x: points) -> vec3:
        a = x[faces[f, 0]]
        n = wp.cross(x[faces[f, 1]] - a, x[faces[f, 2]] - a)
        return n / wp.max(wp.length(n), real(1.0e-300))

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
    def is_neighbour(i: int, f: int, starts: ints, lists: ints, faces: corners) -> bool:
        """Whether a face has a corner in common with one of those around a point."""
        for j in range(starts[i], starts[i + 1]):
            g = lists[j]
            for one_corner in range(faces.shape[1]):
                for other in range(faces.shape[1]):
                    if faces[g, one_corner] == faces[f, other]:
                        return True
        return False

    @wp.func(module=t.module)
    def in_ring(f: int, last: int, rings: ints, ring: ints) -> bool:
        found = bool(False)
        for j in range(rings[last], rings[last + 1]):
            if ring[j] == f:
                found = True
        return found

    @t.kernel
    def seed_itself(
        start: int,
        # mesh:
        faces: corners,
        rings: ints,
        ring: ints,
        starts: ints,
        lists: ints,
        slots: ints,
        body: ints,
        closed: ints,
        itself: ints,
        opened: ints,
        meshes: wp.array(dtype=wp.uint64),
        first_face: ints,
        rest: points,
        # params: as for the faces of others
        reach: real,
        thickness: reals,
        size: reals,
        modulus: reals,
        length: reals,
        # in:
        begun: points,
        x: points,
        normals: points,
        sides: ints,
        touched: ints,
        # out: what was found among other bodies, or what is nearer here
        pairs: wp.array(dtype=wp.vec4i),
        face: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
    ):
        i = start + wp.tid()
        own = body[i]
        slot = slots[i]
        mesh = meshes[own]
        if itself[own] != 0 and mesh != wp.uint64(0):
            p, p0 = x[i], begun[i]
            least = real(reach)
            if stiffness[slot] > zero:
                q = pairs[slot]
                n = wp.cross(x[q[2]] - x[q[1]], x[q[3]] - x[q[1]])
                height = wp.dot(n, p - x[q[1]]) / wp.max(wp.length(n), real(1.0e-300))
                least = wp.min(least, side[slot] * height - apart[slot])
            pad = reach + thickness[i]
            margin = vec3(pad, pad, pad)
            last = touched[slot] - 1
            if body[faces[wp.max(last, 0), 0]] != own:
                last = -1
            query = wp.mesh_query_aabb(
                mesh, single(wp.min(p, p0) - margin - x[0]), single(wp.max(p, p0) + margin - x[0])
            )
            item = int(0)
            while wp.mesh_query_aabb_next(query, item):
                f = item + first_face[own]
                if not is_neighbour(i, f, starts, lists, faces):
                    fa = int(faces[f, 0])
                    fb = int(faces[f, 1])
                    fc = int(faces[f, 2])
                    n = normal_of(f, faces, x)
                    offset = real(0.5) * (thickness[i] + thickness[fa])
                    height = wp.dot(n, p - x[fa])
                    before = wp.dot(normal_of(f, faces, begun), p0 - begun[fa])
                    beta = point_triangle(rest[i], rest[fa], rest[fb], rest[fc])
                    off = rest[i] - beta[0] * rest[fa] - beta[1] * rest[fb] - beta[2] * rest[fc]
                    away = wp.length(off)
                    slit = opened[i] != 0 and opened[fa] != 0 and opened[fb] != 0 and opened[fc] != 0
                    good = slit or away > real(2.0) * offset
                    followed = bool(False)
                    if last >= 0:
                        followed = in_ring(f, last, rings, ring)
                    sign = real(1.0)
                    if closed[own] != 0:
                        behind = wp.dot(normal_of(f, faces, rest), off) <= zero
                        good = good and wp.dot(normals[i], n) < real(TOWARDS)
                        good = good and (slit or not (behind and away < size[own]))
                    else:
                        sign = wp.sign(before)
                        if followed:
                            sign = wp.sign(real(sides[slot]))
                    if not followed:
                        good = good and sign * before - offset > real(-SHALLOW) * size[own]
                    gap = sign * height - offset
                    if good and gap < least:
                        good = over(p, x[fa], x[fb], x[fc])
                        if not good and before * height < zero:  # where it comes through
                            r = before / (before - height)
                            a, b, c = begun[fa], begun[fb], begun[fc]
                            good = over(
                                p0 + r * (p - p0), a + r * (x[fa] - a), b + r * (x[fb] - b), c + r * (x[fc] - c)
                            )
                        if good:
                            pairs[slot] = wp.vec4i(i, fa, fb, fc)
                            face[slot] = f + 1
                            side[slot] = sign
                            apart[slot] = offset
                            stiffness[slot] = length[i] * modulus[own]
                            least = gap

    return locals()


def seed_itself(
    nearest: Nearest, opened: wp.array, rest: wp.array, itself: wp.array, begun: wp.array, x: wp.array, reach: float,
    slots: wp.array, numbers: tuple, before: tuple, out: tuple,
) -> None:  # fmt: skip
    """The face of its own body that each point may touch, after ``nearest`` has looked for those of others; as there.

    ``opened`` are points on the sides of a cut.
    """
    mesh = (
        nearest.faces,
        nearest.rings,
        nearest.ring,
        nearest.starts,
        nearest.lists,
        slots,
        nearest.body,
        nearest.closed,
    )
    thickness, modulus, length = numbers
    params = (
        itself,
        opened,
        nearest.numbers,
        nearest.first_face,
        rest,
        float(reach),
        thickness,
        nearest.size,
        modulus,
        length,
    )
    where = (begun, x, nearest.normals, *before)
    kernel = itself_kernels("f64").seed_itself
    nearest.device.launch(kernel, nearest.surface.count, *mesh, *params, *where, *out, grain=64)
