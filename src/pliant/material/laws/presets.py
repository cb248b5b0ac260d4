"""Materials of daily life: small-strain moduli and densities to begin with, and where they come from.

All but foam hardly change their volume. They get a Poisson's ratio of 0.45, which linear tets bear without locking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...arguments import checks
from ...errors import InputError, did_you_mean
from .neo_hookean import StableNeoHookean


@dataclass(frozen=True)
class Preset:
    """Young's modulus [Pa], Poisson's ratio, density [kg/m³], and a sentence that says where they come from."""

    young: float
    poisson: float
    density: float
    source: str

    @property
    def values(self) -> dict[str, float]:
        """By the names that laws give them."""
        return {"young": self.young, "poisson": self.poisson, "density": self.density}


PRESETS = {
    "jelly": Preset(
        1.2e3, 0.45, 1310.0,
        "a pectin jelly of standard firmness, shear modulus 0.38 to 0.43 kPa (Nielsen, Marr and Hvidt 2001), of 65 % sugar",
    ),
    "liver": Preset(5.5e3, 0.45, 1060.0, "healthy people, by transient elastography (Roulot et al. 2008)"),
    "foam": Preset(
        2.8e4, 0.33, 30.0,
        "soft polyurethane foam of 30 kg/m³: E = 45 MPa (30/1200)² (Gibson and Ashby 1997, Cellular Solids)",
    ),
    "silicone 00-30": Preset(
        1.2e5, 0.45, 1070.0,
        "a platinum-cured silicone of Shore 00-30: 69 kPa at twice its length, as data sheets have it, is E/3 (2 − 1/4)",
    ),
    "rubber": Preset(
        1.2e6, 0.45, 930.0, "natural rubber: shear modulus 0.39 MPa, by Treloar's curves of 1944 below twice the length"
    ),
}  # fmt: skip


def preset(name: str | Sequence[str]) -> StableNeoHookean:
    """The law of something from daily life: "jelly", "liver", "foam", "silicone 00-30" or "rubber".

    Several names are materials of as many regions of a mesh. The moduli are those of small strain; ``pliant materials`` says
    where they come from.
    """
    names = [name] if isinstance(name, str) else name
    if not isinstance(names, list | tuple) or not names or not all(isinstance(each, str) for each in names):
        raise checks.refusal("preset(name=…)", name, f"one of {', '.join(PRESETS)}, or several of them")
    for each in names:
        if each not in PRESETS:
            raise InputError(
                f"preset({each!r}): there is none of that name{did_you_mean(each, PRESETS)}; expected one of {', '.join(PRESETS)}"
            )
    values = [PRESETS[each].values for each in names]
    if isinstance(name, str):
        return StableNeoHookean(**values[0])
    return StableNeoHookean(**{key: [each[key] for each in values] for key in values[0]})
