"""Bodies that begin in one another and are moved apart before the first step; winding numbers are the judge."""

import numpy as np
import pytest

import pliant as pl
from pliant import contact
from pliant.bench.contact_scenes import judge
from pliant.contact import Pair, Parting, Rigid
from pliant.errors import InputError

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000)
FLOOR = pl.Obstacle(pl.plane(z=0.0), name="floor")
RESPONSES = [contact.Barrier(), contact.Penalty(), contact.Complementarity(), contact.Intersection()]


def cube(name: str, *corner: float, size=0.1, **options) -> pl.Body:
    return pl.Body(pl.tet_grid((size,) * 3, (2, 2, 2), origin=corner), SOFT, name=name, **options)


def sheet(name: str, turned: float, shift, **options) -> pl.Body:
    grid = pl.cloth_grid((0.2, 0.2), (6, 6)).translated((-0.1, -0.1, 0)).rotated((0, 1, 0), turned).translated(shift)
    return pl.Body(pl.Membrane(grid, thickness=1e-3), pl.Corotated(young=1e5, poisson=0.3, density=500), name=name)


def rigid(name: str, mesh, density=1000.0, **options) -> pl.Body:
    return pl.Body(Rigid(mesh, density=density), name=name, **options)


def simulated(bodies, obstacles=(), response=None, gravity=(0, 0, 0), joints=(), device="cpu", **law):
    law = pl.Contact(response=response or contact.Barrier(), start=Parting(), **law)
    return pl.Simulation(pl.Scene(bodies, list(obstacles), gravity, law, joints=joints), device=device)


def edge_of(sim) -> float:
    """The least of the median lengths of edges of all bodies [m]."""
    return next(energy for energy in sim.world.energies if hasattr(energy, "surface")).surface.usual_edge()


def check_still(sim, steps=3, clean=True) -> None:
    """Nothing is in anything else, centres of mass stay and nothing moves, as no force acts."""
    assert judge(sim).clean == clean
    mass = sim.world.mass[:, None]
    for k in range(steps):
        report = sim.step()
        assert report.kept and report.converged
        assert ("moved apart before the first step" in report.why) == (k == 0)
        assert np.abs(sim.v).max() < 1e-9 and np.abs((mass * sim.v).sum(axis=0)).max() < 1e-12
    assert judge(sim).clean == clean


@pytest.mark.parametrize("response", RESPONSES, ids=lambda response: type(response).__name__)
@pytest.mark.parametrize("askew", [0.0, 0.003])
def test_two_cubes_go_the_least_way_and_their_centre_stays(response, askew):
    bodies = [cube("a", 0, 0, 0), cube("b", 0.09, askew, 0.5 * askew)]
    sim = simulated(bodies, response=response)
    gap, (a, b) = 0.01 * 0.05 * np.sqrt(2), (sim.parted["a"], sim.parted["b"])  # most edges are diagonals of faces
    assert a == pytest.approx(-b, abs=1e-12)
    assert 0.01 + gap < np.linalg.norm(b - a) < 0.01 + 2.6 * gap and (b - a)[0] > 0.99 * np.linalg.norm(b - a)
    for view, body, way in zip(sim.bodies, bodies, (a, b)):
        assert view.x == pytest.approx(body.shape.rest + way, abs=1e-12)
    check_still(sim)


def test_a_ball_in_a_block_comes_out_by_its_depth():
    ball, block = pl.meshes.sphere(0.05, 2), cube("block", -0.1, -0.1, -0.1, size=0.2)
    sim = simulated([block, rigid("ball", ball.translated((0.011, 0.013, 0.13)), density=2000.0)])
    way = sim.parted["ball"] - sim.parted["block"]
    edge = edge_of(sim)
    depth = 0.1 - 0.13 - ball.vertices[:, 2].min()
    assert way[:2] == pytest.approx(0, abs=1e-9) and depth + 0.01 * edge < way[2] < depth + 0.026 * edge
    mass = [sim.world.mass[view.rows].sum() for view in sim.bodies]
    assert mass[0] * sim.parted["block"] + mass[1] * sim.parted["ball"] == pytest.approx(0, abs=1e-12)
    check_still(sim)


@pytest.mark.parametrize("turned, thick", [(90.0, False), (70.0, False), (20.0, True)])
def test_sheets_that_cross_are_parted(turned, thick):
    sim = simulated(
        [sheet("s", 0.0, (0, 0, 0)), sheet("t", turned, (0.003, 0.002, 0.08 if turned > 80 else 0.0))], thickness=thick
    )
    if turned > 80:  # by what is below
        assert np.linalg.norm(sim.parted["t"] - sim.parted["s"]) == pytest.approx(0.02, abs=1e-3)
    check_still(sim)


def test_a_rigid_body_in_a_soft_one_that_is_held_comes_out_alone():
    held = cube("block", -0.1, -0.1, -0.1, size=0.2, pinned=lambda X: X[:, 2] < -0.099)
    body = rigid("stone", pl.meshes.box(0.05).rotated((1, 2, 3), 25).translated((0.02, 0.01, 0.03)))
    sim = simulated([held, body])
    assert set(sim.parted) == {"stone"} and sim.parted["stone"][2] > 0.08
    check_still(sim)


def test_bodies_come_out_of_obstacles_and_of_each_other(tmp_path):
    """What comes up from the floor may go into another, which is looked at again. Reset and checkpoints begin where it did."""
    bodies = [
        cube("low", 0, 0, -0.01),
        cube("high", 0.02, 0.01, 0.08),
        rigid("aside", pl.meshes.box(0.1).translated((0.4, 0, 0.051))),
    ]
    sim = simulated(bodies, [FLOOR], gravity=(0, 0, -9.81))
    assert "aside" not in sim.parted and sim.parted["low"][2] > 0.01 and judge(sim).clean and sim.x[:, 2].min() > 0
    begun = sim.x
    for _ in range(3):
        assert sim.step().converged
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    for one in (sim, again):
        one.step()
    assert np.array_equal(sim.x, again.x)
    for one in (sim, again):
        one.reset()
        assert one.x == pytest.approx(begun, abs=1e-12)
        assert "moved apart" in one.step().why


def test_what_joints_join_goes_together():
    post = rigid("post", pl.meshes.box(0.1).translated((0, 0, 0)))
    arm = rigid("arm", pl.meshes.box((0.2, 0.04, 0.04)).translated((0.1, 0, 0)))
    other = rigid("other", pl.meshes.box(0.1).translated((0.24, 0.003, 0)))
    hinge = pl.joint.Hinge("arm", "post", (0, 0, 0), (0, 1, 0))
    sim = simulated([post, arm, other], joints=[hinge])
    assert sim.parted["post"] == pytest.approx(sim.parted["arm"], abs=1e-15) and sim.parted["other"][0] > 0
    check_still(sim, clean=False)  # the arm is in its post, on purpose
    fixed = simulated([post, arm, other], joints=[hinge, pl.joint.Weld("post")])
    assert set(fixed.parted) == {"other"}


def test_nothing_moves_where_nothing_meets():
    bodies = [cube("a", 0, 0, 0.2), cube("b", 0.2, 0, 0.2), cube("ghost", 0.05, 0, 0.2)]
    sim = simulated(bodies, [FLOOR], pairs=[Pair("ghost", "*", touch=False)])
    assert sim.parted == {} and "moved apart" not in sim.step().why


def test_what_cannot_be_parted_is_refused():
    pinned = lambda name, x: cube(name, x, 0, 0.1, pinned=True)
    with pytest.raises(InputError, match=r"a and b overlap at the start, and both are held.*Pair"):
        simulated([pinned("a", 0), pinned("b", 0.053)])
    with pytest.raises(InputError, match=r"a is 0.05 m inside an obstacle at the start, and is held"):
        simulated([cube("a", 0, 0, -0.05, pinned=True)], [FLOOR])
    with pytest.raises(InputError, match="a joint holds them together"):
        tie = pl.joint.Tendon([("a", (0, 0, 0.1)), ("b", (0.15, 0.1, 0.2))], length=1.0)
        simulated([cube("a", 0, 0, 0.1), cube("b", 0.053, 0, 0.1)], joints=[tie])
    walls = [pl.Obstacle(pl.plane(point=(s * 0.06, 0, 0), normal=(-s, 0, 0)), name=f"wall {s}") for s in (-1, 1)]
    with pytest.raises(InputError, match="after 100 rounds"):
        simulated([rigid("a", pl.meshes.box(0.15))], walls)
    with pytest.raises(InputError, match=r"Contact\(start=…\).*Parting"):
        pl.Contact(start="part")
    with pytest.raises(InputError, match="nothing is moved apart"):
        pl.Contact(start=Parting(), response=None)
    with pytest.raises(InputError, match=r"Parting\(gap=…\)"):
        Parting(gap=0)
