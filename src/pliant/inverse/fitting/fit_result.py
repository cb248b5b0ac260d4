"""Fit result with values, uncertainty and warnings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...arguments import checks
from ...errors import InputError
from ..observations.goodness_of_fit import Goodness
from .free_parameters import Free, Key
from .uncertainty import LEVEL, Uncertainty


class ByName(dict):
    """Values by key, ``found[0, "young"]``, or by the name alone where it is unique, ``found["young"]``."""

    def __missing__(self, name: object) -> np.ndarray:
        keys = [key for key in self if key[1] == name]
        if len(keys) != 1:
            raise KeyError(name)
        return self[keys[0]]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Values of fits to resampled observations: ``values`` (count, …) by key, and their 95 % ``intervals`` (2, …)."""

    values: dict[Key, np.ndarray]
    intervals: dict[Key, np.ndarray]

    def __post_init__(self):
        for name in ("values", "intervals"):
            checks.instance(f"Bootstrap({name}=…)", getattr(self, name), dict, "arrays by their keys")


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of a fit: ``values`` by key, half their 95 % intervals in ``errors`` and their ends (2, …) in ``intervals``.

    ``history`` is the distance, root mean square of the residuals, at the start and after each iteration, in metres, or in
    units of the observations' ``sigma``; ``path`` the values then. ``why`` is the reason of its end, ``converged`` whether it is
    a minimum, ``explained`` whether residuals there are noise, by the tests in ``goodness``, one for each observation.
    ``runs`` counts runs with their derivatives. ``warnings`` are sentences to read before using the values.
    ``left`` (frames, 3) has of each frame the number of the observation, the time [s] and the root mean square residual.
    ``discretisation`` has errors of "mesh" and "step" by key, from ``coarse_to_fine``.
    ``pl.page(found, "fit.html")`` writes a report.
    """

    values: dict[Key, np.ndarray]
    history: np.ndarray
    converged: bool
    why: str
    runs: int
    free: dict[Key, Free]
    path: dict[Key, np.ndarray]
    uncertainty: Uncertainty | None = None
    warnings: tuple[str, ...] = field(default=())
    left: np.ndarray | None = None
    cost_at: Callable[[np.ndarray], float] | None = None
    goodness: tuple[Goodness, ...] = ()
    discretisation: dict[str, dict[Key, np.ndarray]] = field(default_factory=dict)

    @property
    def distance(self) -> float:
        """The root mean square residual between run and observation [m], or in units of ``sigma``."""
        return float(self.history[-1])

    @property
    def explained(self) -> bool | None:
        """Whether residuals are consistent with noise; None without tests."""
        return not any(one.large or one.correlated for one in self.goodness) if self.goodness else None

    @property
    def noise(self) -> float:
        """The standard deviation estimated from the residuals, in units of the stated one."""
        return self._known().noise

    @property
    def verdict(self) -> str:
        """The same in words."""
        if self.explained is None:
            return "residuals were not tested"
        return "residuals look like noise" if self.explained else "residuals are not noise alone"

    @property
    def labels(self) -> list[str]:
        """A name for each number, in the order of ``correlations``: "young", "gravity[2]", with bodies where they are several."""
        return labels(self.values)

    @property
    def correlations(self) -> np.ndarray:
        """(p, p) between all numbers; near 1 or −1 where two are hardly identifiable separately."""
        return self._known().correlations

    @property
    def errors(self) -> dict[Key, np.ndarray]:
        """Half the width of the 95 % interval of each value; infinite where it has no influence."""
        return ByName({key: 0.5 * (ends[1] - ends[0]) for key, ends in self.intervals.items()})

    @property
    def intervals(self) -> dict[Key, np.ndarray]:
        """(2, …) ends of the 95 % interval of each value; where bounds have ``log`` it is a factor up and down."""
        known = self._known()
        ends = np.array([known.shares - known.half, known.shares + known.half])
        return self._by_key(ends, clip=False)

    def bootstrap(self, count: int = 1000, seed: int = 0) -> Bootstrap:
        """Resample the residuals ``count`` times and fit each by one step from the values, without a noise model."""
        checks.whole("bootstrap(count=…)", count)
        shares = self._known().samples(count, checks.whole("bootstrap(seed=…)", seed, 0))
        values = self._by_key(shares)
        tails = [50 * (1 - LEVEL), 50 * (1 + LEVEL)]
        return Bootstrap(values, {key: np.percentile(v, tails, axis=0) for key, v in values.items()})

    def slices(self, count: int = 9, width: float = 3.0) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By label the values and root mean square residuals along each number alone, ``width`` half intervals to both sides.

        It makes ``count`` runs for each number; where runs fail there is NaN.
        """
        checks.whole("slices(count=…)", count, 3)
        checks.positive("slices(width=…)", width)
        known, out = self._known(), {}
        if self.cost_at is None:
            raise InputError("this fit cannot be run any more; expected one that fit() has just returned")
        for i, label in enumerate(self.labels):
            reach = min(max(width * known.half[i], 1e-4), 0.5)
            shares = np.tile(known.shares, (count, 1))
            shares[:, i] = np.clip(np.linspace(-reach, reach, count) + known.shares[i], 0.0, 1.0)
            n = len(known.residuals)
            left = np.array([np.sqrt(2 * self.cost_at(at) / n) for at in shares])
            values = np.concatenate([v.reshape(count, -1) for v in self._by_key(shares).values()], axis=1)
            out[label] = values[:, i], left
        return out

    def _by_key(self, shares: np.ndarray, clip: bool = True) -> dict[Key, np.ndarray]:
        """(k, p) shares as (k, …) values."""
        out, first = ByName(), 0
        for key, value in self.values.items():
            own = shares[:, first : first + value.size]
            own = np.clip(own, 0.0, 1.0) if clip else own
            first += value.size
            with np.errstate(over="ignore"):
                out[key] = self.free[key].value(own).reshape(len(shares), *value.shape)
        return out

    def _known(self) -> Uncertainty:
        if self.uncertainty is None:
            raise InputError("this fit does not know how sure it is: it has too many numbers, or was made with confidence=False")
        return self.uncertainty

    def __repr__(self) -> str:
        sure = self.errors if self.uncertainty is not None else {}
        lines, first = [], 0
        names = self.labels
        for key, value in self.values.items():
            flat, error = np.ravel(value), np.ravel(sure.get(key, np.full(value.shape, np.nan)))
            others = {name: np.ravel(by[key]) for name, by in self.discretisation.items()}
            shown = [
                f"{name} {_with_error(v, e, {kind: by[i] for kind, by in others.items()})} {unit_of(key[1])}".rstrip()
                for i, (name, v, e) in enumerate(zip(names[first : first + value.size], flat, error))
            ]
            lines += shown if len(shown) <= 8 else [*shown[:8], f"… {len(shown) - 8} more"]
            first += value.size
        end = "converged" if self.converged else "not converged"
        lines.append(f"search {end} ({self.why}) after {len(self.history) - 1} iterations and {self.runs} runs")
        lines.append(f"distance left {self.distance:.4g}, {self.history[0]:.4g} at the start")
        lines += [f"{self.verdict}: {one}" for one in self.goodness] or [self.verdict]
        return "\n".join([*lines, *(f"warning: {w}" for w in self.warnings)])


def labels(values: dict[Key, np.ndarray]) -> list[str]:
    """A short name for each number of some values."""
    several = len({body for body, _ in values if body is not None}) > 1
    out = []
    for (body, name), value in values.items():
        label = f"{name} of body {body}" if several and body is not None else name
        if value.ndim == 0:
            out.append(label)
        else:
            out += [f"{label}[{', '.join(map(str, index))}]" for index in np.ndindex(value.shape)]
    return out


UNITS = {
    "young": "Pa", "density": "kg/m³", "mass": "1/s", "stiffness": "", "viscosity": "Pa s", "gravity": "m/s²", "delay": "s",
    "shift": "m", "height": "m", "rotation": "rad", "velocity": "m/s", "force": "N", "stress": "Pa", "pascals": "Pa",
    "peak_stress": "Pa", "mu": "Pa", "lam": "Pa", "bulk": "Pa", "shear": "Pa",
}  # fmt: skip


def unit_of(name: str) -> str:
    """The SI unit of a number, where its name says so."""
    return "s" if name == "damping.stiffness" else UNITS.get(name.rpartition(".")[2], "")


def _with_error(value: float, error: float, others: dict[str, float] | None = None) -> str:
    """A value with the digits allowed by its error, such as 2.013e+04 ± 0.012e+04; ``others`` are errors besides noise."""
    if not np.isfinite(error):
        return f"{value:.5g}" + (" ± unknown" if np.isinf(error) else "")
    if error == 0:
        return f"{value:.6g}"
    power = 0 if 1e-3 <= abs(value) < 1e4 or value == 0 else int(np.floor(np.log10(abs(value))))
    digits = min(max(1 - int(np.floor(np.log10(error / 10.0**power))), 0), 9)
    errors = {"noise": error} | others if others else {"": error}
    texts = [f"{value / 10.0**power:.{digits}f}"]
    texts += [f"{off / 10.0**power:.{digits}f}" if np.isfinite(off) else "unknown" for off in errors.values()]
    end = f"e{power}" if power else ""
    kinds = [f" ({kind})" if kind else "" for kind in errors]
    shown = [f"{text}{'' if text == 'unknown' else end}{kind}" for text, kind in zip(texts, ["", *kinds])]
    return " ± ".join(shown)
