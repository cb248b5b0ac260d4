"""Sums of laws: ``StableNeoHookean(...) + Fibres(...)``."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from ..errors import InputError
from ..runtime.device import Types
from .base import Material
from .functions import Functions, named
from .parameter_gradients import Gradients
from .spectral import of_dimension

LONGEST = 100  # letters of a key, which names files


@dataclass(frozen=True, kw_only=True, eq=False)
class Combined(Material):
    """Laws that act side by side in every element; made by ``+``."""

    laws: tuple[Material, ...] = ()

    PARAMETERS: ClassVar = {}

    def __post_init__(self):
        masses = [law for law in self.laws if np.any(np.asarray(law.density) > 0)]
        if not masses:
            raise InputError(f"{self.name}: none of these laws has a density; expected one")
        object.__setattr__(self, "density", masses[0].density)

    @property
    def terms(self) -> tuple[Material, ...]:
        return self.laws

    @property
    def name(self) -> str:
        return " + ".join(law.name for law in self.laws)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the laws are called beside each other: by their names, those that share one also by their number from 1 on."""
        names = [law.name for law in self.laws]
        return tuple(name if names.count(name) == 1 else f"{name} {names[: i + 1].count(name)}" for i, name in enumerate(names))

    @property
    def key(self) -> str:
        key = "_".join(law.key for law in self.laws)
        if len(key) <= LONGEST:
            return key
        return f"sum_of_{len(self.laws)}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"

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

    @property
    def moduli(self) -> tuple[np.ndarray, np.ndarray] | None:
        every = [law.moduli for law in self.laws if law.moduli is not None]
        return (sum(mu for mu, _ in every), sum(lam for _, lam in every)) if every else None

    def without_volume(self) -> tuple[Material, np.ndarray, str] | None:
        """The terms without their resistance to volume, which must see it by one measure; κ is the sum of theirs."""
        parts = [law.without_volume() for law in self.laws]
        split = [part for part in parts if part is not None]
        if len({measure for _, _, measure in split}) != 1:
            return None
        laws = tuple(law if part is None else part[0] for law, part in zip(self.laws, parts))
        return Combined(laws=laws), sum(np.asarray(kappa) for _, kappa, _ in split), split[0][2]

    def pulled_back(self, gradient: np.ndarray) -> Gradients:
        parts = [law.pulled_back(gradient[:, at : at + width]) for law, at, width in _offsets(self.laws)]
        return self._named(parts)

    def pulled_back_from(self, quantity: Callable[[Material], np.ndarray], gradient: np.ndarray) -> Gradients:
        return self._named([law.pulled_back_from(quantity, gradient) for law in self.laws])

    def pulled_back_volume(self, rest: Gradients, kappa: np.ndarray) -> Gradients:
        parts = []
        for label, law in zip(self.labels, self.laws):
            own = {name: rest[f"{label}.{name}"] for name in law.parameters()}
            parts.append(own if law.without_volume() is None else law.pulled_back_volume(own, kappa))
        return self._named(parts)

    def _named(self, parts: Sequence[Gradients]) -> Gradients:
        return {f"{label}.{name}": g for label, part in zip(self.labels, parts) for name, g in part.items()}

    def in_sum(self, law: Material, gradients: Gradients) -> Gradients:
        label = self.labels[next(i for i, own in enumerate(self.laws) if own is law)]
        return {f"{label}.{name}": g for name, g in gradients.items()}

    @property
    def heavy(self) -> str:
        label, first = next((label, law) for label, law in zip(self.labels, self.laws) if np.any(law.density > 0))
        return f"{label}.{first.heavy}"

    def parameters(self) -> dict:
        every = zip(self.labels, self.laws)
        return {f"{label}.{name}": value for label, law in every for name, value in law.parameters().items()}

    def table(self) -> np.ndarray:
        tables = [law.table() for law in self.laws]
        rows = max(len(table) for table in tables)
        if any(len(table) not in (1, rows) for table in tables):
            raise InputError(
                f"{self.name}: laws have {[len(table) for table in tables]} rows of parameters; expected one or the same number"
            )
        return np.hstack([np.broadcast_to(table, (rows, table.shape[1])) for table in tables])

    def functions(self, t: Types, dimension: int = 3) -> Functions:
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
            if len(isotropic) > 1:
                whole.projection = None  # one decomposition of F serves them all
            name = f"{whole.name}_{dimension}"
            whole = of_dimension(whole.name, whole, t, dimension)
            whole.name = name
            parts.insert(0, whole)
        functions = reduce(lambda a, b: _added(a, b, t), parts)
        functions.parts = tuple(parts) if len(parts) > 1 else ()
        return functions


def _offsets(laws: tuple[Material, ...]):
    """(law, its first entry, its number of entries) within the common parameter vector."""
    start = 0
    for law in laws:
        yield law, start, law.width
        start += law.width


def _placed(law: Material, offset: int, width: int, t: Types, dimension: int) -> Functions:
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

    own_functions = {f.__name__: f for f in (energy, stress, differential, projected, stiffness)}
    others = (principal, nearest, projection, work_weights)
    own_functions |= {f.__name__: f for f in others if own.offered(f.__name__)}
    functions = named(t, name, **own_functions)
    functions.name = name
    return functions


def _added(a: Functions, b: Functions, t: Types) -> Functions:
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

    sums = {f.__name__: f for f in (energy, stress, differential, projected, stiffness)}
    others = (principal, nearest, projection)
    sums |= {f.__name__: f for f in others if a.offered(f.__name__) and b.offered(f.__name__)}
    functions = named(t, f"sum_{name}", **sums)
    functions.name = name
    return functions
