"""Nodal fields of a scene, such as stress."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import warp as wp

from ...arguments import checks
from ...effects.effect_layout import Part
from ...energy.capabilities import Observable
from ...errors import InputError, did_you_mean
from ..scene.world import World
from .probe import COMPONENTS, PAIRS, PRINCIPAL, TENSORS

NAMES = ("stress", "pressure", "energy density", "stretch", "volume ratio")
OF_SOLIDS = ("pressure", "volume ratio")
LABELS = {"stress": "von Mises stress", "energy density": "strain energy density", "stretch": "largest stretch"}


def names(world: World) -> list[str]:
    """The fields that the bodies of a scene have; pressure and volume ratio only where all are solids."""
    solids = all(part.elements.dimension == 3 for part in world.layout.parts)
    known = [name for name in NAMES if solids or name not in OF_SOLIDS]
    return [*known, *dict.fromkeys(name for energy in world.objective.having(Observable) for name in energy.fields)]


def of_materials(parts: Sequence[Part]) -> list[str]:
    """The parameters of the materials of bodies, such as "young" and "density", which are fields too."""
    return list(dict.fromkeys(name for part in parts for law in part.material.terms for name in law.parameters()))


def material_values(parts: Sequence[Part], name: str) -> np.ndarray:
    """(n,) a parameter of the materials at the nodes: the mean of the elements around each, weighted by volume; 0 where a
    material has none. Of a sum of laws it is the first that knows it."""
    found = []
    for part in parts:
        given = [law.parameters()[name] for law in part.material.terms if name in law.parameters()]
        value, rows, elements = np.asarray(given[0] if given else 0.0, float), part.rows(), part.elements
        of_elements = value[rows] if value.size > 1 and rows is not None else np.full(elements.count, value.flat[0])
        nodes, weights = elements.nodes, np.repeat(elements.volumes[:, None], elements.nodes.shape[1], axis=1)
        total = np.bincount(nodes.ravel(), weights.ravel(), part.count)
        around = np.bincount(nodes.ravel(), (weights * of_elements[:, None]).ravel(), part.count)
        found.append(around / np.where(total > 0, total, 1.0))
    return np.concatenate(found)


def check(world: World, fields: list[str] | tuple[str, ...], call: str) -> None:
    """Refuse a field that the scene does not have."""
    known, tensors, own = names(world), (*COMPONENTS, *TENSORS, *PRINCIPAL), of_materials(world.layout.parts)
    solids = "pressure" in known
    for name in fields:
        if not isinstance(name, str):
            raise InputError(f"{call}: {checks.shown(name)} names no field; expected one of {', '.join(known)}")
        if (name in tensors and solids) or name in own:
            continue
        if name in (*NAMES, *tensors) and name not in known:
            raise InputError(f"{call}: {name!r} is for solids only")
        if name not in known:
            raise InputError(
                f"{call}: unknown field {name!r}{did_you_mean(str(name), [*known, *tensors, *own])}; known: "
                f"{', '.join(known)}, of materials {', '.join(own)}, and of solids 'stress tensor', 'strain tensor', "
                "'principal stress', 'principal strain', 'stress xx', …"
            )


def values(world: World, name: str, x: wp.array) -> np.ndarray:
    """(n,) a field at the nodes: the mean of the elements around each, weighted by volume.

    "stress" is von Mises' [Pa], "pressure" −tr σ/3 [Pa], "energy density" per rest volume [J/m³] (per area of sheets,
    per length of threads), "stretch" the largest principal one, "volume ratio" det F, "plastic strain" ∫ √(2/3)|dε_p| of bodies
    that flow, 0 elsewhere. Others are parameters of the materials, such as "young".
    """
    if name in COMPONENTS:
        kind, pair = name.split()
        return tensors(world, kind, x)[(slice(None), *PAIRS[pair])]
    if name not in names(world) and name in of_materials(world.layout.parts):
        return material_values(world.layout.parts, name)
    total = np.zeros(world.alive)
    for energy in world.objective.having(Observable):
        of_elements = energy.element_field(name, x)
        if of_elements is not None:
            total[energy.first : energy.first + energy.local] += energy.nodal(of_elements)
    return total


def tensors(world: World, kind: str, x: wp.array) -> np.ndarray:
    """(n, 3, 3) Cauchy's "stress" [Pa] or Green's "strain" at the nodes, the mean of the elements around each."""
    total = np.zeros((world.alive, 3, 3))
    for energy in world.objective.having(Observable):
        of_elements = energy.element_tensor(kind, x)
        if of_elements is not None:
            own = total[energy.first : energy.first + energy.local]
            for i, j in PAIRS.values():
                own[:, i, j] += energy.nodal(of_elements[..., i, j])
    for i, j in PAIRS.values():
        total[:, j, i] = total[:, i, j]
    return total


def every(world: World, names: Sequence[str], x: wp.array) -> dict[str, np.ndarray]:
    """Scalar fields at the nodes, tensors being worked out once for all of their components."""
    kinds = {name.split()[0] for name in names if name in COMPONENTS}
    found = {kind: tensors(world, kind, x) for kind in kinds}
    parts = {name: name.split() for name in names if name in COMPONENTS}
    return {
        name: found[parts[name][0]][(slice(None), *PAIRS[parts[name][1]])] if name in parts else values(world, name, x)
        for name in names
    }
