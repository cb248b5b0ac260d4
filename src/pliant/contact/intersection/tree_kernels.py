"""Tree structs of surface pieces for kernels, and their present boxes."""

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Device, Types
from .surface_pieces import Pieces

DIAGONALS = 4  # of a cube


@alone
@functools.cache
def tree_structs(precision: str) -> SimpleNamespace:
    """Structures of arrays."""
    t = Types(precision, "tree_structs")
    struct = functools.partial(wp.struct, module=t.module)
    ints, quads, corners = wp.array(dtype=wp.int32), wp.array(dtype=wp.vec4i), wp.array(dtype=wp.vec3)
    bounds4, diagonals = wp.array(dtype=wp.vec4f), wp.array(dtype=wp.types.vector(DIAGONALS, wp.float32))

    @struct
    class Trees:
        cells: quads  # nodes of each tet with pieces; the root of its tree has its number
        body: ints  # of tets
        begins: ints  # the tets of each body
        first: ints  # of nodes of trees: their first triangle in the order, how many, and the first of two children
        count: ints
        child: ints
        low: bounds4
        high: bounds4
        order: ints  # triangles
        inner: wp.array(dtype=wp.vec2i)  # first triangle and number of those with children, each before those below it
        triangles: wp.array(dtype=wp.vec3i)  # corners
        corner_starts: ints  # of tets: where their corners begin in the next
        corner_lists: ints
        nodes: quads  # of corners, with weights
        weights: wp.array(dtype=t.vec4)
        nudge: wp.array(dtype=t.vec3)

    @struct
    class Boxes:
        lower: corners  # of tets, with their extents along diagonals
        upper: corners
        least: diagonals
        most: diagonals
        below: corners  # of bodies
        above: corners
        triangle_low: corners  # of triangles in their order
        triangle_high: corners
        node_low: corners  # of nodes with children
        node_high: corners

    return SimpleNamespace(Trees=Trees, Boxes=Boxes)


def uploaded(pieces: Pieces, device: Device) -> Any:
    """The trees of pieces on a device."""
    known, out, ints = pieces.trees, tree_structs("f64").Trees(), lambda values: device.array(values, wp.int32)
    out.cells, out.body = device.array(pieces.tets[known.tets], wp.vec4i), ints(pieces.cell_body)
    out.begins = ints(np.searchsorted(pieces.cell_body, np.arange(pieces.bodies + 1)))
    out.first, out.count, out.child, out.order = map(ints, (known.first, known.count, known.child, known.order))
    out.low, out.high = device.array(known.low, wp.vec4f), device.array(known.high, wp.vec4f)
    out.inner, out.triangles = device.array(known.inner, wp.vec2i), device.array(pieces.triangles, wp.vec3i)
    out.corner_starts, out.corner_lists = map(ints, pieces.cell_corners)
    out.nodes, out.weights = device.array(pieces.nodes, wp.vec4i), device.array(pieces.weights, wp.vec4d)
    out.nudge = device.array(pieces.nudge, device.types.position)
    return out


def boxes_of(pieces: Pieces, device: Device) -> Any:
    """Arrays for their boxes."""
    out, four = tree_structs("f64").Boxes(), wp.types.vector(DIAGONALS, wp.float32)
    room = lambda count, *names: [setattr(out, name, device.zeros(count, wp.vec3)) for name in names]
    tets, triangles = len(pieces.trees.tets), len(pieces.trees.order)
    room(tets, "lower", "upper")
    room(pieces.bodies, "below", "above")
    room(triangles, "triangle_low", "triangle_high", "node_low", "node_high")
    out.least, out.most = device.zeros(tets, four), device.zeros(tets, four)
    return out


def span_function(t: Types) -> Any:
    """The extent of a box of barycentric coordinates along an axis."""
    real, vec2, vec4 = t.real, t.vec2, t.vec4
    one = real(1.0)

    @wp.func(module=t.module)
    def span(p: vec4, low: wp.vec4f, high: wp.vec4f) -> vec2:
        """Between what and what Σ bᵢpᵢ lies for barycentric coordinates low ≤ b ≤ high."""
        l = vec4(real(low[0]), real(low[1]), real(low[2]), real(low[3]))
        u = vec4(real(high[0]), real(high[1]), real(high[2]), real(high[3]))
        least, most = wp.min(p), wp.max(p)
        at_low, at_high = wp.dot(l, p), wp.dot(u, p)
        free_low = one - (l[0] + l[1] + l[2] + l[3])
        free_high = one - (u[0] + u[1] + u[2] + u[3])
        lower = wp.max(at_low + free_low * least, at_high + free_high * most)
        upper = wp.min(at_low + free_low * most, at_high + free_high * least)
        return vec2(lower, upper)

    return span
