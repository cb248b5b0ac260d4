"""Run a study and print its rows: python -m benchmarks NAME [--set KEY=VALUE …]; without a name, list them."""

import sys

from pliant.cli import bench
from pliant.cli.main import main

if __name__ == "__main__":
    bench.PACKAGE = "benchmarks.studies"
    sys.exit(main(["bench", *sys.argv[1:]]))
