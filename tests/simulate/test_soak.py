"""Long runs: a bar is lifted, twisted, let go and dropped on the floor, over and over, and nothing wears out."""

import resource
import sys
import time

import numpy as np
import pytest

import pliant as pl

BAR = pl.tet_grid((0.3, 0.1, 0.1), (7, 3, 3), origin=(-0.15, -0.05, 0.0))
LIFTED, LET_GO, CYCLE = 25, 75, 150  # steps of a cycle at which it hangs, is let go, and has come to rest
HEIGHT, TWIST = 0.35, np.pi / 2  # [m] of the middle, [rad] of each end
PER_LAUNCH = 24 / 1024  # [MB] a recorded launch may take
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the resident set is read from /proc")


def resident() -> float:
    """Memory of this process now [MB]."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def turned(points: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues' rotation about an axis through the origin."""
    along = np.outer(points @ axis, axis)
    return along + np.cos(angle) * (points - along) + np.sin(angle) * np.cross(axis, points)


class Driven:
    """A bar that four hands, two at opposite corners of each end, lift and twist; keeps account of the work they do."""

    def __init__(self, iterations: int):
        body = pl.Body(BAR, pl.StableNeoHookean(young=3e4, poisson=0.4, density=1000))
        scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
        integrator = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=iterations))
        self.sim = pl.Simulation(scene, integrator, precision="f32", threads=1)
        self.skin = self.sim.skins[0]
        low, high = BAR.bounds
        corners = [[x, *yz] for x in (low[0], high[0]) for yz in (low[1:], high[1:])]
        surface = self.skin.of(BAR.vertices)
        self.held = [int(np.argmin(np.linalg.norm(surface - c, axis=1))) for c in corners]
        self.stiffness = float(self.sim.world.mass.sum()) / (4 * integrator.dt) ** 2  # what grab() takes by itself
        self.handles: list[int] = []
        self.work = 0.0  # [J] done by the hands since the cycle began

    def points(self) -> np.ndarray:
        """(4, 3) where the held corners are [m]."""
        return self.skin.of(self.sim.x)[self.held]

    def goals(self, step: int) -> np.ndarray:
        """(4, 3) where the hands are at a step of the cycle [m]: first up, then around the bar's own axis."""
        ends = self.begin.reshape(2, 2, 3)
        middles = ends.mean(axis=1)
        axis = (middles[1] - middles[0]) / np.linalg.norm(middles[1] - middles[0])
        angle = TWIST * np.clip((step - LIFTED) / (LET_GO - LIFTED), 0, 1)
        lift = min(step / LIFTED, 1) * (np.array([0, 0, HEIGHT]) - middles.mean(axis=0))
        return np.concatenate([m + turned(e - m, axis, s * angle) + lift for e, m, s in zip(ends, middles, (-1, 1))])

    def pull(self, x: np.ndarray) -> float:
        """Energy of the hands' springs [J]."""
        return 0.5 * self.stiffness * float(np.sum((x - self.goal) ** 2)) if self.handles else 0.0

    def step(self, count: int) -> pl.extend.Report:
        """Move the hands, add what that costs to ``work``, and take a step."""
        now, x = count % CYCLE, self.points()
        before = self.pull(x)
        if now == 0:
            self.begin, self.work = x, 0.0
        if now < LET_GO:
            self.goal = self.goals(now + 1)
            handles = self.handles or [None] * 4
            self.handles = [self.sim.grab(v, g, handle=h) for v, g, h in zip(self.held, self.goal, handles)]
        elif now == LET_GO:
            for handle in self.handles:
                self.sim.release(handle)
            self.handles = []
        done = self.pull(x) - before
        self.work += done
        return self.sim.step()


def test_no_step_makes_energy():
    """1,500 steps of five iterations: a step ends with at most the energy it had and what the hands put in."""
    driven = Driven(iterations=5)
    sim, energy, spent, least, most = driven.sim, [], [], np.inf, -np.inf
    energy.append(sim.energies()["total"])
    for count in range(1500):
        already = driven.work if count % CYCLE else 0.0
        report = driven.step(count)
        assert report.kept, f"step {count}: {report}"
        energy.append(sim.energies()["total"])
        spent.append(driven.work - already)
        x = sim.x
        least, most = min(least, x[:, 2].min()), max(most, np.abs(x).max())
    gain = np.diff(energy) - spent
    assert gain.max() <= 1e-5 * max(energy)
    assert np.isfinite(energy).all() and max(energy) < energy[0] + 2 * 9.81 * HEIGHT * sim.world.mass.sum()
    assert least > -0.02 and most < 0.6  # neither through the floor nor away
    assert np.ptp(energy[CYCLE::CYCLE]) < 1e-3 * np.ptp(energy)  # at rest again after each cycle
    assert len(sim.device._recorded) < 200


def test_grabbing_again_records_nothing_new():
    driven = Driven(iterations=1)
    recorded = []
    for count in range(3 * CYCLE):
        driven.step(count)
        recorded.append(len(driven.sim.device._recorded))
    assert recorded[3 * CYCLE - 1] == recorded[2 * CYCLE - 1]


@linux
@pytest.mark.slow
def test_a_hundred_thousand_steps(capsys):
    """Three iterations a step: every step is kept, each cycle stays within its energy, and memory does not grow."""
    steps, driven = 100_000, Driven(iterations=3)
    sim, memory, launches, rest, begin = driven.sim, [], [], [], time.perf_counter()
    start, scale = sim.energies()["total"], 9.81 * HEIGHT * sim.world.mass.sum()
    for count in range(steps):
        if count % CYCLE == 0:
            start = sim.energies()["total"]
            rest.append(start)
        report = driven.step(count)
        assert report.kept, f"step {count}: {report}"
        if count % 10 == 0:
            found = sim.energies()
            assert np.isfinite(found["total"]), f"step {count}: {found}"
            assert found["total"] <= start + driven.work + 1e-3 * scale, f"step {count}: {found}, work {driven.work}"
        if count % 1000 == 999:
            x = sim.x
            assert np.isfinite(x).all() and np.isfinite(sim.v).all() and np.abs(x).max() < 0.6
            memory.append(resident())
            launches.append(len(sim.device._recorded))
    rate = steps / (time.perf_counter() - begin)
    tenth = len(memory) // 10
    growth, recorded = max(memory) - memory[tenth], max(launches) - launches[tenth]
    with capsys.disabled():
        print(f"\nsoak: {rate:.0f} steps/s, {memory[-1]:.0f} MB; {growth:+.1f} MB, {recorded:+d} launches in the last 90 %")
    assert max(launches) <= sim.device.MOST_RECORDED
    assert growth <= 4 + PER_LAUNCH * recorded
    assert np.ptp(rest[1:]) < 1e-2 * scale  # as much at rest as ever
