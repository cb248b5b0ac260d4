"""What all tests share: the devices to run on, and that nothing is skipped unseen where CI is set."""

import gc
import os

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
