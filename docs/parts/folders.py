"""Tables of the folders, made from the order that tests/test_architecture.py holds."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from . import DOCS, ROOT

SOURCE = ROOT / "src" / "pliant"


@cache
def constant(name: str):
    """A literal of tests/test_architecture.py."""
    tree = ast.parse((ROOT / "tests" / "test_architecture.py").read_text(encoding="utf-8"))
    values = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
    return ast.literal_eval(values[name])


def ordered() -> list[str]:
    return [name for names in constant("ORDER") for name in sorted(names)]


def rooms(folder: str) -> list[str]:
    """The folders inside one, in the order in which they may import."""
    names = [name for names in constant("ROOMS").get(folder, []) for name in sorted(names)]
    return [name for name in names if (SOURCE / folder / name).is_dir() and name != "."]


def purpose(folder: str) -> str:
    text = (SOURCE / folder / "__init__.py").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(text)).splitlines()[0].rstrip(".").replace("``", "`")


def table(source: str) -> str:
    """Every folder with what it is for and its rooms; ``source`` is where src/pliant is, as a link."""
    rows = ["| folder | contents | rooms |", "|---|---|---|"]
    for name in ordered():
        inner = " · ".join(f"`{room}`" for room in rooms(name))
        rows.append(f"| [`{name}/`]({source}/{name}) | {purpose(name)} | {inner} |")
    return "\n".join(rows)


def order() -> str:
    return ", ".join(" and ".join(f"`{name}`" for name in sorted(names)) for names in constant("ORDER"))


def filled(path: Path, made: str) -> str:
    """A page whose part between the marks of folders is made again."""
    text = path.read_text(encoding="utf-8")
    new = re.sub(r"(<!-- folders -->\n).*?(\n<!-- /folders -->)", lambda m: m[1] + made + m[2], text, flags=re.DOTALL)
    if made not in new:
        raise ValueError(f"{path.name} has no marks <!-- folders --> and <!-- /folders -->")
    return new


def pages() -> dict[Path, str]:
    return {
        ROOT / "README.md": filled(ROOT / "README.md", table("src/pliant")),
        ROOT / "CONTRIBUTING.md": filled(ROOT / "CONTRIBUTING.md", order() + "."),
        DOCS / "index.md": filled(DOCS / "index.md", table("../src/pliant")),
    }
