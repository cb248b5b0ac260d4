"""Viewer in the browser, of live simulations and recorded runs.

The folder and the function share their name, so the folder can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..simulate.record.run import Run
    from ..simulate.simulation import Simulation
    from ..solve.objective.report import Report
    from .viewer import Viewer


class _Door(ModuleType):
    """The folder ``view`` as a function."""

    def __call__(
        self,
        sim: Simulation | Run,
        *,
        port: int | None = None,
        host: str = "127.0.0.1",
        open: bool = True,
        block: bool = True,
        library: Mapping[str, Callable[[], Simulation]] | None = None,
        name: str = "",
        quick: bool = False,
        on_step: Callable[[Simulation, Report], object] | None = None,
        reader: Callable[..., Callable[[], Simulation]] | None = None,
    ) -> Viewer:
        """Show a simulation, or a run again, in the browser until Ctrl-C; see ``viewer.view``."""
        from .viewer import view

        options = {"library": library, "name": name, "quick": quick, "on_step": on_step, "reader": reader}
        return view(sim, port=port, host=host, open=open, block=block, **options)


if TYPE_CHECKING:
    from .viewer import view as view
else:
    sys.modules[__name__].__class__ = _Door
    view = sys.modules[__name__]  # what ``pliant.view`` is, however it was reached
