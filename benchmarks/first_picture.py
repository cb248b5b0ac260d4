"""How soon the viewer's page has its first picture: the demo of ``pliant view`` in a headless browser, opened again and again.

``python benchmarks/first_picture.py`` prints one ``name value`` line each; ``--out FILE`` keeps them. The time is the page's own,
from when it is asked for until a frame of the simulation has been drawn; kernels are compiled before. It needs Chromium.
"""

import argparse
import sys
from importlib import resources
from pathlib import Path
from statistics import median

import pliant as pl
from pliant.cli.view import library

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def times(count: int) -> list[float]:
    """Milliseconds of so many pages, one after the other; the browser is there already, its cache is not used."""
    from view.browser import PROGRAM, Browser

    if PROGRAM is None:
        sys.exit("no Chromium was found on the path or in PLIANT_CHROMIUM")
    makers, found = library(), []
    sim = makers["demo"]()
    sim.step()
    sim.reset()
    browser = Browser(PROGRAM)
    try:
        with pl.view(sim, port=0, open=False, block=False, library=makers, name="demo", quick=True) as viewer:
            for _ in range(count):
                tab = browser.open(viewer.url)
                found.append(float(tab.wait("document.documentElement?.dataset.first")))
                tab.close()
    finally:
        browser.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=7, help="how many are opened (default: 7)")
    parser.add_argument("--out", type=Path, help="file for the figures")
    args = parser.parse_args()
    found = times(args.pages)
    size = resources.files("pliant.view").joinpath("static", "app.js").stat().st_size
    lines = [
        f"first_picture_s {median(found) / 1e3:.2f}",
        f"first_picture_shortest_s {min(found) / 1e3:.2f}",
        f"first_picture_longest_s {max(found) / 1e3:.2f}",
        f"bundle_kB {size / 1e3:.0f}",
    ]
    print(*lines, sep="\n")
    if args.out is not None:
        args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
