"""Soft blocks on a floor, on a slope, on one another and in a pile: Pliant with each response, beside its peers."""

import argparse

from blocks import CELLS, DAMPING, FRICTION, MASS, POISSON, SCENES, SIZE, YOUNG, gravity, report

import pliant as pl

RESPONSES = {
    "Penalty, Newton": (pl.contact.Penalty(), pl.Newton()),
    "Complementarity, one linearisation": (pl.contact.Complementarity(gap=1e-3), pl.Newton(iterations=1)),
    "Barrier, Newton": (pl.contact.Barrier(reach=1e-3), pl.Newton()),
}


def simulation(name: str, response, solver, dt: float) -> pl.Simulation:
    blocks, lean = SCENES[name]
    law = pl.StableNeoHookean(young=YOUNG, poisson=POISSON, density=MASS / SIZE**3)
    grid = pl.tet_grid((SIZE,) * 3, (CELLS,) * 3, origin=(-SIZE / 2, -SIZE / 2, 0.0))
    bodies = [
        pl.Body(
            grid.rotated((0, 0, 1), block.turned).translated(block[:3]),
            law,
            damping=pl.Damping(stiffness=DAMPING),
            name=f"block {i}",
        )
        for i, block in enumerate(blocks)
    ]
    contact = pl.Contact(friction=FRICTION, response=response)
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], gravity=gravity(lean), contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(dt, solver=solver), threads=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=[])
    parser.add_argument("--dt", type=float, default=0.01)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    for name in options.scenes or SCENES:
        for given, (response, solver) in RESPONSES.items():
            sim, last = simulation(name, response, solver, options.dt), []

            def step(sim=sim, last=last) -> bool:
                last[:] = [sim.step()]
                return last[0].kept

            who = f"Pliant, {name}, {given}"
            report(
                who,
                options.dt,
                options.seconds,
                step,
                lambda sim=sim: sim.x,
                lambda last=last: max(0.0, -last[0].worst_gap),
            )


if __name__ == "__main__":
    main()
