"""Work that threads do beside the steps: its answer or its error, to whoever waits."""

import multiprocessing
import sys
import threading

import numpy as np
import pytest

from pliant.linear.matrix.background import PASSES, BackgroundWork, Pass


@pytest.mark.parametrize("kind", [BackgroundWork, Pass])
def test_the_answer_or_the_error_comes_to_whoever_waits(kind):
    assert kind(max, 3, 7).end() == 7
    failing = kind(np.linalg.inv, np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError):
        failing.end()


def test_a_pass_that_is_waited_for_is_done_by_who_asks():
    whole = threading.current_thread()
    assert Pass(threading.current_thread, wait=True).end() is whole is not Pass(threading.current_thread).end()
    with pytest.raises(np.linalg.LinAlgError):
        Pass(np.linalg.inv, np.zeros((2, 2)), wait=True)


def test_more_passes_than_threads():
    jobs = [Pass(pow, 2, k) for k in range(4 * PASSES)]
    assert [job.end() for job in jobs] == [2**k for k in range(4 * PASSES)]


def _in_a_child() -> None:
    sys.exit(0 if Pass(max, 1, 2).end() == 2 else 1)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_was_forked_has_threads_of_its_own():
    Pass(max, 1, 2).end()
    child = multiprocessing.get_context("fork").Process(target=_in_a_child)
    child.start()
    child.join(20)
    assert child.exitcode == 0
