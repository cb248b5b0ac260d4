"""Curves and floods on a device: what plain NumPy finds, in whatever order threads come."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.intersection.intersection_regions import Intersections
from tests.contact.plain_floods import plain
from tests.contact.test_intersection_energy import ONE, OTHER, ball, pieces_of


def compared(device, bodies, x=None, **options):
    """What is found, after it was compared with what plain NumPy finds."""
    pieces, X = pieces_of(bodies)
    x = X if x is None else x
    finder = Intersections(device, pieces, np.zeros(len(bodies), int), **options)
    found = finder.find(device.array(x, device.types.position))
    inner, curves, bad = plain(pieces, found.pairs, x, options.get("by_patch", True))
    assert found.curves == curves.count and found.open == curves.open.sum()
    ours = found.inside
    # numbers of pairs of bodies are the same, those of regions are not
    of = {}
    for mine, theirs in zip(*(_sorted(each) for each in (ours, inner))):
        assert mine[:2] == theirs[:2]
        assert of.setdefault(mine[2], theirs[2]) == theirs[2]
        assert mine[3] == pytest.approx(theirs[3], rel=1e-9, abs=1e-9 * np.abs(inner.area).max())
        assert mine[4] == pytest.approx(theirs[4], abs=1e-6)
    assert len(set(of.values())) == len(of) == len(found.regions) and len(ours.patch) == len(inner.patch)
    for name in ("triangles", "whole", "mismatched"):
        assert np.array_equal(getattr(ours, name), getattr(inner, name)), name
    groups = [np.unique(ours.sheet[ours.region == r] // 2) for r in range(len(found.regions))]
    assert [region.kind == "tangled" for region in found.regions] == [bool(bad[g].all()) for g in groups]
    return found


def _sorted(inside):
    rows = zip(inside.sheet, inside.patch, inside.region, inside.area, inside.middle)
    return sorted(rows, key=lambda row: (row[0], row[1], *np.round(row[3], 9)))


@pytest.mark.parametrize("by_patch", [True, False], ids=["patches", "triangles"])
def test_two_balls_at_rest_and_crushed(device, by_patch):
    X = np.concatenate([ONE[1].vertices, OTHER[1].vertices])
    assert compared(device, [ONE, OTHER], by_patch=by_patch).curves == 1
    turned = X + np.random.default_rng(5).normal(scale=0.04, size=X.shape)
    found = compared(device, [ONE, OTHER], turned, by_patch=by_patch)
    assert found.curves > 1 and found.regions


def test_many_bodies_and_regions(device):
    """Balls in one another, a rod with two curves, and a comb whose teeth make a region each, some of them in one patch."""
    rod = pl.tet_grid(size=(0.04, 0.04, 0.4), cells=(1, 1, 6), origin=(-0.02, -0.02, -0.2)).rotated((1, 1, 0.3), 11.0)
    bodies = [ONE, OTHER, ball((-0.08, 0.06, 0.05), 0.08, degrees=70.0), (rod.boundary, rod)]
    assert len(compared(device, bodies).regions) >= 5
    fine = lambda size, cells, origin: pl.tet_grid(size=size, cells=cells, origin=origin).boundary
    flat = fine((0.22, 0.22, 0.04), (44, 44, 2), (-0.11, -0.11, -0.045)).rotated((0, 0, 1), 3.0)
    under = pl.tet_grid(size=(0.3, 0.3, 0.06), cells=(1, 1, 1), origin=(-0.15, -0.15, -0.055))
    x, y, z = fine((0.2, 0.06, 0.04), (40, 8, 2), (-0.1, -0.03, 0.0)).vertices.T
    teeth = pl.TriMesh(
        np.column_stack([x, y, z - 0.01 * (z < 1e-9) * np.sin(160 * x)]),
        fine((0.2, 0.06, 0.04), (40, 8, 2), (-0.1, -0.03, 0.0)).triangles,
    )
    mesh = pl.tet_grid(size=(0.3, 0.1, 0.08), cells=(2, 1, 1), origin=(-0.15, -0.05, -0.02))
    found = compared(device, [(flat, under), (teeth, mesh)])
    assert len(found.regions) > 3
    sheet, patch = found.inside.sheet, found.inside.patch
    assert len(np.unique(np.column_stack([sheet, patch]), axis=0)) < len(patch)  # several regions in one patch


def test_rooms_grow_and_stay(device):
    """From room for next to nothing, and again for more after a look at less: the same as with room for all."""
    pieces, X = pieces_of([ONE, OTHER])
    x = device.array(X, device.types.position)
    apart = X + np.where(np.arange(len(X)) < len(ONE[1].vertices), 0.0, 1.0)[:, None]
    usual, tight = (Intersections(device, pieces, np.zeros(2, int)) for _ in range(2))
    tight.rooms = dict.fromkeys(tight.rooms, 1)
    tight.flooded.rooms = dict.fromkeys(tight.flooded.rooms, 1)
    tight._allocate()
    tight.flooded._allocate()
    one = usual.find(x)
    for _ in range(3):
        other = tight.find(x)
        for name in ("nodes", "weights", "normals", "gaps", "areas", "name", "bodies"):
            assert np.array_equal(getattr(one.contacts, name), getattr(other.contacts, name)), name
        none = tight.find(device.array(apart, device.types.position))
        assert not len(none.pairs) and none.inside is None and not none.regions and not len(none.contacts.gaps)


def test_surfaces_that_are_not_closed_leave_open_ends(device):
    """A flat sheet half in a ball: its curve ends where it does."""
    surface, mesh = ball((0, 0, 0))
    sheet = pl.tet_grid(size=(0.2, 0.2, 0.02), cells=(2, 2, 1), origin=(0.0, -0.1, -0.011)).rotated((0, 1, 0), 5.0)
    closed = sheet.boundary
    p = closed.vertices[closed.triangles]
    up = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    top = pl.TriMesh(closed.vertices, closed.triangles[up[:, 2] > 0.9 * np.linalg.norm(up, axis=1)])
    found = compared(device, [(surface, mesh), (top, sheet)])
    assert found.open > 0 and all(region.kind == "tangled" for region in found.regions)
