"""Every law of the library in one scene: fourteen beams of the same stiffness under the same gravity."""

from typing import Any

import pliant as pl

STIFF: dict[str, Any] = {"young": 6e4, "poisson": 0.4}  # [Pa], and no unit


def laws() -> dict[str, pl.extend.Material]:
    """One material of each law, all with the same stiffness at small strain where the law has one."""
    soft = pl.Corotated(**STIFF)
    return {
        "LinearElastic": pl.LinearElastic(**STIFF),
        "Corotated": soft,
        "FixedCorotated": pl.FixedCorotated(**STIFF),
        "Arap": pl.Arap(young=6e4),
        "StVenantKirchhoff": pl.StVenantKirchhoff(**STIFF),
        "NeoHookean": pl.NeoHookean(**STIFF),
        "StableNeoHookean": pl.StableNeoHookean(**STIFF),
        "MooneyRivlin": pl.MooneyRivlin(**STIFF),
        "Ogden": pl.Ogden(**STIFF),
        "ValanisLandel": pl.ValanisLandel.neo_hookean_like(**STIFF),
        "Fibres": soft + pl.laws.Fibres(stiffness=1e5),
        "Muscle": soft + pl.laws.Muscle(peak_stress=3e4, activation=0.3),
        "StrainLimit": soft + pl.laws.StrainLimit(stiffness=3e5, low=0.95, high=1.05),
        "VolumePreservation": soft + pl.laws.VolumePreservation(stiffness=3e5),
    }


def simulation(cells: tuple[int, int, int] = (12, 3, 3)) -> pl.Simulation:
    beam = pl.tet_grid(size=(0.16, 0.03, 0.03), cells=cells)
    bodies = [
        pl.Body(
            beam.translated((0.0, 0.048 * i, 0.3)),
            law,
            pinned=lambda X: X[:, 0] < 1e-6,
            damping=pl.Damping(mass=6.0),
            name=name,
        )
        for i, (name, law) in enumerate(laws().items())
    ]
    return pl.Simulation(pl.Scene(bodies), pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(linear=pl.linear.Direct())))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-28, 24), size=(1280, 800), names=True)


if __name__ == "__main__":
    run = main()
    draw(run, "out/materials_side_by_side.png")
    pl.page(run, "out/materials_side_by_side.html", title="Every law, side by side")
