"""Materials whose values are given by the groups of a mesh, as values by region or by element."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...elements.base import Elements
from ...errors import InputError
from ...material.base import ByGroup, Material


def by_group(material: Material, elements: Elements) -> Material:
    """The material with numbers in place of values by name, {"steel": 210e9, "foam": 1e5}."""
    laws = [law.replaced(**found) if (found := _numbers(law, elements)) else law for law in material.terms]
    if all(new is old for new, old in zip(laws, material.terms)):
        return material
    return laws[0] if len(laws) == 1 else replace(material, laws=tuple(laws))


def _numbers(law: Material, elements: Elements) -> dict[str, np.ndarray]:
    """The parameters of a law that are given by name, as one number for each region, or for each element where groups are no
    unions of regions."""
    given = {name: value for name, value in law.parameters().items() if isinstance(value, ByGroup)}
    mesh = getattr(elements, "mesh", None)
    if not given:
        return {}
    if not getattr(mesh, "groups", ()):
        raise InputError(
            f"{law.name}({next(iter(given))}=…) names groups, and {type(elements).__name__} has none; expected one number, or "
            "one for each element"
        )
    return {name: _values(f"{law.name}({name}=…)", value, mesh, elements.count) for name, value in given.items()}


def _values(what: str, given: ByGroup, mesh: Any, count: int) -> np.ndarray:
    rows = mesh.groups.rows(what, given.values, count)
    numbers = np.array(list(given.values.values()))
    regions = getattr(mesh, "regions", None)
    if regions is None or (count_of := int(regions.max()) + 1) == count:
        return numbers[rows]
    of_region = np.zeros(count_of, int)  # a region without cells has some number
    of_region[regions] = rows
    return numbers[of_region] if np.array_equal(of_region[regions], rows) else numbers[rows]
