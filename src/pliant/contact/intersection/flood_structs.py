"""What kernels that trace curves and flood what they bound have in common: surfaces, curves, sheets and what is inside.

All numbers of things are known on the device only; where there are more than there is room for, ``needs`` tells, and what
follows sees none.
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types

# in ``numbers``, as far as there is room, and in ``needs``
CELLS, PAIRS, GROUPS, SLOTS, WIDTH, REGIONS, ROWS, PIERCINGS = range(8)
# in ``needs`` only: tets near a tet, pairs of triangles of a pair of tets, regions in a patch; curves, open ends
NEAR, ROOM, WAYS, CURVES = range(8, 12)
COUNTS = 12
TANGLED, BALANCED = 1, 2  # kinds of regions
ITSELF = 1 << 24  # added to the body that a ray is to hit where it comes from there


@alone
@functools.cache
def flood_structs() -> SimpleNamespace:
    """Structures of arrays."""
    t = Types("f64", "flood_structs")
    struct = functools.partial(wp.struct, module=t.module)
    seven = wp.types.vector(7, wp.float64)
    ints, twos, threes, fours = (wp.array(dtype=kind) for kind in (wp.int32, wp.vec2i, wp.vec3i, wp.vec4i))
    reals, points, quads = (wp.array(dtype=kind) for kind in (wp.float64, wp.vec3d, wp.vec4d))
    sevens: Any = wp.array(dtype=seven)

    @struct
    class Mesh:
        triangles: threes  # corners
        sides: threes  # edges
        edges: twos  # lower and upper corner
        patch: ints  # of triangles
        patch_first: ints  # triangle, with the end
        patch_nodes: fours  # of the tet
        bounds: ints  # the patches of each body
        width: ints  # of patches: the largest of the numbers of their triangles, edges and corners
        edge_starts: ints  # of patches
        edge_ends: twos  # corners of edges of patches, counted in these
        corner: ints  # the first one of each triangle, counted in its patch
        side_places: threes  # the sides of each triangle, counted in its patch
        place_starts: ints  # of edges: in which patches they are, and where
        places: twos
        shared_starts: ints  # of patches: corners that they share, the other patch, and which one it is there
        shared: threes
        near_starts: ints  # of patches: others of greater number with an edge in common
        near: ints
        measures: sevens  # of triangles
        patch_measures: sevens
        corners: quads  # three for each triangle, in their tets
        area: reals  # of triangles, at rest

    @struct
    class Curves:
        numbers: ints
        needs: ints
        pairs: threes  # of triangles, and the number of their pair of bodies
        chosen: twos  # which of the sides of both triangles go through the other
        along: wp.array(dtype=wp.vec2d)  # and where
        entries: twos  # two of each pair: an edge, and the triangle that it goes through
        table: ints  # entries by what they are
        spot: ints  # of entries in the table
        least: ints  # of the table: the first entry that is the same
        times: ints  # and how many are
        flags: ints
        ranks: ints  # how many flags there are up to each
        piercing: ints  # of entries
        marks: fours  # of piercings: edge, triangle, +1 where it enters and −1 where it leaves, sheet
        at: quads  # of piercings: where, and how far along the edge
        segments: twos  # of pairs, between piercings

    @struct
    class Floods:
        bodies: twos  # of groups
        sheet_ends: ints  # slots of each sheet and all before it
        loose: ints  # of groups: ends that meet nothing
        conflicts: ints  # of groups: words of curves that others contradict
        sheet: ints  # of slots
        touched: ints
        widths: ints
        slot_ends: ints
        hung: fours  # of piercings: place of the edge, nodes of its ends, and link
        edge_head: ints  # links of piercings by places of edges
        edge_next: ints
        triangle_head: ints  # links of pairs by places of triangles
        triangle_next: ints
        above: ints  # of nodes: piercings, then corners of touched slots, then slots
        tops: ints
        joined: ints  # the same for regions
        regions: ints
        votes: ints  # two of each node: inside, outside
        group: ints  # of nodes that something is said of

    @struct
    class Parts:
        region: ints  # of places of triangles, −1 for none
        wrong: ints
        area: points  # cut off from triangles
        moment: quads
        count: ints  # of what follows: of each chunk of a slot
        which: fours  # region, triangles wholly inside, triangles with sides that disagree, whole patches
        factors: points
        loose: points
        sums: quads

    @struct
    class Rows:
        counts: ints  # of slots
        ends: ints
        which: fours  # sheet, region, patch, triangles
        more: twos  # triangles with sides that disagree, whole patches
        area: points
        middle: quads
        facing: reals
        origin: points
        way: points
        target: ints
        areas: points  # two of each region
        normal: points
        kind: ints
        group: ints

    return SimpleNamespace(Mesh=Mesh, Curves=Curves, Floods=Floods, Parts=Parts, Rows=Rows, seven=seven)
