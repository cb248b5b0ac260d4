"""The pages of the reference: which public name is on which, in the groups of src/pliant/__init__.pyi."""

from __future__ import annotations

import functools
import inspect
import re
from pathlib import Path

import pliant as pl

from . import DOCS, MADE, ROOT

TITLES = {
    "shapes": ("Shapes", "Meshes, signed distances, volumes and files. Lengths in metres."),
    "materials": (
        "Materials",
        "Laws; moduli and stresses in pascals. Charts and bounds: [materials](../materials.md).",
    ),
    "elements": ("Elements", "How positions become a deformation gradient. See [elements](../elements.md)."),
    "solvers and integrators": (
        "Solvers and integrators",
        "How a step is taken: [solver](../solver.md), [integrators](../integrators.md).",
    ),
    "scenes": ("Scenes", "What a simulation is made of, and the simulation."),
    "studies": (
        "Studies",
        "Many simulations on any executor, to one data set: [their page](../many_simulations.md).",
    ),
    "output": ("Output", "Runs as pictures, pages and files."),
    "the browser": ("The browser", "The live viewer: [its page](../view.md)."),
    "extend": (
        "Extending",
        "For laws, elements, energies, effects, schemes and solvers of one's own: [extending](../extend.md). And types returned.",
    ),
    "inverse": (
        "Runs backwards",
        "Gradients of a cost of a motion, and parameters found by them: [their page](../inverse.md).",
    ),
    "errors": ("Errors", "Exceptions, each with a sentence that says what to do."),
}
# group → namespaces on its page
NAMESPACES = {
    "shapes": ("meshes", "sdf"),
    "materials": ("laws", "plasticity", "rotations"),
    "elements": ("planar", "quadrature", "embedding"),
    "solvers and integrators": ("linear", "refactor", "solver"),
    "scenes": ("contact", "gym", "hold", "joint", "muscles", "scenes", "schedule"),
    "studies": ("distributed", "study"),
    "output": ("render",),
    "inverse": ("inverse",),
    "extend": ("extend",),
    "errors": ("errors",),
}


def groups() -> dict[str, list[str]]:
    """Group → its public names, as the comments of the package's list have them, and those of namespaces after them."""
    text = (ROOT / "src" / "pliant" / "__init__.pyi").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for comment, name in re.findall(r"^# (.+)|\b\w+ as (\w+)", text, re.MULTILINE):
        if comment:
            group = found.setdefault(comment, [])
        else:
            group.append(name)
    del found["namespaces: modules that hold more names"]
    for key, spaces in NAMESPACES.items():
        found.setdefault(key, []).extend(f"{space}.{name}" for space in spaces for name in getattr(pl, space).__all__)
    return found


def thing_of(name: str) -> object:
    """What a public name, with its namespace before it where it has one, stands for."""
    return functools.reduce(getattr, name.split("."), pl)


def file_of(group: str) -> Path:
    return DOCS / "api" / f"{group.replace(' ', '_')}.md"


def group_page(group: str, names: list[str]) -> str:
    """A table of the names of a group, then each with its signature, docstring and source."""
    title, about = TITLES.get(group, (group.capitalize(), ""))
    lines = [MADE, "", f"# {title}", "", about, ""]
    spaces = {name.rpartition(".")[0]: None for name in names}
    for space in spaces:
        some = [name for name in names if name.rpartition(".")[0] == space]
        if space:
            lines += ["", f"## pliant.{space}", "", getattr(pl, space).__doc__.splitlines()[0], ""]
        module = f"pliant.{space}" if space else "pliant"
        lines += ["```{eval-rst}", f".. currentmodule:: {module}", "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   {name.rpartition('.')[2]}" for name in some if callable(thing_of(name))]
        lines += [part for name in some for part in entry(name)]
        lines += ["```"]
    return "\n".join(lines)


def entry(name: str) -> list[str]:
    """The directive that shows one name."""
    thing, (space, _, bare) = thing_of(name), name.rpartition(".")
    if isinstance(thing, type):
        kind = "exception" if issubclass(thing, BaseException) else "class"
        return ["", f".. auto{kind}:: {bare}", *(["   :members:"] if space != "extend" else [])]
    if inspect.ismodule(thing) and not callable(thing):
        return ["", f".. automodule:: {thing.__name__}", "", f".. currentmodule:: pliant.{space}"]
    return ["", f".. autofunction:: {bare}" if callable(thing) else f".. py:data:: {bare}"]


def index_page() -> str:
    lines = [
        MADE,
        "",
        "# Reference",
        "",
        "Every public name, from its docstring: `import pliant as pl`, then `pl.Body`, `pl.hold.Springs` and so on.",
        "`help(pl.Body)` says the same.",
        "",
    ]
    for group, names in groups().items():
        title = TITLES.get(group, (group.capitalize(), ""))[0]
        lines += [f"- **[{title}]({file_of(group).name})**: {', '.join(f'`{n}`' for n in names)}"]
    return "\n".join(lines)


def pages() -> dict[Path, str]:
    made = {file_of(group): group_page(group, names) for group, names in groups().items()}
    return {DOCS / "api" / "index.md": index_page(), **made}
