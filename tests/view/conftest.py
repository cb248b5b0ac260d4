"""What tests of the page share; a file that needs another viewer has its own."""

import itertools

import pytest

import pliant as pl

from .browser import PROGRAM, Browser
from .clients import simulation

MARKS = itertools.count(1)


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests: a tab of its own costs little, a browser seconds."""
    opened = Browser(PROGRAM)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def viewer():
    with pl.view(simulation(), port=0, open=False, block=False, name="beam", library={"beam": simulation}) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(chromium, viewer):
    opened = chromium.open(viewer.url, (960, 640))
    opened.wait("globalThis.pliant?.latest() != null && pliant.state() != null")
    yield opened
    opened.close()


@pytest.fixture
def tab(page):
    """The page as at first, with the body at rest, weightless and uncoloured; afterwards nothing was complained about."""
    mark = 1 + next(MARKS) * 1e-6  # a strength that no test before has asked for: when it is there, so is the rest
    page.run(
        f"""pliant.link.say('gravity', {{value: [0, 0, 0]}}); pliant.link.say('reset');
        for (const name of ['contacts', 'elements']) pliant.link.say(name, {{value: false}});
        pliant.link.say('speed', {{value: 1}}); pliant.link.say('set', {{body: 0, name: 'young', value: 4e4}});
        pliant.link.say('colour', {{name: 'none'}}); pliant.link.say('strength', {{value: {mark}}})"""
    )
    page.wait("pliant.state().strength", holds=lambda strength: strength == mark)
    page.wait("pliant.latest() && Math.min(...pliant.latest().positions.filter((_, i) => i % 3 === 2)) > 0.2999")  # at rest
    page.wait("pliant.state().field === 'none' && pliant.latest().hands.length === 0 && !pliant.latest().nodes")
    page.run("pliant.stage.frameView()")  # where it is now, and not where the test before left it
    yield page
    assert page.complaints == []
