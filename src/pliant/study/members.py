"""Members of a study: made, stepped and measured."""

from __future__ import annotations

import functools
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..arguments import checks
from ..arguments.atomic_files import why
from ..distributed import VERSION
from ..errors import InputError, PliantError
from ..integrate.base import Implicit
from ..integrate.schemes import ImplicitEuler
from ..simulate.batch import Batch
from ..simulate.record.run import Run
from ..simulate.scene.body import Scene
from ..simulate.simulation import Simulation
from ..solve.objective.report import TOLERANCE
from ..solve.quasi_newton.quasi_newton_solver import QuasiNewton


@dataclass(frozen=True)
class Runs:
    """How members are run: ``together`` so many in a task and, where their scenes allow it, in one Batch.

    ``integrator``, ``device`` and ``precision`` are those of members that are scenes, by default a Batch's; simulations have
    their own, and go into a Batch if those are alike and their solver can. Members that fail there are tried alone.
    ``frames_per_second`` is how many moments a measure sees, by default every step.
    """

    together: int = 8
    frames_per_second: float | None = None
    integrator: Implicit | None = None
    device: str = "cpu"
    precision: str = "f64"

    def __post_init__(self):
        checks.whole("Runs(together=…)", self.together)
        if self.frames_per_second is not None:
            checks.positive("Runs(frames_per_second=…)", self.frames_per_second)
        if self.integrator is not None:
            checks.instance("Runs(integrator=…)", self.integrator, Implicit, "an implicit one such as BDF2(), or None")
        checks.text("Runs(device=…)", self.device)
        checks.among("Runs(precision=…)", self.precision, ("f64", "f32"))

    @classmethod
    def of(cls, call: str, given: object) -> Runs:
        """What a call was given, or the default for None."""
        return cls() if given is None else checks.instance(f"{call}(runs=…)", given, cls, "study.Runs(…), or None")


@dataclass(frozen=True)
class Job:
    """What all members have in common."""

    make: Callable[..., Any]
    measure: Mapping[str, Callable[[Any], Any]]
    seconds: float
    runs: Runs
    version: str = VERSION


@dataclass(frozen=True)
class Answer:
    """What came of a member: what was measured, or ``why`` there is nothing; ``spent`` seconds on it."""

    member: int
    values: dict[str, np.ndarray] = field(default_factory=dict)
    times: np.ndarray = field(default_factory=lambda: np.zeros(0))
    spent: float = 0.0
    unconverged: int = 0
    why: str = ""


def answers(given: Job | bytes, members: Sequence[tuple[int, dict[str, Any]]]) -> list[Answer]:
    """Run some members of a job, or of a pickle of one, wherever this is called."""
    job = given if isinstance(given, Job) else _job(given)
    made: dict[int, Any] = {}
    found: dict[int, Answer] = {}
    begin = time.perf_counter()
    for number, values in members:
        try:
            made[number] = job.make(**values)
        except Exception as error:
            found[number] = Answer(number, why=_sentence(error))
    build = (time.perf_counter() - begin) / len(members)
    batched = _side_by_side(job, made)
    for number, _ in members:
        if number in made:
            spent, run = batched.get(number, (0.0, None))
            begin = time.perf_counter()
            try:
                run = _alone(job, made[number]) if run is None else run
                values = {name: _measured(name, function, run) for name, function in job.measure.items()}
                more = _more(run) if isinstance(run, Run) else {}
            except Exception as error:
                values, more = {}, {"why": _sentence(error)}
            spent += build + time.perf_counter() - begin
            found[number] = Answer(number, values, spent=spent, **more)
    return [found[number] for number, _ in members]


def _more(run: Run) -> dict[str, Any]:
    return {"times": np.asarray(run.times, float), "unconverged": sum(not report.ok for report in run.reports)}


@functools.lru_cache(maxsize=1)
def _job(pickled: bytes) -> Job:
    try:
        job = pickle.loads(pickled)
    except Exception as error:
        raise InputError(
            f"a worker cannot read make or measure ({type(error).__name__}: {why(error)}); expected the same packages there, or "
            "make in the script itself"
        ) from None
    if job.version != VERSION:
        raise InputError(f"a worker has pliant {VERSION}; expected {job.version}, as here")
    return job


def _alone(job: Job, made: Any) -> Any:
    """The run of a member; what is no scene and no simulation is measured as it is."""
    if made is None:
        raise InputError("make returned None; expected a Scene, a Simulation, or what measures take")
    if isinstance(made, Scene):
        made = Simulation(made, _integrator(job.runs), device=job.runs.device, precision=job.runs.precision)
    if not isinstance(made, Simulation):
        return made
    return made.run(job.seconds, frames_per_second=job.runs.frames_per_second)


def _integrator(runs: Runs) -> Implicit:
    return runs.integrator or ImplicitEuler(solver=QuasiNewton(tolerance=TOLERANCE.get(runs.precision, 1e-4)))


def _side_by_side(job: Job, made: Mapping[int, Any]) -> dict[int, tuple[float, Run]]:
    """Seconds and run of each member that did well in a Batch; none where there is no batch of them."""
    begin = time.perf_counter()
    try:
        batch = _batch(job.runs, list(made.values())) if len(made) > 1 else None
        runs = [] if batch is None else batch.run(job.seconds, frames_per_second=job.runs.frames_per_second)
    except Exception:  # each alone says what it was
        return {}
    each = (time.perf_counter() - begin) / max(1, len(runs))
    done = zip(made, runs)
    return {number: (each, run) for number, run in done if all(report.kept for report in run.reports)}


def _batch(runs: Runs, made: Sequence[Any]) -> Batch | None:
    if all(isinstance(one, Scene) for one in made):
        return Batch(made, _integrator(runs), runs.device, runs.precision)
    sims = [one for one in made if isinstance(one, Simulation)]
    own = {(repr(s.integrator), s.device.name, s.device.precision, s.device.threads) for s in sims}
    if len(sims) < len(made) or len(own) > 1 or not all(map(_fresh, sims)):
        return None
    first = sims[0]
    batch = Batch([s.scene for s in sims], first.integrator, first.device.name, first.device.precision, first.device.threads)
    batch.x, batch.v = [s.x for s in sims], [s.v for s in sims]
    return batch


def _fresh(sim: Simulation) -> bool:
    """Whether a simulation is at its start, and a batch steps it as it would itself."""
    own = sim.planned or sim.hands.points or sim.scene.contact.restitution is not None
    return sim.state.steps == 0 and not own


def _measured(name: str, function: Callable[[Any], Any], run: Any) -> np.ndarray:
    given = checks.called(f"measure {name!r}", function, run)
    value = checks.numeric(given)
    if value is None:
        raise checks.refusal(f"what measure {name!r} returns", given, "a number or an array of them")
    return value


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split())[:400]
    return text if isinstance(error, PliantError) and text else f"{type(error).__name__}: {text}"
