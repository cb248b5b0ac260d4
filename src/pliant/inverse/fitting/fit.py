"""Fit of parameters to a motion: bounded least squares."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ...arguments import checks
from ...arguments.atomic_files import target
from ...arguments.progress import bar
from ...errors import InputError, PliantWarning, StepError
from ...geometry.mesh.mesh import PointCloud
from ...simulate.simulation import Simulation
from ..observations.clouds import timed_clouds
from ..observations.goodness_of_fit import Goodness, Worth, goodness, timed
from ..observations.observation import Observation
from .discretisation_error import of_mesh, of_step
from .fit_problem import Exact, Problem
from .fit_result import ByName, Fit, labels
from .free_parameters import Free, Key
from .optimisers import LBFGS, GaussNewton, MultiStart, Optimiser, Outcome, Rejected, check
from .uncertainty import Uncertainty, uncertainty

FEW = 12  # numbers up to which Gauss and Newton's method is the default
MANY = 64  # and up to which a fit computes its uncertainty
ROUNDS = 6  # most repeats of a search, where observations keep values of a run
AGAIN = MultiStart(starts=16, keep=3)
BETTER = 0.5  # of a cost: a search that ends this much lower has found another minimum
SETTLED = 1e-3  # of the bounds: largest change in the last one

Bounds = Free | tuple[float, float]
Freed = Mapping[Key, Bounds] | Mapping[tuple[int, str], Bounds] | Mapping[tuple[None, str], Bounds] | Mapping[str, Bounds]
Seen = Observation | Sequence[Observation] | Sequence[PointCloud]


def fit(
    sim: Simulation,
    observed: Seen,
    free: Freed,
    optimiser: Optimiser | None = None,
    keep_every: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    confidence: bool = True,
    progress: bool = True,
    fps: float | None = None,
) -> Fit:
    """Fit the values of ``sim`` to a motion by least squares, starting from its own; ``sim`` keeps the result.

    Where it ends far from the observations, and no optimiser is given, it restarts from 16 points, and ``why`` says so.
    ``observed`` are observations, or a list of PointCloud, the first at the start and ``fps`` of them a second. ``free`` has
    bounds by name, {"young": (1e3, 1e5)}, or by body and name where several have it, as Gradient does: material parameters,
    "damping.mass" and so on of a body, and "gravity".
    ``optimiser`` is GaussNewton() for up to 12 numbers and LBFGS() for more. ``checkpoint`` names a file (.npz) that takes
    every result of a run: the same call after a kill continues from it. ``confidence`` makes one more run: whether residuals
    are noise, and intervals for up to 64 numbers. If the first run fails, it raises, and ``sim`` is unchanged; later
    failures are rejected steps.
    """
    checks.flag("fit(progress=…)", progress)
    checks.flag("fit(confidence=…)", confidence)
    if optimiser is not None:
        check("fit(optimiser=…)", optimiser)
    observed = timed_clouds("fit", observed, fps)
    found = _fitted(Problem(sim, observed, free, keep_every, checkpoint, optimiser), optimiser, confidence, progress)
    for sentence in found.warnings:
        warnings.warn(sentence, PliantWarning, stacklevel=3)  # past the wrapper of public names
    return found


def coarse_to_fine(
    sims: Sequence[Simulation],
    observed: Seen,
    free: Freed,
    optimiser: Optimiser | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
    fps: float | None = None,
) -> tuple[Fit, ...]:
    """Fit the first of several simulations of one scene, then each from the last result, so that most runs are cheap.

    They have the same bodies with the coarsest mesh, or the longest step, first. ``observed`` must not depend on
    nodes, as with Clouds and Markers, and ``free`` are numbers common to all. An ``optimiser`` of several starts is for the first
    alone. The last fit is the result, and alone has uncertainties; checkpoints of the others have a number in their names. Its
    ``discretisation`` has the errors of mesh and step next to that of noise: the change of values from the coarser mesh of
    the same step, for cells half as large, and their change with steps twice as long, one run more.
    """
    checks.flag("coarse_to_fine(progress=…)", progress)
    if optimiser is not None:
        check("coarse_to_fine(optimiser=…)", optimiser)
    sims = list(sims) if isinstance(sims, list | tuple) else [sims]
    if not sims or not all(isinstance(sim, Simulation) for sim in sims):
        raise InputError("coarse_to_fine(sims=…): expected a list of simulations, the coarsest first")
    found, observed = list[Fit](), timed_clouds("coarse_to_fine", observed, fps)
    for number, sim in enumerate(sims):
        last = number == len(sims) - 1
        file = checkpoint if last or checkpoint is None else target(checkpoint).with_suffix(f".{number}.npz")
        begin = found[-1].values if found else None
        problem = Problem(sim, observed, free, 1, file, optimiser, begin=begin)
        found.append(_fitted(problem, optimiser, last, progress))
        optimiser = None if optimiser is None else optimiser.then
    found[-1] = _with_errors(sims, found, problem)
    for sentence in found[-1].warnings:
        warnings.warn(sentence, PliantWarning, stacklevel=3)  # past the wrapper of public names
    return tuple(found)


def _with_errors(sims: Sequence[Simulation], found: Sequence[Fit], problem: Problem) -> Fit:
    """The last fit with the errors of its mesh and its step."""
    last = found[-1]
    errors = {"mesh": of_mesh(sims, [one.values for one in found])}
    if last.uncertainty is not None:
        errors["step"] = of_step(problem, last.uncertainty, last.values)
    return replace(last, discretisation={name: error for name, error in errors.items() if error is not None})


def _fitted(problem: Problem, optimiser: Optimiser | None, confidence: bool, progress: bool) -> Fit:
    """The simulation of the problem keeps the result."""
    parameters = problem.parameters
    chosen = optimiser or (GaussNewton() if len(problem.start) <= FEW else LBFGS())
    sure, left, good = None, None, ()
    try:
        with bar("fitting", chosen.iterations, progress) as advance:
            problem.after = advance
            outcome = _settled(problem, chosen)
        # an exact start is returned to the last digit, which scaling by bounds would round
        began = np.array_equal(problem.start, parameters.shares) and problem.scale == 0
        values = parameters.start if began else parameters.values(outcome.shares)
        if confidence:
            sure, good = _judged(problem, outcome.shares)
            if optimiser is None and len(problem.start) <= FEW and any(one.absurd for one in good):
                outcome = _again(problem, outcome)
                sure, good = _judged(problem, outcome.shares)
            left = problem.watch.left if good else None
    except BaseException:
        parameters.put(parameters.start)
        raise
    parameters.put(values)
    said = [sentence for one in good if (sentence := one.sentence(len(good) > 1, outcome.converged))]
    if any(one.prior is not None for one in parameters.free.values()) and set(problem.watch.units) != {"sigma"}:
        said.append("a prior is weighed against the noise of what was observed, and an observation states no sigma: give it one")
    said += [] if sure is None else sure.warnings(labels(values))
    path = [parameters.values(shares) for shares in problem.path]
    return Fit(
        ByName(values),
        np.array(problem.history),
        outcome.converged,
        outcome.why,
        problem.runs,
        dict(parameters.free),
        {key: np.array([at[key] for at in path]) for key in values},
        sure,
        tuple(said),
        left,
        problem.cost_at,
        good,
    )


def _settled(problem: Problem, optimiser: Optimiser) -> Outcome:
    """Search, and repeat with observations updated by the run at its end, until it ends where it began."""
    problem.settle(problem.start)
    outcome = _search(problem, optimiser, problem.start)
    for _ in range(ROUNDS - 1 if problem.watch.settles else 0):
        before = outcome.shares
        problem.settle(before)
        outcome = _search(problem, optimiser.then, before)
        if float(np.abs(outcome.shares - before).max()) <= SETTLED:
            return outcome
    if problem.watch.settles:
        return outcome._replace(converged=False, why=f"what noise does on average was not settled after {ROUNDS} rounds")
    return outcome


def _search(problem: Problem, optimiser: Optimiser, start: np.ndarray) -> Outcome:
    try:
        outcome = optimiser.search(problem, start)
    except Exact:
        return Outcome(problem.start, 0.0, True, "the start fits exactly")
    except Rejected as error:
        raise StepError(f"fit: {error}") from None
    if not problem.path or not np.array_equal(problem.path[-1], outcome.shares):
        problem.accept(outcome.shares, outcome.cost)
    return outcome


def _again(problem: Problem, before: Outcome) -> Outcome:
    """Search from several points, where one search ended far from the observations: there may be other minima."""
    after = _search(problem, AGAIN, before.shares)
    left = [problem.distance(outcome.cost) for outcome in (before, after)]
    began = f"the search began again at {AGAIN.starts} places, since residuals were far more than noise"
    if after.cost < BETTER * before.cost:
        return after._replace(why=f"{after.why}; {began}, and the distance left fell from {left[0]:.3g} to {left[1]:.3g}")
    if after.cost < before.cost:
        before = before._replace(shares=after.shares, cost=after.cost)
    elif not np.array_equal(problem.path[-1], before.shares):
        problem.accept(before.shares, before.cost)
    return before._replace(why=f"{before.why}; {began}, and found nothing better")


def _judged(problem: Problem, shares: np.ndarray) -> tuple[Uncertainty | None, tuple[Goodness, ...]]:
    """The uncertainty of the values, None without derivatives at the minimum, and their goodness of fit."""
    watch, jacobian = problem.watch, None
    if len(shares) <= MANY:
        with suppress(StepError):
            residuals, jacobian = problem.linearised(shares)
    if jacobian is None and (residuals := problem.left_at(shares)) is None:
        return None, ()
    spots = watch.spots
    good = goodness(residuals, jacobian, spots, watch.units, watch.robust)
    if jacobian is None:
        return None, good
    for number, one in enumerate(good):
        key = (None, f"observation {number}.delay")
        if one.correlated and key not in problem.parameters.free:
            late = timed(one, residuals, jacobian, watch.by_own(key)[:, 0])
            good = (*good[:number], late, *good[number + 1 :])
    _, prior = problem.priors(problem.parameters.values(shares))
    given = residuals, jacobian, prior.T @ prior
    worth = Worth.of(residuals, jacobian, good, spots)
    sure = uncertainty(shares, *given, worth=worth)
    if not watch.settles or len(shares) > FEW:
        return sure, good
    try:
        bend = _bend(problem, shares, sure.half)
    except StepError:
        return None, good
    return uncertainty(shares, *given, bend, worth), good


def _bend(problem: Problem, shares: np.ndarray, half: np.ndarray) -> np.ndarray:
    """(p, p) derivative of Jᵀr by the shares, with observations updated by each run: differences over intervals.

    Noise makes it less steep than JᵀJ where points change their nearest place.
    """
    bend = np.zeros((len(shares), len(shares)))
    for j in range(len(shares)):
        width = float(np.clip(half[j] if np.isfinite(half[j]) else 0.0, 1e-4, 0.1))
        ends = [np.clip(shares + sign * width * np.eye(len(shares))[j], 0.0, 1.0) for sign in (1.0, -1.0)]
        slopes = []
        for end in ends:
            problem.settle(end)
            r, jacobian = problem.linearised(end)
            slopes.append(jacobian.T @ r)
        bend[:, j] = (slopes[0] - slopes[1]) / (ends[0][j] - ends[1][j])
    problem.settle(shares)
    return bend
