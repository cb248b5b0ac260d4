"""The README and the pages of docs/ are true: code runs, links lead somewhere, made pages are up to date."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ALL = [*PAGES, *sorted((ROOT / "docs" / "examples").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def imported(name: str, path: Path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.stem)
def test_code_of_page_runs(page, tmp_path, monkeypatch):
    """All blocks of a page are one module, kept as a file since kernels are compiled from their source."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / f"page_{page.stem}.py"
    source.write_text("\n\n".join(blocks(page, "python")), encoding="utf-8")
    imported(source.stem, source)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "toml")], ids=lambda p: p.stem)
def test_scene_files_of_page_are_read(page, tmp_path):
    from pliant.cli.scene_file import read_scene

    for i, text in enumerate(blocks(page, "toml")):
        file = tmp_path / f"scene_{i}.toml"
        file.write_text(text, encoding="utf-8")
        assert read_scene(file).scene.bodies


@pytest.mark.parametrize("page", ALL, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_links_of_page_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith("http"):
            name, _, anchor = target.partition("#")
            found = (page.parent / name).resolve() if name else page
            assert found.exists(), f"{page.name} links to {target}"
            if anchor:
                heads = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
                anchors = [re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-") for h in heads]
                assert anchor in anchors, f"{page.name} links to {target}"


def test_made_pages_are_up_to_date():
    """All but the list of law tests, which follows them at the next ``make docs``."""
    make = imported("docs_make", ROOT / "docs" / "make.py")
    for path, text in make.pages().items():
        if path.name != "validation.md":
            assert path.read_text(encoding="utf-8").rstrip() == text.rstrip(), f"run make docs: {path.name} is old"


def test_readme_code_is_short():
    lines = [line for block in blocks(ROOT / "README.md", "python") for line in block.splitlines() if line.strip()]
    assert 0 < len(lines) <= 15


def test_pictures_are_small():
    sizes = {p.name: p.stat().st_size for p in (ROOT / "docs" / "pictures").glob("*.png")}
    assert sizes.pop("pliant.png") <= 2_500_000
    assert {name: size for name, size in sizes.items() if size > 250_000} == {}
