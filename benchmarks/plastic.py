"""What the wrapper ``Plastic`` costs: python benchmarks/plastic.py [TETS]

One thread; CPU time of the forces and of the matrix: of the law alone, wrapped and below yield, and where all of it flows.
"""

import sys
import time

import numpy as np
import warp as wp

import pliant as pl
from pliant.device import Device
from pliant.elements.tets import Tets
from pliant.energy.base import Step
from pliant.energy.elastic import ElasticEnergy
from pliant.energy.plastic import PlasticEnergy
from pliant.linear.matrix import BlockMatrix

LAW = pl.StableNeoHookean(young=1e5, poisson=0.3)
ROUNDS = 7


def main(tets: int = 24_000) -> None:
    side = max(1, round((tets / 6) ** (1 / 3)))
    elements, device = Tets(pl.tet_grid((1, 1, 1), (side,) * 3, 6)), Device("cpu", "f64", threads=1)
    noise = 0.02 / side * np.random.default_rng(0).standard_normal(elements.rest.shape)
    x = device.array(elements.rest + noise, device.types.position)
    kinds = {
        "law": ElasticEnergy(device, elements, LAW),
        "wrapped, below yield": PlasticEnergy(device, elements, pl.Plastic(LAW, 1e9)),
        "wrapped, all flows": PlasticEnergy(device, elements, pl.Plastic(LAW, 1.0, hardening=1e4)),
    }
    fresh = {name: {key: wp.clone(a) for key, a in energy.memory.items()} for name, energy in kinds.items()}
    out, jobs = device.zeros(len(elements.rest), device.types.vec3), {}
    for name, energy in kinds.items():
        energy.begin(Step(x, 0.01, lasts=0.01))
        pattern = BlockMatrix(device, len(elements.rest), [energy.cells()])
        energy.attach(pattern)
        jobs[name, "forces"] = lambda e=energy: e.gradient(x, out)
        jobs[name, "matrix"] = lambda e=energy, p=pattern: e.blocks(x, p)
        if isinstance(energy, PlasticEnergy):
            jobs[name, "begin of a step"] = lambda e=energy: e.begin(Step(x, 0.01, lasts=0.01))
            jobs[name, "end of a step"] = lambda e=energy: e.accept(x, 0.01)
    times: dict[tuple, list[float]] = {job: [] for job in jobs}
    for turn in range(ROUNDS + 1):
        for job, work in jobs.items():
            kinds[job[0]].recall(fresh[job[0]])
            kinds[job[0]].begin(Step(x, 0.01, lasts=0.01))
            begin = time.process_time()
            work()
            if turn:
                times[job].append(time.process_time() - begin)
    for (name, what), seconds in times.items():
        law = np.median(times.get(("law", what), [np.nan]))
        ratio = "" if np.isnan(law) or name == "law" else f" ({np.median(seconds) / law:.2f} times the law)"
        best, most = (1e8 * t / elements.count for t in (min(seconds), max(seconds)))
        print(f"{name}, {what} {best:.1f} to {most:.1f} ms/100k tets{ratio}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
