"""Shading functions: what kernels are told, the floor and the paint."""

import functools
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types


@alone
@functools.cache
def structures(precision: str) -> tuple[Any, ...]:
    """What ``shade`` is told, by what it is about: camera, triangles, colours, lights and ground."""
    t = Types(precision, "raster")
    real, vec3, struct = t.real, t.vec3, functools.partial(wp.struct, module=t.module)

    @struct
    class Camera:
        eye: vec3
        right: vec3
        up: vec3
        forward: vec3
        width: int
        height: int
        samples: int
        half: real  # tangent of half the vertical angle of view
        shift: real  # of the picture to the side, in widths

    @struct
    class Soup:
        place: wp.array2d(dtype=vec3)
        normal: wp.array2d(dtype=vec3)
        value: wp.array2d(dtype=real)
        kind: wp.array(dtype=int)  # −1 is coloured by its value on the scale, the last are obstacles
        edged: wp.array(dtype=int)
        source: wp.array(dtype=int)  # the triangle that each drawn one is a part of

    @struct
    class Paint:
        palette: wp.array(dtype=vec3)
        scale: wp.array(dtype=vec3)
        back: wp.array(dtype=vec3)

    @struct
    class Lights:
        axes: wp.array(dtype=vec3)  # rows u, v, towards of the key lamp and then of each lamp of the sky
        key: wp.array2d(dtype=real)
        domes: wp.array3d(dtype=real)
        disc: wp.array(dtype=vec3)
        centre: vec3
        reach: real

    @struct
    class Ground:
        kind: int  # 1 shows shadows, 2 a grid too
        floor: real
        spacing: real
        horizon: real
        carpet: wp.array2d(dtype=real)
        wide: real

    return Camera, Soup, Paint, Lights, Ground


def ground_functions(t: Types) -> dict:
    """The floor, its grid and its shadows."""
    real, vec3, reals2, Ground = t.real, t.vec3, wp.array2d(dtype=t.real), structures(t.precision)[4]

    @wp.func
    def carpet_light(carpet: reals2, x: real, y: real):
        """Look the carpet up at x, y in −1…1, blended between its knots; outside it all is open."""
        n = carpet.shape[0]
        fx, fy = (x * real(0.5) + real(0.5)) * real(n) - real(0.5), (y * real(0.5) + real(0.5)) * real(n) - real(0.5)
        ix, iy = int(wp.floor(fx)), int(wp.floor(fy))
        if ix < 0 or iy < 0 or ix + 1 >= n or iy + 1 >= n:
            return real(1.0)
        ax, ay = fx - real(ix), fy - real(iy)
        low = carpet[iy, ix] * (real(1.0) - ax) + carpet[iy, ix + 1] * ax
        high = carpet[iy + 1, ix] * (real(1.0) - ax) + carpet[iy + 1, ix + 1] * ax
        return low * (real(1.0) - ay) + high * ay

    @wp.func
    def stripe(x: real, spacing: real, pixel: real):
        """Ink of a line one pixel wide at every multiple of ``spacing``."""
        off = wp.abs(x / spacing - wp.floor(x / spacing + real(0.5))) * spacing
        return wp.clamp(real(1.0) - off / pixel, real(0.0), real(1.0))

    @wp.func
    def grid(p: vec3, spacing: real, pixel: real, slope: real):
        """Ink of a floor's grid, every fifth line bolder, at a point seen under ``slope`` with pixels of that size."""
        deep = wp.max(pixel, real(0.5) * pixel / wp.max(slope, real(0.05)))
        fine = wp.max(stripe(p[0], spacing, deep), stripe(p[1], spacing, deep))
        bold = wp.max(stripe(p[0], spacing * real(5.0), deep), stripe(p[1], spacing * real(5.0), deep))
        crowd = wp.clamp(spacing / deep / real(6.0), real(0.0), real(1.0))
        return wp.max(fine * real(0.13) * crowd, bold * real(0.22))

    @wp.func
    def smooth(x: real):
        """0 below 0, 1 above 1, and an even bend between."""
        at = wp.clamp(x, real(0.0), real(1.0))
        return at * at * (real(3.0) - real(2.0) * at)

    @wp.func
    def floor_dark(ground: Ground, p: vec3, shadow: real, sky: real, pixel: real, slope: real):
        """How dark the floor is at a point seen under ``slope`` with pixels of that size [m]."""
        dark = real(0.28) * (real(1.0) - shadow) + real(0.6) * (real(1.0) - sky)
        if ground.kind == 1:  # a shadow in mid-air is a hint of depth, no more
            dark *= real(0.6)
        else:
            dark += grid(p, ground.spacing, pixel, slope) + real(0.03)
        return dark

    return locals()


def paint_functions(t: Types) -> dict:
    """Colours of surfaces, and what these send back."""
    real, vec3 = t.real, t.vec3
    _, Soup, Paint, _, _ = structures(t.precision)

    @wp.func
    def reflected(albedo: vec3, n: vec3, ray: vec3, sun: vec3, fill: vec3, shadow: real, sky: real):
        """Light sent back along ``ray`` by a surface under a key lamp, a fill lamp and the sky."""
        around = real(0.3) + real(0.7) * sky  # what sees no sky sees lit surfaces, or narrow gaps would be black
        lit = wp.max(wp.dot(n, sun), real(0.0)) * shadow
        soft = real(0.5) + real(0.5) * wp.dot(n, fill)
        up = real(0.5) + real(0.5) * n[2]
        ambient = (
            vec3(real(0.30), real(0.285), real(0.27)) * (real(1.0) - up) + vec3(real(0.47), real(0.50), real(0.54)) * up
        ) * around
        light = (
            vec3(real(0.66), real(0.645), real(0.615)) * lit
            + ambient
            + vec3(real(0.19), real(0.195), real(0.205)) * (soft * soft * (real(0.3) + real(0.7) * around))
        )
        shine = wp.pow(wp.max(wp.dot(n, wp.normalize(sun - ray)), real(0.0)), real(38.0)) * real(0.16) * shadow
        edge = wp.pow(real(1.0) - wp.max(-wp.dot(n, ray), real(0.0)), real(4.0)) * real(0.10) * sky
        return wp.cw_mul(albedo, light) + vec3(shine + edge, shine + edge, shine + edge)

    @wp.func
    def albedo_of(soup: Soup, paint: Paint, tri: int, wa: real, wb: real, wc: real):
        """The colour of a triangle at a point of it: its body's, or that of its value on the scale."""
        albedo = paint.palette[wp.max(soup.kind[tri], 0)]
        if soup.kind[tri] < 0:
            v = soup.value[tri, 0] * wa + soup.value[tri, 1] * wb + soup.value[tri, 2] * wc
            at = wp.clamp(v, real(0.0), real(1.0)) * real(paint.scale.shape[0] - 1)
            low = wp.min(int(at), paint.scale.shape[0] - 2)
            albedo = paint.scale[low] + (paint.scale[low + 1] - paint.scale[low]) * (at - real(low))
        return albedo

    @wp.func
    def edge_ink(soup: Soup, tri: int, wa: real, wb: real, wc: real, pixels: real):
        """Share of the colour that the line along the edges of a triangle takes; ``pixels`` are those of a metre there."""
        a = soup.place[tri, 0]
        b = soup.place[tri, 1]
        c = soup.place[tri, 2]
        twice = wp.length(wp.cross(b - a, c - a)) * pixels
        most = wp.min(wb / wp.length(a - c), wc / wp.length(b - a))
        gap = wp.min(wa / wp.length(c - b), most) * twice
        return real(0.6) * wp.clamp(real(1.2) - gap, real(0.0), real(1.0))

    return locals()
