"""What is inside of bodies is told while a page clips them: tets that fill them, and the values of a field at their nodes."""

import struct

import numpy as np
import pytest

import pliant as pl
from pliant.view.live_loop import Loop
from pliant.view.pages.replay import Replay
from pliant.view.protocol.messages import INSIDE, Command, pack_frame
from pliant.view.scene.interior import Inside

from .clients import simulation, unpacked

SHAPES = {
    "tets": lambda: pl.tet_grid((2, 1, 1), (2, 1, 1)),
    "ten nodes": lambda: pl.tet_grid((2, 1, 1), (1, 1, 1)).quadratic(),
    "cells": lambda: pl.Lattice(pl.box((2, 1, 1)), 0.5),
    "hexahedra": lambda: pl.meshes.hex_box((2, 1, 1), (2, 1, 1)),
}


def volumes(x: np.ndarray, tets: np.ndarray) -> np.ndarray:
    a, b, c, d = x[tets].transpose(1, 0, 2)
    return np.abs(np.einsum("ti,ti->t", np.cross(b - a, c - a), d - a)) / 6


@pytest.mark.parametrize("name", SHAPES)
def test_tets_fill_each_body(name):
    law = pl.Corotated(young=1e4)
    thread = pl.Body(pl.Springs(pl.meshes.rod((0, 0, 3), (1, 0, 3), 5), radius=0.01), law)
    sim = pl.Simulation(pl.Scene([thread, pl.Body(SHAPES[name](), law)]))
    found = Inside(sim.skins)
    assert found.first.tolist() == [0, 0, len(found.tets)] and found.tets.max() == len(found.nodes) - 1
    x, values = found.of(sim.x, np.arange(len(sim.x)))
    if name == "cells":  # they reach beyond the surface
        assert volumes(x, found.tets).sum() >= 2.0 - 1e-6
    else:
        assert volumes(x, found.tets).sum() == pytest.approx(2.0, rel=1e-6)
    assert np.allclose(x, sim.x[found.nodes]) and values.tolist() == found.nodes.tolist()
    assert len(Inside(sim.skins, most=len(found.tets) - 1).tets) == 0  # too many are left out


def test_frames_have_values_inside_while_a_page_asks_and_bodies_are_coloured():
    loop = Loop(simulation())
    loop._obey(Command("inside", {"value": True}))
    loop._publish()
    assert loop.state["inside"] and unpacked(pack_frame(loop.latest))["inside"] is None  # nothing to be told
    kind, epoch, nodes, tets, bodies = struct.unpack_from("<5I", loop.inside)
    assert (kind, epoch, tets, bodies) == (INSIDE, loop.epoch, 40, 2) and len(loop.inside) == 4 * (5 + 2 + 4 * 40)
    for _ in range(3):
        loop.sim.step()
    loop._obey(Command("colour", {"name": "displacement"}))
    loop._obey(Command("elements", {"value": True}))
    loop._publish()
    frame = unpacked(pack_frame(loop.latest))
    x, values = frame["inside"]
    assert len(x) == nodes == len(loop.sim.x) and np.allclose(x, loop.sim.x, atol=1e-4)
    moved = np.linalg.norm(loop.sim.x - loop.sim.world.rest, axis=1)
    assert np.allclose(
        values / 255 * (frame["high"] - frame["low"]), np.minimum(moved, frame["high"]), atol=0.003 * frame["high"]
    )
    assert np.allclose(frame["nodes"], loop.sim.x[loop.snapshots.edges.nodes], atol=1e-4)
    before = loop.inside
    loop._obey(Command("inside", {"value": True}))
    assert loop.inside is before  # another page asks as well
    loop._obey(Command("inside", {"value": False}))
    loop._publish()
    assert loop.inside is None and unpacked(pack_frame(loop.latest))["inside"] is None


def test_a_replay_tells_it_too():
    sim = simulation()
    replay = Replay(sim.run(seconds=0.1))
    replay._obey(Command("colour", {"name": "speed"}))
    replay._obey(Command("inside", {"value": True}))
    replay._obey(Command("seek", {"time": 0.1}))
    replay._publish()
    frame = unpacked(pack_frame(replay.latest))
    x, values = frame["inside"]
    speed = np.linalg.norm(sim.v, axis=1)
    assert np.allclose(x, sim.x, atol=1e-4) and struct.unpack_from("<I", replay.inside)[0] == INSIDE
    assert np.allclose(values / 255 * frame["high"], np.minimum(speed, frame["high"]), atol=0.003 * frame["high"])
