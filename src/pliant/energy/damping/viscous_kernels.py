"""The kernel that tells viscosity, at every point, which strain a step counts from."""

import functools
from types import SimpleNamespace

import warp as wp

from ...elements.base import Form
from ...material.laws.stvk import green
from ...runtime.build_lock import alone
from ...runtime.device import Types
from ..element_functions import element_functions


@alone
@functools.cache
def viscous_kernels(k: int, form: Form, precision: str) -> SimpleNamespace:
    """The kernel for elements with k nodes and one point; of one form."""
    t = Types(precision, f"viscous_{form.named(k)}")
    real, vec3, params = t.real, t.vec3, t.vector(7)
    of_element = element_functions(t, k, form)
    load, deformation = of_element.load, of_element.deformation

    @t.kernel
    def strain(
        start: int,
        # mesh:
        nodes: wp.array2d(dtype=wp.int32),
        grad: wp.array2d(dtype=vec3),
        scale: wp.array(dtype=real),
        # params:
        stiffness: real,
        # in:
        at: wp.array(dtype=t.position),
        anchor: wp.array(dtype=t.position),
        # out: (stiffness, E₀ as xx, yy, zz, xy, xz, yz)
        table: wp.array(dtype=params),
    ):
        e = start + wp.tid()
        F = deformation(load(anchor, nodes, e), grad, scale, e, 0)
        D = deformation(load(at, nodes, e), grad, scale, e, 0) - F
        E = green(F) - real(0.5) * wp.transpose(D) * D
        table[e] = params(stiffness, E[0, 0], E[1, 1], E[2, 2], E[0, 1], E[0, 2], E[1, 2])

    return SimpleNamespace(strain=strain)
