"""Elastic energy of parts with degeneration-aware polar decomposition (Dapd)."""

from __future__ import annotations

from collections.abc import Sequence

from ...elements.base import Form
from ...energy.base import Energy
from ...energy.elastic.dapd_energy import DapdEnergy
from ...errors import InputError
from ...material.laws.dapd_law import Dapd
from ...runtime.device import Device
from ..effect_layout import Layout, Part
from .damping import inner_damping
from .elasticity import Elastic, Piece, merged
from .holds import Hold, Weakly

VALUES = ()


class DapdParts(Elastic, DapdEnergy):
    """Elastic forces of the parts' own elements, which remember how they collapsed."""

    def law(self, part: Part) -> Dapd:
        return part.material


def energies(layout: Layout, device: Device, made: Sequence[Energy]) -> list[Energy]:
    pieces = []
    for part in layout.parts:
        if isinstance(part.material, Dapd):
            _check(part)
            rows = part.rows() if len(part.material.table()) > 1 else None
            kind = (*inner_damping(part), *part.material.kind)
            pieces.append(Piece(part, part.elements, part.material, rows, kind))
    return merged(DapdParts, device, layout, pieces)


def _check(part: Part) -> None:
    """Refuse elements that have no pairs of features, and what would keep forces of another law."""
    elements = part.elements
    if elements.nodes.shape[1] != 4 or elements.gradients.shape[1] != 1 or elements.form is not Form.GENERAL:
        raise InputError(
            f"{part.name}: Dapd is for tetrahedra of four nodes, not {type(elements).__name__}; expected Tets, or "
            "Corotated for other elements"
        )
    if any(isinstance(hold.by, Weakly) for hold in part.of(Hold)):
        raise InputError(f"{part.name}: hold.Weakly() needs a law with an energy; expected hold.Rigidly() for Dapd")
