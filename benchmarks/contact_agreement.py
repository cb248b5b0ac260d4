"""Six scenes with each response of contact: how far they end from one another, in hundredths of the motion.

    python benchmarks/contact_agreement.py [--cuda] [scene …]

Gaps, reaches and depths of contact are made small beside the motion, so that what is left is the models' and the solvers'. A
record of all scenes is written to benchmarks/results/contact_agreement.json; ``tests/contact/test_agreement.py`` holds them
to 1 %.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from pathlib import Path

import numpy as np
import warp as wp

import pliant as pl

STIFFNESS = 1e6  # [N/m] of each point that touches, where contact is a spring
GAP = 1e-5  # [m] between what touches where a scene begins
RESPONSES = {
    "barrier": lambda gap: {"response": pl.contact.Barrier(reach=1.02 * gap)},
    "complementarity": lambda gap: {"response": pl.contact.Complementarity(gap=gap)},
    "penalty": lambda gap: {"response": pl.contact.Penalty(stiffness=STIFFNESS), "stiffness": STIFFNESS},
}
LAW = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000.0)
DAMPED = pl.Damping(viscosity=60.0)
FLOOR = pl.plane(z=0.0)


def block(size, cells, at, name, law=LAW, **more) -> pl.Body:
    return pl.Body(pl.tet_grid(size, cells, origin=at), law, name=name, damping=DAMPED, **more)


def drop() -> dict:
    """A block that falls by a centimetre onto a floor, half a second later."""
    return {"bodies": [block((0.1, 0.1, 0.05), (3, 3, 2), (0, 0, 0.01), "block")], "obstacles": [FLOOR], "seconds": 0.5}


def stacked() -> dict:
    """Two blocks on one another and on a floor, settled under their weight."""
    gap = 4e-6  # two of them, below and above, count beside a motion of 2 mm
    below = block((0.1, 0.1, 0.05), (3, 3, 2), (0, 0, gap), "below")
    above = block((0.07, 0.07, 0.05), (2, 2, 2), (0.015, 0.015, 0.05 + 2 * gap), "above")
    return {"bodies": [below, above], "obstacles": [FLOOR], "seconds": 0.5, "gap": gap}


def slope() -> dict:
    """A block that sticks on a slope of 15 degrees and leans down it.

    Friction of the barrier and of springs takes the normal force of the step before, so that a first step of h slides by
    g h² sin θ: steps are short.
    """
    gravity = (9.81 * np.sin(np.radians(15)), 0.0, -9.81 * np.cos(np.radians(15)))
    bodies = [block((0.1, 0.1, 0.1), (3, 3, 3), (0, 0, GAP), "block")]
    return {"bodies": bodies, "obstacles": [FLOOR], "gravity": gravity, "friction": 0.8, "seconds": 0.1, "dt": 1 / 500}


def pressed() -> dict:
    """A soft sphere between two rigid plates, of which one comes down by a fifth of its height."""
    ball = pl.Body(pl.tetrahedralise(pl.sphere(0.05), 0.025), LAW, name="ball", damping=DAMPED)
    gap = 1e-4  # a step of the barrier is solved in parts, of which none goes further than gaps allow
    low, high = (float(end + side * gap) for side, end in zip((-1, 1), ball.shape.mesh.bounds[:, 2]))

    def down(t: float) -> np.ndarray:
        pose = np.eye(4)
        pose[2, 3] = -0.02 * min(t / 0.3, 1.0)
        return pose

    plates = [pl.plane(z=low), pl.Obstacle(pl.plane(point=(0, 0, high), normal=(0, 0, -1)), down)]
    return {"bodies": [ball], "obstacles": plates, "gravity": (0, 0, 0), "seconds": 0.4, "dt": 1 / 100, "gap": gap}


def beam() -> dict:
    """A beam clamped at one end that sinks onto a round bar across it; on a ball, without friction, it would slip to a side."""
    held = block((0.3, 0.04, 0.03), (9, 2, 2), (0, 0, 0), "beam", pinned=lambda X: X[:, 0] < 1e-9)
    bar = pl.capsule((0.2, -0.06, -0.035), (0.2, 0.1, -0.035), 0.03)
    return {"bodies": [held], "obstacles": [bar], "seconds": 0.5}


def soft_on_rigid() -> dict:
    """A soft block on a rigid one that stands on a floor."""
    gap = 2e-6
    box = pl.meshes.box((0.08, 0.08, 0.04)).translated((0.04, 0.04, 0.02 + gap))
    rigid = pl.Body(pl.contact.Rigid(box, density=2000.0), name="rigid")
    soft = block(
        (0.06, 0.06, 0.05),
        (2, 2, 2),
        (0.01, 0.01, 0.04 + 2 * gap),
        "soft",
        pl.StableNeoHookean(young=4e3, poisson=0.3, density=1000.0),
    )
    return {"bodies": [rigid, soft], "obstacles": [FLOOR], "seconds": 0.5, "gap": gap}


SCENES = {f.__name__: f for f in (drop, stacked, slope, pressed, beam, soft_on_rigid)}


# which sinks in by what its stiffness says
SOFT = {
    "penalty by default": lambda gap: {"response": pl.contact.Penalty()},
    "hardness 100": lambda gap: {"response": pl.contact.Penalty(hardness=100), "hardness": 100},
}


def run(name: str, response: str, device: str = "cpu") -> tuple[np.ndarray, np.ndarray, float]:
    """(n, 3) where nodes begin and end, and the CPU time [s]."""
    given = SCENES[name]()
    contact = pl.Contact(friction=given.get("friction", 0.0), **(RESPONSES | SOFT)[response](given.get("gap", GAP)))
    gravity = given.get("gravity", (0, 0, -9.81))
    scene = pl.Scene(given["bodies"], given.get("obstacles", []), gravity, contact)
    dt = given.get("dt", 1 / 50)
    simulation, start = pl.Simulation(scene, pl.ImplicitEuler(dt), device=device), time.process_time()
    begun = simulation.x
    for _ in range(round(given["seconds"] / dt)):
        report = simulation.step()
        if not report.kept:
            raise RuntimeError(f"{name} with {response}: {report.why}")
    return begun, simulation.x, time.process_time() - start


def differences(name: str, responses=tuple(RESPONSES), device: str = "cpu") -> dict[str, float]:
    """Of each pair of responses, the largest distance of nodes at the end over the largest way of a node; and seconds."""
    found = {response: run(name, response, device) for response in responses}
    begun, end, _ = found["complementarity"]
    motion = np.linalg.norm(end - begun, axis=1).max()
    apart = lambda a, b: float(np.linalg.norm(found[a][1] - found[b][1], axis=1).max() / motion)
    names = list(responses)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    return {"motion": float(motion), **{f"{a} – {b}": apart(a, b) for a, b in pairs},
            "seconds": {response: round(found[response][2], 2) for response in names}}  # fmt: skip


def main() -> None:
    device = "cuda" if "--cuda" in sys.argv else "cpu"
    chosen = [name for name in sys.argv[1:] if name != "--cuda"] or list(SCENES)
    record = {}
    for name in chosen:
        record[name] = differences(name, (*RESPONSES, *SOFT), device)
        shown = "  ".join(f"{k} {100 * v:.2f} %" for k, v in record[name].items() if "–" in k)
        print(f"{name}: motion {1000 * record[name]['motion']:.2f} mm  {shown}  {record[name]['seconds']} s", flush=True)
    if len(chosen) == len(SCENES):
        path = Path(__file__).parent / "results" / "contact_agreement.json"
        from machine import commit  # beside this file, where it is run

        known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        about = {"machine": f"{os.cpu_count()} cores, {platform.machine()}", "commit": commit()}
        about |= {"date": time.strftime("%Y-%m-%d")}
        if device == "cuda":
            known["h200"] = {"scenes": record} | about | {"machine": wp.get_device("cuda:0").name}
        else:
            known |= record | about
        path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
