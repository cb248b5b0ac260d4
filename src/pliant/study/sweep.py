"""Sweep: one simulation for each member of a design."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from os import PathLike
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..arguments import checks
from ..arguments.progress import bar
from ..distributed import VERSION, check, needed, workers
from ..errors import InputError, PliantError, StudyError, did_you_mean
from .dataset import dataset, write
from .designs import Grid, _Spread, design
from .journal import Journal
from .members import Job, Runs
from .task_queue import Crew

if TYPE_CHECKING:
    import xarray


def sweep(
    make: Callable[..., Any],
    parameters: Mapping[str, Sequence[Any]] | _Spread,
    measure: Mapping[str, Callable[[Any], Any]],
    seconds: float = 1.0,
    executor: Executor | None = None,
    store: str | PathLike[str] | None = None,
    runs: Runs | None = None,
    progress: bool = True,
) -> xarray.Dataset:
    """Run ``make(**values)`` for ``seconds`` with every combination of the parameters, and measure each run.

    ``make`` returns a Scene or a Simulation; anything else, as a Run or a Fit, is measured as it is. ``parameters`` are lists by
    name, or a design such as study.Sobol(…). A ``measure`` takes the Run and returns a number, or an array whose first axis is
    that of the frames. The answer has a dimension for each parameter (or "member"), "time" and those of the measures;
    ``failure`` has a sentence where there is no value. ``executor`` is any of concurrent.futures or ``pl.distributed``; None
    runs here. ``store``, a folder "study.zarr", takes the answer, and "study.journal" next to it every member once it is done:
    the same call goes on from it.
    """
    needed("xarray")
    plan = design(parameters)
    job = Job(make, _measures(measure), checks.positive("sweep(seconds=…)", seconds, "seconds"), Runs.of("sweep", runs))
    checks.flag("sweep(progress=…)", progress)
    check("sweep(executor=…)", executor)
    members, own = plan.members, {"time", "member", "failure", "spent", "unconverged", *job.measure}
    if taken := own & plan.coordinates.keys():
        raise InputError(f"sweep(…): a parameter is named {taken.pop()!r}, as a part of the answer is; expected another name")
    check_make("sweep", make, members[0])
    place = None if store is None else _place(store)
    about = {"seed": plan.seed, "seconds": job.seconds}
    with Journal(None if place is None else place.with_suffix(".journal"), _question(job, plan)) as journal:
        left = [(i, values) for i, values in enumerate(members) if i not in journal.answers]
        size = min(job.runs.together, -(-len(left) // workers(executor)))
        tasks = [tuple(left[i : i + size]) for i in range(0, len(left), max(1, size))]
        try:
            with bar("sweeping", len(left), progress) as advance, Crew(job, executor) as crew:
                for task in tasks:
                    crew.hand(task)
                while len(journal.answers) < len(members):
                    found = crew.next()
                    journal.keep(found)
                    for _ in found:
                        advance()
        except PliantError as error:
            kept = f"{len(journal.answers)} of {len(members)} members are done"
            more = " and the same call goes on from there" if place is not None else ""
            broken = StudyError(f"{error}; {kept}{more}")
            broken.dataset = dataset(plan, job, journal.answers, about) if journal.answers else None
            raise (broken if isinstance(error, StudyError) or journal.answers else error) from None
    result = dataset(plan, job, journal.answers, about)
    if place is not None:
        write(result, place)
    return result


def check_make(call: str, make: object, values: Mapping[str, Any]) -> None:
    """Refuse what cannot be called with these names."""
    if not callable(make):
        raise InputError(f"{call}(make=…) is {checks.kind(make)}; expected a function that returns a Scene or a Simulation")
    try:
        known = inspect.signature(make).parameters
    except (TypeError, ValueError):  # it has none that Python can tell
        return
    if any(one.kind is one.VAR_KEYWORD for one in known.values()):
        return
    for name in values:
        if name not in known:
            raise InputError(
                f"{call}(…): make has no argument {name!r}{did_you_mean(name, known)}; it has {', '.join(known) or 'none'}"
            )
    for name, one in known.items():
        if name not in values and one.default is one.empty and one.kind is not one.VAR_POSITIONAL:
            raise InputError(f"{call}(…): make needs {name!r}, which is not among the parameters {', '.join(values)}")


def _measures(measure: object) -> dict[str, Callable[[Any], Any]]:
    fine = isinstance(measure, Mapping) and measure and all(callable(function) for function in measure.values())
    if not fine or not all(isinstance(name, str) for name in measure):
        raise checks.refusal("sweep(measure=…)", measure, 'functions of a Run by name, such as {"tip": lambda run: …}')
    return dict(measure)


def _place(store: str | PathLike[str]) -> Path:
    path = Path(store) if isinstance(store, str | PathLike) else None
    if path is None or path.suffix != ".zarr":
        raise checks.refusal("sweep(store=…)", store, 'a name ending in .zarr, such as "study.zarr"')
    needed("zarr")
    return path


def _question(job: Job, plan: Grid | _Spread) -> dict[str, str]:
    """What a journal must agree with."""
    return {
        "make": _source(job.make),
        "the parameters": repr(plan.coordinates),
        "the measures": repr({name: _source(function) for name, function in job.measure.items()}),
        "the seconds": repr(job.seconds),
        "the runs": repr(job.runs.__dict__ | {"together": None}),
        "the version of pliant": VERSION,
    }


def _source(function: Any) -> str:
    """What a function does, in a few letters: its code and the plain values that it takes from around it."""
    if isinstance(function, partial):
        return _digest((_source(function.func), function.args, function.keywords))
    if not inspect.isfunction(function):
        return repr(function) if hasattr(function, "__dataclass_fields__") else type(function).__qualname__
    seen = inspect.getclosurevars(function)
    around = {k: v for k, v in {**seen.globals, **seen.nonlocals}.items() if isinstance(v, int | float | str | tuple)}
    return _digest((_code(function.__code__), function.__defaults__, function.__kwdefaults__, around))


def _code(code: CodeType) -> tuple[Any, ...]:
    inner = [_code(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.co_code, code.co_names, inner


def _digest(thing: object) -> str:
    return hashlib.sha256(repr(thing).encode()).hexdigest()[:16]
