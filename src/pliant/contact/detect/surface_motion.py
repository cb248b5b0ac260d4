"""Motion of a scene's surface in a step, as kernels take it."""

import functools
from types import SimpleNamespace

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types


@alone
@functools.cache
def skin_structs(precision: str) -> SimpleNamespace:
    """The surface of a scene with its trees and stiffness, and its motion in a step."""
    t = Types(precision, "skin_structs")
    struct = functools.partial(wp.struct, module=t.module)
    ints, reals, points = wp.array(dtype=wp.int32), wp.array(dtype=t.real), wp.array(dtype=t.vec3)
    table = wp.array2d(dtype=wp.int32)

    @struct
    class Skin:
        faces: table  # corners
        rings: ints  # of faces: where those around begin in the next
        ring: ints
        starts: ints  # of points: where the faces around begin in the next
        lists: ints
        edges: table
        wings: table  # of edges: the corners across from them in the faces beside them, −1 for none
        slots: ints  # of points
        edge_slots: ints
        body: ints  # of points
        part: ints  # of bodies
        scene: ints
        closed: ints  # whether it has an interior
        itself: ints  # whether its parts touch each other
        group: ints
        grip: wp.array2d(dtype=t.real)  # friction of groups of bodies, −1 of those that pass through each other
        meshes: wp.array(dtype=wp.uint64)  # trees of the faces of each body
        first_face: ints  # of each body
        opened: ints  # of points: whether they coincide with others at rest
        rest: points
        thickness: reals
        size: reals  # of bodies: their usual edge
        modulus: reals  # of bodies
        length: reals  # of points

    @struct
    class Motion:
        begun: points  # where the step begins, and where it is expected to end
        x: points
        normals: points  # there
        low: points  # of bodies: their boxes, mean motion, and largest motion of a point
        high: points
        ways: points
        far: reals

    return SimpleNamespace(Skin=Skin, Motion=Motion)


def look_functions(t: Types) -> SimpleNamespace:
    """Device functions of faces, and of which bodies search each other."""
    real, vec3, points = t.real, t.vec3, wp.array(dtype=t.vec3)
    Skin = skin_structs(t.precision).Skin

    @wp.func(module=t.module)
    def single(x: vec3) -> wp.vec3:
        return wp.vec3(wp.float32(x[0]), wp.float32(x[1]), wp.float32(x[2]))

    @wp.func(module=t.module)
    def face_normal(f: int, skin: Skin, x: points) -> vec3:
        a = x[skin.faces[f, 0]]
        n = wp.cross(x[skin.faces[f, 1]] - a, x[skin.faces[f, 2]] - a)
        size = wp.length(n)
        if size > real(0.0):
            n = n / size
        return n

    @wp.func(module=t.module)
    def meets(b: int, o: int, skin: Skin) -> bool:
        """Whether two bodies may touch."""
        return skin.scene[o] == skin.scene[b] and skin.grip[skin.group[b], skin.group[o]] >= real(0.0)

    return SimpleNamespace(single=single, face_normal=face_normal, meets=meets)
