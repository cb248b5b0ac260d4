"""The members of a study that cost least, which Optuna asks for one after another, by what it was told of those before."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import checks
from ..distributed import check, needed, workers
from ..errors import InputError
from ..files import target
from ..inverse.free import Free
from ..progress import bar
from ..simulate.run import Run
from .designs import bounded
from .members import Answer, Job, Made, Runs
from .sweep import answering, check_make

if TYPE_CHECKING:
    import optuna

NAME = "pliant"  # of a study in a file
Space = Mapping[str, Free | tuple[float, float] | Sequence[Any]]


def optimise(
    make: Callable[..., Made],
    space: Space,
    cost: Callable[[Run], float],
    study: optuna.Study | str | PathLike[str] | None = None,
    trials: int = 50,
    seconds: float = 1.0,
    executor: Executor | None = None,
    runs: Runs | None = None,
) -> optuna.Study:
    """Look for the values with which ``cost`` of a run of ``make(**values)`` is least, until the study has so many ``trials``.

    ``space`` has bounds by name, (low, high) or inverse.Free(low, high, log=True), or a list of choices. ``study`` is one of
    Optuna's with a sampler of its own, or a file that takes the trials, from which the same call goes on; the default's seed is 0.
    As many members run at a time as the executor has workers. One that fails is a failed trial with its sentence in ``user_attrs``.
    """
    optuna = needed("optuna")
    if not isinstance(space, Mapping) or not space:
        raise checks.refusal("optimise(space=…)", space, 'such as {"young": (1e3, 1e5)}')
    kinds = {name: _distribution(optuna, name, given) for name, given in space.items()}
    check("optimise(executor=…)", executor)
    check_make("optimise", make, kinds)
    runs = checks.instance("optimise(runs=…)", runs or Runs(), Runs, "study.Runs(…)")
    checks.whole("optimise(trials=…)", trials)
    job = Job(make, {"cost": cost}, checks.positive("optimise(seconds=…)", seconds, "seconds"), runs)
    study = _study(optuna, study)
    left = trials - sum(trial.state.is_finished() for trial in study.trials)
    told: queue.SimpleQueue[Any] = queue.SimpleQueue()
    with bar("optimising", max(left, 0), True) as advance, answering(job, executor) as (hand, following):
        asked: dict[int, Any] = {}
        while left > 0 or asked:
            while left > 0 and len(asked) < workers(executor):
                trial = study.ask(kinds)
                asked[trial.number], left = trial, left - 1
                hand(((trial.number, trial.params),))
            for answer in following():
                _tell(study, asked.pop(answer.member), answer)
                advance()
    return study
