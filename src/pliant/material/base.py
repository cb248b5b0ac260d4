"""Base of materials: parameters with units, and device functions.

A law is two functions, ``energy(F, p)`` [J/m³] and ``stress(F, p)`` [Pa], written once for any precision. Isotropic
laws add ``principal(s, p)``, the first and second derivatives of the energy by the principal stretches: from these
come the exact and the projected tangent (Stomakhin et al. 2012), plane stress and uniaxial stress.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
import warp as wp

from ..arguments import checks
from ..arguments.typing_fields import Vector
from ..errors import InputError, first_few
from ..runtime.device import Types
from ..runtime.fingerprint import fingerprint
from .functions import Functions
from .parameter_gradients import Gradients, pulled_back, summed
from .spectral import of_dimension, principal_of

# one for the whole body, one per region, one per element, or one by the name of each group of the mesh
Values = float | Vector | Mapping[str, float]


@dataclass(frozen=True, eq=False)
class ByGroup:
    """Values by the names of groups of a mesh, until a Body makes them numbers of regions or elements."""

    what: str
    values: Mapping[str, float]

    def __repr__(self) -> str:
        return repr(dict(self.values))

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise InputError(f"{self.what} names groups of a mesh, which a Body has; give the material to Body(mesh, …) first")


@dataclass(frozen=True)
class Parameter:
    """Unit, meaning and allowed interval of a material parameter; ends are excluded where ``open`` is true."""

    unit: str
    meaning: str
    lower: float = -np.inf
    upper: float = np.inf
    open: bool = True

    def check(self, owner: str, name: str, value: Any, rank: int = 1) -> np.ndarray | ByGroup:
        """Return the value as float64, or say what is wrong with it; ``rank``: how many axes it may have."""
        if isinstance(value, ByGroup):
            return value
        if isinstance(value, Mapping) and value and rank == 1 and all(isinstance(key, str) for key in value):
            each = {key: float(self.check(owner, name, one, 0)) for key, one in value.items()}
            return ByGroup(f"{owner}({name}=…)", each)
        numbers = checks.numeric(value)
        if numbers is None or not numbers.size:
            raise checks.refusal(f"{owner}({name}=…)", value, f"a number in {self.unit or 'no unit'}")
        array = np.array(numbers)
        if array.ndim > rank:
            raise InputError(f"{owner}({name}=…) has shape {array.shape}; expected one number, or one for each row")
        inside = (array > self.lower) & (array < self.upper) if self.open else (array >= self.lower) & (array <= self.upper)
        if not np.all(inside & np.isfinite(array)):
            bad = np.flatnonzero(~np.atleast_1d(inside & np.isfinite(array)).reshape(len(np.atleast_1d(array)), -1).all(1))
            sign = "<" if self.open else "≤"
            given = f"{array:g}" if array.ndim == 0 else f"outside at {len(bad)} places, first {first_few(bad)}"
            unit = f" {self.unit}" if self.unit else ""
            raise InputError(
                f"{owner}({name}=…) is {given}{unit}; expected {self.lower:g} {sign} {name} {sign} {self.upper:g}{unit}"
            )
        array.setflags(write=False)
        return array


@dataclass(frozen=True, kw_only=True, eq=False)
class Material:
    """Base of all laws. ``a + b`` adds two laws; the density is that of the first that has one."""

    density: Values = 1000.0  # [kg/m³]

    PARAMETERS: ClassVar[dict[str, Parameter]] = {"density": Parameter("kg/m³", "mass per rest volume", 0.0)}
    DEVICE: ClassVar[tuple[str, ...]] = ()  # attributes that make the device vector p, in order
    FIXED: ClassVar[tuple[str, ...]] = ()  # parameters that have one value only
    # of laws linear in the stretches: (F, A, B, p), ∂²P/∂F² : A : B
    second_differential: ClassVar[wp.Function | None] = None
    isotropic: ClassVar[bool] = True
    rotation_invariant: ClassVar[bool] = True
    inversion_safe: ClassVar[bool] = False  # defined, and pushing back, for det F ≤ 0
    conservative: ClassVar[bool] = True  # whether its stress is the derivative of its energy
    inexact: ClassVar[str] = ""  # why derivatives of a run are not to be had, of laws with an approximate tangent
    alone: ClassVar[str] = ""  # what to do instead of adding it to another, of laws that cannot be part of a sum
    # sheets and threads of an isotropic law find the thickness at which its stress vanishes
    thins: ClassVar[bool] = True

    def __post_init__(self):
        for item in fields(self):
            if item.name in self.PARAMETERS:
                parameter = self.PARAMETERS[item.name]
                object.__setattr__(self, item.name, parameter.check(type(self).__name__, item.name, getattr(self, item.name)))
        given = {name: value for name, value in self.parameters().items() if not isinstance(value, ByGroup)}
        counts = {name: np.shape(value)[0] for name, value in given.items() if np.ndim(value)}
        if len({1, *counts.values()}) > 2:
            given = ", ".join(f"{count} of {name}" for name, count in counts.items())
            raise InputError(f"{type(self).__name__} has {given}; expected one value of each, or the same number")

    def __add__(self, other: Material) -> Material:
        from .law_sum import Combined

        if not isinstance(other, Material):
            raise InputError(f"cannot add {type(other).__name__} to {type(self).__name__}; expected another material")
        for law in (self, other):
            if law.alone:
                raise InputError(f"{law.name} cannot be part of a sum; {law.alone}")
        return Combined(laws=(*self.terms, *other.terms))

    @property
    def terms(self) -> tuple[Material, ...]:
        """The single laws this material is a sum of."""
        return (self,)

    @property
    def name(self) -> str:
        """What the law is called in sentences."""
        return type(self).__name__

    @functools.cached_property
    def key(self) -> str:
        """Names the device code of this law; equal keys share kernels. Laws from outside the package add the fingerprint of
        their functions, so that one which is redefined under its name is another law."""
        if type(self).__module__.split(".")[0] == __package__.split(".")[0]:
            return self.name
        return f"{self.name}_{fingerprint(*self._device_functions())}"

    def _device_functions(self) -> list:
        """The functions of the first dimension that this law serves."""
        for dimension in (3, 2, 1):
            try:
                functions = self.functions(Types("f64", "types"), dimension)
            except InputError:
                continue
            return [function for part in functions.terms for function in part.offered().values()]
        return []

    @property
    def barrier(self) -> bool:
        """True where det F must stay positive, so that steps must be cut short before an element inverts."""
        return False

    @property
    def projective(self) -> np.ndarray | None:
        """(rows,) k [Pa] of a law ψ = k/2 min ‖F − p‖² (Eq 6.1), whose functions have a projection; None for others."""
        return None

    def table(self) -> np.ndarray:
        """(rows, parameters) device parameters: one row, or one per region or element where any value varies."""
        columns = [np.atleast_2d(np.asarray(getattr(self, name)).T).T for name in self.DEVICE]
        rows = max((len(c) for c in columns), default=1)
        for name, column in zip(self.DEVICE, columns):
            if len(column) not in (1, rows):
                raise InputError(
                    f"{type(self).__name__}.{name} has {len(column)} values where another parameter has {rows}; "
                    "expected one, or the same number"
                )
        return np.hstack([np.broadcast_to(c, (rows, c.shape[1])) for c in columns]) if columns else np.zeros((1, 0))

    def pulled_back(self, gradient: np.ndarray) -> Gradients:
        """Name → gradient by each parameter, of its shape, for ``gradient`` (rows, parameters) by the entries of ``table``."""
        return pulled_back(self, lambda law: law.table(), gradient)

    def pulled_back_from(self, quantity: Callable[[Material], np.ndarray], gradient: np.ndarray) -> Gradients:
        """The same for ``gradient`` by the rows of the sum of ``quantity(law)`` over all terms, such as their moduli."""
        return pulled_back(self, quantity, gradient)

    def pulled_back_volume(self, rest: Gradients, kappa: np.ndarray) -> Gradients:
        """The same for gradients ``rest`` by the parameters of ψ₀, and by κ, of ``without_volume``."""
        return rest

    def in_sum(self, law: Material, gradients: Gradients) -> Gradients:
        """Gradients by the parameters of one of ``terms`` under the names that they have here."""
        return gradients

    @property
    def heavy(self) -> str:
        """Name of the parameter that is the density."""
        return "density"

    @functools.cached_property
    def width(self) -> int:
        return self.table().shape[1]

    @property
    def moduli(self) -> tuple[np.ndarray, np.ndarray] | None:
        """(rows,) μ and λ [Pa] of small strains; None for laws that have none of their own, such as fibres."""
        return None

    def without_volume(self) -> tuple[Material, np.ndarray, str] | None:
        """ψ₀, κ [Pa] and the measure M of a law ψ₀ + κ/2 M² (energy/volume/volume_measures.py); None for other laws."""
        return None

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        """Device functions for one precision, in a solid (3), a sheet in plane stress (2) or a thread (1).

        Those of an isotropic class with ``energy`` and ``stress`` alone, with a tangent by differences of the stress.
        """
        law = type(self)
        missing = [name for name in ("energy", "stress") if not isinstance(getattr(law, name, None), wp.Function)]
        if missing or not self.isotropic:
            why = f"has no {' and no '.join(missing)}" if missing else "is not isotropic, and has no functions(t, dimension)"
            raise InputError(f"{law.__name__} {why}; expected energy(F, p) and stress(F, p), each with @wp.func before it")
        principal = t.function(f"{law.__name__}_principal", principal_of(law.stress, t))
        return of_dimension(law.__name__, Functions(energy=law.energy, stress=law.stress, principal=principal), t, dimension)

    def replaced(self, **values: Any) -> Material:
        """The same law with other values of some of its ``parameters``."""
        return replace(self, **values)

    def parameters(self) -> dict[str, Any]:
        """Name → value of every named parameter."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name in self.PARAMETERS}


def lame(young: Any, poisson: Any) -> tuple[Any, Any]:
    """(μ, λ) [Pa] from Young's modulus [Pa] and Poisson's ratio."""
    young, poisson = np.asarray(young), np.asarray(poisson)
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def engineering(mu: Any, lam: Any) -> tuple[Any, Any]:
    """(E, ν) from the Lamé parameters [Pa]; E = μ(3λ+2μ)/(λ+μ), ν = λ/(2(λ+μ))."""
    mu, lam = np.asarray(mu), np.asarray(lam)
    return mu * (3 * lam + 2 * mu) / (lam + mu), lam / (2 * (lam + mu))


@dataclass(frozen=True, kw_only=True, eq=False)
class Elastic(Material):
    """A law with Young's modulus and Poisson's ratio, both those of small strains."""

    young: Values  # [Pa]
    poisson: Values = 0.3

    PARAMETERS: ClassVar = Material.PARAMETERS | {
        "young": Parameter("Pa", "Young's modulus at small strain", 0.0),
        "poisson": Parameter("", "Poisson's ratio at small strain", -1.0, 0.5),
    }
    DEVICE: ClassVar = ("mu", "lam")
    VOLUME: ClassVar[str | None] = None  # measure M of laws whose λ is found in λ/2 M² alone

    def __post_init__(self):
        super().__post_init__()
        low = np.asarray(self.poisson) < self.least_poisson - 1e-9
        if np.any(low):
            given, least = (float(np.broadcast_to(a, low.shape)[low][0]) for a in (self.poisson, self.least_poisson))
            raise InputError(
                f"{self.name}(poisson=…) is {given:g}; expected at least {least:.4g}, below which this law has no "
                "lowest energy"
                f"{self._instead}"
            )

    @property
    def least_poisson(self) -> float | np.ndarray:
        """Poisson's ratio below which the energy falls without end under strong compression or stretch."""
        return -1.0

    _instead: ClassVar[str] = "; use StableNeoHookean or Corotated there"

    @property
    def moduli(self) -> tuple[np.ndarray, np.ndarray]:
        return np.atleast_1d(self.mu), np.atleast_1d(self.lam)

    def without_volume(self) -> tuple[Material, np.ndarray, str] | None:
        if self.VOLUME is None:
            return None
        young, poisson, kappa = self._split()
        return replace(self, young=young, poisson=poisson), kappa, self.VOLUME

    def _split(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Young's modulus and Poisson's ratio of ψ₀, and κ."""
        return 2 * self.mu, 0.0 * self.mu, self.lam

    def pulled_back_volume(self, rest: Gradients, kappa: np.ndarray) -> Gradients:
        others = {name: value for name, value in rest.items() if name not in ("young", "poisson")}
        by = np.stack(np.broadcast_arrays(rest["young"], rest["poisson"], kappa), axis=-1)

        def split(law: Elastic) -> np.ndarray:
            return np.stack(np.broadcast_arrays(*law._split()), axis=-1)

        return summed(others, pulled_back(self, split, np.atleast_2d(by)))

    @classmethod
    def from_lame(cls, mu: Values, lam: Values, **others: Any) -> Elastic:
        """The same law from its Lamé parameters [Pa]."""
        young, poisson = engineering(Parameter("Pa", "shear modulus", 0.0).check(cls.__name__, "mu", mu), lam)
        return cls(young=young, poisson=poisson, **others)

    @property
    def mu(self) -> np.ndarray:
        """Shear modulus [Pa]."""
        return lame(self.young, self.poisson)[0]

    @property
    def lam(self) -> np.ndarray:
        """Lamé's first parameter [Pa]."""
        return lame(self.young, self.poisson)[1]
