"""Kernels of explicit steps, and transposes of scheme rows."""

import warp as wp

from ..runtime.device import family


@family
def explicit_kernels(t):
    real, vectors = t.real, wp.array(dtype=t.vec3)

    @t.kernel
    def accelerate(start: int, mass: wp.array(dtype=real), out: vectors):
        """out = −out/m: the acceleration that a gradient stands for."""
        i = start + wp.tid()
        out[i] = -(out[i] / mass[i])

    return locals()


@family
def transposed_kernels(t):
    """The step backwards, a module of its own: runs that are not differentiated never need it."""
    real, vec3 = t.real, t.vec3
    vectors, positions, back = wp.array(dtype=vec3), wp.array(dtype=t.position), t.matrix(5, 3)

    @t.kernel
    def add_transposed(
        start: int,
        # params: coefficients
        columns: back,
        # in: adjoints of three rows
        first: vectors, second: vectors, third: vectors,
        # out:
        x: positions, v: vectors, a: vectors, x_before: positions, v_before: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        p, q, r = first[i], second[i], third[i]
        x[i] = x[i] + t.position(columns[0, 0] * p) + t.position(columns[0, 1] * q) + t.position(columns[0, 2] * r)
        v[i] = v[i] + columns[1, 0] * p + columns[1, 1] * q + columns[1, 2] * r
        a[i] = a[i] + columns[2, 0] * p + columns[2, 1] * q + columns[2, 2] * r
        x_before[i] = x_before[i] + t.position(columns[3, 0] * p) + t.position(columns[3, 1] * q) + t.position(columns[3, 2] * r)
        v_before[i] = v_before[i] + columns[4, 0] * p + columns[4, 1] * q + columns[4, 2] * r

    @t.kernel
    def add_column(
        start: int,
        # params: coefficients
        c: real, d: real, e: real,
        # in: adjoints of three rows
        first: vectors, second: vectors, third: vectors,
        # out:
        z: vectors,
    ):  # fmt: skip
        i = start + wp.tid()
        z[i] = z[i] + c * first[i] + d * second[i] + e * third[i]

    return locals()
