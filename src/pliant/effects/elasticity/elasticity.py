"""Elasticity of all parts, one energy for each law and element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import warp as wp

from ...elements.base import Elements
from ...energy.base import Energy
from ...energy.capabilities import DoublePrecision, Observable, Tearable, Viscous
from ...energy.damping.damping_energy import Viscosity
from ...energy.elastic.elastic_energy import GRAIN, ElasticEnergy
from ...energy.elastic.elastic_kernels import FIELDS
from ...energy.elastic.point_stress import strain_at_points, stress_at_points
from ...energy.sensitivity import Public
from ...errors import InputError, first_few
from ...material.base import Material
from ...material.initial_modulus import initial_modulus
from ...material.law_sum import Combined
from ...material.laws.dapd_law import Dapd
from ...material.parameter_gradients import Gradients
from ...material.parameter_rows import Stacked
from ...material.plasticity.plastic_law import Plastic
from ...runtime.device import Device
from ...runtime.vectors import vector_kernels
from ..effect_layout import Layout, Part
from .damping import DampsParts, inner_damping
from .volume_averaging import averages, split

VALUES = ()
TREMBLE = 0.05  # of the weight of a node: forces that rounding may make of nothing
GRAVITY = 9.81  # [m/s²] for that


@dataclass(frozen=True, eq=False)
class Piece:
    """The elements of one part, its material and the parameter rows of its elements.

    ``kind`` is what must agree beside the law and the shape of the elements.
    """

    part: Part
    elements: Elements
    material: Material
    rows: np.ndarray | None
    kind: tuple = ()

    @property
    def key(self) -> tuple:
        e, m = self.elements, self.material
        recovery = b"" if e.recovery is None else e.recovery.tobytes()
        shape = (e.nodes.shape[1], e.gradients.shape[1], e.dimension, e.form, e.held_whole, recovery)
        return (*shape, m.key, m.width, m.barrier, *self.kind)


class MergedElastic(ElasticEnergy):
    """Elastic energy of the parts numbered ``parts``; ``law`` says what material each of them has here."""

    def __init__(self, device: Device, rest: np.ndarray, pieces: Sequence[Piece]):
        self.parts = tuple(piece.part.index for piece in pieces)
        self._given = tuple(piece.part.material for piece in pieces)
        self.sizes = tuple(piece.elements.count for piece in pieces)
        self.rigid_rows = tuple(piece.part.first for piece in pieces if piece.elements.held_whole)
        super().__init__(device, *_joined(rest, pieces))

    def law(self, part: Part) -> Material:
        return local_material(part)[0]

    def adopt(self, layout: Layout) -> None:
        parts = [layout.parts[i] for i in self.parts]
        given = tuple(part.material for part in parts)
        if any(now is not before for now, before in zip(given, self._given)):
            self._given = given
            self.set_parameters(_stacked([self.law(part) for part in parts]))

    def split(self, gradient: np.ndarray) -> list[np.ndarray]:
        """The rows of each part."""
        return self.material.split(gradient) if isinstance(self.material, Stacked) else [gradient]

    def pulled_back(self, layout: Layout, gradients: dict[str, np.ndarray]) -> Public:
        parts = [layout.parts[i] for i in self.parts]
        by_part = zip(parts, self.split(gradients["table"]))
        every = [(part, local_pulled_back(part, local_material(part)[0].pulled_back(g))) for part, g in by_part]
        return {(part.index, name): value for part, by_name in every for name, value in by_name.items()}


class PartsViscosity(DampsParts, Viscosity):
    """Viscosity of the elements of parts."""

    of_damping = "viscosity"


class Elastic(Observable, Viscous, MergedElastic, Tearable):
    """Elastic energy of the parts' own elements."""

    def viscous(self, eta: float, count: int) -> Energy:
        return PartsViscosity(self.device, self, eta)

    def __init__(self, device: Device, rest: np.ndarray, pieces: Sequence[Piece]):
        super().__init__(device, rest, pieces)
        self.averaged = any(averages(piece.part) for piece in pieces)

    def tear(self, layout: Layout) -> None:
        self.on_more_nodes(layout.parts[self.parts[0]].elements)

    @property
    def tears(self) -> bool:
        return len(self.parts) == 1 and type(self).follow is ElasticEnergy.follow

    def element_field(self, name: str, x: wp.array) -> np.ndarray:
        recovery = self.elements.recovery
        if name in FIELDS and recovery is None:
            return self.element_mean(name, x)
        if name in FIELDS:
            at_points = [self.element_mean(name, x, point).copy() for point in range(self.q)]
            at_nodes = np.stack(at_points, axis=1) @ recovery.T
            return np.maximum(at_nodes, 0.0) if name == "stress" else at_nodes
        return self.element_values(x) / self.elements.volumes

    def element_tensor(self, kind: str, x: wp.array) -> np.ndarray:
        place, e = x.numpy()[self.first :], self.elements
        points = stress_at_points(self, place) if kind == "stress" else strain_at_points(e, place)
        if e.recovery is not None:
            return np.einsum("kq,mqij->mkij", e.recovery, points)
        return np.einsum("mq,mqij->mij", e.weights / e.volumes[:, None], points)


class ElasticInDouble(DoublePrecision, Elastic):
    """Elastic energy of stiff parts in single precision: values and forces are found in double precision, then rounded.

    A strain of 6e-8, by which a deformation gradient is rounded, would be a tenth of the weight of a rigid body, or as much as
    that of a block of 1 GPa with edges of 1 cm.
    """

    def __init__(self, device: Device, rest: np.ndarray, pieces: Sequence[Piece]):
        super().__init__(device, rest, pieces)
        self._double = ElasticEnergy(Device(device.name, "f64"), *_joined(rest, pieces))

    @property
    def _simd(self) -> bool:
        return False

    def set_parameters(self, material: Material) -> None:
        super().set_parameters(material)
        self._double.set_parameters(material)

    def reserve(self, count: int) -> None:
        super().reserve(count)
        self._double.reserve(count)

    def on_more_nodes(self, elements: Elements) -> None:
        super().on_more_nodes(elements)
        self._double.on_more_nodes(elements)

    def _fill_values(self, x: wp.array) -> None:
        exact = self._double
        self.device.launch(exact.kernels.energy, self.count, *exact._mesh(), x, exact.scalar, grain=GRAIN)

    def element_values(self, x: wp.array) -> np.ndarray:
        self._fill_values(x)
        return self._double.scalar.numpy()

    def add_values(self, out: wp.array) -> None:
        self.sums.add_to(out, 1.0, vector_kernels("f64").sum_chunk, self._double.scalar)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self._exact_forces(self._double.kernels.gradient, x)
        self.gather(out)

    def evaluate_with_gradient(self, x: wp.array, out: wp.array, gradient: wp.array) -> None:
        self._exact_forces(self._double.kernels.energy_gradient, x, self._double.scalar)
        self.gather(gradient)
        self.add_values(out)

    def _exact_forces(self, kernel: wp.Kernel, *args: wp.array) -> None:
        exact = self._double
        self.device.launch(kernel, self.threads, *exact._mesh(), *args, exact.fold, exact.corner, grain=GRAIN)
        rounding = vector_kernels(self.device.precision).round_vectors
        self.device.launch(rounding, len(self.corner_flat), exact.corner_flat, self.corner_flat, grain=4 * GRAIN)


def needs_double(piece: Piece) -> bool:
    """Whether the rounding of strains in single precision makes forces of more than ``TREMBLE`` of the weight of the nodes.

    A corner of an element with volume V has a weight of ρ g V / k, and with a strain of ε a force of ε E V |∇N|."""
    density = float(np.min(piece.material.density))
    steepest = float(np.median(np.linalg.norm(piece.elements.gradients, axis=-1).max(axis=(1, 2))))
    force = np.finfo(np.float32).eps * initial_modulus(piece.material) * steepest
    return piece.elements.held_whole or force * piece.elements.nodes.shape[1] > TREMBLE * density * GRAVITY


def merged(kind: type[MergedElastic], device: Device, layout: Layout, pieces: Sequence[Piece]) -> list:
    """The energies of all pieces, those alike in one."""
    alike: dict[tuple, list[Piece]] = {}
    for piece in pieces:
        alike.setdefault(piece.key, []).append(piece)
    return [kind(device, layout.rest, group) for group in alike.values()]


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    parts = [part for part in layout.parts if not isinstance(part.material, Plastic | Dapd)]
    pieces = [Piece(part, part.elements, *local_material(part), inner_damping(part)) for part in parts]
    if device.precision == "f64":
        return merged(Elastic, device, layout, pieces)
    stiff, others = [p for p in pieces if needs_double(p)], [p for p in pieces if not needs_double(p)]
    return [*merged(Elastic, device, layout, others), *merged(ElasticInDouble, device, layout, stiff)]


def local_material(part: Part) -> tuple[Material, np.ndarray | None]:
    """The part's material with its parameter rows; on a sheet, fibre directions are laid into each triangle's plane."""
    material, elements = part.material, part.elements
    rows = part.rows() if len(material.table()) > 1 else None
    if averages(part):
        return split(part)[0], rows
    if elements.normals is None or material.isotropic:
        return material, rows
    normal = elements.normals
    every = np.zeros(elements.count, int) if rows is None else rows
    laws = []
    for law in material.terms:
        own = {name: value[every] for name, value in law.parameters().items() if np.size(value) > 1}
        if not law.isotropic:
            direction = np.atleast_2d(law.direction)
            direction = direction[every] if len(direction) > 1 else np.repeat(direction, elements.count, axis=0)
            flat = direction - np.einsum("ij,ij->i", direction, normal)[:, None] * normal
            across = np.flatnonzero(np.linalg.norm(flat, axis=1) < 1e-3)
            if len(across):
                raise InputError(
                    f"{law.name}: the direction is normal to {len(across)} of {elements.count} triangles, first at "
                    f"{first_few(across)}; expected one in the plane of the sheet"
                )
            own["direction"] = flat
        laws.append(replace(law, **own) if own else law)
    return (laws[0] if len(laws) == 1 else Combined(laws=tuple(laws))), np.arange(elements.count)


def local_pulled_back(part: Part, gradients: Gradients) -> Gradients:
    """Gradients by the parameters of the part's material for those by the parameters of ``local_material``."""
    material = part.material
    if averages(part):
        return material.pulled_back_volume(gradients, 0.0 * np.asarray(split(part)[1]))
    by_name, rows = {}, part.rows()
    for name, value in material.parameters().items():
        by = gradients[name]
        if by.shape != np.shape(value):  # one for each triangle, of values for all or for each region
            by = np.bincount(np.zeros(len(by), int) if np.size(value) == 1 else rows, by, np.size(value))
        by_name[name] = by
    return by_name


def _stacked(materials: Sequence[Material]) -> Material:
    """One table for all."""
    return materials[0] if len(materials) == 1 else Stacked(materials=tuple(materials))


def _joined(rest: np.ndarray, pieces: Sequence[Piece]) -> tuple[Elements, Material, int, np.ndarray | None]:
    """Elements, material, first row and parameter rows of all pieces together."""
    if len(pieces) == 1:
        piece = pieces[0]
        return piece.elements, piece.material, piece.part.first, piece.rows
    elements = Elements(
        rest,
        np.concatenate([p.elements.nodes + p.part.first for p in pieces]),
        np.concatenate([p.elements.gradients for p in pieces]),
        np.concatenate([p.elements.weights for p in pieces]),
        pieces[0].elements.dimension,
        *(
            np.concatenate([getattr(p.elements, name) for p in pieces]) if pieces[0].elements.cubic else None
            for name in ("places", "edges")
        ),
        recovery=pieces[0].elements.recovery,
        plane_strain=pieces[0].elements.plane_strain,
    )
    material = _stacked([p.material for p in pieces])
    own = [np.zeros(p.elements.count, int) if p.rows is None else p.rows for p in pieces]
    rows = np.concatenate([rows + start for rows, start in zip(own, material.starts)])
    return elements, material, 0, rows
