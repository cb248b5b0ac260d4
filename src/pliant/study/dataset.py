"""Answers of members as one xarray.Dataset, and that as a Zarr folder that appears whole or not at all."""

from __future__ import annotations

import os
import platform
import shutil
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments.atomic_files import _temporary, reported
from ..distributed import VERSION, needed
from .designs import Grid, _Spread
from .members import Answer, Job

if TYPE_CHECKING:
    import xarray


def dataset(plan: Grid | _Spread, job: Job, found: Mapping[int, Answer], about: Mapping[str, Any]) -> xarray.Dataset:
    """Every measure over the parameters and its own dimensions, NaN where a member has none; ``failure`` says why."""
    import warp

    count = len(plan.members)
    along = {where: len(values) for where, values in plan.coordinates.values()}
    first = next((found[i] for i in sorted(found) if not found[i].why), None)
    why = np.array([found[i].why if i in found else "this was not run" for i in range(count)], dtype=object)
    for i in range(count):
        if not why[i]:
            why[i] = _misfit(found[i], first)
    times = np.zeros(0) if first is None else first.times
    variables = {}
    for name, function in job.measure.items():
        shape = () if first is None else first.values[name].shape
        values = np.full((count, *shape), np.nan)
        for i in np.flatnonzero(why == ""):
            values[i] = found[i].values[name]
        timed = len(shape) > 0 and shape[0] == len(times)
        own = ["time" if timed and k == 0 else f"{name}_{k}" for k in range(len(shape))]
        unit = {"units": function.unit} if hasattr(function, "unit") else {}
        variables[name] = ([*along, *own], values.reshape(*along.values(), *shape), unit)
    over = lambda values: (list(along), np.array(values).reshape(*along.values()))
    coordinates = {name: (where, np.array(values)) for name, (where, values) in plan.coordinates.items()}
    coordinates |= {
        "failure": over([str(text) for text in why]),
        "spent": (*over([found[i].spent if i in found else 0.0 for i in range(count)]), {"units": "s"}),
        "unconverged": over([found[i].unconverged if i in found else 0 for i in range(count)]),
    }
    if any("time" in where for where, *_ in variables.values()):
        coordinates["time"] = ("time", times, {"units": "s"})
    versions = f"pliant {VERSION}, warp {warp.__version__}, numpy {np.__version__}, Python {platform.python_version()}"
    return needed("xarray").Dataset(variables, coordinates, {"versions": versions, **about})


def _misfit(answer: Answer, first: Answer) -> str:
    """Why the numbers of a member do not lie next to those of the first one."""
    for name, value in answer.values.items():
        if value.shape != first.values[name].shape:
            shapes = f"shape {value.shape}, and {first.values[name].shape} that of member {first.member}"
            return f"measure {name!r} has {shapes}; expected one shape, as with Runs(frames_per_second=…)"
    timed = any(value.shape[:1] == first.times.shape for value in answer.values.values())
    if timed and not np.allclose(answer.times, first.times, rtol=1e-9, atol=1e-12):
        return f"its frames are at other times than those of member {first.member}; expected measures that are numbers"
    return ""


def write(result: xarray.Dataset, place: Path) -> None:
    """Write a Zarr folder in place of what is there."""
    temporary = _temporary(place.parent, ".zarr")
    try:
        with reported(place), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*Zarr (V3|format 3) specification.*")
            result.to_zarr(temporary)
            if place.is_dir():
                shutil.rmtree(place)
            os.replace(temporary, place)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
