"""Lattice cells cut by blades: nothing is lost, copies hang together where their material does, and faces of a cut are closed."""

import numpy as np
import pytest

import pliant as pl
from pliant.cut.lattice.cell_material import material
from pliant.cut.lattice.clip import clip
from pliant.cut.lattice.lattice_cut import components, parted
from pliant.elements.lattice.cut_lattice import carved_of
from pliant.geometry.lattice.cut_cells import integrals_of, volumes_of

TORUS = pl.Lattice(pl.torus(0.1, 0.04), 0.02, refine=2)
RING = pl.Lattice(pl.torus(0.1, 0.05), 0.035, refine=2)
BLOCK = pl.Lattice(pl.box((1.0, 0.5, 0.5)), 0.125)


def plane(normal, point, reach=3.0):
    """A blade across everything."""
    n = np.asarray(normal, float) / np.linalg.norm(normal)
    into = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
    into /= np.linalg.norm(into)
    along = np.cross(n, into)
    return pl.Blade([point - reach * along - reach * into, point + reach * along - reach * into], 2 * reach, into)


def areas(triangles):
    return 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)


@pytest.mark.parametrize("rounded", [False, True])
def test_clipped_tets_fit_together_and_keep_their_volume(rounded):
    """Also where the level passes through vertices, edges and faces."""
    mesh = pl.tet_grid((1, 1, 1), (3, 3, 3), 5)
    rng = np.random.default_rng(4)
    for _ in range(5):
        f = (mesh.vertices - rng.random(3)) @ rng.normal(size=3)
        f = np.round(4 * f) / 4 if rounded else f
        done = clip(mesh.vertices, mesh.tets, f)
        volume = volumes_of(done.points[done.tets])
        assert np.allclose(np.bincount(done.parent, volume, len(mesh.tets)), mesh.volumes, rtol=1e-12, atol=1e-15)
        faces = np.sort(done.tets[:, [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]].reshape(-1, 3), axis=1)
        once, times = np.unique(faces, axis=0, return_counts=True)
        assert times.max() == 2 and areas(done.points[once[times == 1]]).sum() == pytest.approx(6.0, rel=1e-12)
        level = np.concatenate([f, np.zeros(len(done.points) - len(f))])[done.tets]
        assert np.all(level * done.side[:, None] >= 0)


@pytest.mark.parametrize("lattice", [RING, BLOCK], ids=["torus", "block"])
def test_the_material_of_cells_is_that_of_their_integrals(lattice):
    carved = carved_of(lattice)
    soup = material(carved, np.arange(lattice.count))
    own = integrals_of(soup.xi[soup.tets], soup.of_tet, lattice.count)
    assert np.allclose(own, lattice.fragments.integrals, rtol=0, atol=1e-13)


@pytest.mark.parametrize("at", [0.0, 1e-5, 0.01, 0.0625, 0.12])
def test_a_block_falls_into_two_wherever_the_blade_lies_between_nodes(at):
    """On the faces of cells, next to them and through the middle; slivers go with their neighbours."""
    carved = carved_of(BLOCK)
    done = parted(carved, BLOCK.rest, plane((1, 0, 0), np.array([at, 0, 0])), BLOCK.spacing)
    made = done.carved
    assert done.components == 2 and made.integrals[:, 0].sum() == pytest.approx(BLOCK.count, rel=1e-14)
    assert made.integrals[:, 0].min() > 0.02 and np.array_equal(made.rest, BLOCK.rest[done.origin])
    left = made.lowest[:, 0] + BLOCK.spacing * made.integrals[:, 1] / made.integrals[:, 0] < at
    volume = made.integrals[left, 0].sum() * BLOCK.spacing**3
    assert volume == pytest.approx(0.25 * (0.5 + at), abs=2e-4)
    assert not np.intersect1d(made.nodes[left], made.nodes[~left]).size
    for side in (1, -1):
        cap = done.caps.triangles[done.caps.sides == side]
        assert areas(cap).sum() == pytest.approx(0.25, rel=1e-3)
        normal = np.cross(cap[:, 1] - cap[:, 0], cap[:, 2] - cap[:, 0]).sum(axis=0)
        assert abs(normal[0]) == pytest.approx(0.5, rel=1e-3)
    total = made.patch_shares.sum()
    assert total == pytest.approx(carved.patch_shares.sum() + 0.5, rel=1e-3)


def test_a_blade_that_ends_inside_leaves_a_slit_and_one_beside_the_body_nothing():
    carved, h = carved_of(BLOCK), BLOCK.spacing
    slit = parted(carved, BLOCK.rest, pl.Blade([(0.03, -1, 1), (0.03, 1, 1)], depth=1.0), h)
    assert slit.components == 1 and slit.new > 0
    assert BLOCK.rest[slit.origin[len(BLOCK.rest) :], 2].min() > -h
    through = parted(slit.carved, slit.carved.rest, pl.Blade([(0.03, -1, 1), (0.03, 1, 1)], depth=2.0), h)
    assert through.components == 2
    again = parted(through.carved, through.carved.rest, pl.Blade([(0.03, -1, 1), (0.03, 1, 1)], depth=2.0), h)
    assert not len(again.faces) and again.components == 2 and again.new == 0
    assert parted(carved, BLOCK.rest, plane((1, 0, 0), np.array([2.0, 0, 0])), h) is None


TURN = np.linspace(0, 2 * np.pi, 17)
BENT = {
    "stroke": [(-0.3, -0.05, 1), (-0.05, -0.03, 1), (0.02, 0.03, 1), (0.3, 0.01, 1)],
    "ring": np.stack([0.01 + 0.08 * np.cos(TURN), 0.004 + 0.08 * np.sin(TURN), 0 * TURN + 1], axis=1),
    "corners": [(0.109, 0, 1), (0.011, 0.098, 1), (-0.087, 0, 1), (0.011, -0.098, 1), (0.109, 0, 1)],
}


@pytest.mark.parametrize("path", BENT.values(), ids=BENT)
def test_blades_with_bends_part_whole_cells_and_refined_ones_alike(path):
    """Whose material is of other tets, so that a bend lies elsewhere in each of them; all around a part, too, where the last
    cells were cut before."""
    lattice = pl.Lattice(pl.box((0.26, 0.26, 0.2)), 0.05)
    carved = carved_of(lattice)
    whole = carved.integrals[:, 0].sum()
    for stroke in pl.Blade(path, depth=2.0).strokes:
        done = parted(carved, carved.rest, stroke, lattice.spacing)
        carved = done.carved
    sizes = np.bincount(components(carved.nodes, len(carved.rest)), carved.integrals[:, 0])
    assert len(sizes) == 2 and sizes.min() > 0.1 * whole and sizes.sum() == pytest.approx(whole, rel=1e-13)


def random_cuts(lattice, count, seed):
    """Blades of all kinds through a lattice, up to four in one; checks each, and returns how many parts stayed on."""
    rng, closed, h = np.random.default_rng(seed), 0, lattice.spacing
    low, high = lattice.shape.bounds
    size = float(np.linalg.norm(high - low))
    carved, x = carved_of(lattice), lattice.rest
    for k in range(count):
        if k % 4 == 0:
            carved, stretch = carved_of(lattice), np.eye(3) + 0.2 * rng.uniform(-1, 1, (3, 3))
        x = carved.rest @ stretch.T
        point = x[rng.integers(len(x))] if k % 3 == 0 else rng.uniform(low, high) @ stretch.T
        normal = np.eye(3)[rng.integers(3)] if k % 5 == 0 else rng.normal(size=3)
        blade = plane(normal, point, size * (1.5 if k % 2 else 0.4))
        if k % 7 == 3:
            turns = np.cumsum(rng.uniform(-0.4, 0.4, 8))
            path = np.cumsum(0.3 * size * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1), axis=0)
            blade = pl.Blade(point + path - path.mean(axis=0) + [0, 0, size], depth=2 * size)
        done = parted(carved, x, blade, h)
        if done is None:
            continue
        made = done.carved
        closed += done.closed
        old = carved.integrals[:, 0].sum()
        assert made.integrals[:, 0].sum() == pytest.approx(old, rel=1e-12) and made.integrals[:, 0].min() > 0
        weights = made.fragments.corner_weights
        mass = np.bincount(made.nodes.ravel(), weights.ravel(), len(made.rest))
        assert np.all(mass > 0) and np.array_equal(made.rest, carved.rest[done.origin])
        assert np.allclose(made.rest[made.nodes[:, 0]], made.lowest, atol=1e-9 * h)
        assert areas(done.caps.triangles[done.caps.sides > 0]).sum() == pytest.approx(
            areas(done.caps.triangles[done.caps.sides < 0]).sum(), rel=1e-6, abs=1e-9 * h * h
        )
        assert np.array_equal(np.unique(done.heirs[:, 0]), np.arange(len(carved.nodes)))
        assert np.array_equal(np.unique(done.heirs[:, 1]), np.arange(len(made.nodes)))
        carved = made
    return closed


@pytest.mark.parametrize("lattice", [RING, BLOCK], ids=["torus", "block"])
def test_random_blades_lose_nothing(lattice):
    random_cuts(lattice, 8, 2)


@pytest.mark.slow
@pytest.mark.parametrize("lattice", [TORUS, BLOCK], ids=["torus", "block"])
def test_five_hundred_random_blades_lose_nothing(lattice):
    print(random_cuts(lattice, 250, 11), "parts stayed on")
