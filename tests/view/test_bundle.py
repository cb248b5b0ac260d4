"""The bundle of the page: built from what is in web/, small, asking nobody."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "pliant" / "view" / "static"


def test_the_bundle_is_built_from_what_is_in_web():
    files = sorted(f for f in (ROOT / "web" / "src").iterdir())
    found = hashlib.sha256()
    for file in files:
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    found.update((ROOT / "web" / "package-lock.json").read_bytes())
    assert (STATIC / "built_from").read_text().strip() == found.hexdigest(), "run make web: the page is old"


def test_the_bundle_is_small_asks_nobody_and_names_its_licence():
    text = (STATIC / "app.js").read_text(encoding="utf-8")
    assert len(text.encode()) < 700_000
    assert "Three.js Authors" in text and "MIT" in (STATIC / "three.LICENSE").read_text()
    assert "eval(" not in text and "new Function" not in text and "innerHTML" not in text.split("pliant")[-1]
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "http://" not in page and "https://" not in page and "style=" not in page and "onclick" not in page
