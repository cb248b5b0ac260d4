"""What an index shows of the package, and the ways to start it."""

import functools
import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from every import check_every

import pliant

ROOT = Path(__file__).parents[1]
HOME = "https://example.org/pliant"


@pytest.fixture
def hook(monkeypatch) -> ModuleType:
    """The build's hook, without the build: of that it only inherits."""
    stands_for = ModuleType("hatchling.metadata.plugin.interface")
    stands_for.MetadataHookInterface = object
    monkeypatch.setitem(sys.modules, stands_for.__name__, stands_for)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_link_and_picture_of_the_readme_is_an_address_on_an_index(hook):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = hook.rewritten(text, HOME)
    targets = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$", "", shown, flags=re.DOTALL | re.MULTILINE))
    assert len(targets) > 60 and [t for t in targets if not t.startswith("https://")] == []
    assert f"]({HOME}/raw/HEAD/docs/pictures/pliant.png)" in shown and f"]({HOME}/blob/HEAD/docs/view.md)" in shown
    assert "src=" not in text and "href=" not in text  # which would not be rewritten
    for target in targets:
        path = target.removeprefix(f"{HOME}/raw/HEAD/").removeprefix(f"{HOME}/blob/HEAD/")
        assert target == path or (ROOT / path.partition("#")[0]).exists(), target


def test_code_and_addresses_in_a_readme_stay_as_they_are(hook):
    text = "[a](#b) [c](https://example.org/d) ![e](f.PNG)\n```python\nx = y[0](z)\n```\n[g](h.md#i)\n"
    shown = "[a](#b) [c](https://example.org/d) ![e](H/raw/HEAD/f.PNG)\n```python\nx = y[0](z)\n```\n[g](H/blob/HEAD/h.md#i)\n"
    assert hook.rewritten(text, "H") == shown


def test_addresses_are_made_of_one_home_and_left_out_without_it(hook, tmp_path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["readme", "urls"] and isinstance(project["tool"]["pliant"]["home"], str)
    (tmp_path / "README.md").write_text("[a](b.md)")
    for home, link in (("", "b.md"), (f"{HOME}/", f"{HOME}/blob/HEAD/b.md")):
        (tmp_path / "pyproject.toml").write_text(f'[tool.pliant]\nhome = "{home}"\n')
        made, made.root = hook.CustomMetadataHook(), tmp_path
        found: dict = {}
        made.update(found)
        assert found["readme"] == {"content-type": "text/markdown", "text": f"[a]({link})"}
        assert found["urls"].get("Homepage", "") == home.rstrip("/") and bool(found["urls"]) == bool(home)
    assert all((ROOT / path).exists() for path in hook.PAGES.values())


def test_every_file_says_the_same_version():
    """That of pyproject.toml: the package, the citation and the newest heading of the changelog."""
    read = lambda name: (ROOT / name).read_text(encoding="utf-8")
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    said = {
        "package": re.search(r'^__version__ = "(.+)"$', read("src/pliant/__init__.py"), re.MULTILINE)[1],
        "citation": re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)[1],
        "changelog": re.search(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)[1],
    }
    assert said == dict.fromkeys(said, version)


def test_the_changelog_is_short_and_names_what_there_is():
    """What a user can see, a line each; what stands with its namespace is public today."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = text.split("\n## ")[1].partition("### Added")[2]
    lines = [line for line in text.splitlines() if line.startswith(("- ", "  "))]
    assert len(text.encode()) <= 15_000 and lines and max(map(len, lines)) <= 200
    assert not [line for line in lines if line.startswith("  ")], "a bullet is one line"
    spaces = "|".join(["pl", *pliant._NAMESPACES])
    names = {name.removeprefix("pl.") for name in re.findall(rf"(?<![\w.])(?:{spaces})\.[\w.]+\b", newest)}
    assert len(names) > 30

    def check(name: str) -> None:
        functools.reduce(getattr, name.split("."), pliant)

    check_every(sorted(names), check)


def test_linters_are_those_that_are_pinned():
    """Another version finds other faults: all who run them run the same."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    pinned = dict(name.split("==") for name in extras["test"] if "==" in name)
    assert pinned == {name: importlib.metadata.version(name) for name in ("ruff", "basedpyright")}


def test_python_runs_the_package_as_the_command():
    answer = subprocess.run([sys.executable, "-m", "pliant", "--version"], capture_output=True, text=True, cwd=ROOT)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert answer.returncode == 0 and project["version"] in answer.stdout, answer.stderr
    wrong = subprocess.run([sys.executable, "-m", "pliant", "veiw"], capture_output=True, text=True, cwd=ROOT)
    assert wrong.returncode == 2 and "did you mean 'view'" in wrong.stderr
