"""Two cubes fall side by side: one of them has stiff fibres along a diagonal of its faces, and lands differently."""

import pliant as pl

MU, LAM, KAPPA = 10.0, 100.0, 50.0  # [Pa], the cube drop of Liu, Bouaziz & Kavan (2017)


def simulation() -> pl.Simulation:
    cube = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(8, 8, 8), origin=(0.0, 0.0, 0.06))
    plain = pl.Corotated.from_lame(MU, LAM, density=5.0)
    bodies = [
        pl.Body(cube.translated((-0.16, 0, 0)), plain, name="plain"),
        pl.Body(cube, plain + pl.laws.Fibres(stiffness=KAPPA, direction=(1, 0, 1)), name="with fibres"),
    ]
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.4))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.6, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 10, 13, 20), view=(-75, 12), size=(400, 320))


if __name__ == "__main__":
    run = main()
    draw(run, "out/fibre_cube_drop.png")
    pl.page(run, "out/fibre_cube_drop.html", title="A cube with fibres")
