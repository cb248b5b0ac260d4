"""Nonlinear elimination at the ends of trial steps.

A sheet that buckles bounds each step of Newton's method by what a few nodes can follow: their residual alone refuses most
steps. Damped Jacobi sweeps let every node follow its neighbours before the search judges a trial (nonlinear elimination:
Lanzkron, Rose & Wilkes 1996; Cai & Li 2011). A sweep costs a gradient and a matrix, and factors nothing.
"""

import math
from typing import Any

import warp as wp

from ...linear.matrix.cg_kernels import linear_kernels
from ...runtime.device import family
from ..objective.residual import Residual
from ..objective.step_objective import Objective

# sweeps of each trial, and their damping: Jacobi's iteration needs less than 2 over the nodes of an element, 3 for sheets. Median
# and most iterations of steps of 1/60 s with 0, 4, 8 and 16 sweeps, of sheets that fall on a ball (benchmarks/sheets_alone.py):
# 1 MPa, 32 × 32 nodes 26, 16, 14, – and 131, 50, 52, –; paper, 20 × 20 nodes (fails), 33, 20, 16 and –, 71, 32, 21
SWEEPS, DAMPING = 8, 0.5
DEAR = 150  # conjugate gradient iterations that cost more than the sweeps of a trial


@family
def smoothing_kernels(t):
    vec3, mat33 = t.vec3, t.mat33

    @t.kernel
    def relax(
        start: int,
        # params:
        damping: t.real,
        # in:
        inverse: wp.array(dtype=mat33),
        g: wp.array(dtype=vec3),
        # out:
        d: wp.array(dtype=vec3),
    ):
        """d = −ω D⁻¹ g."""
        i = start + wp.tid()
        d[i] = -damping * (inverse[i] * g[i])

    return {"relax": relax}


class Smoothing:
    """Sweeps over the nodes of one objective; a trial never ends worse than it began."""

    def __init__(self, objective: Objective):
        device, self.objective = objective.device, objective
        self.inverse, self.d = device.zeros(objective.count, device.types.mat33), objective.vectors.new()
        self.before = objective.vectors.positions()
        self.relax = smoothing_kernels(device.precision).relax
        self.invert = linear_kernels(device.precision).invert_diagonal

    def look(self, x: wp.array[Any], g: wp.array[Any]) -> tuple[float, float, Residual]:
        """Sweep x, and compute value, magnitude and residual there, with the gradient in g."""
        objective, vectors = self.objective, self.objective.vectors
        value, magnitude, residual = objective.value_and_residual(x, g)
        if not math.isfinite(value):
            return value, magnitude, residual
        vectors.copy(x, self.before)
        for sweep in range(SWEEPS):
            if sweep > 0:
                objective.gradient(x, g)
            self.sweep(x, g)
        swept = objective.value_and_residual(x, g)
        if swept[0] <= value:
            return swept
        vectors.copy(self.before, x)
        objective.gradient(x, g)
        return value, magnitude, residual

    def sweep(self, x: wp.array[Any], g: wp.array[Any]) -> None:
        """x −= ω D⁻¹ g with the diagonal blocks D of the projected Hessian."""
        objective, launch = self.objective, self.objective.device.launch
        matrix = objective.assemble(x, True)
        launch(self.invert, matrix.count, matrix.device_diagonal, matrix.values, self.inverse)
        launch(self.relax, objective.count, DAMPING, self.inverse, g, self.d)
        objective.mask(self.d)
        objective.vectors.advance(x, 1.0, self.d, x)
