"""The sum of energies over the free nodes."""

import numpy as np
import pytest

from pliant.device import Device
from pliant.energy.points import DeadForces, Pull
from pliant.solve.newton import Newton
from pliant.solve.objective import Objective
from pliant.solve.report import Report


def springs(free=None, least=0.0):
    """Three nodes on springs under a dead force."""
    device = Device()
    pull = Pull(device, np.array([1.0, 2.0, 4.0]))
    weight = DeadForces(device, np.full((3, 3), 8.0))
    return device, Objective(device, [pull, weight], np.ones((3, 3)) if free is None else free, least)


def test_sum_and_scale():
    device, objective = springs(least=0.5)
    x, out = device.array(np.ones((3, 3)), device.types.vec3), objective.vectors.new()
    assert objective.value(x) == pytest.approx(0.5 * 21 - 72)
    value, magnitude = objective.value_and_scale(x)
    assert value == objective.value(x) and magnitude == pytest.approx(0.5 * 21 + 72)
    size, scale = objective.gradient_and_scale(x, out)
    assert size == pytest.approx(np.linalg.norm(out.numpy()))
    assert np.allclose(out.numpy(), [[-7] * 3, [-6] * 3, [-4] * 3])
    assert scale == pytest.approx(0.5 + np.sqrt(3 * 21) + np.sqrt(9 * 64))


def test_held_components_feel_nothing():
    free = np.array([[0, 1, 1], [1, 1, 1], [0, 0, 0]], dtype=float)
    device, objective = springs(free)
    x = device.zeros(3, device.types.vec3)
    report = Newton().solve(objective, x)
    assert report.ok and report.converged
    assert np.allclose(x.numpy(), free * (8 / np.array([1.0, 2.0, 4.0]))[:, None], atol=1e-5)
    objective.hold(np.ones((3, 3)))
    assert Newton().solve(objective, x).ok
    assert np.allclose(x.numpy(), (8 / np.array([1.0, 2.0, 4.0]))[:, None] * np.ones(3), atol=1e-5)


def test_a_start_at_the_answer_takes_no_iteration():
    device, objective = springs()
    x = device.array((8 / np.array([1.0, 2.0, 4.0]))[:, None] * np.ones(3), device.types.vec3)
    assert Newton().solve(objective, x).iterations == 0


def test_not_finite_is_said():
    device, objective = springs()
    x = device.array(np.full((3, 3), np.nan), device.types.vec3)
    report = Newton().solve(objective, x)
    assert not report.ok and "not finite" in report.why and "try" in report.why


def test_report_reads_well():
    text = "ok: converged (3 iterations, 12 linear, residual 1.0e-09 of 1.0e-07)"
    assert str(Report(True, "converged", 3, 1e-9, 1e-7, 12)) == text
    assert str(Report(False, "no")).startswith("FAILED: no")
