"""Materials of daily life: small-strain moduli and densities to begin with, and where they come from.

All but foam hardly change their volume. They get a Poisson's ratio of 0.45, which linear tets bear without locking.
"""

from __future__ import annotations

from dataclasses import dataclass


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
