"""Checkpoints every so often while a run steps, so that a kill, a crash or a power cut costs no more than that."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from . import resume
from .interrupt import Stop

if TYPE_CHECKING:
    from ...simulate.record.run import Run
    from ...simulate.simulation import Simulation

SHARE = 10  # writing may take this part of the time: large runs are kept less often


def previous(checkpoint: Path) -> Path:
    """Where the checkpoint before the last one is kept."""
    return checkpoint.with_name(checkpoint.name.replace(".checkpoint.npz", ".checkpoint.previous.npz"))


def newest(checkpoint: Path) -> Path:
    """The checkpoint to go on from: the last one, or the one before it where that is not whole."""
    from ...simulate.checkpoint import read_more

    fault = None
    for path in (checkpoint, previous(checkpoint)):
        try:
            read_more(path)
        except InputError as error:
            fault = fault or error
            continue
        if fault is not None and checkpoint.exists():
            print(f"pliant: {fault}; going on from the one before it, {path}", file=sys.stderr)
        return path
    raise InputError(f"there is no checkpoint {checkpoint}; run without --resume, or name one")


def stepped(
    simulation: Simulation, options: dict[str, Any], stop: Stop, checkpoint: Path, about: dict[str, Any], seconds: float
) -> Run:
    """Run to the end or to a signal, writing a checkpoint with all frames every ``seconds`` of this clock; 0: never."""
    from ...simulate.step.stepper import checked_pace

    options, pause, kept = dict(options), seconds, False
    total, _ = checked_pace(options["seconds"], options.get("frames_per_second"), simulation.integrator.dt)
    while True:
        due = time.monotonic() + pause if seconds > 0 else float("inf")
        ended = lambda sim, report, due=due: stop(sim, report) or time.monotonic() >= due
        run = simulation.run(**options, progress=True, must_succeed=False, on_step=ended)
        if stop.count or not run.reports[-1].kept or len(run.reports) >= total:
            break
        begin = time.monotonic()
        kept = _kept(checkpoint, simulation, run, about) or kept
        pause = max(seconds, SHARE * (time.monotonic() - begin))
        options["after"] = run
    if kept and not stop.count and run.reports[-1].kept:
        for path in (checkpoint, previous(checkpoint)):  # the run has come to its end: nothing is left to go on with
            path.unlink(missing_ok=True)
    return run


def _kept(checkpoint: Path, simulation: Simulation, run: Run, about: dict[str, Any]) -> bool:
    """Write a checkpoint beside the last one; a disk that is full stops no run, and is said."""
    with contextlib.suppress(OSError):
        os.replace(checkpoint, previous(checkpoint))
    try:
        resume.keep(checkpoint, simulation, run, about)
    except InputError as error:
        print(f"pliant: {error}; the run goes on without this checkpoint", file=sys.stderr)
        return False
    return True
