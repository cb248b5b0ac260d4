"""Strokes that come back to themselves: around a lump that is cut out, and across themselves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, PliantWarning

TURN = np.linspace(0.0, 2 * np.pi, 25)
RING = np.stack([0.2 + 0.08 * np.sin(TURN), 0.2 - 0.08 * np.cos(TURN), np.full(25, 1.0)], axis=1)
LOOP = np.concatenate([[[-0.1, 0.12, 1.0]], RING, [[0.5, 0.12, 1.0]]])  # from one side to the other, with a loop in between
ACROSS = [(0.2, -1, 1), (0.2, 1, 1)]


def block():
    return pl.Body(pl.tet_grid((0.4, 0.4, 0.1), (12, 12, 3)), pl.StableNeoHookean(young=2e4), name="block")


def sheet():
    grid = pl.cloth_grid((0.4, 0.4), (16, 16))
    return pl.Body(pl.Membrane(grid, thickness=1e-3), pl.StableNeoHookean(young=2e4), name="sheet")


def parts(sim):
    """How many parts the elements of the first body hang together in."""
    nodes = sim.scene.bodies[0].shape.nodes
    label = np.arange(len(sim.x))
    for _ in range(len(label)):
        least = label[nodes].min(axis=1)
        new = label.copy()
        np.minimum.at(new, nodes.ravel(), np.repeat(least, nodes.shape[1]))
        if np.array_equal(new, label):
            break
        label = new
    return len(np.unique(label))


def test_a_path_that_never_comes_back_is_one_stroke():
    for path in (ACROSS, RING[:20], [(0, 0, 1), (1, 0, 1), (1, 1, 1)], [(0, 0, 1), (1, 0, 1), (0.9, 0, 1), (2, 0, 1)]):
        blade = pl.Blade(path, depth=1.0)
        assert blade.strokes == (blade,)


@pytest.mark.parametrize("path", [RING, LOOP], ids=["ring", "loop"])
def test_strokes_cover_the_path_lap_over_and_never_come_back(path):
    blade = pl.Blade(path, depth=1.0)
    strokes = blade.strokes
    assert len(strokes) > 1 and all(stroke.strokes == (stroke,) for stroke in strokes)
    middles = 0.5 * (path[1:] + path[:-1])
    off = np.min([np.abs(stroke.heights(middles)[0]) + ~stroke.heights(middles)[1] for stroke in strokes], axis=0)
    assert off.max() < 1e-9
    ends = [stroke.heights(other.path[[0, -1]]) for stroke, other in pairwise(strokes)]
    assert all(np.abs(height[within]).min() < 1e-9 for height, within in ends)


@pytest.mark.parametrize("many, points", [(5, 5), (10, 8), (20, 15), (40, 29)])
def test_strokes_that_end_at_points_of_the_path_have_no_piece_of_no_length(many, points):
    turn = np.linspace(0.0, 2 * np.pi, many + 1)
    ring = pl.Blade(np.stack([0.53 + 0.183 * np.cos(turn), 0.47 + 0.183 * np.sin(turn), 0 * turn], axis=1), depth=1.0)
    assert [len(stroke.path) for stroke in ring.strokes] == [points, points]
    for k in range(1, many):
        assert len(ring.part(0.0, k / many).path) == k + 1


@pytest.mark.parametrize("body", [block, sheet])
def test_a_closed_stroke_frees_what_is_inside_and_is_undone_as_one(body):
    sim = pl.Simulation(pl.Scene([body()], gravity=(0, 0, 0)))
    before = sim.x
    (done,) = sim.cut(pl.Blade(RING, depth=2.0))
    assert done is not None and parts(sim) == 2 and sim.cuts == 1 and sim.step().kept
    sim.undo_cut()
    assert np.array_equal(sim.x, before) and sim.cuts == 0


def test_closed_strokes_beside_steps_and_planned():
    sim = pl.Simulation(pl.Scene([sheet()], gravity=(0, 0, 0)))
    sim.cut(pl.Blade(RING, depth=2.0), wait=False)
    sim.finish_cuts()
    assert parts(sim) == 2
    sim = pl.Simulation(pl.Scene([sheet()], gravity=(0, 0, 0)))
    sim.plan_cut(pl.Blade(RING, depth=2.0), at=0.01)
    sim.step()
    assert parts(sim) == 2


def test_a_blade_that_misses_says_why():
    sim = pl.Simulation(pl.Scene([block()], gravity=(0, 0, 0)))
    with pytest.warns(PliantWarning, match="misses all bodies"):
        sim.cut(pl.Blade([(5, -1, 1), (5, 1, 1)], depth=2.0))
    with pytest.warns(PliantWarning, match="reaches 'block', but separates none of its nodes"):
        sim.cut(pl.Blade([(-0.1, 0.21, 1), (0.5, 0.21, 1), (0.5, 0.215, 1), (-0.1, 0.215, 1)], depth=2.0))
    sim.cut(pl.Blade([(5, -1, 1), (5, 1, 1)], depth=2.0), wait=False)
    with pytest.warns(PliantWarning, match="misses all bodies"):
        sim.finish_cuts()
    assert sim.cuts == 0 and sim.step().kept


def test_what_cannot_be_cut_is_named_with_what_can():
    rigid = pl.Body(pl.contact.Rigid(pl.meshes.box((0.1, 0.4, 0.1), centre=(0.2, 0.2, 0.5)), density=1000.0), name="tool")
    blade = pl.Blade(ACROSS, depth=2.0)
    alone = pl.Simulation(pl.Scene([rigid], gravity=(0, 0, 0)))
    with pytest.raises(InputError, match=r"'tool' is made of Rigid; expected .*, which can be cut$"):
        alone.cut(blade)
    sim = pl.Simulation(pl.Scene([rigid, block()], gravity=(0, 0, 0)))
    with pytest.raises(InputError, match=r"cut\(blade, body=1\) cuts 'block' alone$"):
        sim.cut(blade)
    assert sim.cuts == 0 and sim.cut(blade, body=1)[1] is not None
