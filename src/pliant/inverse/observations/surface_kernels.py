"""Kernels of surface observations: nearest places, first hits, gradients.

Surfaces are about the origin and of unit size, as single precision of Warp's tree requires; results are in metres.
An observed number changes with its point by ``by_point`` and, through its place on the surface, with the corners of a
triangle by −wₖ ``by_point``.
"""

import functools
from types import SimpleNamespace

import warp as wp

from ...contact.pairs.closest_points import closest_functions
from ...runtime.build_lock import alone
from ...runtime.device import Types, family

ON = 1e-9  # of the size of a surface: points this close lie on it


@alone
@functools.cache
def surface_structs(precision: str) -> SimpleNamespace:
    t = Types(precision, "surface_structs")
    ints, vectors, corners = wp.array(dtype=int), wp.array(dtype=t.vec3), wp.array2d(dtype=int)

    @functools.partial(wp.struct, module=t.module)
    class Surface:
        """A surface and its tree, and the faces that share a vertex with each."""

        tree: wp.uint64
        vertices: vectors
        triangles: corners
        starts: ints
        around: ints

    @functools.partial(wp.struct, module=t.module)
    class Met:
        """Triangles, weights of their corners, how far behind what was seen they are, the derivatives of that by the points,
        and how deep it is that rays meet them."""

        faces: ints
        weights: vectors
        by_point: vectors
        values: wp.array(dtype=t.real)
        reached: wp.array(dtype=wp.float64)

    return SimpleNamespace(Surface=Surface, Met=Met)


@family
def surface_kernels(t):
    return {**_meeting_kernels(t), **_pulling_kernels(t)}


def _place_function(t: Types) -> wp.Function:
    real, vec3, closest, Surface = t.real, t.vec3, closest_functions(t), surface_structs(t.precision).Surface
    zero, near = real(0.0), real(ON)

    @wp.func(module=t.module)
    def nearest(on: Surface, p: vec3):
        """The tree errs by 1e-7 of the size, which is the wrong side of an edge where that is near: neighbours are asked too."""
        query = wp.mesh_query_point_no_sign(on.tree, wp.vec3(float(p[0]), float(p[1]), float(p[2])), 1.0e30)
        least, found, best = real(1.0e30), int(0), vec3(real(wp.nan), zero, zero)
        first, last = int(0), int(0)
        if query.result:  # not where something is not finite
            found = query.face
            first = on.starts[found]
            last = on.starts[found + 1]
        for j in range(first, last):
            face = on.around[j]
            a, b, c = (
                on.vertices[on.triangles[face, 0]],
                on.vertices[on.triangles[face, 1]],
                on.vertices[on.triangles[face, 2]],
            )
            w = closest.point_triangle(p, a, b, c)
            away = wp.length_sq(p - w[0] * a - w[1] * b - w[2] * c)
            if away < least:
                least = away
                found = face
                best = w
        return found, best

    @wp.func(module=t.module)
    def place(on: Surface, p: vec3):
        """The place nearest to p, how far p is outside of it, and the derivative of that by p."""
        face, w = nearest(on, p)
        a, b, c = (
            on.vertices[on.triangles[face, 0]],
            on.vertices[on.triangles[face, 1]],
            on.vertices[on.triangles[face, 2]],
        )
        way = p - w[0] * a - w[1] * b - w[2] * c
        normal = wp.normalize(wp.cross(b - a, c - a))
        d = wp.length(way)
        if wp.dot(way, normal) < zero:
            d = -d
        u = normal
        if wp.abs(d) > near:
            u = way / d
        return face, w, d, u

    return place


def _meeting_kernels(t: Types) -> dict:
    real, vec3, position, ints = t.real, t.vec3, t.position, wp.array(dtype=int)
    structs, place, zero, one = surface_structs(t.precision), _place_function(t), real(0.0), real(1.0)
    Surface, Met = structs.Surface, structs.Met

    @t.kernel
    def meet_points(
        start: int, on: Surface,
        # params: which of the points, and where the surface is
        first: int, count: int, centre: position, size: wp.float64,
        # in:
        points: wp.array(dtype=position),
        # out:
        met: Met,
    ):  # fmt: skip
        i = start + wp.tid()
        if i < count:
            p = vec3((points[first + i] - centre) / size)
            face, w, d, u = place(on, p)
            met.faces[i] = face
            met.weights[i] = w
            met.by_point[i] = u
            met.values[i] = real(size) * d

    @t.kernel
    def meet_rays(
        start: int, on: Surface,
        # params: where the surface is, and the cosine of what is edge-on
        centre: position, size: wp.float64, grazing: real,
        # in: where cameras are and how they are turned; of each ray its camera, its way before that turn, one metre deep, and how
        # deep it saw something
        eyes: wp.array(dtype=position), turns: wp.array(dtype=wp.mat33d), cameras: ints, ways: wp.array(dtype=position),
        depths: wp.array(dtype=wp.float64),
        # out:
        met: Met,
    ):  # fmt: skip
        """With n the normal, w weights of the place that is hit and d the way one metre deep, the depth changes by
        Σ wᵢ n·δxᵢ / n·d. Edge-on it is 0, whatever was seen there: the nearest place of a point that is too deep by chance is
        nearer than the one that was seen. Where nothing is hit, the nearest place of what was seen is taken.
        """
        i = start + wp.tid()
        camera = cameras[i]
        depth, way = depths[i], turns[camera] * ways[i]
        origin = (eyes[camera] - centre) / size
        query = wp.mesh_query_ray(on.tree, wp.vec3(origin), wp.vec3(wp.normalize(way)), 1.0e30)
        ray, face, across = vec3(way), int(0), real(0.0)
        if query.result:
            face = query.face
        a, b, c = (
            on.vertices[on.triangles[face, 0]],
            on.vertices[on.triangles[face, 1]],
            on.vertices[on.triangles[face, 2]],
        )
        whole = wp.cross(b - a, c - a)
        normal = wp.normalize(whole)
        if query.result:
            across = wp.dot(normal, ray)
        if across == zero:
            p = vec3(origin + depth / size * way)
            face, w, d, u = place(on, p)
            met.faces[i] = face
            met.weights[i] = w
            met.by_point[i] = u
            met.values[i] = real(size) * d
            met.reached[i] = depth
        else:
            square = wp.length_sq(whole)
            z = wp.dot(normal, a - vec3(origin)) / across
            q = vec3(origin) + z * ray
            second = wp.dot(wp.cross(q - a, c - a), whole) / square
            third = wp.dot(wp.cross(b - a, q - a), whole) / square
            met.faces[i] = face
            met.weights[i] = vec3(one - second - third, second, third)
            if wp.abs(across) > grazing * wp.length(ray):
                met.by_point[i] = -normal / across
                met.values[i] = real(wp.float64(z) * size - depth)
                met.reached[i] = wp.float64(z) * size
            else:
                met.by_point[i] = vec3()
                met.values[i] = zero
                met.reached[i] = depth

    @t.kernel
    def first_hits(
        start: int, on: Surface, centre: position, size: wp.float64,
        # in: where rays begin, and the ways along them
        origins: wp.array(dtype=position), ways: wp.array(dtype=position),
        # out: −1 for none, and how many ways it is there
        faces: ints, far: wp.array(dtype=wp.float64),
    ):  # fmt: skip
        i = start + wp.tid()
        origin, way = (origins[i] - centre) / size, ways[i]
        query = wp.mesh_query_ray(on.tree, wp.vec3(origin), wp.vec3(wp.normalize(way)), 1.0e30)
        faces[i] = -1
        if query.result:
            face = query.face
            a, b, c = (
                on.vertices[on.triangles[face, 0]],
                on.vertices[on.triangles[face, 1]],
                on.vertices[on.triangles[face, 2]],
            )
            normal = wp.cross(b - a, c - a)
            across = wp.dot(normal, vec3(way))
            if across != zero:
                faces[i] = face
                far[i] = wp.float64(wp.dot(normal, a - vec3(origin)) / across) * size

    return locals()


def _pulling_kernels(t: Types) -> dict:
    """Kernels of vertices from nodes, and of gradients from vertices to nodes."""
    real, vec3, position, ints, vectors = t.real, t.vec3, t.position, wp.array(dtype=int), wp.array(dtype=t.vec3)

    @t.kernel
    def place_vertices(
        start: int,
        # mesh: of each vertex the nodes it is a mixture of
        starts: ints, columns: ints, shares: wp.array(dtype=real),
        # params: the middle of the surface, and 1/size
        centre: position, per_size: wp.float64,
        # in:
        x: wp.array(dtype=position),
        # out: of the surface, and of the tree
        vertices: vectors, points: wp.array(dtype=wp.vec3),
    ):  # fmt: skip
        i = start + wp.tid()
        total = position()
        for j in range(starts[i], starts[i + 1]):
            total += wp.float64(shares[j]) * x[columns[j]]
        unit = per_size * (total - centre)
        vertices[i] = vec3(unit)
        points[i] = wp.vec3(unit)

    @t.kernel
    def list_faces(start: int, count: int, faces: ints, keys: ints, order: ints):
        """What is to be sorted by face."""
        i = start + wp.tid()
        if i < count:
            keys[i] = faces[i]
            order[i] = i

    @t.kernel
    def find_starts(start: int, count: int, keys: ints, starts: ints):
        """Where the list of each face begins in sorted ``keys``."""
        face = start + wp.tid()
        low, high = int(0), int(count)
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < face:
                low = middle + 1
            else:
                high = middle
        starts[face] = low

    @t.kernel
    def pull_vertices(
        start: int,
        # mesh: the corners 3·face + k that each vertex is
        corner_starts: ints, corner_lists: ints,
        # in: what meets each face, and how much each counts
        starts: ints, order: ints, weights: vectors, by_point: vectors, factors: wp.array(dtype=real),
        # out:
        pulled: vectors,
    ):  # fmt: skip
        s = start + wp.tid()
        total = vec3()
        for j in range(corner_starts[s], corner_starts[s + 1]):
            face, k = corner_lists[j] // 3, corner_lists[j] % 3
            for m in range(starts[face], starts[face + 1]):
                i = order[m]
                total -= factors[i] * weights[i][k] * by_point[i]
        pulled[s] = total

    @t.kernel
    def pull_nodes(
        start: int,
        # mesh: of each node the vertices it is in
        starts: ints, columns: ints, shares: wp.array(dtype=real),
        # in:
        pulled: vectors,
        # out:
        out: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        total = vec3()
        for j in range(starts[i], starts[i + 1]):
            total += shares[j] * pulled[columns[j]]
        out[i] = total

    return locals()
