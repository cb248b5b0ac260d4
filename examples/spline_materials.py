"""Two laws drawn as splines, one firmer when pressed and one when pulled, beside the neo-Hookean one under equal loads."""

import numpy as np

import pliant as pl

MU, LAM = 8e3, 1.2e4  # [Pa] Lamé's parameters at small strain, the same for all three
FIRM = 100e3  # [Pa] how much the spline laws add
LOADS = {"pressed": -1.6e4, "pulled": 1.2e4}  # [Pa] on the upper face, which is guided


def laws() -> dict[str, pl.extend.Material]:
    """a′ and c′ of the neo-Hookean law as splines through eleven points, with a′ changed on one side of rest (Eq 7.12)."""
    s = np.linspace(0.2, 2.2, 11)  # principal stretches or volumes; beyond, the splines go on straight
    cube, volume = FIRM * (s - 1) ** 3, (LAM * np.log(s) - MU) / s
    return {
        "neo-Hookean": pl.NeoHookean.from_lame(MU, LAM),
        "spline A": pl.ValanisLandel(a=MU * s + np.minimum(cube, 0), c=volume),
        "spline B": pl.ValanisLandel(a=MU * s + np.maximum(cube, 0), c=volume),
    }


def simulation() -> pl.Simulation:
    block = pl.meshes.hex_box(size=(0.1, 0.1, 0.1), cells=(4, 4, 4))
    bodies = [
        pl.Body(
            pl.Hexes(block.translated((0.16 * i, 0.2 * j, 0.0))), law, name=f"{name}, {way}", damping=pl.Damping(mass=10.0),
            pinned=lambda X: X[:, 2] < 1e-9,
            effects=[
                pl.Hold(lambda X: X[:, 2] > 0.0999, by=pl.hold.Rigidly("xy")),
                pl.Traction((0, 0, stress), lambda X: X[:, 2] > 0.0999, course=lambda t: min(2 * t, 1.0)),
            ],
        )
        for j, (way, stress) in enumerate(LOADS.items()) for i, (name, law) in enumerate(laws().items())
    ]  # fmt: skip
    integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10))
    return pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0)), integrator)


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, progress=True)


def force(law: pl.extend.Material, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Stretch and force per rest area [Pa] of a block with free sides that is drawn out to the stretch ``end``."""
    walls = [pl.Hold(lambda X, k=k: X[:, k] < 1e-9, by=pl.hold.Rigidly("xyz"[k])) for k in range(3)]
    pull = pl.Hold(lambda X: X[:, 2] > 1 - 1e-9, motion=lambda X, t: X * [1, 1, 1 + (end - 1) * t], by=pl.hold.Rigidly("z"))
    block = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), law, effects=[*walls, pull])
    run = pl.Simulation(pl.Scene([block], gravity=(0, 0, 0)), pl.QuasiStatic(dt=1 / 40)).run(1.0)
    s = 1 + (end - 1) * run.times
    return 0.5 * (s[1:] + s[:-1]), np.diff(run.energies["elastic"]) / np.diff(s)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, colour="stress", view=(-68, 16), size=(1000, 620))
    chart = pl.render.Chart("Force to press and to pull", "stretch", "force per area", y_unit="Pa", size=(560, 340))
    for name, law in laws().items():
        (low, pressed), (high, pulled) = force(law, 0.45), force(law, 1.8)
        chart = chart.line(np.concatenate([low[::-1], high]), np.concatenate([pressed[::-1], pulled]), name)
    chart.save(str(path).replace(".png", ".svg"))


if __name__ == "__main__":
    run = main()
    draw(run, "out/spline_materials.png")
    pl.page(run, "out/spline_materials.html", title="Laws drawn as splines")
