"""Pairs of bodies and obstacles that do not touch, or with a friction of their own, under every response."""

import numpy as np
import pytest

import pliant as pl
from pliant import contact
from pliant.contact import Pair
from pliant.contact.pairs.pair_law import grips
from pliant.errors import InputError

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000)
FLOOR = pl.Obstacle(pl.plane(z=0.0), name="floor")
RESPONSES = {
    "none": None, "penalty": contact.Penalty(), "barrier": contact.Barrier(),
    "complementarity": contact.Complementarity(), "intersection": contact.Intersection(),
    "patches": contact.Complementarity(patches=True),
}  # fmt: skip
BETWEEN = {name: response for name, response in RESPONSES.items() if response is not None}


def cube(name: str, *corner: float, **options) -> pl.Body:
    return pl.Body(pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=corner), SOFT, name=name, **options)


def simulated(bodies, pairs, response, steps: int, friction: float = 0.0, obstacles=(FLOOR,), dt=0.01, **options):
    law = pl.Contact(friction=friction, response=response, pairs=pairs, **options)
    sim = pl.Simulation(pl.Scene(bodies, list(obstacles), contact=law), pl.ImplicitEuler(dt=dt, solver=pl.Newton(tolerance=1e-8)))
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why
    return sim


@pytest.mark.parametrize("name", RESPONSES)
def test_bodies_slow_down_on_one_floor_by_their_own_friction(name):
    """Each goes as on a floor of that friction for all, which is also what the scene changes while it runs."""
    blocks = [cube(f"block {i}", 0.3 * i, 0, 0.0005, velocity=(1, 0, 0)) for i in range(3)]
    pairs = [Pair("block 0", "floor", friction=0.1), Pair("floor", "block 1", friction=0.3)]
    sim, lost = simulated(blocks, pairs, RESPONSES[name], 12, friction=0.2), []
    for view, friction in zip(sim.bodies, (0.1, 0.3, 0.2)):
        alike = simulated(blocks, [], RESPONSES[name], 12, friction=friction)
        assert np.abs(view.x - alike.x[view.rows]).max() < 1e-6
        lost.append(1 - view.v[:, 0].mean())
    assert lost[1] > lost[2] > lost[0] > 0.05
    sim.set(friction=0.0)
    sim.step()
    before = [view.v[:, 0].mean() for view in sim.bodies]
    for _ in range(8):
        assert sim.step().kept
    lost = [a - view.v[:, 0].mean() for a, view in zip(before, sim.bodies)]
    assert lost[0] > 0.03 and lost[1] > 0.1 and abs(lost[2]) < 5e-3


@pytest.mark.parametrize("name", RESPONSES)
def test_what_is_not_to_touch_an_obstacle_falls_through_it(name):
    bodies = [cube("falls", 0, 0, 0.001), cube("stays", 0.3, 0, 0.001)]
    ball = pl.Obstacle(pl.sphere(0.06, centre=(0.05, 0.05, -0.1)), name="ball")
    pairs = [Pair("falls", ["floor", "ball"], touch=False)]
    sim = simulated(bodies, pairs, RESPONSES[name], 14, obstacles=(FLOOR, ball))
    falls, stays = sim.bodies
    free = 0.001 - 9.81 * 0.01**2 * 14 * 15 / 2  # of implicit Euler
    assert falls.x[:, 2].min() == pytest.approx(free, abs=1e-6) and stays.x[:, 2].min() > -0.005
    assert sim.contacts().pairs == [("stays", "floor")]


@pytest.mark.parametrize("name", BETWEEN)
def test_two_of_three_bodies_pass_through_each_other(name):
    """Two come down on a third; only one of them is to touch it, and both start where they may."""
    low = cube("low", 0, 0, 0.0, pinned=lambda X: X[:, 2] < 0.01)
    bodies = [low, cube("through", -0.02, -0.015, 0.101, velocity=(0, 0, -1)), cube("on top", 0.03, 0.02, 0.103)]
    pairs = [Pair("through", "*", touch=False)]
    sim = simulated(bodies, pairs, BETWEEN[name], 8, obstacles=())
    free = 0.101 - 0.08 - 9.81 * 0.01**2 * 8 * 9 / 2
    assert sim.bodies[1].x[:, 2].min() == pytest.approx(free, abs=1e-6)
    for _ in range(6):
        assert sim.step().kept
    assert sim.bodies[2].x[:, 2].min() > 0.07 and sim.contacts().pairs == [("low", "on top")]


@pytest.mark.parametrize("name", BETWEEN)
def test_friction_of_two_bodies_is_that_of_their_pair(name):
    """A block slides on a rail; the other rail, of another friction, is beside it."""
    rail = lambda name, y: pl.Body(
        pl.tet_grid((0.6, 0.1, 0.05), (6, 1, 1), origin=(-0.05, y, -0.05)), SOFT, pinned=True, name=name
    )
    small = lambda name, y: pl.Body(
        pl.tet_grid((0.06,) * 3, (2, 2, 2), origin=(0.011, y, 0.0007)), SOFT, velocity=(2, 0, 0), name=name
    )
    bodies = [rail("rail a", 0), rail("rail b", 0.2), small("block a", 0.021), small("block b", 0.221)]
    pairs = [Pair("* a", "* a", friction=0.15), Pair("* b", "* b", friction=0.45)]
    sim = simulated(bodies, pairs, BETWEEN[name], 12, obstacles=())
    assert set(sim.contacts().pairs) <= {("rail a", "block a"), ("rail b", "block b")}
    lost = []
    for view, friction in zip(sim.bodies[2:], (0.15, 0.45)):
        alike = simulated(bodies, [], BETWEEN[name], 12, friction=friction, obstacles=())
        assert np.abs(view.x - alike.x[view.rows]).max() < 1e-6
        lost.append(2 - view.v[:, 0].mean())
    assert lost[1] > lost[0] > 0.05


def test_a_bone_may_begin_inside_of_flesh_that_it_does_not_touch():
    flesh = pl.Body(pl.tet_grid((0.1,) * 3, (3, 3, 3)), SOFT, name="flesh")
    bone = pl.Body(pl.tet_grid((0.04,) * 3, (1, 1, 1), origin=(0.033, 0.034, 0.031)), SOFT, name="bone")
    for response in (contact.Barrier(), contact.Complementarity(), contact.Penalty()):
        with pytest.raises(InputError, match=r"bone.*(lies inside|intersect)"):
            simulated([flesh, bone], [], response, 0)
        sim = simulated([flesh, bone], [Pair("bone", "flesh", touch=False)], response, 2, obstacles=())
        assert len(sim.contacts()) == 0 and not sim.doubts


def test_a_sheet_does_not_touch_itself_where_it_is_not_to():
    folded = pl.cloth_grid((0.2, 0.1), (8, 4))
    X = folded.vertices.copy()
    X[:, 2] = np.where(X[:, 0] > 0.1, 0.004, 0.0)
    X[:, 0] = np.where(X[:, 0] > 0.1, 0.2 - X[:, 0], X[:, 0])
    sheet = pl.Body(
        pl.Membrane(pl.TriMesh(X, folded.triangles), thickness=1e-3),
        pl.Corotated(young=1e5, poisson=0.3, density=500), pinned=lambda X: X[:, 2] < 0.001, name="sheet",
    )  # fmt: skip
    for pairs, own, apart in (
        ([], None, False), ([Pair("sheet", "sheet", touch=False)], None, True), ([], False, True), ([], True, False),
    ):  # fmt: skip
        for response in (contact.Barrier(), contact.Complementarity(gap=1e-3)):
            sim = simulated([sheet], pairs, response, 4, obstacles=(), self_contact=own)
            assert (len(sim.contacts()) == 0) == apart


def test_self_contact_makes_sense():
    with pytest.raises(InputError, match=r"Contact\(self_contact=…\)"):
        pl.Contact(self_contact=1)
    for response in (None, contact.Complementarity(patches=True)):
        with pytest.raises(InputError, match="this response has no self-contact"):
            pl.Contact(self_contact=True, response=response)
        assert not pl.Contact(self_contact=False, response=response).touches_itself
    crossed = pl.cloth_grid((0.2, 0.1), (8, 4))
    X = crossed.vertices.copy()
    X[:, 0], X[:, 2] = np.where(X[:, 0] > 0.1, 0.2 - X[:, 0], X[:, 0]), np.where(X[:, 0] > 0.1, X[:, 0] - 0.16, 0.0)
    body = pl.Body(pl.Membrane(pl.TriMesh(X, crossed.triangles), thickness=1e-3), pl.Corotated(young=1e5), name="sheet")
    with pytest.raises(InputError, match="parts of sheet intersect"):
        simulated([body], [], contact.Barrier(), 0)
    sim = simulated([body], [], contact.Barrier(), 2, obstacles=(), self_contact=False)
    assert len(sim.contacts()) == 0


def test_the_last_pair_that_says_something_holds():
    bodies, obstacles = ["cup", "hand", "finger 1", "finger 2"], ["floor"]
    pairs = [Pair("*", "*", touch=False), Pair("finger *", "cup", friction=0.8), Pair("cup", ["hand", "floor"])]
    own = grips(pairs, 0.3, bodies, obstacles)
    table = own.bodies[np.ix_(own.group, own.group)]
    expected = np.full((4, 4), -1.0)
    expected[0, 1] = expected[1, 0] = 0.3
    expected[0, 2:] = expected[2:, 0] = 0.8
    assert np.array_equal(table, expected)
    assert np.array_equal(own.obstacles[:, own.group], [[0.3, -1, -1, -1]])
    assert len(own.bodies) == 3 and own.largest == 0.8  # both fingers are alike
    one = grips([], 0.2, bodies, obstacles)
    assert one.bodies.shape == (1, 1) and one.apart is None


def test_pairs_that_make_no_sense_are_refused():
    bodies = [cube("cup", 0, 0, 0), cube("hand", 0.2, 0, 0)]
    with pytest.raises(InputError, match=r"Pair\(second='hnad'\).*did you mean 'hand'.*'cup', 'hand', 'floor'"):
        pl.Scene(bodies, [FLOOR], contact=pl.Contact(pairs=[Pair("cup", "hnad")]))
    with pytest.raises(InputError, match=r"Pair\(friction=…\).*-0.1.*at least 0"):
        Pair("cup", "hand", friction=-0.1)
    with pytest.raises(InputError, match="does not touch has no friction"):
        Pair("cup", "hand", friction=0.1, touch=False)
    for wrong in ("", [], 3, ["cup", ""]):
        with pytest.raises(InputError, match=r"Pair\(first=…\)"):
            Pair(wrong, "hand")
    with pytest.raises(InputError, match=r"Contact\(pairs=…\).*contact.Pair"):
        pl.Contact(pairs=[("cup", "hand")])


def test_a_checkpoint_and_a_scene_file_hold_pairs(tmp_path):
    from pliant.cli.inputs.scene_file import read_scene

    bodies = [cube("a", 0, 0, 0.0005, velocity=(1, 0, 0)), cube("b", 0.3, 0, 0.0005, velocity=(1, 0, 0))]
    pairs = [Pair("a", "floor", friction=0.4), Pair("b", "floor", touch=False)]
    sim = simulated(bodies, pairs, contact.Penalty(), 5)
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert again.scene.contact == sim.scene.contact
    for one in (sim, again):
        for _ in range(3):
            one.step()
    assert np.array_equal(sim.x, again.x)
    (tmp_path / "scene.toml").write_text(
        """
        obstacles = [{ Obstacle = { shape = { plane = { z = 0.0 } }, name = "floor" } }]
        [[bodies]]
        name = "a"
        shape = { tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
        material = { StableNeoHookean = { young = 1e4 } }
        [run]
        seconds = 0.1
        [contact]
        friction = 0.2
        [[contact.pairs]]
        first = "a"
        second = ["floor"]
        friction = 0.5
        """
    )
    read = read_scene(tmp_path / "scene.toml")
    assert read.scene.contact.pairs == (Pair("a", "floor", friction=0.5),)
