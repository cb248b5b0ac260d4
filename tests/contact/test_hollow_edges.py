"""Obstacles with hollow edges: bodies come to rest in corners of one obstacle as in those of several."""

import numpy as np
import pytest

import pliant as pl

BLOCK, LAW, DT = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), pl.StableNeoHookean(young=1e5, density=1000), 0.01
WEIGHT = 9.81 * 1000 * 0.1**3
THIN = 0.05
FLOOR, SIDE, BACK = pl.plane(z=0.0), pl.plane(normal=(1, 0, 0)), pl.plane(normal=(0, 1, 0))
ROOMS = {
    "planes": FLOOR | SIDE | BACK,
    "boxes": pl.box((1, 1, THIN), centre=(0.4, 0.4, -THIN / 2))
    | pl.box((THIN, 1, 1), centre=(-THIN / 2, 0.4, 0.4))
    | pl.box((1, THIN, 1), centre=(0.4, -THIN / 2, 0.4)),
    "hollow box": pl.box(1.0, centre=(0.4, 0.4, 0.4)) - pl.box(0.8, centre=(0.4, 0.4, 0.4)),
    "pit": pl.plane(z=0.4) - pl.box(0.8, centre=(0.4, 0.4, 0.4)),
}
RESPONSES = {"barrier": pl.contact.Barrier(), "springs": pl.contact.Penalty(), "default": pl.Contact().response}


def thrown(obstacles, response, at=(0.12, 0.1, 0.08), velocity=(-2.0, -1.7, -1.0), **options):
    body = pl.Body(BLOCK.translated(at), LAW, velocity=velocity, name="block")
    contact = pl.Contact(friction=options.pop("friction", 0.3), response=response)
    return pl.Simulation(pl.Scene([body], obstacles, contact=contact), pl.ImplicitEuler(DT), **options)


@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize("room", ROOMS)
def test_a_block_comes_to_rest_in_a_corner(room, response):
    """Of one obstacle it took 320 iterations and more for a step, which then failed."""
    sim = thrown([pl.Obstacle(ROOMS[room], name="room")], RESPONSES[response])
    reports = [sim.step() for _ in range(100)]
    assert all(report.kept for report in reports), [report.why for report in reports if not report.kept][:1]
    assert sum(report.iterations > 25 for report in reports) <= 1
    table = sim.contacts()
    assert len(table) and set(table.second) == {"room"}
    assert sim.force("room")[2] == pytest.approx(-WEIGHT, rel=0.02)
    assert sim.x.min() > -1e-3


def test_single_precision_takes_no_longer():
    sim = thrown([ROOMS["hollow box"]], pl.contact.Barrier(), precision="f32")
    assert max(sim.step().iterations for _ in range(60)) <= 25


@pytest.mark.parametrize("response", ["barrier", "springs"])
def test_a_room_that_moves_takes_along_what_lies_in_it(response):
    """All its pieces follow its motion: in 0.5 s a block in its corner goes as far as the room does."""

    def motion(t):
        pose = np.eye(4)
        pose[:3, 3] = 0.15 * t**2 * np.array([1.0, 1.0, 0.0])
        return pose

    sim = thrown([pl.Obstacle(ROOMS["boxes"], motion)], RESPONSES[response], (0.002, 0.002, 0.002), (0, 0, 0), friction=0.0)
    start = sim.x.copy()
    for _ in range(50):
        assert sim.step().kept
    way = motion(sim.t)[:3, 3]
    assert np.abs((sim.x - start).mean(axis=0) - way).max() < 0.003


@pytest.mark.parametrize("response", RESPONSES)
def test_what_lies_on_flush_tiles_is_pressed_as_by_one(response):
    """Two tiles of one height have no hollow edge, wherever they overlap."""
    one = pl.box((1.0, 0.6, THIN), centre=(0.05, 0, -THIN / 2))
    tiles = pl.box((0.6, 0.6, THIN), centre=(-0.15, 0, -THIN / 2)) | pl.box((0.6, 0.6, THIN), centre=(0.25, 0, -THIN / 2))
    assert len(pl.Obstacle(tiles).pieces) == 1
    ends = []
    for floor in (one, tiles):
        sim = thrown([floor], RESPONSES[response], (0, -0.05, 0.001), (0, 0, 0))
        for _ in range(30):
            sim.step()
        ends.append(sim.x.copy())
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)


def test_a_floor_around_a_pit_carries_as_one_without():
    """Pieces that pits make end near them: what lies beside is touched by one."""
    pit, ends = pl.plane(z=0.0) - pl.box(0.2), []
    for floor in (pl.plane(z=0.0), pit):
        sim = thrown([floor], pl.contact.Penalty(), (0.14, 0.14, 0.0), (0, 0, 0))
        for _ in range(20):
            assert sim.step().kept
        ends.append(sim.x.copy())
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)


def test_gradients_by_the_place_of_a_room_are_differences():
    """By the shift of the whole, which is the sum over its pieces."""

    def place(k, x, v):
        by = np.full_like(x, 1.0 if k == 5 else 0.0) * np.array([1.0, 2.0, 3.0])
        return float(np.sum(by * x)), by, None

    sim = thrown([ROOMS["boxes"]], None, (-0.001, -0.001, -0.001), (0, 0, 0), friction=0.0)
    check = pl.inverse.check_gradient(sim, place, [(None, "obstacle 0.shift")], 5, widths=(1e-4, 1e-5))
    assert check.error.max() < 1e-3 and np.abs(check.adjoint).min() > 1e-3


def test_shapes_with_other_hollow_edges_may_take_the_place_of_a_room():
    """Of one piece, of three and of one again; the body stays where it is and goes on."""
    sim = thrown([FLOOR], pl.contact.Barrier(), (0.002, 0.002, 0.002), (0, 0, 0))
    for shape in (ROOMS["planes"], ROOMS["pit"], FLOOR, FLOOR):
        sim.reshape(0, shape)
        assert sim.step().kept
    with pytest.raises(pl.errors.InputError, match="hollow edges"):
        sim.world.adopt([pl.Scene(sim.scene.bodies, [ROOMS["planes"]], contact=sim.scene.contact)])


def test_a_checkpoint_in_a_room_goes_on_bit_for_bit(tmp_path):
    sim = thrown([ROOMS["hollow box"]], pl.contact.Penalty())
    for _ in range(12):
        sim.step()
    sim.save(tmp_path / "room.npz")
    again = pl.Simulation.load(tmp_path / "room.npz")
    for _ in range(5):
        sim.step(), again.step()
    np.testing.assert_array_equal(again.x, sim.x)
