"""The first minute of somebody new: one command, a page where something falls, a drag, a material, and the same in Python."""

import re
import subprocess
import sys

import numpy as np
import pytest

from .browser import needs_browser, ready

STEPS = 20


@pytest.fixture
def url(tmp_path):
    """The address that ``pliant view`` prints."""
    command = [sys.executable, "-u", "-m", "pliant", "view", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path) as shell:
        try:
            yield next(found.group() for line in shell.stdout if (found := re.search(r"http://[^\s,;]+", line)))
        finally:
            shell.terminate()


def positions(tab) -> np.ndarray:
    """Of the surface of the first body as the page has it."""
    return np.array(tab.run("Array.from(pliant.stage.bodies[0].positions)")).reshape(-1, 3)


@needs_browser
def test_from_the_first_page_to_the_same_positions_in_python(chromium, url):
    with ready(chromium, url) as tab:
        begun = positions(tab)
        tab.wait("pliant.latest().time > 0.1")  # it falls by itself
        assert np.abs(positions(tab) - begun).max() > 1e-3
        at = tab.grab(0, -120)
        assert tab.wait("pliant.latest().hands.length && pliant.latest().hands[0].force") > 0
        tab.mouse("up", *at)
        menu = "pliant.panel.preset.select"
        tab.run(f"{menu}.value = 'liver'; {menu}.dispatchEvent(new Event('change'))")
        tab.wait("pliant.state().bodies[0].young === 5500")
        tab.run("navigator.clipboard.writeText = async (text) => (globalThis.kept = text)")
        tab.run("[...pliant.of('panel').querySelectorAll('button')].find((b) => b.textContent === 'Copy Python').click()")
        text = tab.wait("globalThis.kept")
        pause = "pliant.link.say('pause', {value: true})"
        tab.run(f"{pause}; pliant.link.say('reset'); {pause}")
        tab.wait("!pliant.latest().running && pliant.latest().time < 0.02")
        tab.run(f"for (let k = 0; k < {STEPS}; k++) pliant.link.say('step')")
        known: dict = {}
        exec(text, known)
        sim = known["sim"]
        for _ in range(STEPS):
            sim.step()
        tab.wait(f"Math.abs(pliant.latest().time - {sim.t}) < 1e-6 && !pliant.stage.going")
        shown = positions(tab)
    there = sim.bodies[0].surface
    assert shown.shape == there.shape
    assert np.abs(shown - there).max() < 1e-3 * np.ptp(there, axis=0).max()
