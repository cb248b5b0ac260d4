"""A model of MuJoCo, read as it is: a cushion, a hammer and an egg fall on a table; a boom sweeps the hard ones off it."""

from pathlib import Path

import pliant as pl

MODEL = Path(__file__).parent / "robots" / "soft_table.xml"
SWEEP = pl.schedule.Table([0.0, 0.45, 1.25], [-1.4, -1.4, 1.4])  # s, rad


def simulation() -> pl.Simulation:
    found = pl.scenes.read(MODEL, joints={"swing": SWEEP})
    return pl.Simulation(found.scene(), pl.ImplicitEuler(dt=1 / 100))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.3, frames_per_second=50, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.35, 0.65, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-50, 22), size=(400, 360))


if __name__ == "__main__":
    print(pl.scenes.read(MODEL).summary)  # what was found, and what was not taken over
    run = main()
    draw(run, "out/from_mujoco.png")
    pl.page(run, "out/from_mujoco.html", title="A model of MuJoCo")
