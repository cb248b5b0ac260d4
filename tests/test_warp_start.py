"""Warp starts once, whoever comes first, and takes nothing of what others print."""

import os
import subprocess
import sys
import threading
import time

import pytest
import warp as wp

from pliant.runtime import warp_start

NOTE = b"Warp CUDA warning: Could not find or load the NVIDIA CUDA driver. GPU execution will not be available.\n"


def test_only_the_note_about_the_driver_is_kept_back(capfd):
    with warp_start.without_note():
        os.write(2, b"one\n" + NOTE + b"two\n")
    assert capfd.readouterr().err == "one\ntwo\n"


def test_a_start_that_fails_gives_the_terminal_back(capfd):
    with pytest.raises(RuntimeError, match="no"), warp_start.without_note():
        os.write(2, NOTE + b"the reason\n")
        raise RuntimeError("no")
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "the reason\nafter\n"


def test_threads_start_it_once(monkeypatch):
    starts, before = [], os.fstat(2)

    def init():
        starts.append(threading.get_ident())
        time.sleep(0.05)

    monkeypatch.setattr(warp_start, "_started", False)
    monkeypatch.setattr(warp_start, "has_driver", lambda: False)
    monkeypatch.setattr(wp, "init", init)
    threads = [threading.Thread(target=warp_start.start_warp) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    after = os.fstat(2)
    assert len(starts) == 1 and (after.st_dev, after.st_ino) == (before.st_dev, before.st_ino)
    assert wp.config.log_level == wp.LOG_WARNING


SCRIPTS = {
    "plain": "from pliant.runtime.warp_start import *; start_warp()",  # whatever Warp says of a machine without a GPU
    "closed": "import os; os.close(2); from pliant.runtime.warp_start import *; start_warp()",
    "none": "import sys; sys.stderr = None; from pliant.runtime.warp_start import *; start_warp()",
    "fork": """
import os
from pliant.runtime.warp_start import without_note
with without_note():
    child = os.fork()
    if not child:
        os.write(2, b"of the child")
        os._exit(0)
    os.waitpid(child, 0)
""",
}


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name != "fork" or hasattr(os, "fork")])
def test_odd_processes(name):
    done = subprocess.run([sys.executable, "-c", SCRIPTS[name]], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ("of the child" if name == "fork" else "")
