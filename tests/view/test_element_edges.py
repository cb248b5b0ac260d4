"""Edges of elements: each once, where the nodes are, thinned where there are too many, and nothing while nobody asks."""

import struct

import numpy as np
import pytest

import pliant as pl
from pliant.view.live_loop import Loop
from pliant.view.protocol.messages import EDGES, Command, pack_frame
from pliant.view.scene.element_edges import Edges

from .clients import Page, simulation, unpacked


def still(shape, material=None) -> pl.Simulation:
    return pl.Simulation(pl.Scene([pl.Body(shape, material or pl.Corotated(young=1e4))]))


@pytest.mark.parametrize(
    "shape, edges",
    [
        # five tets a cell: the edges of the grid and one diagonal of each face
        (lambda: pl.tet_grid((2, 1, 1), (2, 1, 1)), 20 + 11),
        (lambda: pl.Membrane(pl.cloth_grid((2, 1), (2, 1)), thickness=0.01), 7 + 2),
        (lambda: pl.Lattice(pl.box((2, 1, 1)), 1.0), None),
        (lambda: pl.Springs(pl.meshes.rod((0, 0, 0), (1, 0, 0), 5), radius=0.01), 5),
    ],
    ids=["tets", "sheet", "lattice", "rod"],
)
def test_each_edge_is_there_once(shape, edges):
    sim = still(shape())
    found = Edges(sim)
    if edges is None:  # cells of a lattice: all edges are along an axis and one cell long
        length = np.sort(np.abs(np.diff(found.positions()[found.pairs], axis=1)[:, 0]), axis=1)
        assert np.allclose(length, [0, 0, 1.0], atol=1e-6)
        nodes = sim.world["elastic"][0].elements.nodes
        edges = len({frozenset((a, b)) for cell in nodes for i, a in enumerate(cell) for j, b in enumerate(cell)
                     if bin(i ^ j).count("1") == 1})  # fmt: skip
    assert len(found.pairs) == edges and found.share == 1
    assert len({frozenset(pair) for pair in found.pairs.tolist()}) == edges
    assert np.allclose(found.positions(), sim.x[found.nodes])


def test_too_many_are_thinned_by_elements():
    sim = still(pl.tet_grid((1, 1, 1), (4, 4, 4)))
    all_of_them, some = Edges(sim), Edges(sim, most=300)
    assert some.share > 1 and len(some.pairs) <= 300 < len(all_of_them.pairs)
    assert len(some.nodes) == len(np.unique(some.pairs)) and some.pairs.max() == len(some.nodes) - 1


def test_frames_carry_nodes_only_while_they_are_asked_for():
    loop = Loop(simulation())
    plain = pack_frame(loop.latest)
    assert loop.edges is None and unpacked(plain)["nodes"] is None and not loop.state["elements"]
    loop._obey(Command("elements", {"value": True}))
    loop._obey(Command("colour", {"name": "speed"}))
    loop._publish()
    frame = unpacked(pack_frame(loop.latest))
    assert np.allclose(frame["nodes"], loop.sim.x[loop.snapshots.edges.nodes], atol=frame["span"].max() / 60000)
    assert np.allclose(frame["x"], loop.snapshots.surfaces.positions(), atol=frame["span"].max() / 60000)
    assert loop.state["elements"] and struct.unpack_from("<2I", loop.edges) == (EDGES, loop.epoch)
    loop._obey(Command("elements", {"value": False}))
    loop._obey(Command("colour", {"name": "none"}))
    loop._publish()
    assert len(pack_frame(loop.latest)) == len(plain) and loop.edges is None


def test_every_page_gets_them_and_another_scene_has_its_own():
    with (
        pl.view(simulation(), port=0, open=False, block=False, library={"beam": simulation}) as viewer,
        Page(viewer) as page,
    ):
        page.do("elements", value=True)
        page.listen(lambda p: p.edges is not None and p.frame and p.frame["nodes"] is not None)
        assert page.edges.max() + 1 == len(page.frame["nodes"]) == 36
        with Page(viewer) as late:
            late.listen(lambda p: p.edges is not None and p.frame and p.frame["nodes"] is not None)
        first, page.edges = viewer.loop.edges, None
        page.do("example", name="beam")
        page.listen(lambda p: p.edges is not None and p.frame["epoch"] == 2 and p.frame["nodes"] is not None)
        assert viewer.loop.edges is not first
        page.do("elements", value="yes")
        page.listen(lambda p: p.refused)
        assert "true or false" in page.refused[0]


def test_pressure_of_a_body_squeezed_from_all_sides():
    """St. Venant–Kirchhoff at F = s I: σ = (2μ + 3λ)(s² − 1)/(2 s) I."""
    young, poisson, s = 1e4, 0.3, 0.95
    for precision, within in (("f64", 1e-6), ("f32", 2e-3)):
        scene = pl.Scene([pl.Body(pl.tet_grid((1, 1, 1), (2, 2, 2)), pl.StVenantKirchhoff(young=young, poisson=poisson))])
        sim = pl.Simulation(scene, precision=precision)
        sim.state.x.assign((sim.world.rest * s).astype(sim.state.x.numpy().dtype))
        mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        found = Loop(sim).snapshots.surfaces.values("pressure")
        assert found == pytest.approx(-(2 * mu + 3 * lam) * (s * s - 1) / (2 * s), rel=within)


def test_pressure_is_offered_of_solids_alone():
    thread = still(pl.Springs(pl.meshes.rod((0, 0, 0), (1, 0, 0), 5), radius=0.01))
    whole = still(
        pl.Lattice(pl.box((2, 1, 1)), 0.5, volume=pl.quadrature.Averaged()),
        pl.StableNeoHookean(young=1e4, poisson=0.49),
    )
    assert "pressure" not in Loop(thread).snapshots.surfaces.names
    assert all("pressure" in Loop(sim).snapshots.surfaces.names for sim in (whole, simulation()))


def test_muscles_inside_a_body_have_sliders():
    shape = pl.Lattice(pl.box((0.4, 0.1, 0.1)), 0.05)
    muscle = pl.muscles.EmbeddedMuscle(pl.box((0.3, 0.05, 0.05)), (1, 0, 0), activation=0.1, name="biceps")
    loop = Loop(pl.Simulation(pl.Scene([pl.Body(shape, pl.StableNeoHookean(young=1e4), effects=[muscle])])))
    assert loop.state["bodies"][0]["activation of biceps"] == pytest.approx(0.1)
    loop._obey(Command("set", {"body": 0, "name": "activation of biceps", "value": 0.7}))
    assert loop.sim.bodies[0].muscles["biceps"].activation == pytest.approx(0.7)
    assert loop.state["bodies"][0]["activation of biceps"] == pytest.approx(0.7) and not loop.state["note"][1]
    loop._obey(Command("set", {"body": 0, "name": "activation of bicep", "value": 0.7}))
    assert "did you mean 'activation of biceps'" in loop.state["note"][1]
    loop._obey(Command("set", {"body": 0, "name": "activation of biceps", "value": 7.0}))
    assert loop.state["note"][0] == 2 and loop.sim.bodies[0].muscles["biceps"].activation == pytest.approx(0.7)
