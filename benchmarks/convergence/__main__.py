"""``python -m benchmarks.convergence``: run the study, print its tables; ``--out`` keeps the values, ``--charts`` the charts."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import time
from pathlib import Path

from . import report, studies


def run(tets: int = 4_000, largest: int = 16_640) -> dict:
    """All studies; about five minutes on two cores."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    begin = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - begin:6.1f} s  {text}", flush=True)

    results = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, f64",
        "commit": commit.stdout.strip(),
        "date": time.strftime("%Y-%m-%d"),
        "tets": tets,
        "condition": studies.condition_numbers(),
    }
    say("condition numbers: done")
    for name, jolt in (("calm", 0.0), ("jolted", studies.JOLT)):
        results[name] = studies.bar(tets, jolt)
        say(f"{name} frame of the bar: done")
    results["claim"] = studies.claim(tuple(t for t in studies.BARS if t <= largest))
    say("ten quasi-Newton iterations against one of Newton: done")
    results["curtain"] = studies.one_curtain_frame()
    results["stiffness"] = studies.stiffness_sweep()
    results["resolution"] = studies.resolution_sweep()
    say("springs: done")
    return results


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convergence", description=__doc__)
    parser.add_argument("--tets", type=int, default=4_000, choices=list(studies.BARS), help="tets of the twisting bar")
    parser.add_argument("--largest", type=int, default=16_640, help="largest bar of the comparison with Newton")
    parser.add_argument("--out", type=Path, help="file for the values, as JSON")
    parser.add_argument("--charts", type=Path, help="folder for the charts, as SVG")
    options = parser.parse_args()
    results = run(options.tets, options.largest)
    for name, table in report.tables(results).items():
        print(f"\n{name}\n{table}")
    if options.out:
        options.out.write_text(json.dumps(results), encoding="utf-8")
    if options.charts:
        options.charts.mkdir(parents=True, exist_ok=True)
        report.save_charts(results, options.charts)


if __name__ == "__main__":
    main()
