"""Numbers people can read: SI prefixes and round tick marks."""

from __future__ import annotations

import math

import numpy as np

from ...errors import InputError

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}


def prefix(largest: float, unit: str) -> tuple[float, str]:
    """Return (factor, prefixed unit) so that ``largest · factor`` is from 1 to 1000: 12300, "Pa" → 1e-3, "kPa"."""
    if not unit or not math.isfinite(largest) or largest == 0:
        return 1.0, unit
    power = 3 * math.floor(math.log10(abs(largest)) / 3 + 1e-9)
    power = min(max(power, -12), 12)
    return 10.0**-power, _PREFIXES[power] + unit


def quantity(value: float, unit: str, digits: int = 3) -> str:
    """Return a value with its unit, such as ``"12.3 kPa"``."""
    factor, name = prefix(value, unit)
    return f"{number(value * factor, digits)} {name}".rstrip()


def number(value: float, digits: int = 3) -> str:
    """Return a number with ``digits`` significant digits and a true minus sign."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    power = math.floor(math.log10(abs(value)))
    if power > 5 or power < -4:
        mantissa = f"{value / 10.0**power:.{max(digits - 1, 0)}f}"
        if "." in mantissa:
            mantissa = mantissa.rstrip("0").rstrip(".")
        return f"{mantissa}e{power}".replace("-", "−")
    text = f"{value:.{max(digits - 1 - power, 0)}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−") if float(text) else "0"


def ticks(low: float, high: float, count: int = 5) -> np.ndarray:
    """Return about ``count`` round values (steps of 1, 2 or 5 times a power of ten) within [low, high]."""
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InputError(f"axis runs from {low} to {high}; expected finite numbers")
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        return np.array([low])
    raw = (high - low) / max(count, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.75)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return np.arange(first, last + 1) * step


def round_step(most: float) -> float:
    """Return the largest of 1, 2 or 5 times a power of ten that is not over ``most``."""
    power = 10.0 ** math.floor(math.log10(most))
    return power * max(k for k in (1, 2, 5) if k * power <= most * (1 + 1e-9))


def decades(low: float, high: float) -> np.ndarray:
    """Return round values within [low, high] for a log axis: powers of ten, and 2 and 5 times them if those are few."""
    powers = np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = 10.0 ** powers[powers % math.ceil(len(powers) / 9) == 0]
    if len(powers) <= 4:
        ticks = np.sort(np.concatenate([ticks, 2 * ticks, 5 * ticks]))
    return ticks[(ticks >= low * (1 - 1e-9)) & (ticks <= high * (1 + 1e-9))]
