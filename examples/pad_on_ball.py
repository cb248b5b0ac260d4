"""A soft pad is pressed on a hard ball until a third of its underside touches it, slides aside with friction and lifts off."""

import numpy as np

import pliant as pl

RADIUS, THICK, SIDE = 0.05, 0.03, 0.12  # m
DOWN, ASIDE = 0.022, 0.02  # m: how far the back of the pad goes down, and then along


def pressed(X: np.ndarray, t: float) -> np.ndarray:
    """Where the back of the pad is: down, along, and up again."""
    down, along, up = np.clip([t / 0.4, (t - 0.5) / 0.3, (t - 0.9) / 0.3], 0.0, 1.0)
    return X + np.array([ASIDE * along, 0.0, -DOWN * (down - up)])


def simulation() -> pl.Simulation:
    soft = pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000.0)
    mesh = pl.tet_grid((SIDE, SIDE, THICK), (12, 12, 3), origin=(-SIDE / 2, -SIDE / 2, RADIUS + 0.002))
    back = pl.Hold(lambda X: X[:, 2] > RADIUS + THICK, pressed)
    pad = pl.Body(mesh, soft, damping=pl.Damping(viscosity=20.0), effects=[back], name="pad")
    contact = pl.Contact(friction=0.3, response=pl.contact.Complementarity(recursions=2))
    scene = pl.Scene([pad], obstacles=[pl.sphere(RADIUS)], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(iterations=1)))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.25, frames_per_second=30, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.35, 0.68, 1.0)]
    pl.filmstrip(run, path, frames=moments, colour="displacement", view=(-60, -12), size=(400, 300))


if __name__ == "__main__":
    run = main()
    print(f"{run.contacts.max()} contacts at most, worst gap {1e3 * run.worst_gap.min():.3f} mm")
    draw(run, "out/pad_on_ball.png")
    pl.page(run, "out/pad_on_ball.html", title="A pad on a ball")
