"""Sheets on boxes, blocks and one another under every response: nothing goes through, as segments and triangles tell."""

from itertools import permutations

import numpy as np
import pytest

import pliant as pl

CLOTH = pl.Corotated(young=1e5, poisson=0.3, density=500.0)
SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
RESPONSES = {
    "penalty": pl.contact.Penalty(),
    "barrier": pl.contact.Barrier(reach=1e-3),
    "complementarity": pl.contact.Complementarity(),
}
DEPTH = 1e-4  # [m] a tenth of a sheet, by which springs and linearised gaps may give way


def sheet(size, cells, height):
    mesh = pl.cloth_grid((size, size), (cells, cells), origin=(-0.5 * size, -0.5 * size, height))
    return pl.Body(pl.Membrane(mesh, thickness=1e-3), CLOTH)


def box(**how):
    return pl.Body(pl.contact.Rigid(pl.meshes.box((0.1, 0.1, 0.05)), density=1000.0), **how)


def on_a_box(lift):
    return [box(pinned=True), sheet(0.1, 6, 0.025 + lift)], []


def on_a_free_box(lift):
    return [box(), sheet(0.1, 6, 0.025 + lift)], [pl.plane(z=-0.025 - lift)]


def on_a_lattice(lift):
    surface = pl.meshes.box((0.1, 0.1, 0.05)).translated((0, 0, 0.025 + lift))
    block = pl.Body(pl.Lattice(pl.box((0.1, 0.1, 0.05), (0, 0, 0.025 + lift)), 0.0125), SOFT, surface=surface)
    return [block, sheet(0.1, 6, 0.05 + 2 * lift)], [pl.plane(z=0)]


def five_sheets(lift):
    return [sheet(0.1, 6, 0.5e-3 + 0.5 * lift + (1e-3 + lift) * i) for i in range(5)], [pl.plane(z=0)]


def draped(lift):
    return [box(pinned=True), sheet(0.2, 12, 0.03)], []


def simulated(make, response, lift=2e-4):
    bodies, obstacles = make(lift)
    contact = pl.Contact(friction=0.3, response=response, thickness=make is five_sheets)
    return pl.Simulation(pl.Scene(bodies, obstacles, contact=contact))


def surfaces(sim):
    """Corners and triangles of every body as it is drawn, each further up and further out by what springs may give way."""
    for i, skin in enumerate(sim.skins):
        points = np.einsum("nk,nkc->nc", skin.weights, sim.x[skin.start : skin.stop][skin.parents])
        yield points + i * DEPTH * np.array([1, 1, 0]) * np.sign(points) + [0, 0, i * DEPTH], skin.triangles


def crossings(sim):
    """How many edges pierce triangles of other bodies."""
    count = 0
    for (points, own), (corners, faces) in permutations(surfaces(sim), 2):
        edges = np.unique(np.sort(np.concatenate([own[:, [0, 1]], own[:, [1, 2]], own[:, [2, 0]]]), axis=1), axis=0)
        p, q = points[edges[:, :1]], points[edges[:, 1:]]
        a, b, c = (corners[faces[:, k]][None] for k in range(3))
        h, k = np.cross(q - p, c - a), np.cross(p - a, b - a)
        det = np.sum((b - a) * h, axis=-1)
        with np.errstate(all="ignore"):
            u, v, t = (np.sum(given, axis=-1) / det for given in ((p - a) * h, (q - p) * k, (c - a) * k))
        count += np.sum((np.abs(det) > 1e-18) & (u > 0) & (v > 0) & (u + v < 1) & (t > 0) & (t < 1))
    return count


def held(make, response, seconds, lift=2e-4):
    sim = simulated(make, response, lift)
    for step in range(round(60 * seconds)):
        report = sim.step()
        assert report.kept and report.converged, f"step {step}: {report.why}"
    assert crossings(sim) == 0
    return sim


@pytest.mark.parametrize("make", [on_a_box, on_a_free_box, draped], ids=lambda make: make.__name__)
def test_springs_hold_sheets_on_boxes(make):
    sim = held(make, RESPONSES["penalty"], 1.0)
    sheet = sim.bodies[1].x
    on_top = np.abs(sheet[:, :2]).max(axis=1) < 0.045
    assert np.abs(sheet[on_top, 2] - 0.025).max() < 5e-4  # it lies on the box
    assert np.abs(sim.v).max() < 0.05


def test_springs_hold_five_sheets_on_one_another():
    sim = held(five_sheets, RESPONSES["penalty"], 1.0)
    for i, body in enumerate(sim.bodies):
        assert body.x[:, 2] == pytest.approx(1e-3 * i + 0.5e-3, abs=2 * DEPTH)


def test_springs_hold_a_sheet_on_a_lattice():
    sim = held(on_a_lattice, RESPONSES["penalty"], 0.3)
    assert sim.bodies[1].x[:, 2].min() > 0.035  # on the four corners of the block, which gives way


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "response"),
    [(make, "barrier") for make in (on_a_box, on_a_free_box, on_a_lattice, five_sheets, draped)]
    + [(make, "complementarity") for make in (on_a_box, on_a_free_box, on_a_lattice)],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_other_responses_hold_them_too(make, response):
    held(make, RESPONSES[response], 0.2, lift=1.2e-3 if response == "barrier" else 2e-4)
