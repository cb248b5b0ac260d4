"""Where CI is set a skipped test is a failed one, unless the machine lacks what no software can give it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = {
    "test_whole.py": "import pytest\npytest.importorskip('no_such_package')\n",
    "test_parts.py": (
        "import pytest\n"
        "@pytest.mark.skipif(True, reason='no Chromium was found')\ndef test_browser(): pass\n"
        "def test_reader(): pytest.importorskip('no_such_package')\n"
        "def test_gpu(): pytest.skip('no CUDA device')\n"
        "@pytest.mark.xfail(reason='not yet')\ndef test_known(): assert False\n"
        "def test_well(): pass\n"
    ),
}


@pytest.mark.parametrize("ci, code", [("", 0), ("true", 1)])
def test_without_a_browser_it_says_what_is_skipped(tmp_path, ci, code):
    """No program on the path: neither a browser nor a way to install one."""
    env = {k: v for k, v in os.environ.items() if k != "PLIANT_CHROMIUM"} | {"PATH": str(tmp_path), "CI": ci}
    program = Path(__file__).with_name("chromium.py")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == code and done.stderr == "" and done.stdout.count("\n") == 1
    assert "tests of the pages in a browser are skipped: install Chromium" in done.stdout
    (tmp_path / "chromium").write_text("")
    (tmp_path / "chromium").chmod(0o755)
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=env, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("works", [True, False])
def test_it_is_installed_where_that_can_be_done(tmp_path, works):
    """With an apt-get and a sudo of our own, which write down what they are asked for."""
    act = ': > "$HERE/chromium"; /bin/chmod +x "$HERE/chromium"' if works else "echo no such package >&2; exit 100"
    programs = {
        "apt-get": f'echo "$@" >> "$HERE/asked"\nif [ "$1" = install ]; then {act}; fi\n',
        "sudo": 'shift; exec "$@"\n',
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / name).chmod(0o755)
    env = {k: v for k, v in os.environ.items() if k != "PLIANT_CHROMIUM"} | {"PATH": str(tmp_path), "CI": "true"}
    (tmp_path / "true").symlink_to("/bin/true")
    program = [sys.executable, str(Path(__file__).with_name("chromium.py"))]
    done = subprocess.run(program, capture_output=True, text=True, env=env | {"HERE": str(tmp_path)}, timeout=60)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked == ["update -qq", "install -y -qq --no-install-recommends chromium"]
    assert done.returncode == (0 if works else 1) and ("no such package" in done.stdout) is not works


@pytest.mark.parametrize("ci, counts", [("", "1 passed, 4 skipped, 1 xfailed"), ("true", "1 xfailed")])
def test_ci_never_skips(tmp_path, ci, counts):
    (tmp_path / "conftest.py").write_text(Path(__file__).with_name("conftest.py").read_text(encoding="utf-8"))
    for name, text in SUITE.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--continue-on-collection-errors", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"CI": ci}, timeout=120)
    last = done.stdout.splitlines()[-1]
    assert counts in last and done.returncode == (1 if ci else 0), done.stdout
    if ci:
        assert "1 failed, 1 passed, 1 skipped" in last and "2 errors" in last
        assert "with CI set nothing is skipped, but this was: Skipped: no Chromium was found" in done.stdout
