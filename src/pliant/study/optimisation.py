"""The members of a study that cost least, which Optuna asks for one after another, by what it was told of those before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arguments import checks
from ..arguments.atomic_files import target
from ..arguments.progress import bar
from ..distributed import check, needed, workers
from .designs import Grid, bounded
from .members import Answer, Job, Runs
from .sweep import check_make
from .task_queue import Crew

if TYPE_CHECKING:
    import optuna

    from ..inverse.fitting.free_parameters import Free

    Space = Mapping[str, Free | tuple[float, float] | Sequence[Any]]

NAME = "pliant"  # of a study in a file


def optimise(
    make: Callable[..., Any],
    space: Space,
    cost: Callable[[Any], Any],
    study: optuna.Study | str | PathLike[str] | None = None,
    trials: int = 50,
    seconds: float = 1.0,
    executor: Executor | None = None,
    runs: Runs | None = None,
) -> optuna.Study:
    """Look for the values with which ``cost`` of a run of ``make(**values)`` is least, until the study has so many ``trials``.

    ``space`` has bounds by name, (low, high) or inverse.Free(low, high, log=True), or a list of choices. ``study`` is one of
    Optuna's with a sampler of its own, or a file that takes the trials, from which the same call goes on; the default's seed is
    0. As many members run at a time as the executor has workers; one that fails is a failed trial, its ``user_attrs`` say why.
    """
    optuna = needed("optuna")
    if not isinstance(space, Mapping) or not space:
        raise checks.refusal("optimise(space=…)", space, 'such as {"young": (1e3, 1e5)}')
    kinds = {name: _distribution(optuna, name, given) for name, given in space.items()}
    check("optimise(executor=…)", executor)
    check_make("optimise", make, kinds)
    checks.whole("optimise(trials=…)", trials)
    seconds = checks.positive("optimise(seconds=…)", seconds, "seconds")
    job = Job(make, {"cost": cost}, seconds, Runs.of("optimise", runs))
    study = _study(optuna, study)
    left = trials - sum(trial.state.is_finished() for trial in study.trials)
    with bar("optimising", max(left, 0)) as advance, Crew(job, executor) as crew:
        asked: dict[int, Any] = {}
        while left > 0 or asked:
            while left > 0 and len(asked) < workers(executor):
                trial = study.ask(kinds)
                asked[trial.number], left = trial, left - 1
                crew.hand(((trial.number, dict(trial.params)),))
            for answer in crew.next():
                _tell(optuna, study, asked.pop(answer.member), answer)
                advance()
    return study


def _distribution(optuna: Any, name: str, given: Any) -> Any:
    if hasattr(given, "__iter__") and not isinstance(given, tuple):
        return optuna.distributions.CategoricalDistribution(Grid({name: given}).parameters[name])
    bounds = bounded(f"optimise(space=…): {name}", given)
    return optuna.distributions.FloatDistribution(bounds.low, bounds.high, log=bounds.log)


def _study(optuna: Any, given: Any) -> optuna.Study:
    """One of Optuna's as it is; else ours, where trials that were under way when a call ended have failed."""
    if isinstance(given, optuna.Study):
        return given
    storage = None
    if given is not None:
        log, path = optuna.storages.journal, str(target(given))
        storage = optuna.storages.JournalStorage(log.JournalFileBackend(path, log.JournalFileOpenLock(path)))
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(storage=storage, study_name=NAME, load_if_exists=True)
    optuna.logging.set_verbosity(before)
    study.sampler = optuna.samplers.TPESampler(seed=len(study.trials))  # other points than those before
    for trial in study.get_trials(states=[optuna.trial.TrialState.RUNNING]):
        study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
    return study


def _tell(optuna: Any, study: optuna.Study, trial: Any, answer: Answer) -> None:
    why = answer.why
    costs = [] if why else answer.values["cost"].ravel().tolist()
    if not why and not (np.isfinite(costs).all() and len(costs) == len(study.directions)):
        why = f"the cost is {costs}; expected {len(study.directions)} finite"
    if why:
        trial.set_user_attr("failure", why)
        study.tell(trial, state=optuna.trial.TrialState.FAIL)
    else:
        study.tell(trial, costs)
