"""Kernels of the step backwards, what held nodes pass on; and of observations, what is nearest to points and hit by rays."""

import warp as wp

from ..contact.closest import closest_functions
from ..device import family


@family
def back_kernels(t):
    vectors, positions = wp.array(dtype=t.vec3), wp.array(dtype=t.position)

    @t.kernel
    def carried_back(
        start: int,
        # params: 1/dt
        per_dt: wp.float64,
        # in:
        free: vectors,
        # out: adjoints of the new velocity, acceleration and positions, and of the old positions
        v: vectors,
        a: vectors,
        new_x: positions,
        x: positions,
    ):
        """Held components of v⁺ are (x⁺ − x)/dt, those of a⁺ are 0."""
        i = start + wp.tid()
        one = t.vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        mean = per_dt * t.position(wp.cw_mul(one - free[i], v[i]))
        new_x[i] = new_x[i] + mean
        x[i] = x[i] - mean
        v[i] = wp.cw_mul(free[i], v[i])
        a[i] = wp.cw_mul(free[i], a[i])

    @t.kernel
    def of_held(
        start: int,
        # mesh: the held nodes
        rows: wp.array(dtype=wp.int32),
        # params: a row of the result, and its share
        row: wp.int32,
        share: t.real,
        # in: what pulls on the solution z, and on its held components through the free ones
        free: vectors,
        z: vectors,
        through: vectors,
        # out:
        out: wp.array2d(dtype=t.vec3),
    ):
        r = start + wp.tid()
        i = rows[r]
        one = t.vec3(t.real(1.0), t.real(1.0), t.real(1.0))
        out[row, r] = out[row, r] + share * wp.cw_mul(one - free[i], z[i] + through[i])

    return locals()


@family
def surface_kernels(t):
    """Which place of a surface is nearest to a point, and which triangle is first on the way of a ray."""
    vectors = wp.array(dtype=wp.vec3)
    closest = closest_functions(t)

    @t.kernel
    def nearest_places(
        start: int,
        # mesh: vertices as the tree has them, about the origin and of unit size; faces that share a vertex with each
        tree: wp.uint64,
        vertices: wp.array(dtype=t.vec3),
        triangles: wp.array2d(dtype=int),
        starts: wp.array(dtype=int),
        around: wp.array(dtype=int),
        # in:
        points: wp.array(dtype=t.vec3),
        # out: triangles, and weights of their corners
        faces: wp.array(dtype=int),
        weights: wp.array(dtype=t.vec3),
    ):
        """The tree errs by 1e-7 of the size, which is the wrong side of an edge where that is near: neighbours are asked too."""
        i = start + wp.tid()
        p = points[i]
        query = wp.mesh_query_point_no_sign(tree, wp.vec3(float(p[0]), float(p[1]), float(p[2])), 1.0e30)
        least = t.real(1.0e30)
        for j in range(starts[query.face], starts[query.face + 1]):
            face = around[j]
            a, b, c = vertices[triangles[face, 0]], vertices[triangles[face, 1]], vertices[triangles[face, 2]]
            w = closest.point_triangle(p, a, b, c)
            away = wp.length_sq(p - w[0] * a - w[1] * b - w[2] * c)
            if away < least:
                least = away
                faces[i] = face
                weights[i] = w

    @t.kernel
    def first_hits(
        start: int,
        # mesh:
        tree: wp.uint64,
        # in: where rays begin, and unit vectors along them
        origins: vectors,
        ways: vectors,
        # out: −1 for none
        faces: wp.array(dtype=int),
    ):
        i = start + wp.tid()
        query = wp.mesh_query_ray(tree, origins[i], ways[i], 1.0e30)
        if query.result:
            faces[i] = query.face
        else:
            faces[i] = -1

    return locals()
