"""Pairs of a barrier, as kernels take them."""

import functools
from types import SimpleNamespace

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types


@alone
@functools.cache
def barrier_structs(precision: str) -> SimpleNamespace:
    t = Types(precision, "barrier_structs")
    struct, ints = functools.partial(wp.struct, module=t.module), wp.array(dtype=wp.int32)
    quads, shares = wp.array(dtype=wp.vec4i), wp.array(dtype=t.vec4)
    points, reals = wp.array(dtype=t.vec3), wp.array(dtype=t.real)

    @struct
    class Mesh:  # pairs, and what the points and edges of a surface that they are of stand for
        kinds: ints
        items: wp.array(dtype=wp.vec2i)
        rest: points
        area: reals  # of points
        edge_area: reals
        thickness: reals  # of points
        pressure: reals
        reaches: reals  # of pairs

    @struct
    class Pressing:  # pairs, and which of them press
        order: ints
        pairs: quads
        kinds: ints
        items: wp.array(dtype=wp.vec2i)
        weight: shares
        normals: points
        press: reals

    @struct
    class Rubbing:  # what pairs are that pressed where the step began
        pairs: quads
        weight: shares
        normals: points
        press: reals
        names: wp.array(dtype=wp.vec3i)  # kinds and items
        anchored: points  # slips at which they were held where the step before ended
        begun: points  # where the points were

    @struct
    class Predicted:  # linear constraints of the direction of a step
        pairs: quads
        weight: shares
        normal: points
        slack: reals  # gaps less what is left of them
        firm: reals  # stiffness
        pressing: ints  # whether they press

    return SimpleNamespace(Mesh=Mesh, Pressing=Pressing, Rubbing=Rubbing, Predicted=Predicted)
