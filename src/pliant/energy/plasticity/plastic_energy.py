"""Elastic energy of a plastic body, with flow as memory."""

from __future__ import annotations

import numpy as np
import warp as wp

from ...elements.base import Elements, Form
from ...material.base import Material
from ...material.mean_stiffness import fitted_stiffness
from ...material.parameter_rows import Stacked
from ...material.plasticity.plastic_law import ELASTIC, OWN
from ...runtime.device import Device
from ..base import Step
from ..elastic.elastic_energy import GRAIN, ElasticEnergy
from ..elastic.point_stress import gradients_at_points
from ..memory import Memory, Parents, Remembers
from ..sensitivity import Slot
from .plastic_kernels import plastic_kernels

BEGINS = (
    "plastic flow depends on the history of a body and has no derivative at the yield stress; expected bodies without Plastic(…)"
)


class Clock:
    """How long a step is, of schemes that solve for its end and of those that solve nothing."""

    _since: float | None = None  # when the step began
    _interval = 0.0  # how long it is, of schemes that solve nothing

    def set_clock(self, step: Step) -> None:
        """A step begins."""
        self._since = step.time - step.lasts if step.lasts > 0 else None
        self._interval = 1 / step.rate if step.rate > 0 else 0.0

    def seconds(self, time: float) -> float:
        """The length of the step that ends at ``time`` [s]."""
        return self._interval if self._since is None else time - self._since


class Flowing(Clock, Remembers, ElasticEnergy):
    """Elements of one plastic law: what is alike however strain is divided. ``memory`` is over points and elements."""

    undifferentiable = BEGINS

    @property
    def parameters(self) -> dict[str, Slot]:
        return {}

    def __init__(self, device: Device, elements: Elements, material: Material, first: int = 0, rows: np.ndarray | None = None):
        super().__init__(device, general(elements), material, first, rows)
        t, points = device.types, (self.q, self.count)
        self.flowing = plastic_kernels(material, self.k, self.q, elements.dimension, device.precision)
        columns = _columns(material)
        self._shape = columns.shape
        self.columns = device.array(columns, t.vector(columns.shape[1]))
        self._own, self.rows = self.rows, device.array(np.arange(self.q * self.count), wp.int32)
        self.table = device.zeros(self.q * self.count, self.table.dtype)
        self.alpha = device.zeros(points, wp.float64)
        self._start(points)
        self._derive()

    def _start(self, points: tuple[int, int]) -> None:
        """Make what remembers the flow at all points."""
        raise NotImplementedError(f"{type(self).__name__} needs _start(points), as every Flowing has")

    def _derive(self, seconds: float = 0.0) -> None:
        """Make gradients and parameters those of a step of so many ``seconds``, or of a state, in which nothing flows, for 0."""
        raise NotImplementedError(f"{type(self).__name__} needs _derive(seconds), as every Flowing has")

    def _flow(self, x: wp.array, seconds: float) -> None:
        """Let it flow for so long, the nodes being at ``x`` at the end."""
        raise NotImplementedError(f"{type(self).__name__} needs _flow(x, seconds), as every Flowing has")

    # --- life

    def recall(self, memory: Memory) -> None:
        super().recall(memory)
        self._derive()

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """All of it: a cut leaves the elements in their places. On other elements it begins anew."""
        return {name: wp.clone(a) for name, a in self.memory.items()}

    def begin(self, step: Step) -> None:
        self.set_clock(step)
        self._derive(step.lasts)

    def accept(self, x: wp.array, time: float) -> None:
        """Flow to the end of the step."""
        self._flow(x, self.seconds(time))
        self._derive()

    def set_parameters(self, material: Material) -> None:
        table = _columns(material)
        self.check_same_law(material, table.shape == self._shape)
        self.columns.assign(table.astype(self.device.types.numpy))
        self.material = material
        self.version += 1
        self._derive()

    def laplacian_factors(self) -> np.ndarray:
        """That of the elastic law about the rest shape: flow makes no tangent stiffer, and L only shapes the way down."""
        materials = self.material.materials if isinstance(self.material, Stacked) else (self.material,)
        every = [np.broadcast_to(fitted_stiffness(m.law, self.elements.dimension), len(m.table())) for m in materials]
        return self.weights_times(np.concatenate(every), self._own.numpy())


class PlasticEnergy(Flowing):
    """F = Fe Fp. An element sees Fp through its gradients, F Fp⁻¹ = Σ xᵢ ⊗ Fp⁻ᵀ∇Nᵢ, so that no kernel of elasticity knows of it.

    Within a step the law is that of material/plasticity/plastic_functions.py, which flows as x does; between steps nothing flows.
    """

    def _start(self, points: tuple[int, int]) -> None:
        self._rest = wp.clone(self.grad)
        self.Fp = self.device.array(np.broadcast_to(np.eye(3), (*points, 3, 3)), wp.mat33d)

    @property
    def memory(self) -> Memory:
        return {"Fp": self.Fp, "alpha": self.alpha}

    def _derive(self, seconds: float = 0.0) -> None:
        elastic = 0.0 if seconds > 0 else ELASTIC
        values = (self._rest, self.columns, self._own, seconds, elastic, self.Fp, self.alpha, self.grad, self.table)
        self.device.launch(self.flowing.derive, self.count, *values, grain=GRAIN)

    def _flow(self, x: wp.array, seconds: float) -> None:
        self._derive(seconds)
        mesh = (self.nodes, self.grad, self.scale, self.table)
        self.device.launch(self.flowing.flow, self.count, *mesh, x, self.Fp, self.alpha, grain=GRAIN)

    # --- what can be seen of it

    @property
    def static_table(self) -> wp.array:
        table = self.material.table()
        table[:, -OWN] = ELASTIC
        return self.device.array(table, self.table.dtype)

    @property
    def static_rows(self) -> np.ndarray:
        return self._own.numpy()

    def deformed(self, x: np.ndarray) -> np.ndarray:
        """(m, q, 3, 3) Fe of nodes at x (n, 3)."""
        return gradients_at_points(self.elements, x) @ np.linalg.inv(self.Fp.numpy().transpose(1, 0, 2, 3))


class AdditiveEnergy(Flowing):
    """ε = ε_e + ε_p. Steps are elastic, and what has flowed is among the parameters of each point
    (material/plasticity/additive_plasticity.py)."""

    def _start(self, points: tuple[int, int]) -> None:
        self.Ep = self.device.zeros(points, wp.mat33d)

    @property
    def memory(self) -> Memory:
        return {"Ep": self.Ep, "alpha": self.alpha}

    def _derive(self, seconds: float = 0.0) -> None:
        self.device.launch(self.flowing.derive, self.count, self.columns, self._own, self.Ep, self.table, grain=GRAIN)

    def begin(self, step: Step) -> None:
        self.set_clock(step)

    def _flow(self, x: wp.array, seconds: float) -> None:
        mesh = (self.nodes, self.grad, self.scale, self.columns, self._own, self.table, seconds)
        self.device.launch(self.flowing.flow, self.count, *mesh, x, self.Ep, self.alpha, grain=GRAIN)


def general(elements: Elements) -> Elements:
    """The same elements with gradients of their own at each point, which can be turned; cubic cells have none."""
    if elements.form is Form.GENERAL:
        return elements
    shape = (elements.rest, elements.nodes, elements.gradients, elements.weights, elements.dimension)
    return Elements(*shape, recovery=elements.recovery)


def _columns(material: Material) -> np.ndarray:
    """The rows of all materials, see Plastic.columns."""
    if isinstance(material, Stacked):
        return np.vstack([part.columns() for part in material.materials])
    return material.columns()
