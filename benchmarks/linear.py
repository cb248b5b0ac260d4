"""Run ``python -m benchmarks assembly`` and ``python -m benchmarks preconditioners`` and keep their rows for the docs.

python benchmarks/linear.py MACHINE [tets …]: MACHINE names the record in benchmarks/results/linear.json, such as
x86_2_cores; rows of the same name are replaced. The numbers are sizes for the preconditioners, 10240 by default.
"""

import json
import platform
import subprocess
import sys
import time
from pathlib import Path

import warp as wp
from studies import assembly, preconditioners

RESULTS = Path(__file__).parent / "results" / "linear.json"


def main(machine: str, *sizes: str) -> None:
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    record = known.setdefault(machine, {"machine": machine, "rows": []})
    rows = {name: [name, value, unit] for name, value, unit in record["rows"]}
    runs = [assembly.run(threads=2), *(preconditioners.run(tets=int(n), threads=2) for n in sizes or ("10240",))]
    for run in runs:
        for name, value, unit in run:
            rows[name] = [name, value, unit]
            print(f"{name} {value:.4g} {unit}", flush=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    record |= {
        "machine": f"{platform.machine()}, {platform.system()}",
        "warp": wp.config.version,
        "commit": commit.stdout.strip(),
        "date": time.strftime("%Y-%m-%d"),
        "rows": list(rows.values()),
    }
    RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
