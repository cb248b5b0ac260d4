"""Fit problem: residuals ½ r·r of observations and priors."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ...arguments.atomic_files import why
from ...distributed import Lost, handed, portable, workers
from ...errors import InputError, StepError
from ...simulate.simulation import Simulation
from ..gradients.adjoint import Adjoint
from ..gradients.forward_sensitivity import Forwards
from ..gradients.free_values import Key
from ..observations.observation import Observation
from ..observations.observation_set import ObservationSet
from .batched_runs import SideBySide
from .fit_journal import Answer, Journal
from .free_parameters import Free, Parameters
from .observation_digest import digest
from .optimisers import Rejected

NOTHING = 1e-9  # of the first cost: least change by a whole range of a parameter


class Exact(Exception):
    """The start has no residual."""


class Problem:
    """The problem for optimisers: costs and slopes in units of the first cost, from runs or their journal.

    ``history`` and ``path`` are the distance and the shares, at the start and after each iteration.
    """

    def __init__(
        self,
        sim: Simulation,
        observed: Observation | Sequence[Observation],
        free: Mapping[Key, Free],
        keep_every: int,
        checkpoint: str | os.PathLike[str] | None = None,
        about: Any = None,
        after: Callable[[], None] = lambda: None,
        begin: Mapping[Key, np.ndarray] | None = None,
    ):
        self.given = observed, free, keep_every
        self.adjoint = Adjoint(sim, keep_every)
        self.watch = ObservationSet(sim, observed)
        self.parameters = Parameters(sim, free, self.watch)
        self.watch.only(self.parameters.free)
        self.start = self.parameters.shares if begin is None else self.parameters.shares_of(begin)
        self.after = after
        question = self._question(sim, observed, about) if checkpoint is not None else {}
        self.journal = Journal(checkpoint, question, len(self.start))
        self.scale, self.runs, self.said = 0.0, 0, ""
        self.first = sim.state.copy()  # the start of every run
        self.history: list[float] = []
        self.path: list[np.ndarray] = []

    # --- for optimisers

    @property
    def numbers(self) -> int:
        """The number of residuals."""
        return self.watch.numbers

    def slope(self, shares: np.ndarray) -> tuple[float, np.ndarray]:
        """The cost and its gradient, by a run and its adjoint."""
        answer = self._answer("slope", shares, self._run_back)
        return answer.cost / self._scale, answer.slope / self._scale

    def normal(self, shares: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """The cost, its gradient Jᵀr and JᵀJ, by a run with forward sensitivities."""
        answer = self._answer("normal", shares, self._run_along)
        return answer.cost / self._scale, answer.slope / self._scale, answer.normal / self._scale

    def costs(self, places: Sequence[np.ndarray], executor: Executor | None = None) -> list[float]:
        """The cost at each, by runs alone, NaN where one fails: in batches, or one by one and then ``said`` is why.

        An ``executor`` shares them among its workers.
        """
        known: list[float] = []
        for shares in places:
            answer = self.journal.recall("cost", shares)
            if answer is None:
                break
            known.append(answer.cost)
        while len(known) < len(places):
            sim = self.parameters.sim
            many = len(places) if executor is not None else SideBySide.together(sim, self.watch.steps)
            group = places[len(known) : len(known) + many]
            costs = self.beside(group) if executor is None else self._elsewhere(group, executor)
            for shares, cost in zip(group, costs):
                prior, _ = self.priors(self.parameters.values(shares))
                answer = self.journal.keep(Answer("cost", shares.copy(), cost + 0.5 * float(prior @ prior)))
                known.append(answer.cost)
        self.runs += len(places)
        return [cost / self._scale for cost in known]

    def _elsewhere(self, places: Sequence[np.ndarray], executor: Executor) -> list[float]:
        """``beside`` by workers, who get the scene and the observations; here where a worker ends without a result."""
        sim = self.parameters.sim
        now = sim.state.copy()
        sim.assign(self.first)
        with TemporaryDirectory() as folder:
            sim.save(f"{folder}/start.npz")
            start = Path(folder, "start.npz").read_bytes()
        sim.assign(now)
        sent = portable("the scene or the observations", (sim.scene, start, *self.given))
        size = -(-len(places) // workers(executor))
        parts = [places[i : i + size] for i in range(0, len(places), size)]
        costs: list[float] = []
        for task, part in [(handed(executor, costs_there, sent, self.start, part), part) for part in parts]:
            try:
                costs += task.result()
            except (Lost, BrokenExecutor, CancelledError) as error:
                costs += self.beside(part)
                self.said = f"starts of a worker ran here, since {why(error) or type(error).__name__}"
        return costs

    def beside(self, places: Sequence[np.ndarray]) -> list[float]:
        """½ r·r at each; those that fail in the batch are run alone, by the solver of the simulation."""
        beside = SideBySide(self.parameters, self.watch, places)
        self.said = "" if beside.refused is None else f"starts ran one after the other: {beside.refused}"
        costs = beside.costs() if beside.refused is None else [np.nan] * len(places)
        return [cost if np.isfinite(cost) else self.cost_at(shares) for cost, shares in zip(costs, places)]

    def accept(self, shares: np.ndarray, cost: float) -> None:
        """An iteration has ended here."""
        self._note(shares, cost)
        self.after()

    def _note(self, shares: np.ndarray, cost: float) -> None:
        self.history.append(self.distance(cost))
        self.path.append(shares.copy())

    def distance(self, cost: float) -> float:
        """The root mean square of residuals of a cost in units of the first one."""
        return float(np.sqrt(2 * cost * self._scale / self.watch.numbers))

    def settle(self, shares: np.ndarray) -> None:
        """Let observations update their stored values from a run with these shares."""
        if self.watch.settles:
            self.watch.settle()
            self.cost_at(shares)

    @property
    def _scale(self) -> float:
        return self.scale or 1.0

    def _answer(self, kind: str, shares: np.ndarray, make: Callable[[np.ndarray], Answer]) -> Answer:
        answer = self.journal.recall(kind, shares)
        if answer is None:
            try:
                answer = make(shares)
            except StepError as error:
                values = self.parameters.values(shares)
                tried = ", ".join(f"{key[1]} = {np.array2string(v, precision=4)}" for key, v in values.items())
                answer = Answer("rejected", shares.copy(), why=f"with {tried}, {error}")
            if not np.isfinite(answer.cost) and answer.kind != "rejected":
                answer = Answer("rejected", shares.copy(), why="the cost is not finite")
            self.journal.keep(answer)
        if answer.kind == "rejected":
            raise Rejected(answer.why)
        self.runs += 1
        if not self.history:
            self.scale = answer.cost
            self._note(shares, answer.cost / self._scale)
            if self.scale == 0:
                raise Exact
            self._check_influence(answer.slope)
        return answer

    # --- runs

    def _run_back(self, shares: np.ndarray) -> Answer:
        values = self.parameters.values(shares)
        self.parameters.put(values)
        gradient = self.adjoint.gradient(self.watch.steps, self.watch, self.watch.see)
        slope = self.parameters.by_share(values, gradient.parameters, self.watch.direct())
        cost, own = self.priors(values)
        cost, slope = gradient.cost + 0.5 * float(cost @ cost), slope + own.T @ cost
        return Answer("slope", shares.copy(), cost, slope)

    def _run_along(self, shares: np.ndarray) -> Answer:
        r, jacobian = self.linearised(shares)
        prior, own = self.priors(self.parameters.values(shares))
        r, jacobian = np.concatenate([r, prior]), np.concatenate([jacobian, own])
        return Answer("normal", shares.copy(), 0.5 * float(r @ r), jacobian.T @ r, jacobian.T @ jacobian)

    def cost_at(self, shares: np.ndarray) -> float:
        """½ r·r with these shares, by a single run; NaN where it fails. The simulation then has its old values."""
        parameters, watch = self.parameters, self.watch
        sim, scene, own = parameters.sim, parameters.sim.scene, watch.parameters
        now = sim.state.copy()
        sim.assign(self.first)
        parameters.put(parameters.values(shares))
        begin = sim.state.copy()
        try:
            watch.pulls = False
            for k in range(watch.steps + 1):
                report = sim.step() if k else None
                if report is not None and not (report.kept and report.converged):
                    return np.nan
                watch.see(k, sim.x.astype(float, copy=False), sim.v.astype(float, copy=False))
            return 0.5 * float(watch.residuals @ watch.residuals)
        except StepError:
            return np.nan
        finally:
            watch.pulls = True
            sim.assign(begin)
            watch.put(own)
            sim._adopt(scene)
            sim.assign(now)

    def left_at(self, shares: np.ndarray) -> np.ndarray | None:
        """Residuals (n,) with these shares, by a single run; None where it fails."""
        return self.watch.residuals if np.isfinite(self.cost_at(shares)) else None

    def linearised(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (n,) and their derivatives (n, p) by the shares; priors are not among them."""
        watch, parameters = self.watch, self.parameters
        values = parameters.values(shares)
        parameters.put(values)  # the number of steps may depend on them
        parts: dict[int, np.ndarray] = {}
        before: list[Any] = [None, None]

        def look(k: int, x: np.ndarray, v: np.ndarray, dx: np.ndarray, dv: np.ndarray) -> None:
            watch.see(k, x, v)
            if k > 0:
                parts.update(watch.rows(k, (before[0], before[1]), (dx, dv)))
            before[:] = dx, dv

        watch.jacobians, watch.pulls = True, False
        try:
            directions = parameters.directions(values)
            runs = Forwards(self.adjoint.sim, list(directions.values()), self.adjoint.linear, self.adjoint.tolerance)
            runs.run(watch.steps, look)
            part = np.concatenate([parts[number] for number in sorted(parts)])
            jacobian = np.zeros((len(part), len(shares)))
            jacobian[:, list(directions)] = part
            own, first = watch.parameters, 0
            for key, bounds in parameters.free.items():
                size = values[key].size
                direct = watch.by_own(key) if key in own else watch.by_scene(key, size)
                jacobian[:, first : first + size] += direct * np.ravel(bounds.slope(values[key]))
                first += size
            r = watch.residuals
        finally:
            watch.jacobians, watch.pulls = False, True
        return r, jacobian

    def priors(self, values: Mapping[Key, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Residuals of priors, in their standard deviations, and derivatives by shares."""
        rows, slopes, first = [], [], 0
        for key, bounds in self.parameters.free.items():
            value = np.ravel(values[key])
            if bounds.prior is not None:
                mean, sigma = bounds.prior
                own = np.zeros((value.size, len(self.start)))
                own[np.arange(value.size), first + np.arange(value.size)] = np.ravel(bounds.slope(value)) / sigma
                rows.append((value - mean) / sigma)
                slopes.append(own)
            if bounds.spatial_prior is not None:
                i, j = self.parameters.pairs[key].T
                shares = bounds.share(value)
                r, by = bounds.spatial_prior.residuals(shares[i] - shares[j])
                own = np.zeros((len(r), len(self.start)))
                own[np.arange(len(r)), first + i], own[np.arange(len(r)), first + j] = by, -by
                rows.append(r)
                slopes.append(own)
            first += value.size
        return np.concatenate([np.zeros(0), *rows]), np.concatenate([np.zeros((0, len(self.start))), *slopes])

    # --- checks

    def _check_influence(self, slope: np.ndarray) -> None:
        """Refuse parameters without influence on the observations."""
        first = 0
        for key, value in self.parameters.start.items():
            if np.all(np.abs(slope[first : first + value.size]) <= NOTHING * self.scale):
                raise InputError(f"fit: {key!r} has no influence on the observations; expected only parameters that have")
            first += value.size

    def _question(self, sim: Simulation, observed: Any, about: Any) -> dict[str, str]:
        """The data that a checkpoint must match."""
        scene = sim.scene
        bodies = [(b.name, type(b.material).__name__, b.material.parameters(), b.damping) for b in scene.bodies]
        places = [obstacle.shape(sim.x.astype(float)) for obstacle in scene.obstacles]  # the distance of each
        return {
            "the free parameters": repr(self.parameters.free),
            "the start": repr(self.start.tolist()),
            "the optimiser": repr(about),
            "the scheme": repr(sim.integrator),
            "the bodies": digest((bodies, sim.x, sim.v)),
            "gravity, obstacles or contact": digest((scene.gravity, places, scene.contact)),
            "the observations": digest([observed] if isinstance(observed, Observation) else list(observed)),
        }


def costs_there(sent: bytes, start: np.ndarray, places: Sequence[np.ndarray]) -> list[float]:
    """½ r·r at some places, in a process of its own, which has a pickle of a problem."""
    scene, archive, *given = pickle.loads(sent)
    with TemporaryDirectory() as folder:
        Path(folder, "start.npz").write_bytes(archive)
        problem = Problem(Simulation.load(f"{folder}/start.npz", scene), *given)
    problem.settle(start)
    return problem.beside(places)
