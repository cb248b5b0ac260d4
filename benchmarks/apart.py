"""Every frame of every example with a barrier or complementarity, checked exactly: python -m benchmarks.apart [example …]

Each edge of all surfaces against each face of them, in double precision: in how many frames one passes through another, and how
far they would have to be moved apart at least; and how deep points are inside obstacles. A barrier promises none at all,
complementarity none deeper than its gap. Whole runs as the examples have them; what was found is kept, example by example, in
benchmarks/results/apart.json, and the same check of a few frames is a test.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import commit
from pliant import contact
from tests.intersections import crossing_frames, depths_in_obstacles

FOLDER = Path(__file__).parent.parent / "examples"
RECORD = Path(__file__).parent / "results" / "apart.json"
KINDS = {"Barrier": contact.Barrier, "Complementarity": contact.Complementarity}
THROUGH = ("needle",)  # whose point is to go into a body


def loaded(name: str):
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names() -> list[str]:
    """Examples that name one of the two responses."""
    found = [path.stem for path in sorted(FOLDER.glob("*.py")) if path.stem not in THROUGH]
    return [name for name in found if any(f"{kind}(" in (FOLDER / f"{name}.py").read_text("utf-8") for kind in KINDS)]


def checked(name: str) -> dict | None:
    """What a whole run of an example shows; None for one with another response."""
    module, begin = loaded(name), time.process_time()
    simulation = module.simulation()
    scene = simulation.scene
    response = next((kind for kind, law in KINDS.items() if isinstance(scene.contact.response, law)), None)
    if response is None:
        return None
    gap = 0.0 if response == "Barrier" else float(simulation.world["contact"][0].gap)
    run = module.main()
    crossed = crossing_frames(run)
    inside, faces = depths_in_obstacles(run, scene.obstacles) if scene.obstacles else (None, None)
    deepest = max((depth for _, depth in crossed), default=0.0)
    return {
        "response": response, "frames": len(run), "contacts at most": int(run.contacts.max()),
        "steps that failed": sum(not report.kept for report in run.reports),
        "frames in which surfaces cross": len(crossed), "deepest crossing [m]": deepest, "gap [m]": gap,
        "deepest point in an obstacle [m]": inside, "and between points, on faces [m]": faces,
        "kept": bool(deepest <= gap and (inside is None or inside <= gap)),
        "CPU time [s]": round(time.process_time() - begin, 1),
    }  # fmt: skip


def main() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    here = os.getcwd()
    for name in sys.argv[1:] or names():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # where examples write their pictures
            try:
                row = checked(name)
            finally:
                os.chdir(here)
        if row is None:
            continue
        about = {"machine": f"{os.cpu_count()} cores, {platform.machine()}", "commit": commit()}
        record[name] = row | about | {"date": time.strftime("%Y-%m-%d")}
        print(name, json.dumps(row), flush=True)
        RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
