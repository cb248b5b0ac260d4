"""Matrix-free tangent of a lattice in positions and pressures.

Ê(x, p) = Σ_k ∫ ψ₀ + W_k [α p_k M̄_k − α² p_k²/(2κ)] has the tangent K = [A αBᵀ; αB −α²D] with B_k = W_k ∂M̄_k/∂x and
D = diag(W_k/κ). K₂ samples A at the body's own points. K₁ samples it at the cell's centre and adds the stabilisation
against hourglass modes, for a quarter of the work: solving K₁ δu = g₂ is the paper's defect correction.
"""

from __future__ import annotations

import numpy as np
import warp as wp

from ...elements.lattice.lattice import Lattice
from ...errors import InputError
from ...linear.matrix.gather import gather_kernels, gather_lists
from ...material.base import Material
from ...runtime.device import Device
from ...runtime.kernel_structs import filled
from ..trilinear import MODES
from .cell_kernels import ENTRIES, FIXES, LANES, cell_kernels, cell_structs
from .hourglass_energy import shear_modulus

GRAIN = 256
FILLED = {"filled": (True, True), "half": (True, False), "whole": (False, False)}  # elastic terms, stabilisation


def sampled(lattice: Lattice, order: int, weights: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(m, q, 3) points ξ of K and (m, q) their weights [m³], and (m,) the part of a whole cell's stabilisation."""
    if order == 2:
        return lattice.placed.xi, lattice.weights, np.zeros(lattice.count)
    elastic, share = (lattice.fragments.volumes if part else np.ones(lattice.count) for part in FILLED[weights])
    return np.full((lattice.count, 1, 3), 0.5), elastic[:, None] * lattice.spacing**3, share


class CellOperator:
    """K of one lattice body; ``material`` is ψ₀, ``kappa`` [Pa] one for all cells or one each, ``rows`` as in ElasticEnergy.

    ``order`` 1 is K₁, 2 is K₂. In K₁ ``weights`` says which terms count the material part of a cell only: "filled" all,
    "half" all but the stabilisation, "whole" none (§3.2 as printed). ``fix`` makes A definite: "none"; "paper" (§5) adds
    what ψ₀ + κ*/2 M² lacks, κ* = min(κ, 4μ); "psd" keeps A + κ* Bᵀ D⁻¹ B positive semi-definite, κ* = 0 in K₂.
    """

    def __init__(
        self,
        device: Device,
        lattice: Lattice,
        material: Material,
        kappa: float | np.ndarray,
        measure: str = "log",
        aggregate: bool = False,
        order: int = 1,
        weights: str = "filled",
        fix: str = "psd",
        alpha: float = 1.0,
        first: int = 0,
        rows: np.ndarray | None = None,
    ):
        if order not in (1, 2):
            raise InputError(f"CellOperator(order={order!r}): expected 1 (at the centre) or 2 (at quadrature points of the body)")
        for name, given, known in (("weights", weights, FILLED), ("fix", fix, FIXES)):
            if given not in known:
                raise InputError(f"CellOperator({name}={given!r}): expected one of {', '.join(map(repr, known))}")
        t, m, h = device.types, lattice.count, lattice.spacing
        self.device, self.alpha, self.fix, self.first = device, float(alpha), FIXES[fix], first
        self.count, self.local, self.order = m, len(lattice.rest), order
        xi, w, share = sampled(lattice, order, weights)
        s, q = 2 * xi - 1, xi.shape[1]
        self.kernels = cell_kernels(material, q, measure, aggregate, device.precision)
        nodes = lattice.nodes[:, ::2] + first  # the odd corners follow, since x runs fastest
        self.corners = device.array(nodes.T, wp.int32)
        self.points, self.weight = device.array(s.transpose(1, 0, 2), t.vec3), device.array(w.T, t.real)
        self.table = device.array(material.table(), t.vector(material.width))
        self.rows = device.array(np.zeros(1, np.int32) if rows is None else rows, wp.int32)
        mu = shear_modulus(material)
        mu = np.broadcast_to(mu if len(mu) == 1 else mu[rows], m)
        kappa = np.broadcast_to(kappa, m).astype(float)
        star = np.minimum(kappa, 4 * mu) * (fix == "paper" or order == 1)
        self.star = device.array(star, t.real)
        self.hourglass = device.array(mu * h / 12 * share, t.real)
        self.compliance = device.array(self.alpha**2 * w.sum(axis=1) / kappa, t.real)
        padded = -(-m // LANES) * LANES
        self.T = device.zeros(padded * ENTRIES * q, t.real)
        self.B = device.zeros((3 if q == 1 else MODES, m), t.vec3)
        self.volume_curvature, self.pressure = device.zeros(m, t.real), device.zeros(m, t.real)
        Cells, Linear = cell_structs(device.precision)
        points = {"points": self.points, "weight": self.weight, "c": 0.25 / h}
        self._cells = filled(Cells, rows=self.corners, of=self.rows, star=self.star, **points)
        names = ("T", "B", "volume_curvature", "compliance", "hourglass")
        self._state = filled(Linear, **{name: getattr(self, name) for name in names})
        self.corner = device.zeros((8, m), t.vec3)
        self.corner_flat = self.corner.flatten()
        starts, lists = gather_lists(lattice.nodes.T.reshape(-1), self.local)
        self.starts, self.lists = device.array(starts, wp.int32), device.array(lists, wp.int32)

    def linearise(self, x: wp.array, pressure: wp.array) -> None:
        """Take the state at positions x and pressures α p [Pa], one for each cell."""
        args = (self._cells, self.table, self.fix, x, pressure, self._state)
        self.device.launch(self.kernels.linearise, self.count, *args, grain=64)

    def apply(self, d: wp.array, dp: wp.array, out: wp.array, out_p: wp.array) -> None:
        """out += A d + α Bᵀ dp and out_p += α B d − α² D dp."""
        args = (self._cells, self._state, self.alpha, d, dp, self.corner, out_p)
        self.device.launch(self.kernels.apply, self.count, *args, grain=GRAIN)
        kernel = gather_kernels(self.device.precision).gather_vectors
        args = (self.starts, self.lists, self.first, self.corner_flat, out)
        self.device.launch(kernel, self.local, *args, grain=512)
