"""The report of a fit: one file, with its numbers, warnings and charts in it."""

import re

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Fit, Free, NodePositions


def made(young=2e4):
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1100)
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene(body), pl.BDF2(0.02))


@pytest.fixture(scope="module")
def found() -> Fit:
    truth = made().run(0.06).positions
    noisy = truth + 1e-4 * np.random.default_rng(0).standard_normal(truth.shape)
    free = {(0, "young"): Free(5e3, 1e5, log=True), (0, "poisson"): Free(0.1, 0.45)}
    return pl.fit(made(3e4), NodePositions(noisy), free, progress=False)


def test_report(found, tmp_path):
    path = pl.page(found, tmp_path / "fit.html", title="rubber & <glue>")
    text = path.read_text(encoding="utf-8")
    assert (
        "<h1>rubber &amp; &lt;glue&gt;</h1>" in text
        and "<script" not in text
        and "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    )
    assert text.count("<svg") == 2 + 3 + 1 + 2  # residuals and each against the next, convergence, over time, slices
    assert "Residuals look like noise" in text and "normal noise" in text and "Pa</td>" in text
    low, high = found.intervals[0, "young"]
    assert f"{low:.4g} … {high:.4g}" in text and "Correlations" in text
    assert not re.search(r"\bnan\b", text)


def test_slices_are_lowest_at_the_values(found):
    for label, (values, left) in found.slices(5).items():
        assert np.argmin(left) == 2 and left[2] < min(left[0], left[4]), label
        assert values[2] == pytest.approx(float(found.values[0, label]))
    assert found.left.shape == (4, 3) and np.allclose(found.left[:, 1], [0, 0.02, 0.04, 0.06])
    with pytest.raises(InputError, match=r"\.html"):
        pl.page(found, "fit.txt")
    with pytest.raises(InputError, match="colours, fps, view and look are for runs"):
        pl.page(found, "fit.html", colours=["stress"])


def test_of_a_fit_that_knows_less(found, tmp_path):
    from dataclasses import replace

    less = replace(found, uncertainty=None, left=None, goodness=(), warnings=("young & co",))
    text = pl.page(less, tmp_path / "fit.html").read_text(encoding="utf-8")
    assert "unknown" in text and text.count("<svg") == 3 and "young &amp; co" in text
