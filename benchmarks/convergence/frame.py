"""The objective of one time step, stopped before it is solved: values, gradients and matrices as NumPy arrays."""

from __future__ import annotations

import numpy as np
import warp as wp
from scipy import sparse

import pliant as pl
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.material.mean_stiffness import fitted_stiffness
from pliant.simulate.step.step_stages import aim


class Frame:
    """The step that ``sim`` would take next; ``sim`` must not move while it is looked at.

    ``start`` is x⁽¹⁾ = y, the target of the inertia, with the pins where they are at the end of the step.
    """

    def __init__(self, sim: pl.Simulation):
        aim(sim.world, sim.integrator, sim.state, sim.work)
        sim.world.approach.guess(sim.integrator, sim.state, sim.work)
        self.sim, self.objective, self.rest = sim, sim.world.objective, sim.world.rest
        self.free = self.objective.free.numpy() > 0
        self.start = np.where(self.free, sim.world["inertia"][0].target.numpy(), sim.work["z"].numpy())
        self.count = len(self.rest)
        self.mass = sim.world.mass
        self.inertia = sim.world["inertia"][0].factor  # 1/h² [1/s²]
        self._x, self._g = self.objective.vectors.new(), self.objective.vectors.new()
        self._sums = sim.device.zeros((1, 2), wp.float64)
        self.evaluations = 0

    def value_and_gradient(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        """g(x) [J] and ∇g(x) [N], zero at pins: one pass of the library's kernels over the elements."""
        self.evaluations += 1
        self._x.assign(x)
        self.objective.evaluate_with_gradient(self._x, self._sums, self._g)
        return float(self._sums.numpy()[0, 0]), self._g.numpy().copy()

    def hessian(self, x: np.ndarray, project: bool = True) -> sparse.bsr_matrix:
        """(3n, 3n) ∇²g(x), element by element made positive semi-definite where asked; pins have rows of the identity."""
        self._x.assign(x)
        pattern = self.objective.assemble(self._x, project)
        blocks = pattern.values.numpy().astype(float)
        rows = np.repeat(np.arange(self.count), np.diff(pattern.row_start))
        blocks = blocks * (self.free[rows][:, :, None] & self.free[pattern.columns][:, None, :])
        blocks[pattern.diagonal] += (~self.free)[:, :, None] * np.eye(3)
        return sparse.bsr_matrix((blocks, pattern.columns, pattern.row_start), shape=(3 * self.count,) * 2)

    def laplacian(self, stretches: tuple[float, float] | None = None) -> sparse.csr_matrix:
        """(n, n) M/h² + L, with the stiffness of each body fitted over other ``stretches`` where they are given."""
        if stretches is None:
            return self.objective.laplacian()
        total = sparse.csr_matrix((self.count, self.count))
        for energy in self.objective.majorised:
            part = energy.laplacian(self.count)
            if isinstance(energy, ElasticEnergy):
                law, dimension = energy.material, energy.elements.dimension
                usual, other = fitted_stiffness(law, dimension), fitted_stiffness(law, dimension, stretches)
                part = part * float(other[0] / usual[0])  # one row of parameters: a body of one stiffness
            total = total if part is None else total + part
        keep = self.free.any(axis=1).astype(float)
        return (sparse.diags(keep) @ total @ sparse.diags(keep) + sparse.diags(1 - keep)).tocsr()

    def minimum(self, tolerance: float = 1e-11, approach: int = 0) -> tuple[np.ndarray, float]:
        """x* and g(x*) by Newton's method, as far as double precision resolves.

        ``approach``: iterations of L-BFGS to begin with, and to go on with where Newton stalls (a curtain about to fold).
        """
        x = self.sim.device.array(self.start, self.sim.device.types.vec3)
        newton = pl.Newton(tolerance=tolerance, linear=pl.linear.Direct(), iterations=30)
        for _ in range(10):
            if approach:
                pl.QuasiNewton(iterations=approach, window=20).solve(self.objective, x)
            report = newton.solve(self.objective, x).report
            if report.converged:
                break
        else:
            raise pl.errors.StepError(f"no reference minimum: {report.why}")
        found = x.numpy().copy()
        return found, self.value_and_gradient(found)[0]
