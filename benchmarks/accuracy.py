"""Run ``python -m benchmarks accuracy`` and keep its rows for the docs: python benchmarks/accuracy.py MACHINE [KEY=VALUE …]

MACHINE names the record in benchmarks/results/accuracy.json, such as x86_2_cores; rows of the same name are replaced.
"""

import ast
import json
import platform
import subprocess
import sys
import time
from pathlib import Path

import warp as wp
from studies import accuracy

RESULTS = Path(__file__).parent / "results" / "accuracy.json"


def main(machine: str, *options: str) -> None:
    given = {}
    for option in options:
        key, _, text = option.partition("=")
        try:
            given[key] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            given[key] = text
    known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    record = known.setdefault(machine, {"machine": machine, "rows": []})
    rows = {name: [name, value, unit] for name, value, unit in record["rows"]}
    for name, value, unit in accuracy.run(**given):
        rows[name] = [name, value, unit]
        print(f"{name} {value:.4g} {unit}", flush=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    cuda = given.get("device", "cpu") != "cpu"
    record["machine"] = wp.get_device("cuda:0").name if cuda else f"{platform.machine()}, {platform.system()}"
    record |= {
        "warp": wp.config.version,
        "commit": commit,
        "date": time.strftime("%Y-%m-%d"),
        "rows": list(rows.values()),
    }
    RESULTS.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
