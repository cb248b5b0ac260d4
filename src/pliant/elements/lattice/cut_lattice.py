"""Cut lattice: copies of cells for connected parts of material."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ...errors import InputError
from ...geometry.lattice.cut_cells import Carved
from ...geometry.lattice.fragments import shape_functions, shape_gradients
from ...geometry.mesh.embedded_surface import HeldSurface
from ...geometry.mesh.mesh import TriMesh
from ..base import Made
from ..embedded_surface import Binding, Mixture
from ..inlay import Inlay
from .lattice import Lattice
from .lattice_cells import Cells
from .surface_patches import Patches


@dataclass(frozen=True, eq=False)
class CarvedCells(Cells):
    """Copies of cells; of those in one place a point is in the one whose material it is nearest to."""

    carved: Carved

    def located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        cell, xi = super().located(points)
        place = np.rint((self.lowest - self.lowest.min(axis=0)) / self.spacing).astype(np.int64)
        key = place @ np.cumprod([1, *(place.max(axis=0)[:2] + 1)])
        order = np.argsort(key, kind="stable")
        start = np.searchsorted(key[order], key[cell])
        many = np.searchsorted(key[order], key[cell], "right") - start
        several = np.flatnonzero(many > 1)
        for i in several.tolist():
            copies = order[start[i] : start[i] + many[i]]
            cell[i] = copies[np.argmin(self.carved.away(copies, np.repeat(xi[i][None], len(copies), axis=0)))]
        return cell, xi


@dataclass(frozen=True, eq=False)
class HeldCells(Cells):
    """Cells whose points are known to be in some of them."""

    holders: np.ndarray

    def located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.holders, (points - self.lowest[self.holders]) / self.spacing


@dataclass(frozen=True, eq=False)
class CutLattice(Lattice):
    """What ``Simulation.cut`` makes of a Lattice: cells ``carved``, a ``skin`` to draw, and one ``touching`` others."""

    carved: Carved = None
    skin: HeldSurface = None
    touching: HeldSurface = None

    has_cut = False  # copies lie in one place, so that it has no level set at rest

    def __post_init__(self):
        carved = self.carved
        placed = self.quadrature.place(carved.fragments)
        self._derive(rest=carved.rest, nodes=carved.nodes, gradients=shape_gradients(placed.xi) / self.spacing)
        self._derive(weights=placed.weights * self.spacing**3, places=2 * placed.xi - 1, placed=placed)
        self._derive(edges=np.full(len(carved.nodes), self.spacing), fragments=carved.fragments, lowest=carved.lowest)
        none = carved.fragments.of(np.zeros(0, int))
        self._derive(refinement=self.refine, kept=1.0, dropped=0, slivers=none, sliver_lowest=np.zeros((0, 3)))
        super(Made, self).__post_init__()

    @cached_property
    def cells(self) -> Cells:
        return CarvedCells(self.nodes, self.lowest, self.spacing, len(self.rest), self.carved)

    @cached_property
    def cut(self) -> Patches:
        corners = self.carved.patches
        return Patches(corners, self.carved.patch_of, self.carved.patch_shares, corners.mean(axis=1))

    @property
    def boundary(self) -> Patches:
        raise InputError("a lattice that was cut has no closed boundary to hold weakly; use hold.Rigidly or hold.Springs")

    @property
    def surface(self) -> TriMesh:
        return self.skin

    @property
    def contact_surface(self) -> TriMesh:
        return self.touching

    def grip(self, nodes: np.ndarray, weights: np.ndarray) -> Mixture:
        if len(nodes) <= 8:
            return nodes, weights
        share = np.zeros(len(self.rest))
        np.add.at(share, nodes, np.abs(weights))
        xi = (weights @ self.rest[nodes] - self.lowest) / self.spacing
        near = np.linalg.norm(xi - np.clip(xi, 0.0, 1.0), axis=1)
        cell = np.lexsort((-share[self.nodes].sum(axis=1), near.round(6)))[0]
        return self.nodes[cell], shape_functions(xi[cell])

    def inlaid(self, shape) -> Inlay | None:
        raise InputError("muscles cannot be laid into a lattice that was cut; expected a Lattice, Tets or Hexes")

    def bind(self, mesh: TriMesh) -> Binding:
        if not isinstance(mesh, HeldSurface):
            return super().bind(mesh)
        cells = self._held(mesh)
        return self._bound(mesh, *cells.embedded(mesh.vertices))

    def drawn(self, mesh: TriMesh | None = None) -> Binding:
        mesh = self.surface if mesh is None else mesh
        if not isinstance(mesh, HeldSurface):
            return super().drawn(mesh)
        return self._bound(mesh, *self.embedding.mixtures(self._held(mesh), mesh.vertices))

    def _held(self, mesh: HeldSurface) -> HeldCells:
        return HeldCells(self.nodes, self.lowest, self.spacing, len(self.rest), mesh.holders)


def held_by(lattice: Lattice, mesh: TriMesh) -> HeldSurface:
    """A surface whose vertices know the cells that carry them."""
    if isinstance(mesh, HeldSurface):
        return mesh
    return HeldSurface(mesh.vertices, mesh.triangles, lattice.located(mesh.vertices)[0], looks=mesh.looks)


def carved_of(lattice: Lattice) -> Carved:
    """The cells of a lattice as copies that may be cut."""
    if isinstance(lattice, CutLattice):
        return lattice.carved
    own, cut = lattice.fragments, lattice.cut
    pieces = np.zeros((0, 4, 3)), np.zeros(0, int)
    return Carved(
        lattice.rest, lattice.nodes, lattice.lowest, own.values, own.integrals, *pieces, cut.corners,
        cut.cells, cut.shares, own.subcells, own.rows,
    )  # fmt: skip


def cut_lattice(lattice: Lattice, carved: Carved, skin: HeldSurface, touching: HeldSurface) -> CutLattice:
    """The lattice after a cut."""
    given = {each.name: getattr(lattice, each.name) for each in fields(Lattice) if each.init}
    return CutLattice(**given | {"refine": lattice.refinement, "carved": carved, "skin": skin, "touching": touching})
