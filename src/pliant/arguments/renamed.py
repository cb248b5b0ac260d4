"""Old public names, for one version, and their new ones."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import Any

from ..errors import PliantWarning

SPACES = {
    "advection": "sdf", "after_cut": "refactor", "course": "schedule", "flow": "plasticity", "hessian": "solver",
    "looks": "render", "tangents": "rotations", "terms": "laws",
}  # fmt: skip
# old name, wherever it was → new one with its namespace
NAMES = {
    "Isolated": "contact.SelectedInverse",
    "Linearised": "solver.LinearlyImplicit",
    "Observed": "inverse.NodePositions",
    "Seen": "inverse.BoundObservation",
    "Solves": "contact.Dense",
    "Unbuilt": "contact.MatrixFree",
    "Watch": "inverse.ObservationSet",
}
# flat names → where they are
FLAT = {
    "Chart": "render.Chart", "bounding_tets": "meshes.bounding_tets", "check_gradient": "inverse.check_gradient",
    "gradient": "inverse.gradient", "identifiable": "inverse.identifiable",
}  # fmt: skip
ARGUMENTS = {"Free.across": "spatial_prior"}


def say(old: str, new: str) -> None:
    """Warn where an old name is used, two calls further out."""
    warnings.warn(f"{old} is now {new}; the next version does not have the old name", PliantWarning, stacklevel=3)


def renamed(space: str, name: str) -> Any:
    """The object of an old name of a namespace."""
    where, _, new = NAMES.get(name, "").rpartition(".")
    if where != space:
        raise AttributeError(f"module 'pliant.{space}' has no attribute {name!r}")
    say(f"pliant.{space}.{name}", f"pliant.{where}.{new}")
    return getattr(import_module(f"pliant.{where}"), new)


class OldSpace(ModuleType):
    """A namespace under its old name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        old = self.__name__.rpartition(".")[2]
        value = getattr(import_module(f"pliant.{SPACES[old]}"), name)
        say(f"{self.__name__}.{name}", f"pliant.{SPACES[old]}.{name}")
        return value


for _old in SPACES:
    sys.modules[f"pliant.{_old}"] = OldSpace(f"pliant.{_old}")
