"""From gradients by what energies keep on the device to gradients by what a user writes: Young's modulus, gravity, a force."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ..energy.sensitivity import Differentiable, Public
from .effect_layout import Layout


def pulled_back(
    layout: Layout, placed: Sequence[tuple[int | None, Differentiable]], gradients: Sequence[dict[str, wp.array]]
) -> Public:
    """(part, name) → gradient, part None for the whole scene, of the shape of the parameter.

    ``placed`` are energies of the layout with their parts (effects/registry.py), ``gradients`` what the ``sensitivity`` of
    each has added up.
    """
    total: Public = {}
    for (part, energy), arrays in zip(placed, gradients):
        if arrays:
            by = {name: array.numpy().astype(float) for name, array in arrays.items()}
            _add(total, energy.pulled_back(layout if part is None else layout.parts[part], by))
    mass = total.pop((None, "mass"), None)
    if mass is not None:
        for part in layout.parts:
            _add(total, {(part.index, part.material.heavy): part.pulled_back_mass(mass[part.nodes])})
    return total


def undifferentiable(placed: Sequence[tuple[int | None, Differentiable]]) -> list[str]:
    """What stands in the way of derivatives, one sentence for each energy that has none."""
    return [energy.undifferentiable for _, energy in placed if energy.undifferentiable is not None]


def _add(total: Public, more: Public) -> None:
    for key, value in more.items():
        total[key] = np.asarray(value, float) + total.get(key, 0.0)
