"""Groups: named parts of meshes for holds, loads and materials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...arguments import checks
from ...arguments.short_repr import brief
from ...errors import InputError, did_you_mean, first_few

LONGEST = 200  # characters of a name
DIMENSIONS = ("point", "line", "surface", "volume")


class Part(NamedTuple):
    """Some of a group, as a file lists it: nodes, and the faces or cells that they are of."""

    name: str
    nodes: np.ndarray  # (k,)
    faces: np.ndarray | None = None  # (f, w) vertex numbers
    cells: np.ndarray | None = None  # (c,)


@dataclass(frozen=True, eq=False)
class Group:
    """A part of a mesh under a name: ``nodes``, and where it is one of faces or of cells, those too.

    ``faces`` (f, 3), (f, 4) or (f, 6) are vertex numbers, ``cells`` numbers of tets, hexahedra, triangles or edges. Vertices of
    faces and cells are among the nodes.
    """

    name: str
    nodes: np.ndarray  # (k,) vertex numbers, ascending
    faces: np.ndarray | None = None  # (f, w) vertex numbers
    cells: np.ndarray | None = None  # (c,) cell numbers, ascending
    __repr__ = brief

    def __post_init__(self):
        checks.instance("Group(name=…)", self.name, str, "text")
        if not self.name or len(self.name) > LONGEST or not self.name.isprintable():
            raise InputError(f"Group(name={self.name[:40]!r}): expected 1 to {LONGEST} printable characters")
        for part, rank in (("nodes", 1), ("faces", 2), ("cells", 1)):
            given = getattr(self, part)
            if given is None and part != "nodes":
                continue
            values = checks.numeric(given)
            if (
                values is None
                or values.ndim != rank
                or not np.all((values >= 0) & (values < 2**31) & (values == np.floor(values)))
            ):
                raise checks.refusal(f"Group({self.name!r}, {part}=…)", given, f"whole numbers from 0 up in {rank} axes")
            values = np.unique(values).astype(np.int32) if rank == 1 else values.astype(np.int32)
            values.setflags(write=False)
            object.__setattr__(self, part, values)

    def renumbered(self, numbers: np.ndarray) -> Group:
        """The same on other vertices, ``numbers`` (n,) of which say the new one of each old one, −1 where it is left out."""
        nodes = numbers[self.nodes]
        faces = None if self.faces is None else numbers[self.faces]
        return replace(self, nodes=nodes[nodes >= 0], faces=faces)


class Groups(tuple):
    """The groups of a mesh, by name: ``mesh.groups["clamp"]``."""

    def __new__(cls, groups: Iterable[Group] = ()) -> Groups:
        every = tuple(groups)
        if not all(isinstance(group, Group) for group in every):
            raise InputError("groups=…: expected a list of meshes.Group(name, nodes, …)")
        if len({group.name for group in every}) < len(every):
            raise InputError(f"groups=…: two share a name among {[group.name for group in every]}; give each its own")
        return super().__new__(cls, every)

    @classmethod
    def gathered(cls, parts: Iterable[Part]) -> Groups:
        """Groups of the parts that share a name; faces that differ in width are left out, not their nodes."""
        named: dict[str, list[Part]] = {}
        for part in parts:
            named.setdefault(part.name, []).append(part)
        return cls(_joined(name, own) for name, own in named.items())

    @property
    def names(self) -> list[str]:
        """The names, in order."""
        return [group.name for group in tuple.__iter__(self)]

    def __iter__(self) -> Iterator[Group]:
        return super().__iter__()

    def __contains__(self, name: object) -> bool:
        return name in self.names if isinstance(name, str) else super().__contains__(name)

    def __getitem__(self, name: Any) -> Any:
        if not isinstance(name, str):
            return super().__getitem__(name)
        if name not in self.names:
            raise InputError(f"there is no group {name!r}{did_you_mean(name, self.names)}; {self._known}")
        return super().__getitem__(self.names.index(name))

    @property
    def _known(self) -> str:
        return f"the mesh has {', '.join(map(repr, self.names))}" if self else "the mesh has none"

    def rows(self, what: str, names: Iterable[str], count: int) -> np.ndarray:
        """(count,) the number among ``names`` of the group that each cell is in; refuses cells in none or in two."""
        row, names = np.full(count, -1), list(names)
        for number, name in enumerate(names):
            group = self._asked(what, name)
            if group.cells is None:
                raise InputError(f"{what}: the group {name!r} has no cells; those that have are {self._with_cells}")
            twice = group.cells[row[group.cells] >= 0]
            if len(twice):
                other = names[row[twice[0]]]
                raise InputError(f"{what}: {len(twice)} cells are in {other!r} and in {name!r}; expected one for each")
            row[group.cells] = number
        missing = np.flatnonzero(row < 0)
        if len(missing):
            raise InputError(
                f"{what}: {len(missing)} of {count} cells are in none of {', '.join(map(repr, names))}, first "
                f"{first_few(missing)}; groups of cells are {self._with_cells}"
            )
        return row

    def _asked(self, what: str, name: str) -> Group:
        try:
            return self[name]
        except InputError as error:
            raise InputError(f"{what}: {error}") from None

    def nodes_of(self, what: str, name: str) -> np.ndarray:
        """The nodes of a group, for the argument ``what``."""
        return self._asked(what, name).nodes

    @property
    def _with_cells(self) -> str:
        return ", ".join(repr(group.name) for group in self if group.cells is not None) or "none"

    def checked(self, vertices: int, cells: int) -> Groups:
        """Itself, or an error where a number is beyond those of a mesh."""
        for group in self:
            for part, most in (("nodes", vertices), ("faces", vertices), ("cells", cells)):
                values = getattr(group, part)
                if values is not None and values.size and values.max() >= most:
                    raise InputError(f"group {group.name!r} names {part} up to {values.max()}; expected 0…{most - 1}")
        return self

    def arrays(self) -> dict[str, np.ndarray]:
        """What ``from_arrays`` makes them of again."""
        found = {"names": np.array(self.names, dtype=str)} if self else {}
        for i, group in enumerate(self):
            parts = {part: getattr(group, part) for part in ("nodes", "faces", "cells")}
            found |= {f"{i}_{part}": values for part, values in parts.items() if values is not None}
        return found

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Groups:
        """Groups of what ``arrays`` said."""
        names = [str(name) for name in np.atleast_1d(arrays["names"])]
        parts = [
            {part: arrays[f"{i}_{part}"] for part in ("nodes", "faces", "cells") if f"{i}_{part}" in arrays}
            for i in range(len(names))
        ]
        return cls(Group(name, **own) for name, own in zip(names, parts))


def _joined(name: str, parts: list[Part]) -> Group:
    faces = [part.faces for part in parts if part.faces is not None]
    cells = [part.cells for part in parts if part.cells is not None]
    return Group(
        name,
        np.concatenate([part.nodes for part in parts]),
        np.concatenate(faces) if len({own.shape[1] for own in faces}) == 1 else None,
        np.concatenate(cells) if cells else None,
    )
