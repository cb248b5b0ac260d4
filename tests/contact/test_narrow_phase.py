"""Normals and edges of contacts over flats: how a surface is cut into triangles must not be felt."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.complementarity.narrow_phase import NarrowPhase
from pliant.contact.pairs.contact_surface import joined
from pliant.contact.pairs.point_pairs import places
from pliant.runtime.device import Device
from tests.contact.test_detection import surface_of

GAP = 1e-5


def over_a_box(small):
    """A detector of a box of 0.1 m, its top at 0, and a small mesh; where all points are."""
    device, block = Device("cpu", "f64"), pl.meshes.box(0.1, centre=(0, 0, -0.05))
    one = surface_of(block.vertices, block.triangles)
    both = joined([one, surface_of(small.vertices, small.triangles, one.count)])
    found = NarrowPhase(device, both, GAP, both.count)
    place = lambda x: device.array(x, device.types.position)
    found.begin(place(both.rest))
    return found, both.rest.copy(), one, place


@pytest.mark.release
@pytest.mark.parametrize("aside", [0.0, 3e-13, 1e-8, -2e-7, 4e-7])
@pytest.mark.parametrize("height", [0.9 * GAP, -0.3 * GAP])
@pytest.mark.parametrize("turn", [1, -1])
def test_over_the_diagonal_of_a_flat_normals_are_those_of_the_flat(turn, height, aside):
    """Of a point that is beside it by next to nothing, and of one that is a little below."""
    found, x, one, place = over_a_box(pl.meshes.box(0.02, centre=(0.02 * turn, 0.02, 0.01 + GAP)))
    x[one.count :, 2] += height - GAP
    x[one.count :, 0] += aside
    rows = found.find(place(x), None, 0.0, True)
    pushed = rows.normal[:, 2] * np.where(rows.name[:, 0] >= one.count, 1, -1)
    below = x[one.count :, 2].min()
    assert len({name for name in rows.name[:, 0] if name >= one.count}) == 4
    assert pushed.min() > 1 - 1e-12 and rows.gaps(x)[::3].min() == pytest.approx(below - GAP, abs=1e-12)


@pytest.mark.parametrize("there", [False, True])  # an iterate is there already, or goes there
def test_an_edge_that_is_flat_where_a_step_begins_counts_if_it_turns_on_the_way(there):
    """The diagonal of the top becomes a ridge, which meets edges of the box above it between their ends."""
    found, x, one, place = over_a_box(pl.meshes.box(0.02, centre=(0.003, 0.002, 0.01 + GAP)))
    top = np.flatnonzero(x[: one.count, 2] > -1e-9)
    edges = [edge for edge in one.edges if set(edge) <= set(top)]
    ridge = next(edge for edge in edges if np.linalg.norm(x[edge[0]] - x[edge[1]]) > 0.12)
    way = np.zeros_like(x)
    way[ridge, 2] = 1e-3
    rows = found.find(place(x + way), None, 0.0, True) if there else found.find(place(x), way, 0.0, False)
    names = {frozenset(name.tolist()) for name in rows.name if name.min() >= 0}
    crossing = [name for name in names if set(ridge) <= name and len(name & set(range(one.count))) == 2]
    assert len(crossing) >= 2


def test_contacts_are_known_by_their_names():
    rng = np.random.default_rng(3)
    among = np.unique(rng.integers(-3, 3, (40, 4)).astype(np.int32), axis=0)
    among, others = rng.permutation(among), np.array([[9, 0, 0, 0], [0, 0, 0, -9]], np.int32)
    names = np.vstack([others[:1], among[7:12], others[1:]])
    assert places(names, among).tolist() == [-1, *range(7, 12), -1]
    assert places(among, among.copy()).tolist() == list(range(len(among)))
    assert places(names[:0], among).shape == (0,) and (places(names, among[:0]) == -1).all()
