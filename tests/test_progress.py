"""What is shown while something takes long: on a terminal only, one display for all, and nothing left behind."""

import io
import sys
import time

import pytest

from pliant.arguments import progress


def terminal(monkeypatch) -> io.StringIO:
    """A terminal that keeps what was written to it; made in the test, since each phase of one has its own stderr."""
    made = io.StringIO()
    made.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", made)
    return made


def test_nothing_in_a_pipe(capsys):
    assert list(progress.track([1, 2, 3], "work")) == [1, 2, 3]
    with progress.status("reading"), progress.bar("stepping", 3) as advance:
        advance()
    assert capsys.readouterr().err == ""


def test_plain_lines_in_a_pipe_for_programs_that_ask(monkeypatch, capsys):
    monkeypatch.setenv("PLIANT_PROGRESS", "1")
    with progress.status("reading"), progress.bar("simulating", 3) as advance:
        for _ in range(3):
            advance()
    with progress.bar("unwanted", 4, wanted=False):
        pass
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["reading", "simulating 0/3"] and lines[-1] == "simulating 3/3" and len(lines) <= 5


def test_a_loop_is_silent_unless_it_takes_long(monkeypatch):
    screen = terminal(monkeypatch)
    assert list(progress.track([1, 2, 3], "quick work")) == [1, 2, 3]
    assert screen.getvalue() == ""
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    for _ in progress.track(range(3), "slow work"):
        time.sleep(0.05)
    assert "slow work" in screen.getvalue() and "/3" in screen.getvalue()


def test_lines_share_one_display_that_goes_with_the_last(monkeypatch, capsys):
    screen = terminal(monkeypatch)
    with progress.status("reading [a].stl"):
        with progress.bar("simulating", 4) as advance:
            advance()
            assert progress._Display.lines == 2
            print("a result")
        assert progress._Display.shown is not None
    assert progress._Display.shown is None and progress._Display.lines == 0
    assert "reading [a].stl" in screen.getvalue() and "simulating" in screen.getvalue()
    assert capsys.readouterr().out == "a result\n" and "a result" not in screen.getvalue()
    with progress.bar("unwanted", 4, wanted=False):
        pass
    assert "unwanted" not in screen.getvalue()


def test_an_error_takes_the_lines_away(monkeypatch):
    screen = terminal(monkeypatch)
    with pytest.raises(ZeroDivisionError), progress.status("dividing"):
        _ = 1 / 0
    assert progress._Display.shown is None and "dividing" in screen.getvalue()
    assert "dividing" not in screen.getvalue().split("\x1b[2K")[-1]
