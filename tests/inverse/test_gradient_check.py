"""Gradients beside differences, runs as functions, and learning packages where they are installed."""

import sys
from importlib.util import find_spec

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Motion, NodePositions

from .test_adjoint import falling

KEYS = [(0, "young"), (None, "obstacle 0.height"), (0, "velocity")]
STEPS = 4


def sim(**values) -> pl.Simulation:
    return pl.Simulation(falling(**values), pl.BDF2(0.01, pl.Newton(tolerance=1e-12, linear=pl.linear.Direct())))


def tip(k, x, v):
    by = np.zeros_like(x)
    by[-1, 2] = k
    return float(np.sum(by * x)), by, None


def test_of_a_function():
    one = sim()
    check = pl.inverse.check_gradient(one, tip, KEYS, STEPS, widths=(1e-4, 1e-5))
    assert check.error.max() < 1e-5 and check.labels == [
        "young",
        "obstacle 0.height",
        *(f"velocity[{i}]" for i in range(3)),
    ]
    found = pl.inverse.gradient(one, tip, KEYS, STEPS)
    assert set(found.parameters) == set(KEYS)
    assert found.parameters[0, "young"] == check.adjoint[0] and np.array_equal(found.parameters[0, "velocity"], check.adjoint[2:])
    assert repr(check).splitlines()[1].startswith("young ") and "(3e+00)" in repr(check)
    assert one.state.steps == 0 and one.scene.bodies[0].material.young == 3e4


def test_of_observations_and_their_clock():
    seen = NodePositions(sim(young=5e4).run(0.04).positions + 1e-3, sigma=1e-3, delay=0.003)
    check = pl.inverse.check_gradient(sim(), seen, [(0, "young"), (None, "observation 0.delay")], widths=(1e-4, 1e-5))
    assert check.error.max() < 1e-4


def test_a_wrong_gradient_shows():
    def wrong(k, x, v):
        value, by, _ = tip(k, x, v)
        return value, 1.01 * by, None

    check = pl.inverse.check_gradient(sim(), wrong, KEYS[:1], STEPS, widths=(1e-3, 1e-4))
    assert check.error[0] == pytest.approx(0.01, rel=0.05)


def test_a_run_as_a_function():
    one = sim()
    motion = Motion(one, KEYS, STEPS)
    weights = np.random.default_rng(0).standard_normal((2, STEPS + 1, *one.x.shape))
    values = {key: 1.1 * value for key, value in motion.free.items()}
    slopes = motion.pull_back(values, *weights)
    for key in KEYS:
        along = 1e-5 * np.abs(values[key]).max()
        ends = [np.sum(weights * motion.run(values | {key: values[key] + side * along})) for side in (1, -1)]
        assert np.sum(slopes[key]) == pytest.approx((ends[0] - ends[1]) / (2 * along), rel=1e-5)
    assert one.scene.bodies[0].material.young == 3e4 and np.array_equal(one.v, sim().v)


def test_what_is_no_question():
    seen = NodePositions(np.zeros((2, len(sim().x), 3)))
    for call, sentence in [
        (lambda: pl.inverse.gradient(sim(), tip, KEYS), "expected a number of steps for a function"),
        (lambda: pl.inverse.gradient(sim(), seen, KEYS, 3), "none for observations"),
        (lambda: pl.inverse.gradient(sim(), 3.0, KEYS, 3), "expected a function of a step"),
        (lambda: pl.inverse.gradient(sim(), tip, [(0, "yong")], 3), "did you mean 'young'"),
        (lambda: pl.inverse.gradient(sim(), tip, [], 3), "expected keys such as"),
        (lambda: pl.inverse.check_gradient(sim(), tip, KEYS, 3, widths=(1.0,)), "two shares or more"),
        (lambda: Motion(sim(), [], 3), "expected keys such as"),
        (lambda: Motion(sim(), KEYS, 3).run({(0, "young"): 1e4}), "expected one for each"),
        (lambda: Motion(sim(), KEYS[:1], 3).run({(0, "young"): [1e4, 2e4]}), "shape"),
        (lambda: Motion(sim(), KEYS[:1], 3).pull_back({(0, "young"): 1e4}, np.zeros(3)), "pull_back"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_packages_that_are_not_there(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=f"pip install {name}"):
        getattr(Motion(sim(), KEYS, 2), name)()


if find_spec("torch"):

    def test_torch():
        import torch

        motion = Motion(sim(), KEYS, STEPS)
        tensors = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in motion.free.values()]
        run = motion.torch()
        assert torch.autograd.gradcheck(
            lambda height: run(tensors[0], height, tensors[2])[0][-1], tensors[1:2], eps=1e-6, atol=1e-6
        )
        single = [tensor.detach().float().requires_grad_() for tensor in tensors]
        run(*single)[1][-1].sum().backward()  # of velocities alone
        run(*tensors)[1][-1].sum().backward()
        for one, other in zip(single, tensors):
            assert one.grad.dtype == torch.float32 and torch.allclose(one.grad.double(), other.grad, rtol=1e-4)
        with pytest.raises(InputError, match="1 values were given; expected one for each"):
            run(tensors[0])


if find_spec("jax"):

    def test_jax():
        import jax

        jax.config.update("jax_enable_x64", True)
        motion = Motion(sim(), KEYS, STEPS)
        run, values = motion.jax(), [jax.numpy.asarray(value) for value in motion.free.values()]
        slope = jax.grad(lambda young: run(young, *values[1:])[0][-1, -1, 2])(values[0])
        ends = [float(run(values[0] + side, *values[1:])[0][-1, -1, 2]) for side in (1.0, -1.0)]
        assert float(slope) == pytest.approx((ends[0] - ends[1]) / 2, rel=1e-5)
        compiled = jax.jit(jax.grad(lambda young: run(young, *values[1:])[0][-1, -1, 2]))
        assert np.array_equal(jax.vmap(compiled)(values[0] + jax.numpy.array([0.0, 0.0])), [slope, slope])
        with pytest.raises(InputError, match="1 values were given; expected one for each"):
            run(values[0])
