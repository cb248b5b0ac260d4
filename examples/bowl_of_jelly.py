"""Twenty soft lumps and blocks fall into a bowl and lie on one another; none passes through another or through the bowl."""

import numpy as np

import pliant as pl

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)


def bowl() -> pl.Sdf:
    """Half a thick shell."""
    shell = pl.sphere(0.16, centre=(0, 0, 0.16)) - pl.sphere(0.145, centre=(0, 0, 0.16))
    return shell - pl.box((0.4, 0.4, 0.2), centre=(0, 0, 0.245))


def simulation(layers: int = 5) -> pl.Simulation:
    lump = pl.tetrahedralise(pl.meshes.sphere(0.032, 2), edge=0.026)
    block = pl.tet_grid((0.05, 0.05, 0.05), (2, 2, 2), origin=(-0.025, -0.025, -0.025))
    bodies = []
    for layer in range(layers):
        for k in range(4):
            angle = np.radians(90 * k + 45 * layer)
            at = (0.055 * np.cos(angle), 0.055 * np.sin(angle), 0.085 + 0.085 * layer + 0.002 * k)
            mesh = (lump if (k + layer) % 2 else block.rotated((1, 2, 3), 40.0 * k)).translated(at)
            bodies.append(pl.Body(mesh, SOFT, damping=pl.Damping(viscosity=20.0), name=f"body {4 * layer + k}"))
    contact = pl.Contact(friction=0.3, response=pl.contact.Barrier())
    return pl.Simulation(pl.Scene(bodies, obstacles=[bowl()], contact=contact), pl.ImplicitEuler(dt=1 / 100))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.7, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    last = len(run) - 1
    pl.filmstrip(run, path, frames=(0, last // 3, last), view=(-60, 35), size=(450, 400))


if __name__ == "__main__":
    run = main()
    print(f"{run.contacts[-1]} contacts, worst gap {1e3 * run.worst_gap.min():.2f} mm")
    draw(run, "out/bowl_of_jelly.png")
