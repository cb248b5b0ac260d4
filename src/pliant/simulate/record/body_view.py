"""Views of the bodies of a running simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InputError
from ...geometry.mesh.mesh import TriMesh
from .muscle_view import MuscleView
from .pressure_smoothness import Smoothness, smoothness
from .run import Skin
from .surface_embedding import skin_of

if TYPE_CHECKING:
    from ..simulation import Simulation


class BodyView:
    """One body of a running simulation: its nodes' rows, positions and velocities."""

    def __init__(self, simulation: Simulation, index: int):
        self._simulation, self.index = simulation, index
        self.name = simulation.scene.names[index]
        self.rows = slice(int(simulation.world.starts[index]), int(simulation.world.starts[index + 1]))

    def __repr__(self) -> str:
        return f"BodyView({self.name!r}, {self.rows.stop - self.rows.start:,} nodes)"

    @property
    def x(self) -> np.ndarray:
        """(n, 3) positions [m]."""
        return self._simulation.x[self.rows]

    @property
    def v(self) -> np.ndarray:
        """(n, 3) velocities [m/s]."""
        return self._simulation.v[self.rows]

    @property
    def surface(self) -> np.ndarray:
        """(s, 3) positions of the drawn surface's vertices [m]."""
        return self._simulation.skins[self.index].of(self._simulation.x)

    @property
    def muscles(self) -> dict[str, MuscleView]:
        """Name → the muscle: its activation, fibre stretch, tension and volume."""
        energies = [energy for energy in self._simulation.world["muscles"] if energy.part == self.index]
        muscles = [(energy, i, m.name) for energy in energies for i, m in enumerate(energy.muscles)]
        return {name: MuscleView(energy, i, lambda: self.x) for energy, i, name in muscles}

    def pressure_smoothness(self) -> Smoothness:
        """How rough the pressures of the cells of a lattice with ``volume=Averaged()`` are, and how much of it alternates."""
        shape = self._simulation.scene.bodies[self.index].shape
        volumes = [energy for energy in self._simulation.world["volume"] if energy.parts == (self.index,)]
        if not volumes or not shape.cubic:
            raise InputError(
                f"pressure_smoothness() of {self.name!r}: {type(shape).__name__} keeps no pressures; expected "
                "Lattice(…, volume=Averaged())"
            )
        return smoothness(shape.cells, volumes[0].pressures(self._simulation.state.x).astype(float))

    def carried(self, surface: TriMesh, name: str, colour: str | None = None) -> Skin:
        """A surface embedded in a solid body, such as that of a muscle, for ``Run.drawn``; ``colour`` is "#rrggbb"."""
        shape = self._simulation.scene.bodies[self.index].shape
        if not isinstance(surface, TriMesh) or shape.dimension != 3:
            raise InputError(f"carried(surface={type(surface).__name__}): expected a TriMesh carried by a solid")
        return replace(skin_of(name, self.rows.start, shape, surface), colour=colour)
