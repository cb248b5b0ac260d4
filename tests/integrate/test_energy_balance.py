"""Energy that grows without work is named, and stopped where it diverges; what loads, targets and pins bring is not."""

from dataclasses import dataclass

import numpy as np
import pytest

import pliant as pl
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.errors import PliantWarning

SOLVER = pl.Newton(linear=pl.linear.Direct())
WEIGHT = 1000.0 * np.pi * 0.05**2 * 9.81 / 2  # m g l/2 of the chain [J]


def chain(young: float = 1e8, **options) -> pl.Body:
    """A chain of four stiff rods that hangs on one end, held out level."""
    mesh = pl.meshes.rod((0, 0, 0), (1, 0, 0), 4)
    law = pl.Corotated(young=young, poisson=0.0, density=1000.0)
    return pl.Body(pl.Springs(mesh, radius=0.05), law, **{"pinned": [0]} | options)


@pytest.mark.parametrize("scheme", [pl.ImplicitMidpoint, pl.Newmark])
@pytest.mark.filterwarnings("ignore:.*without any work done:pliant.errors.PliantWarning")
def test_growth_that_runs_away_fails(scheme):
    """1/60 s is far too long for the vibrations of the rods; the energy would grow more than a thousandfold."""
    sim = pl.Simulation(pl.Scene([chain()]), scheme(1 / 60, SOLVER))
    start = sim.energies()["total"]
    for _ in range(300):
        before = sim.x
        report = sim.step()
        if not report.kept:
            break
    assert sim.energies()["total"] - start <= 100 * WEIGHT
    assert not report.kept and "diverges" in report.why
    assert "BDF2" in report.why and scheme.__name__ in report.why and "smaller dt" in report.why
    assert np.array_equal(sim.x, before)  # the state is the last good one
    sim.reset()
    assert sim.step().kept  # and all is forgotten


def test_growth_is_named_once_and_kept():
    """Before it diverges, the steps are kept; reports say each time what was gained, and one warning does."""
    sim = pl.Simulation(pl.Scene([chain()]), pl.ImplicitMidpoint(1 / 60, SOLVER))
    reports = []
    with pytest.warns(PliantWarning) as warned:
        while sim.state.steps < 300 and (not reports or reports[-1].kept):
            reports.append(sim.step())
    named = [report for report in reports if report.kept and "without any work done" in report.why]
    assert len(named) > 5 and "without any work done" in str(warned[0].message) and len(warned) == 1
    assert warned[0].filename == __file__


def touching(*more: pl.Body) -> pl.Simulation:
    """A sheet and a thread that come down on a floor, solved by halves."""
    cloth = pl.Membrane(pl.cloth_grid((0.2, 0.2), (6, 6), origin=(0, 0, 0.02)), thickness=1e-3)
    thread = pl.Springs(pl.meshes.rod((0.5, 0, 0.1), (0.7, 0, 0.1), 6), radius=2e-3)
    bodies = [pl.Body(cloth, pl.Corotated(young=1e5)), pl.Body(thread, pl.Corotated(young=1e6), pinned=[0]), *more]
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitMidpoint(1 / 120, pl.QuasiNewton(iterations=20)))


def test_a_kick_by_contact_is_named_and_kept():
    """Of all that moves, which a heavy block beside them leads, their first impact gains more than half."""
    soft = pl.StableNeoHookean(young=3e4, poisson=0.4)
    sim = touching(pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0.3, 0, 0.01)), soft))
    with pytest.warns(PliantWarning, match="without any work done"):
        reports = [sim.step() for _ in range(20)]
    assert all(report.kept for report in reports) and "without any work done" in reports[-1].why


@pytest.mark.filterwarnings("ignore:.*without any work done:pliant.errors.PliantWarning")
def test_contact_that_runs_away_fails():
    """Alone they gain six times what they had at the first impact, and would go on to 10⁵⁷ J within two seconds."""
    sim = touching()
    reports = [sim.step() for _ in range(40)]
    assert not reports[-1].kept and "diverges" in reports[-1].why
    assert sim.energies()["total"] < 1.0


@pytest.mark.parametrize("scheme", [pl.BDF2, pl.HHT])
def test_what_is_advised_works(scheme):
    sim = pl.Simulation(pl.Scene([chain()]), scheme(1 / 60, SOLVER))
    start = sim.energies()["total"]
    for _ in range(300):
        assert sim.step().kept
    assert -0.5 * WEIGHT <= sim.energies()["total"] - start <= 0.05 * WEIGHT


def shaken(X, t):
    return X + np.array([0.0, 0.0, 0.3]) * np.sin(8 * t)


def driven() -> dict[str, pl.Scene]:
    """Scenes at rest that are given much energy."""
    block = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6)
    soft = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000.0)
    end = lambda X: X[:, 0] < 1e-9
    tip = lambda X: X[:, 0] > 0.199

    def rising(t):
        pose = np.eye(4)
        pose[2, 3] = 0.5 * t
        return pose

    load = pl.Load((0, 0, 40.0), tip, course=lambda t: np.sin(9 * t))
    floor = pl.Obstacle(pl.plane(z=0.0), rising)
    cloth = pl.Membrane(pl.cloth_grid((0.4, 0.4), (4, 4)), thickness=5e-4)
    thin = pl.Corotated(young=1e5, poisson=0.3, density=500.0)
    return {
        "wind": pl.Scene([pl.Body(cloth, thin, effects=pl.Wind((0, 0, 8.0)))], gravity=(0, 0, 0)),
        "pins": pl.Scene([pl.Body(block, soft, effects=pl.Hold(end, shaken))]),
        "load": pl.Scene([pl.Body(block, soft, pinned=end, effects=[load])], gravity=(0, 0, 0)),
        "target": pl.Scene(
            [pl.Body(block, soft, effects=[pl.Hold(end, motion=shaken, by=pl.hold.Springs(200.0))])], gravity=(0, 0, 0)
        ),
        "obstacle": pl.Scene([pl.Body(block, soft)], obstacles=[floor]),
        "fall": pl.Scene([pl.Body(block.translated((0, 0, 0.3)), soft)], obstacles=[pl.plane(z=0.0)]),
    }


@pytest.mark.parametrize("scheme", [pl.ImplicitMidpoint, pl.Newmark, pl.HHT])
@pytest.mark.parametrize("name", ["wind", "pins", "load", "target", "obstacle", "fall"])
def test_work_is_no_growth(name, scheme):
    sim = pl.Simulation(driven()[name], scheme(1 / 120, SOLVER))
    liveliest = 0.0
    for _ in range(120):
        report = sim.step()
        assert report.kept, report
        liveliest = max(liveliest, sim.energies()["kinetic"])
    assert liveliest > 0.1  # J: much has happened
    assert sim.world.balance.gained.max() <= 0.4 * liveliest


DRIVEN = {
    "motor": pl.joint.Hinge("rod", None, (0, 0, 0), (0, 0, 1), motor=pl.joint.Motor(torque=0.5)),
    "target": pl.joint.Hinge("rod", None, (0, 0, 0), (0, 0, 1), motor=pl.joint.Motor(target=np.sin, stiffness=50.0, damping=1.0)),
    "tendon": pl.joint.Tendon([("rod", (0.1, 0, 0)), (1, 0, 0)], tension=5.0),
}


@pytest.mark.parametrize("name", DRIVEN)
def test_the_work_of_joints_is_no_growth(name):
    """Newmark's θ form, the one scheme with joints that keeps an account of every step."""
    scheme = pl.NewmarkTheta(1 / 120, theta=0.7)
    rod = pl.contact.Rigid(pl.meshes.box((0.2, 0.1, 0.1)), density=1000.0)
    sim = pl.Simulation(pl.Scene([pl.Body(rod, name="rod")], joints=[DRIVEN[name]], gravity=(0, 0, 0)), scheme)
    liveliest = 0.0
    for _ in range(60):
        report = sim.step()
        assert report.kept and "without any work done" not in report.why, report
        liveliest = max(liveliest, sim.energies()["kinetic"])
    assert liveliest > 1e-3 and sim.world.balance.gained.max() <= 0.2 * liveliest  # J


@pytest.mark.filterwarnings("ignore:.*without any work done:pliant.errors.PliantWarning")
def test_each_scene_of_a_batch_is_judged_alone():
    X = chain().shape.rest
    wild = chain(velocity=np.cross([0.0, 6.0, 0.0], X))
    solver = pl.QuasiNewton(iterations=40, tolerance=1e-8)
    scenes = [pl.Scene([body], gravity=(0, 0, g)) for body, g in ((chain(), 0.0), (wild, -9.81))]
    batch = pl.Batch(scenes, pl.ImplicitMidpoint(1 / 60, solver))
    failed = np.zeros(2, bool)
    for _ in range(150):
        failed |= [not report.kept for report in batch.step()]
        if failed.any():
            break
    assert failed.tolist() == [False, True]


@pytest.mark.parametrize(("precision", "gravity"), [("f64", 0.0), ("f64", -9.81), ("f32", 0.0)])
def test_rest_is_no_growth(precision, gravity):
    """A body at rest, floating or on the floor, trembles by rounding alone."""
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6).translated((0.3, 0.5, 0.0))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, density=1000.0), damping=pl.Damping(mass=-gravity))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], gravity=(0, 0, gravity))
    solver = SOLVER if precision == "f64" else pl.QuasiNewton()
    sim = pl.Simulation(scene, pl.ImplicitMidpoint(1 / 120, solver), precision=precision)
    for _ in range(100):
        report = sim.step()
        assert report.kept, report


def test_a_grab_and_a_change_of_gravity_are_work():
    block = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6)
    body = pl.Body(block, pl.StableNeoHookean(young=2e4, density=1000.0), pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitMidpoint(1 / 120, SOLVER))
    for k in range(60):
        if k == 10:
            handle = sim.grab(3, (0.3, 0.1, 0.3))
        if k == 25:
            sim.release(handle)
        if k == 40:
            sim.set(gravity=(0, 30.0, 0))
        report = sim.step()
        assert report.kept, report


def test_the_balance_is_part_of_the_state(tmp_path):
    """A checkpoint, and a copy of the state, carry what was gained."""
    sim = pl.Simulation(pl.Scene([chain()]), pl.ImplicitMidpoint(1 / 60, SOLVER))
    for _ in range(20):
        assert sim.step().kept
    kept, gained = sim.state.copy(), sim.world.balance.gained
    assert gained[0] > 0
    sim.save(tmp_path / "chain.npz")
    assert np.array_equal(pl.Simulation.load(tmp_path / "chain.npz").world.balance.gained, gained)
    sim.reset()
    assert np.array_equal(sim.world.balance.gained, [0.0])
    sim.assign(kept)
    assert np.array_equal(sim.world.balance.gained, gained)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*without any work done:pliant.errors.PliantWarning")
def test_a_stiff_bar_swings_for_twelve_seconds():
    """10⁸ Pa at 1/60 s, the figures of docs/integrators.md: midpoint and Newmark are stopped, HHT and BDF2 go on."""
    held = lambda X: (X[:, 0] < 1e-9) & (X[:, 2] < 1e-9)
    law = pl.StableNeoHookean(young=1e8, poisson=0.3, density=1000.0)
    body = pl.Body(pl.tet_grid(size=(1.0, 0.1, 0.1), cells=(8, 1, 1)), law, pinned=held)
    lost, ended = {}, {}
    for scheme in (pl.ImplicitMidpoint, pl.Newmark, pl.HHT, pl.BDF2):
        sim = pl.Simulation(pl.Scene([body]), scheme(1 / 60, SOLVER))
        start, liveliest = sim.energies()["total"], 0.0
        for _ in range(720):
            report = sim.step()
            if not report.kept:
                break
            liveliest = max(liveliest, sim.energies()["kinetic"])
        lost[scheme.__name__] = (start - sim.energies()["total"]) / liveliest
        ended[scheme.__name__] = report.kept
    assert ended == {"ImplicitMidpoint": False, "Newmark": False, "HHT": True, "BDF2": True}
    assert 0 < lost["HHT"] < 0.004 and 0.01 < lost["BDF2"] < 0.08


YANKED = [
    pl.NeoHookean(young=1e5, poisson=0.4),
    pl.NeoHookean(young=1e5, poisson=0.4, extended_below=0),
    pl.Ogden(young=1e5),
]


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("law", YANKED, ids=["extended", "barrier", "Ogden"])
def test_a_step_that_ends_where_no_solver_looked_is_no_step(law, precision):
    """Midpoint solves at (x + x⁺)/2, which is in order, and x⁺ is beyond: turned over under a barrier, or with a hundred
    thousand times the energy that there was."""
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), law)
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitMidpoint(dt=0.01), precision=precision)
    sim.grab(0, (0.05, 0.05, 0.35), stiffness=2e4)
    elastic = sim.world["elastic"][0]
    for _ in range(6):
        before, report = sim.x, sim.step()
        if not report.kept:
            break
        assert elastic.value(sim.state.x) < 1e4
        assert not law.barrier or elastic.element_mean("volume ratio", sim.state.x).min() > 0
    assert not report.kept and not report.converged and "smaller dt" in report.why
    assert ("inverted (det" in report.why) == law.barrier
    assert np.array_equal(sim.x, before)


@dataclass(frozen=True)
class Overshoot(pl.ImplicitMidpoint):
    """A scheme that is never asked for its energy."""

    patience = 0


def test_schemes_that_keep_no_account_end_with_a_finite_energy_too(monkeypatch):
    monkeypatch.setattr(ElasticEnergy, "inversion", None)  # which would name it first
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), pl.Ogden(young=1e5))
    sim = pl.Simulation(pl.Scene(body), Overshoot(dt=0.01), precision="f32")
    sim.grab(0, (0.05, 0.05, 0.35), stiffness=2e4)
    reports = [sim.step() for _ in range(2)]
    assert [report.kept for report in reports] == [True, False] and "not finite" in reports[1].why
    assert np.isfinite(sim.energies()["total"])
