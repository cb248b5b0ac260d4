"""Quasi-Newton across a cut: the same answers as from scratch, checkpoints bit for bit, and no step that waits."""

import threading
import time

import numpy as np
import pytest

import pliant as pl
from pliant.linear.factor.cut_factor import Glued
from pliant.linear.factor.scalar_factor import Prefactored
from pliant.solve.quasi_newton.constant_factor import ConstantFactor, checked, constant_factor, prefactored

BLADE = pl.Blade([(0.05, -1.0, 0.5), (0.06, 1.2, 0.5)], depth=0.3)
WAYS = [pl.refactor.Updated(), pl.refactor.Kept(), pl.refactor.Background(steps=3)]


def beam(way, precision="f64", device="cpu", hand=True, **solver):
    """A bar that is held below, pulled to the side and about to be cut along from above."""
    mesh = pl.tet_grid((0.1, 0.1, 0.4), (4, 4, 12), 5)
    body = pl.Body(mesh, pl.Corotated(young=1e5, poisson=0.3), pinned=lambda X: X[:, 2] < 1e-9, velocity=(0.5, 0, 0))
    method = pl.QuasiNewton(after_cut=way, **solver)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=method), device, precision)
    if hand:
        sim.grab(3, (0.1, 0.1, 0.4), stiffness=300.0)
    sim.step()
    return sim


def cut_beam(way, **options):
    sim = beam(way, **options)
    (done,) = sim.cut(BLADE)
    assert done.new > 20
    return sim


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_an_order_that_has_grown_factorises_the_same_matrix(precision):
    """Copies beside their origin: hardly more entries than by dissection, and the same inverse."""
    sim = cut_beam(WAYS[0], precision=precision)
    o = sim.world.objective
    sim.step()
    made = prefactored(o)
    order, scratch = constant_factor(o).order, Prefactored(o.device, checked(o), o.moves, positions=o.positions)
    assert order is not None and made.parts[0].factor.analysis.permutation is order.permutation
    assert made.factor.nnz < 1.3 * scratch.factor.nnz
    b, x, y = (o.vectors.new() for _ in range(3))
    b.assign(np.random.default_rng(0).standard_normal((o.count, 3)) * o.moves)
    made.add(None)
    made.solve(b, x)
    scratch.solve(b, y)
    assert np.allclose(x.numpy(), y.numpy(), rtol=0, atol={"f64": 1e-12, "f32": 3e-5}[precision] * np.abs(y.numpy()).max())


def test_copies_that_go_together_have_the_factor_from_before():
    """B⁻¹ is symmetric and positive definite, and S A₀⁻¹ Sᵀ on forces that are alike on all copies."""
    sim = cut_beam(pl.refactor.Kept(), hand=False)
    sim.step()
    o = sim.world.objective
    kept = constant_factor(o).now
    assert isinstance(kept, Glued)
    free = np.flatnonzero(o.moves.ravel())
    inverse = kept.partial(np.arange(3 * o.count))
    assert np.allclose(inverse, inverse.T, atol=1e-12 * np.abs(inverse).max())
    assert np.linalg.eigvalsh(inverse[np.ix_(free, free)]).min() > 0
    old = np.random.default_rng(1).standard_normal((kept.base.count, 3)) * kept.base.moves
    shared = old[kept.origin] * kept.share[:, None]
    answer = kept.base.solve_many(old.reshape(-1, 1)).reshape(-1, 3)[kept.origin]
    assert np.allclose(kept.solve_many(shared.reshape(-1, 1)).reshape(-1, 3), answer, atol=1e-12 * np.abs(answer).max())
    b, x = o.vectors.new(), o.vectors.new()
    b.assign(np.random.default_rng(2).standard_normal((o.count, 3)) * o.moves)
    kept.solve(b, x)
    assert np.allclose(x.numpy().ravel()[free], (inverse @ b.numpy().ravel())[free], atol=1e-12)


def solved(sim, steps):
    for _ in range(steps):
        report = sim.step()
        assert report.converged, report.why
    return sim.x


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_steps_that_converge_are_those_from_scratch(way, precision):
    """Whatever it starts from, quasi-Newton ends where a simulation built of the cut mesh does."""
    tolerance = {"f64": 1e-7, "f32": 1e-4}[precision]
    sim = cut_beam(way, precision=precision, tolerance=tolerance)
    other = pl.Simulation(sim.scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=tolerance)), precision=precision)
    other.x, other.v = sim.x, sim.v
    other.hands.put(0, *sim.hands.points[0])
    a, b = solved(sim, 5), solved(other, 5)
    assert np.abs(a - b).max() < {"f64": 1e-6, "f32": 1e-4}[precision]


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_every_device_goes_the_same_way(way, place):
    sim = cut_beam(way, device=place, tolerance=1e-7)
    exact = pl.Simulation(sim.scene, pl.ImplicitEuler(dt=1 / 60))
    exact.x, exact.v = sim.x, sim.v
    exact.hands.put(0, *sim.hands.points[0])
    for _ in range(5):
        exact.step()
    assert np.abs(solved(sim, 5) - exact.x).max() < 1e-6


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_checkpoints_and_undo_go_on_bit_for_bit(way, tmp_path):
    sim = cut_beam(way, iterations=4)
    for _ in range(2):
        sim.step()
    again, later = sim.cut(pl.Blade(BLADE.path, 0.38)), sim.state.copy()  # the stroke goes on
    assert again[0] is not None
    sim.step()
    sim.save(tmp_path / "a.npz")
    resumed = pl.Simulation.load(tmp_path / "a.npz")
    for _ in range(5):  # past the exchange of Background
        assert sim.step().kept and resumed.step().kept
        assert np.array_equal(sim.x, resumed.x) and np.array_equal(sim.v, resumed.v)
    end = sim.x
    sim.assign(later)
    for _ in range(6):
        sim.step()
    assert np.array_equal(sim.x, end)
    sim.undo_cut()
    sim.undo_cut()
    plain = beam(way, iterations=4)
    for _ in range(3):
        sim.step(), plain.step()
    assert np.array_equal(sim.x, plain.x)


def test_the_thread_may_be_slow_and_ends(monkeypatch):
    """The exchange comes after so many steps, however long the thread takes; nothing is left running."""
    way, whole = pl.refactor.Background(steps=3), ConstantFactor._made_beside

    def slow(self, known):
        time.sleep(0.2)
        return whole(self, known)

    paths = []
    for work in (whole, slow):
        monkeypatch.setattr(ConstantFactor, "_made_beside", work)
        sim, kinds, xs = cut_beam(way, iterations=4), [], []
        for _ in range(5):
            sim.step()
            kinds.append(type(constant_factor(sim.world.objective).now))
            xs.append(sim.x)
        assert kinds == [Glued, Glued, Glued, Prefactored, Prefactored]
        paths.append(np.array(xs))
    assert np.array_equal(*paths)
    assert not [t for t in threading.enumerate() if t.name == "pliant-factor"]


def test_eager_takes_it_as_soon_as_it_is_there():
    sim = cut_beam(pl.refactor.Background(steps=1000, eager=True), iterations=4)
    sim.step()
    constant_factor(sim.world.objective)._job.end()
    sim.step()
    assert isinstance(constant_factor(sim.world.objective).now, Prefactored)


def test_other_values_and_failures_beside(monkeypatch):
    """Another material makes what was begun useless; an error of the thread comes out of the step that waits for it."""
    sim = cut_beam(pl.refactor.Background(steps=3), iterations=4)
    sim.step()
    sim.set(young=2e5)
    assert sim.step().kept
    o = sim.world.objective
    assert isinstance(constant_factor(o).now, Prefactored) and constant_factor(o).now.stamp == o.stamp

    def broken(self, known):
        raise MemoryError("no room")

    monkeypatch.setattr(ConstantFactor, "_made_beside", broken)
    sim = cut_beam(pl.refactor.Background(steps=1), iterations=4)
    sim.step()
    with pytest.raises(MemoryError, match="no room"):
        sim.step()


def test_nodes_that_touch_and_many_cuts():
    """With contact on top of each factor; with many copies the order is found anew."""
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (8, 4, 4), 5)
    body = pl.Body(mesh.translated((0, 0, 0.001)), pl.Corotated(young=2e4))
    for way in WAYS:
        scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact())
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 100, solver=pl.QuasiNewton(after_cut=way)))
        for k in range(6):
            for _ in range(4):
                assert sim.step().kept
            at = 0.03 + 0.025 * k
            sim.cut(pl.Blade([(at, -0.1, 0.2), (at, 0.2, 0.2)], depth=0.5))
        assert all(sim.step().kept for _ in range(6))
        assert np.isfinite(sim.x).all() and sim.x[:, 2].min() > -0.01
        if way == WAYS[0]:
            assert len(mesh.vertices) < constant_factor(sim.world.objective).order.dissected


@pytest.mark.parametrize("spoilt", ["order", "lists", "values"])
def test_spoilt_checkpoints_are_refused(spoilt):
    sim = cut_beam(pl.refactor.Background(steps=3), iterations=2)
    owner = constant_factor(sim.world.objective)
    saved = {name: array.numpy().copy() for name, array in owner.memory.items()}
    owner.check(saved, sim.world.count)
    if spoilt == "order":
        saved["numbers"][3] = saved["numbers"][4]
    elif spoilt == "lists":
        saved["numbers"] = saved["numbers"][:-1]
    else:
        saved["values"][0] = np.nan
    with pytest.raises(ValueError, match=r"order|lists|finite"):
        owner.check(saved, sim.world.count)


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_nodes_that_are_held_along_one_axis_are_cut_too(way):
    """A stiff body in single precision, among others, whose doubled nodes slide on a wall."""
    law, bar = pl.StableNeoHookean(young=3e6, poisson=0.45), pl.tet_grid((0.3, 0.1, 0.1), (9, 3, 3), 5)
    wall = pl.Hold(lambda X: X[:, 0] < 1e-9, by=pl.hold.Rigidly(axes="x"))
    slid = pl.Body(bar, law, effects=[wall], velocity=(0.1, 0.0, 0.2))
    other = pl.Body(bar.translated((0.0, 0.0, 0.5)), law, pinned=lambda X: X[:, 0] < 1e-9)
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=6, after_cut=way))
    sim = pl.Simulation(pl.Scene([other, slid]), scheme, precision="f32")
    sim.step()
    assert sim.cut(pl.Blade([(-0.1, 0.05, 0.3), (0.4, 0.05, 0.3)], depth=0.4))[1].new > 10
    for _ in range(6):
        report = sim.step()
        assert report.kept and report.iterations == 6, report.why
        now = constant_factor(sim.world.objective).now
        if isinstance(now, Glued):
            assert now.compliance.max() <= 2 / checked(sim.world.objective).diagonal().min()


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_a_sheet_that_tears_goes_on(way):
    X = pl.cloth_grid((0.2, 0.2), (6, 6))
    pull = pl.Hold(lambda X: X[:, 0] > 0.2 - 1e-9, motion=lambda X, t: X + np.array([0.6 * t, 0, 0]))
    tearing = pl.Tearing(stretch=1.15)
    sheet = pl.Body(
        pl.Membrane(X, thickness=1e-3),
        pl.StVenantKirchhoff(young=1e5),
        pinned=lambda X: X[:, 0] < 1e-9,
        effects=[pull, tearing],
    )
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10, after_cut=way))
    sim = pl.Simulation(pl.Scene([sheet], gravity=(0, 0, 0)), scheme)
    for _ in range(14):
        assert sim.step().kept
    assert sim.world.count > len(X.vertices) and np.isfinite(sim.x).all()
