"""Every law pulled and pushed by the element code, on the curve that was worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq, minimize_scalar

import pliant as pl
from pliant import material

from . import PICTURES

YOUNG, POISSON = 1e4, 0.3
BASE = pl.Corotated(young=YOUNG, poisson=POISSON)  # what fibres and muscle are added to in charts
SAMPLES: dict[str, tuple[str, pl.Corotated]] = {  # law → how it is written, and the material drawn in its chart
    "Arap": ("Arap(young=1e4)", pl.Arap(young=YOUNG)),
    "Fibres": ("Corotated(young=1e4) + Fibres(stiffness=2e4)", BASE + pl.laws.Fibres(stiffness=2e4)),
    "Muscle": (
        "Corotated(young=1e4) + Muscle(peak_stress=1e4, activation=0.5)",
        BASE + pl.laws.Muscle(peak_stress=1e4, activation=0.5),
    ),
    "StrainLimit": (
        "Arap(young=1e4) + StrainLimit(stiffness=5e4, low=0.9, high=1.2)",
        pl.Arap(young=YOUNG) + pl.laws.StrainLimit(stiffness=5e4, low=0.9, high=1.2),
    ),
    "VolumePreservation": (
        "Arap(young=1e4) + VolumePreservation(stiffness=5e4)",
        pl.Arap(young=YOUNG) + pl.laws.VolumePreservation(stiffness=5e4),
    ),
    "ValanisLandel": (
        "ValanisLandel.polynomial(mu=1e4)",
        pl.ValanisLandel.polynomial(1e4),
    ),
}
LEAST = {"Fibres": 0.9}  # stiff fibres in a soft matrix kink when they are pushed further, and the stress is no longer uniaxial


def sample(name: str) -> tuple[str, pl.Corotated]:
    """How an example of a law is written, and the law itself."""
    if name in SAMPLES:
        return SAMPLES[name]
    return f"{name}(young=1e4, poisson=0.3)", getattr(material, name)(young=YOUNG, poisson=POISSON)


def _muscle(s: float) -> float:
    """Peak stress 1e4 Pa, half active: parabolas about the rest length, an exponential that goes on straight."""
    rise = 6.6 * (min(s, 1.4) - 1)
    passive = 0.05 * (np.exp(rise) - 1 - rise) + 0.33 * (np.exp(rise) - 1) * max(s - 1.4, 0.0) if s > 1 else 0.0
    tail = 25 / 3 * (0.2 - min(abs(s - 1) - 0.4, 0.2)) ** 2
    active = 1 - 25 / 6 * (s - 1) ** 2 if 0.6 <= s <= 1.4 else tail
    return YOUNG * (s - 1) + 1e4 * (0.5 * active + passive)


def _volume(s: float) -> float:
    """The sides l at which E/2 (2(l−1)² + (s−1)²) + k/2 (2(l−b)² + (s−1/b²)²) is least, b being the nearest of volume 1."""
    stiffness = 5e4

    def nearest(l: float) -> float:
        return minimize_scalar(
            lambda b: 2 * (l - b) ** 2 + (s - b**-2) ** 2, bounds=(0.3, 3.0), method="bounded", options={"xatol": 1e-12}
        ).x

    l = brentq(lambda l: YOUNG * (l - 1) + stiffness * (l - nearest(l)), 0.4, 2.5, xtol=1e-12)
    return YOUNG * (s - 1) + stiffness * (s - nearest(l) ** -2)


def closed(name: str) -> Callable[[float], float]:
    """Nominal stress [Pa] as a function of the stretch, worked out by hand for the sample of this law."""
    from tests.laws.test_closed_forms import UNIAXIAL

    if name in UNIAXIAL:
        return lambda s: UNIAXIAL[name](s)[1]
    return {
        "Fibres": lambda s: (YOUNG + 2e4) * (s - 1),
        "Muscle": _muscle,
        "StrainLimit": lambda s: YOUNG * (s - 1) + 5e4 * (s - np.clip(s, 0.9, 1.2)),
        "VolumePreservation": _volume,
        "ValanisLandel": lambda s: 4e4 * (s - 1) ** 3,
    }[name]


def pulled(law: pl.Corotated, stretches: np.ndarray) -> np.ndarray:
    """Nominal stress [Pa] of a unit cube of tets whose ends are held this far apart and whose sides are free.

    ``stretches`` are gone through in order; the stress is the force on the nodes of the moving end.
    """

    def faces(axis):
        return pl.Hold(lambda X: X[:, axis] < 1e-9, by=pl.hold.Rigidly("xyz"[axis]))

    def motion(X, t):
        return X * [np.interp(t, np.arange(len(stretches) + 1), [1.0, *stretches]), 1, 1]

    end = pl.Hold(lambda X: X[:, 0] > 1 - 1e-9, motion=motion, by=pl.hold.Rigidly("x"))
    cube = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), law, effects=[faces(0), faces(1), faces(2), end])
    sim = pl.Simulation(pl.Scene([cube], gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0, solver=pl.Newton(tolerance=1e-9)))
    moved, found = sim.x[:, 0] > 0.5, []
    for _ in stretches:
        report = sim.step()
        if not report.ok:
            raise RuntimeError(f"{law.key}: {report.why}")
        force = sim.vectors.new()
        x = sim.device.array(sim.x, sim.device.types.vec3)
        for energy in sim.world["elastic"]:
            energy.gradient(x, force)
        found.append(force.numpy()[moved, 0].sum())
    return np.array(found)


def compared(name: str, count: int = 9) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stretches, simulated and closed-form nominal stress [Pa] of the sample of a law."""
    law = sample(name)[1]
    low, high = np.linspace(1.0, LEAST.get(name, 0.5), count)[1:], np.linspace(1.0, 2.0, count)[1:]
    s = np.concatenate([low[::-1], high])
    stress = np.concatenate([pulled(law, low)[::-1], pulled(law, high)])
    return s, stress, np.array([closed(name)(v) for v in s])


def deviation(stress: np.ndarray, theory: np.ndarray) -> float:
    """Largest distance of the points from the curve, as a part of the largest stress."""
    return float(np.abs(stress - theory).max() / np.abs(theory).max())


def chart(name: str) -> float:
    """Draw the points of one law on its curve and return how far off they are."""
    s, stress, theory = compared(name)
    fine = np.linspace(s[0], s[-1], 121)
    title = f"{name}: uniaxial stress"
    made = pl.render.Chart(title, "stretch", "nominal stress", y_unit="Pa", size=(560, 320))
    made = made.line(fine, [closed(name)(v) for v in fine], "worked out by hand", "#aab2bd")
    made = made.points(s, stress, "simulated", "#3f7fb5")
    made.save(PICTURES / f"law_{name}.svg")
    return deviation(stress, theory)


def charts() -> dict[str, float]:
    """All of them: law → deviation."""
    return {name: chart(name) for name in material.__all__}
