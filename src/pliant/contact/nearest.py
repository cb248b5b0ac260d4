"""Which face of another body each point of a surface may touch in a step: the nearest, or the one that it passes through.

Every body has a tree of its triangles, refitted where a step begins to where its points are expected to be at the end. A
point within the box of another body asks for the nearest face, however deep it is inside; one that moves fast asks first
which face it came through. Nothing is read back, and what is found does not depend on threads.
"""

from itertools import pairwise

import numpy as np
import warp as wp
from scipy import sparse

from ..device import Device, family
from ..linear.gather import gather_lists
from .closest import closest_functions
from .segments import PLACES, segment_functions
from .surface import Surface

CHUNK = 128  # points whose box is found at a time
BORDER = 0.05  # of an edge, by which a point may be beyond the border of a face that it lies on
FACING = 0.5  # of an edge: how much further a face may be that faces the point, instead of the other way
STEEP = 0.7  # cosine between the way to an open surface and its normal, below which a point has gone round its border
TIE = 1e-9  # of a distance: faces that are equally near
HOPS = 4  # from face to face, over which a point inside a body is followed in a step
FAST = 0.1  # of an edge: points that move less past a body in a step are not followed through its faces


@family
def nearest_kernels(t):
    real, vec3 = t.real, t.vec3
    points, floats3 = wp.array(dtype=vec3), wp.array(dtype=wp.vec3)
    grips = wp.array2d(dtype=real)  # friction of groups of bodies, −1 of those that pass through each other
    ints, reals, corners = wp.array(dtype=wp.int32), wp.array(dtype=real), wp.array2d(dtype=wp.int32)
    point_triangle, segments = closest_functions(t).point_triangle, segment_functions(t)
    rank, remembered_side = segments.rank, segments.remembered_side
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def single(x: vec3) -> wp.vec3:
        return wp.vec3(wp.float32(x[0]), wp.float32(x[1]), wp.float32(x[2]))

    @wp.func(module=t.module)
    def normal_of(a: vec3, b: vec3, c: vec3) -> vec3:
        n = wp.cross(b - a, c - a)
        size = wp.length(n)
        if size > zero:
            n = n / size
        return n

    @t.kernel
    def place(start: int, x: points, out: floats3):
        """In single precision from the first point on, which loses nothing far from the origin."""
        i = start + wp.tid()
        out[i] = single(x[i] - x[0])

    @t.kernel
    def bound_chunk(
        start: int, ends: corners, begun: points, x: points, lows: points, highs: points, ways: points, longest: reals
    ):
        c = start + wp.tid()
        first = ends[c, 0]
        low = x[first]
        high = x[first]
        way = vec3()
        most = real(0.0)
        for i in range(first, ends[c, 1]):
            low = wp.min(low, x[i])
            high = wp.max(high, x[i])
            way += x[i] - begun[i]
            most = wp.max(most, wp.length(x[i] - begun[i]))
        lows[c] = low
        highs[c] = high
        ways[c] = way
        longest[c] = most

    @t.kernel
    def bound_body(
        start: int,
        first: ints,
        chunks: ints,
        lows: points,
        highs: points,
        ways: points,
        longest: reals,
        low: points,
        high: points,
        way: points,
        far: reals,
    ):
        """The box of each body, how far it goes on the whole, and how far any point of it."""
        b = start + wp.tid()
        one_low = lows[chunks[b]]
        one_high = highs[chunks[b]]
        total = vec3()
        most = real(0.0)
        for c in range(chunks[b], chunks[b + 1]):
            one_low = wp.min(one_low, lows[c])
            one_high = wp.max(one_high, highs[c])
            total += ways[c]
            most = wp.max(most, longest[c])
        low[b] = one_low
        high[b] = one_high
        way[b] = total / real(first[b + 1] - first[b])
        far[b] = most

    @t.kernel
    def find_meetings(
        start: int, scene: ints, group: ints, grip: grips, reach: real, low: points, high: points, far: reals, meets: ints
    ):  # fmt: skip
        """Whether the box of a body comes near another, wherever its points go in between."""
        b = start + wp.tid()
        found = int(0)
        for o in range(low.shape[0]):
            if o != b and scene[o] == scene[b] and grip[group[b], group[o]] >= zero:
                near = bool(True)
                for axis in range(3):
                    pad = reach + far[b] + far[o]
                    if low[b][axis] > high[o][axis] + pad or high[b][axis] < low[o][axis] - pad:
                        near = False
                if near:
                    found = 1
        meets[b] = found

    @t.kernel
    def point_normals(start: int, starts: ints, lists: ints, faces: corners, x: points, out: points):
        """Mean normal of the faces around each point, 0 where it has none."""
        i = start + wp.tid()
        n = vec3()
        for j in range(starts[i], starts[i + 1]):
            f = lists[j]
            a = x[faces[f, 0]]
            n += wp.cross(x[faces[f, 1]] - a, x[faces[f, 2]] - a)
        size = wp.length(n)
        if size > zero:
            n = n / size
        out[i] = n

    @wp.func(module=t.module)
    def face_normal(f: int, faces: corners, x: points) -> vec3:
        return normal_of(x[faces[f, 0]], x[faces[f, 1]], x[faces[f, 2]])

    @wp.func(module=t.module)
    def way_to(p: vec3, f: int, faces: corners, x: points) -> vec3:
        """From the nearest point of a face to p."""
        a, b, c = x[faces[f, 0]], x[faces[f, 1]], x[faces[f, 2]]
        beta = point_triangle(p, a, b, c)
        return (p - a) - beta[1] * (b - a) - beta[2] * (c - a)

    @wp.func(module=t.module)
    def facing(
        p: vec3, n: vec3, sheet: int, f: int, closed: int, size: real, rings: ints, ring: ints, faces: corners, x: points
    ) -> int:  # fmt: skip
        """Of the faces around f, the nearest to p; where p is inside, one that looks against its normal n is preferred.

        Of a sheet, whose points have two normals, against either.
        """
        best = int(f)
        least = real(1.0e30)
        steep = real(0.0)
        for j in range(rings[f], rings[f + 1]):
            way = way_to(p, ring[j], faces, x)
            distance = wp.length(way)
            height = wp.abs(wp.dot(way, face_normal(ring[j], faces, x)))
            if distance < least * (one - real(TIE)) or (distance <= least * (one + real(TIE)) and height > steep):
                best = ring[j]
                least = wp.min(distance, least)
                steep = height
        outside = wp.dot(p - x[faces[best, 0]], face_normal(best, faces, x)) > real(BORDER) * size
        if closed != 0 and not outside:
            least = real(1.0e30)
            for j in range(rings[f], rings[f + 1]):
                along = wp.dot(n, face_normal(ring[j], faces, x))
                against = one + along
                if sheet != 0:
                    against = one - wp.abs(along)
                cost = wp.length(way_to(p, ring[j], faces, x)) + real(0.5 * FACING) * size * against
                if cost < least:
                    best = ring[j]
                    least = cost
        return best

    @wp.func(module=t.module)
    def is_beyond(mesh: wp.uint64, p: vec3, off: vec3, reach: real) -> bool:
        """Whether p, behind the nearest face and out of reach, is outside all the same, by the normals around the nearest edge or
        corner, weighted by angles (Bærentzen & Aanæs 2005)."""
        far = wp.length(off)
        return far > reach and wp.mesh_query_point_sign_normal(mesh, single(p), wp.float32(real(2.0) * far)).sign > 0.0

    @wp.func(module=t.module)
    def is_of(touched: int, f: int, faces: corners, body: ints) -> bool:
        """Whether what was touched, from 1 on, is of the body of face f."""
        one_face, other = wp.max(touched - 1, 0), wp.max(f, 0)
        return touched > 0 and f >= 0 and body[faces[one_face, 0]] == body[faces[other, 0]]

    @t.kernel
    def seed_points(
        start: int,
        # mesh:
        faces: corners,
        rings: ints,
        ring: ints,
        slots: ints,
        body: ints,
        scene: ints,
        part: ints,
        closed: ints,
        group: ints,
        grip: grips,
        meshes: wp.array(dtype=wp.uint64),
        first_face: ints,
        # params: how far points reach, thickness, size of the faces and modulus of bodies, length of points
        reach: real,
        thickness: reals,
        size: reals,
        modulus: reals,
        length: reals,
        # in: boxes and ways of bodies; points where the step begins and where it is expected to end; which side and face
        # (from 1 on, 0 for none) they touched before
        low: points,
        high: points,
        ways: points,
        begun: points,
        x: points,
        normals: points,
        sides: ints,
        touched: ints,
        # out: four points, face, on which side of it the first belongs, how far apart they rest, stiffness
        pairs: wp.array(dtype=wp.vec4i),
        face: ints,
        side: reals,
        apart: reals,
        stiffness: reals,
    ):
        i = start + wp.tid()
        slot = slots[i]
        own = body[i]
        p = x[i]
        sheet = wp.where(closed[own] != 0, 0, 1)
        best = real(reach)
        next_best = real(reach)
        f0 = int(-1)
        f1 = int(-1)
        side0 = real(1.0)
        side1 = real(1.0)
        for b in range(low.shape[0]):
            touch = b != own and scene[b] == scene[own] and grip[group[own], group[b]] >= zero
            if touch and meshes[b] != wp.uint64(0):
                way = p - begun[i] - ways[b]
                before = p - way
                lowest, highest = wp.min(p, before), wp.max(p, before)
                near = bool(True)
                for axis in range(3):
                    if lowest[axis] > high[b][axis] + reach or highest[axis] < low[b][axis] - reach:
                        near = False
                if near:
                    f = int(-1)
                    sign = real(1.0)
                    known = remembered_side(slot, b, sides)
                    fast = wp.length(way)
                    if fast > real(FAST) * size[b]:
                        hit = wp.mesh_query_ray(meshes[b], single(before - x[0]), single(way / fast), wp.float32(fast))
                        if hit.result:
                            f = hit.face + first_face[b]
                            if closed[b] != 0 and wp.dot(face_normal(f, faces, x), way) > zero:
                                f = -1
                    last = int(-1)
                    for place in range(PLACES):
                        m = touched[slot + place] - 1
                        if m >= 0 and body[faces[wp.max(m, 0), 0]] == b:
                            last = m
                    if last >= 0:  # it was inside already: follow it
                        f = last
                        for _hop in range(HOPS):
                            f = facing(p, normals[i], sheet, f, closed[b], size[b], rings, ring, faces, x)
                        sign = real(1.0)
                        if closed[b] == 0:
                            sign = known
                        if sign * wp.dot(face_normal(f, faces, x), p - x[faces[f, 0]]) > thickness[i]:
                            f = -1  # it has come out there
                    if f < 0:
                        far = wp.length(high[b] - low[b]) + reach
                        if closed[b] == 0:
                            far = real(2.0) * reach + thickness[i] + size[b]
                        query = wp.mesh_query_point_no_sign(meshes[b], single(p - x[0]), wp.float32(far))
                        if query.result:
                            f = query.face + first_face[b]
                            f = facing(p, normals[i], sheet, f, closed[b], size[b], rings, ring, faces, x)
                            off = way_to(p, f, faces, x)
                            height = wp.dot(off, face_normal(f, faces, x))
                            if closed[b] == 0:
                                if wp.abs(height) < real(STEEP) * wp.length(off):
                                    f = -1
                            elif height <= zero and is_beyond(meshes[b], p - x[0], off, reach):
                                f = -1
                            elif height <= zero:  # inside: through the face that was nearest before
                                first = wp.mesh_query_point_no_sign(meshes[b], single(before - x[0]), wp.float32(far))
                                if first.result:
                                    g = first.face + first_face[b]
                                    g = facing(before, normals[i], sheet, g, closed[b], size[b], rings, ring, faces, x)
                                    if wp.dot(way_to(before, g, faces, x), face_normal(g, faces, x)) > zero:
                                        f = g
                    if f >= 0:
                        n0, from_face = face_normal(f, faces, begun), begun[i] - begun[faces[f, 0]]
                        if closed[b] == 0:
                            sign = known
                            if known == zero:  # parts of a sheet may go another way than the whole
                                sign = wp.sign(wp.dot(n0, from_face))
                        offset = real(0.5) * (thickness[i] + thickness[faces[f, 0]])
                        if part[b] == part[own]:
                            offset = zero  # pieces of one sheet begin side by side
                        gap = sign * wp.dot(face_normal(f, faces, x), p - x[faces[f, 0]]) - offset
                        if gap > zero:  # outside: how far the face is, not its plane
                            gap = wp.length(way_to(p, f, faces, x)) - offset
                        order = rank(sign * wp.dot(n0, from_face) - offset, gap, size[b])
                        if order < best:
                            f1 = f0
                            side1 = side0
                            next_best = best
                            f0 = f
                            side0 = sign
                            best = order
                        elif order < next_best:
                            f1 = f
                            side1 = sign
                            next_best = order
        swaps = is_of(touched[slot], f1, faces, body) or is_of(touched[slot + 1], f0, faces, body)
        for place in range(PLACES):
            f = f0
            sign = side0
            if (place == 0) == swaps:
                f = f1
                sign = side1
            chosen = wp.vec4i(i, i, i, i)
            thick = real(0.0)
            k = real(0.0)
            if f >= 0:
                chosen = wp.vec4i(i, faces[f, 0], faces[f, 1], faces[f, 2])
                if part[body[faces[f, 0]]] != part[own]:
                    thick = real(0.5) * (thickness[i] + thickness[faces[f, 0]])
                k = length[i] * wp.min(modulus[own], modulus[body[faces[f, 0]]])
            pairs[slot + place] = chosen
            face[slot + place] = f + 1
            side[slot + place] = sign
            apart[slot + place] = thick
            stiffness[slot + place] = k

    return locals()


class Nearest:
    """The faces of a surface that its points may touch; ``scene`` (bodies,) keeps those of several scenes apart, and so does the
    ``grip`` of ``group`` (bodies,) where it is negative."""

    def __init__(
        self, device: Device, surface: Surface, scene: np.ndarray, closed: np.ndarray, group: np.ndarray, grip: wp.array
    ):
        self.device, self.surface, self.kernels = device, surface, nearest_kernels("f64")
        bodies, p, faces = len(surface.alone), surface.count, surface.triangles
        ints = lambda values: device.array(np.asarray(values), wp.int32)
        first = np.searchsorted(surface.body, np.arange(bodies + 1))
        ends = [(i, min(i + CHUNK, b)) for a, b in pairwise(first) for i in range(a, b, CHUNK)]
        counts = [-(-(b - a) // CHUNK) for a, b in pairwise(first)]
        self.ends, self.chunks, self.first = ints(ends), ints(np.cumsum([0, *counts])), ints(first)
        self.body, self.scene, self.closed = ints(surface.body), ints(scene), ints(closed)
        self.part, self.grips = ints(surface.part), (ints(group), grip)
        kind = device.types.position
        self._chunked = [device.zeros(len(ends), kind) for _ in range(3)] + [device.zeros(len(ends), wp.float64)]
        self.boxes = [device.zeros(bodies, kind) for _ in range(3)]
        self._far, self._meets = device.zeros(bodies, wp.float64), device.zeros(bodies, wp.int32)
        self.normals, self.places = device.zeros(p, kind), device.zeros(p, wp.vec3)
        self.faces = ints(faces)
        around = sparse.csr_array(
            (np.ones(faces.size, int), faces.ravel(), 3 * np.arange(len(faces) + 1)), shape=(len(faces), p)
        )
        ring = (around @ around.T).tocsr()
        ring.sort_indices()
        self.rings, self.ring = ints(ring.indptr), ints(ring.indices)
        starts, lists = gather_lists(faces.ravel(), p)
        self.starts, self.lists = ints(starts), ints(lists // 3)
        of = surface.body[faces[:, 0]] if len(faces) else np.zeros(0, int)
        begin = np.searchsorted(of, np.arange(bodies + 1))
        self.first_face = ints(begin[:-1])
        self.size = device.array([_usual(surface, b) for b in range(bodies)], wp.float64)
        self._meshes: list | None = None
        self.begin, self.cut = begin, first

    def _plant(self) -> None:
        """Make the trees of the triangles of each body, at rest: ties are broken alike whatever came before."""
        if self._meshes is not None:
            return
        self.lie()
        self._meshes, numbers = [], []
        for b, (start, end) in enumerate(pairwise(self.begin)):
            if start == end:
                numbers.append(0)
                continue
            own = self.places[int(self.cut[b]) : int(self.cut[b + 1])]
            corners = self.device.array((self.surface.triangles[start:end] - self.cut[b]).ravel(), wp.int32)
            self._meshes.append(wp.Mesh(own, corners))
            numbers.append(self._meshes[-1].id)
        self.numbers = self.device.array(np.array(numbers, np.uint64), wp.uint64)

    def lie(self) -> None:
        """Have points in ``places`` where they are at rest."""
        rest = self.surface.rest
        self.places.assign((rest - rest[0]).astype(np.float32))

    def meet(self, begun: wp.array, x: wp.array, reach: float) -> bool:
        """Whether any bodies come within ``reach`` [m] of each other on their way from ``begun`` to x; one list is read back."""
        device, kernels, bodies = self.device, self.kernels, len(self.scene)
        device.launch(kernels.bound_chunk, len(self.ends), self.ends, begun, x, *self._chunked, grain=2)
        out = (*self.boxes, self._far)
        device.launch(kernels.bound_body, bodies, self.first, self.chunks, *self._chunked, *out)
        boxes = (*self.boxes[:2], self._far)
        device.launch(kernels.find_meetings, bodies, self.scene, *self.grips, float(reach), *boxes, self._meets)
        return bool(self._meets.numpy().any())

    def seed(
        self, begun: wp.array, x: wp.array, reach: float, slots: wp.array, numbers: tuple, before: tuple, out: tuple
    ) -> None:
        """The face that each point may touch on its way from ``begun`` to x, no further away than ``reach`` [m] there.

        After ``meet``. ``slots`` says where in ``before``, which sides and faces they touched, and ``out`` points have their
        place; ``numbers`` are thickness, modulus and length [m, Pa, m] of points, bodies and points.
        """
        device, kernels, p = self.device, self.kernels, self.surface.count
        self._plant()
        device.launch(kernels.place, p, x, self.places)
        for mesh in self._meshes:
            mesh.refit()
        device.launch(kernels.point_normals, p, self.starts, self.lists, self.faces, x, self.normals)
        mesh = (self.faces, self.rings, self.ring, slots, self.body, self.scene, self.part, self.closed)
        mesh += (*self.grips, self.numbers)
        thickness, modulus, length = numbers
        params = (self.first_face, float(reach), thickness, self.size, modulus, length)
        where = (*self.boxes, begun, x, self.normals, *before)
        device.launch(kernels.seed_points, p, *mesh, *params, *where, *out, grain=64)


def _usual(surface: Surface, body: int) -> float:
    """The median length of the edges of a body at rest [m]."""
    own = surface.edges[surface.body[surface.edges[:, 0]] == body] if len(surface.edges) else surface.edges
    return (
        float(np.median(np.linalg.norm(surface.rest[own[:, 1]] - surface.rest[own[:, 0]], axis=1))) if len(own) else 0.0
    )
