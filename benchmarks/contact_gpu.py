"""Contact by complementarity on a GPU: python benchmarks/contact_gpu.py [OUT.json [DEVICE [SMALL]]]

First what it is worth, on a small block: W on the device against plain solves, with known and with new contacts and with another
factor; forces all at once against sweeps; W that is never built; three steps of a simulation against the same on the CPU.
Then ``python -m benchmarks complementarity`` there: a block of 58,800 unknowns with 2,262 rows, stage by stage, and whole steps.
Each part stands alone: one that fails prints why. With DEVICE cpu and SMALL the same kernels run there, slowly, to try it.
"""

import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator

import numpy as np
from studies import complementarity as contact

from pliant.contact.complementarity.accelerated_jacobi import AcceleratedJacobi
from pliant.contact.complementarity.contact_compliance import Delassus, Dense, SelectedInverse
from pliant.contact.complementarity.gauss_seidel import solve_contacts
from pliant.contact.complementarity.matrix_free import MatrixFree
from pliant.linear.factor.block_factor_device import DeviceFactored
from pliant.runtime.device import Device
from pliant.solve.newton.linear_system import linearised

RECORD: dict[str, object] = {}
BEGUN = time.perf_counter()
CELLS = (6, 7, 6)
STEPS = 20


def say(name: str, value: float, unit: str = "") -> None:
    RECORD[f"{name} [{unit}]" if unit else name] = value
    print(f"{time.perf_counter() - BEGUN:7.1f} s  {name}: {value:.6g} {unit}", flush=True)


def alone(work: Callable[[], None], *given: object) -> None:
    """Run a part; where it fails, say so and go on."""
    try:
        work(*given)
    except Exception as error:
        RECORD[work.__name__] = f"failed: {error}"
        print(f"FAILED {work.__name__}", flush=True)
        traceback.print_exc()


def small(device: str) -> tuple[DeviceFactored, object, np.ndarray]:
    """The factor of a small block, its contacts, and gaps without forces."""
    sim = contact.block(CELLS, device)
    for _ in range(2):
        sim.step()
    objective, x = sim.world.objective, sim.state.x
    law = objective.constraint
    law.detector.begin(x)
    system = linearised(objective, x, project=True)
    inverse = DeviceFactored(system.matrix, system.positions)
    inverse.take(system.free, "f64")
    g, d = objective.vectors.new(), objective.vectors.new()
    law.release()
    objective.gradient(x, g)
    inverse.solve(g, d)
    motion = -d.numpy().astype(float)
    rows = law.find(x, motion, True)
    return inverse, rows, rows.gaps(x.numpy() + motion)


def worth(device: str) -> None:
    """W and forces on the device against plain solves and sweeps."""
    inverse, rows, b = small(device)
    kept: dict = {}

    def off(W: np.ndarray, plain: np.ndarray) -> float:
        return float(np.abs(W - plain).max() / np.abs(plain).max())

    half = rows.chosen(np.arange(0, rows.count, 2))
    for name, some in (("half of the contacts", half), ("all of them", rows), ("other normals", contact.turned(rows))):
        plain = Dense().matrix({}, inverse, some)
        say(
            f"W of {name}, difference from solves",
            off(SelectedInverse().matrix(kept, inverse, some).numpy(), plain.numpy()),
        )
    for turn in range(3):
        inverse.take(inverse.held, "f64")
        plain = Dense().matrix({}, inverse, rows).numpy()
        say(
            f"W with factor {turn + 2}, difference from solves",
            off(SelectedInverse().matrix(kept, inverse, rows).numpy(), plain),
        )
    place, n, law = Device(device, "f64"), len(b), (rows.kind, rows.friction, rows.bound)
    there, here = Dense().matrix({}, inverse, rows), Device("cpu", "f64")
    swept = solve_contacts(here, Delassus.of(there.numpy(), here), b, *law, np.zeros(n), 5000, 1e-14)
    solver = AcceleratedJacobi(place)
    for turn in range(3):
        found = solver.solve(there, b, *law, np.zeros(n), 5000, 1e-14)
        wrong = float(np.abs(found.force - swept.force).max() / np.abs(swept.force).max())
        say(f"forces all at once, time {turn + 1}, difference from sweeps", wrong)
    say("forces all at once, rounds", found.sweeps)
    unbuilt = solver.solve(MatrixFree().matrix({}, inverse, rows), b, *law, np.zeros(n), 5000, 1e-12)
    wrong = float(np.abs(unbuilt.force - swept.force).max() / np.abs(swept.force).max())
    say("forces with W unbuilt, difference from sweeps", wrong)
    say("forces with W unbuilt, rounds", unbuilt.sweeps)
    say("forces one after the other, sweeps", swept.sweeps)


def steps(device: str) -> None:
    """Steps there and on the CPU."""
    here, there = contact.block(CELLS, "cpu", refresh=3), contact.block(CELLS, device, refresh=3)
    for _ in range(5):
        here.step()
        report = there.step()
    x, y = here.state.x.numpy(), there.state.x.numpy()
    print(report.why, flush=True)
    say("five steps, difference of positions from the CPU's", float(np.abs(x - y).max()), "m")
    say("five steps, motion on the CPU", float(np.abs(x - here.world.objective.positions).max()), "m")


def stages(device: str, rows: Iterator[contact.Row]) -> None:
    """The benchmark, row by row as it comes."""
    for name, value, unit in rows:
        say(name, value, unit)


def main(out: str = "", device: str = "cuda", cells: str = "") -> None:
    if cells:
        contact.CELLS = (4, 4, 4)
    alone(worth, device)
    alone(steps, device)
    alone(stages, device, contact.run(device, 16, sizes=False, steps=STEPS))
    if out:
        with open(out, "w") as file:
            json.dump(RECORD, file, indent=1)
    alone(stages, device, contact.by_contacts(device))
    alone(stages, device, contact.by_size(device))
    alone(stages, device, contact.by_length(device))
    if out:
        with open(out, "w") as file:
            json.dump(RECORD, file, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
