"""Bodies and scenes: who is selected, what is refused."""

import numpy as np
import pytest

import pliant as pl
from pliant.effects.base import select

BLOCK = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1), 6)
RUBBER = pl.StableNeoHookean(young=1e4)
ROD = pl.meshes.rod((0, 0, 0), (1, 0, 0), 2)


def test_select():
    X = BLOCK.vertices
    left = np.flatnonzero(X[:, 0] < 1e-9)
    for where in (lambda X: X[:, 0] < 1e-9, left, left.tolist(), X[:, 0] < 1e-9, np.concatenate([left, left])):
        assert np.array_equal(select(X, where, "pins"), left)
    for bad, words in (
        (lambda X: X[:, 0] < -1, "bounds"),
        ([99], "outside"),
        ([-1], "outside"),
        (np.ones(3, bool), "mask"),
        ([0.5], "float"),
    ):
        with pytest.raises(pl.errors.InputError, match=words):
            select(X, bad, "pins")


def test_pins_in_every_form():
    left = np.flatnonzero(BLOCK.vertices[:, 0] < 1e-9)
    bodies = [pl.Body(BLOCK, RUBBER, pinned=p) for p in (lambda X: X[:, 0] < 1e-9, left, left.tolist())]
    bodies += [pl.Body(BLOCK, RUBBER, effects=e) for e in (pl.Hold(left), [pl.Hold(left[:1]), pl.Hold(left[1:])])]
    for body in bodies:
        held = [row for effect in body.acting if isinstance(effect, pl.Hold) for row in effect.chosen(body.shape, "pins")]
        assert sorted(held) == left.tolist()
    assert pl.Body(BLOCK, RUBBER).effects == () and pl.Body(BLOCK, RUBBER).pinned is None
    with pytest.raises(pl.errors.InputError, match="axes"):
        pl.Hold([0], by=pl.hold.Rigidly("w"))


def test_regions_and_elements_have_their_own_parameters():
    halves = pl.TetMesh(BLOCK.vertices, BLOCK.tets, (BLOCK.vertices[BLOCK.tets].mean(axis=1)[:, 0] > 0.1).astype(int))
    body = pl.Body(halves, pl.StableNeoHookean(young=[1e4, 1e6], density=[1000.0, 2000.0]))
    assert np.array_equal(body.rows(), halves.regions)
    assert set(body.densities.tolist()) == {1000.0, 2000.0}
    sim = pl.Simulation(pl.Scene([body]))
    assert sim.world.mass.sum() == pytest.approx(halves.volume * 1500, rel=1e-9)
    count = len(BLOCK.tets)
    assert len(pl.Body(BLOCK, pl.StableNeoHookean(young=np.full(count, 1e4))).rows()) == count
    with pytest.raises(pl.errors.InputError, match="rows of parameters"):
        pl.Body(BLOCK, pl.StableNeoHookean(young=[1e4, 1e5, 1e6]))


def test_stiff_half_bends_less():
    """Region by region the parameters land on the right elements."""
    mesh = pl.tet_grid((1, 0.1, 0.1), (10, 1, 1), 6)
    regions = (mesh.vertices[mesh.tets].mean(axis=1)[:, 0] > 0.5).astype(int)
    sag = []
    for young in ([1e6, 1e8], [1e8, 1e6]):
        body = pl.Body(
            pl.TetMesh(mesh.vertices, mesh.tets, regions),
            pl.LinearElastic(young=young),
            pinned=lambda X: X[:, 0] < 1e-9,
        )
        sim = pl.Simulation(pl.Scene([body]), pl.QuasiStatic())
        assert sim.step().kept
        sag.append(-(sim.x - mesh.vertices)[:, 2].min())
    assert sag[0] > 3 * sag[1]  # soft at the clamp sags more


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pl.Body(BLOCK.boundary, RUBBER), "Membrane"),
        (lambda: pl.Body(pl.meshes.rod((0, 0, 0), (1, 0, 0), 2), RUBBER), "Springs"),
        (lambda: pl.Body(3, RUBBER), "TetMesh"), (lambda: pl.Body(BLOCK, "rubber"), "material"),
        (lambda: pl.Body(BLOCK, pl.laws.Fibres(stiffness=1.0)), "density"),
        (lambda: pl.Body(pl.Membrane(pl.cloth_grid((1, 1), (2, 2)), 0.1), pl.LinearElastic(young=1e4)), "Corotated"),
        (lambda: pl.Body(pl.Springs(ROD), RUBBER + pl.laws.Fibres(stiffness=1.0)), "isotropic"),
        (lambda: pl.Body(BLOCK, RUBBER, velocity=(1, 2)), "velocity"),
        (lambda: pl.Body(BLOCK, RUBBER, effects=[3]), "expected effects"),
        (lambda: pl.Body(BLOCK, RUBBER, surface=3), "surface"),
        (lambda: pl.Scene([]), "one Body"), (lambda: pl.Scene([3]), "one Body"),
        (lambda: pl.Scene([pl.Body(BLOCK, RUBBER)], obstacles=[3]), "plane"), (lambda: pl.Damping(mass=-1), "Damping"),
        (lambda: pl.Scene([pl.Body(BLOCK, RUBBER)], gravity=(0, 0)), "gravity"), (lambda: pl.Contact(friction=-1), "friction"),
        (lambda: pl.Scene([pl.Body(BLOCK, RUBBER, name="a"), pl.Body(BLOCK, RUBBER, name="a")]), "share a name"),
        (lambda: pl.Hold([0], by=pl.hold.Springs(0)), "stiffness"), (lambda: pl.Simulation(3), "Scene"),
        (lambda: pl.Simulation(pl.Scene([pl.Body(BLOCK, RUBBER)]), integrator=3), "integrator"),
    ],
)  # fmt: skip
def test_refusals(make, words):
    with pytest.raises(pl.errors.InputError, match=words):
        make()


def test_new_kinds_of_elements_are_drawn_by_their_faces():
    from pliant.elements.base import Elements

    tets = pl.Tets(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)))
    parts = (tets.rest, tets.nodes, tets.gradients, tets.weights)
    law = pl.StableNeoHookean(young=1e4)
    faces = tets.mesh.boundary_triangles
    run = pl.Simulation(pl.Scene(pl.Body(Elements(*parts, faces=faces), law))).run(1 / 60, fields=())
    assert np.array_equal(run.skins[0].triangles, faces)
    with pytest.raises(pl.errors.InputError, match=r"no way to draw Elements.*or elements with faces"):
        pl.Simulation(pl.Scene(pl.Body(Elements(*parts), law)))


def test_points_are_held_by_the_nodes_that_carry_them():
    at = np.array([[0.03, 0.52, 0.55], [0.0, 0.0, 0.0]])
    mesh = pl.tet_grid((1, 1, 1), (3, 3, 3))
    hexes = pl.meshes.hex_box((1, 1, 1), (3, 3, 3))
    for shape in (mesh, mesh.quadratic(), hexes, pl.Lattice(pl.box((1, 1, 1), (0.5, 0.5, 0.5)), 0.3)):
        body = pl.Body(shape, RUBBER, effects=[pl.Hold(at, name="pins")])
        (hold,) = body.effects
        assert hold.points is None and 5 <= len(hold.where) < len(body.shape.rest)
        nodes, weights = body.shape.carriers(at, "points")
        away = np.where(np.isin(nodes, hold.where), 0.0, 1.0)  # if what is not held were to move
        np.testing.assert_allclose((weights * away).sum(axis=1), 0, atol=1e-8)
    with pytest.raises(pl.errors.InputError, match="lie outside"):
        pl.Body(mesh, RUBBER, effects=[pl.Hold([[0.0, 0.0, 9.0]])])
    with pytest.raises(pl.errors.InputError, match="has no inside"):
        pl.Body(pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), 0.01), RUBBER, effects=[pl.Hold(at)])
