"""Three cloths hang from two corners, free to stretch by ten, twenty and thirty per cent and stiff beyond that."""

import pliant as pl

LIMITS = ((0.9, 1.1), (0.8, 1.2), (0.7, 1.3))  # least and largest stretch
SIDE = 0.6  # [m]


def simulation() -> pl.Simulation:
    bodies = []
    for i, (low, high) in enumerate(LIMITS):
        sheet = pl.cloth_grid((SIDE, SIDE), (20, 20), origin=(i * 1.35 * SIDE, 0.0, 1.0))
        cloth = pl.laws.StrainLimit(stiffness=4e4, low=low, high=high, density=200.0) + pl.Arap(young=400.0)
        ends = [20, 440]  # two corners along the far edge
        damping = pl.Damping(mass=1.5)
        shape = pl.Membrane(sheet, thickness=1e-3)
        bodies.append(pl.Body(shape, cloth, pinned=ends, damping=damping, name=f"{low} … {high}"))
    solver = pl.ProjectiveDynamics(iterations=30)
    scene = pl.Scene(bodies, contact=pl.Contact(response=None))  # projective dynamics takes none
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver), precision="f32")


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 3.0, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.picture(run, path, view=(-90, 8), size=(1200, 640))


if __name__ == "__main__":
    run = main()
    draw(run, "out/strain_limited_cloth.png")
    pl.page(run, "out/strain_limited_cloth.html", title="Cloth with strain limits")
