"""What of triangles that curves cut is inside: vector areas, and places times areas at rest.

Both are sums over what bounds it, sides of the triangle as far as they are inside and segments of curves, so that no polygon is
ever built.
"""

import numpy as np
import warp as wp

from ..device import Device, family
from .rooms import Rooms


@family
def slice_kernels(t):
    points = wp.array(dtype=wp.vec3d)
    ints, reals = wp.array(dtype=wp.int32), wp.array(dtype=wp.float64)
    half, third, tiny = wp.float64(0.5), wp.float64(1.0 / 3.0), wp.float64(1.0e-300)

    @wp.func(module=t.module)
    def inner(value: wp.float64) -> wp.float64:
        return wp.clamp(value, wp.float64(0.0), wp.float64(1.0))

    @t.kernel
    def slice_triangles(
        start: int,
        # in: so many triangles; their corners, these in their tets, and twice their areas at rest
        number: int,
        corners: wp.array(dtype=wp.vec3i),
        places: wp.array(dtype=wp.vec4d),
        doubled: reals,
        # in: ∫ dλ and ∫ 2λ dλ over what is inside of each side, from its lower end on
        lengths: points,
        squares: points,
        # in: where the segments on each triangle begin, and from where to where each goes
        starts: ints,
        segments: wp.array(dtype=wp.vec2i),
        ends: points,
        at: points,
        # out: of vector areas and of places
        areas: points,
        moments: wp.array(dtype=wp.vec4d),
    ):
        i = start + wp.tid()
        if i < number:
            c = corners[i]
            p = at[c[0]]
            u, v = at[c[1]] - p, at[c[2]] - p
            n = wp.cross(u, v)
            square = wp.max(wp.dot(n, n), tiny)
            size = wp.max(wp.length(n), tiny)
            b0 = places[3 * i]
            du, dv = places[3 * i + 1] - b0, places[3 * i + 2] - b0
            area = wp.vec3d()
            moment = wp.vec4d()
            sides = int(3)
            for k in range(sides):
                j = (k + 1) % 3
                a, b = places[3 * i + k], places[3 * i + j]
                share, q = lengths[i][k], squares[i][k]
                if c[k] > c[j]:
                    q = wp.float64(2.0) * share - q
                turned = half * wp.cross(at[c[k]] - p, at[c[j]] - at[c[k]])
                area += share * turned
                moment += wp.dot(turned, n) / size * third * ((b0 + wp.float64(2.0) * a) * share + (b - a) * q)
            for s in range(starts[i], starts[i + 1]):
                e, f = ends[segments[s][0]] - p, ends[segments[s][1]] - p
                turned = half * wp.cross(e, f)
                # coordinates of both ends along the two sides
                r = inner(wp.dot(wp.cross(e, v), n) / square) + inner(wp.dot(wp.cross(f, v), n) / square)
                g = inner(wp.dot(wp.cross(u, e), n) / square) + inner(wp.dot(wp.cross(u, f), n) / square)
                area += turned
                moment += wp.dot(turned, n) / size * third * (wp.float64(3.0) * b0 + r * du + g * dv)
            areas[i] = area
            moments[i] = doubled[i] / size * moment

    return locals()


class Slices:
    """Measures them, on the device where the corners of surfaces are."""

    def __init__(self, device: Device):
        self.device, self.kernels, self._rooms = device, slice_kernels("f64"), Rooms(device)

    def __call__(
        self, corners: np.ndarray, places: np.ndarray, areas: np.ndarray, sides: tuple[np.ndarray, np.ndarray],
        own: np.ndarray, segments: np.ndarray, ends: np.ndarray, at: wp.array,
    ) -> np.ndarray:  # fmt: skip
        """(k, 7) of triangles with ``corners`` (k, 3), their ``places`` (k, 3, 4) in their tets and ``areas`` (k,) at rest.

        ``sides``: two (k, 3), what is inside of each. Segment j, of ``segments`` (l, 2) between ``ends`` (i, 3), is on triangle
        ``own[j]``.
        """
        count, put = len(corners), self._rooms.put
        order = np.argsort(own, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=count))])
        given = (
            put("corners", corners, wp.vec3i),
            put("places", places.reshape(-1, 4), wp.vec4d),
            put("doubled", 2 * areas, wp.float64),
            *(put(name, own_sides, wp.vec3d) for name, own_sides in zip(("lengths", "squares"), sides)),
            put("starts", starts, wp.int32),
            put("segments", segments[order], wp.vec2i),
            put("ends", ends, wp.vec3d),
            at,
        )
        out = (self._rooms.of("areas", count, wp.vec3d), self._rooms.of("moments", count, wp.vec4d))
        self.device.launch(self.kernels.slice_triangles, len(given[0]), count, *given, *out, grain=64)
        return np.hstack([part[:count] for part in self.device.reads(*out)])
