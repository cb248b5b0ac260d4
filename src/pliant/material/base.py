"""What a material is: named parameters with units and bounds, and device functions of F and those parameters.

A law is two functions, ``energy(F, p)`` [J/m³] and ``stress(F, p)`` [Pa], written once for any precision. Isotropic
laws add ``principal(s, p)``, the first and second derivatives of the energy by the principal stretches: from these
come the exact and the projected tangent (Stomakhin et al. 2012), plane stress and uniaxial stress.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from ..device import Types
from ..errors import InputError, first_few

Values = float | Sequence[float] | np.ndarray  # one for the whole body, one per region, or one per element


@dataclass(frozen=True)
class Parameter:
    """Unit, meaning and allowed interval of a material parameter; ends are excluded where ``open`` is true."""

    unit: str
    meaning: str
    lower: float = -np.inf
    upper: float = np.inf
    open: bool = True

    def check(self, owner: str, name: str, value: Any) -> np.ndarray:
        """Return the value as float64, or say what is wrong with it."""
        if isinstance(value, str | bytes | bool) or value is None:
            raise InputError(f"{owner}({name}=…) is {value!r}; expected a number in {self.unit or 'no unit'}")
        try:
            array = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{owner}({name}=…) is {value!r}; expected a number in {self.unit or 'no unit'}") from None
        if not array.size:
            raise InputError(f"{owner}({name}=…) is empty; expected a number in {self.unit or 'no unit'}")
        inside = (
            (array > self.lower) & (array < self.upper) if self.open else (array >= self.lower) & (array <= self.upper)
        )
        if not np.all(inside & np.isfinite(array)):
            bad = np.flatnonzero(
                ~np.atleast_1d(inside & np.isfinite(array)).reshape(len(np.atleast_1d(array)), -1).all(1)
            )
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

    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "density": Parameter("kg/m³", "mass per rest volume", 0.0),
    }
    DEVICE: ClassVar[tuple[str, ...]] = ()  # attributes that make the device vector p, in order
    isotropic: ClassVar[bool] = True
    rotation_invariant: ClassVar[bool] = True
    inversion_safe: ClassVar[bool] = False  # defined, and pushing back, for det F ≤ 0
    thins: ClassVar[bool] = True  # sheets and threads of an isotropic law find the thickness at which its stress vanishes

    def __post_init__(self):
        for item in fields(self):
            if item.name in self.PARAMETERS:
                parameter = self.PARAMETERS[item.name]
                object.__setattr__(
                    self, item.name, parameter.check(type(self).__name__, item.name, getattr(self, item.name))
                )
        counts = {name: np.shape(value)[0] for name, value in self.parameters().items() if np.ndim(value)}
        if len({1, *counts.values()}) > 2:
            given = ", ".join(f"{count} of {name}" for name, count in counts.items())
            raise InputError(f"{type(self).__name__} has {given}; expected one value of each, or the same number")

    def __add__(self, other: Material) -> Material:
        from .combined import Combined

        if not isinstance(other, Material):
            raise InputError(f"cannot add {type(other).__name__} to {type(self).__name__}; expected another material")
        return Combined(laws=(*self.terms, *other.terms))

    @property
    def terms(self) -> tuple[Material, ...]:
        """The single laws this material is a sum of."""
        return (self,)

    @property
    def key(self) -> str:
        """Names the device code of this law; equal keys share kernels."""
        return type(self).__name__

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

    @functools.cached_property
    def width(self) -> int:
        return self.table().shape[1]

    def without_volume(self) -> tuple[Material, np.ndarray, str] | None:
        """ψ₀, κ [Pa] and the measure M of a law ψ₀ + κ/2 M² (energy/volume_measures.py); None for other laws."""
        return None

    def functions(self, t: Types, dimension: int = 3) -> SimpleNamespace:
        """Device functions for one precision, in a solid (3), a sheet in plane stress (2) or a thread (1).

        ``energy(F, p)``, ``stress(F, p)``, the tangent as ``differential(F, dF, p)`` (exact), ``projected(F, dF, p)``
        (positive semi-definite) and ``stiffness(F, p, project)`` (9×9), and ``principal(s, p)`` of isotropic solids.
        Projective laws have ``projection(F, p)`` as well, k times the shape nearest to F.
        """
        raise NotImplementedError

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

    def without_volume(self) -> tuple[Material, np.ndarray, str] | None:
        if self.VOLUME is None:
            return None
        return replace(self, young=2 * self.mu, poisson=0.0 * self.mu), self.lam, self.VOLUME

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
