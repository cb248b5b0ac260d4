"""Grabs: springs from points of bodies to moving targets."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import warp as wp

from ...linear.factor.low_rank import MOST_NODES, LowRank
from ...linear.matrix.block_matrix import BlockMatrix
from ...runtime.device import Device
from ..base import Energy
from ..capabilities import Attached, Fastening, Tearable, Thing
from ..memory import Memory, Parents, Remembers
from ..point_sensitivity import point_sensitivity_kernels
from ..quadratic_bound import Majorised
from ..sensitivity import Differentiable, Slot
from .node_energies import point_kernels


class Grabs(Fastening, Attached, Remembers, Tearable, Majorised, Differentiable, Energy):
    """½ k |Σ wⱼ xⱼ − target|² for a few points that hang on up to ``MOST_NODES`` nodes each: the mouse's springs."""

    name = "grab"
    bounded = True  # while nobody grabs

    def __init__(self, device: Device):
        super().__init__(device)
        self.kernels = point_kernels(device.precision)
        self.points: dict[int, tuple[np.ndarray, np.ndarray, float, np.ndarray]] = {}
        self.pattern: BlockMatrix | None = None
        self.version = 0  # counts changes of anything but the targets
        self._kept: dict[tuple[str, tuple[int, ...]], wp.array] = {}
        self._memory: Memory | None = None
        t = device.types
        self._plain = {wp.int32: np.int32, wp.int64: np.int64, wp.float64: np.float64, t.real: t.numpy, t.vec3: t.numpy}
        self._plain[t.position] = np.float64  # the same as vec3 in double precision
        self._upload()

    def put(self, handle: int, nodes: np.ndarray, weights: np.ndarray, stiffness: float, target: np.ndarray) -> None:
        old = self.points.get(handle)
        self.points[handle] = (nodes, weights, stiffness, target)
        if old is None or old[2] != stiffness or not all(np.array_equal(a, b) for a, b in zip(old, (nodes, weights))):
            self.version += 1
        self._upload()

    def drop(self, handle: int) -> None:
        self.version += self.points.pop(handle, None) is not None
        self._upload()

    def _upload(self) -> None:
        self._memory = None
        t, count = self.device.types, len(self.points)
        nodes, weights = np.zeros((count, MOST_NODES), np.int32), np.zeros((count, MOST_NODES))
        for row, (n, w, _, _) in enumerate(self.points.values()):
            nodes[row, : len(n)], weights[row, : len(w)] = n, w
            nodes[row, len(n) :] = n[0]
        self._nodes, self._weights = nodes, weights
        stiffness = np.array([p[2] for p in self.points.values()])
        target = np.array([p[3] for p in self.points.values()]).reshape(-1, 3)
        group = np.zeros(count) if self.bounds is None else np.searchsorted(self.bounds, nodes[:, 0], "right") - 1
        data = {"nodes": nodes, "weight": weights, "stiffness": stiffness, "target": target, "group": group}
        kinds = {"nodes": wp.int32, "weight": t.real, "stiffness": t.real, "target": t.position, "group": wp.int32}
        for name, values in data.items():
            self._put(name, values, kinds[name])
        if self.pattern is not None:
            self.attach(self.pattern)

    @property
    def memory(self) -> Memory:
        """All points in full precision, whatever that of the device."""
        if self._memory is None:
            points, count = self.points.values(), len(self.points)
            data = {
                "handle": np.array(list(self.points), np.int64),
                "length": np.array([len(p[0]) for p in points], np.int64),
                "nodes": self._nodes.T.astype(np.int64),
                "weight": self._weights.T,
                "stiffness": np.array([p[2] for p in points], float),
                "target": np.array([p[3] for p in points], float).reshape(count, 3).T,
            }
            kinds = {name: wp.int64 if values.dtype.kind == "i" else wp.float64 for name, values in data.items()}
            self._memory = {name: self._room(f"memory of {name}", values, kinds[name]) for name, values in data.items()}
        return self._memory

    def recall(self, memory: Memory) -> None:
        if memory is self._memory:
            return
        parts = [memory[key].numpy() for key in ("handle", "length", "nodes", "weight", "stiffness", "target")]
        handles, lengths, nodes, weights, stiffness, targets = parts
        points = {
            int(handles[i]): (nodes[:n, i], weights[:n, i], float(stiffness[i]), targets[:, i])
            for i, n in enumerate(lengths.tolist())
        }
        for handle in [h for h in self.points if h not in points]:
            self.drop(handle)
        for handle, point in points.items():
            old = self.points.get(handle)
            if old is None or not all(np.array_equal(a, b) for a, b in zip(old, point)):
                self.put(handle, *point)
        if list(self.points) != list(points):  # the order of sums
            self.points = {handle: self.points[handle] for handle in points}
            self._upload()

    def tear(self, where: Any) -> None:
        """Nothing: whoever makes a tear puts the points that follow it."""

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        """Grabs follow their nodes; one that has lost a node lets go."""
        new = np.full(count, -1)
        new[nearest[::-1]] = np.arange(len(nearest))[::-1]
        parts = {key: a.numpy() for key, a in self.memory.items()}
        parts["nodes"] = new[parts["nodes"]]
        whole = (parts["nodes"] >= 0).all(axis=0)
        kinds = {key: a.dtype for key, a in self.memory.items()}
        return {key: self.device.array(values[..., whole], kinds[key]) for key, values in parts.items()}

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        length = saved["length"]
        p = len(length)
        shapes = {"handle": (p,), "length": (p,), "nodes": (MOST_NODES, p), "weight": (MOST_NODES, p)}
        for key, shape in (shapes | {"stiffness": (p,), "target": (3, p)}).items():
            kind = "i" if key in ("handle", "length", "nodes") else "f"
            values = saved[key]
            if values.shape != shape or values.dtype.kind != kind or not np.isfinite(values).all():
                raise ValueError(f"{key} of grabs is {values.dtype} of shape {values.shape}; expected {shape}, finite")
        bounds = {"handle": (0, 2**53), "length": (1, MOST_NODES), "nodes": (0, count - 1)}
        if any(np.any((saved[key] < low) | (saved[key] > high)) for key, (low, high) in bounds.items()):
            raise ValueError("a grab holds a node that does not exist")
        if np.any(saved["stiffness"] <= 0) or len(np.unique(saved["handle"])) != p:
            raise ValueError("the stiffness of a grab is not positive, or two grabs share a handle")

    def attach(self, pattern: BlockMatrix) -> None:
        self.pattern = pattern
        rows = np.repeat(self._nodes, MOST_NODES, axis=1)
        self._put(
            "entry",
            pattern.find(rows, np.tile(self._nodes, (1, MOST_NODES))).reshape(-1, MOST_NODES * MOST_NODES),
            wp.int32,
        )

    def _put(self, name: str, values: np.ndarray, kind: type) -> None:
        setattr(self, name, self._room(name, values, kind))

    def _room(self, name: str, values: np.ndarray, kind: type) -> wp.array:
        """The array kept for this many points, so that recorded launches stay valid as hands come and go."""
        key = (name, values.shape)
        if key in self._kept and values.size:
            self._kept[key].assign(np.asarray(values, dtype=self._plain[kind]))
        else:
            self._kept[key] = self.device.array(values, kind)
        return self._kept[key]

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        if self.points:
            self.device.launch(
                self.kernels.grab_value, 1, self.nodes, self.weight, self.stiffness, self.target, self.group, x, out
            )

    @property
    def recordable(self) -> tuple:
        return (self.version,)

    @property
    def tethers(self) -> LowRank | None:
        if not self.points:
            return None
        stiffness = np.array([p[2] for p in self.points.values()])
        return LowRank(self._nodes, self._weights, stiffness, self.version)

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        place = x.numpy() if self.points else None
        for handle, (nodes, weights, stiffness, target) in self.points.items():
            out = np.zeros(place.shape)
            np.add.at(out, nodes, np.outer(weights, stiffness * (weights @ place[nodes] - target)))
            yield ("hand", handle), out

    def _apply(self, d: wp.array, relative: float, out: wp.array) -> None:
        if self.points:
            self.device.launch(
                self.kernels.grab_gradient, 1, self.nodes, self.weight, self.stiffness, self.target, relative, d, out
            )

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._apply(x, 1.0, out)

    def tangent(self, x: wp.array, d: wp.array, out: wp.array, project: bool = False) -> None:
        self._apply(d, 0.0, out)

    def blocks(self, x: wp.array, pattern: BlockMatrix, project: bool = True) -> None:
        if self.points:
            self.device.launch(self.kernels.grab_blocks, 1, self.entry, self.weight, self.stiffness, pattern.values)

    def local_step(self, x: wp.array, out: wp.array) -> bool:
        return not self.points  # its springs are not in the laplacian

    @property
    def parameters(self) -> dict[str, Slot]:
        """Those of the hands at work; when one comes or goes the arrays are others."""
        t, count = self.device.types, len(self.points)
        return {"stiffness": Slot((count,), t.real), "target": Slot((count,), t.vec3)} if count else {}

    def sensitivity(self, x: wp.array, d: wp.array, into: dict[str, wp.array]) -> None:
        if self.points and into:
            t = self.device.types
            out = (into.get("stiffness", self.device.none(t.real)), into.get("target", self.device.none(t.vec3)))
            springs = (self.nodes, self.weight, 1, self.stiffness, self.target)
            kernel = point_sensitivity_kernels(self.device.precision).of_springs
            self.device.launch(kernel, len(self.points), *springs, x, d, *out)
