"""Sums of laws: ``StableNeoHookean(...) + Fibres(...)``."""

from dataclasses import dataclass
from functools import reduce
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from ..device import Types
from ..errors import InputError
from .base import Material
from .spectral import named, of_dimension


@dataclass(frozen=True, kw_only=True, eq=False)
class Combined(Material):
    """Laws that act side by side in every element; made by ``+``."""

    laws: tuple[Material, ...] = ()

    PARAMETERS: ClassVar = {}

    def __post_init__(self):
        masses = [law for law in self.laws if np.any(np.asarray(law.density) > 0)]
        if not masses:
            raise InputError(
                f"{' + '.join(law.key for law in self.laws)}: none of these laws has a density; expected one"
            )
        object.__setattr__(self, "density", masses[0].density)

    @property
    def terms(self) -> tuple[Material, ...]:
        return self.laws

    @property
    def key(self) -> str:
        return "_".join(law.key for law in self.laws)

    @property
    def isotropic(self) -> bool:
        return all(law.isotropic for law in self.laws)

    @property
    def rotation_invariant(self) -> bool:
        return all(law.rotation_invariant for law in self.laws)

    @property
    def inversion_safe(self) -> bool:
        return all(law.inversion_safe for law in self.laws)

    @property
    def barrier(self) -> bool:
        return any(law.barrier for law in self.laws)

    @property
    def projective(self) -> np.ndarray | None:
        every = [law.projective for law in self.laws]
        return None if any(k is None for k in every) else sum(every)

    def parameters(self) -> dict:
        return {f"{law.key}.{name}": value for law in self.laws for name, value in law.parameters().items()}

    def table(self) -> np.ndarray:
        tables = [law.table() for law in self.laws]
        rows = max(len(table) for table in tables)
        if any(len(table) not in (1, rows) for table in tables):
            raise InputError(
                f"{self.key}: laws have {[len(table) for table in tables]} rows of parameters; expected one or the same number"
            )
        return np.hstack([np.broadcast_to(table, (rows, table.shape[1])) for table in tables])

    def functions(self, t: Types, dimension: int = 3) -> SimpleNamespace:
        # isotropic laws share one thickness, so they are added before it is relaxed
        shared = [law.isotropic and (law.thins or dimension == 3) for law in self.laws]
        placed = [
            _placed(law, start, width, t, 3 if share else dimension)
            for (law, start, width), share in zip(_offsets(self.laws), shared)
        ]
        isotropic = [own for own, share in zip(placed, shared) if share]
        parts = [own for own, share in zip(placed, shared) if not share]
        if isotropic:
            whole = reduce(lambda a, b: _added(a, b, t), isotropic)
            if len(isotropic) > 1 and hasattr(whole, "nearest"):
                del whole.projection  # one decomposition of F serves them all
            name = f"{whole.name}_{dimension}"
            whole = of_dimension(whole.name, whole, t, dimension)
            whole.name = name
            parts.insert(0, whole)
        functions = reduce(lambda a, b: _added(a, b, t), parts)
        functions.parts = parts
        return functions


def _offsets(laws: tuple[Material, ...]):
    """(law, its first entry, its number of entries) within the common parameter vector."""
    start = 0
    for law in laws:
        yield law, start, law.width
        start += law.width


def _placed(law: Material, offset: int, width: int, t: Types, dimension: int) -> SimpleNamespace:
    """The functions of ``law``, reading their parameters from entry ``offset`` on."""
    own = law.functions(t, dimension)
    vector, vec3, mat33 = t.vector(width), t.vec3, t.mat33
    name = f"{law.key}{dimension}_at{offset}"

    def take(p: Any):
        q = vector()
        for i in range(width):
            q[i] = p[offset + i]
        return q

    take = t.function(f"take_{name}", take)

    def energy(F: mat33, p: Any):
        return own.energy(F, take(p))

    def stress(F: mat33, p: Any):
        return own.stress(F, take(p))

    def differential(F: mat33, dF: mat33, p: Any):
        return own.differential(F, dF, take(p))

    def projected(F: mat33, dF: mat33, p: Any):
        return own.projected(F, dF, take(p))

    def stiffness(F: mat33, p: Any, project: bool):
        return own.stiffness(F, take(p), project)

    def principal(s: vec3, p: Any):
        g, H = own.principal(s, take(p))
        return g, H

    def nearest(s: vec3, p: Any):
        return own.nearest(s, take(p))

    def projection(F: mat33, p: Any):
        return own.projection(F, take(p))

    def work_weights(F: mat33, D: mat33, p: Any):
        s, w = own.work_weights(F, D, take(p))
        return s, w

    made = {f.__name__: f for f in (energy, stress, differential, projected, stiffness)}
    others = (principal, nearest, projection, work_weights)
    made |= {f.__name__: f for f in others if hasattr(own, f.__name__)}
    functions = named(t, name, **made)
    functions.name = name
    return functions


def _added(a: SimpleNamespace, b: SimpleNamespace, t: Types) -> SimpleNamespace:
    """The functions of the sum of two placed laws."""
    vec3, mat33 = t.vec3, t.mat33
    name = f"{a.name}_{b.name}"

    def energy(F: mat33, p: Any):
        return a.energy(F, p) + b.energy(F, p)

    def stress(F: mat33, p: Any):
        return a.stress(F, p) + b.stress(F, p)

    def differential(F: mat33, dF: mat33, p: Any):
        return a.differential(F, dF, p) + b.differential(F, dF, p)

    def projected(F: mat33, dF: mat33, p: Any):
        return a.projected(F, dF, p) + b.projected(F, dF, p)

    def stiffness(F: mat33, p: Any, project: bool):
        return a.stiffness(F, p, project) + b.stiffness(F, p, project)

    def principal(s: vec3, p: Any):
        g, H = a.principal(s, p)
        h, K = b.principal(s, p)
        return g + h, H + K

    def nearest(s: vec3, p: Any):
        return a.nearest(s, p) + b.nearest(s, p)

    def projection(F: mat33, p: Any):
        return a.projection(F, p) + b.projection(F, p)

    made = {f.__name__: f for f in (energy, stress, differential, projected, stiffness)}
    others = (principal, nearest, projection)
    made |= {f.__name__: f for f in others if hasattr(a, f.__name__) and hasattr(b, f.__name__)}
    functions = named(t, f"sum_{name}", **made)
    functions.name = name
    return functions
