"""The runs that tests of outputs share."""

from __future__ import annotations

import pytest
from runs import cut_run, swinging_run

from pliant.simulate.record.run import Run


@pytest.fixture(scope="session")
def run() -> Run:
    return swinging_run()


@pytest.fixture(scope="session")
def cut() -> Run:
    return cut_run()
