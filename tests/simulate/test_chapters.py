"""A recorder opens a chapter where the bodies change, and a run of several chapters says what it cannot give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.simulate.record.recorder import Recorder


def simulation(cells):
    body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), cells), pl.NeoHookean(young=1e4, poisson=0.3))
    return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(iterations=1)))


@pytest.fixture(scope="module")
def cut():
    """Three frames of one simulation and two of another with more nodes, as a cut leaves them."""
    coarse, fine = simulation((3, 1, 1)), simulation((4, 1, 1))
    recorder = Recorder(coarse, ("stress",))
    recorder.record()
    reports = []
    for _ in range(2):
        reports.append(coarse.step())
        recorder.record()
    recorder.simulation, fine.t = fine, coarse.t
    for _ in range(2):
        reports.append(fine.step())
        recorder.record()
    return recorder.run(tuple(reports), np.zeros(4)), fine


def test_other_bodies_open_another_chapter(cut):
    run, _ = cut
    assert [len(chapter) for chapter in run.chapters] == [3, 2] and run.starts.tolist() == [0, 3, 5]
    assert [len(chapter.rest) for chapter in run.chapters] == [16, 20]
    assert run.chapters[1].fields["stress"].shape == (2, 20)
    assert len(run) == 5 and len(run.energies["total"]) == 5 and len(run.reports) == 4
    assert [run.chapter_of(f) for f in range(5)] == [0, 0, 0, 1, 1]
    assert len(run.moment(2).x) == 16 and len(run.moment(-1).x) == 20
    np.testing.assert_array_equal(run.moment(4).values("height"), run.chapters[1].positions[1, :, 2])


@pytest.mark.parametrize("what", ["positions", "velocities", "rest", "skins", "fields"])
def test_what_chapters_do_not_share_is_refused(cut, what):
    run, _ = cut
    with pytest.raises(InputError, match=rf"run.{what}: this run has 2 chapters.*change at t = 0.05 s.*chapters\[k\]"):
        getattr(run, what)
    with pytest.raises(InputError, match="2 chapters"):
        run.changed(**{what: None})


def test_values_and_moments_of_several_chapters(cut):
    run, _ = cut
    with pytest.raises(InputError, match="2 chapters"):
        run.values("stress")
    with pytest.raises(InputError, match="numbered 0…4"):
        run.moment(5)
    with pytest.raises(InputError, match="did you mean 'stress'"):
        run.moment(0).values("stres")


def test_selected_frames_keep_their_chapters(cut):
    run, _ = cut
    some = run.selected(np.array([1, 2, 4]))
    assert [len(chapter) for chapter in some.chapters] == [2, 1]
    np.testing.assert_array_equal(some.moment(2).x, run.moment(4).x)
    assert len(run.selected(np.array([3, 4])).chapters) == 1
    with pytest.raises(InputError, match="rising"):
        run.selected(np.array([2, 1]))


def test_beside_splits_at_the_chapters_of_both(cut):
    run, _ = cut
    single = replace(run, chapters=(run.chapters[0][np.array([0, 1, 2, 2, 2])],))
    both = single.beside(run, (0, 1.0, 0))
    assert [len(chapter) for chapter in both.chapters] == [3, 2]
    assert [len(chapter.rest) for chapter in both.chapters] == [32, 36]
    np.testing.assert_allclose(both.moment(4).x[16:], run.moment(4).x + np.array([0, 1.0, 0]))
    assert [(s.start, s.stop) for s in both.chapters[1].skins] == [(0, 16), (16, 36)]


def test_drawn_takes_surfaces_for_each_chapter(cut):
    run, _ = cut
    skins = [[replace(chapter.skins[0], colour="#ff0000")] for chapter in run.chapters]
    assert [c.skins[0].colour for c in run.drawn(skins).chapters] == ["#ff0000"] * 2
    with pytest.raises(InputError, match="each of the 2 chapters"):
        run.drawn(skins[0])


def test_a_run_goes_on_in_its_last_chapter(cut):
    run, fine = cut
    longer = fine.run(8 / 60, after=run)
    assert [len(chapter) for chapter in longer.chapters] == [3, 6]
    np.testing.assert_array_equal(longer.moment(1).x, run.moment(1).x)
    np.testing.assert_array_equal(longer.moment(4).x, run.moment(4).x)
