"""Kernels that measure patches, triangles and slices inside other bodies.

Cut-off areas are boundary sums, over the inner parts of the sides of the triangle and segments of curves,
so that no polygon is built. Sums run in a fixed order: triangles of a slot in chunks, then the chunks.
"""

from types import SimpleNamespace

import warp as wp

from ...runtime.device import Types, family
from .flood_structs import BALANCED, ITSELF, REGIONS, ROWS, SLOTS, TANGLED, WAYS, flood_structs

LEAST_SHARE = 0.1  # of its areas that the vector area of a region must have, to be a normal


def slot_functions(t: Types) -> SimpleNamespace:
    """Slots, and sums of what is inside."""
    own = flood_structs()
    Mesh, Floods, Parts = own.Mesh, own.Floods, own.Parts

    @wp.func(module=t.module)
    def inside(node: int, floods: Floods) -> bool:
        part = floods.tops[node]
        return floods.votes[2 * part] > floods.votes[2 * part + 1]

    @wp.func(module=t.module)
    def patch_of(slot: int, mesh: Mesh, floods: Floods) -> int:
        sheet = floods.sheet[slot]
        begin = int(0)
        if sheet > 0:
            begin = floods.sheet_ends[sheet - 1]
        return slot - begin + mesh.bounds[floods.bodies[sheet // 2][sheet % 2]]

    @wp.func(module=t.module)
    def add(parts: Parts, room: int, own: int, which: wp.vec4i, factors: wp.vec3d, loose: wp.vec3d, sums: wp.vec4d):
        """Add what belongs to a region to that of a chunk."""
        n = parts.count[own]
        place = int(-1)
        for k in range(wp.min(n, room)):
            if parts.which[own * room + k][0] == which[0]:
                place = own * room + k
        if place >= 0:
            old = parts.which[place]
            parts.which[place] = wp.vec4i(which[0], old[1] + which[1], old[2] + which[2], old[3] + which[3])
            parts.factors[place] = parts.factors[place] + factors
            parts.loose[place] = parts.loose[place] + loose
            parts.sums[place] = parts.sums[place] + sums
        else:
            if n < room:
                place = own * room + n
                parts.which[place] = which
                parts.factors[place] = factors
                parts.loose[place] = loose
                parts.sums[place] = sums
            parts.count[own] = n + 1

    return SimpleNamespace(inside=inside, patch_of=patch_of, add=add)


def triangle_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Kernels of the parts cut off triangles."""
    own = flood_structs()
    Mesh, Curves, Floods, Parts, points = own.Mesh, own.Curves, own.Floods, own.Parts, wp.array(dtype=wp.vec3d)
    zero, one, two, half = wp.float64(0.0), wp.float64(1.0), wp.float64(2.0), wp.float64(0.5)
    third, tiny, inside, patch_of = wp.float64(1.0 / 3.0), wp.float64(1.0e-300), of.inside, of.patch_of

    @wp.func(module=t.module)
    def within(value: wp.float64) -> wp.float64:
        return wp.clamp(value, zero, one)

    @t.kernel
    def slice_triangles(
        start: int,
        # params: threads that share a slot, patches of an edge at most, and where nodes of corners begin
        lanes: int, most: int, first: int,
        # mesh:
        mesh: Mesh,
        # in:
        at: points, curves: Curves, floods: Floods,
        # out: the region of each triangle that is inside or cut, and what is cut off
        parts: Parts,
    ):  # fmt: skip
        slot = (start + wp.tid()) // lanes
        if slot < curves.numbers[SLOTS]:  # noqa: SIM102 (kernels compute both sides of "and")
            if floods.touched[slot] != 0:
                patch = patch_of(slot, mesh, floods)
                begin = floods.slot_ends[slot] - floods.widths[slot]
                s = mesh.patch_first[patch] + (start + wp.tid()) % lanes
                while s < mesh.patch_first[patch + 1]:
                    place = begin + s - mesh.patch_first[patch]
                    region = int(-1)
                    link = int(floods.triangle_head[place])
                    if link < 0:
                        node = first + begin + mesh.corner[s]
                        if inside(node, floods):
                            region = curves.ranks[floods.regions[node]] - 1
                    else:
                        region = curves.ranks[floods.regions[curves.segments[link // 2][0]]] - 1
                        wrong = int(0)
                        c = mesh.triangles[s]
                        p = at[c[0]]
                        u, v = at[c[1]] - p, at[c[2]] - p
                        n = wp.cross(u, v)
                        square, size = wp.max(wp.dot(n, n), tiny), wp.max(wp.length(n), tiny)
                        b0 = mesh.corners[3 * s]
                        du, dv = mesh.corners[3 * s + 1] - b0, mesh.corners[3 * s + 2] - b0
                        area = wp.vec3d()
                        moment = wp.vec4d()
                        sides = int(3)
                        for k in range(sides):
                            # what is inside of the side: ∫ dλ and ∫ 2λ dλ from the lower end on
                            j = (k + 1) % 3
                            where = mesh.side_places[s][k]
                            ends = mesh.edge_ends[mesh.edge_starts[patch] + where]
                            upper = inside(first + begin + ends[1], floods)
                            share = wp.where(upper, one, zero)
                            q = wp.where(upper, one, zero)
                            sign = wp.where(upper, 1, 0)
                            hook = int(floods.edge_head[begin + where])
                            while hook >= 0:
                                i = hook // most
                                enters = curves.marks[i][2]
                                lam = curves.at[i][3]
                                share -= wp.float64(enters) * lam
                                q -= wp.float64(enters) * lam * lam
                                sign -= enters
                                hook = int(floods.edge_next[hook])
                            if sign != wp.where(inside(first + begin + ends[0], floods), 1, 0):
                                wrong = 1
                            if c[k] > c[j]:
                                q = two * share - q
                            a, b = mesh.corners[3 * s + k], mesh.corners[3 * s + j]
                            turned = half * wp.cross(at[c[k]] - p, at[c[j]] - at[c[k]])
                            area += share * turned
                            moment += wp.dot(turned, n) / size * third * ((b0 + two * a) * share + (b - a) * q)
                        while link >= 0:
                            # segments run the other way round on their second triangles
                            ends = curves.segments[link // 2]
                            h, g = curves.at[ends[link % 2]], curves.at[ends[1 - link % 2]]
                            e, f = wp.vec3d(h[0], h[1], h[2]) - p, wp.vec3d(g[0], g[1], g[2]) - p
                            turned = half * wp.cross(e, f)
                            # coordinates of both ends along the two sides
                            r = within(wp.dot(wp.cross(e, v), n) / square) + within(wp.dot(wp.cross(f, v), n) / square)
                            w = within(wp.dot(wp.cross(u, e), n) / square) + within(wp.dot(wp.cross(u, f), n) / square)
                            area += turned
                            moment += wp.dot(turned, n) / size * third * (wp.float64(3.0) * b0 + r * du + w * dv)
                            link = int(floods.triangle_next[link])
                        parts.area[place] = area
                        parts.moment[place] = two * mesh.area[s] / size * moment
                        parts.wrong[place] = wrong
                    parts.region[place] = region
                    s += lanes

    return SimpleNamespace(slice_triangles=slice_triangles)


def chunk_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Sums over slots."""
    own = flood_structs()
    Mesh, Curves, Floods, Parts, Rows, inside = own.Mesh, own.Curves, own.Floods, own.Parts, own.Rows, of.inside
    patch_of, add = of.patch_of, of.add

    @t.kernel
    def sum_chunks(
        start: int,
        # params: chunks of a slot, regions that there is room for in each, where nodes of slots begin
        chunks: int, room: int, plain: int,
        # mesh:
        mesh: Mesh,
        # in:
        curves: Curves, floods: Floods,
        # out:
        parts: Parts,
    ):  # fmt: skip
        """What of each chunk is inside: (A.4) factors of vector areas, what is cut off, and places times areas at rest."""
        own = start + wp.tid()
        slot, chunk = own // chunks, own % chunks
        if slot < curves.numbers[SLOTS]:
            parts.count[own] = 0
            patch = patch_of(slot, mesh, floods)
            none = wp.vec3d()
            if floods.touched[slot] == 0:
                if chunk == 0 and inside(plain + slot, floods):
                    m = mesh.patch_measures[patch]
                    region = curves.ranks[floods.regions[plain + slot]] - 1
                    number = mesh.patch_first[patch + 1] - mesh.patch_first[patch]
                    which = wp.vec4i(region, number, 0, 1)
                    add(parts, room, own, which, wp.vec3d(m[0], m[1], m[2]), none, wp.vec4d(m[3], m[4], m[5], m[6]))
            else:
                begin = floods.slot_ends[slot] - floods.widths[slot]
                first = mesh.patch_first[patch]
                number = mesh.patch_first[patch + 1] - first
                which = wp.vec4i(-1, 0, 0, 0)
                factors, loose, sums = wp.vec3d(), wp.vec3d(), wp.vec4d()
                for k in range(number * chunk // chunks, number * (chunk + 1) // chunks):
                    region = parts.region[begin + k]
                    if region >= 0:
                        if region != which[0]:
                            if which[0] >= 0:
                                add(parts, room, own, which, factors, loose, sums)
                            which = wp.vec4i(region, 0, 0, 0)
                            factors = wp.vec3d()
                            loose = wp.vec3d()
                            sums = wp.vec4d()
                        if floods.triangle_head[begin + k] < 0:
                            m = mesh.measures[first + k]
                            factors += wp.vec3d(m[0], m[1], m[2])
                            sums += wp.vec4d(m[3], m[4], m[5], m[6])
                            which[1] = which[1] + 1
                        else:
                            loose += parts.area[begin + k]
                            sums += parts.moment[begin + k]
                            which[2] = which[2] + parts.wrong[begin + k]
                if which[0] >= 0:
                    add(parts, room, own, which, factors, loose, sums)

    @t.kernel
    def merge_chunks(start: int, chunks: int, room: int, curves: Curves, parts: Parts, rows: Rows):
        """All of a slot in its first chunk."""
        slot = start + wp.tid()
        rows.counts[slot] = 0
        if slot < curves.numbers[SLOTS]:
            own = slot * chunks
            widest = int(parts.count[own])
            for chunk in range(1, chunks):
                other = own + chunk
                n = parts.count[other]
                widest = wp.max(widest, n)
                for k in range(wp.min(n, room)):
                    i = other * room + k
                    add(parts, room, own, parts.which[i], parts.factors[i], parts.loose[i], parts.sums[i])
            widest = wp.max(widest, parts.count[own])
            if widest > room:
                wp.atomic_max(curves.needs, WAYS, widest)
            rows.counts[slot] = wp.min(parts.count[own], room)

    return SimpleNamespace(sum_chunks=sum_chunks, merge_chunks=merge_chunks)


def patch_kernels(t: Types, of: SimpleNamespace) -> SimpleNamespace:
    """Kernels of the inner part of each patch, and the origin of its ray."""
    own = flood_structs()
    Mesh, Curves, Floods, Parts, Rows = own.Mesh, own.Curves, own.Floods, own.Parts, own.Rows
    points, zero, patch_of = wp.array(dtype=wp.vec3d), wp.float64(0.0), of.patch_of

    @t.kernel
    def write_rows(
        start: int, chunks: int, room: int, mesh: Mesh, x: points, curves: Curves, floods: Floods, parts: Parts,
        rows: Rows,
    ):  # fmt: skip
        """What is inside of each patch, by region."""
        slot = start + wp.tid()
        total = rows.ends[rows.ends.shape[0] - 1]
        regions = curves.ranks[curves.ranks.shape[0] - 1]
        fits = total <= rows.which.shape[0] and regions <= rows.kind.shape[0]
        if slot == 0:
            curves.needs[ROWS] = total
            curves.needs[REGIONS] = wp.where(curves.numbers[SLOTS] > 0, regions, 0)
            curves.numbers[ROWS] = wp.where(fits, total, 0)
            curves.numbers[REGIONS] = wp.where(fits and total > 0, regions, 0)
        if fits and slot < curves.numbers[SLOTS] and rows.counts[slot] > 0:
            patch = patch_of(slot, mesh, floods)
            for k in range(rows.counts[slot]):
                i, r = slot * chunks * room + k, rows.ends[slot] - rows.counts[slot] + k
                which = parts.which[i]
                rows.which[r] = wp.vec4i(floods.sheet[slot], which[0], patch, which[1])
                rows.more[r] = wp.vec2i(which[2], which[3])
                rows.group[which[0]] = floods.sheet[slot] // 2
                q, f = mesh.patch_nodes[patch], parts.factors[i]
                p = x[q[0]]
                a, b, c = x[q[1]] - p, x[q[2]] - p, x[q[3]] - p
                rows.area[r] = f[0] * wp.cross(b, c) + f[1] * wp.cross(c, a) + f[2] * wp.cross(a, b) + parts.loose[i]
                s = parts.sums[i]
                s = wp.vec4d(wp.max(s[0], zero), wp.max(s[1], zero), wp.max(s[2], zero), wp.max(s[3], zero))
                whole = s[0] + s[1] + s[2] + s[3]
                quarter = wp.float64(0.25)
                middle = wp.vec4d(quarter, quarter, quarter, quarter)
                if whole > zero:
                    middle = s / whole
                rows.middle[r] = middle

    @t.kernel
    def aim(start: int, mesh: Mesh, x: points, curves: Curves, rows: Rows):
        r = start + wp.tid()
        if r < curves.numbers[ROWS]:
            q, m = mesh.patch_nodes[rows.which[r][2]], rows.middle[r]
            rows.origin[r] = m[0] * x[q[0]] + m[1] * x[q[1]] + m[2] * x[q[2]] + m[3] * x[q[3]]
        else:
            rows.target[r] = -1

    return SimpleNamespace(write_rows=write_rows, aim=aim)


def region_kernels(t: Types) -> SimpleNamespace:
    """Normals of regions."""
    own = flood_structs()
    Curves, Floods, Rows, zero, one = own.Curves, own.Floods, own.Rows, wp.float64(0.0), wp.float64(1.0)

    @t.kernel
    def sum_regions(start: int, curves: Curves, floods: Floods, rows: Rows):
        """Vector areas and normals, which way patches face, and where their rays go."""
        region = start + wp.tid()
        if region < curves.numbers[REGIONS]:
            # rows of its pair of bodies follow each other
            group = rows.group[region]
            slot = int(0)
            if group > 0:
                slot = floods.sheet_ends[2 * group - 1]
            first, last = rows.ends[slot] - rows.counts[slot], rows.ends[floods.sheet_ends[2 * group + 1] - 1]
            one_area, other_area = wp.vec3d(), wp.vec3d()
            whole = wp.float64(0.0)
            for r in range(first, last):
                which = rows.which[r]
                if which[1] == region:
                    whole += wp.length(rows.area[r])
                    if which[0] % 2 == 0:
                        one_area += rows.area[r]
                    else:
                        other_area += rows.area[r]
            wrong = floods.loose[group] + floods.conflicts[group]
            for r in range(first, last):
                wrong += rows.more[r][0]
            total = one_area - other_area
            size = wp.length(total)
            kind = int(0)
            if wrong > 0:
                kind = TANGLED
            elif size < wp.float64(LEAST_SHARE) * whole or size == zero:
                kind = BALANCED
            normal = total / wp.where(size > zero, size, one)
            rows.areas[2 * region] = one_area
            rows.areas[2 * region + 1] = other_area
            rows.normal[region] = normal
            rows.kind[region] = kind
            one_most, other_most = wp.float64(1.0e-300), wp.float64(1.0e-300)
            for r in range(first, last):
                if rows.which[r][1] == region:
                    facing = wp.dot(rows.area[r], normal)
                    if rows.which[r][0] % 2 == 0:
                        one_most = wp.max(one_most, wp.abs(facing))
                    else:
                        other_most = wp.max(other_most, wp.abs(facing))
            for r in range(first, last):
                if rows.which[r][1] == region:
                    side = rows.which[r][0] % 2
                    out = wp.where(side == 0, normal, -normal)
                    facing = wp.dot(rows.area[r], out)
                    rows.facing[r] = facing
                    rows.way[r] = -out
                    target = floods.bodies[group][1 - side]
                    if target == floods.bodies[group][side]:  # all of it is on either sheet
                        target = wp.where(side == 0, target + ITSELF, -1)
                    if kind != 0 or facing <= wp.float64(1.0e-6) * wp.where(side == 0, one_most, other_most):
                        target = -1
                    rows.target[r] = target

    return SimpleNamespace(sum_regions=sum_regions)


@family
def slice_kernels(t):
    of = slot_functions(t)
    return vars(triangle_kernels(t, of)) | vars(chunk_kernels(t, of)) | vars(patch_kernels(t, of)) | vars(region_kernels(t))
