"""The pages of the reference: which public name is on which, in the groups of src/pliant/__init__.py."""

from __future__ import annotations

import re
from pathlib import Path

import pliant as pl

from . import DOCS, MADE, ROOT

TITLES = {
    "shapes": ("Shapes", "Meshes, signed distances, volumes and files. Lengths in metres."),
    "materials": ("Materials", "Laws; moduli and stresses in pascals. Charts and bounds: [materials](../materials.md)."),
    "elements": ("Elements", "How positions become a deformation gradient. See [elements](../elements.md)."),
    "solvers and integrators": (
        "Solvers and integrators",
        "How a step is taken: [solver](../solver.md), [integrators](../integrators.md).",
    ),
    "scenes": ("Scenes", "What a simulation is made of, and the simulation."),
    "output": ("Output", "Runs as pictures, pages and files."),
    "the browser": ("The browser", "The live viewer: [its page](../view.md)."),
    "errors": ("Errors", "What is raised, always with a sentence that says what to do."),
}


def groups() -> dict[str, list[str]]:
    """Group → its public names, as the comments of the package's list have them."""
    text = (ROOT / "src" / "pliant" / "__init__.py").read_text(encoding="utf-8")
    listed = text[text.index("_HOME = {") : text.index("\n}")]
    found: dict[str, list[str]] = {}
    for comment, name in re.findall(r'^    (?:# (.+)|"(\w+)":.*)$', listed, re.MULTILINE):
        if comment:
            group = found.setdefault(comment, [])
        else:
            group.append(name)
    return found


def file_of(group: str) -> Path:
    return DOCS / "api" / f"{group.replace(' ', '_')}.md"


def group_page(group: str, names: list[str]) -> str:
    """A table of the names of a group, then each with its signature, docstring and source."""
    title, about = TITLES.get(group, (group.capitalize(), ""))
    lines = [MADE, "", f"# {title}", "", about, "", "```{eval-rst}", ".. currentmodule:: pliant", ""]
    lines += [".. autosummary::", "   :nosignatures:", ""]
    lines += [f"   {name}" for name in names]
    for name in names:
        thing = getattr(pl, name)
        if isinstance(thing, type):
            lines += ["", f".. autoclass:: {name}", "   :members:"]
        else:
            lines += ["", f".. autofunction:: {name}"]
    return "\n".join([*lines, "```"])


def index_page() -> str:
    lines = [
        MADE,
        "",
        "# Reference",
        "",
        "Every public name, from its docstring: `import pliant as pl`, then `pl.Body` and so on. `help(pl.Body)` says the same.",
        "",
    ]
    for group, names in groups().items():
        title = TITLES.get(group, (group.capitalize(), ""))[0]
        lines += [f"- **[{title}]({file_of(group).name})**: {', '.join(f'`{n}`' for n in names)}"]
    return "\n".join(lines)


def pages() -> dict[Path, str]:
    made = {file_of(group): group_page(group, names) for group, names in groups().items()}
    return {DOCS / "api" / "index.md": index_page(), **made}
