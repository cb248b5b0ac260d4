"""Numbers on their way to a page: JSON has none that are not finite."""

from __future__ import annotations

import math
from typing import Any


def finite(value: Any) -> Any:
    """The same, with None in place of each number that is not finite, however deep it lies."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
