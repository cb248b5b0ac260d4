"""Four cloths fall on a ball, one on the other: their layers slide and fold, and contact keeps every one of them apart."""

import pliant as pl

SIZE, RADIUS = 0.4, 0.1  # m: of a cloth, and of the ball


def cloth(layer: int, cells: int) -> pl.Body:
    """A square sheet 12 mm above the one before, turned by 25° against it."""
    grid = pl.cloth_grid((SIZE, SIZE), (cells, cells)).translated((-SIZE / 2, -SIZE / 2, 0.225 + 0.012 * layer))
    return pl.Body(
        pl.Membrane(grid.rotated((0, 0, 1), 25.0 * layer), thickness=0.002),
        pl.StableNeoHookean(young=2e5, poisson=0.3, density=300.0),
        damping=pl.Damping(mass=0.5),
        name=f"cloth {layer}",
    )


def simulation(layers: int = 4, cells: int = 10) -> pl.Simulation:
    contact = pl.Contact(friction=0.2, response=pl.contact.Barrier())
    ball, floor = pl.sphere(RADIUS, centre=(0.01, 0.0, 0.115)), pl.plane(z=0.0)
    scene = pl.Scene([cloth(layer, cells) for layer in range(layers)], obstacles=[ball, floor], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    last = len(run) - 1
    pl.filmstrip(run, path, frames=(0, last // 3, last), view=(-60, 20), size=(430, 370))


if __name__ == "__main__":
    run = main()
    print(f"{run.contacts[-1]} contacts, worst gap {1e3 * run.worst_gap.min():.2f} mm")
    draw(run, "out/cloth_stack.png")
    pl.page(run, "out/cloth_stack.html", title="Cloths on a ball")
