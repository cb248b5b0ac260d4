"""Every example as the page shows it, for ten seconds: nothing is lost, nothing is deep in anything, nothing fails."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from pliant.bench.judge import depth_in_one_another
from pliant.cli.view import library
from pliant.simulate.simulation import Simulation
from tests.view import live_claims

SECONDS = 10.0  # of the clock
FAR = 3.0  # scene sizes
DEEP = 0.1  # of the smallest body
LOOKS = 20  # in that time
FRAMES = 100  # that are kept of it


def outline(sim):
    """Triangles of all closed surfaces, the body of each of their vertices, and where these are."""
    triangles, body, x, first = [], [], [], 0
    for i, skin in enumerate(sim.skins):
        open_sheet = not skin.meshed and skin.solid is None and sim.scene.bodies[i].shape.dimension < 3
        if not len(skin.triangles) or open_sheet:
            continue
        at = skin.of(sim.x)
        triangles.append(skin.triangles + first)
        body.append(np.full(len(at), i))
        x.append(at)
        first += len(at)
    if not x:
        return np.zeros((0, 3), int), np.zeros(0, int), np.zeros((0, 3))
    return np.concatenate(triangles), np.concatenate(body), np.concatenate(x)


def depth_in_obstacles(sim):
    """How deep the deepest vertex of a drawn surface is inside an obstacle [m]."""
    deepest = 0.0
    for skin in sim.skins:
        at = skin.of(sim.x) if len(skin.triangles) else sim.x[skin.start : skin.stop]
        for obstacle in sim.scene.obstacles:
            pose = obstacle.pose(sim.t)
            deepest = max(deepest, -float(obstacle.shape((at - pose[:3, 3]) @ pose[:3, :3]).min()))
    return deepest


def sizes(sim):
    """The longest side of a box around each body as it is drawn [m]: rigid bodies and cages have nodes elsewhere."""
    drawn = [skin.of(sim.x) if len(skin.triangles) else sim.x[skin.start : skin.stop] for skin in sim.skins]
    return [float(np.ptp(x, axis=0).max()) for x in drawn]


def shown(name):
    """A simulation as the page begins it, what steers it, and how many steps make ten seconds."""
    maker = library()[name]
    sim = maker.quick() if maker.quick is not None else maker()
    return sim, maker.control, max(round(SECONDS * maker.speed / sim.integrator.dt), 1)


@dataclass
class Seen:
    """What a page would have shown: the vertices of each body at many moments, and the simulation at the end."""

    sim: Simulation
    times: list[float] = field(default_factory=list)
    bodies: list[list[np.ndarray]] = field(default_factory=list)  # of each moment
    triangles: list[list[np.ndarray]] = field(default_factory=list)
    contacts: list[int] = field(default_factory=list)

    def note(self, contacts):
        skins, x = self.sim.skins, self.sim.x
        self.times.append(self.sim.t)
        self.bodies.append([s.of(x) if len(s.triangles) else x[s.start : s.stop] for s in skins])
        self.triangles.append([s.triangles for s in skins])
        self.contacts.append(contacts)


def checked(name, share=1.0):
    """A run of it, in which nothing is lost or deep in anything."""
    sim, control, steps = shown(name)
    steps = max(int(share * steps), 2)
    every = max(steps // FRAMES, 1)
    begun, size, smallest = sim.x, float(np.linalg.norm(np.ptp(sim.x, axis=0))), min(sizes(sim))
    low, high = begun.min(axis=0) - FAR * size, begun.max(axis=0) + FAR * size
    seen = Seen(sim)
    seen.note(0)
    for k in range(steps):
        report = sim.step()
        assert report.kept, f"step {k}: {report.why}"
        if control is not None:
            control(sim, report)
        if (k + 1) % every == 0:
            seen.note(report.contacts)
            x = sim.x
            assert np.isfinite(x).all()
            assert np.all((x > low) & (x < high)), f"t = {sim.t:.2f} s: a node is at {x[np.abs(x).argmax() // 3]}"
            deep = depth_in_obstacles(sim)
            assert deep < DEEP * smallest, f"t = {sim.t:.2f} s: a vertex is {deep:.2g} m inside an obstacle"
        if (k + 1) % max(steps // LOOKS, 1) == 0:
            count, deep = depth_in_one_another(*outline(sim))
            assert deep < DEEP * smallest, f"t = {sim.t:.2f} s: {count} vertices inside another body, by {deep:.2g} m"
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(library()))
def test_ten_seconds_of_it(name):
    seen = checked(name)
    getattr(live_claims, name.replace("/", "_"))(seen)


def test_the_demo_for_a_second():
    checked("demo", share=0.1)


def test_the_bowl_of_jelly_for_a_second():
    live_claims.in_the_bowl(checked("bowl_of_jelly", share=0.1))


def test_a_seal_that_begins_to_slide_is_pressed_in_single_precision():
    """What slides has no stiffness along its way, so first directions go half a metre where some micrometres are right."""
    checked("pressed_seal", share=0.04)


def test_the_knot_stays_one_for_a_second():
    assert 0.004 < live_claims.knotted(checked("tight_knot", share=0.1).sim.x) < 0.008
