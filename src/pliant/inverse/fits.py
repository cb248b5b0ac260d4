"""Parameters from a motion that was seen: least squares between bounds, with exact derivatives of runs, and how sure they are."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from .. import checks
from ..errors import InputError, PliantWarning, StepError
from ..files import target
from ..progress import bar
from ..simulate.simulation import Simulation
from .free import Free, Key
from .observation import Observation
from .optimisers import LBFGS, GaussNewton, Optimiser, Outcome, Rejected, check
from .problem import Exact, Problem
from .result import Fit, labels
from .uncertainty import Uncertainty, uncertainty

FEW = 12  # numbers up to which Gauss and Newton's method is the default
MANY = 64  # and up to which a fit says how sure it is
ROUNDS = 6  # of a search at most, where observations take numbers from a run
SETTLED = 1e-3  # of the bounds, that the last one may move

Freed = Mapping[Key, Free] | Mapping[tuple[int, str], Free] | Mapping[tuple[None, str], Free]


def fit(
    sim: Simulation,
    observed: Observation | Sequence[Observation],
    free: Freed,
    optimiser: Optimiser | None = None,
    keep_every: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    confidence: bool = True,
    progress: bool = True,
) -> Fit:
    """Find the values with which runs of ``sim`` come closest to a motion, from those that it has on; ``sim`` keeps them.

    ``free`` names them as Gradient does: material parameters, "damping.mass" and so on of a body, and (None, "gravity").
    ``optimiser`` is GaussNewton() for up to 12 numbers and LBFGS() for more. ``checkpoint`` names a file (.npz) that takes every
    answer of a run: the same call after a kill goes on from it. ``confidence`` asks for intervals, one more run, for up to 64
    numbers. If the first run fails, it raises, and ``sim`` is as before; later ones that fail are steps not taken.
    """
    checks.flag("fit(progress=…)", progress)
    checks.flag("fit(confidence=…)", confidence)
    if optimiser is not None:
        check("fit(optimiser=…)", optimiser)
    found = _fitted(Problem(sim, observed, free, keep_every, checkpoint, optimiser), optimiser, confidence, progress)
    for sentence in found.warnings:
        warnings.warn(sentence, PliantWarning, stacklevel=3)  # past the wrapper of public names
    return found


def coarse_to_fine(
    sims: Sequence[Simulation],
    observed: Observation | Sequence[Observation],
    free: Freed,
    optimiser: Optimiser | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> tuple[Fit, ...]:
    """Fit the first of several simulations of one scene, then each from where the one before ended: most runs are cheap ones.

    They have the same bodies with the coarsest mesh, or the longest step, first. ``observed`` must say what was seen without
    nodes, as Clouds and Markers do, and ``free`` numbers that all have alike. An ``optimiser`` of several starts is for the first
    alone. The last fit is the answer, and alone says how sure it is; checkpoints of the others have a number in their names.
    """
    checks.flag("coarse_to_fine(progress=…)", progress)
    if optimiser is not None:
        check("coarse_to_fine(optimiser=…)", optimiser)
    sims = list(sims) if isinstance(sims, list | tuple) else [sims]
    if not sims or not all(isinstance(sim, Simulation) for sim in sims):
        raise InputError("coarse_to_fine(sims=…): expected a list of simulations, the coarsest first")
    found: list[Fit] = []
    for number, sim in enumerate(sims):
        last = number == len(sims) - 1
        file = checkpoint if last or checkpoint is None else target(checkpoint).with_suffix(f".{number}.npz")
        begin = found[-1].values if found else None
        problem = Problem(sim, observed, free, 1, file, optimiser, begin=begin)
        found.append(_fitted(problem, optimiser, last, progress))
        optimiser = None if optimiser is None else optimiser.then
    for sentence in found[-1].warnings:
        warnings.warn(sentence, PliantWarning, stacklevel=3)  # past the wrapper of public names
    return tuple(found)


def _fitted(problem: Problem, optimiser: Optimiser | None, confidence: bool, progress: bool) -> Fit:
    """The simulation of the problem keeps what is found."""
    parameters = problem.parameters
    chosen = optimiser or (GaussNewton() if len(problem.start) <= FEW else LBFGS())
    sure, left = None, None
    try:
        with bar("fitting", chosen.iterations, progress) as advance:
            problem.after = advance
            outcome = _settled(problem, chosen)
        # an exact start is returned to the last digit, which shares of bounds do not keep
        began = np.array_equal(problem.start, parameters.shares) and problem.scale == 0
        values = parameters.start if began else parameters.values(outcome.shares)
        if confidence and len(problem.start) <= MANY:
            sure = _uncertainty(problem, outcome.shares)
            left = None if sure is None else problem.watch.left
    except BaseException:
        parameters.put(parameters.start)
        raise
    parameters.put(values)
    said = [] if sure is None else sure.warnings(labels(values))
    path = [parameters.values(shares) for shares in problem.path]
    return Fit(
        values,
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
    )


def _settled(problem: Problem, optimiser: Optimiser) -> Outcome:
    """Search, and again where it ended with what observations take from the run there, until it ends where it began."""
    problem.settle(problem.start)
    outcome = _search(problem, optimiser, problem.start)
    for _ in range(ROUNDS - 1 if problem.watch.settles else 0):
        before = outcome.shares
        problem.settle(before)
        outcome = _search(problem, optimiser.then, before)
        if float(np.abs(outcome.shares - before).max()) <= SETTLED:
            return outcome
    if problem.watch.settles:
        return outcome._replace(
            converged=False, why=f"what noise does on average was not settled after {ROUNDS} rounds"
        )
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


def _uncertainty(problem: Problem, shares: np.ndarray) -> Uncertainty | None:
    """None where the derivatives at the minimum cannot be had."""
    try:
        residuals, jacobian = problem.linearised(shares)
    except StepError:
        return None
    _, prior = problem.priors(problem.parameters.values(shares))
    sure = uncertainty(shares, residuals, jacobian, prior.T @ prior)
    if not problem.watch.settles or len(shares) > FEW:
        return sure
    try:
        bend = _bend(problem, shares, sure.half)
    except StepError:
        return None
    return uncertainty(shares, residuals, jacobian, prior.T @ prior, bend)


def _bend(problem: Problem, shares: np.ndarray, half: np.ndarray) -> np.ndarray:
    """(p, p) how Jᵀr changes with the shares, with what observations take from runs taken anew: differences over intervals.

    Noise makes it less steep than JᵀJ where points change the place that is nearest to them.
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
