"""Element device functions: deformation gradients, and stresses back to corners.

Elements of any shape keep ∇N at each point; corner values are their differences from the last one. Cubic cells keep no more
than the places s of their points and c = 1/(4h), and their corner values are seven modes (trilinear.py).
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import warp as wp

from ..elements.base import Elements, Form
from ..linear.matrix.gather import FOLDED, fold_forces
from ..runtime.device import Device, Types
from .trilinear import trilinear_functions


def element_functions(t: Types, k: int, form: Form = Form.GENERAL) -> SimpleNamespace:
    """Functions of elements with k nodes of one form.

    ``load(x, nodes, e)`` gathers what F needs, a matrix of type ``differences``; ``deformation(U, grad, scale, e, g)`` is F
    at point g of positions and ``change`` that of directions, without what is constant in it; ``collect(P, grad, scale, e, g)``
    what a stress gives to the corners, of the same type; ``write(B, e, corner)`` stores the sum of it, and ``give(B, e, fold,
    corner)`` what is left of it when a block of threads has summed its own (linear/matrix/gather.py); ``gradient(grad,
    scale, e, g, i)`` is ∇Nᵢ. ``scale`` is 1/(4h) of each cubic cell.
    """
    kind = _cubic(t) if form is Form.CUBIC else _general(t, k)
    name = "cubic" if form is Form.CUBIC else f"general_{k}"
    made = {key: t.function(f"{key}_{name}", function) for key, function in kind.items()}
    made["change"] = made["deformation"]
    made["give"] = fold_forces(t) if folds(k, form) else _each_by_itself(t, k, made["write"])
    if form is Form.PLANE_STRAIN:
        made["deformation"] = t.function(f"deformation_plane_strain_{k}", _across(t, k, made["change"]))
    return SimpleNamespace(differences=t.matrix(k - 1, 3), **made)


def row_function(t: Types, params: type) -> wp.Function:
    """The function that finds the parameters of an element: its own row of a table, or the only one."""

    def row(table: wp.array(dtype=params), of: wp.array(dtype=wp.int32), e: int):
        r = int(0)
        if of.shape[0] > 1:
            r = of[e]
        return table[r]

    return t.function(f"row_{getattr(params, '_length_', 'number')}", row)


def folds(k: int, form: Form) -> bool:
    """Whether the blocks of threads of a GPU sum what such elements give to their corners."""
    return k == FOLDED and form is not Form.CUBIC


def on_device(device: Device, elements: Elements) -> tuple[wp.array, wp.array]:
    """What the functions take as ``grad`` and ``scale``."""
    t, (m, q, k, _) = device.types, elements.gradients.shape
    if elements.cubic:
        return device.array(elements.places.transpose(1, 0, 2), t.vec3), device.array(0.25 / elements.edges, t.real)
    grad = elements.gradients[:, :, :-1].reshape(m, q * (k - 1), 3)
    return device.array(grad.transpose(1, 0, 2), t.vec3), device.array(np.zeros(1), t.real)


def _each_by_itself(t: Types, k: int, write: wp.Function) -> wp.Function:
    differences, vectors = t.matrix(k - 1, 3), wp.array2d(dtype=t.vec3)

    def give(B: differences, e: int, fold: wp.array(dtype=wp.int32), corner: vectors):
        write(B, e, corner)

    return t.function(f"give_{write.key}", give)


def _general(t: Types, k: int) -> dict:
    real, vec3, mat33, differences = t.real, t.vec3, t.mat33, t.matrix(k - 1, 3)
    last = k - 1
    nodes_, vectors, reals = wp.array2d(dtype=wp.int32), wp.array2d(dtype=vec3), wp.array(dtype=real)

    def load(x: wp.array(dtype=Any), nodes: nodes_, e: int):
        """xᵢ − x of the last node, of positions or of directions."""
        U = differences()
        base = x[nodes[last, e]]
        for i in range(last):
            U[i] = vec3(x[nodes[i, e]] - base)
        return U

    def deformation(U: differences, grad: vectors, scale: reals, e: int, g: int):
        """F = Σ (xᵢ − x_last) ⊗ ∇Nᵢ at quadrature point g."""
        F = wp.outer(U[0], grad[g * last, e])
        for i in range(1, last):
            F += wp.outer(U[i], grad[g * last + i, e])
        return F

    def collect(P: mat33, grad: vectors, scale: reals, e: int, g: int):
        """P ∇Nᵢ of all corners but the last."""
        B = differences()
        for i in range(last):
            B[i] = P * grad[g * last + i, e]
        return B

    def write(B: differences, e: int, corner: vectors):
        """The last corner takes the balance."""
        rest = vec3()
        for i in range(last):
            corner[i, e] = B[i]
            rest -= B[i]
        corner[last, e] = rest

    def gradient(grad: vectors, scale: reals, e: int, g: int, i: int):
        """∇Nᵢ at quadrature point g; the last one is minus the sum of the others."""
        a = vec3()
        if i < last:
            a = grad[g * last + i, e]
        else:
            for j in range(last):
                a -= grad[g * last + j, e]
        return a

    return {"load": load, "deformation": deformation, "collect": collect, "write": write, "gradient": gradient}


def _across(t: Types, k: int, change: wp.Function) -> Callable:
    real, vec3, differences = t.real, t.vec3, t.matrix(k - 1, 3)
    vectors, reals = wp.array2d(dtype=vec3), wp.array(dtype=real)

    def deformation(U: differences, grad: vectors, scale: reals, e: int, g: int):
        """F of nodes that stay in a plane z = constant: 1 across it."""
        F = change(U, grad, scale, e, g)
        F[2, 2] = F[2, 2] + real(1.0)
        return F

    return deformation


def _cubic(t: Types) -> dict:
    real, vec3, mat33, cell = t.real, t.vec3, t.mat33, trilinear_functions(t)
    differences = t.matrix(7, 3)
    nodes_, vectors, reals = wp.array2d(dtype=wp.int32), wp.array2d(dtype=vec3), wp.array(dtype=real)

    def load(x: wp.array(dtype=Any), nodes: nodes_, e: int):
        return cell.modes(
            x[nodes[0, e]],
            x[nodes[1, e]],
            x[nodes[2, e]],
            x[nodes[3, e]],
            x[nodes[4, e]],
            x[nodes[5, e]],
            x[nodes[6, e]],
            x[nodes[7, e]],
        )

    def deformation(U: differences, points: vectors, scale: reals, e: int, g: int):
        return cell.deformation(U, points[g, e], scale[e])

    def collect(P: mat33, points: vectors, scale: reals, e: int, g: int):
        return cell.collect(P, points[g, e], scale[e])

    def write(B: differences, e: int, corner: vectors):
        cell.corner_forces(B, e, corner)

    def gradient(points: vectors, scale: reals, e: int, g: int, i: int):
        return cell.gradient(i, points[g, e], scale[e])

    return {"load": load, "deformation": deformation, "collect": collect, "write": write, "gradient": gradient}
