"""What the host hears of a step: a few numbers for each scene, as docs/solver.md says, and never the nodes."""

import numpy as np
import pytest
from host_reads import host_reads

import pliant as pl

BLOCK = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2))
STABLE = pl.StableNeoHookean(young=2e4, poisson=0.3)
WAVE = lambda t: 0.5 + 0.4 * np.sin(30 * t)


def left(X):
    return X[:, 0] < X[:, 0].min() + 0.01


def lifted(t):
    pose = np.eye(4)
    pose[2, 3] = 0.01 * t
    return pose


def everything():
    """Moving pins and obstacles, friction, loads that change, damping, a muscle and a pressure: all that acts in time."""
    muscle = pl.muscles.EmbeddedMuscle(pl.box((0.3, 0.06, 0.06)), (1, 0, 0), activation=WAVE, peak_stress=2e3)
    shape = pl.Lattice(pl.box((0.4, 0.1, 0.1)), 0.05)
    effects = [
        muscle,
        pl.Hold(left, lambda X, t: X + np.array([0, 0, 0.01 * t])),
        pl.Hold(lambda X: X[:, 0] > 0.19, lambda X, t: X + 0.01 * t, pl.hold.Springs(20.0)),
        pl.Load((0, 0.1, 0), lambda X: X[:, 0] > 0.19, WAVE),
        pl.Pressure(50.0, WAVE),
    ]
    body = pl.Body(shape, STABLE, effects=effects, damping=pl.Damping(0.1, 0.002, 1.0))
    floor = pl.Obstacle(pl.plane(z=-0.06), lifted)
    return pl.Scene([body], obstacles=[floor], contact=pl.Contact(friction=0.4))


def plain(law=STABLE):
    return pl.Scene([pl.Body(BLOCK, law, pinned=left)])


ARAP = pl.Arap(young=2e4, density=1000)
BARRIER = pl.NeoHookean(young=2e4, poisson=0.3, extended_below=0.0)
SIX = pl.QuasiNewton(iterations=6)
# reads of one step, the numbers of docs/solver.md; its loops run without the host, which looks at no flag
READS = {
    "SymplecticEuler": (lambda: (plain(), pl.SymplecticEuler(1e-4, check_every=1000)), 1),
    "CentralDifferences": (lambda: (plain(), pl.CentralDifferences(1e-4, check_every=1000)), 1),
    "QuasiNewton": (lambda: (plain(), pl.ImplicitEuler(0.01, SIX)), 3),
    "QuasiNewton to convergence": (lambda: (plain(), pl.ImplicitEuler(0.01, pl.QuasiNewton(tolerance=1e-6))), 3),
    "QuasiNewton, everything": (lambda: (everything(), pl.ImplicitEuler(0.01, SIX)), 3),
    "ProjectiveDynamics": (
        lambda: (plain(ARAP), pl.ImplicitEuler(0.01, pl.ProjectiveDynamics(iterations=6))),
        3,
    ),
    "a barrier": (lambda: (plain(BARRIER), pl.ImplicitEuler(0.01, SIX)), 3),
    "a balance of energy": (lambda: (plain(), pl.Newmark(0.01, SIX)), 5),
}


@pytest.mark.parametrize("case", READS)
def test_reads_of_a_step(case):
    make, expected = READS[case]
    sim = pl.Simulation(*make())
    for _ in range(3):
        assert sim.step().kept
    for _ in range(3):
        with host_reads() as reads:
            report = sim.step()
        assert report.kept, report.why
        assert reads.count == expected, (reads.count, report)
        assert reads.largest <= 512, "an array of nodes was read"


def test_a_hand_that_moves_is_not_read_back():
    sim = pl.Simulation(plain(), pl.ImplicitEuler(0.01, SIX))
    sim.grab(5, (0.3, 0.1, 0.2))
    for k in range(3):
        with host_reads() as reads:
            sim.grab(5, (0.3, 0.1, 0.2 + 0.01 * k), handle=0)
            assert sim.step().kept
        assert k == 0 or (reads.count == 3 and reads.largest <= 512), (k, reads.count, reads.largest)


def test_reads_of_newton_do_not_grow_with_its_linear_iterations():
    """Of each iteration: the residual, the line search and the outcome of the linear solve."""
    for young in (2e4, 2e7):
        sim = pl.Simulation(plain(pl.StableNeoHookean(young=young, poisson=0.3)), pl.ImplicitEuler(0.01, pl.Newton()))
        assert sim.step().kept  # which probes how stiff the bodies are
        for _ in range(3):
            with host_reads() as reads:
                report = sim.step()
            assert report.kept and reads.count <= 2 + 8 * (report.iterations + 1), (reads.count, report)
            assert reads.largest <= 512


def test_batches_read_no_more_than_one_scene():
    batch = pl.Batch([plain() for _ in range(3)], pl.ImplicitEuler(0.01, SIX))
    for _ in range(3):
        assert all(report.kept for report in batch.step())
    with host_reads() as reads:
        batch.step()
    assert reads.count == 3
