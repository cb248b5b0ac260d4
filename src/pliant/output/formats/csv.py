"""A table of a run's numbers over time, for spreadsheets and plots: energies, forces and torques, one row a frame."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from ...arguments.atomic_files import whole_file
from ...simulate.record.run import Run

AXES = "xyz"


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write ``frames``: the time, every energy, and of what has forces recorded force and torque about its centre."""
    columns: dict[str, np.ndarray] = {"time [s]": run.times}
    columns |= {f"{name} energy [J]": values for name, values in run.energies.items()}
    for name in run.wrenches:
        force, torque = run.force(name), run.torque(name)
        columns |= {f"force on {name}, {axis} [N]": force[:, i] for i, axis in enumerate(AXES)}
        columns |= {f"torque on {name}, {axis} [N m]": torque[:, i] for i, axis in enumerate(AXES)}
    rows = np.column_stack(list(columns.values()))[frames]
    with whole_file(path) as temporary, open(temporary, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows([repr(float(value)) for value in row] for row in rows)
