"""What a cut leaves of a sheet: the membrane on its new mesh, and vertices that go no further than its energy stays.

A vertex that slides along an edge of a sheet that is folded there takes its other edges through the fold, and shortens them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...cut.mesh_cut import Opened
from ...effects.elasticity.elasticity import Elastic, local_material
from ...elements.sheets.membrane import Membrane
from ...energy.elastic.elastic_energy import ElasticEnergy
from ...geometry.mesh.cut_looks import carried
from ...geometry.mesh.mesh import TriMesh, rows_of
from .cut_energy import LESS, MORE, MUCH, ROUNDING, TRIES

if TYPE_CHECKING:
    from ..simulation import Simulation


def on_sheet(shape: Membrane, done: Opened) -> Membrane:
    """The membrane on its mesh after a cut or a tear; triangles that no vertex of has moved are not computed again."""
    mesh, old = done.mesh, shape.mesh
    if old.looks is not None:
        mesh = replace(mesh, looks=carried(old, mesh.vertices, mesh.triangles))
    if np.array_equal(mesh.vertices, old.vertices[done.origin]):
        return shape.torn(mesh)
    return Membrane(mesh, shape.thickness, shape.bending)


def without_rise_of_sheet(
    simulation: Simulation, index: int, done: Opened, x: np.ndarray, again: Callable[[np.ndarray], Opened]
) -> tuple[Opened, None]:
    """The cut of a sheet with nodes at x (n, 3), whose vertices move as far as its energy of stretching does not rise;
    ``again(share)`` is the cut with vertices that go a share (n,) of their way onto the blade."""
    part = simulation.world.layout.parts[index]
    elastic = [energy for energy in simulation.world["elastic"] if index in energy.parts]
    if len(elastic) != 1 or type(elastic[0]) is not Elastic:
        return done, None
    mesh, share = part.elements.mesh, np.ones(len(x))
    material, rows = local_material(part)
    whole = float(elastic[0].element_values(simulation.state.x).astype(float).sum())
    for attempt in range(TRIES):
        moved = done.moved[: len(x)]
        own = rows_of(moved[mesh.triangles])
        if not len(own):
            break
        nodes, corners = np.unique(mesh.triangles[own], return_inverse=True)

        def energy(X: np.ndarray, places: np.ndarray, own=own, nodes=nodes, corners=corners) -> np.ndarray:
            """(t,) of these triangles."""
            few = Membrane(TriMesh(X[nodes], corners.reshape(-1, 3)), part.elements.thickness, bending=False)
            made = ElasticEnergy(simulation.device, few, material, 0, None if rows is None else rows[own])
            at = simulation.device.array(places[nodes], simulation.device.types.position)
            return made.element_values(at).astype(float).copy()

        stretch = 1.0 + ROUNDING[simulation.device.precision]
        least = MORE * whole + float(energy(mesh.vertices, stretch * mesh.vertices).sum())
        change = energy(done.mesh.vertices, done.carried(x)) - energy(mesh.vertices, x)
        if change.sum() <= least:
            break
        rise = np.zeros(len(x))
        np.add.at(rise, mesh.triangles[own], np.abs(change)[:, None])
        rise[~moved] = 0.0
        last = attempt >= TRIES - 2
        share = np.where(last | (rise > MUCH * rise.max()), 0.0 if last else LESS, 1.0) * share
        done = again(share)
    return done, None
