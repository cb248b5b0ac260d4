"""A beam of soft rubber, held at one end, sinks under its own weight and swings to rest."""

import pliant as pl


def simulation() -> pl.Simulation:
    mesh = pl.meshes.hex_box(size=(0.40, 0.06, 0.06), cells=(24, 4, 4), origin=(0.0, -0.03, 0.50))
    beam = pl.Body(
        pl.Hexes(mesh),
        pl.StableNeoHookean(young=2.5e5, poisson=0.45, density=1100.0),
        pinned=lambda X: X[:, 0] < 1e-6,
        damping=pl.Damping(stiffness=0.01),
        name="beam",
    )
    return pl.Simulation(pl.Scene([beam]), pl.BDF2(dt=1 / 60, solver=pl.Newton(linear=pl.linear.Direct())))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 2.0, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, colour="stress", view=(-62, 14), size=(1200, 760))


if __name__ == "__main__":
    run = main()
    draw(run, "out/hanging_beam.png")
    pl.page(run, "out/hanging_beam.html", title="A hanging beam")
