"""Replays that the site shows in frames: drawn from a file, moving, on a page of its own size."""

import io
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from .browser import PATIENCE, needs_browser

DOCS = Path(__file__).parents[2] / "docs"
WIDE, HIGH = 760, 600


@pytest.fixture(scope="module")
def replays():
    if str(DOCS) not in sys.path:
        sys.path.insert(0, str(DOCS))
    from parts import replays

    return replays


@needs_browser
def test_a_frame_on_a_page_of_the_site_replays_what_is_stored(replays, chromium, tmp_path):
    replays.write_pages(tmp_path, ["bowl_of_jelly"])
    style = (DOCS / "_static" / "site.css").read_text(encoding="utf-8")
    body = replays.framed("<!-- replay: bowl_of_jelly -->", "")
    (tmp_path / "page.html").write_text(f"<!doctype html><style>body {{ margin: 0 }} {style}</style>{body}")
    tab = chromium.open((tmp_path / "page.html").as_uri(), (WIDE, HIGH))
    try:
        tab.wait("document.readyState === 'complete'")
        width, height = tab.run(
            "(({width, height}) => [width, height])(document.querySelector('iframe').getBoundingClientRect())"
        )
        assert width == WIDE and abs(height - WIDE * 10 / 16) < 2
        seen, end = [], time.monotonic() + PATIENCE
        while True:  # until bodies of four colours were seen in two places
            part = np.asarray(Image.open(io.BytesIO(tab.picture())).convert("RGB")).astype(int)[: int(height)]
            bright = np.ptp(part, axis=2) > 60
            if bright.sum() > 2000:
                rows = np.nonzero(bright)[0]
                seen.append((len(set(part[bright].argmax(axis=1).tolist())), float(rows.mean())))
            if seen and max(hues for hues, _ in seen) == 3 and max(y for _, y in seen) > min(y for _, y in seen) + 8:
                break
            assert time.monotonic() < end, (seen[-5:], tab.complaints)
            time.sleep(0.1)
        assert tab.complaints == [] and all(address.startswith("file:") for address in tab.requests)
    finally:
        tab.close()
