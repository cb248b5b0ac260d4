"""A cage of four rings, given by its signed distance alone and laid on a lattice of cubic cells, is dropped on a ball."""

import pliant as pl

SPACING = 0.012  # [m] edge of a cell
MAJOR, MINOR = 0.1, 0.02  # [m] radii of a ring and of its tube


def cage() -> pl.Sdf:
    """Set operations on signed distances; there is no mesh anywhere."""
    rings = pl.torus(MAJOR, MINOR)
    for turn in (0, 60, 120):
        rings = rings | pl.torus(MAJOR, MINOR, axis=(1, 0, 0)).rotated((0, 0, 1), turn)
    return rings.rotated((1, 0, 0), 15).translated((0.03, 0.0, 0.24))


def simulation(spacing: float = SPACING) -> pl.Simulation:
    shape = cage()
    body = pl.Body(
        pl.Lattice(shape, spacing),
        pl.StableNeoHookean(young=1e5, poisson=0.4),
        surface=pl.surface(shape, spacing / 2),  # what is drawn may be finer than what moves
        damping=pl.Damping(stiffness=0.003),
        name="cage",
    )
    ball = pl.Obstacle(pl.sphere(0.05, centre=(0.0, 0.0, 0.05)), name="ball")
    scene = pl.Scene([body], [ball, pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=30)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.6, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(t * 60) for t in (0.0, 0.15, 0.25, 0.6)]
    pl.filmstrip(run, path, frames=moments, view=(-60, 20), size=(340, 300))


if __name__ == "__main__":
    run = main()
    draw(run, "out/lattice_cage.png")
    pl.page(run, "out/lattice_cage.html", title="A cage on a lattice")
