"""Laws of two functions, energy and stress."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.errors import InputError
from pliant.extend import Elastic

VALUES = {"young": 1e5, "poisson": 0.3, "density": 1000.0}
SHAPES = {
    "solid": pl.tet_grid((0.2, 0.05, 0.05), (4, 1, 1)),
    "sheet": pl.Membrane(pl.cloth_grid((0.2, 0.1), (4, 2)), 1e-3),
    "thread": pl.Springs(pl.meshes.rod((0, 0, 0), (0.2, 0, 0), 4), 1e-3),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Green(Elastic):
    """ψ = μ E:E + λ/2 tr² E, as StVenantKirchhoff."""

    @wp.func
    def energy(F: Any, p: Any):
        E = F.dtype(0.5) * (wp.transpose(F) * F - wp.identity(n=3, dtype=F.dtype))
        return p[0] * wp.ddot(E, E) + F.dtype(0.5) * p[1] * wp.trace(E) * wp.trace(E)

    @wp.func
    def stress(F: Any, p: Any):
        E = F.dtype(0.5) * (wp.transpose(F) * F - wp.identity(n=3, dtype=F.dtype))
        return F * (F.dtype(2.0) * p[0] * E + p[1] * wp.trace(E) * wp.identity(n=3, dtype=F.dtype))


def simulation(law: type, shape: str = "solid", precision: str = "f64", **values: float) -> pl.Simulation:
    body = pl.Body(SHAPES[shape], law(**VALUES | values), pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(0.01), precision=precision)


@pytest.mark.parametrize("shape", SHAPES)
def test_it_runs_as_the_law_with_an_exact_tangent(shape):
    runs = [simulation(law, shape).run(0.1) for law in (Green, pl.StVenantKirchhoff)]
    assert all(report.converged for run in runs for report in run.reports)
    assert np.allclose(runs[0].positions, runs[1].positions, rtol=0, atol=1e-8)
    assert np.abs(runs[0].positions[-1] - runs[0].rest).max() > 0.01
    tries = [sum(report.iterations for report in run.reports) for run in runs]
    assert tries[0] <= tries[1] + 2  # of Newton, whose convergence tells how good the tangent is


def test_in_single_precision():
    runs = [simulation(law, precision="f32").run(0.05) for law in (Green, pl.StVenantKirchhoff)]
    assert all(report.converged for report in runs[0].reports)
    assert np.allclose(runs[0].positions, runs[1].positions, rtol=0, atol=1e-5)


def test_it_is_fitted():
    seen = pl.inverse.NodePositions(simulation(Green).run(0.05).positions)
    found = pl.fit(simulation(Green, young=5e4), seen, {"young": (1e4, 1e6)}, progress=False)
    assert found.values["young"] == pytest.approx(1e5, rel=1e-4)


def test_what_is_missing_is_said():
    class Half(Green):
        stress = None

    class Plain(Elastic):
        def energy(F, p):
            return 0.0

        def stress(F, p):
            return F

    class Along(Green):
        isotropic = False

    for law, sentence in [
        (Half, r"Half has no stress; expected energy\(F, p\) and stress\(F, p\), each with @wp.func before it"),
        (Plain, "Plain has no energy and no stress; expected"),
        (Elastic, "Elastic has no energy and no stress; expected"),
        (Along, "Along is not isotropic, and has no functions"),
    ]:
        with pytest.raises(InputError, match=sentence):
            simulation(law)
