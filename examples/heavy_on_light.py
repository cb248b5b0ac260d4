"""Two stacks of rubber: a block lies on one that is 256 times lighter, and beside it soft and stiff ones take turns."""

import pliant as pl

SIZE, GAP, FALL = 0.1, 1e-3, 0.01  # m: of a block, between blocks at rest, and before they are let go
STACKS = {  # density [kg/m³] and Young's modulus [Pa] from below
    "heavy": ((1000.0, 1e7), (256e3, 1e7)),
    "mixed": ((1000.0, 1e5), (1000.0, 1e6), (1000.0, 1e5), (1000.0, 1e6)),
}


def simulation() -> pl.Simulation:
    bodies = []
    for along, (name, blocks) in zip((-0.13, 0.13), STACKS.items()):
        for i, (density, young) in enumerate(blocks):
            mesh = pl.tet_grid((SIZE,) * 3, (2, 2, 1), origin=(-SIZE / 2, -SIZE / 2, 0)).rotated((0, 0, 1), 7.0 * i)
            law = pl.StableNeoHookean(young=young, poisson=0.3, density=density)
            bodies.append(pl.Body(mesh.translated((along, 0, FALL + i * (SIZE + FALL))), law, name=f"{name} {i}"))
    contact = pl.Contact(friction=0.3, response=pl.contact.Complementarity(gap=GAP))
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(iterations=1)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.5, frames_per_second=30, progress=True)


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=(0, len(run) - 1), colour="stress", view=(-70, 15), size=(450, 450))


if __name__ == "__main__":
    run = main()
    print(f"{run.contacts[-1]} contacts, worst gap {1e3 * run.worst_gap.min():.3f} mm")
    draw(run, "out/heavy_on_light.png")
    pl.page(run, "out/heavy_on_light.html", title="Heavy on light")
