"""Parts of one body that are inside of one another: what is found is what two bodies would have, and it parts them."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.intersection.intersection_regions import Intersections
from pliant.runtime.device import Device
from tests.contact.test_intersection_energy import DT, ONE, SOFT, pieces_of, steps

TURN = ((1, 2, 3), 17.0)


def horseshoe(side=None):
    """Two arms on a base, or an arm and part of the base on one ``side`` (−1 or 1); and with the arms bent into one another."""
    mesh = pl.tet_grid(size=(0.6, 0.1, 0.4), cells=(6, 1, 4), origin=(-0.3, -0.05, 0.0))
    middle = mesh.vertices[mesh.tets].mean(axis=1)
    keep = (middle[:, 2] < 0.1) | (np.abs(middle[:, 0]) > 0.2)
    keep &= True if side is None else side * middle[:, 0] > 0.1
    corners, tets = np.unique(mesh.tets[keep], return_inverse=True)
    X = mesh.vertices[corners]
    bent = X.copy()
    bent[:, 0] -= np.where(np.abs(X[:, 0]) > 0.199, np.sign(X[:, 0]) * (0.23 * X[:, 2] / 0.4), 0.0)
    bent[:, 1:] += np.outer(np.sign(X[:, 0]) * X[:, 2] / 0.4, (0.02, 0.01))
    return tuple(pl.TetMesh(p, tets.reshape(-1, 4)).rotated(*TURN) for p in (X, bent))


def found(bodies, device, **options):
    """What is found where meshes are, each of which was another at rest."""
    pieces, _ = pieces_of([(rest.boundary, rest) for rest, _ in bodies])
    x = np.concatenate([now.vertices for _, now in bodies])
    finder = Intersections(device, pieces, np.zeros(len(bodies), int), **options)
    return pieces, finder.find(device.array(x, device.types.position))


def test_what_is_found_is_what_two_halves_would_have(device):
    """The arms of a horseshoe, and those of its halves side by side: the same normals, depths, areas and places."""
    _, whole = found([horseshoe()], device, itself=True)
    _, halves = found([horseshoe(-1), horseshoe(1)], device)
    assert len(halves.contacts.gaps) > 3 and halves.curves == 1 and whole.curves == 2 and whole.open == 0
    first, second = (region.areas for region in whole.regions)
    assert np.allclose(first, second[::-1], atol=1e-9) and np.allclose(first.sum(axis=0), 0, atol=1e-8)
    rows = []
    for own in (whole.contacts, halves.contacts):
        assert len(np.unique(own.name[:, 0])) == len(own.name)  # one contact for each patch
        row = np.column_stack([own.gaps, own.areas, own.normals, np.sort(own.weights, axis=1)])
        rows.append(row[np.lexsort(np.round(row[:, :2].T, 6))])
    assert rows[0].shape == rows[1].shape and np.allclose(*rows, atol=1e-5)


@pytest.mark.parametrize("spread", [0.0, 0.01], ids=["rest", "bent"])
def test_a_body_at_rest_or_bent_a_little_has_none(spread):
    rest, _ = horseshoe()
    now = pl.TetMesh(rest.vertices + np.random.default_rng(1).normal(scale=spread, size=rest.vertices.shape), rest.tets)
    _, none = found([(rest, now)], Device("cpu", "f64"), itself=True)
    assert not len(none.pairs) and not len(none.contacts.gaps)


def simulated(mesh, place="cpu", precision="f64", itself=True, solver=None, **options):
    law = pl.Contact(response=pl.contact.Intersection(**options), self_contact=itself)
    body = pl.Body(mesh, SOFT, damping=pl.Damping(stiffness=2e-3))
    scene = pl.Scene([body], gravity=(0, 0, 0), contact=law)
    return pl.Simulation(scene, pl.ImplicitEuler(0.5 * DT, solver or pl.Newton()), device=place, precision=precision)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_arms_thrown_together_stop_each_other(place, precision):
    """Without it they pass through each other; with it they press, and the body keeps its momentum."""
    mesh, _ = horseshoe()
    X = mesh.rotated(TURN[0], -TURN[1]).vertices
    along = pl.TetMesh(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]), [[0, 1, 2, 3]]).rotated(*TURN).vertices[0]
    speed = -np.where(np.abs(X[:, 0]) > 0.199, np.sign(X[:, 0]) * 3.0 * (X[:, 2] / 0.4) ** 2, 0.0)
    depths, numbers = [], []
    for itself in (False, True):
        sim = simulated(mesh, place, precision, itself)
        sim.v = speed[:, None] * along
        momentum, least, most = (sim.world.mass[:, None] * sim.v).sum(axis=0), np.inf, 0
        for _ in range(24):
            most = max(most, steps(sim, 1).contacts)
            tips = [(sim.x[(X[:, 2] > 0.39) & (np.sign(X[:, 0]) == side)] @ along).mean() for side in (-1, 1)]
            least = min(least, tips[1] - tips[0])
        after = (sim.world.mass[:, None] * sim.v).sum(axis=0)
        assert after == pytest.approx(momentum, abs=2e-3 * np.abs(sim.world.mass[:, None] * sim.v).sum())
        depths.append(least)
        numbers.append(most)
    assert numbers[0] == 0 and numbers[1] > 3
    assert depths[0] < -0.1 and depths[1] > 0.01  # middles of tips, which are 0.1 m thick and soft


def test_what_is_folded_into_its_neighbours_is_left_and_told():
    mesh, _ = horseshoe()
    sim = simulated(mesh, solver=pl.QuasiNewton(iterations=5))
    sim.x = mesh.vertices + np.random.default_rng(5).normal(scale=0.06, size=mesh.vertices.shape)
    report = sim.step()
    assert "body 0 intersects itself, which is not resolved" in report.why
    alone = simulated(ONE[1], itself=True)
    assert steps(alone, 1).contacts == 0
