"""Three blocks of jelly fall on one another, bend, slip and tumble to the floor, and never pass through each other."""

import pliant as pl


def block(name: str, size: float, at: tuple[float, float, float], degrees: float) -> pl.Body:
    mesh = pl.tet_grid(size=(size, size, size), cells=(3, 3, 3), origin=(-size / 2,) * 3)
    mesh = mesh.rotated((1, 2, 0.5), degrees).translated(at)
    law = pl.StableNeoHookean(young=1.5e4, poisson=0.4, density=1000.0)
    return pl.Body(mesh, law, damping=pl.Damping(viscosity=20.0), name=name)


def simulation() -> pl.Simulation:
    blocks = [
        block("large", 0.12, (0.0, 0.0, 0.061), 0.0),
        block("middle", 0.09, (0.035, 0.02, 0.20), 25.0),
        block("small", 0.07, (-0.015, -0.01, 0.32), -50.0),
    ]
    contact = pl.Contact(friction=0.4, response=pl.contact.Barrier())
    scene = pl.Scene(blocks, obstacles=[pl.plane(z=0.0)], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, 10, 20, len(run) - 1), view=(-60, 15), size=(400, 380))


if __name__ == "__main__":
    run = main()
    draw(run, "out/tumbling_blocks.png")
    pl.page(run, "out/tumbling_blocks.html", title="Blocks that fall on one another")
