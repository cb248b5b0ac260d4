"""The site: Markdown to pages in site/, with every link followed and nothing fetched from elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from . import DOCS, ROOT, replays

SITE = ROOT / "site"
FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src")}
STYLE = {"stylesheet", "preload", "preconnect", "icon", "modulepreload", "dns-prefetch"}


class Links(HTMLParser):
    """What a page links to, what it fetches, and the anchors that it has."""

    def __init__(self, text: str):
        super().__init__()
        self.links: set[str] = set()
        self.fetched: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        if tag == "link" and STYLE & set(given.get("rel", "").split()):
            self.fetched.add(given.get("href", ""))
        self.fetched |= {given[name] for name in given if (tag, name) in FETCHED}


def faults(site: Path) -> list[str]:
    """Links that lead nowhere, and everything that a page would fetch from another machine."""
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    wrong: dict[str, set[str]] = defaultdict(set)
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for target in page.fetched:
            if urlsplit(target).scheme not in ("", "data") or target.startswith("//"):
                wrong[name].add(f"fetches {target}")
        for target in page.links | page.fetched:
            parts = urlsplit(target)
            if parts.scheme or target.startswith("//"):
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not found.exists():
                wrong[name].add(f"links to {target}, which is not there")
            elif parts.fragment and found in pages and unquote(parts.fragment) not in pages[found].anchors:
                wrong[name].add(f"links to {target}, which has no such heading")
    for sheet in site.rglob("*.css"):
        outside = re.findall(r"url\(\s*[\"']?((?:https?:)?//[^)\"']+)", sheet.read_text(encoding="utf-8", errors="replace"))
        outside += re.findall(r"@import\s+[\"'](https?:[^\"']+)", sheet.read_text(encoding="utf-8", errors="replace"))
        wrong[sheet.relative_to(site).as_posix()] |= {f"fetches {target}" for target in outside}
    return [f"{name} {what}" for name in sorted(wrong) for what in sorted(wrong[name])]


def build(out: Path = SITE) -> None:
    """Make the site; ends with a sentence where the generator is missing, warns, or a link leads nowhere."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html"]
    try:
        import furo  # noqa: F401
        import myst_parser  # noqa: F401
        import sphinx  # noqa: F401
    except ImportError as error:
        sys.exit(f"docs/make.py: {error.name} is missing; install the generator with pip install -e '.[docs]', or run make docs")
    source = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])}
    shutil.rmtree(out, ignore_errors=True)  # pages that are no longer made would be left there
    with tempfile.TemporaryDirectory() as kept:
        done = subprocess.run([*command, "-d", kept, str(DOCS), str(out)], capture_output=True, text=True, env=source)
    if done.returncode:
        sys.exit(f"docs/make.py: the site has faults\n{done.stdout}{done.stderr}".rstrip())
    for page in (out / "_modules").rglob("*.html"):
        # a page of source links back as if all of its names were in one namespace
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r'<a class="viewcode-back"[^>]*>.*?</a>', "", text, flags=re.DOTALL), encoding="utf-8")
    replays.write_pages(out)
    wrong = faults(out)
    if wrong:
        sys.exit("docs/make.py: the site has faults\n" + "\n".join(wrong))
