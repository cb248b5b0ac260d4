"""What an editor or a type checker says of the public interface, behind the lazy import: pyright's strict rules."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pliant as pl

ROOT = Path(__file__).parents[1]
SPACES = [name for name in pl._NAMESPACES if name != "extend"]
PUBLIC = {name: getattr(pl, name) for name in pl.__all__} | {
    f"{space}.{name}": getattr(getattr(pl, space), name) for space in SPACES for name in getattr(pl, space).__all__
}
MISTAKES = """
import pliant as pl
pl.nosuchthing(3)
pl.Body(1, 2)
pl.Scene([], friction=0.3)
pl.Contact(color=1)
pl.meshes.sphere("large")
"""


def everything() -> str:
    """A file that reads each public name, and each attribute of its classes once, with what it is told of their types."""
    lines, seen = ["from typing import Any, Callable", "import pliant as pl"], set()
    for i, (name, thing) in enumerate(PUBLIC.items()):
        lines.append(f"print(pl.{name})")
        if not inspect.isclass(thing):
            lines += [f"c{i}: Callable[..., Any] = pl.{name}"] if callable(thing) else []
            continue
        own = [base for base in thing.__mro__ if base.__module__.startswith("pliant") and base not in seen]
        seen |= set(own)
        names = {n for base in own for n in [*vars(base), *vars(base).get("__annotations__", ())] if n[0] != "_"}
        lines += [f"def f{i}(a: pl.{name}) -> None:", "    print(a)", *(f"    print(a.{n})" for n in sorted(names))]
    return "\n".join(lines)


def blocks(page: str) -> str:
    """The Python of a page, one block after another."""
    found = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return "\n".join(found)


def findings(folder: Path, files: list[str]) -> list[str]:
    """What basedpyright, which is pyright with a Node of its own, finds in files of a folder: line, rule and sentence."""
    pytest.importorskip("basedpyright")
    rules = {"reportUnusedFunction": "none", "reportUnknownArgumentType": "none"}  # said already of what is read
    settings = {"include": files, "typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")], **rules}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    answer = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert answer.returncode in (0, 1), answer.stderr
    told = json.loads(answer.stdout)
    assert told["summary"]["filesAnalyzed"] >= len(files)
    return [
        f"{Path(t['file']).name}:{t['range']['start']['line'] + 1} {t.get('rule')}: {t['message']}"
        for t in told["generalDiagnostics"]
    ]


def test_every_public_name_has_a_type_and_mistakes_are_seen(tmp_path):
    (tmp_path / "everything.py").write_text(everything(), encoding="utf-8")
    (tmp_path / "readme.py").write_text(blocks("README.md"), encoding="utf-8")
    (tmp_path / "mistakes.py").write_text(MISTAKES, encoding="utf-8")
    found = findings(tmp_path, ["everything.py", "readme.py", "mistakes.py"])
    seen = {f.partition(" ")[0] for f in found if f.startswith("mistakes.py")}
    assert [f for f in found if not f.startswith("mistakes.py")] == []
    assert seen == {f"mistakes.py:{line}" for line in range(3, 8)}, found


@pytest.mark.slow
def test_examples_use_it_as_their_types_say(tmp_path):
    """By the standard rules: what they leave out, such as types of their own functions, is not looked for."""
    for file in (ROOT / "examples").glob("*.py"):
        text = file.read_text(encoding="utf-8")
        (tmp_path / file.name).write_text(f"# pyright: standard\n{text}", encoding="utf-8")
    assert findings(tmp_path, ["*.py"]) == []
