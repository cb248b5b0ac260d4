"""What examples of bodies that touch, and of those that stay bent, show, told from their runs."""

import numpy as np
import pytest

from pliant import contact
from pliant.bench.judge import depth_in_one_another
from tests.example_checks import inverted, loaded
from tests.intersections import crossing_frames, depths_in_obstacles, outlines, places


def apart(run, simulation):
    """No edge passes through a face in any frame, and no point into an obstacle: at all with a barrier, else by a gap."""
    scene = simulation.scene
    allowed = 0.0 if isinstance(scene.contact.response, contact.Barrier) else simulation.world["contact"][0].gap
    assert max((depth for _, depth in crossing_frames(run)), default=0.0) <= allowed
    if scene.obstacles:
        assert depths_in_obstacles(run, scene.obstacles)[0] <= allowed


def gripper(run):
    """The ball has been lifted off the floor, and hangs between the fingers."""
    assert run.contacts.max() >= 8 and run.worst_gap.min() > -1e-5
    ball = run.skins[0].of(run.positions[-1])
    assert ball[:, 2].min() > 0.03 and abs(ball[:, 1].mean()) < 1e-3


def hinge_and_motor(run):
    """The piston follows the crank as the triangle of crank and rod has it, and presses the cushion where it reaches it."""
    module = loaded("hinge_and_motor")
    x, way = run.positions[:, 8:12].mean(axis=1), run.times * module.SPEED
    assert x[:, 0] - x[0, 0] == pytest.approx(module.stroke(way), abs=5e-3)  # the motor is late a little
    assert np.abs(x[:, 1:] - x[0, 1:]).max() < 1e-5  # on its rail
    if run.times[-1] > 0.5:
        assert run.contacts.max() > 4 and np.abs(run.positions[:, 12:] - run.rest[12:]).max() > 5e-3


def pushed_skates(run):
    """Each block takes the path of a point with its friction, within what it goes in half a step, and turns to its side."""
    module = loaded("pushed_skates")
    for angle, way in zip(module.ANGLES, module.ways(run).swapaxes(0, 1)):
        assert np.abs(way[:, :2] - module.paths(angle, run.times)).max() < 0.7 * module.SPEED / 120
        assert angle == 0 or np.sign(way[-1, 1]) == np.sign(angle)
    assert run.worst_gap.min() > 0 and (run.friction_loss >= 0).all()


def tendon_finger(run):
    """All hinges bend, the finger touches the ball, and the tendon pulls as told."""
    height = run.positions[-1, :12, 2].reshape(3, 4).mean(axis=1)
    assert height[0] < -2e-3 and (np.diff(height) < -8e-3).all() and run.contacts[-1] > 0
    module = loaded("tendon_finger")
    told = module.TENSION * np.minimum(run.times / module.RAMP, 1.0)
    assert np.linalg.norm(run.force("tendon"), axis=1)[1:] == pytest.approx(told[1:], rel=1e-5)


def from_mujoco(run):
    """The cushion has come down on the table, hammer and egg on their way to it, and the boom still waits."""
    assert run.skins[0].name == "hammer" and run.skins[2].name == "cushion"
    lowest = [skin.of(run.positions[-1])[:, 2].min() for skin in run.skins]
    assert lowest[2] == pytest.approx(0.33, abs=0.005) and lowest[0] > 0.36 and lowest[1] > 0.36
    assert run.contacts.max() > 4


def newtons_cradle(run):
    """The last ball leaves with the speed of the first, which stays, as the three between them do."""
    module = loaded("newtons_cradle")
    speeds = np.array([module.speeds(run, frame) for frame in range(1, len(run) - 1)])
    fall = np.sqrt(2 * 9.81 * module.LENGTH * (1 - np.cos(np.radians(module.LIFT))))  # of a ball on a thread
    assert speeds[:, 0].max() == pytest.approx(fall, rel=0.02)
    assert speeds[:, 4].max() == pytest.approx(fall, rel=0.02) and np.abs(speeds[-1, :4]).max() < 0.05 * fall


def through_a_ring(run):
    """It is squeezed, pushed on, and no node goes into the ring."""
    import pliant as pl

    assert max(report.contacts for report in run.reports) >= 8
    assert pl.torus(0.06, 0.02)(run.positions.reshape(-1, 3)).min() > 0
    assert run.positions[-1, :, 2].mean() < run.rest[:, 2].mean() - 0.02


def pad_on_ball(run):
    """It has come down on the ball, which dents it."""
    assert run.contacts.max() >= 8 and run.positions[-1, :, 2].max() < run.rest[:, 2].max() - 0.01
    assert run.worst_gap.min() > -1e-4


def stiff_core(run):
    """The ball dents the block, whose core is stretched by a small part of what the rest is."""
    moved = run.skins[0].of(run.positions[-1]) - run.skins[0].of(run.rest)
    assert run.contacts.max() >= 8 and run.worst_gap.min() > 0 and moved[:, 2].min() < -0.005
    tets = run.skins[0].tets
    lengths = [np.linalg.norm(x[tets[:, 1:]] - x[tets[:, :1]], axis=2) for x in (run.rest, run.positions[-1])]
    stretch = np.abs(lengths[1] / lengths[0] - 1).max(axis=1)
    core = np.linalg.norm(run.rest[tets].mean(axis=1) - [0.03, 0.0, 0.045], axis=1) < 0.024
    assert core.sum() > 20 and stretch[core].max() < 0.2 * stretch[~core].max()


def rolling_cylinder(run):
    """Without slipping: the speed of its middle is that of its turning, times the radius; less than 2/3 of g sin 12°."""
    x, v = run.positions[-1], run.velocities[-1]
    arm = x - x.mean(axis=0)
    spin = np.linalg.solve(np.einsum("ij,ij->", arm, arm) * np.eye(3) - arm.T @ arm, np.cross(arm, v).sum(axis=0))
    speed = np.linalg.norm(v.mean(axis=0))
    assert speed == pytest.approx(0.05 * spin[1], rel=0.1)
    assert 0.8 < speed / (2 / 3 * 9.81 * np.sin(np.radians(12)) * run.times[-1]) < 1.0


def tight_knot(run):
    """Drawn out by its ends, as far as it has come, it touches itself and keeps a gap."""
    assert run.contacts.max() > 0 and run.worst_gap.min() > 0
    assert np.ptp(run.positions[-1, :, 0]) > np.ptp(run.rest[:, 0]) + 0.2 * run.times[-1] * 0.06 / 0.5


def tori_on_pillars(run):
    """They fall evenly, and the lowest ones have a pillar through them."""
    heights = np.stack([skin.of(run.positions[-1])[:, 2].mean() for skin in run.skins])
    assert len(heights) == 10 and heights[:4].max() < 0.12
    for skin, centre in zip(run.skins[:4], [(x, y) for y in (-0.0675, 0.0675) for x in (-0.0675, 0.0675)]):
        assert np.linalg.norm(skin.of(run.positions[-1])[:, :2] - centre, axis=1).min() > 0.018 - 1e-4


def heavy_on_light(run):
    """Both stacks stand; the light block gives way by millimetres, soft ones more; none is in another by half a gap."""
    middles = np.array([run.positions[-1, skin.start : skin.stop].mean(axis=0) for skin in run.skins])
    assert run.contacts[-1] > 40 and run.worst_gap.min() > -5e-4 and np.abs(run.velocities[-1]).max() < 0.1
    assert np.abs(middles[:, :2] - ([(-0.13, 0.0)] * 2 + [(0.13, 0.0)] * 4)).max() < 2e-3
    light, soft, stiff = (np.ptp(run.skins[i].of(run.positions[-1])[:, 2]) for i in (0, 2, 3))
    assert 0.09 < light < 0.098 and soft < 0.98 * stiff


def needle(run):
    """It pushes the gel along."""
    assert np.abs(run.positions[-1] - run.rest).max() > 2e-4


def stacked_cushions(run):
    """They start centimetres deep in one another, and are pushed out, the upper ones upwards."""
    assert run.worst_gap[0] < -0.02 and run.worst_gap[-1] > 0.7 * run.worst_gap[0]
    assert run.contacts.max() > 50


def bowl_of_stars(run):
    """They fall on the bowl and on each other, and none goes far into another."""
    assert run.contacts.max() > 20 and run.worst_gap.min() > -0.2
    assert np.linalg.norm(run.positions[-1] - [0, 0, 1.5], axis=1).max() < 1.65


def bodies_through_a_torus(run):
    """The first ball presses on the ring, and bends it."""
    ring, first = (slice(skin.start, skin.stop) for skin in run.skins[:2])
    assert run.contacts.max() > 10
    assert run.positions[-1, first, 2].mean() < run.rest[first, 2].mean() - 0.2
    assert np.abs(run.positions[-1, ring] - run.rest[ring]).max() > 0.005


def rider_on_a_horse(run):
    """The rider sits, and the horse does not fall."""
    horse, rider = (slice(skin.start, skin.stop) for skin in run.skins[:2])
    drop = run.rest[rider, 2].mean() - run.positions[-1, rider, 2].mean()
    assert 0.08 < drop < 0.45 and run.contacts.max() > 5
    assert run.positions[-1, horse, 2].mean() > 0.9 * run.rest[horse, 2].mean()


def tumbling_blocks(run):
    """Something presses, and no edge of one passes through a face of another."""
    assert run.energies["barrier"].max() > 0


def cloth_over_ball(run):
    """It falls on the ball, and stays out of it."""
    assert run.contacts.max() > 0 and run.worst_gap.min() > 0
    assert np.linalg.norm(run.positions - [0.01, 0.0, 0.115], axis=2).min() > 0.1


def cloth_stack(run):
    """The lowest lies on the ball, the others on it in their order, with a gap between each two."""
    cloths = np.stack([run.positions[-1, skin.start : skin.stop] for skin in run.skins])
    assert len(cloths) == 4 and run.contacts.max() > 50 and run.worst_gap.min() > 0
    assert np.linalg.norm(run.positions - [0.01, 0.0, 0.115], axis=2).min() > 0.1
    middles = cloths[:, cloths.shape[1] // 2, 2]
    assert middles[0] > 0.214 and (np.diff(middles) > 1e-3).all() and middles[-1] < 0.265


def pile_of_a_hundred(run):
    """They come down, into no other block by winding numbers and not into the pit; at the end the heap is five blocks high."""
    assert len(run.skins) == 100 and run.contacts.max() > 0 and run.worst_gap.min() > 0
    blocks = outlines(run)
    assert all(depth_in_one_another(blocks.triangles, blocks.body, places(run, x))[0] == 0 for x in run.positions[::2])
    top, fallen = run.positions[:, :, 2].max(axis=1), 0.5 * 9.81 * run.times[-1] ** 2
    assert top[-1] == pytest.approx(top[0] - fallen, abs=0.02) if run.times[-1] < 0.2 else top[-1] < 0.27
    if run.times[-1] > 0.9:
        assert np.abs(run.velocities[-1]).max() < 0.1


def bowl_of_jelly(run):
    assert run.contacts.max() > 0 and run.worst_gap.min() > 0
    assert np.linalg.norm(run.positions - [0, 0, 0.16], axis=2)[run.positions[:, :, 2] < 0.14].max() < 0.145


def bent_spoon(run):
    """Where no force is any more, more than half of the bend is still there."""
    end = run.positions[:, run.rest[:, 0] < 0.001, 2].mean(axis=1)
    assert 0.5 * end.max() < end[-1] < 0.95 * end.max() and end.max() > 0.05
    assert run.fields["plastic strain"][-1].max() > 0.02


def crushed_can(run):
    """The plate is on its way up, and the can no longer as high as it was."""
    high = np.ptp(run.positions[:, :, 2], axis=1)
    assert high.min() < 0.07 and high[-1] < 0.85 * high[0]
    assert run.fields["plastic strain"][-1].max() > 0.02


def pulled_bar(run):
    """Torn in the waist alone."""
    torn = run.chapters[-1].rest[len(run.chapters[0].rest) :]
    assert sum(report.torn for report in run.reports) > 3 and len(torn) and np.abs(torn[:, 0]).max() < 0.04


def crushed_flat(run):
    """As flat as the gap leaves it, then as high as it was."""
    high = np.array([np.ptp(run.skins[0].of(x)[:, 2]) for x in run.positions])
    assert high.min() < 0.2 * high[0] and high[-1] > 0.95 * high[0]


def inside_out(run):
    """A quarter of all tets and more are turned over on the way; at the end every node is where it was."""
    most = max(inverted(run, frame) for frame in range(0, len(run), 2))
    assert most > len(run.moment(0).skins[0].tets) / 4
    assert np.abs(run.positions[-1] - run.rest).max() < 1e-3


def thumbprint(run):
    """The thumb is on its way up, and what it pressed down stays there."""
    top = (run.rest[:, 2] > 0.0299) & (np.abs(run.rest[:, 1]) < 0.004) & (np.abs(run.rest[:, 0] + 0.012) < 0.006)
    depth = 0.030 - run.positions[:, top, 2].min(axis=1)
    assert depth.max() > 0.005 and depth[-1] > 0.8 * depth.max()
    assert run.fields["plastic strain"][-1].max() > 0.2
