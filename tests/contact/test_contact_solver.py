"""Contact by complementarity: closed forms, conservation, refusals, and agreement with the barrier."""

from types import SimpleNamespace

import numpy as np
import pytest

import pliant as pl
from pliant.contact.complementarity.narrow_phase import NarrowPhase
from pliant.contact.detect.edge_crossings import crossings
from pliant.contact.pairs.contact_surface import joined
from pliant.errors import InputError
from pliant.linear.cholesky.selected_inverse_device import DevicePaths
from pliant.linear.factor.block_factor_device import DeviceFactored
from pliant.linear.krylov import stale_factor
from pliant.runtime.device import Device
from tests.contact.test_detection import surface_of

SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
BLOCK = pl.tet_grid((0.2, 0.2, 0.1), (2, 2, 1))
BLOCK = BLOCK.translated((0, 0, -BLOCK.vertices[:, 2].min()))
SMALL = pl.tet_grid((0.13, 0.13, 0.1), (2, 2, 1))
SMALL = SMALL.translated((0, 0, -SMALL.vertices[:, 2].min()))
ONCE = pl.Newton(iterations=1)


def law(friction=0.0, **given):
    return pl.Contact(friction=friction, response=pl.contact.Complementarity(**given))


def slope(degrees, friction, solver, material=SOFT, precision="f64", dt=0.01):
    """A block on a plane, seen along the plane."""
    angle = np.radians(degrees)
    gravity = (9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle))
    scene = pl.Scene([pl.Body(BLOCK, material)], obstacles=[pl.plane(z=0.0)], gravity=gravity, contact=law(friction))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=dt, solver=solver), precision=precision)


def run(sim, steps):
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why
    return report


@pytest.mark.parametrize(("solver", "precision"), [(pl.Newton(), "f64"), (ONCE, "f64"), (ONCE, "f32")])
def test_a_block_slides_with_the_acceleration_of_the_closed_form(solver, precision):
    sim = slope(20, 0.2, solver, precision=precision)
    run(sim, 40)
    speed = sim.v.mean(axis=0)[0]
    run(sim, 20)
    angle = np.radians(20)
    gained = (sim.v.mean(axis=0)[0] - speed) / 0.2
    assert gained == pytest.approx(9.81 * (np.sin(angle) - 0.2 * np.cos(angle)), rel=0.01)
    assert sim.x[:, 2].min() > -1e-6


@pytest.mark.parametrize("young", [1e4, 1e7])
def test_what_sticks_does_not_creep(young):
    """20 degrees with friction 0.5: less than 0.01 mm/s, whatever the stiffness."""
    stiff = pl.StableNeoHookean(young=young, poisson=0.3, density=1000.0)
    sim = slope(20, 0.5, ONCE, stiff, dt=1 / 30)
    run(sim, 60)
    before = sim.x.mean(axis=0)
    run(sim, 15)
    assert np.linalg.norm(sim.x.mean(axis=0) - before) / 0.5 < 1e-5


@pytest.mark.parametrize(("more", "slides"), [(-0.002, True), (0.002, False)])
def test_the_threshold_of_sliding_is_that_of_the_angle(more, slides):
    """A stiff block at 10 degrees, friction a little below and above tan 10°."""
    stiff = pl.StableNeoHookean(young=1e7, poisson=0.3, density=1000.0)
    sim = slope(10, np.tan(np.radians(10)) + more, ONCE, stiff)
    run(sim, 10)
    before = sim.v.mean(axis=0)[0]
    run(sim, 10)
    gained = (sim.v.mean(axis=0)[0] - before) / 0.1
    expected = 0.002 * 9.81 * np.cos(np.radians(10)) if slides else 0.0
    assert gained == pytest.approx(expected, abs=0.1 * 0.002 * 9.81)


def test_momentum_of_two_bodies_that_meet_is_kept_and_they_do_not_cross():
    """Of very different size, not aligned, with friction; each force has its counterpart."""
    large = pl.Body(BLOCK.rotated((0, 0, 1), 20), SOFT, velocity=(0, 0, 0.5), name="large")
    tiny = pl.tet_grid((0.03, 0.02, 0.02), (1, 1, 1)).rotated((1, 2, 0.3), 25)
    small = pl.Body(tiny.translated((0.013, 0.02, 0.125)), SOFT, velocity=(0.4, 0, -1.0), name="small")
    scene = pl.Scene([large, small], gravity=(0, 0, 0), contact=law(0.3))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=5e-3, solver=pl.Newton(tolerance=1e-9)))
    mass = sim.world.mass[:, None]
    before, n = (mass * sim.v).sum(axis=0), len(BLOCK.vertices)
    start = sim.v[n:].mean(axis=0)
    run(sim, 6)
    assert np.allclose((mass * sim.v).sum(axis=0), before, atol=1e-9 * np.abs(before).max())
    assert sim.v[n:].mean(axis=0)[2] > start[2] + 1.0  # it was stopped
    assert sim.x[n:, 2].min() > sim.x[:n, 2].max() - 2e-3


def test_rest_on_a_floor_is_held_by_the_weight():
    sim = slope(0, 0.3, ONCE)
    report = run(sim, 60)
    assert report.contacts == 9 and abs(report.worst_gap) < 1e-5  # all nodes of the lower side
    contact = sim.world.objective.constraint
    weight = 9.81 * sim.world.mass.sum()
    shown = sim.contacts()
    assert len(shown) == 9 and np.abs(shown.point[:, 2]).max() < 1e-5
    assert shown.of("body 0").total == pytest.approx([0, 0, weight], rel=1e-3, abs=1e-3 * weight)
    assert contact.forces.sum(axis=0) == pytest.approx([0, 0, weight], rel=1e-3, abs=1e-3 * weight)
    assert np.linalg.norm(sim.v, axis=1).max() < 1e-3


def pressed(steps=6, device="cpu", **given):
    """A block that falls on another, solved to convergence."""
    below = pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < 1e-6, name="below")
    above = pl.Body(SMALL.rotated((0, 0, 1), 25).translated((0.01, 0, 0.102)), SOFT, velocity=(0.2, 0, -0.4))
    scene = pl.Scene([below, above], contact=law(0.3, **given))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=5e-3, solver=pl.Newton(tolerance=1e-8)), device=device)
    run(sim, steps)
    return sim


def test_an_older_factor_leads_to_the_same_end(tmp_path):
    """And a checkpoint in between goes on bit for bit, with the matrix of that factor."""
    new, old = pressed(), pressed(refresh=4)
    assert np.abs(new.x - old.x).max() < 1e-6
    old.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    run(old, 2)
    run(again, 2)
    assert np.array_equal(old.x, again.x) and np.array_equal(old.v, again.v)


def test_the_motion_of_the_last_forces_is_that_of_the_present_factor():
    """Another factor that is also the first of its kind has a motion of its own."""
    sim = pressed(4, refresh=4)
    contact, asked = sim.world.objective.constraint, []
    out, factor = contact.vectors.new(), contact._factor
    other = SimpleNamespace(made=factor.made, corrected=lambda b, x: asked.append(b))
    contact.keep_motion(factor, contact.before)
    assert contact.motion_before(factor, out) is not out and not asked
    assert contact.motion_before(other, out) is out and asked == [contact.before]


@pytest.mark.parametrize("refresh", [1, 4])
def test_with_the_factor_of_a_gpu_it_is_the_same(place, refresh, monkeypatch):
    """Which the CPU can make too: W along its paths, and solves of conjugate gradients."""
    here = pressed(4, refresh=refresh, tolerance=1e-5)
    monkeypatch.setattr(stale_factor, "factored", lambda system: DeviceFactored(system.matrix, system.positions))
    there = pressed(4, device=place, refresh=refresh, tolerance=1e-5)
    assert isinstance(there.world.objective.constraint._kept["inverse"], DevicePaths)
    assert np.abs(here.x - there.x).max() < 1e-7


def test_unbuilt_it_leads_to_the_same_end():
    built = pressed(4, tolerance=1e-5)
    unbuilt = pressed(4, tolerance=1e-5, compliance=pl.contact.MatrixFree(), sweeps=20000)
    assert np.abs(built.x - unbuilt.x).max() < 2e-8
    assert "inverse" not in unbuilt.world.objective.constraint._kept


def test_one_linearisation_follows_the_converged_solution():
    ways = []
    for solver in (pl.Newton(), ONCE):
        below = pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < 1e-6, name="below")
        above = pl.Body(SMALL.rotated((0, 0, 1), 25).translated((0.01, 0, 0.102)), SOFT, velocity=(0.2, 0, -0.4))
        sim = pl.Simulation(pl.Scene([below, above], contact=law(0.3)), pl.ImplicitEuler(dt=5e-3, solver=solver))
        start = sim.x
        run(sim, 12)
        ways.append(sim.x - start)
    assert np.abs(ways[0] - ways[1]).max() < 0.1 * np.abs(ways[0]).max()


@pytest.mark.parametrize("push", [-4e3])
def test_agrees_with_the_barrier(push):
    """A block pressed onto another by a load, without friction: the same shape, but for the distance that each keeps."""
    ends = []
    for response in (pl.contact.Complementarity(gap=2e-5), pl.contact.Barrier(reach=4e-5)):
        below = pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < 1e-6, name="below")
        cover = pl.Traction((0, 0, push), lambda X: X[:, 2] > X[:, 2].max() - 1e-6)
        above = pl.Body(SMALL.translated((0.01, 0.02, 0.10003)), SOFT, effects=[cover], damping=pl.Damping(mass=20.0))
        scene = pl.Scene([below, above], gravity=(0, 0, 0), contact=pl.Contact(response=response))
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=pl.Newton(tolerance=1e-6)))
        start = sim.x
        run(sim, 8)
        ends.append(sim.x - start)
    moved = np.abs(ends[0]).max()
    assert np.abs(ends[0] - ends[1]).max() < 0.01 * moved


def test_equilibrium_presses_as_much_as_it_is_pressed():
    """A block held above is lowered onto a floor without friction: its thrust is that of the closed form."""
    down = pl.Hold(lambda X: X[:, 2] > 0.0999, lambda X, t: X - [0, 0, 0.01 * t], by=pl.hold.Rigidly("z"))
    aside = [pl.Hold(lambda X, a=a: X[:, a] < 1e-6, by=pl.hold.Rigidly("xyz"[a])) for a in (0, 1)]
    soft = pl.NeoHookean(young=1e5, poisson=0.3, density=1000.0)
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), soft, effects=[down, *aside])
    scene = pl.Scene([cube], obstacles=[pl.plane(z=0.0)], gravity=(0, 0, 0), contact=law())
    sim = pl.Simulation(scene, pl.QuasiStatic(dt=0.1))
    assert run(sim, 2).contacts == 9
    thrust = sim.world["contact"][0].forces.sum(axis=0)
    assert thrust == pytest.approx([0, 0, 1e5 * 0.01 * 0.02], rel=0.03, abs=0.01)  # E A ε, ε = 2 %


@pytest.mark.parametrize("speed", [20.0, 50.0])
def test_what_moves_many_thicknesses_in_a_step_is_stopped(speed):
    """By a plate of 1 cm, where it comes 10 and 25 cm in a step."""
    firm = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0)
    plate = pl.Body(pl.tet_grid((0.2, 0.2, 0.01), (4, 4, 1)), firm, pinned=lambda X: abs(X[:, 0] - 0.1) > 0.0999, name="plate")
    bullet = pl.tet_grid((0.03, 0.03, 0.03), (1, 1, 1), origin=(0.08, 0.085, 0.05))
    scene = pl.Scene([plate, pl.Body(bullet, firm, velocity=(0, 0, -speed))], contact=law())
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=5e-3, solver=ONCE))
    run(sim, 5)
    assert sim.x[50:, 2].mean() > 0.01


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_strip_that_folds_on_itself_does_not_cross(precision):
    flat = pl.cloth_grid((0.15, 0.04), (15, 4))
    s, y = flat.vertices[:, 0], flat.vertices[:, 1]
    strip = pl.TriMesh(np.stack([0.01 * np.sin(30 * s), y, s + 0.02], axis=1), flat.triangles)
    law_of_cloth = pl.StableNeoHookean(young=1e5, poisson=0.3, density=300.0)
    body = pl.Body(pl.Membrane(strip, thickness=2e-3), law_of_cloth, velocity=(0, 0, -1.0))
    contact = pl.Contact(friction=0.3, thickness=True, response=pl.contact.Complementarity())
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=contact)
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 120, solver=ONCE), precision=precision)
    run(sim, 18)
    found = sim.world.objective.constraint.detector
    assert (found.kept.name[:, 1] >= 0).sum() > 5  # of the strip with itself
    assert len(crossings(found.device, found.surface, found.carries @ sim.x)) == 0


def test_a_point_that_enters_by_one_face_does_not_touch_another_from_within():
    """On its way without contact it goes in at the front, and on to just above the bottom: the front is what it meets."""
    device, block, small = Device("cpu", "f64"), pl.meshes.box(0.1), pl.meshes.box(0.01, centre=(-0.06, 0.0, -0.03))
    one = surface_of(block.vertices, block.triangles)
    both = joined([one, surface_of(small.vertices, small.triangles, one.count)])
    found = NarrowPhase(device, both, 1e-3, both.count)
    x = device.array(both.rest, device.types.position)
    found.begin(x)
    way = np.zeros((both.count, 3))
    way[one.count :] = (0.05, 0.0, -0.0145)  # its lower corners end 0.5 mm above the bottom
    rows = found.find(x, way, 0.0, False)
    assert rows.count >= 4 and np.abs(rows.normal[:, 0]).min() > 0.99


def test_rigid_bodies_touch_too():
    ball = pl.Body(pl.contact.Rigid(pl.meshes.box((0.1, 0.1, 0.1)), density=800.0), name="box")
    scene = pl.Scene([ball], obstacles=[pl.plane(z=-0.05)], gravity=(3.0, 0, -9.81), contact=law(0.5))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=ONCE))
    run(sim, 20)
    assert np.linalg.norm(sim.v, axis=1).max() < 1e-4


def test_a_moving_obstacle_takes_along_what_sticks_to_it():
    def motion(t):
        pose = np.eye(4)
        pose[0, 3] = 0.1 * t
        return pose

    stiff = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0)
    floor = pl.Obstacle(pl.plane(z=0.0), motion)
    sim = pl.Simulation(
        pl.Scene([pl.Body(BLOCK, stiff, velocity=(0.1, 0, 0))], obstacles=[floor], contact=law(0.5)),
        pl.ImplicitEuler(dt=0.01, solver=ONCE),
    )
    run(sim, 30)
    assert sim.v.mean(axis=0)[0] == pytest.approx(0.1, rel=0.01)


@pytest.mark.parametrize(
    "integrator",
    [
        pl.Newmark(dt=0.01), pl.ImplicitMidpoint(dt=0.01), pl.SymplecticEuler(dt=1e-4),
        pl.ImplicitEuler(solver=pl.QuasiNewton()), pl.ImplicitEuler(solver=pl.Newton(linear=pl.linear.PCG(iterations=7))),
    ],
    ids=["Newmark", "ImplicitMidpoint", "SymplecticEuler", "QuasiNewton", "PCG"],
)  # fmt: skip
def test_what_does_not_work_with_it_is_refused(integrator):
    scene = pl.Scene([pl.Body(BLOCK, SOFT)], obstacles=[pl.plane(z=0.0)], contact=law())
    with pytest.raises(InputError, match="Complementarity"):
        pl.Simulation(scene, integrator)


def test_stiffness_and_batches_are_refused():
    with pytest.raises(InputError, match="no stiffness"):
        pl.Contact(stiffness=1e3, response=pl.contact.Complementarity())
    scene = pl.Scene([pl.Body(BLOCK, SOFT)], obstacles=[pl.plane(z=0.0)], contact=law())
    with pytest.raises(InputError, match="Complementarity"):
        pl.Batch([scene, scene], pl.ImplicitEuler(dt=0.01))


@pytest.mark.slow
def test_a_body_that_gives_way_of_itself_is_landed():
    """At 25 m/s its curvature is negative: with steps of the matrix made positive alone, 200 iterations do not land it."""
    law, mesh = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0), pl.tet_grid((0.1,) * 3, (3, 3, 3))
    block = pl.Body(mesh.translated((0, 0, 0.02)), law, velocity=(0, 0, -25.0))
    contact = pl.Contact(friction=0.3, response=pl.contact.Complementarity())
    sim = pl.Simulation(pl.Scene([block], [pl.plane(z=0.0)], contact=contact), pl.ImplicitEuler(1 / 60))
    reports = [sim.step() for _ in range(3)]
    assert all(report.kept and report.converged for report in reports), [report.why for report in reports]
    assert sim.x[:, 2].min() > -1e-3


@pytest.mark.slow
def test_a_body_turned_inside_out_by_a_fast_impact_keeps_its_surface_on_the_obstacle():
    """It goes half a metre in the step, into a plate of 10 cm: inner nodes come out through its own skin, no face goes in."""
    mesh = pl.tet_grid((0.2, 0.2, 0.2), (4, 4, 4), 5).translated((0, 0, 0.05))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), velocity=(0, 0, -30.0))
    contact = pl.Contact(response=pl.contact.Complementarity())
    scene = pl.Scene([body], [pl.box((1, 1, 0.1), (0.1, 0.1, -0.05))], contact=contact)
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, pl.Newton()), precision="f64")
    report = sim.step()
    skin = mesh.boundary_vertices
    assert report.kept and abs(report.worst_gap) < 1e-6
    assert sim.x[skin, 2].min() > -1e-6 and np.delete(sim.x, skin, axis=0)[:, 2].min() < -0.01


def test_a_step_that_crushes_a_body_says_so(monkeypatch):
    """At 30 m/s tets are turned inside out, where iterations creep: what ends them early says why, and what to take instead."""
    monkeypatch.setattr(pl.Newton, "MOST", 8)
    block = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, 0.01)), SOFT, velocity=(0, 0, -30.0))
    scene = pl.Scene([block], [pl.plane(z=0.0)], contact=pl.Contact(response=pl.contact.Complementarity()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    before, report = sim.x, sim.step()
    assert not report.kept and np.array_equal(sim.x, before)
    assert "crushed or inverted so far" in report.why and "try a smaller dt or contact.Barrier()" in report.why
