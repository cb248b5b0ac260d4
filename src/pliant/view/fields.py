"""What a body can be coloured by: values at its surface vertices, and the range that the scale spans."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from ..simulate.simulation import Simulation

UNITS = {
    "displacement": "m",
    "speed": "m/s",
    "stress": "Pa",
    "pressure": "Pa",
    "energy density": "J/m³",
    "stretch": "",
    "volume ratio": "",
}
LABELS = {"stress": "von Mises stress", "energy density": "strain energy density", "stretch": "largest stretch"}
FORGET = 0.985  # share of its height that the top of the scale keeps from one frame to the next


class Surfaces:
    """All surface vertices of a simulation as one sparse product with its nodes."""

    def __init__(self, sim: Simulation):
        self.sim = sim
        sizes = [len(skin.parents) for skin in sim.skins]
        self.first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        rows, columns, weights = [], [], []
        for start, skin in zip(self.first, sim.skins):
            rows.append(np.repeat(start + np.arange(len(skin.parents)), skin.parents.shape[1]))
            columns.append((skin.parents + skin.start).ravel())
            weights.append(skin.weights.ravel())
        shape = (int(self.first[-1]), sim.world.count)
        entries = (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns)))
        self._carry = sparse.csr_matrix(entries, shape=shape).astype(np.float32)
        self._average: dict[int, sparse.csr_matrix] = {}
        self._gradients: dict[int, np.ndarray] = {}
        self._fields: dict[str, Callable[[], np.ndarray]] = {
            "displacement": lambda: np.linalg.norm(sim.state.x.numpy() - sim.world.rest, axis=1),
            "speed": lambda: np.linalg.norm(sim.state.v.numpy(), axis=1),
            "stress": sim.stress,
            "energy density": lambda: self._nodal(lambda e: e.element_values(sim.state.x) / e.elements.volumes),
            "stretch": lambda: self._nodal(self._stretch),
        }
        solid = all(body.shape.dimension == 3 for body in sim.scene.bodies)
        if solid and not sim.world.volumes:  # averaged volumes keep their share of the pressure to themselves
            self._fields["pressure"] = lambda: self._nodal(self._pressure)
        if solid:
            self._fields["volume ratio"] = lambda: self._nodal(lambda e: np.linalg.det(self._deformation(e)))

    @property
    def names(self) -> list[str]:
        return list(self._fields)

    def positions(self) -> np.ndarray:
        """(s, 3) float32 [m]."""
        return self._carry @ np.asarray(self.sim.state.x.numpy(), np.float32)

    def values(self, name: str) -> np.ndarray:
        """(s,) float32 values of a field."""
        found = self._carry @ np.asarray(self._fields[name](), np.float32)
        return np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)

    def _nodal(self, measure: Callable) -> np.ndarray:
        """Values of elements as means at the nodes, weighted by volume."""
        total = np.zeros(self.sim.world.count)
        for k, energy in enumerate(self.sim.world.elastic):
            if k not in self._average:
                nodes, volume = energy.elements.nodes, energy.elements.volumes
                columns = np.repeat(np.arange(len(nodes)), nodes.shape[1])
                entries = (np.repeat(volume, nodes.shape[1]), (nodes.ravel(), columns))
                spread = sparse.csr_matrix(entries, shape=(energy.local, len(nodes)))
                share = np.maximum(np.asarray(spread.sum(axis=1)).ravel(), 1e-300)
                self._average[k] = sparse.diags(1 / share) @ spread
            total[energy.first : energy.first + energy.local] += self._average[k] @ measure(energy)
        return total

    def _deformation(self, energy) -> np.ndarray:
        """(m, 3, 3) F of each element, the mean of its quadrature points."""
        elements, key = energy.elements, id(energy)
        if key not in self._gradients:
            share = elements.weights / np.maximum(elements.volumes[:, None], 1e-300)
            self._gradients[key] = np.einsum("mq,mqkd->mkd", share, elements.gradients)
        x = self.sim.state.x.numpy()[energy.first : energy.first + energy.local].astype(float)
        return np.matmul(x[elements.nodes].transpose(0, 2, 1), self._gradients[key])

    def _pressure(self, energy) -> np.ndarray:
        """(m,) −tr σ/3 of each element [Pa]: what its energy gains as everything is scaled, −∂Ψ(λF)/∂λ / (3 J) at λ = 1."""
        sim, x = self.sim, self.sim.state.x.numpy().astype(float)
        middle, by = x.mean(axis=0), 1e-5 if sim.device.precision == "f64" else 1e-3
        scaled = lambda share: sim.device.array(middle + share * (x - middle), sim.state.x.dtype)
        more, less = (energy.element_values(scaled(1 + e)).astype(float).copy() for e in (by, -by))
        ratio = np.linalg.det(self._deformation(energy))
        held = np.where(np.abs(ratio) > 1e-6, 3 * ratio * energy.elements.volumes, np.inf)
        return (less - more) / (2 * by) / held

    def _stretch(self, energy) -> np.ndarray:
        """(m,) largest principal stretch: the root of the largest eigenvalue of FᵀF, in closed form."""
        F = self._deformation(energy)
        C = np.matmul(F.transpose(0, 2, 1), F)
        mean = np.trace(C, axis1=1, axis2=2) / 3
        C[:, [0, 1, 2], [0, 1, 2]] -= mean[:, None]
        p = np.sqrt(np.maximum((C * C).sum(axis=(1, 2)) / 6, 1e-300))
        angle = np.arccos(np.clip(np.linalg.det(C / p[:, None, None]) / 2, -1.0, 1.0)) / 3
        return np.sqrt(np.maximum(mean + 2 * p * np.cos(angle), 0.0))


class Range:
    """The values that the colour scale spans: it widens at once and narrows slowly."""

    def __init__(self, name: str, size: float):
        neutral = 1.0 if name in ("stretch", "volume ratio") else 0.0
        least = {"displacement": 1e-3 * size, "speed": 1e-2 * size}.get(name, 1e-2 if neutral else 1e-6)
        self.neutral, self.least, self.signed = neutral, least, name in ("volume ratio", "pressure")
        self.span = 0.0

    def fit(self, values: np.ndarray) -> tuple[float, float]:
        """Take in the values of a frame and return the ends of the scale."""
        away = np.abs(values - self.neutral) if self.signed else values - self.neutral
        last = (
            len(away) - 1 - len(away) // 50
        )  # a hand pulls at few vertices: the topmost 2 % take the end of the scale
        top = float(np.partition(away, last)[last])
        self.span = max(top, FORGET * self.span, self.least)
        return (self.neutral - self.span if self.signed else self.neutral), self.neutral + self.span
