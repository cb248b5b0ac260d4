"""Observation set of a run, and its gradients by states.

A frame between two steps uses the cubic through their positions and velocities, so that residuals have continuous derivatives
by the delay of a clock. Before the start nothing moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from ...arguments import checks
from ...energy.sensitivity import Public
from ...errors import InputError, StepError
from ...simulate.simulation import Simulation
from .goodness_of_fit import Robust, Spot
from .observation import Observation, Residual
from .robust_loss import Quadratic

Key = tuple[int | None, str]
State = tuple[np.ndarray, np.ndarray]  # x and v (nodes, 3)
Rates = tuple[np.ndarray, np.ndarray]  # their derivatives (p, nodes, 3) by p numbers
ON_STEP = 1e-6  # of dt: frames this close to a step are on it
LONG, SELDOM = 100_000, 100  # steps of a run, and from frame to frame, above both of which times are in another unit
SOME, RARE, SLOW = 5_000, 200, 2.0  # the same of frames that are more seconds apart than those of cameras


@dataclass
class _Frame:
    """Frame ``index`` of an observation between the states ``step`` and ``step`` + 1, and what was found there."""

    of: int
    index: int
    step: int
    weights: np.ndarray  # (2, 2) of x and v of the two states
    slopes: np.ndarray  # their derivatives by time [1/s]
    r: np.ndarray | None = None
    pull: np.ndarray | None = None  # (nodes, 3) rᵀ∂r/∂x
    direct: Public = field(default_factory=dict)  # rᵀ∂r/∂p at fixed positions
    residual: Residual | None = None
    sites: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None
    rate: np.ndarray | None = None  # (nodes, 3) how fast positions between the states change [m/s]


class ObservationSet:
    """Observations of runs of ``sim``: ``see`` takes every state forwards, ``cost`` is for an Adjoint backwards.

    ``parameters`` are those of the observations themselves, such as (None, "observation 0.delay"); ``put`` changes them.
    ``jacobians`` keeps those of all frames, for ``along`` and ``by_own``.
    """

    def __init__(self, sim: Simulation, observations: Observation | Sequence[Observation], jacobians: bool = False):
        given = [observations] if isinstance(observations, Observation) else observations
        if not isinstance(given, list | tuple) or not given or not all(isinstance(o, Observation) for o in given):
            kinds = [type(o).__name__ for o in given] if isinstance(given, list | tuple) else type(given).__name__
            cure = "inverse.Clouds(points, times=…)" if "PointCloud" in kinds else "NodePositions(positions)"
            raise InputError(f"observations are {kinds}; expected such as {cure}, or a list of them")
        checks.instance("ObservationSet(sim=…)", sim, Simulation, "a Simulation")
        self.sim, self.jacobians = sim, checks.flag("ObservationSet(jacobians=…)", jacobians)
        sim._without_spare()
        self.pulls = True  # whether ``cost`` or ``direct`` will be called
        self.seen = [observation.bound(sim) for observation in given]
        self.values = [{name: np.array(value, float) for name, value in seen.parameters.items()} for seen in self.seen]
        self.numbers = sum(seen.numbers for seen in self.seen)
        known = [getattr(observation, "sigma", None) is not None for observation in given]
        self.units = ["sigma" if stated else seen.unit for stated, seen in zip(known, self.seen)]
        losses = [getattr(observation, "loss", None) for observation in given]
        self.robust = [
            None if loss is None or isinstance(loss, Quadratic) else Robust(loss, observation.scale)
            for loss, observation in zip(losses, given)
        ]
        self._before: State | None = None
        self._wanted: set[Key] | None = None
        self._plan()

    def only(self, keys: Iterable[Key]) -> None:
        """Restrict ``direct`` to these parameters."""
        self._wanted = set(keys)

    @property
    def parameters(self) -> Public:
        """Key → value of the observations' own parameters."""
        return {_key(i, name): value.copy() for i, own in enumerate(self.values) for name, value in own.items()}

    @property
    def settles(self) -> bool:
        """Whether some observation stores values of its first run."""
        return any(seen.settles for seen in self.seen)

    def settle(self) -> None:
        """Let the next run set those values."""
        for seen in self.seen:
            seen.settle()

    def put(self, values: Mapping[Key, np.ndarray]) -> None:
        """Set other values of them; keys of others are ignored, and evaluated frames are kept where nothing changes."""
        known = self.parameters
        if all(np.array_equal(values[key], known[key]) for key in known if key in values):
            return
        for i, own in enumerate(self.values):
            own |= {name: np.array(values[_key(i, name)], float) for name in own if _key(i, name) in values}
        self._plan()

    def _plan(self) -> None:
        """The states around each frame."""
        dt = self.sim.integrator.dt
        times = [(seen.times + own["delay"]) / dt for seen, own in zip(self.seen, self.values)]
        for i, (seen, own) in enumerate(zip(self.seen, times)):
            _check_times(f"observation {i}" if len(times) > 1 else "frames", seen.times, own, dt)
        self.steps = max(1, int(np.ceil(max(t[-1] for t in times) - ON_STEP)))
        self._frames, self._of_step = [], {}
        for i, own in enumerate(times):
            for index, time in enumerate(own):
                time = round(time) if abs(time - round(time)) <= ON_STEP else float(time)
                step = min(max(int(np.ceil(time)) - 1, 0), self.steps - 1)
                frame = _Frame(i, index, step, *cubic(time - step, dt))
                self._frames.append(frame)
                self._of_step.setdefault(step, []).append(frame)

    # --- forwards

    def see(self, k: int, x: np.ndarray, v: np.ndarray) -> None:
        """Take state k of a run; they come in order, from 0 to ``steps``."""
        if k > 0:
            moments: dict[bytes, list[_Frame]] = {}  # frames at the same one see the same, one after the other
            for frame in self._of_step.get(k - 1, ()):
                moments.setdefault(frame.weights.tobytes(), []).append(frame)
            for frames in moments.values():
                states = (self._before, (x, v))
                here = _mixed(frames[0].weights, states)
                for some in self._together(frames):
                    self._measure(some, here, states)
        self._before = (x, v)

    def _together(self, frames: list[_Frame]) -> list[list[_Frame]]:
        """Frames of one time, adjacent ones that are evaluated together."""
        groups: list[list[_Frame]] = []
        for frame in frames:
            shared = self.seen[frame.of].shared
            if groups and shared is not None and shared is self.seen[groups[-1][0].of].shared:
                groups[-1].append(frame)
            else:
                groups.append([frame])
        return groups

    def _measure(self, frames: list[_Frame], x: np.ndarray, states: tuple[State, State]) -> None:
        """Residuals of frames of one moment, and what they pull: of several the first for all, where no delay asks for each."""
        asked = [(self.seen[frame.of], frame.index, self.values[frame.of]) for frame in frames]
        seen, index, own = asked[0]
        found, pull = seen.at_once(asked, x) if len(asked) > 1 else ([seen.at(index, x, own)], None)
        for frame, residual in zip(frames, found):
            if not np.all(np.isfinite(residual.r)):
                raise StepError(f"observation {frame.of}, frame {frame.index}: residuals are not finite")
            frame.r, frame.pull, frame.direct, frame.sites = residual.r, None, {}, residual.sites
            if self.jacobians:
                frame.residual, frame.rate = residual, _mixed(frame.slopes, states)
        if not self.pulls:
            return
        if pull is not None and not any(self._wants(_key(frame.of, "delay")) for frame in frames):
            frames[0].pull = pull([frame.r for frame in frames]).reshape(x.shape)
        else:
            for frame, residual in zip(frames, found):
                frame.pull = (residual.by_x.T @ frame.r).reshape(x.shape)
        for frame, residual in zip(frames, found):
            frame.direct = self._direct(frame, residual, states)

    def _direct(self, frame: _Frame, residual: Residual, states: tuple[State, State]) -> Public:
        """rᵀ∂r/∂p at fixed positions, by the requested parameters."""
        direct = dict(residual.by_scene(frame.r)) if residual.by_scene is not None else {}
        wanted = [name for name in residual.by_own if self._wants(_key(frame.of, name))]
        direct |= {_key(frame.of, name): residual.by_own[name].T @ frame.r for name in wanted}
        late = _key(frame.of, "delay")
        if self._wants(late):
            direct[late] = np.sum(frame.pull * _mixed(frame.slopes, states))
        return direct

    def _wants(self, key: Key) -> bool:
        return self._wanted is None or key in self._wanted

    @property
    def residuals(self) -> np.ndarray:
        """(n,) of the last run: frame by frame, observation by observation; their number is constant."""
        return np.concatenate([frame.r for frame in self._frames])

    @property
    def left(self) -> np.ndarray:
        """(frames, 3) of the last run: number of the observation, time [s], root mean square of its residuals."""
        rows = []
        for frame in self._frames:
            time = self.seen[frame.of].times[frame.index] + float(self.values[frame.of]["delay"])
            rows.append((frame.of, time, np.sqrt(np.mean(frame.r**2)) if len(frame.r) else np.nan))
        return np.array(rows)

    @property
    def spots(self) -> list[Spot]:
        """The sites of the residuals of each frame of that run."""
        found, first = [], 0
        for frame in self._frames:
            n = len(frame.r)
            places, kinds = frame.sites() if frame.sites is not None else (np.zeros((n, 3)), np.arange(n))
            found.append(Spot(frame.of, slice(first, first + n), places, kinds))
            first += n
        return found

    # --- backwards

    def cost(self, k: int, x: np.ndarray | None, v: np.ndarray | None) -> tuple[float, np.ndarray | None, np.ndarray | None]:
        """½ r·r of the frames between states k − 1 and k, and the gradient of all frames by state k."""
        value = 0.5 * sum(float(np.einsum("i,i->", frame.r, frame.r)) for frame in self._of_step.get(k - 1, ()))
        by = [None, None]
        for end, step in ((0, k), (1, k - 1)):
            for frame in self._of_step.get(step, ()):
                for i, weight in enumerate(frame.weights[end]):
                    if weight and frame.pull is not None:
                        pull = frame.pull if weight == 1.0 else weight * frame.pull
                        by[i] = pull if by[i] is None else by[i] + pull
        return value, by[0], by[1]

    def on_device(self, k: int, x: wp.array[Any], v: wp.array[Any], by_x: wp.array[Any], by_v: wp.array[Any]) -> float:
        """The same for arrays on the device, of which the last two are 0 and take what pulls; no state visits the host."""
        value, *by = self.cost(k, None, None)
        for pull, out in zip(by, (by_x, by_v)):
            if pull is not None:
                out.assign(pull.astype(self.sim.device.types.numpy, copy=False))
        return value

    def direct(self) -> Public:
        """Gradient of ½ r·r by parameters at fixed positions: of observations, and of the scene where they enter them."""
        total: Public = {}
        for frame in self._frames:
            for key, value in frame.direct.items():
                total[key] = np.asarray(value, float) + total.get(key, 0.0)
        values = self.parameters
        return {key: np.reshape(value, values[key].shape) if key in values else value for key, value in total.items()}

    # --- Jacobians

    def along(self, k: int, dx: np.ndarray, dv: np.ndarray) -> np.ndarray:
        """(n,) change of the residuals with a change ``dx`` and ``dv`` (nodes, 3) of state k."""
        parts = []
        for frame in self._frames:
            end = k - frame.step
            if end in (0, 1):
                a, b = frame.weights[end]
                parts.append(np.asarray(frame.residual.by_x @ (a * dx + b * dv).ravel()))
            else:
                parts.append(np.zeros(len(frame.r)))
        return np.concatenate(parts)

    def rows(self, k: int, before: Rates, after: Rates) -> list[tuple[int, np.ndarray]]:
        """Of each frame between the states k − 1 and k its number and (n, p) derivatives of its residuals.

        ``before`` and ``after`` are the derivatives (p, nodes, 3) of x and v of the two states; state k has been seen.
        """
        found, moments = [], {}  # frames of the same time get the same change
        for number, frame in enumerate(self._frames):
            if frame.step == k - 1:
                moment = frame.weights.tobytes()
                if moment not in moments:
                    weights = zip(frame.weights, (before, after))
                    rates = [w * q for row, state in weights for w, q in zip(row, state) if w]
                    along = sum(rates[1:], rates[0]) if rates else np.zeros_like(after[0])
                    along.flags.writeable = False
                    moments[moment] = [column.ravel() for column in along]
                columns = [np.asarray(frame.residual.by_x @ column) for column in moments[moment]]
                found.append((number, np.stack(columns, axis=1) if columns else np.zeros((len(frame.r), 0))))
        return found

    def by_scene(self, key: Key, size: int) -> np.ndarray:
        """(n, size) derivatives of the residuals at fixed positions by a parameter of the scene."""
        parts = []
        for frame in self._frames:
            part = np.zeros((len(frame.r), size))
            if frame.residual.by_scene is not None:
                for i, unit in enumerate(np.eye(len(frame.r))):
                    part[i] = np.ravel(frame.residual.by_scene(unit).get(key, 0.0))
            parts.append(part)
        return np.concatenate(parts)

    def by_own(self, key: Key) -> np.ndarray:
        """(n, size) derivatives of the residuals by a parameter of an observation."""
        size, parts = self.parameters[key].size, []
        for frame in self._frames:
            by = {_key(frame.of, name): value for name, value in frame.residual.by_own.items()}
            by[_key(frame.of, "delay")] = np.asarray(frame.residual.by_x @ frame.rate.ravel())
            parts.append(by[key].reshape(len(frame.r), size) if key in by else np.zeros((len(frame.r), size)))
        return np.concatenate(parts)


def _check_times(what: str, times: np.ndarray, steps: np.ndarray, dt: float) -> None:
    """Refuse frames (n,) beyond any run: at ``times`` [s] on their clock, and after so many ``steps`` of a run.

    One late frame alone, of a body that has come to rest, is as good as many frames.
    """
    last, gap = float(steps[-1]), float(np.median(np.diff(steps))) if len(steps) > 2 else 0.0
    if last > LONG and last > SELDOM * len(steps):
        if steps[0] > 0.5 * last:
            raise InputError(
                f"{what} begin at {times[0]:.6g} s, {steps[0]:.0f} steps of {dt:.3g} s after the start of the run; "
                "expected seconds since then: take off the time of the first frame (delay=…)"
            )
    elif not (gap > RARE and gap * dt > SLOW and last > SOME):
        return
    raise InputError(
        f"{what} end at {times[-1]:.6g} s, {last:.0f} steps of {dt:.3g} s after the start, {last / len(steps):.0f} for each "
        "frame: are these milliseconds? Expected seconds: multiply times by 0.001, or take a longer dt"
    )


def _key(observation: int, name: str) -> Key:
    return None, f"observation {observation}.{name}"


def cubic(s: float, dt: float) -> tuple[np.ndarray, np.ndarray]:
    """(2, 2) weights of x and v of two states at the share s of the step between them, and their derivatives by time [1/s]."""
    if s < 0:
        return np.array([[1.0, 0.0], [0.0, 0.0]]), np.zeros((2, 2))
    h = 3 * s**2 - 2 * s**3
    g = 6 * s * (1 - s)
    weights = np.array([[1 - h, (s**3 - 2 * s**2 + s) * dt], [h, (s**3 - s**2) * dt]])
    slopes = np.array([[-g / dt, 3 * s**2 - 4 * s + 1], [g / dt, 3 * s**2 - 2 * s]])
    return weights, slopes


def _mixed(weights: np.ndarray, states: tuple[State, State]) -> np.ndarray:
    parts = [q if w == 1.0 else w * q for row, state in zip(weights, states) for w, q in zip(row, state) if w]
    return sum(parts[1:], parts[0]) if parts else np.zeros_like(states[0][0])
