"""What all tests share: devices, default signals, failures named as they happen, and nothing skipped unseen in CI."""

import gc
import os
import signal
import threading

if "PYTEST_XDIST_WORKER" in os.environ:  # as many processes as cores: a thread for each
    for name in ("PLIANT_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")

import pytest
import warp as wp

from pliant.runtime.device import Device

pytest.register_assert_rewrite("tests.example_checks", "tests.touching_checks")

# what a machine may lack in CI too; a missing browser, package or program is a failure there
FINE = ("no CUDA device", "there is a GPU", "read from /proc", "not a git checkout")


def _cuda() -> bool:
    wp.config.log_level = wp.LOG_ERROR
    wp.init()
    return wp.is_cuda_available()


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=pytest.mark.cuda)])
def place(request) -> str:
    """The name of a device; "cuda" is skipped where there is none."""
    if request.param == "cuda" and not _cuda():
        pytest.skip("no CUDA device")
    return request.param


@pytest.fixture
def device(place) -> Device:
    """A device in double precision."""
    return Device(place, "f64")


@pytest.fixture
def default_signals():
    """Signals as a shell in front of somebody has them, for this process and those it starts.

    A caller may ignore or block some: a script ignores SIGINT in its background jobs, ``nohup`` SIGHUP. A handler is
    not handed down, so that SIGHUP, which may still come to these tests, ends the processes that they start alone.
    """
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": lambda number, frame: None}
    known = {getattr(signal, name): handler for name, handler in usual.items() if hasattr(signal, name)}
    assert threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number, handler in known.items()}
    blocked = signal.pthread_sigmask(signal.SIG_UNBLOCK, known) if hasattr(signal, "pthread_sigmask") else None
    yield
    if blocked is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    for number, handler in before.items():
        signal.signal(number, handler)


class Herald:
    """Names each test and module that fails as soon as it does, from whichever worker; the reasons follow at the end."""

    def __init__(self, terminal):
        self.terminal = terminal

    def say(self, report):
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = "" if crash is None else f" - {(crash.message.splitlines() or [''])[0][:200]}"
            self.terminal.ensure_newline()
            if self.terminal._tw.width_of_current_line:  # of dots that came from workers
                self.terminal.write_line("")
            self.terminal.write_line(f"{'ERROR' if report.when != 'call' else 'FAILED'} {report.nodeid}{why}", red=True)
            self.terminal.flush()  # into a file or a pipe as well

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        self.say(report)

    @pytest.hookimpl(trylast=True)
    def pytest_collectreport(self, report):
        self.say(report)


@pytest.hookimpl(trylast=True)  # after the one that makes the reporter
def pytest_configure(config):
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:  # workers have none: the process that started them hears of all
        config.pluginmanager.register(Herald(terminal), "herald")


def pytest_collection_finish():
    settle()


@pytest.fixture(scope="module")
def settled() -> None:
    """For tests that look at all objects there are: those from before are not among them."""
    settle()


def settle() -> None:
    """Leave thousands of tests, and all that was imported or compiled, out of every collection of garbage to come."""
    gc.collect()
    gc.freeze()


def _strict(report):
    """The report, as a failure where it is a skip that CI does not take."""
    why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    known = hasattr(report, "wasxfail") or any(reason in why for reason in FINE)
    if os.environ.get("CI") and report.outcome == "skipped" and not known:
        report.outcome, report.longrepr = "failed", f"with CI set nothing is skipped, but this was: {why}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    return _strict((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    return _strict((yield))
