"""What the wrapper ``Plastic`` costs: python benchmarks/plastic.py [MACHINE [TETS]]

One thread; CPU time of the forces and of the matrix: of the law alone, wrapped and below yield, and where all of it flows.
MACHINE names the record in benchmarks/results/plastic.json, such as x86_2_cores; without it nothing is written.
"""

import json
import platform
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import numpy as np
import warp as wp

import pliant as pl
from pliant.elements.tets import Tets
from pliant.energy.base import Step
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.plasticity.plastic_energy import AdditiveEnergy, Flowing, PlasticEnergy
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device

LAW = pl.StableNeoHookean(young=1e5, poisson=0.3)
ADDITIVE = pl.plasticity.Additive()
ROUNDS = 7
RESULTS = Path(__file__).parent / "results" / "plastic.json"


def main(tets: int = 24_000) -> list[dict]:
    """Rows of what is timed, in ms for 100,000 tets: best, median and worst of seven rounds by turns."""
    side = max(1, round((tets / 6) ** (1 / 3)))
    elements, device = Tets(pl.tet_grid((1, 1, 1), (side,) * 3, 6)), Device("cpu", "f64", threads=1)
    noise = 0.02 / side * np.random.default_rng(0).standard_normal(elements.rest.shape)
    x = device.array(elements.rest + noise, device.types.position)
    kinds = {
        "law": ElasticEnergy(device, elements, LAW),
        "wrapped, below yield": PlasticEnergy(device, elements, pl.Plastic(LAW, 1e9)),
        "wrapped, all flows": PlasticEnergy(device, elements, pl.Plastic(LAW, 1.0, hardening=1e4)),
        "additive, below yield": AdditiveEnergy(device, elements, pl.Plastic(LAW, 1e9, flow=ADDITIVE)),
        "additive, all has flowed": AdditiveEnergy(device, elements, pl.Plastic(LAW, 1.0, hardening=1e4, flow=ADDITIVE)),
    }
    kinds["additive, all has flowed"].begin(Step(x, 0.01, lasts=0.01))
    kinds["additive, all has flowed"].accept(x, 0.01)
    fresh = {name: {key: wp.clone(a) for key, a in energy.memory.items()} for name, energy in kinds.items()}
    out, jobs = device.zeros(len(elements.rest), device.types.vec3), {}
    for name, energy in kinds.items():
        energy.begin(Step(x, 0.01, lasts=0.01))
        pattern = BlockMatrix(device, len(elements.rest), [energy.cells()])
        energy.attach(pattern)
        jobs[name, "forces"] = lambda e=energy: e.gradient(x, out)
        jobs[name, "matrix"] = lambda e=energy, p=pattern: e.blocks(x, p)
        if isinstance(energy, Flowing):
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
    rows = []
    for (name, what), seconds in times.items():
        law = np.median(times.get(("law", what), [np.nan]))
        ratio = None if np.isnan(law) or name == "law" else round(float(np.median(seconds) / law), 2)
        best, middle, most = (round(1e8 * t / elements.count, 1) for t in (min(seconds), float(np.median(seconds)), max(seconds)))
        rows.append({"what": f"{name}, {what}", "best": best, "median": middle, "worst": most, "times the law": ratio})
        print(rows[-1], flush=True)
    return rows


def keep(machine: str, rows: list[dict]) -> None:
    """Put the rows into the results, with the machine and the commit."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    every = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    about = {
        "machine": f"{platform.machine()}, {platform.system()}, one thread",
        "commit": commit,
        "date": str(date.today()),
    }
    every[machine] = about | {
        "command": f"python benchmarks/plastic.py {machine}",
        "unit": "ms per 100,000 tets, CPU",
        "rows": rows,
    }
    RESULTS.write_text(json.dumps(every, indent=1) + "\n")


if __name__ == "__main__":
    found = main(*map(int, sys.argv[2:]))
    if len(sys.argv) > 1:
        keep(sys.argv[1], found)
