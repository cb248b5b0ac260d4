"""A hundred small blocks, turned at random, fall into a pit and come to rest in a heap; none passes into another."""

import numpy as np

import pliant as pl

SIZE, APART, ABOVE = 0.05, 0.088, 0.064  # m: of a block, and from one to the next before they fall
RADIUS, DEEP, WIDE, WALL = 0.34, 0.24, 0.7, 0.02  # m: of the pit, and of the block it is in


def pit() -> pl.Sdf:
    """A block with a round hollow, whose lowest point is at z = 0."""
    block = pl.box((WIDE, WIDE, DEEP + WALL), centre=(0, 0, (DEEP - WALL) / 2))
    return block - pl.sphere(RADIUS, centre=(0, 0, RADIUS))


def simulation(layers: int = 7) -> pl.Simulation:
    rng = np.random.default_rng(1)
    mesh = pl.tet_grid((SIZE,) * 3, (1, 1, 1), origin=(-SIZE / 2,) * 3)
    jelly = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)
    blocks = []
    for layer, i, j in list(np.ndindex(layers, 4, 4))[:100]:
        shift = 1.25 if layer % 2 else 1.75  # above the gaps of the layer below
        at = (APART * (i - shift), APART * (j - shift), 0.19 + ABOVE * layer)
        turned = mesh.rotated(rng.normal(size=3), float(rng.uniform(0, 180)))
        blocks.append(pl.Body(turned.translated(at), jelly, damping=pl.Damping(viscosity=20.0), name=f"block {len(blocks)}"))
    contact = pl.Contact(friction=0.3, response=pl.contact.Barrier())
    return pl.Simulation(pl.Scene(blocks, obstacles=[pit()], contact=contact), pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    last = len(run) - 1
    pl.filmstrip(run, path, frames=(0, last // 4, last), view=(-60, 40), size=(450, 400))


if __name__ == "__main__":
    run = main()
    top = run.positions[-1, :, 2].max()
    print(f"{run.contacts[-1]} contacts, worst gap {1e3 * run.worst_gap.min():.2f} mm, top at {top:.2f} m")
    draw(run, "out/pile_of_a_hundred.png")
    pl.page(run, "out/pile_of_a_hundred.html", title="A pile of a hundred blocks")
