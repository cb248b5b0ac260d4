"""How soon the viewer's page has its first picture: the demo of ``pliant view`` in a headless browser, opened again and again.

``python benchmarks/first_picture.py`` prints one ``name value unit`` line each; ``--json`` adds the row to a file. The time is
the page's own, from when it is asked for until a frame of the simulation has been drawn; kernels are compiled before, and the
browser has drawn a page before. Beside it stands a page with one word and a canvas of WebGL, there. It needs Chromium.
"""

import argparse
import json
import os
import platform
import sys
import time
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

from machine import commit

import pliant as pl
from pliant.cli.view import library

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
PLAIN = (
    "data:text/html,<p>hello</p><canvas id=c></canvas>"
    "<script>const gl=c.getContext('webgl2');gl.clear(gl.COLOR_BUFFER_BIT);"
    "requestAnimationFrame(()=>requestAnimationFrame(()=>document.documentElement.dataset.first=performance.now()))</script>"
)


def times(count: int) -> dict[str, list[float]]:
    """Milliseconds of so many pages, alternately the viewer's and a plain one; the browser's cache is not used."""
    from view.browser import PROGRAM, Browser

    if PROGRAM is None:
        sys.exit("no Chromium was found on the path or in PLIANT_CHROMIUM")
    makers = library()
    sim = makers["demo"]()
    sim.step()
    sim.reset()
    browser = Browser(PROGRAM)

    def first(url: str) -> float:
        tab = browser.open(url)
        found = float(tab.wait("document.documentElement?.dataset.first"))
        tab.close()
        return found

    found: dict[str, list[float]] = {"page": [], "plain": []}
    try:
        cold = first(PLAIN)  # the browser itself starts
        with pl.view(sim, port=0, open=False, block=False, library=makers, name="demo", quick=True) as viewer:
            for _ in range(count):
                found["page"].append(first(viewer.url))
                found["plain"].append(first(PLAIN))
    finally:
        browser.close()
    return found | {"cold": [cold]}


def row(pages: int) -> dict[str, Any]:
    """What is printed and kept."""
    found = times(pages)
    page = found["page"]
    size = resources.files("pliant.view").joinpath("static", "app.js").stat().st_size
    return {
        "pages": pages,
        "first picture, median [s]": round(median(page) / 1e3, 2),
        "first picture, shortest [s]": round(min(page) / 1e3, 2),
        "first picture, longest [s]": round(max(page) / 1e3, 2),
        "first picture of the first page [s]": round(page[0] / 1e3, 2),
        "a plain page, median [s]": round(median(found["plain"]) / 1e3, 2),
        "a plain page while the browser starts [s]": round(found["cold"][0] / 1e3, 2),
        "script of the page [kB]": round(size / 1e3),
        "load of the machine": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=9, help="how many are opened (default: 9)")
    parser.add_argument("--json", type=Path, help="a file to which the row is added")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    options = parser.parse_args()
    found = row(options.pages)
    for name, value in found.items():
        print(name, value)
    if options.json:
        kept = json.loads(options.json.read_text()) if options.json.exists() else []
        known = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
        options.json.write_text(json.dumps([*kept, known | found], indent=1) + "\n")


if __name__ == "__main__":
    main()
