"""Soft blocks on a floor, on a slope and on one another: Pliant with each response, beside mujoco_contact.py.

Prints the CPU time of a step, how deep points are in what they touch at the end, and the creep over the last second.
"""

import time

import numpy as np

import pliant as pl

SIZE, CELLS, YOUNG, MASS = 0.1, 3, 1e5, 1.0
SCENES = {"drop": (1, 0.0), "slope": (1, 20.0), "stack": (3, 0.0)}  # blocks, and the lean of the floor [degrees]
START = {"drop": 0.011}  # m above the floor; 1 mm in the others
RESPONSES = {
    "Penalty, Newton": (pl.contact.Penalty(), pl.Newton()),
    "Complementarity, one linearisation": (pl.contact.Complementarity(gap=1e-3), pl.Newton(iterations=1)),
    "Barrier, Newton": (pl.contact.Barrier(reach=1e-3), pl.Newton()),
}


def simulation(name: str, response, solver, dt: float) -> pl.Simulation:
    blocks, lean = SCENES[name]
    gravity = 9.81 * np.array([np.sin(np.radians(lean)), 0.0, -np.cos(np.radians(lean))])
    law, bodies = pl.StableNeoHookean(young=YOUNG, poisson=0.3, density=MASS / SIZE**3), []
    for i in range(blocks):
        z = START.get(name, 0.001) + i * (SIZE + 0.0015)
        mesh = pl.tet_grid((SIZE,) * 3, (CELLS,) * 3, origin=(-SIZE / 2, -SIZE / 2, z)).rotated((0, 0, 1), 7 * i)
        bodies.append(pl.Body(mesh, law, damping=pl.Damping(stiffness=0.002), name=f"block {i}"))
    contact = pl.Contact(friction=0.5, response=response)
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], gravity=tuple(gravity), contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt, solver=solver), threads=1)


def main(dt: float = 0.01, seconds: float = 3.0) -> None:
    for name in SCENES:
        for given, (response, solver) in RESPONSES.items():
            sim, spent, before = simulation(name, response, solver, dt), 0.0, None
            for k in range(round(seconds / dt)):
                begin = time.process_time()
                report = sim.step()
                spent += time.process_time() - begin if k >= 3 else 0.0  # the first compile
                if k == round((seconds - 1.0) / dt):
                    before = sim.x
            depth, creep = max(0.0, -report.worst_gap), np.linalg.norm(sim.x - before, axis=1).max()
            print(
                f"Pliant, {name}, {given}: {1e3 * spent / (seconds / dt - 3):.2f} ms a step of {1e3 * dt:.0f} ms, "
                f"depth {1e3 * depth:.3f} mm, creep {1e3 * creep:.4f} mm/s, top {sim.x[:, 2].max():.4f} m, "
                f"{'fine' if report.ok else report.why}",
                flush=True,
            )


if __name__ == "__main__":
    main()
