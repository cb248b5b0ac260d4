"""Springs between parts of one body: sheets that fold up, fingers that close and threads that cross themselves."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl

from .test_penalty_springs import simulated

LIGHT = pl.Corotated(young=1e5, poisson=0.3, density=500.0)
FIRM = pl.StableNeoHookean(young=2e5, poisson=0.3, density=1000.0)


def law(itself=True):
    return {"response": pl.contact.Penalty(), "self_contact": itself}


def folded(itself, thickness=True, seconds=0.75, **options):
    """A strip of cloth on a floor, one end of which is carried over onto the other; heights of its upper half over the lower."""
    grid = pl.cloth_grid((0.3, 0.075), (12, 3)).translated((-0.15, -0.0375, 0.01))
    right = grid.vertices[:, 0] > 0.149

    def carried(X, t):
        angle = np.pi * min(t / 0.5, 0.97)
        moved = X.copy()
        moved[:, 0], moved[:, 2] = X[:, 0] * np.cos(angle), X[:, 2] + X[:, 0] * np.sin(angle)
        return moved

    effects = [pl.Hold(right, carried)]
    strip = pl.Body(
        pl.Membrane(grid, thickness=0.004), LIGHT, pinned=lambda X: X[:, 0] < -0.149, damping=pl.Damping(mass=5.0),
        effects=effects,
    )  # fmt: skip
    contact = pl.Contact(friction=0.3, thickness=thickness, **law(itself))
    scene = pl.Scene([strip], [pl.plane(z=0.0)], contact=contact)
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), **options)
    for _ in range(round(60 * seconds)):
        report = sim.step()
        assert report.kept, report.why
    lower, upper = (sim.x[own] for own in (grid.vertices[:, 0] < -0.03, grid.vertices[:, 0] > 0.03))
    level = np.interp(upper[:, 0], *lower[np.argsort(lower[:, 0])][:, [0, 2]].T)
    return upper[:, 2] - level


def test_a_sheet_folds_onto_itself():
    assert folded(False).min() < 0.002  # it lies in itself
    assert folded(True).min() > 0.0035  # at its thickness of 4 mm


def test_self_contact_that_is_asked_for_is_not_left_out():
    """By default threads among themselves are."""
    thread = pl.Body(pl.Springs(pl.meshes.rod((0, 0, 0), (0.2, 0, 0), 10), radius=0.002), LIGHT)
    for own in (None, True):
        sim = pl.Simulation(pl.Scene([thread], contact=pl.Contact(self_contact=own, thickness=True)))
        assert bool(sim.world["body contact"]) == bool(own)


def test_a_sheet_without_thickness_folds_onto_itself():
    assert folded(True, thickness=False).min() > -1e-3


def horseshoe():
    """A bar bent to a U, with legs that stand 8 cm apart."""
    bar = pl.tet_grid(size=(0.3, 0.03, 0.03), cells=(15, 1, 1), origin=(-0.15, -0.015, -0.015))
    s, y, z = bar.vertices.T
    radius, half = 0.04, 0.04 * np.pi / 2
    angle = np.clip(s, -half, half) / radius
    beyond = np.abs(s) - np.minimum(np.abs(s), half)
    X = np.stack([(radius - z) * np.sin(angle), y, -(radius - z) * np.cos(angle) + beyond], axis=1)
    return pl.TetMesh(X, bar.tets)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_finger_pushes_itself(precision):
    """One leg is led through where the other is, at an angle to it."""
    mesh = horseshoe()
    tip = mesh.vertices[:, 2].max() - 0.01
    led = (mesh.vertices[:, 0] < 0) & (mesh.vertices[:, 2] > tip)
    other = (mesh.vertices[:, 0] > 0) & (mesh.vertices[:, 2] > tip)

    def leading(X, t):
        return X + np.array([0.08 * min(t / 0.3, 1.0), 0, 0])

    def moved(itself):
        body = pl.Body(
            mesh, FIRM, pinned=lambda X: X[:, 2] < -0.04, effects=[pl.Hold(led, leading)], damping=pl.Damping(mass=2.0)
        )
        sim = simulated([body], 0.3, gravity=(0, 0, 0), **law(itself), precision=precision)
        for _ in range(24):
            report = sim.step()
            assert report.kept, report.why
        return (sim.x - mesh.vertices)[other][:, 0].mean(), report.contacts

    through, pushed = moved(False), moved(True)
    assert through[0] < 0.006 and not through[1]
    assert pushed[0] > 0.02 and pushed[1] > 0


def test_what_is_thin_at_rest_is_not_pushed():
    """A plate a tenth of its edges thick bends as it does without: no point of it sees the face across."""
    plate = pl.tet_grid(size=(0.2, 0.2, 0.004), cells=(5, 5, 1))

    def bent(itself):
        body = pl.Body(plate, FIRM, pinned=lambda X: X[:, 0] < 1e-9)
        sim = simulated([body], 0.3, **law(itself))
        for _ in range(10):
            assert sim.step().contacts == 0
        return sim.x

    assert np.array_equal(bent(True), bent(False))


def test_a_thread_lies_across_itself():
    """A loop whose upper end sags across the lower, which is held: it stays at their thickness of 6 mm."""
    lower = np.stack([np.linspace(-0.1, 0.1, 9), np.zeros(9), np.zeros(9)], axis=1)
    loop = [(0.15, 0.03, 0.005), (0.15, 0.08, 0.01), (0.1, 0.11, 0.015), (0.05, 0.11, 0.02)]
    upper = np.stack([np.full(9, 0.011), np.linspace(0.09, -0.1, 9), np.full(9, 0.02)], axis=1)
    X = np.concatenate([lower, loop, upper])
    line = pl.meshes.rod((0, 0, 0), (1, 0, 0), len(X) - 1)
    assert np.array_equal(np.argsort(line.vertices[:, 0]), np.arange(len(X)))
    held = np.isin(np.arange(len(X)), [*range(9), len(X) - 1])

    def sagged(itself):
        thread = pl.Springs(replace(line, vertices=X), radius=0.003)
        body = pl.Body(thread, LIGHT, pinned=held, damping=pl.Damping(mass=2.0))
        contact = pl.Contact(friction=0.3, thickness=True, **law(itself))
        sim = pl.Simulation(pl.Scene([body], contact=contact), pl.ImplicitEuler(1 / 60))
        for _ in range(25):
            report = sim.step()
            assert report.kept, report.why
        over = sim.x[[17, 16]]  # the edge that is across
        return np.interp(0.0, over[:, 1], over[:, 2]), report.contacts

    assert sagged(False)[0] < -0.02
    height, contacts = sagged(True)
    assert height > 0.004 and contacts > 0
