"""What a step says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field

TOLERANCE = {"f64": 1e-7, "f32": 1e-4}  # scaled residual at which a solve counts as converged unless told


@dataclass(frozen=True)
class Report:
    """Outcome of a solve or step. ``ok`` is False where the state was not advanced; ``why`` is a sentence."""

    ok: bool
    why: str
    iterations: int = 0
    residual: float = 0.0  # scaled: |sum of forces| / sum of |forces|
    tolerance: float = 0.0
    linear_iterations: int = 0
    converged: bool = True
    seconds: dict[str, float] = field(default_factory=dict)  # wall time by stage

    def __str__(self) -> str:
        state = "ok" if self.ok else "FAILED"
        return (
            f"{state}: {self.why} ({self.iterations} iterations, {self.linear_iterations} linear, "
            f"residual {self.residual:.1e} of {self.tolerance:.1e})"
        )
