"""Plastic laws, which wrap another law beyond yield."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ...errors import InputError
from ...runtime.device import Types
from ..base import Material, Parameter, Values
from ..functions import Functions
from ..spectral import of_dimension
from .additive_plasticity import ENTRIES, additive, flow_of_state
from .plastic_functions import flow_of_step, of_step

ELASTIC = 1.0e30  # a yield stress that nothing reaches [Pa]
NONE = 1.0e6  # a plastic strain that nothing reaches
STOP = 300.0  # times μ, the hardening beyond the limit: a hundred times as stiff as the law
OWN = 4  # entries of the device vector beside those of the law


@dataclass(frozen=True)
class Multiplicative:
    """F = Fe Fp, flow being part of the step: it ends at the yield stress, at any strain, and keeps the volume exactly."""


@dataclass(frozen=True)
class Additive:
    """ε = ε_e + ε_p of the strain S − I, F = R S; what is beyond yield flows after each step (O'Brien et al. 2002).

    Steps are elastic, so that forces cost little more than the law's. For strains below about 0.2.
    """


FLOWS = (Multiplicative, Additive)


@dataclass(frozen=True, eq=False)
class Plastic(Material):
    """A body that keeps part of its deformation: ``law`` up to ``yield_stress`` (von Mises' of Kirchhoff's stress), then flow.

    The yield stress grows by ``hardening`` [Pa] times the plastic strain. Flow keeps the volume. It is there at once, or takes
    ``creep_time`` [s]: α̇ = (σ − σ_y − H α) / (3μ creep_time). Beyond the plastic strain ``limit`` the body is elastic again, to a
    hundredth. ``law`` is isotropic, or a sum of laws that are. ``flow`` is how strain is divided: plasticity.Multiplicative() or
    plasticity.Additive().
    """

    law: Material
    yield_stress: Values  # [Pa]
    hardening: Values = 0.0  # [Pa]
    creep_time: Values = 0.0  # [s]
    limit: Values = NONE
    flow: Multiplicative | Additive = field(default_factory=Multiplicative)
    density: Values = field(init=False, default=1000.0, repr=False)  # that of the law

    PARAMETERS: ClassVar = {
        "yield_stress": Parameter("Pa", "von Mises stress from which it flows", 0.0),
        "hardening": Parameter("Pa", "growth of the yield stress with the plastic strain", 0.0, open=False),
        "limit": Parameter("", "plastic strain at which flow ends", 0.0),
        "creep_time": Parameter("s", "time in which stress beyond yield falls to 1/e", 0.0, open=False),
    }
    alone: ClassVar = "put the sum inside of it: Plastic(a + b, yield_stress=…)"

    def __post_init__(self):
        law = self.law
        if not isinstance(law, Material):
            raise InputError(
                f"Plastic(law={type(law).__name__}): expected a law such as StableNeoHookean(young=1e6, poisson=0.3)"
            )
        if isinstance(law, Plastic):
            raise InputError("Plastic(law=Plastic): expected the law of the elastic part, which has no flow of its own")
        if not (law.isotropic and law.rotation_invariant and all(term.thins for term in law.terms)):
            raise InputError(
                f"Plastic(law={law.name}): expected a law of the principal stretches alone, such as StableNeoHookean or Corotated"
            )
        if law.inexact:
            raise InputError(f"Plastic(law=…): {law.inexact}")
        if not isinstance(self.flow, FLOWS):
            raise InputError(
                f"Plastic(flow=…) is a {type(self.flow).__name__}; expected plasticity.Multiplicative() or plasticity.Additive()"
            )
        if self.is_additive and law.moduli is None:
            raise InputError(
                f"Plastic(flow=Additive()): {law.name} has no shear modulus, so its yield stress is no strain; expected another "
                "law, or plasticity.Multiplicative()"
            )
        if self.is_additive and law.barrier:
            raise InputError(
                f"Plastic(flow=Additive()): {law.name} is not defined for inverted strains, as the elastic part may have; "
                "expected a law such as StableNeoHookean or Corotated, or plasticity.Multiplicative()"
            )
        super().__post_init__()
        object.__setattr__(self, "density", law.density)
        for name, none in (("creep_time", 0.0), ("limit", NONE)):
            if law.moduli is None and np.any(np.asarray(getattr(self, name)) != none):
                raise InputError(
                    f"Plastic({name}=…): {law.name} has no shear modulus to scale it by; expected {none:g} or another law"
                )
        if len(law.terms) == 1:
            object.__setattr__(self, "PARAMETERS", {**law.PARAMETERS, **type(self).PARAMETERS})

    @property
    def name(self) -> str:
        return f"Plastic({self.law.name})"

    @property
    def is_additive(self) -> bool:
        """Whether strains are summed: flow=plasticity.Additive()."""
        return isinstance(self.flow, Additive)

    @property
    def key(self) -> str:
        return f"{'Additive' if self.is_additive else 'Plastic'}_{self.law.key}"

    @property
    def inversion_safe(self) -> bool:
        return self.law.inversion_safe

    @property
    def barrier(self) -> bool:
        return self.law.barrier

    @property
    def moduli(self) -> tuple[np.ndarray, np.ndarray] | None:
        return self.law.moduli

    def parameters(self) -> dict[str, Any]:
        """Its own, and those of the law that it wraps unless that is a sum."""
        own = {name: getattr(self, name) for name in type(self).PARAMETERS}
        return own | (self.law.parameters() if len(self.law.terms) == 1 else {})

    def replaced(self, **values: Any) -> Plastic:
        own = {name: value for name, value in values.items() if name in type(self).PARAMETERS}
        inner = {name: value for name, value in values.items() if name not in own}
        return replace(self, law=self.law.replaced(**inner) if inner else self.law, **own)

    def table(self) -> np.ndarray:
        """(rows, parameters) before any flow: those of the law, then yield stress, hardening, limit and hardening beyond it, or
        of an additive flow the strain that has flowed."""
        if self.is_additive:
            law = self.columns()[:, :-OWN]
            return np.hstack([law, np.zeros((len(law), ENTRIES))])
        return self.columns()[:, :-1]

    def columns(self) -> np.ndarray:
        """The same with the viscosity η = 3μ creep_time [Pa s] at the end; of an additive flow the parameters of the law, then
        yield strain σ_y/(√6 μ), its growth with α, the largest |ε_p| and the time of creep [s]."""
        mu = np.zeros(1) if self.law.moduli is None else np.atleast_1d(self.law.moduli[0])
        values = (self.yield_stress, self.hardening, self.limit, STOP * mu, 3 * mu * self.creep_time)
        if self.is_additive:
            shear = 6**0.5 * mu
            values = (self.yield_stress / shear, self.hardening / shear, 1.5**0.5 * self.limit, self.creep_time)
        own = [np.atleast_1d(v) for v in values]
        law = self.law.table()
        rows = max(len(law), *map(len, own))
        for part in (law, *own):
            if len(part) not in (1, rows):
                raise InputError(
                    f"{self.name} has {len(part)} values of one parameter and {rows} of another; expected one, or the same number"
                )
        return np.hstack([np.broadcast_to(law, (rows, law.shape[1])), *(np.broadcast_to(v[:, None], (rows, 1)) for v in own)])

    def functions(self, t: Types, dimension: int = 3) -> Functions:
        width = self.law.width
        if self.is_additive:
            law = self.law.functions(t, dimension)
            functions = additive(f"{self.key}{dimension}", law, width, t, dimension)
            functions.flow = flow_of_state(self.key, law, width, t, dimension)
            return functions
        elastic = self.law.functions(t, 3)
        own = of_step(self.key, elastic, width, t)
        functions = of_dimension(self.key, own, t, dimension)
        flow = flow_of_step(self.key, functions, elastic, width, own.flow, t)[dimension]
        functions.flow = t.function(f"{self.key}_flow{dimension}", flow)
        return functions
