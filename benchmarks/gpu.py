"""Run the GPU benchmarks and keep their rows: python benchmarks/gpu.py OUT.json"""

import json
import platform
import subprocess
import sys
import time

import warp as wp

from pliant.bench import elements, step


def main(path: str) -> None:
    wp.init()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    record = {
        "machine": f"{wp.get_device('cuda:0').name}, {platform.machine()}",
        "warp": wp.config.version,
        "commit": commit,
        "date": time.strftime("%Y-%m-%d"),
        "rows": [],
    }
    for module, options in ((elements, {"tets": 1_000_000, "device": "cuda"}), (step, {"device": "cuda"})):
        for name, value, unit in module.run(**options):
            record["rows"].append([name, value, unit])
            print(f"{name} {value:.4g} {unit}", flush=True)
        with open(path, "w") as file:
            json.dump(record, file, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
