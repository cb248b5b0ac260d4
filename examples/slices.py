"""A hollow ball on a lattice falls on a peg and the floor, and a plane through it shows the stress inside and its cells."""

import pliant as pl

SPACING = 0.008  # [m] edge of a cell


def hollow_ball() -> pl.Sdf:
    """A ball with a hollow off its centre: the walls are 12 to 28 mm thick."""
    return pl.sphere(0.06, centre=(0, 0, 0.12)) - pl.sphere(0.04, centre=(0.008, 0, 0.12))


def simulation(spacing: float = SPACING) -> pl.Simulation:
    body = pl.Body(
        pl.Lattice(hollow_ball(), spacing, embedding=pl.embedding.Tricubic()),
        pl.StableNeoHookean(young=4e4, poisson=0.4),
        damping=pl.Damping(stiffness=0.002),
        velocity=(0, 0, -1.2),
        name="ball",
    )
    peg = pl.Obstacle(pl.capsule((-0.03, -0.2, 0.0), (-0.03, 0.2, 0.0), 0.025), name="peg")
    scene = pl.Scene([body], [peg, pl.plane(z=0.0)], contact=pl.Contact(friction=0.4))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120, solver=pl.QuasiNewton(iterations=30)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.3, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.2, 0.33, 0.5)]
    pl.filmstrip(run, path, moments, size=(340, 300), look=pl.render.Slice(colour="stress", cells=True), limits=(0.0, 1.2e4))


if __name__ == "__main__":
    run = main()
    draw(run, "out/slices.png")
    pl.picture(run, "out/slices_distance.png", frame=len(run) // 3, look=pl.render.Slice())
    pl.picture(run, "out/slices_rays.png", frame=len(run) // 3, look=pl.render.RayCast(spacing=SPACING / 2))
    pl.page(run, "out/slices.html", title="Inside a hollow ball", look=pl.render.Slice(colour="stress"))
