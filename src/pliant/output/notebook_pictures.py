"""Pictures of values in notebooks: what ends a cell is drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ..errors import InputError
from .picture import picture

SIZE = (560, 420)  # [px]


def drawn(thing: Any) -> bytes | None:
    """The picture of a value as a PNG, or nothing where it cannot be drawn."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return picture(thing, Path(folder) / "value.png", size=SIZE).read_bytes()
        except InputError:  # a solid without end, a run without frames
            return None
