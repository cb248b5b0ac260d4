"""Ray-cast kernel with shadows and Phong's light."""

import functools
from typing import Any

import warp as wp

from ...geometry.distance.sdf_kernels import make_signed_distance
from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from .shading import structures

STEPS = 400  # most steps of a ray through one shape


@alone
@functools.cache
def shapes_struct(precision: str) -> Any:
    """Programs of shapes (geometry/distance/sdf_kernels.py), their boxes and how they are looked at."""
    t = Types(precision, "raycast_structs")
    ints, reals, vecs = wp.array(dtype=int), wp.array(dtype=t.real), wp.array(dtype=t.vec3)

    @functools.partial(wp.struct, module=t.module)
    class Shapes:
        starts: ints
        code: ints
        numbers: reals
        grids: reals
        low: vecs
        high: vecs
        wide: reals  # of the gradient's differences [m]
        close: t.real  # [m], to have met a surface

    return Shapes


@family
def raycast_kernels(t: Types) -> dict:
    real, vec3, vecs = t.real, t.vec3, wp.array(dtype=t.vec3)
    Camera, Shapes, signed_distance = structures(t.precision)[0], shapes_struct(t.precision), make_signed_distance(t)

    @wp.func(module=t.module)
    def phi(shape: int, shapes: Shapes, p: vec3) -> real:
        sample = signed_distance(shape, shapes.starts, shapes.code, shapes.numbers, shapes.grids, p)
        return sample[3]

    @wp.func(module=t.module)
    def crossing(origin: vec3, ray: vec3, low: vec3, high: vec3) -> t.vec2:
        """Where a ray enters and leaves a box; it misses where the first is the larger."""
        enter, leave = real(0.0), real(1.0e30)
        for k in range(3):
            if wp.abs(ray[k]) > real(1.0e-12):
                a, b = (low[k] - origin[k]) / ray[k], (high[k] - origin[k]) / ray[k]
                enter, leave = wp.max(enter, wp.min(a, b)), wp.min(leave, wp.max(a, b))
            elif origin[k] < low[k] or origin[k] > high[k]:
                leave = real(-1.0)
        return t.vec2(enter, leave)

    @wp.func(module=t.module)
    def march(shape: int, shapes: Shapes, origin: vec3, ray: vec3, first: real, last: real) -> real:
        """The way to the surface along a ray, or one beyond ``last``: each step is as long as the surface is away."""
        at = first
        before, way = real(0.0), real(0.0)
        for step in range(STEPS):
            d = phi(shape, shapes, origin + ray * at)
            if d < shapes.close:
                if step > 0 and d < real(0.0):  # between the last step outside and this one
                    at = way + (at - way) * before / wp.max(before - d, real(1.0e-30))
                return at
            before, way = d, at
            at += real(0.9) * d + real(0.1) * shapes.close
            if at > last:
                return real(1.0e30)
        return real(1.0e30)

    @t.kernel
    def cast(
        start: int, camera: Camera, shapes: Shapes,
        # colours:
        palette: vecs, back: vecs, sun: vec3,
        # out:
        image: vecs,
    ):  # fmt: skip
        i = start + wp.tid()
        width, height, samples, half, close = camera.width, camera.height, camera.samples, camera.half, shapes.close
        row, column = i // width, i % width
        eye, right, up, forward = camera.eye, camera.right, camera.up, camera.forward
        fade = (real(row) + real(0.5)) / real(height)
        backdrop = back[0] * (real(1.0) - fade) + back[1] * fade
        total = vec3()
        for s in range(samples * samples):
            sx = (real(column * samples + s % samples) + real(0.5)) / real(width * samples) - real(0.5) - camera.shift
            sy = real(0.5) - (real(row * samples + s // samples) + real(0.5)) / real(height * samples)
            wider = half * real(width) / real(height)
            ray = wp.normalize(forward + right * (real(2.0) * sx * wider) + up * (real(2.0) * sy * half))
            best, which = real(1.0e29), int(-1)
            for m in range(shapes.low.shape[0]):
                box = crossing(eye, ray, shapes.low[m], shapes.high[m])
                if box[0] < box[1] and box[0] < best:
                    at = march(m, shapes, eye, ray, box[0], box[1])
                    if at < best:
                        best, which = at, m
            colour = backdrop
            if which >= 0:
                p = eye + ray * best
                e = shapes.wide[which]
                n = vec3()
                for k in range(3):
                    step = vec3()
                    step[k] = e
                    n[k] = phi(which, shapes, p + step) - phi(which, shapes, p - step)
                n = wp.normalize(n)
                shadow = real(1.0)
                for m in range(shapes.low.shape[0]):
                    off = p + n * (real(4.0) * close)
                    box = crossing(off, sun, shapes.low[m], shapes.high[m])
                    if box[0] < box[1] and shadow > real(0.0):
                        met = march(m, shapes, off, sun, box[0], box[1])
                        shadow = wp.where(met < real(1.0e29), real(0.0), shadow)
                sky = real(0.0)  # how far the surface stays away along its own normal: light does not get into folds
                for k in range(1, 5):
                    far = real(k) * real(12.0) * close
                    least = far
                    for m in range(shapes.low.shape[0]):
                        least = wp.min(least, phi(m, shapes, p + n * far))
                    sky += real(0.25) * wp.clamp(least / far, real(0.0), real(1.0))
                # Phong: ambient, diffuse and specular light
                lit = wp.max(wp.dot(n, sun), real(0.0)) * shadow
                mirror = wp.max(wp.dot(n * (real(2.0) * wp.dot(n, sun)) - sun, -ray), real(0.0))
                albedo = palette[which]
                colour = albedo * ((real(0.42) + real(0.12) * n[2]) * sky + real(0.62) * lit) + vec3(
                    real(1.0), real(1.0), real(1.0)
                ) * (real(0.14) * shadow * wp.pow(mirror, real(30.0)))
            total += colour
        image[i] = total / real(samples * samples)

    return {"cast": cast}
