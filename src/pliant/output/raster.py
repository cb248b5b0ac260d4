"""Kernels of the software renderer: corner normals, a depth buffer by tiles, and the light on every pixel."""

import warp as wp

from ..device import Types, family


@family
def raster(t: Types):
    real, vec3 = t.real, t.vec3
    reals, vecs = wp.array(dtype=real), wp.array(dtype=vec3)
    reals2, vecs2 = wp.array2d(dtype=real), wp.array2d(dtype=vec3)

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
                        if (wb * area >= real(0.0) and wc * area >= real(0.0)
                                and (area - wb - wc) * area >= real(0.0)):
                            domes[m, y, x] = wp.max(domes[m, y, x], near + wb * slope_b + wc * slope_c)

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
    def lamp(light: reals2, axes: vecs, m: int, p: vec3, n: vec3, centre: vec3, reach: real, spread: real, disc: vecs):
        """Fraction of a light that point p with normal n sees; ``axes`` holds (u, v, towards) of each light."""
        size = real(light.shape[0])
        texel = real(2.0) * reach / size
        towards = axes[3 * m + 2]
        # Stand off the surface by a texel or two, or the surface shades itself.
        q = p + n * (texel * (real(1.0) + spread)) + towards * (texel * real(0.7)) - centre
        x = (wp.dot(q, axes[3 * m]) / reach * real(0.5) + real(0.5)) * size
        y = (wp.dot(q, axes[3 * m + 1]) / reach * real(0.5) + real(0.5)) * size
        d = wp.dot(q, towards)
        if spread == real(0.0):
            return seen(light, x, y, d)
        # Where the rim and the middle of the disc are all light or all dark, so (nearly always) is the rest of it.
        rim = (seen(light, x + spread, y, d) + seen(light, x - spread, y, d) + seen(light, x, y, d)
               + seen(light, x, y + spread, d) + seen(light, x, y - spread, d))
        if rim == real(0.0) or rim == real(5.0):
            return rim * real(0.2)
        total = real(0.0)
        for k in range(disc.shape[0]):
            total += seen(light, x + spread * disc[k][0], y + spread * disc[k][1], d)
        return total / real(disc.shape[0])

    @wp.func
    def open_sky(domes: wp.array3d(dtype=real), axes: vecs, p: vec3, n: vec3, flat: vec3, centre: vec3, reach: real,
                 disc: vecs):
        """Fraction of the sky's light that point p sees; a little always comes back from below."""
        got, whole = real(0.25), real(0.25)
        for m in range(domes.shape[0]):
            w = wp.dot(n, axes[3 * m + 5])
            if w > real(0.0):
                got += w * lamp(domes[m], axes, m + 1, p, flat, centre, reach, real(0.0), disc)
                whole += w
        return got / whole

    @t.kernel
    def floor_sky(
        start: int,
        # params:
        count: int, wide: real, floor: real,
        # lights:
        axes: vecs, domes: wp.array3d(dtype=real), disc: vecs, centre: vec3, reach: real,
        # out:
        carpet: reals2,  # fraction of the sky seen by a square of floor about the centre, ± wide
    ):  # fmt: skip
        i = start + wp.tid()
        row, column = i // count, i % count
        x = centre[0] + wide * (real(2.0) * (real(column) + real(0.5)) / real(count) - real(1.0))
        y = centre[1] + wide * (real(2.0) * (real(row) + real(0.5)) / real(count) - real(1.0))
        zenith = vec3(real(0.0), real(0.0), real(1.0))
        carpet[row, column] = open_sky(domes, axes, vec3(x, y, floor), zenith, zenith, centre, reach, disc)

    @wp.func
    def woven(carpet: reals2, x: real, y: real):
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
    def reflected(albedo: vec3, n: vec3, ray: vec3, sun: vec3, fill: vec3, shadow: real, sky: real):
        """Light sent back along ``ray`` by a surface under a key lamp, a fill lamp and the sky."""
        lit = wp.max(wp.dot(n, sun), real(0.0)) * shadow
        soft = real(0.5) + real(0.5) * wp.dot(n, fill)
        up = real(0.5) + real(0.5) * n[2]
        ambient = (vec3(real(0.30), real(0.285), real(0.27)) * (real(1.0) - up)
                   + vec3(real(0.47), real(0.50), real(0.54)) * up) * sky
        light = (vec3(real(0.66), real(0.645), real(0.615)) * lit + ambient
                 + vec3(real(0.19), real(0.195), real(0.205)) * (soft * soft * (real(0.4) + real(0.6) * sky)))
        shine = wp.pow(wp.max(wp.dot(n, wp.normalize(sun - ray)), real(0.0)), real(38.0)) * real(0.16) * shadow
        edge = wp.pow(real(1.0) - wp.max(-wp.dot(n, ray), real(0.0)), real(4.0)) * real(0.10) * sky
        return wp.cw_mul(albedo, light) + vec3(shine + edge, shine + edge, shine + edge)

    @t.kernel
    def shade(
        start: int,
        # camera: rows eye, right, up, forward
        camera: vecs, width: int, height: int, samples: int, half: real, shift: real,
        # mesh:
        place: vecs2, normal: vecs2, value: reals2, kind: wp.array(dtype=int), edged: wp.array(dtype=int),
        source: wp.array(dtype=int),
        # colours: a kind of −1 is coloured by its value on the scale, the last kind are obstacles
        palette: vecs, scale: vecs, back: vecs,
        # lights: the first lamp is the key, the others the sky
        axes: vecs, key: reals2, domes: wp.array3d(dtype=real), disc: vecs, centre: vec3, reach: real,
        # ground: 1 shows shadows, 2 a grid too
        ground: int, floor: real, spacing: real, horizon: real, carpet: reals2, wide_floor: real,
        # in:
        nearest: wp.array2d(dtype=int),
        # out:
        image: vecs,
    ):  # fmt: skip
        i = start + wp.tid()
        row, column = i // width, i % width
        eye, right, up, forward = camera[0], camera[1], camera[2], camera[3]
        wide = half * real(width) / real(height)
        sun = axes[2]
        fill = wp.normalize(right * real(0.75) + up * real(0.25) - forward * real(0.6))
        zenith = vec3(real(0.0), real(0.0), real(1.0))
        fade = (real(row) + real(0.5)) / real(height)
        backdrop = back[0] * (real(1.0) - fade) + back[1] * fade
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
            sx = (real(x) + real(0.5)) / real(width * samples) - real(0.5) - shift
            sy = real(0.5) - (real(y) + real(0.5)) / real(height * samples)
            ray = wp.normalize(forward + right * (real(2.0) * sx * wide) + up * (real(2.0) * sy * half))
            below = real(1.0e30)
            if ground > 0 and eye[2] > floor and ray[2] < real(0.0):
                below = (floor - eye[2]) / ray[2]
            tri = source[wp.max(hit, 0)]
            a = place[tri, 0]
            b = place[tri, 1]
            c = place[tri, 2]
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
                    n = wp.normalize(normal[tri, 0] * wa + normal[tri, 1] * wb + normal[tri, 2] * wc)
                    flat = wp.normalize(cross)
                    if wp.dot(flat, ray) > real(0.0):
                        flat = -flat
                    if wp.dot(n, flat) < real(0.0):
                        n = -n
                    albedo = palette[wp.max(kind[tri], 0)]
                    if kind[tri] < 0:
                        v = value[tri, 0] * wa + value[tri, 1] * wb + value[tri, 2] * wc
                        at = wp.clamp(v, real(0.0), real(1.0)) * real(scale.shape[0] - 1)
                        low = wp.min(int(at), scale.shape[0] - 2)
                        albedo = scale[low] + (scale[low + 1] - scale[low]) * (at - real(low))
                    if edged[tri] > 0:
                        twice = wp.sqrt(square) * real(height) / (reached * real(2.0) * half)
                        most = wp.min(wb / wp.length(a - c), wc / wp.length(b - a))
                        gap = wp.min(wa / wp.length(c - b), most) * twice
                        albedo = albedo * (real(1.0) - real(0.6) * wp.clamp(real(1.2) - gap, real(0.0), real(1.0)))
                    if (known != kind[tri] or wp.dot(known_normal, flat) < real(0.9)
                            or wp.abs(known_reach - reached) > real(0.02) * reach):
                        known = kind[tri]
                        known_normal = flat
                        known_reach = reached
                        shadow = real(0.0)
                        if wp.dot(n, sun) > real(0.0):
                            shadow = lamp(key, axes, 0, p, flat, centre, reach, real(3.0), disc)
                        sky = open_sky(domes, axes, p, n, flat, centre, reach, disc)
                    colour = reflected(albedo, n, ray, sun, fill, shadow, sky)
                    if kind[tri] == palette.shape[0] - 1:
                        gone = smooth((wp.length(p - centre) / horizon - real(0.65)) / real(0.35))
                        colour = colour + (backdrop - colour) * gone
                elif below < real(1.0e29):
                    p = eye + ray * below
                    away = wp.length(p - vec3(centre[0], centre[1], floor)) / horizon
                    if away < real(1.0):
                        if known != -2:
                            known = wp.int32(-2)
                            shadow = real(1.0)
                            sky = real(1.0)
                            if away * horizon < reach * real(3.0):
                                shadow = lamp(key, axes, 0, p, zenith, centre, reach, real(6.0), disc)
                                sky = woven(carpet, (p[0] - centre[0]) / wide_floor, (p[1] - centre[1]) / wide_floor)
                        dark = real(0.28) * (real(1.0) - shadow) + real(0.6) * (real(1.0) - sky)
                        if ground == 1:  # a shadow in mid-air is a hint of depth, no more
                            dark *= real(0.6)
                        else:
                            dark += grid(p, spacing, below * real(2.0) * half / real(height), -ray[2]) + real(0.03)
                        stay = real(1.0) - smooth((away - real(0.35)) / real(0.65))
                        colour = backdrop * (real(1.0) - wp.min(dark, real(0.92)) * stay)
            total += colour
        image[i] = total / real(samples * samples)

    return locals()
