"""Every law, with the numbers it is tested at, and a way to evaluate any of them at many F at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from pliant import material, meshes
from pliant.elements.base import Elements
from pliant.elements.quadratic_tets import QuadraticTets
from pliant.elements.sheets.membrane import Membrane
from pliant.elements.springs import Springs
from pliant.elements.tets import Tets
from pliant.energy.base import Energy
from pliant.energy.capabilities import Attached
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from pliant.geometry.mesh.primitives import cloth_grid, tet_grid
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.material.base import Elastic, Material
from pliant.runtime.device import Device

YOUNG, POISSON = 1.0e4, 0.3
_DIRECTION = (0.6, -0.64, 0.48)


def law(name: str, young: float = YOUNG, poisson: float = POISSON) -> Material:
    """One example of the law of this name; every name of ``material.__all__`` works, also one added later."""
    cls = getattr(material, name)
    special = {
        "Arap": {"young": young},
        "Fibres": {"stiffness": young, "direction": _DIRECTION},
        "Muscle": {"peak_stress": young, "activation": 0.7, "direction": _DIRECTION},
        # limits that no stretch of the states below is near, since the tangent jumps there
        "StrainLimit": {"stiffness": young, "low": 0.93, "high": 1.06},
        "VolumePreservation": {"stiffness": young},
    }
    if name == "ValanisLandel":
        return cls.neo_hookean_like(young, poisson, compression=2.0, tension=1.5)
    return cls(**special.get(name, {"young": young, "poisson": poisson}))


LAWS = tuple(material.__all__)
SUMS = {
    "StableNeoHookean+Fibres": lambda: law("StableNeoHookean") + law("Fibres"),
    "Corotated+NeoHookean": lambda: law("Corotated") + law("NeoHookean"),
    "NeoHookean+Fibres+Muscle": lambda: law("NeoHookean") + law("Fibres") + law("Muscle"),
    "Arap+StrainLimit+VolumePreservation": lambda: law("Arap") + law("StrainLimit") + law("VolumePreservation"),
    "NeoHookean+StrainLimit": lambda: law("NeoHookean") + law("StrainLimit"),
}
EVERY = (*LAWS, *SUMS)
ELASTIC = tuple(n for n in LAWS if issubclass(getattr(material, n), Elastic))
# the shapes that cost compile time are tried with a few laws of different make
SHEETS = ("Corotated", "NeoHookean", "StableNeoHookean", "Ogden", "StableNeoHookean+Fibres")
THREADS = ("Corotated", "NeoHookean", "StVenantKirchhoff")
PROJECTIVE = tuple(n for n in LAWS if law(n).projective is not None)
SOLIDS = ("Corotated", "StableNeoHookean")
TEN = 10  # in place of a dimension: solids of ten-node tets
# laws whose sheets and threads do not thin, alone and beside some that do
FLAT = ("StrainLimit", "VolumePreservation", "Arap+StrainLimit+VolumePreservation", "NeoHookean+StrainLimit")


def make(name: str) -> Material:
    """The law or sum of laws of this name."""
    return SUMS[name]() if name in SUMS else law(name)


class Samples:
    """A law on m separate elements whose F are given: ψ, P and ∂P/∂F through the kernels that simulations use.

    Rest elements have nodes at −e₁, −e₂, −e₃ and the origin, so gradients of shape functions are −eᵢ and the forces on
    the first nodes are minus the columns of P. ``dimension`` 2 and 1 use the first two and the first column of F.
    """

    def __init__(self, law: Material, count: int, dimension: int = 3, precision: str = "f64", place: str = "cpu"):
        self.device = Device(place, precision)
        self.count, self.columns = count, dimension
        corner = np.concatenate([-np.eye(3)[:dimension], np.zeros((1, 3))])
        rest = np.tile(corner, (count, 1))
        nodes = np.arange(count * (dimension + 1)).reshape(count, -1)
        if dimension == 3:
            elements = Tets(TetMesh(rest, nodes))
        elif dimension == 2:
            elements = Membrane(TriMesh(rest, nodes), thickness=1.0)
        else:
            elements = Springs(EdgeMesh(rest, nodes), radius=1.0)
        self.volume = elements.volumes[0]
        self.elastic = ElasticEnergy(self.device, elements, law)

    def _positions(self, F: np.ndarray, kind: type | None = None):
        x = np.zeros((self.count, self.columns + 1, 3))
        x[:, :-1] = -np.swapaxes(F[:, :, : self.columns], 1, 2)
        return self.device.array(x.reshape(-1, 3), kind or self.device.types.position)

    def _matrix(self, forces) -> np.ndarray:
        corners = forces.numpy().astype(float).reshape(self.count, self.columns + 1, 3)
        P = np.zeros((self.count, 3, 3))
        P[:, :, : self.columns] = -np.swapaxes(corners[:, :-1], 1, 2) / self.volume
        return P

    def energy(self, F: np.ndarray) -> np.ndarray:
        """(m,) ψ [Pa]."""
        return self.elastic.element_values(self._positions(F)).astype(float) / self.volume

    def stress(self, F: np.ndarray) -> np.ndarray:
        """(m, 3, 3) P [Pa]."""
        x = self._positions(F)
        out = self.device.zeros(x.shape[0], self.device.types.vec3)
        self.elastic.gradient(x, out)
        return self._matrix(out)

    def tangent(self, F: np.ndarray, dF: np.ndarray, project: bool = False) -> np.ndarray:
        """(m, 3, 3) ∂P/∂F : dF [Pa]."""
        x, d = self._positions(F), self._positions(dF, self.device.types.vec3)
        out = self.device.zeros(x.shape[0], self.device.types.vec3)
        self.elastic.tangent(x, d, out, project=project)
        return self._matrix(out)

    def stiffness(self, F: np.ndarray, project: bool) -> np.ndarray:
        """(m, 9, 9) ∂P/∂F from the assembled blocks, row and column 3 r + i standing for entry (r, i)."""
        pattern = BlockMatrix(self.device, self.count * (self.columns + 1), [self.elastic.cells()])
        self.elastic.attach(pattern)
        self.elastic.blocks(self._positions(F), pattern, project=project)
        values = pattern.values.numpy().astype(float)
        nodes = self.elastic.cells()
        M = np.zeros((self.count, 3, 3, 3, 3))
        for i in range(self.columns):
            for j in range(self.columns):
                M[:, :, i, :, j] = values[pattern.find(nodes[:, i], nodes[:, j])] / self.volume
        return M.reshape(self.count, 9, 9)


def rotations(count: int, seed: int) -> np.ndarray:
    """(count, 3, 3) random rotations."""
    Q, R = np.linalg.qr(np.random.default_rng(seed).standard_normal((count, 3, 3)))
    Q = Q * np.sign(np.einsum("mii->mi", R))[:, None, :]
    Q[:, :, 0] *= np.linalg.det(Q)[:, None]
    return Q


def stretched(stretches: np.ndarray, seed: int) -> np.ndarray:
    """(m, 3, 3) F with the given principal stretches (m, 3) between random rotations."""
    m = len(stretches)
    return np.einsum("mij,mj,mkj->mik", rotations(m, seed), stretches, rotations(m, seed + 1))


def upright(count: int, seed: int) -> np.ndarray:
    """Random F with det F > 0, principal stretches in 0.55 … 1.6."""
    return stretched(np.random.default_rng(seed).uniform(0.55, 1.6, (count, 3)), seed + 10)


def inverted(count: int, seed: int) -> np.ndarray:
    """Random F with det F < 0, away from the set where the polar rotation jumps (two stretches cancel)."""
    random = np.random.default_rng(seed)
    s = random.uniform([0.8, 0.7, -0.5], [1.5, 1.4, -0.05], (count, 3))
    return stretched(s, seed + 10)


def special() -> np.ndarray:
    """F where formulas divide by zero if written carelessly: rest, rotations, equal and nearly equal stretches."""
    s = np.array(
        [
            [1, 1, 1],
            [1, 1, 1],
            [1.2, 1.2, 1.2],
            [1.3, 1.3, 0.8],
            [1.3, 0.8, 0.8],
            [1.1, 1.1 + 3e-7, 0.9],
            [1.1, 1.1 + 3e-5, 0.9],
        ],
        dtype=float,
    )
    F = stretched(s, 77)
    F[0] = np.eye(3)
    return F


def states(law: Material, seed: int = 0) -> np.ndarray:
    """Random F fit for this law, inverted ones among them where it is inversion-safe."""
    parts = [upright(20, seed), special()]
    if law.inversion_safe:
        parts.append(inverted(12, seed + 1))
    return np.concatenate(parts)


def crooked(cells: tuple[int, int, int] = (3, 2, 2), seed: int = 3) -> TetMesh:
    """A small box of tets with every vertex moved a little, so that no symmetry hides a mistake."""
    mesh = tet_grid((0.3, 0.2, 0.2), cells, 6)
    X = mesh.vertices + 0.012 * np.random.default_rng(seed).standard_normal(mesh.vertices.shape)
    return TetMesh(X, mesh.tets)


def body_of(name: str, dimension: int) -> Elements:
    """Crooked elements for the law of this name: a block of tets, of bent ten-node ones (TEN), a flat sheet, or a net."""
    if dimension == 3:
        return Tets(crooked())
    random = np.random.default_rng(4)
    if dimension == TEN:
        ten = crooked((2, 2, 2)).quadratic()
        return QuadraticTets(replace(ten, vertices=ten.vertices + 0.003 * random.standard_normal(ten.vertices.shape)))
    if dimension == 2:
        cloth = cloth_grid((0.3, 0.3), (4, 4))
        inside = np.ones(2) * 0.012
        X = cloth.vertices + np.column_stack(
            [inside * random.standard_normal((len(cloth.vertices), 2)), np.zeros(len(cloth.vertices))]
        )
        return Membrane(TriMesh(X, cloth.triangles), thickness=2e-3)
    net = meshes.net((0.3, 0.3), (3, 3))
    return Springs(EdgeMesh(net.vertices + 0.01 * random.standard_normal(net.vertices.shape), net.edges), radius=2e-3)


def brick(cells: tuple[int, int, int], size: float) -> Elements:
    """Trilinear cells side by side, integrated with 2×2×2 Gauss points."""
    corner = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    counts = np.array(cells) + 1
    index = np.stack(np.meshgrid(*[np.arange(n) for n in counts], indexing="ij"), -1).reshape(-1, 3)
    first = np.stack(np.meshgrid(*[np.arange(n) for n in cells], indexing="ij"), -1).reshape(-1, 1, 3)
    nodes = (first + corner) @ [counts[1] * counts[2], counts[2], 1]
    points = (2 * corner - 1) / np.sqrt(12) + 0.5
    shape = np.where(corner > 0, points[:, None], 1 - points[:, None])
    parts = [(2 * corner[:, a] - 1) * np.prod(np.delete(shape, a, axis=2), axis=2) for a in range(3)]
    gradients = np.stack(parts, axis=2) / size
    return Elements(index * size, nodes, np.tile(gradients, (len(nodes), 1, 1, 1)), np.full((len(nodes), 8), size**3 / 8))


class Gathered:
    """One energy on its own: value and forces as NumPy, for positions as NumPy."""

    def __init__(self, energy: Energy, device: Device, beside: Energy | None = None):
        """``beside`` is an energy on the same nodes whose cells give the sparsity pattern, where this one has none."""
        self.energy, self.device, self.beside = energy, device, beside

    def array(self, x: np.ndarray):
        return self.device.array(x, self.device.types.position)

    def value(self, x: np.ndarray) -> float:
        return self.energy.value(self.array(x))

    def gradient(self, x: np.ndarray) -> np.ndarray:
        out = self.device.zeros(len(x), self.device.types.vec3)
        self.energy.gradient(self.array(x), out)
        return out.numpy().astype(float)

    def tangent(self, x: np.ndarray, d: np.ndarray, project: bool = False) -> np.ndarray:
        out = self.device.zeros(len(x), self.device.types.vec3)
        self.energy.tangent(self.array(x), self.device.array(d, self.device.types.vec3), out, project=project)
        return out.numpy().astype(float)

    def matrix(self, x: np.ndarray, project: bool = False) -> np.ndarray:
        """(3n, 3n) Hessian from the assembled blocks."""
        energies = [e for e in (self.energy, self.beside) if e is not None]
        n = len(x)
        pattern = BlockMatrix(self.device, n, [e.cells() for e in energies if e.cells() is not None])
        for energy in energies:
            if isinstance(energy, Attached):
                energy.attach(pattern)
        self.energy.blocks(self.array(x), pattern, project=project)
        values = pattern.values.numpy().astype(float)
        return sparse.bsr_matrix((values, pattern.columns, pattern.row_start), (3 * n, 3 * n)).toarray()


def elastic(name: str, dimension: int = 3, precision: str = "f64", elements: Elements | None = None) -> Gathered:
    """The elastic energy of a law on crooked elements, or on those given."""
    device = Device("cpu", precision)
    return Gathered(ElasticEnergy(device, elements or body_of(name, dimension), make(name)), device)
