"""Tests do not depend on the signals of who starts them, and their failures are named while the others still run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SUITE = """
import signal, subprocess, sys, time
import pytest

def ignored(code="import signal; print([signal.getsignal(getattr(signal, f'SIG{n}')) == signal.SIG_IGN for n in NAMES])"):
    code = code.replace("NAMES", "('INT', 'TERM', 'HUP')")
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()

def test_as_the_caller_has_them():
    assert ignored() == "[True, True, True]"
    assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

def test_as_they_are_by_default(default_signals):
    assert ignored() == "[False, False, False]"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGHUP)

def test_as_the_caller_has_them_again():
    test_as_the_caller_has_them()
"""
WAIT = 120  # [s] of a test that the failures of others do not wait for
FAILING = """
import time
import pytest

def test_first(): assert 1 == 2, "arithmetic"
@pytest.fixture
def broken(): raise KeyError("gone")
def test_second(broken): pass
def test_last(): time.sleep(WAIT)
"""


def suite(folder: Path, text: str) -> list[str]:
    """The command that runs a file of tests under this project's conftest."""
    (folder / "conftest.py").write_text(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    (folder / "test_it.py").write_text(text)
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of POSIX")
def test_signals_of_the_caller_do_not_matter(tmp_path):
    """Ignored and blocked, as in a background job of a script under nohup."""
    begin = (
        "import os, signal, sys; [signal.signal(n, signal.SIG_IGN) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]; "
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]); os.execv(sys.argv[1], sys.argv[1:])"
    )
    command = [sys.executable, "-c", begin, *suite(tmp_path, SUITE)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "3 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_failures_are_named_as_they_happen(tmp_path, workers):
    """While the last test is still running."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")} | {"NO_COLOR": "1"}
    command = [*suite(tmp_path, FAILING.replace("WAIT", str(WAIT))), *workers]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1, env=env) as process:
        said, begin = [], time.monotonic()
        try:
            while len(said) < 2:
                line = process.stdout.readline()
                assert line, "it ended without naming both"
                said += [line.strip()] if line.startswith(("FAILED", "ERROR")) else []
            assert time.monotonic() - begin < WAIT, "named at the end"
        finally:
            process.terminate()
    assert sorted(said) == [
        "ERROR test_it.py::test_second - KeyError: 'gone'",
        "FAILED test_it.py::test_first - AssertionError: arithmetic",
    ]
