"""A needle goes seven centimetres into a gel and out again: how hard it pushes grows with its depth, and turns as it is drawn."""

from dataclasses import replace
from typing import Any

import numpy as np

import pliant as pl

DEEPEST, SPEED, LINE = 0.07, 0.1, (0.0, 0.021, 0.019)  # m, m/s, and where the needle enters
HOLD, CUT = 3.0, 0.05  # N per metre of shaft, and N at the tip
CALM, LONG, THICK = 0.1, 0.11, 0.0015  # s of rest before it is drawn out; length and radius of the drawn needle [m]


def depth(t: float) -> float:
    """How deep the tip is in the gel [m]; it begins 5 mm outside."""
    turn = (DEEPEST + 0.005) / SPEED
    return min(SPEED * t - 0.005, DEEPEST - SPEED * max(t - turn - CALM, 0.0), DEEPEST)


def tip(t: float) -> np.ndarray:
    return np.add(LINE, (depth(t), 0.0, 0.0))


def simulation(cells: tuple[int, int, int] = (15, 6, 6)) -> pl.Simulation:
    soft = pl.StableNeoHookean(young=5e3, poisson=0.4, density=1000.0)
    mesh = pl.tet_grid((0.1, 0.04, 0.04), cells)
    gel = pl.Body(mesh, soft, pinned=lambda X: X[:, 2] < 1e-9, damping=pl.Damping(viscosity=20.0), name="gel")
    needle = pl.contact.Needle("gel", tip, (1, 0, 0), spacing=0.002, hold=HOLD, cut=CUT)
    contact = pl.Contact(response=pl.contact.Complementarity(joints=[needle]))
    scene = pl.Scene([gel], gravity=(0, 0, 0), contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 50, solver=pl.Newton(iterations=1)))


def measured(seconds: float | None = None) -> tuple[pl.Run, np.ndarray, np.ndarray]:
    """The run, and after each step the depth of the tip [m] and the force of the needle on the gel along it [N]."""
    depths, forces = [], []

    def note(sim: pl.Simulation, report: object) -> None:
        depths.append(depth(sim.t))
        contact: Any = sim.world["contact"][0]
        forces.append(contact.joint_force(0)[0])

    run = simulation().run(seconds or 1.7, frames_per_second=25, on_step=note, progress=True)
    return run, np.array(depths), np.array(forces)


def main(seconds: float | None = None) -> pl.Run:
    return measured(seconds)[0]


def draw(run: pl.Run, path: str) -> None:
    shaft = pl.surface(pl.capsule(np.subtract(LINE, (LONG, 0, 0)), LINE, THICK), 6e-4)
    poses = np.tile(np.eye(4), (len(run), 1, 1))
    poses[:, 0, 3] = [depth(t) for t in run.times]
    shown = replace(run, props=(*run.props, pl.extend.Prop("needle", shaft, poses)))
    moments = [int(np.argmin(np.abs(run.times - t))) for t in (0.0, 0.4, 0.75, 1.2)]
    pl.filmstrip(shown, path, frames=moments, colour="stress", view=(-70, 25), size=(420, 260))
    _, depths, forces = measured()
    deepest = int(np.argmax(depths)) + 1
    chart = pl.render.Chart("A needle in a gel", "depth of the tip", "force on the gel", "mm", "N", size=(560, 340))
    for name, part in (("going in", slice(0, deepest)), ("and out", slice(deepest, None))):
        chart = chart.line(1e3 * depths[part], forces[part], name)
    chart.save(str(path).replace(".png", ".svg"))


if __name__ == "__main__":
    run = main()
    draw(run, "out/needle.png")
    pl.page(run, "out/needle.html", title="A needle in a gel")
