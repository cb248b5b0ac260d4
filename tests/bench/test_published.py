"""Published problems: the quick ones within their limits, all of them when slow, and what the law made for two of them is."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.laws.cases import Samples, rotations, upright

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pliant as pl
from benchmarks.elements.loads import nodal_forces
from benchmarks.published import PROBLEMS
from benchmarks.published.__main__ import main, measured, missed
from benchmarks.published.guccione import Follower, Guccione
from benchmarks.published.meshes import box
from benchmarks.published.moment import Moment

ROOT = Path(__file__).resolve().parents[2]
RECORD = json.loads((ROOT / "benchmarks" / "results" / "published.json").read_text(encoding="utf-8"))
NAMES = {problem.name: problem for problem in PROBLEMS}
HEART = Guccione(c=2e3, along=8, across=2, shear=4, bulk=1e4, direction=(0.6, -0.64, 0.48))


@pytest.mark.parametrize("name", [pytest.param(p.name, marks=pytest.mark.slow) if p.slow else p.name for p in PROBLEMS])
def test_a_published_problem(name):
    """Within its limit, or, where the record says that it misses, no worse than there."""
    problem, found = NAMES[name], measured(NAMES[name], draw=False)
    assert "failed" not in found, found["failed"]
    worst = max(map(abs, found["errors"]))
    assert worst <= max(problem.limit, 1.05 * max(map(abs, RECORD[name]["errors"])))


def test_the_record_has_every_problem_and_its_picture():
    assert list(RECORD) == [problem.name for problem in PROBLEMS]
    for problem in PROBLEMS:
        row = RECORD[problem.name]
        assert [tuple(q) for q in row["quantities"]] == [(q.name, q.reference, q.unit) for q in problem.quantities]
        assert row["settings"] == problem.settings and row["errors"] == problem.errors(row["values"])
        assert (ROOT / "docs" / "pictures" / "published" / row["picture"]).is_file()
        assert not missed(problem, row) or row["note"], f"{problem.name} misses and nobody says why"


def test_an_unknown_problem_is_named():
    with pytest.raises(SystemExit, match=r"no published problem 'twisted baem' \(did you mean 'twisted beam'"):
        main(["twisted baem"])


def test_guccione_s_energy_is_that_of_its_paper():
    """Q in the frame of the fibres, written out; nothing changes when all is turned."""
    F = upright(20, 5)
    d = np.array(HEART.direction)
    s = np.cross(d, [0, 0, 1]) / np.linalg.norm(np.cross(d, [0, 0, 1]))
    frame = np.stack([d, s, np.cross(d, s)])
    E = frame @ (0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(3))) @ frame.T
    Q = 8 * E[:, 0, 0] ** 2 + 2 * (E[:, 1, 1] ** 2 + E[:, 2, 2] ** 2 + 2 * E[:, 1, 2] ** 2)
    Q += 2 * 4 * (E[:, 0, 1] ** 2 + E[:, 0, 2] ** 2)
    expected = 0.5 * 2e3 * (np.exp(Q) - 1) + 0.5 * 1e4 * (np.linalg.det(F) - 1) ** 2
    samples = Samples(HEART, len(F))
    assert samples.energy(F) == pytest.approx(expected, rel=1e-9)
    assert samples.energy(rotations(len(F), 3) @ F) == pytest.approx(expected, rel=1e-9)


def test_guccione_s_stress_and_tangent_are_derivatives():
    F, D = upright(12, 6), np.random.default_rng(0).standard_normal((12, 3, 3))
    samples, step = Samples(HEART, len(F)), 1e-5
    slope = (samples.energy(F + step * D) - samples.energy(F - step * D)) / (2 * step)
    assert np.einsum("mij,mij->m", samples.stress(F), D) == pytest.approx(slope, rel=1e-6)
    change = (samples.stress(F + step * D) - samples.stress(F - step * D)) / (2 * step)
    assert samples.tangent(F, D) == pytest.approx(change, rel=1e-5, abs=1e-5 * np.abs(change).max())
    exact, projected = (samples.stiffness(F, project) for project in (False, True))
    assert np.einsum("mrc,mc->mr", exact, D.reshape(12, 9)) == pytest.approx(
        samples.tangent(F, D).reshape(12, 9), rel=1e-9, abs=1e-9 * np.abs(change).max()
    )
    assert np.linalg.eigvalsh(projected).min() > -1e-9 * np.abs(projected).max()


def test_pressure_on_a_part_pushes_as_its_integral_over_bent_faces():
    """∫ −p n Nᵢ dA on the bottom of a crooked block, to a hundredth at its rim and to rounding in all."""
    straight = box((1, 1, 1), (2, 2, 2))
    X = straight.vertices + 0.03 * np.sin(3 * straight.vertices[:, [1, 2, 0]] + 1)
    mesh = pl.TetMesh(X, straight.tets, middles=straight.middles)
    below = Follower(4.0, lambda _: straight.vertices[:, 2] < 1e-9)
    body = pl.Body(mesh, Guccione(c=1e3, along=1, across=1, shear=1, bulk=1e3), pinned=[0], effects=[below])
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic())
    (energy,) = sim.world["pressure"]
    energy.set(-4.0)
    found = sim.vectors.new()
    energy.gradient(sim.state.x, found)
    expected = nodal_forces(body.shape, lambda _, normal: -4.0 * normal, lambda centres: centres[:, 2] < 0.06)
    assert found.numpy().sum(axis=0) == pytest.approx(-expected.sum(axis=0), abs=1e-6)
    assert np.abs(found.numpy() + expected).max() < 0.01 * np.abs(expected).max()


def test_a_moment_s_force_and_tangent_are_derivatives():
    mesh = pl.cloth_grid((1, 1), (2, 2))
    edges = [(0, 3), (4, 7)]
    body = pl.Body(pl.Membrane(mesh, 0.01), pl.Corotated(young=1e3), pinned=[0], effects=[Moment(0.7, edges)])
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic())
    (energy,) = sim.world["moment"]
    energy.now = 0.35
    random, kind = np.random.default_rng(0), sim.device.types
    x, d = mesh.vertices + 0.1 * random.standard_normal((9, 3)), random.standard_normal((9, 3))
    energy.begun = sim.device.array(mesh.vertices, kind.position)

    def gradient(at):
        out = sim.vectors.new()
        energy.gradient(sim.device.array(at, kind.position), out)
        return out.numpy()

    value = lambda s: energy.value(sim.device.array(x + s * d, kind.position))
    assert (gradient(x) * d).sum() == pytest.approx((value(1e-5) - value(-1e-5)) / 2e-5, rel=1e-6)
    out = sim.vectors.new()
    energy.tangent(sim.device.array(x, kind.position), sim.device.array(d, kind.vec3), out)
    change = (gradient(x + 1e-5 * d) - gradient(x - 1e-5 * d)) / 2e-5
    assert out.numpy() == pytest.approx(change, rel=1e-6, abs=1e-8)
    arm = np.cross(x[[3, 7]], gradient(x)[[3, 7]]) + np.cross(x[[0, 4]], gradient(x)[[0, 4]])
    assert arm.sum(axis=0)[1] == pytest.approx(0.7, rel=1e-9)  # against the moment, which is about −y
