"""``pl.widget``: the page of ``pl.view`` in a cell of a notebook, without a server and without ports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..errors import InputError
from ..simulate.simulation import Simulation

if TYPE_CHECKING:
    from .notebook_kernel import Widget

LOW, HIGH = 160, 4000  # [px] heights that make sense


def widget(
    sim: Simulation,
    *,
    height: int = 520,
    library: Mapping[str, Callable[[], Simulation]] | None = None,
    name: str = "",
    quick: bool = False,
) -> Widget:
    """Show a simulation in a notebook, running, to be grabbed and pulled; needs the extra ``pliant[jupyter]``.

    The simulation is stepped by the kernel between other work, as long as a page looks at it: other cells can be run
    meanwhile, and a long one holds it up. ``stop()`` ends that, ``start()`` goes on, ``close()`` takes the widget away.
    ``height`` is in pixels. ``library`` is a menu of other simulations: name → function that makes one. ``quick``
    begins with ten quasi-Newton iterations a step in place of Newton's method.
    """
    if not isinstance(sim, Simulation):
        raise InputError(f"widget({type(sim).__name__}): expected a Simulation, as in pl.widget(pl.Simulation(scene))")
    if isinstance(height, bool) or not isinstance(height, int) or not LOW <= height <= HIGH:
        raise InputError(f"widget(height={height!r}): expected a whole number of pixels, {LOW} … {HIGH}")
    try:
        from .notebook_kernel import Widget
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise InputError("widget(): anywidget is not installed; pip install 'pliant[jupyter]'") from None
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise InputError("widget(): no event loop runs here; call it in a notebook, or use pl.view(sim)") from None
    return Widget(sim, height=height, library=library, name=name, quick=quick)
