"""The studies of lattices: orders of convergence under load, and the thin-walled tube; reduced here, in full when slow."""

import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import material

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lattice import materials, meshes, orders, tube
from benchmarks.lattice.statics import equilibrium, extrapolated, fitted_order, nodal_forces


def test_orders_and_limits_of_known_sequences():
    h = [0.4, 0.2, 0.1]
    assert fitted_order(h, [3 * s**1.7 for s in h]) == pytest.approx(1.7)
    assert extrapolated(h, [5 - 2 * s**2 for s in h]) == pytest.approx(5)


def test_conforming_meshes_fill_their_solids():
    """Volumes tend to the closed forms with the square of the number of slices."""
    x, w = np.polynomial.legendre.leggauss(30)
    exact = np.pi * orders.HALF * np.sum(w * orders.profile(orders.HALF * x) ** 2)
    off = [pl.Tets(orders.bow_tie_mesh(n)).volumes.sum() / exact - 1 for n in (4, 8)]
    assert abs(off[1]) < 0.3 * abs(off[0]) < 0.01
    ring = meshes.extruded(*meshes.annulus(0.3, 0.4, 2, 40), np.linspace(0, 1, 4), np.ones(4))
    assert pl.Tets(ring).volumes.sum() == pytest.approx(np.pi * (0.16 - 0.09), rel=0.01)
    assert pl.inspect(ring).ok


def test_forces_of_a_body_force():
    """Nothing in all, and the moment of a linear one, on tets as on a lattice."""
    B = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [3.0, 0.0, 0.0]])
    for elements in (pl.Tets(orders.bow_tie_mesh(3)), pl.Lattice(orders.bow_tie(), 0.2, refine=2)):
        f = nodal_forces(elements, lambda X: X @ B.T)
        volume = elements.volumes.sum()
        assert np.abs(f.sum(axis=0)).max() < 1e-3 * volume
        work = np.einsum("ni,nj->ij", f, elements.rest)  # ∫ f Xᵀ
        assert np.abs(work / B.max() - (B / B.max()) @ np.diag(np.diag(_second(elements)))).max() < 2e-3 * volume


def _second(elements):
    return np.einsum("ni,nj->ij", nodal_forces(elements, lambda X: X), elements.rest)


def test_ball_at_rest():
    """The closed solution, and the orders of both rules."""
    found = orders.ball_errors((0.25, 0.125), places=1)["rules"]
    assert found["Moments"]["order"] > 1.7 and found["Moments"]["errors"][-1] < 0.1
    assert found["Moments, refine=2"]["errors"][-1] < 0.05
    assert found["Centre"]["order"] > 0.9 and found["Centre"]["errors"][-1] > found["Moments"]["errors"][-1]
    fine = equilibrium(pl.Lattice(orders.ball(), 0.1, refine=4), orders.ball_law(), orders.ball_force, orders.BEDDING)
    body, X = fine.elements, pl.meshes.sphere(orders.RADIUS, 2).vertices
    nodes, N = body.embedded(X)
    u = np.einsum("sk,skc->sc", N, (fine.x - body.rest)[nodes])
    exact = orders.ball_displacement(X)
    assert np.abs(u - exact).max() < 0.03 * np.abs(exact).max()


def test_bow_tie_at_rest():
    found = orders.bow_tie_errors((0.1, 1 / 15), places=1, rings=(3, 5), rules=("Moments, refine=2",))
    (fine,) = found["rules"].values()
    assert fine["order"] > 1.7 and fine["errors"][-1] < 0.05
    assert "| bow-tie | Moments, refine=2 |" in orders.table({"bow-tie": found})
    assert orders.chart(found, "").svg().startswith("<svg")


@pytest.mark.slow
def test_orders_in_full():
    for found in (orders.ball_errors(), orders.bow_tie_errors()):
        for name, row in found["rules"].items():
            assert row["order"] >= orders.LEAST[name], (name, row)


@pytest.mark.slow
def test_tube_on_coarse_lattices():
    """Against conforming tets: the wall of 1.2 cells is right with subcells, too thin without, twice too stiff as voxels."""
    results, found = tube.study([name for name in tube.CASES if "8×8×80" in name], parts=(1, 2))
    off = {name: row["torque"] / results["tets"]["torque"] - 1 for name, row in results["lattices"].items()}
    assert abs(off["Moments 8×8×80, refine=2"]) < 0.04
    assert -0.3 < off["Moments 8×8×80"] < -0.05
    assert off["voxels 8×8×80"] > 0.5
    assert all(one.frame.positions.shape[0] == 1 for one in found.values()) and "+" in tube.table(results)


@pytest.mark.slow
def test_tube_in_full(tmp_path):
    """Four points on the coarse lattice beat the voxels of the coarse one, and those of the fine one."""
    results, found = tube.study()
    exact, rows = results["tets"], results["lattices"]
    for key in ("force", "torque"):
        off = {name: abs(row[key] / exact[key] - 1) for name, row in rows.items()}
        assert off["Moments 8×8×80"] < off["voxels 16×16×160"] < off["voxels 8×8×80"]
        assert off["Moments 8×8×80, refine=2"] < 0.02
        away = {name: abs(row[key] - rows["voxels 16×16×160"][key]) for name, row in rows.items()}
        assert away["Moments 8×8×80, refine=2"] < away["voxels 8×8×80"]
    tube.picture(results, found, tmp_path / "tube.png")
    assert (tmp_path / "tube.png").stat().st_size > 10_000


@pytest.mark.parametrize("name", ["StableNeoHookean", "NeoHookean", "Corotated"])
def test_bars_of_tets_and_on_lattices(name):
    """The two agree to within what the tets still change when refined, which the difference shows too."""
    found = materials.compared(name, "square", (2, 4))
    assert found["difference"] < found["coarse"] and found["difference"] < 1.3 * found["tets"] and found["sag"] > 0.1
    assert f"| {name} | square |" in materials.table([found])


@pytest.mark.slow
@pytest.mark.parametrize("geometry", ["square", "round"])
@pytest.mark.parametrize("name", material.__all__)
def test_every_law_on_bars(name, geometry):
    found = materials.compared(name, geometry)
    assert found["difference"] < 0.5 * found["coarse"] and found["difference"] < found["tets"]
    assert found["lattice"] < found["tets"]
