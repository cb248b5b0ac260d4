"""Muscles in scenes: they shorten bodies by what a scalar balance says, are set, saved, drawn and overlap."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import pliant as pl

LAW = pl.NeoHookean(young=1e5, poisson=0.3)
FACES = [pl.Hold(lambda X, a=a: X[:, a] < 1e-9, by=pl.hold.Rigidly("xyz"[a])) for a in range(3)]
SOLVER = pl.Newton(linear=pl.linear.Direct())
AROUND = pl.box(2.0)


def bar(shape=None, muscles=(), **others) -> pl.Scene:
    shape = shape or pl.Lattice(pl.box((0.2, 0.1, 0.1), (0.1, 0.05, 0.05)), 0.05)
    return pl.Scene(pl.Body(shape, LAW, effects=[*FACES, *muscles], **others), gravity=(0, 0, 0))


def muscle(**changes) -> pl.muscles.EmbeddedMuscle:
    given = {"shape": AROUND, "fibres": (1, 0, 0), "activation": 0.4, "peak_stress": 1e5, "name": "m"}
    return pl.muscles.EmbeddedMuscle(**(given | changes))


def settled(scene: pl.Scene, steps: int = 2) -> pl.Simulation:
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=SOLVER))
    for _ in range(steps):
        report = sim.step()
        assert report.converged, report.why
    return sim


def balance(strength: float) -> tuple[float, float]:
    """Stretches along and across of a block whose tension is ``strength`` times the active curve: P = 0 in both."""
    mu, lam = float(LAW.mu), float(LAW.lam)

    def stress(s):
        along, across = s
        T = strength * (1 - 25 / 6 * (along - 1) ** 2)
        p = lam * np.log(along * across**2)
        return [mu * (along - 1 / along) + p / along + T, mu * (across - 1 / across) + p / across]

    return tuple(fsolve(stress, [0.8, 1.1], xtol=1e-13))


@pytest.mark.parametrize("shape", [None, pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))], ids=["lattice", "tets"])
def test_a_bar_shortens_by_what_the_balance_says(shape):
    sim = settled(bar(shape, [muscle()]))
    along, across = balance(0.4e5)
    assert along < 0.8 and np.ptp(sim.x, axis=0) == pytest.approx([0.2 * along, 0.1 * across, 0.1 * across], rel=1e-5)
    view = sim.bodies[0].muscles["m"]
    assert view.stretch == pytest.approx(np.full(len(view.weights), along), rel=1e-5)
    assert view.tension == pytest.approx(0.4e5 * (1 - 25 / 6 * (along - 1) ** 2), rel=1e-4)
    assert view.rest_volume == pytest.approx(2e-3, rel=1e-9)
    assert view.volume == pytest.approx(2e-3 * along * across**2, rel=1e-5)
    assert sim.energies()["muscles"] < 0 and view.activation == 0.4


def test_overlapping_muscles_add():
    """Two that fill the bar act like one with the sum of their tensions; each keeps its own activation."""
    both = [muscle(name="a", activation=0.5, peak_stress=5e4), muscle(name="b", activation=0.1, peak_stress=1.5e5)]
    one, two = settled(bar(None, [muscle()])), settled(bar(None, both))
    assert np.abs(one.x - two.x).max() < 1e-7
    assert [m.activation for m in two.bodies[0].muscles.values()] == [0.5, 0.1]
    assert len(two.bodies[0].muscles["a"].weights) == len(two.bodies[0].muscles["b"].weights) == 16


def test_the_more_active_the_shorter():
    sim, length = settled(bar(None, [muscle(activation=0.0)]), 1), []
    for level in (0.0, 0.1, 0.3, 0.6):
        sim.set(activation={"m": level})
        assert sim.step().converged
        length.append(np.ptp(sim.x[:, 0]))
    assert length[0] == pytest.approx(0.2) and np.all(np.diff(length) < -0.003)


def test_activation_follows_time_and_set_and_goes_into_checkpoints(tmp_path):
    """A function of time; then a number set by name, which a checkpoint keeps; the fibres come back as they were."""
    field = pl.muscles.FibreField(pl.box((0.4, 0.1, 0.1), (0.1, 0.05, 0.05)), pl.plane(point=(0, 0, 0), normal=(1, 0, 0)),
                          pl.plane(point=(0.2, 0, 0), normal=(-1, 0, 0)), 0.05)  # fmt: skip
    scene = bar(None, [muscle(activation=lambda t: min(0.1 * t, 1.0), fibres=field), muscle(name="still", activation=0.0)])
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=1.0, solver=SOLVER))
    assert sim.bodies[0].muscles["m"].activation == 0.0
    lengths = []
    for k in (1, 2, 3):
        assert sim.step().kept and sim.bodies[0].muscles["m"].activation == pytest.approx(0.1 * k)
        lengths.append(np.ptp(sim.x[:, 0]))
    assert np.all(np.diff(lengths) < 0)
    sim.save(tmp_path / "a.npz")
    with pytest.raises(pl.errors.InputError, match="activation"):
        pl.Simulation.load(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz", scene=scene)
    assert sim.step().kept and again.step().kept and np.array_equal(sim.x, again.x)
    sim.set(activation={"m": 0.2})
    assert sim.bodies[0].muscles["m"].activation == 0.2 and sim.bodies[0].muscles["still"].activation == 0.0
    sim.save(tmp_path / "b.npz")
    again = pl.Simulation.load(tmp_path / "b.npz")
    assert sim.step().kept and again.step().kept and np.array_equal(sim.x, again.x)
    assert np.ptp(sim.x[:, 0]) == pytest.approx(lengths[1], rel=1e-6)


def test_quasi_newton_and_batches_agree_with_newton():
    """Two scenes in a batch, of different activation, end where Newton ends for each."""
    levels = (0.2, 0.4)
    integrator = pl.QuasiStatic(dt=1.0, solver=pl.QuasiNewton(iterations=200))
    batch = pl.Batch([bar(None, [muscle(activation=a)]) for a in levels], integrator)
    for _ in range(2):
        assert all(report.kept for report in batch.step())
    for x, level in zip(batch.x, levels):
        assert np.abs(x - settled(bar(None, [muscle(activation=level)])).x).max() < 1e-4


def test_momentum_is_kept():
    """A free body that tenses does not drift."""
    ball = pl.Body(pl.Lattice(pl.sphere(0.1), 0.05), LAW, effects=[muscle(shape=pl.sphere(0.06, (0.02, 0, 0)), fibres=(1, 1, 0))])
    sim = pl.Simulation(pl.Scene(ball, gravity=(0, 0, 0)), pl.ImplicitEuler(dt=0.01, solver=pl.Newton(tolerance=1e-8)))
    for _ in range(5):
        assert sim.step().kept
    m = sim.world.mass[:, None]
    drift, size = (m * sim.v).sum(axis=0), np.abs(m * sim.v).sum()
    assert size > 1e-3 and np.abs(drift).max() < 1e-6 * size


def test_averaged_volume_is_kept_beside_muscles():
    """A nearly incompressible bar with a muscle in its middle bulges there and keeps its volume to half a percent."""
    shape = pl.Lattice(pl.box((0.3, 0.1, 0.1), (0.15, 0.05, 0.05)), 0.05, volume=pl.quadrature.Averaged())
    belly = muscle(shape=pl.box((0.1, 0.2, 0.2), (0.15, 0.05, 0.05)), name="")
    body = pl.Body(shape, pl.NeoHookean(young=1e5, poisson=0.499), effects=[*FACES, belly])
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0, solver=SOLVER))
    assert sim.step().kept
    view = sim.bodies[0].muscles["muscle 0"]
    assert view.volume == pytest.approx(view.rest_volume, rel=5e-3) and view.stretch.max() < 0.97
    middle = np.abs(shape.rest - [0.15, 0.1, 0.1]).max(axis=1) < 1e-9
    assert sim.x[middle, 2] > 0.1005


def test_a_surface_rides_along(tmp_path):
    sim = settled(bar(None, [muscle()]))
    mesh = pl.surface(pl.sphere(0.03, (0.1, 0.05, 0.05)), 0.02)
    skin = sim.bodies[0].carried(mesh, "belly", "#aa3322")
    run = sim.frame()
    assert np.ptp(skin.of(run.positions[0])[:, 0]) < 0.85 * np.ptp(mesh.vertices[:, 0])
    run = run.drawn(skin)
    pl.export(run, tmp_path / "a.npz")
    assert pl.read(tmp_path / "a.npz").skins[0].colour == "#aa3322"
    assert "#aa3322" in pl.page(run, tmp_path / "a.html").read_text(encoding="utf-8")
    plain = sim.frame().drawn([sim.bodies[0].carried(mesh, "belly")])
    images = [pl.picture(r, tmp_path / f"{i}.png", size=(64, 64)).read_bytes() for i, r in enumerate((run, plain))]
    assert images[0] != images[1]
    with pytest.raises(pl.errors.InputError, match="expected surfaces from"):
        run.drawn(mesh)
    with pytest.raises(pl.errors.InputError, match="expected a TriMesh carried by a solid"):
        sim.bodies[0].carried("skin", "belly")
