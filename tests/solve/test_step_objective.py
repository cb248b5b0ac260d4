"""The sum of energies over the free nodes."""

import numpy as np
import pytest

from pliant.energy.base import Energy
from pliant.energy.capabilities import Attached
from pliant.energy.points.node_energies import DeadForces, Pull
from pliant.linear.factor.direct import Direct
from pliant.runtime.device import Device
from pliant.solve.newton.newton_solver import Newton
from pliant.solve.objective.report import Report
from pliant.solve.objective.step_objective import Objective


def springs(free=None):
    """Three nodes on springs under a dead force."""
    device = Device()
    pull = Pull(device, np.array([1.0, 2.0, 4.0]))
    weight = DeadForces(device, np.full((3, 3), 8.0))
    return device, Objective(device, [pull, weight], np.ones((3, 3)) if free is None else free)


def test_sum_and_scale():
    device, objective = springs()
    x, out = device.array(np.ones((3, 3)), device.types.vec3), objective.vectors.new()
    assert objective.value(x) == pytest.approx(0.5 * 21 - 72)
    value, magnitude = objective.value_and_magnitude(x)
    assert value == objective.value(x) and magnitude == pytest.approx(0.5 * 21 + 72)
    residual = objective.residual(x, out)
    assert np.allclose(out.numpy(), [[-7] * 3, [-6] * 3, [-4] * 3])
    assert residual.value == pytest.approx(np.linalg.norm(out.numpy()) / (np.sqrt(3 * 21) + np.sqrt(9 * 64)))


def test_held_components_feel_nothing():
    free = np.array([[0, 1, 1], [1, 1, 1], [0, 0, 0]], dtype=float)
    device, objective = springs(free)
    x = device.zeros(3, device.types.vec3)
    report = Newton().solve(objective, x).report
    assert report.kept and report.converged
    assert np.allclose(x.numpy(), free * (8 / np.array([1.0, 2.0, 4.0]))[:, None], atol=1e-5)
    device, objective = springs()
    x = device.zeros(3, device.types.vec3)
    assert Newton().solve(objective, x).report.kept
    assert np.allclose(x.numpy(), (8 / np.array([1.0, 2.0, 4.0]))[:, None] * np.ones(3), atol=1e-5)


def test_a_start_at_the_answer_takes_no_iteration():
    device, objective = springs()
    x = device.array((8 / np.array([1.0, 2.0, 4.0]))[:, None] * np.ones(3), device.types.vec3)
    assert Newton().solve(objective, x).report.iterations == 0


def test_not_finite_is_said():
    device, objective = springs()
    x = device.array(np.full((3, 3), np.nan), device.types.vec3)
    report = Newton().solve(objective, x).report
    assert not report.kept and "not finite" in report.why and "try" in report.why


def test_report_reads_well():
    text = "ok: converged (3 iterations, 12 linear, residual 1.0e-09 of 1.0e-07)"
    assert str(Report(True, "converged", 3, 1e-9, 1e-7, 12)) == text
    assert str(Report(False, "no")).startswith("FAILED: no")


class Link(Attached, Energy):
    """½ k |xᵢ − xⱼ|² between two nodes that may be others in the next step."""

    def __init__(self, device, i, j, k):
        super().__init__(device)
        self.ends, self.k, self.sparsity, self.attached = (i, j), k, 0, 0

    def join(self, i, j):
        self.ends = (i, j)
        self.sparsity += 1

    def _matrix(self, count):
        u = np.zeros(count)
        u[list(self.ends)] = 1, -1
        return self.k * np.outer(u, u)

    def evaluate(self, x, out):
        total = 0.5 * np.sum(x.numpy() * (self._matrix(len(x)) @ x.numpy()))
        out.assign(out.numpy() + np.array([[total, abs(total)]]))

    def gradient(self, x, out):
        out.assign(out.numpy() + self._matrix(len(x)) @ x.numpy())

    def tangent(self, x, d, out, project=False):
        self.gradient(d, out)

    def cells(self):
        return np.array([self.ends])

    def attach(self, matrix):
        self.attached += 1
        self.matrix = matrix

    def blocks(self, x, matrix, project=True):
        i, j = self.ends
        values, own = matrix.values.numpy(), self._matrix(matrix.count)
        at = matrix.find([i, i, j, j], [i, j, i, j])
        values[at] += own[[i, i, j, j], [i, j, i, j]][:, None, None] * np.eye(3)
        matrix.values.assign(values)


def test_the_matrix_is_laid_out_anew_only_when_cells_change():
    device = Device()
    link = Link(device, 0, 1, 3.0)
    weight = DeadForces(device, np.full((3, 3), 8.0))
    objective = Objective(device, [Pull(device, np.array([1.0, 2.0, 4.0])), weight, link], np.ones((3, 3)))
    for solver in (Newton(linear=Direct()), Newton()):
        for ends in ((0, 1), (1, 2), (0, 2)):
            if link.ends != ends:
                link.join(*ends)
            laid = link.attached
            A = np.diag([1.0, 2.0, 4.0]) + link._matrix(3)
            for _ in range(2):
                x = device.zeros(3, device.types.vec3)
                assert solver.solve(objective, x).report.converged
                assert np.allclose(x.numpy(), np.linalg.solve(A, np.full((3, 3), 8.0)), atol=1e-5)
            assert link.attached <= laid + 1
            assert objective.matrix().find([ends[0]], [ends[1]])[0] >= 0
    i, j = next((i, j) for i in range(3) for j in range(3) if i < j and (i, j) != link.ends)
    assert objective.matrix().find([i], [j])[0] == -1
