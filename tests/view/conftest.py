"""What tests of the page share; a file that needs another viewer has its own."""

import pytest

import pliant as pl

from .clients import simulation


@pytest.fixture(scope="module")
def viewer():
    with pl.view(simulation(), port=0, open=False, block=False, name="beam", library={"beam": simulation}) as opened:
        yield opened
