"""Point–face search: nearest faces of other bodies in a step.

Every body has a tree of its triangles, refitted at the start of a step to the expected positions at its end. A
point within the box of another body searches the nearest face, however deep it is; a fast one searches first the face
that it passed. Nothing is read back, and results do not depend on threads.
"""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp
from scipy import sparse

from ...linear.matrix.gather import gather_lists
from ...runtime.device import Device, Types, family
from ..pairs.closest_points import closest_functions
from ..pairs.contact_surface import Surface
from ..pairs.edge_degeneracy import PLACES, TIE, segment_functions
from ..pairs.pair_law import Grips
from .active_pairs import Slots, slot_structs
from .surface_motion import look_functions, skin_structs

CHUNK = 128  # points per box reduction
BORDER = 0.05  # of an edge: tolerance of a point beyond the border of its face
FACING = 0.5  # of an edge: extra distance allowed for a face that faces the point
STEEP = 0.7  # cosine between the offset to an open surface and its normal, below which a point is past its border
HOPS = 4  # from face to face, over which a point inside a body is followed in a step; with 1 piles take a quarter more iterations
FAST = 0.1  # of an edge: points with less relative motion in a step are not traced through faces


def face_functions(t: Types, look: SimpleNamespace) -> SimpleNamespace:
    """Faces near points."""
    real, vec3 = t.real, t.vec3
    points, point_triangle, single = wp.array(dtype=vec3), closest_functions(t).point_triangle, look.single
    face_normal, Skin, Motion = look.face_normal, skin_structs(t.precision).Skin, skin_structs(t.precision).Motion
    zero, one = real(0.0), real(1.0)

    @wp.func(module=t.module)
    def reaches(low: vec3, high: vec3, b: int, pad: real, motion: Motion) -> bool:
        """Whether a box comes within ``pad`` of that of a body."""
        near = bool(True)
        for axis in range(3):
            if low[axis] > motion.high[b][axis] + pad or high[axis] < motion.low[b][axis] - pad:
                near = False
        return near

    @wp.func(module=t.module)
    def way_to(p: vec3, f: int, skin: Skin, x: points) -> vec3:
        """From the nearest point of a face to p."""
        a, b, c = x[skin.faces[f, 0]], x[skin.faces[f, 1]], x[skin.faces[f, 2]]
        beta = point_triangle(p, a, b, c)
        return (p - a) - beta[1] * (b - a) - beta[2] * (c - a)

    @wp.func(module=t.module)
    def facing(p: vec3, i: int, f: int, b: int, skin: Skin, motion: Motion) -> int:
        """Of the faces around f of body b, the nearest to p; where p is inside, one that looks against the normal of point i is
        preferred. Of a sheet, whose points have two normals, against either."""
        best = int(f)
        least = real(1.0e30)
        steep = real(0.0)
        for j in range(skin.rings[f], skin.rings[f + 1]):
            g = skin.ring[j]
            way = way_to(p, g, skin, motion.x)
            distance = wp.length(way)
            height = wp.abs(wp.dot(way, face_normal(g, skin, motion.x)))
            if distance < least * (one - real(TIE)) or (distance <= least * (one + real(TIE)) and height > steep):
                best = g
                least = wp.min(distance, least)
                steep = height
        from_face = p - motion.x[skin.faces[best, 0]]
        outside = wp.dot(from_face, face_normal(best, skin, motion.x)) > real(BORDER) * skin.size[b]
        if skin.closed[b] != 0 and not outside:
            least = real(1.0e30)
            for j in range(skin.rings[f], skin.rings[f + 1]):
                g = skin.ring[j]
                along = wp.dot(motion.normals[i], face_normal(g, skin, motion.x))
                against = one + along
                if skin.closed[skin.body[i]] == 0:
                    against = one - wp.abs(along)
                cost = wp.length(way_to(p, g, skin, motion.x)) + real(0.5 * FACING) * skin.size[b] * against
                if cost < least:
                    best = g
                    least = cost
        return best

    @wp.func(module=t.module)
    def is_beyond(mesh: wp.uint64, p: vec3, off: vec3, reach: real) -> bool:
        """Whether p, behind the nearest face and out of reach, is outside all the same, by the normals around the nearest edge or
        corner, weighted by angles (Bærentzen & Aanæs 2005)."""
        far = wp.length(off)
        return far > reach and wp.mesh_query_point_sign_normal(mesh, single(p), wp.float32(real(2.0) * far)).sign > 0.0

    @wp.func(module=t.module)
    def nearest_face(p: vec3, before: vec3, i: int, b: int, reach: real, skin: Skin, motion: Motion) -> int:
        """The face of body b that is nearest to point i at p, or through which it came from ``before``; −1 for none."""
        far = wp.length(motion.high[b] - motion.low[b]) + reach
        if skin.closed[b] == 0:
            far = real(2.0) * reach + skin.thickness[i] + skin.size[b]
        query = wp.mesh_query_point_no_sign(skin.meshes[b], single(p - motion.x[0]), wp.float32(far))
        if not query.result:
            return -1
        f = facing(p, i, query.face + skin.first_face[b], b, skin, motion)
        off = way_to(p, f, skin, motion.x)
        height = wp.dot(off, face_normal(f, skin, motion.x))
        if skin.closed[b] == 0:
            return wp.where(wp.abs(height) < real(STEEP) * wp.length(off), -1, f)
        if height > zero:
            return f
        if is_beyond(skin.meshes[b], p - motion.x[0], off, reach):
            return -1
        # inside: through the face that was nearest before
        first = wp.mesh_query_point_no_sign(skin.meshes[b], single(before - motion.x[0]), wp.float32(far))
        if first.result:
            g = facing(before, i, first.face + skin.first_face[b], b, skin, motion)
            if wp.dot(way_to(before, g, skin, motion.x), face_normal(g, skin, motion.x)) > zero:
                return g
        return f

    @wp.func(module=t.module)
    def first_met(before: vec3, way: vec3, b: int, skin: Skin, motion: Motion) -> int:
        """The face of body b that a point goes through on its way, −1 for none or one from behind."""
        f = int(-1)
        fast = wp.length(way)
        if fast > real(FAST) * skin.size[b]:
            from_here, along = single(before - motion.x[0]), single(way / fast)
            hit = wp.mesh_query_ray(skin.meshes[b], from_here, along, wp.float32(fast))
            if hit.result:
                f = hit.face + skin.first_face[b]
                if skin.closed[b] != 0 and wp.dot(face_normal(f, skin, motion.x), way) > zero:
                    f = -1
        return f

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Function)})


def body_kernels(t: Types, of: SimpleNamespace, look: SimpleNamespace) -> SimpleNamespace:
    """Boxes of bodies and normals of points."""
    real, vec3 = t.real, t.vec3
    points, floats3, ints = wp.array(dtype=vec3), wp.array(dtype=wp.vec3), wp.array(dtype=wp.int32)
    reals, corners, single, meets = wp.array(dtype=real), wp.array2d(dtype=wp.int32), look.single, look.meets
    Skin, Motion, zero = skin_structs(t.precision).Skin, skin_structs(t.precision).Motion, real(0.0)
    reaches = of.reaches

    @t.kernel
    def place(start: int, x: points, out: floats3):
        """In single precision from the first point on, which loses nothing far from the origin."""
        i = start + wp.tid()
        out[i] = single(x[i] - x[0])

    @t.kernel
    def bound_chunk(start: int, ends: corners, motion: Motion, lows: points, highs: points, ways: points, longest: reals):
        c = start + wp.tid()
        first = ends[c, 0]
        low = motion.x[first]
        high = motion.x[first]
        way = vec3()
        most = real(0.0)
        for i in range(first, ends[c, 1]):
            low = wp.min(low, motion.x[i])
            high = wp.max(high, motion.x[i])
            way += motion.x[i] - motion.begun[i]
            most = wp.max(most, wp.length(motion.x[i] - motion.begun[i]))
        lows[c] = low
        highs[c] = high
        ways[c] = way
        longest[c] = most

    @t.kernel
    def bound_body(
        start: int, first: ints, chunks: ints, lows: points, highs: points, ways: points, longest: reals, motion: Motion
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
        motion.low[b] = one_low
        motion.high[b] = one_high
        motion.ways[b] = total / real(first[b + 1] - first[b])
        motion.far[b] = most

    @t.kernel
    def find_meetings(start: int, skin: Skin, motion: Motion, reach: real, found: ints):
        """Whether the box of a body comes near another, wherever its points go in between."""
        b = start + wp.tid()
        found[b] = 0
        for o in range(motion.low.shape[0]):
            pad = reach + motion.far[b] + motion.far[o]
            if o != b and meets(b, o, skin) and reaches(motion.low[b], motion.high[b], o, pad, motion):
                found[b] = 1

    @t.kernel
    def point_normals(start: int, skin: Skin, motion: Motion):
        """Mean normal of the faces around each point, 0 where it has none."""
        i = start + wp.tid()
        n = vec3()
        for j in range(skin.starts[i], skin.starts[i + 1]):
            f = skin.lists[j]
            a = motion.x[skin.faces[f, 0]]
            n += wp.cross(motion.x[skin.faces[f, 1]] - a, motion.x[skin.faces[f, 2]] - a)
        size = wp.length(n)
        if size > zero:
            n = n / size
        motion.normals[i] = n

    return SimpleNamespace(**{name: f for name, f in locals().items() if isinstance(f, wp.Kernel)})


def seed_kernels(t: Types, of: SimpleNamespace, look: SimpleNamespace) -> SimpleNamespace:
    """Faces that points may touch."""
    real, segments = t.real, segment_functions(t)
    rank, remembered_side, face_normal, meets = segments.rank, segments.remembered_side, look.face_normal, look.meets
    Skin, Motion = skin_structs(t.precision).Skin, skin_structs(t.precision).Motion
    Found, Memory, zero = slot_structs(t.precision).Found, slot_structs(t.precision).Memory, real(0.0)
    reaches, way_to, facing, nearest_face, first_met = of.reaches, of.way_to, of.facing, of.nearest_face, of.first_met

    @wp.func(module=t.module)
    def is_of(touched: int, f: int, skin: Skin) -> bool:
        """Whether what was touched, from 1 on, is of the body of face f."""
        one_face, other = wp.max(touched - 1, 0), wp.max(f, 0)
        return touched > 0 and f >= 0 and skin.body[skin.faces[one_face, 0]] == skin.body[skin.faces[other, 0]]

    @t.kernel
    def seed_points(start: int, skin: Skin, motion: Motion, reach: real, memory: Memory, found: Found):
        i = start + wp.tid()
        slot = skin.slots[i]
        own = skin.body[i]
        p = motion.x[i]
        best = real(reach)
        next_best = real(reach)
        f0 = int(-1)
        f1 = int(-1)
        side0 = real(1.0)
        side1 = real(1.0)
        for b in range(motion.low.shape[0]):
            way = p - motion.begun[i] - motion.ways[b]
            before = p - way
            touch = b != own and meets(own, b, skin) and skin.meshes[b] != wp.uint64(0)
            if touch and reaches(wp.min(p, before), wp.max(p, before), b, reach, motion):
                f = first_met(before, way, b, skin, motion)
                sign = real(1.0)
                known = remembered_side(slot, b, memory.sides)
                last = int(-1)
                for place in range(PLACES):
                    m = memory.touched[slot + place] - 1
                    if m >= 0 and skin.body[skin.faces[wp.max(m, 0), 0]] == b:
                        last = m
                if last >= 0:  # it was inside already: follow it
                    f = last
                    for _hop in range(HOPS):
                        f = facing(p, i, f, b, skin, motion)
                    sign = real(1.0)
                    if skin.closed[b] == 0:
                        sign = known
                    height = wp.dot(face_normal(f, skin, motion.x), p - motion.x[skin.faces[f, 0]])
                    if sign * height > skin.thickness[i]:
                        f = -1  # it has come out there
                if f < 0:
                    f = nearest_face(p, before, i, b, reach, skin, motion)
                if f >= 0:
                    a = skin.faces[f, 0]
                    n0, from_face = face_normal(f, skin, motion.begun), motion.begun[i] - motion.begun[a]
                    if skin.closed[b] == 0:
                        sign = known
                        if known == zero:  # parts of a sheet may go another way than the whole
                            sign = wp.sign(wp.dot(n0, from_face))
                    offset = real(0.5) * (skin.thickness[i] + skin.thickness[a])
                    if skin.part[b] == skin.part[own]:
                        offset = zero  # pieces of one sheet begin side by side
                    gap = sign * wp.dot(face_normal(f, skin, motion.x), p - motion.x[a]) - offset
                    if gap > zero:  # outside: how far the face is, not its plane
                        gap = wp.length(way_to(p, f, skin, motion.x)) - offset
                    order = rank(sign * wp.dot(n0, from_face) - offset, gap, skin.size[b])
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
        swaps = is_of(memory.touched[slot], f1, skin) or is_of(memory.touched[slot + 1], f0, skin)
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
                chosen = wp.vec4i(i, skin.faces[f, 0], skin.faces[f, 1], skin.faces[f, 2])
                other = skin.body[chosen[1]]
                if skin.part[other] != skin.part[own]:
                    thick = real(0.5) * (skin.thickness[i] + skin.thickness[chosen[1]])
                k = skin.length[i] * wp.min(skin.modulus[own], skin.modulus[other])
            found.pairs[slot + place] = chosen
            found.other[slot + place] = f + 1
            found.side[slot + place] = sign
            found.apart[slot + place] = thick
            found.stiffness[slot + place] = k

    return SimpleNamespace(seed_points=seed_points)


@family
def nearest_kernels(t):
    look = look_functions(t)
    of = face_functions(t, look)
    return vars(body_kernels(t, of, look)) | vars(seed_kernels(t, of, look))


class Nearest:
    """The faces of a surface that its points may touch, with the ``skin`` and its ``motion`` for other searches.

    ``scene`` (bodies,) separates scenes, and so do negative ``grips``; ``itself`` (bodies,) lets
    their parts touch, ``numbers`` are the modulus of bodies and the length of points [Pa, m].
    """

    def __init__(
        self, device: Device, surface: Surface, slots: Slots, scene: np.ndarray, closed: np.ndarray, grips: Grips,
        itself: np.ndarray, numbers: tuple[np.ndarray, np.ndarray],
    ):  # fmt: skip
        self.device, self.surface, self.kernels = device, surface, nearest_kernels("f64")
        bodies, p, faces = len(surface.alone), surface.count, surface.triangles
        kind, ints = device.types.position, lambda values: device.array(np.ascontiguousarray(values), wp.int32)
        reals = lambda values: device.array(values, wp.float64)
        first = np.searchsorted(surface.body, np.arange(bodies + 1))
        ends = [(i, min(i + CHUNK, b)) for a, b in pairwise(first) for i in range(a, b, CHUNK)]
        counts = [-(-(b - a) // CHUNK) for a, b in pairwise(first)]
        self.ends, self.chunks, self.first = ints(ends), ints(np.cumsum([0, *counts])), ints(first)
        self._chunked = [device.zeros(len(ends), kind) for _ in range(3)] + [device.zeros(len(ends), wp.float64)]
        self._found, self.places = device.zeros(bodies, wp.int32), device.zeros(p, wp.vec3)
        of = surface.body[faces[:, 0]] if len(faces) else np.zeros(0, int)
        self.begin, self.cut = np.searchsorted(of, np.arange(bodies + 1)), first
        self._meshes: list | None = None
        skin, motion = skin_structs("f64").Skin(), skin_structs("f64").Motion()
        around = sparse.csr_array((np.ones(faces.size, int), faces.ravel(), 3 * np.arange(len(faces) + 1)), shape=(len(faces), p))
        ring = (around @ around.T).tocsr()
        ring.sort_indices()
        starts, lists = gather_lists(faces.ravel(), p)
        skin.faces, skin.edges, skin.wings = (ints(own) for own in (faces, surface.edges, surface.wings))
        skin.rings, skin.ring, skin.starts, skin.lists = map(ints, (ring.indptr, ring.indices, starts, lists // 3))
        skin.slots, skin.edge_slots = slots.points, slots.edges
        skin.body, skin.part, skin.scene = ints(surface.body), ints(surface.part), ints(scene)
        skin.closed, skin.itself, skin.group = ints(closed), ints(itself), ints(grips.group)
        skin.grip = reals(grips.bodies)
        skin.meshes, skin.first_face = device.zeros(bodies, wp.uint64), ints(self.begin[:-1])
        skin.opened, skin.rest = ints(surface.opened), device.array(surface.rest, kind)
        skin.thickness, skin.modulus, skin.length = map(reals, (surface.thickness, *numbers))
        self.size = np.array([_usual(surface, b) for b in range(bodies)])
        skin.size = reals(self.size)
        motion.begun, motion.x, motion.normals = (device.zeros(p, kind) for _ in range(3))
        motion.low, motion.high, motion.ways = (device.zeros(bodies, kind) for _ in range(3))
        motion.far = device.zeros(bodies, wp.float64)
        self.skin, self.motion = skin, motion

    def _plant(self) -> None:
        """Build the triangle tree of each body, at rest: ties do not depend on earlier states."""
        if self._meshes is not None:
            return
        rest, self._meshes, numbers = self.surface.rest, [], np.zeros(len(self.size), np.uint64)
        self.places.assign((rest - rest[0]).astype(np.float32))
        for b, (start, end) in enumerate(pairwise(self.begin)):
            if start < end:
                own = self.places[int(self.cut[b]) : int(self.cut[b + 1])]
                corners = self.device.array((self.surface.triangles[start:end] - self.cut[b]).ravel(), wp.int32)
                self._meshes.append(wp.Mesh(own, corners))
                numbers[b] = self._meshes[-1].id
        self.skin.meshes.assign(numbers)

    def meet(self, reach: float) -> bool:
        """Whether any bodies come within ``reach`` [m] of each other on their way; one list is read back."""
        device, kernels, bodies = self.device, self.kernels, len(self.size)
        device.launch(kernels.bound_chunk, len(self.ends), self.ends, self.motion, *self._chunked, grain=2)
        device.launch(kernels.bound_body, bodies, self.first, self.chunks, *self._chunked, self.motion)
        device.launch(kernels.find_meetings, bodies, self.skin, self.motion, float(reach), self._found)
        return bool(self._found.numpy().any())

    def seed(self, reach: float, memory: Any, found: Any) -> None:
        """The face that each point may touch on its way, within ``reach`` [m] at its end; after ``meet``."""
        device, kernels, p = self.device, self.kernels, self.surface.count
        self._plant()
        device.launch(kernels.place, p, self.motion.x, self.places)
        for mesh in self._meshes:
            mesh.refit()
        device.launch(kernels.point_normals, p, self.skin, self.motion)
        device.launch(kernels.seed_points, p, self.skin, self.motion, float(reach), memory, found, grain=64)


def _usual(surface: Surface, body: int) -> float:
    """The median length of the edges of a body at rest [m]."""
    own = surface.edges[surface.body[surface.edges[:, 0]] == body] if len(surface.edges) else surface.edges
    return float(np.median(np.linalg.norm(surface.rest[own[:, 1]] - surface.rest[own[:, 0]], axis=1))) if len(own) else 0.0
