"""Forces of pairs of points, as the table of contacts has them."""

import numpy as np

from ...energy.contact_forces import Pressed
from ...energy.contact_totals import FAR
from .contact_surface import Surface
from .point_pairs import places


def pressed_pairs(
    surface: Surface, quads: np.ndarray, weights: np.ndarray, pressing: np.ndarray, friction: np.ndarray,
    gaps: np.ndarray, normals: np.ndarray,
) -> Pressed:  # fmt: skip
    """Pairs (c, 4) of points with weights and forces (c, 3) on their first sides [N], by nodes."""
    nodes = surface.nodes[quads].reshape(len(quads), 4 * surface.nodes.shape[1])
    shares = (weights[:, :, None] * surface.weights[quads]).reshape(nodes.shape)
    return Pressed.of(nodes, shares, pressing, friction, gaps, normals)


def pressed_and_rubbed(
    surface: Surface, quads: np.ndarray, weight: np.ndarray, normal: np.ndarray, press: np.ndarray, gap: np.ndarray,
    rubbed: np.ndarray, rub_weight: np.ndarray, rub_normal: np.ndarray, given: np.ndarray,
) -> Pressed:  # fmt: skip
    """Pairs that press where a step ended, with the friction of those that pressed as it began, which may be all that is left.

    ``given`` (4, c, 3) is the gradient of friction at the points of the pairs ``rubbed`` (c, 4)."""
    drag = -np.einsum("ci,ick->ck", rub_weight > 0, given)
    at, friction = places(rubbed, quads), np.zeros((len(quads), 3))
    here = (at >= 0) & (press[at] > 0) if len(quads) else np.zeros(len(at), bool)
    friction[at[here]], left = drag[here], ~here
    none, far = np.zeros((left.sum(), 3)), np.full(left.sum(), FAR)
    pressing = pressed_pairs(surface, quads, weight, press[:, None] * normal, friction, gap, normal)
    of_left = (rub_weight[left], none, drag[left], far, rub_normal[left])
    return Pressed.all_of([pressing, pressed_pairs(surface, rubbed[left], *of_left)])
