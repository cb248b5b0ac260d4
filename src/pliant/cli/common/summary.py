"""The summary of a run: a few numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .terminal import print_json, print_table

if TYPE_CHECKING:
    from ...simulate.record.run import Run
    from .resume import Halt


def summary(run: Run) -> dict[str, Any]:
    """Steps, speed and accuracy of a run, by name."""
    import numpy as np

    spent = run.step_seconds * 1e3
    kept = [r for r in run.reports if r.kept]
    return {
        "bodies": len(run.chapters[-1].skins),
        "nodes": len(run.chapters[-1].rest),
        "frames": len(run),
        "simulated_s": float(run.times[-1] - run.times[0]),
        "steps": len(kept),
        "dt_s": float(run.dt),
        "ms_per_step": float(np.mean(spent)) if len(spent) else float("nan"),
        "median_ms_per_step": float(np.median(spent)) if len(spent) else float("nan"),
        "real_time_factor": float(run.real_time_factor),
        "newton_iterations_per_step": float(np.mean([r.iterations for r in kept])) if kept else float("nan"),
        "worst_residual": max((float(r.residual) for r in kept), default=float("nan")),
        "steps_not_converged": sum(not r.ok for r in kept),
        "worst_error_share": max((r.error / r.motion for r in kept if not r.ok and r.motion > 0), default=0.0),
        "most_contacts": max((r.contacts for r in kept), default=0),
        "worst_gap_m": min((float(r.worst_gap) for r in kept if r.contacts), default=float("nan")),
        "friction_loss_J": float(sum(r.friction_loss for r in kept)),
        "energy_total_J": float(run.energies["total"][-1]) if "total" in run.energies else float("nan"),
    }


def _contacts(n: dict[str, Any]) -> str:
    return f"{n['most_contacts']} at most, worst gap {n['worst_gap_m'] * 1e3:.3g} mm, friction took {n['friction_loss_J']:.3g} J"


def _not_converged(n: dict[str, Any]) -> str:
    return (
        f"{n['steps_not_converged']} of {n['steps']} steps: an error of up to {n['worst_error_share']:.0%} of their motion is "
        "left; more iterations or a smaller dt lessen it"
    )


def print_summary(numbers: dict[str, Any], files: list[Path], as_json: bool, stopped: Halt | None = None) -> None:
    """Print a summary and the files that were written; of a run that was ``stopped``, its checkpoint too."""
    files = files if stopped is None else [*files, stopped.checkpoint]
    if as_json:
        on = {} if stopped is None else {"stopped": stopped.sentence, "resume": stopped.command}
        print_json(numbers | {"files": [str(f) for f in files]} | on)
        return
    n = numbers
    rows = [
        ("bodies", f"{n['bodies']} with {n['nodes']:,} nodes"),
        ("simulated", f"{n['simulated_s']:.3g} s in {n['steps']} steps of {n['dt_s'] * 1e3:.3g} ms"),
        ("time per step", f"{n['ms_per_step']:.1f} ms (median {n['median_ms_per_step']:.1f} ms)"),
        ("real-time factor", f"{n['real_time_factor']:.2f} simulated seconds per second"),
        ("iterations", f"{n['newton_iterations_per_step']:.1f} per step"),
        ("worst residual", f"{n['worst_residual']:.1e} of the forces"),
        *([("NOT CONVERGED", _not_converged(n))] if n["steps_not_converged"] else []),
        *([("contacts", _contacts(n))] if n["most_contacts"] else []),
        *[("wrote", str(f)) for f in files],
    ]
    print_table(("", ""), rows)
