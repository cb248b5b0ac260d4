"""Depth cameras: what they see, residuals along rays and their derivatives, noise, holes and a pace of their own."""

import functools

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Camera, Clouds, DepthImages, Huber, ObservationSet, photographed, scanned

from .differences import check
from .test_clouds import bent, ring

EYES = [(0.1, -0.5, 0.3), (-0.4, 0.3, 0.2)]
LOOKING = [Camera.looking(eye, (0, 0, -0.02), (24, 20), focal=30.0) for eye in EYES]


@functools.cache
def hanging(seconds: float) -> pl.Run:
    return ring().run(seconds, fields=())


def test_a_camera_sees_where_it_looks():
    camera = Camera.looking((1, 2, 3), (4, 2, 3), size=(3, 3), focal=2.0)
    assert np.allclose(camera.ways.reshape(3, 3, 3)[1, 1], (1, 0, 0))  # the middle, z into the picture
    assert np.allclose(camera.ways.reshape(3, 3, 3)[1, 2], (1, -0.5, 0))  # to the right
    assert np.allclose(camera.ways.reshape(3, 3, 3)[2, 1], (1, 0, -0.5))  # down
    image = np.full((3, 3), np.nan)
    image[1, 2] = 2.0
    assert np.allclose(camera.points(image), [(3, 1, 3)])


@pytest.mark.parametrize("loss", [None, Huber(0.004)], ids=["quadratic", "Huber"])
def test_derivatives(loss):
    sim = ring()
    x = bent(sim.x)
    camera = LOOKING[0]
    depth = np.full((20, 24), 0.55) + 0.02 * np.sin(np.arange(480)).reshape(20, 24)  # some rays miss
    options = {} if loss is None else {"loss": loss}
    observed = DepthImages(depth[None], camera, [0.0], sigma=0.5, rotation=(0.01, 0.02, -0.01), **options)
    seen = observed.bound(sim)
    residual = check(seen, x, step=2e-8)
    assert residual.r.shape == (480,) and seen.numbers == 480


def test_the_truth_costs_nothing_at_a_pace_of_its_own():
    """A run seen at 37 frames a second, which is no multiple of its steps, by a camera and as a cloud."""
    run = hanging(0.1)
    images = photographed(run, LOOKING[0], 37.0)
    cloud = scanned(run, LOOKING, 37.0)
    assert images.images.shape == (4, 20, 24) and np.allclose(images.times, np.arange(4) / 37)
    sim = ring()
    watch = ObservationSet(sim, [images, cloud, Clouds(cloud.points, cloud.times, delay=0.01)])
    for k in range(watch.steps + 1):
        watch.see(k, sim.x, sim.v)
        sim.step()
    sizes = [sum(len(f) for f in cloud.points)]
    seen = watch.residuals[: -sizes[0]]
    assert np.abs(seen).max() < 1e-9 and np.abs(watch.residuals[-sizes[0] :]).max() > 1e-3


@functools.cache
def moved() -> tuple[pl.Simulation, list]:
    """A stiffer ring, and where it is after each of three steps."""
    sim, states = ring(young=4e3), []
    for _ in range(4):
        states.append((sim.x, sim.v))
        sim.step()
    return sim, states


def watched(observations, wanted, jacobians):
    """Residuals, costs with what pulls, and derivatives along a change, of a run that was seen by these."""
    (sim, states), draw = moved(), np.random.default_rng(2)
    watch = ObservationSet(sim, observations)
    watch.only(wanted)
    watch.jacobians = jacobians
    rates, rows = [draw.standard_normal((2, 2, sim.world.count, 3)) for _ in range(watch.steps + 1)], {}
    for k in range(watch.steps + 1):
        watch.see(k, *states[k])
        if k and jacobians:
            rows |= dict(watch.rows(k, rates[k - 1], rates[k]))
    costs = [watch.cost(k, None, None) for k in range(watch.steps + 1)]
    return watch.residuals, costs, watch.direct(), rows


def test_cameras_together_are_cameras_one_by_one():
    """Two that see the same moments, one of them with a part of them, beside each alone; also where a delay asks for each."""
    images = [photographed(hanging(0.06), look, 50.0, noise=0.002, seed=5) for look in LOOKING]
    images[1] = DepthImages(images[1].images[1:], LOOKING[1], images[1].times[1:], sigma=0.3)
    late = {(None, "observation 0.delay"), (None, "observation 0.shift")}
    for wanted, jacobians in ((set(), False), (late, False), (set(), True)):
        r, costs, direct, rows = watched(images, wanted, jacobians)
        alone = [watched(image, wanted, jacobians) for image in images]
        sizes = [len(own[0]) for own in alone]
        assert np.array_equal(r, np.concatenate([own[0] for own in alone])) and min(sizes) > 200
        for k, (value, *by) in enumerate(costs):
            assert value == pytest.approx(sum(own[1][k][0] for own in alone), rel=1e-12)
            for i, total in enumerate(by):
                parts = [own[1][k][1 + i] for own in alone if own[1][k][1 + i] is not None]
                assert (total is None) == (not parts) and (not parts or np.allclose(total, sum(parts), rtol=1e-9, atol=1e-12))
        for key in wanted:
            assert np.allclose(direct[key], alone[0][2][key], rtol=1e-9)
        first = len(alone[0][3])
        beside = {number + (first if i else 0): row for i, own in enumerate(alone) for number, row in own[3].items()}
        assert rows.keys() == beside.keys() and all(np.allclose(rows[n], beside[n], rtol=1e-9) for n in rows)


def test_noise_and_holes():
    run = hanging(0.02)
    clean, noisy = (photographed(run, LOOKING[0], 50.0, noise=n, holes=h, seed=3) for n, h in ((0, 0), (0.004, 0.3)))
    both = np.isfinite(noisy.images)
    assert not (both & ~np.isfinite(clean.images)).any()
    assert both.sum() == pytest.approx(0.7 * np.isfinite(clean.images).sum(), rel=0.1)
    assert np.std((noisy.images - clean.images)[both]) == pytest.approx(0.004, rel=0.15)
    assert noisy.sigma == 0.004
    again = photographed(run, LOOKING[0], 50.0, noise=0.004, holes=0.3, seed=3)
    assert np.array_equal(again.images, noisy.images, equal_nan=True)
    cloud = scanned(run, LOOKING, 50.0, noise=0.004, holes=0.5, seed=1)
    seen = Clouds(cloud.points, cloud.times).bound(ring()).at(0, ring().x, cloud.own)
    assert np.std(seen.r) == pytest.approx(0.004, rel=0.1)  # a plane keeps the noise across it


def test_what_cannot_be_is_said():
    run, camera, depth = hanging(0.02), LOOKING[0], np.full((1, 20, 24), 0.5)
    for wrong, sentence in [
        (lambda: Camera((3, 3), -1.0, np.eye(4)), "positive numbers of pixels"),
        (lambda: Camera((3, 3), 1.0, 2 * np.eye(4)), "a rotation"),
        (lambda: Camera((3, 3.5), 1.0, np.eye(4)), "whole number"),
        (lambda: DepthImages(depth[:, :5], camera, [0]), r"expected \(frames, 20, 24\)"),
        (lambda: DepthImages(0 * depth, camera, [0]), "frame 0 saw nothing"),
        (lambda: DepthImages(1000 * depth, camera, [0]).bound(ring()), "are these millimetres"),
        (lambda: photographed(run, camera, 50.0, holes=1.5), "share"),
        (lambda: photographed(run, camera, 50.0, start=4.0), "the run is from"),
        (lambda: scanned(run, [], 50.0), "list of Camera"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
