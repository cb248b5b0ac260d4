"""A rubber balloon on a nozzle is blown up by pressure; its thin skin is neo-Hookean."""

import pliant as pl

RADIUS, SKIN = 0.05, 0.0005  # [m]


def simulation() -> pl.Simulation:
    balloon = pl.Body(
        pl.Membrane(pl.meshes.sphere(RADIUS, subdivisions=3, centre=(0, 0, RADIUS)), thickness=SKIN),
        pl.NeoHookean(young=1e6, poisson=0.49, density=950.0),
        pinned=lambda X: X[:, 2] < 0.6 * RADIUS,  # the nozzle holds this rim
        effects=[pl.Pressure(4.6e3, course=lambda t: min(t / 1.0, 1.0))],
        damping=pl.Damping(mass=8.0, stiffness=1e-3),
        name="balloon",
    )
    return pl.Simulation(pl.Scene([balloon]), pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.5, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 40, 52, len(run) - 1), colour="stress", view=(-55, 8), size=(380, 420))


if __name__ == "__main__":
    run = main()
    draw(run, "out/inflated_shell.png")
    pl.page(run, "out/inflated_shell.html", title="A balloon")
