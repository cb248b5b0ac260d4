"""A search by ask and tell finds a minimum, goes on from a file, and keeps what failed."""

import pytest
from sentences import check_sentence

import pliant as pl

optuna = pytest.importorskip("optuna")
SPACE = {"x": (-2.0, 2.0), "y": pl.inverse.Free(0.1, 10.0, log=True), "kind": ["near", "far"]}


def valley(x: float, y: float, kind: str) -> float:
    if x > 1.5:
        raise ValueError("too far")
    return (x - 0.5) ** 2 + (y - 1) ** 2 / 10 + (kind == "far")


def test_it_finds_the_minimum_and_keeps_failures():
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    assert pl.optimise(valley, SPACE, float, study, trials=60) is study
    assert study.best_value < 0.1 and study.best_params["kind"] == "near" and len(study.trials) == 60
    failed = [t for t in study.trials if t.state == optuna.trial.TrialState.FAIL]
    assert failed and all(t.user_attrs["failure"] == "ValueError: too far" and t.params["x"] > 1.5 for t in failed)


def test_it_goes_on_from_a_file_and_takes_what_was_under_way_for_failed(tmp_path):
    file = tmp_path / "trials.log"
    first = pl.optimise(valley, SPACE, float, file, trials=5)
    first.ask()
    again = pl.optimise(valley, SPACE, float, file, trials=12)
    values = [t.params.get("x") for t in again.trials]
    assert len(again.trials) == 12 and values[:5] == [t.params["x"] for t in first.trials[:5]]
    assert len({x for x in values if x is not None}) == 11, "the sampler goes on, and does not begin again"


def test_workers_are_asked_for_as_many_as_there_are():
    with pl.distributed.joblib(2, "threading") as executor:
        assert executor.workers == 2
        study = pl.optimise(valley, SPACE, float, executor=executor, trials=9)
    assert len(study.trials) == 9 and study.best_value < 4


def test_a_run_of_a_scene_is_what_costs():
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))

    def make(young):
        return pl.Scene(pl.Body(mesh, pl.StableNeoHookean(young=young), pinned=lambda X: X[:, 0] < 1e-9))

    def cost(run):
        return abs(run.positions[-1, :, 2].min() + 0.02)

    study = pl.optimise(make, {"young": pl.inverse.Free(1e3, 1e5, log=True)}, cost, trials=8, seconds=0.1)
    assert study.best_value < 0.01


BAD = {
    "a name": ({"space": {"z": (0, 1)}}, "make has no argument 'z'"),
    "bounds": ({"space": {"x": (1, 0), "y": [1], "kind": ["near"]}}, "the smaller one first"),
    "one number": ({"space": {"x": 1, "y": [1], "kind": ["near"]}}, "optimise(space=…): x is 1; expected bounds"),
    "nothing": ({"space": {}}, "optimise(space=…) is {}"),
    "no trials": ({"trials": 0}, "optimise(trials=…) is 0"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_told_in_a_sentence(name):
    given, words = BAD[name]
    with pytest.raises(pl.errors.InputError) as caught:
        pl.optimise(**{"make": valley, "space": SPACE, "cost": float} | given)
    assert words in check_sentence(caught.value)


def test_a_cost_that_is_no_number_is_a_failure():
    study = pl.optimise(valley, SPACE, lambda value: float("nan"), trials=2)
    assert [t.state for t in study.trials] == [optuna.trial.TrialState.FAIL] * 2
    assert "expected 1 finite" in study.trials[0].user_attrs["failure"]
