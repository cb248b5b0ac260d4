"""Raster kernels: normals, depth buffer, shading."""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from .shading import ground_functions, paint_functions, structures


@family
def raster(t: Types):
    light = _lights(t)
    return {**_surface_kernels(t), **_depth_kernels(t), **light, **_shading_kernels(t, light)}


def _surface_kernels(t: Types) -> dict:
    real, vec3 = t.real, t.vec3
    vecs, vecs2 = wp.array(dtype=vec3), wp.array2d(dtype=vec3)

    @t.kernel
    def corner_normals(
        start: int,
        # mesh:
        triangles: wp.array2d(dtype=int), first: wp.array(dtype=int), around: wp.array(dtype=int),
        # params:
        cos_crease: real,
        # in:
        area: vecs,  # triangle normals times area
        # out:
        normals: vecs2,  # one per corner, smooth except across creases
    ):  # fmt: skip
        i = start + wp.tid()
        own = wp.normalize(area[i])
        for k in range(3):
            v = triangles[i, k]
            total = vec3(real(0.0), real(0.0), real(0.0))
            for j in range(first[v], first[v + 1]):
                other = area[around[j]]
                if wp.dot(wp.normalize(other), own) >= cos_crease:
                    total += other
            normals[i, k] = wp.normalize(total)

    return locals()


def _depth_kernels(t: Types) -> dict:
    """Which triangle is nearest, to the eye and to each lamp of the sky."""
    real, vec3 = t.real, t.vec3
    vecs, reals2, vecs2 = wp.array(dtype=vec3), wp.array2d(dtype=real), wp.array2d(dtype=vec3)

    @wp.func
    def first_texel(x: real, size: int):
        """The first texel from 0 to ``size`` whose centre is at x or beyond; clamped first, as x may be huge."""
        return int(wp.clamp(wp.ceil(x - real(0.5)), real(0.0), real(size)))

    @t.kernel
    def fill_tiles(
        start: int,
        # params:
        width: int, height: int, across: int, side: int,
        # in:
        first: wp.array(dtype=int), order: wp.array(dtype=int),  # triangles of each tile
        corners: vecs2,  # x, y in samples, and a depth that is linear on the screen and grows towards the eye
        # out:
        depth: reals2, nearest: wp.array2d(dtype=int),
    ):  # fmt: skip
        tile = start + wp.tid()
        left, top = (tile % across) * side, (tile // across) * side
        right, bottom = wp.min(left + side, width), wp.min(top + side, height)
        for y in range(top, bottom):
            for x in range(left, right):
                depth[y, x] = real(-1.0e30)
                nearest[y, x] = -1
        for k in range(first[tile], first[tile + 1]):
            i = order[k]
            a = corners[i, 0]
            b = corners[i, 1]
            c = corners[i, 2]
            ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
            area = ux * vy - uy * vx
            if area != real(0.0):
                inverse = real(1.0) / area
                x0 = wp.max(left, first_texel(wp.min(wp.min(a[0], b[0]), c[0]), width))
                y0 = wp.max(top, first_texel(wp.min(wp.min(a[1], b[1]), c[1]), height))
                x1 = wp.min(right, first_texel(wp.max(wp.max(a[0], b[0]), c[0]), width))
                y1 = wp.min(bottom, first_texel(wp.max(wp.max(a[1], b[1]), c[1]), height))
                step_b, step_c = vy * inverse, -uy * inverse
                for y in range(y0, y1):
                    py, px = real(y) + real(0.5) - a[1], real(x0) + real(0.5) - a[0]
                    wb = (px * vy - py * vx) * inverse
                    wc = (ux * py - uy * px) * inverse
                    for x in range(x0, x1):
                        if wb >= real(0.0) and wc >= real(0.0) and wb + wc <= real(1.0):
                            d = a[2] + wb * (b[2] - a[2]) + wc * (c[2] - a[2])
                            if d > depth[y, x]:
                                depth[y, x] = d
                                nearest[y, x] = i
                        wb += step_b
                        wc += step_c

    @t.kernel
    def fill_domes(
        start: int,
        # lights: rows u, v, towards of the key lamp and then of each lamp of the sky
        axes: vecs, centre: vec3, reach: real,
        # in:
        place: vecs2,
        # out:
        domes: wp.array3d(dtype=real),  # depth of the nearest triangle on each lamp's small map
    ):  # fmt: skip
        m = start + wp.tid()
        size = domes.shape[1]
        u, v, towards = axes[3 * m + 3], axes[3 * m + 4], axes[3 * m + 5]
        scale = real(0.5) * real(size) / reach
        shift = real(0.5) * real(size)
        for y in range(size):
            for x in range(size):
                domes[m, y, x] = real(-1.0e30)
        for i in range(place.shape[0]):
            a = place[i, 0] - centre
            b = place[i, 1] - centre
            c = place[i, 2] - centre
            ax, bx, cx = wp.dot(a, u) * scale + shift, wp.dot(b, u) * scale + shift, wp.dot(c, u) * scale + shift
            ay, by, cy = wp.dot(a, v) * scale + shift, wp.dot(b, v) * scale + shift, wp.dot(c, v) * scale + shift
            ux, uy, vx, vy = bx - ax, by - ay, cx - ax, cy - ay
            area = ux * vy - uy * vx
            x0 = first_texel(wp.min(wp.min(ax, bx), cx), size)
            y0 = first_texel(wp.min(wp.min(ay, by), cy), size)
            x1 = first_texel(wp.max(wp.max(ax, bx), cx), size)
            y1 = first_texel(wp.max(wp.max(ay, by), cy), size)
            if area != real(0.0) and x0 < x1 and y0 < y1:
                near = wp.dot(a, towards)
                slope_b, slope_c = (wp.dot(b, towards) - near) / area, (wp.dot(c, towards) - near) / area
                for y in range(y0, y1):
                    for x in range(x0, x1):
                        px, py = real(x) + real(0.5) - ax, real(y) + real(0.5) - ay
                        wb, wc = px * vy - py * vx, ux * py - uy * px
                        if wb * area >= real(0.0) and wc * area >= real(0.0) and (area - wb - wc) * area >= real(0.0):
                            domes[m, y, x] = wp.max(domes[m, y, x], near + wb * slope_b + wc * slope_c)

    return locals()


def _lights(t: Types) -> dict:
    """How much of a light a point sees."""
    real, vec3, reals2, Lights = t.real, t.vec3, wp.array2d(dtype=t.real), structures(t.precision)[3]

    @wp.func
    def seen(light: reals2, x: real, y: real, d: real):
        """Fraction of the four texels about (x, y) that see a point at depth d."""
        fx, fy = x - real(0.5), y - real(0.5)
        ix, iy = int(wp.floor(fx)), int(wp.floor(fy))
        total = real(1.0)
        if ix >= 0 and iy >= 0 and ix + 1 < light.shape[1] and iy + 1 < light.shape[0]:
            ax, ay = fx - real(ix), fy - real(iy)
            total = real(0.0)
            if d >= light[iy, ix]:
                total += (real(1.0) - ax) * (real(1.0) - ay)
            if d >= light[iy, ix + 1]:
                total += ax * (real(1.0) - ay)
            if d >= light[iy + 1, ix]:
                total += (real(1.0) - ax) * ay
            if d >= light[iy + 1, ix + 1]:
                total += ax * ay
        return total

    @wp.func
    def lamp(lights: Lights, light: reals2, m: int, p: vec3, n: vec3, spread: real):
        """Fraction of light ``m``, whose map is ``light``, that point p with normal n sees."""
        size = real(light.shape[0])
        texel = real(2.0) * lights.reach / size
        towards = lights.axes[3 * m + 2]
        # Stand off the surface by a texel or two, or the surface shades itself.
        q = p + n * (texel * (real(1.0) + spread)) + towards * (texel * real(0.7)) - lights.centre
        x = (wp.dot(q, lights.axes[3 * m]) / lights.reach * real(0.5) + real(0.5)) * size
        y = (wp.dot(q, lights.axes[3 * m + 1]) / lights.reach * real(0.5) + real(0.5)) * size
        d = wp.dot(q, towards)
        if spread == real(0.0):
            return seen(light, x, y, d)
        # Where the rim and the middle of the disc are all light or all dark, so (nearly always) is the rest of it.
        rim = (
            seen(light, x + spread, y, d)
            + seen(light, x - spread, y, d)
            + seen(light, x, y, d)
            + seen(light, x, y + spread, d)
            + seen(light, x, y - spread, d)
        )
        if rim == real(0.0) or rim == real(5.0):
            return rim * real(0.2)
        total = real(0.0)
        for k in range(lights.disc.shape[0]):
            total += seen(light, x + spread * lights.disc[k][0], y + spread * lights.disc[k][1], d)
        return total / real(lights.disc.shape[0])

    @wp.func
    def open_sky(lights: Lights, p: vec3, n: vec3, flat: vec3):
        """Fraction of the sky's light that point p sees; a little always comes back from below."""
        got, whole = real(0.25), real(0.25)
        for m in range(lights.domes.shape[0]):
            w = wp.dot(n, lights.axes[3 * m + 5])
            if w > real(0.0):
                got += w * lamp(lights, lights.domes[m], m + 1, p, flat, real(0.0))
                whole += w
        return got / whole

    @t.kernel
    def floor_sky(
        start: int,
        # params:
        count: int, wide: real, floor: real, lights: Lights,
        # out:
        carpet: reals2,  # fraction of the sky seen by a square of floor about the centre, ± wide
    ):  # fmt: skip
        i = start + wp.tid()
        row, column = i // count, i % count
        x = lights.centre[0] + wide * (real(2.0) * (real(column) + real(0.5)) / real(count) - real(1.0))
        y = lights.centre[1] + wide * (real(2.0) * (real(row) + real(0.5)) / real(count) - real(1.0))
        zenith = vec3(real(0.0), real(0.0), real(1.0))
        carpet[row, column] = open_sky(lights, vec3(x, y, floor), zenith, zenith)

    return locals()


def _shading_kernels(t: Types, light: dict) -> dict:
    real, vec3, vecs = t.real, t.vec3, wp.array(dtype=t.vec3)
    Camera, Soup, Paint, Lights, Ground = structures(t.precision)
    of = SimpleNamespace(**{**light, **ground_functions(t), **paint_functions(t)})

    @t.kernel
    def shade(
        start: int,
        # params:
        camera: Camera, lights: Lights, ground: Ground, paint: Paint,
        # in:
        soup: Soup, nearest: wp.array2d(dtype=int),
        # out:
        image: vecs,
    ):  # fmt: skip
        i = start + wp.tid()
        samples, centre = camera.samples, lights.centre
        row, column = i // camera.width, i % camera.width
        eye, right, up, forward = camera.eye, camera.right, camera.up, camera.forward
        wide = camera.half * real(camera.width) / real(camera.height)
        sun = lights.axes[2]
        fill = wp.normalize(right * real(0.75) + up * real(0.25) - forward * real(0.6))
        zenith = vec3(real(0.0), real(0.0), real(1.0))
        fade = (real(row) + real(0.5)) / real(camera.height)
        backdrop = paint.back[0] * (real(1.0) - fade) + paint.back[1] * fade
        total = vec3(real(0.0), real(0.0), real(0.0))
        # Shape is found for every sample, colour once for each triangle in a pixel, light once for each surface in it.
        before = wp.int32(-9)
        colour = backdrop
        known = wp.int32(-9)
        known_normal = zenith
        known_reach = real(0.0)
        shadow = real(1.0)
        sky = real(1.0)
        for s in range(samples * samples):
            x = column * samples + s % samples
            y = row * samples + s // samples
            hit = nearest[y, x]
            sx = (real(x) + real(0.5)) / real(camera.width * samples) - real(0.5) - camera.shift
            sy = real(0.5) - (real(y) + real(0.5)) / real(camera.height * samples)
            ray = wp.normalize(forward + right * (real(2.0) * sx * wide) + up * (real(2.0) * sy * camera.half))
            below = real(1.0e30)
            if ground.kind > 0 and eye[2] > ground.floor and ray[2] < real(0.0):
                below = (ground.floor - eye[2]) / ray[2]
            tri = soup.source[wp.max(hit, 0)]
            a = soup.place[tri, 0]
            b = soup.place[tri, 1]
            c = soup.place[tri, 2]
            cross = wp.cross(b - a, c - a)
            reached = real(1.0e30)
            if hit >= 0:
                slope = wp.dot(cross, ray)
                reached = wp.length(a - eye)
                if slope != real(0.0):
                    reached = wp.dot(cross, a - eye) / slope
                if reached > below:
                    hit = -1
            if hit != before:
                before = hit
                colour = backdrop
                if hit >= 0:
                    p = eye + ray * reached
                    square = wp.dot(cross, cross)
                    wb = wp.clamp(wp.dot(cross, wp.cross(p - a, c - a)) / square, real(0.0), real(1.0))
                    wc = wp.clamp(wp.dot(cross, wp.cross(b - a, p - a)) / square, real(0.0), real(1.0))
                    wa = wp.max(real(1.0) - wb - wc, real(0.0))
                    n = wp.normalize(soup.normal[tri, 0] * wa + soup.normal[tri, 1] * wb + soup.normal[tri, 2] * wc)
                    flat = wp.normalize(cross)
                    if wp.dot(flat, ray) > real(0.0):
                        flat = -flat
                    if wp.dot(n, flat) < real(0.0):
                        n = -n
                    albedo = of.albedo_of(soup, paint, tri, wa, wb, wc)
                    if soup.edged[tri] > 0:
                        pixels = real(camera.height) / (reached * real(2.0) * camera.half)
                        albedo = albedo * (real(1.0) - of.edge_ink(soup, tri, wa, wb, wc, pixels))
                    kind = soup.kind[tri]
                    turned = wp.dot(known_normal, flat) < real(0.9)
                    if known != kind or turned or wp.abs(known_reach - reached) > real(0.02) * lights.reach:
                        known = kind
                        known_normal = flat
                        known_reach = reached
                        shadow = real(0.0)
                        if wp.dot(n, sun) > real(0.0):
                            shadow = of.lamp(lights, lights.key, 0, p, flat, real(3.0))
                        sky = of.open_sky(lights, p, n, flat)
                    colour = of.reflected(albedo, n, ray, sun, fill, shadow, sky)
                    if kind == paint.palette.shape[0] - 1:
                        gone = of.smooth((wp.length(p - centre) / ground.horizon - real(0.65)) / real(0.35))
                        colour = colour + (backdrop - colour) * gone
                elif below < real(1.0e29):
                    p = eye + ray * below
                    away = wp.length(p - vec3(centre[0], centre[1], ground.floor)) / ground.horizon
                    if away < real(1.0):
                        if known != -2:
                            known = wp.int32(-2)
                            shadow = real(1.0)
                            sky = real(1.0)
                            if away * ground.horizon < lights.reach * real(3.0):
                                shadow = of.lamp(lights, lights.key, 0, p, zenith, real(6.0))
                                at = (p - centre) / ground.wide
                                sky = of.carpet_light(ground.carpet, at[0], at[1])
                        pixel = below * real(2.0) * camera.half / real(camera.height)
                        dark = of.floor_dark(ground, p, shadow, sky, pixel, -ray[2])
                        stay = real(1.0) - of.smooth((away - real(0.35)) / real(0.65))
                        colour = backdrop * (real(1.0) - wp.min(dark, real(0.92)) * stay)
            total += colour
        image[i] = total / real(samples * samples)

    return locals()
