"""Every example as the page shows it, for ten seconds: nothing is lost, nothing is deep in anything, nothing fails."""

import numpy as np
import pytest

from pliant.cli.view import library
from tests.winding import depth_in_one_another

SECONDS = 10.0  # of the clock
FAR = 3.0  # scene sizes
DEEP = 0.1  # of the smallest body
LOOKS = 20  # in that time


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
    return [float(np.ptp(sim.x[skin.start : skin.stop], axis=0).max()) for skin in sim.skins]


def shown(name):
    """A simulation as the page begins it, what steers it, and how many steps make ten seconds."""
    maker = library()[name]
    sim = maker.quick() if maker.quick is not None else maker()
    return sim, maker.control, max(round(SECONDS * maker.speed / sim.integrator.dt), 1)


def checked(name, share=1.0):
    sim, control, steps = shown(name)
    steps = max(int(share * steps), 2)
    begun, size, smallest = sim.x, float(np.linalg.norm(np.ptp(sim.x, axis=0))), min(sizes(sim))
    for k in range(steps):
        report = sim.step()
        assert report.kept, f"step {k}: {report.why}"
        if control is not None:
            control(sim, report)
        if (k + 1) % max(steps // LOOKS, 1) and k + 1 < steps:
            continue
        x = sim.x
        assert np.isfinite(x).all()
        low, high = begun.min(axis=0) - FAR * size, begun.max(axis=0) + FAR * size
        assert np.all((x > low) & (x < high)), f"t = {sim.t:.2f} s: a node is at {x[np.abs(x).argmax() // 3]}"
        assert depth_in_obstacles(sim) < DEEP * smallest, f"t = {sim.t:.2f} s"
        count, deep = depth_in_one_another(*outline(sim))
        assert deep < DEEP * smallest, f"t = {sim.t:.2f} s: {count} vertices inside another body, up to {deep:.2g} m"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(library()))
def test_ten_seconds_of_it(name):
    checked(name)


def test_the_demo_for_a_second():
    checked("demo", share=0.1)
