"""A fit that was killed goes on from its last run, bit for bit; a file that is not its own is refused."""

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.inverse import LBFGS, GaussNewton, Observed, fit
from pliant.inverse.problem import Problem

from .test_fit import BOUNDS, beam, seen


class Killed(BaseException):
    """As Ctrl-C."""


def dying(monkeypatch, after: int) -> list[int]:
    """Runs that end the process, so to speak, after some; counts those that are made."""
    made = [0]
    for name in ("_run_back", "_run_along"):
        run = getattr(Problem, name)

        def counted(self, shares, run=run):
            if made[0] == after:
                raise Killed
            made[0] += 1
            return run(self, shares)

        monkeypatch.setattr(Problem, name, counted)
    return made


@pytest.mark.parametrize("optimiser", [GaussNewton(), LBFGS(4)], ids=lambda o: type(o).__name__)
def test_on_from_the_last_run(tmp_path, monkeypatch, optimiser):
    observed, file = Observed(seen(beam(), 2)), tmp_path / "fit.npz"

    def answer():
        return fit(beam(young=3e4, poisson=0.2), observed, BOUNDS, optimiser, checkpoint=file, confidence=False)

    whole = fit(beam(young=3e4, poisson=0.2), observed, BOUNDS, optimiser, confidence=False)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        dying(patch, 3)
        answer()
    with monkeypatch.context() as patch:
        made = dying(patch, -1)
        found = answer()
        assert made[0] == whole.runs - 3
    assert all(np.array_equal(found.values[key], whole.values[key]) for key in BOUNDS)
    assert np.array_equal(found.history, whole.history) and found.why == whole.why and found.runs == whole.runs
    with monkeypatch.context() as patch:  # once more: nothing is run
        made = dying(patch, 0)
        assert answer().values == found.values


def test_files_of_something_else(tmp_path):
    observed, file = Observed(seen(beam(), 2)), tmp_path / "fit.npz"

    def answer(seen_=observed, free=BOUNDS, start=3e4):
        return fit(beam(young=start), seen_, free, GaussNewton(1), checkpoint=file, confidence=False)

    answer()
    for wrong, sentence in [
        (lambda: answer(free={(0, "young"): BOUNDS[0, "young"]}), "the free parameters, the start differ"),
        (lambda: answer(start=4e4), "is of another fit: the start, the bodies differ; delete it"),
        (lambda: answer(Observed(observed.positions + 1e-9)), "the observations differ"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(InputError, match="expected a checkpoint that fit"):
        answer()
    np.savez(file, question=np.array("[]"))
    with pytest.raises(InputError, match="cannot be read; expected a checkpoint"):
        answer()
