"""A cube of jelly falls on a hard ball, folds over it and slides down to the floor."""

import pliant as pl


def simulation() -> pl.Simulation:
    mesh = pl.tet_grid(size=(0.16, 0.16, 0.16), cells=(9, 9, 9), origin=(-0.06, -0.09, 0.20))
    cube = pl.Body(
        mesh,
        pl.StableNeoHookean(young=4e3, poisson=0.45, density=1000.0),
        damping=pl.Damping(viscosity=15.0),
        name="jelly",
    )
    scene = pl.Scene(
        [cube],
        obstacles=[pl.plane(z=0.0), pl.sphere(0.07, centre=(0.0, 0.0, 0.07))],
        contact=pl.Contact(friction=0.3),
    )
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 12, 18, 30), view=(-72, 15), size=(400, 380))


if __name__ == "__main__":
    run = main()
    draw(run, "out/drop_on_sphere.png")
    pl.page(run, "out/drop_on_sphere.html", title="A cube of jelly on a ball")
