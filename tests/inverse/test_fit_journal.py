"""A fit that was killed goes on from its last run, bit for bit; a file that is not its own is refused."""

import os
import subprocess
import sys

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import (
    LBFGS,
    Camera,
    Clouds,
    DepthImages,
    GaussNewton,
    GemanMcClure,
    LevelSets,
    Markers,
    NodePositions,
    PinForces,
    SparsePoints,
)
from pliant.inverse.fitting.fit_problem import Problem
from pliant.inverse.fitting.observation_digest import digest

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
    observed, file = NodePositions(seen(beam(), 2)), tmp_path / "fit.npz"

    def answer():
        return pl.fit(beam(young=3e4, poisson=0.2), observed, BOUNDS, optimiser, checkpoint=file, confidence=False)

    whole = pl.fit(beam(young=3e4, poisson=0.2), observed, BOUNDS, optimiser, confidence=False)
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
    observed, file = NodePositions(seen(beam(), 2)), tmp_path / "fit.npz"

    def answer(seen_=observed, free=BOUNDS, start=3e4):
        return pl.fit(beam(young=start), seen_, free, GaussNewton(1), checkpoint=file, confidence=False)

    answer()
    for wrong, sentence in [
        (lambda: answer(free={(0, "young"): BOUNDS[0, "young"]}), "the free parameters, the start differ"),
        (lambda: answer(start=4e4), "is of another fit: the start, the bodies differ; delete it"),
        (lambda: answer(NodePositions(observed.positions + 1e-9)), "the observations differ"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(InputError, match="expected a checkpoint that fit"):
        answer()
    np.savez(file, question=np.array("[]"))
    with pytest.raises(InputError, match="cannot be read; expected a checkpoint"):
        answer()


def points(seed=0):
    """Five points of a face of the beam in each of two frames."""
    draw = np.random.default_rng(seed)
    return [np.column_stack([np.full(5, 0.2), draw.uniform(0.0, 0.1, (5, 2))]) for _ in range(2)]


def measured():
    """An observation of each kind that keeps what was measured in its own way, and the same with one number changed."""
    look = Camera.looking((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (4, 3))
    images, moved = np.full((2, 3, 4), 0.9), points()
    moved[1][3, 2] += 1e-12
    shape = pl.box((0.2, 0.1, 0.1))
    yield "Clouds", lambda p: Clouds(p, [0, 0.1]), (points(),), (moved,)
    yield "noise", lambda n: Clouds(points(), [0, 0.1], noise=n), (0.0,), (0.01,)
    yield "loss", lambda w: Clouds(points(), [0, 0.1], loss=GemanMcClure(w)), (0.01,), (0.02,)
    yield "SparsePoints", lambda p: SparsePoints(p, [0, 0.1]), (points(),), (moved,)
    yield "Markers", lambda p: Markers(np.array(p), [0, 0.1]), (points(),), (moved,)
    yield "DepthImages", lambda i: DepthImages(i, look, [0, 0.1]), (images,), (images + 1e-12,)
    yield "LevelSets", lambda s: LevelSets([s], [0], 0.03, 0.02), (shape,), (shape.translated((1e-12, 0, 0)),)
    yield "PinForces", lambda f: PinForces(np.ones((1, 3)), [0], f), (lambda X: X[:, 0] < 1,), (lambda X: X[:, 0] < 2,)


@pytest.mark.parametrize("case", list(measured()), ids=lambda case: case[0])
def test_what_was_measured_has_a_name_that_each_number_changes(case):
    _, make, same, other = case
    assert digest([make(*same)]) == digest([make(*same)]) != digest([make(*other)])


def test_the_name_is_the_same_in_another_process():
    text = (
        "import numpy as np; from pliant.inverse import Clouds, Huber;"
        "from pliant.inverse.fitting.observation_digest import digest;"
        "print(digest([Clouds([np.arange(6.0).reshape(2, 3)], [0.5], loss=Huber(0.1)), {'a': {1, 2}, 'b': lambda x: x + 1}]))"
    )
    names = {
        subprocess.run(
            [sys.executable, "-c", text], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(names) == 1 and len(names.pop().strip()) == 64


def test_other_points_are_another_fit(tmp_path):
    def answer(given):
        observed, free = Clouds(given, [0, 0.02]), {(0, "young"): BOUNDS[0, "young"]}
        return pl.fit(beam(young=3e4), observed, free, GaussNewton(1), checkpoint=tmp_path / "fit.npz", confidence=False)

    answer(points())
    answer(points())
    with pytest.raises(InputError, match="the observations differ"):
        answer(points(1))
