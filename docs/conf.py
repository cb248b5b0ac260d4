"""How the site is built from the pages of this folder: ``make docs``, or ``sphinx-build -W docs site``.

The pages are plain Markdown and read well without the site; what only the site needs is here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import imagesize
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent / "src"), str(DOCS)]
from parts import replays  # noqa: E402

project = "Pliant"
html_title = "Pliant"
author = "the authors of Pliant"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_static", "parts", "replays"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autosummary_generate = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
toc_object_entries = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/icon.svg"
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style, pygments_dark_style = "friendly", "github-dark"

# the side bar: heading → pages; a page that is in none of them comes last
SECTIONS = {
    "Begin": ["start", "tutorials/index", "concepts", "units", "examples/index", "coming_from"],
    "Choose": ["choose_material", "choose_element", "choose_solver", "choose_contact"],
    "Physics": [
        "materials",
        "elements",
        "lattice",
        "muscles",
        "plasticity",
        "crushed_bodies",
        "energies",
        "contact",
        "cutting",
        "tearing",
        "game_solids",
        "deformed_distance",
    ],
    "Time and solvers": ["integrators", "solver", "mixed", "how_the_solver_works", "batches", "many_simulations"],
    "Runs backwards": ["inverse", "observations", "fitting"],
    "In and out": ["view", "recordings", "jupyter", "formats", "blender", "scene_files", "robots", "shell"],
    "Trust": ["validation", "published", "performance", "references"],
    "Reference": ["api/index", "extend", "glossary"],
}


def toctrees() -> str:
    """The side bar, as the directives that Sphinx reads."""
    there = {p.relative_to(DOCS).with_suffix("").as_posix() for p in DOCS.glob("*.md")} - {"index"}
    there |= {"tutorials/index", "examples/index", "api/index"}
    sections = {head: [p for p in pages if p in there] for head, pages in SECTIONS.items()}
    further = sorted(there - {p for pages in sections.values() for p in pages})
    if further:
        sections["More"] = further
    blocks = [f"```{{toctree}}\n:hidden:\n:caption: {head}\n\n" + "\n".join(p) + "\n```" for head, p in sections.items()]
    return "\n\n".join(blocks)


def children(folder: str) -> str:
    """The pages below the index of a folder."""
    names = sorted(p.stem for p in (DOCS / folder).glob("*.md") if p.stem != "index")
    return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```"


def name_folders(app: Sphinx, page: str, text: list[str]) -> None:
    """A link to a folder of the repository is its name: the site has the pages only."""
    here = (DOCS / page).parent

    def named(link: re.Match) -> str:
        target = (here / link[2]).resolve()
        return f"`{target.relative_to(DOCS.parent).as_posix()}`" if target.is_dir() else link[0]

    text[0] = re.sub(r"\[([^\]\n]+)\]\(((?:\.\./)+[^)#\s]+)\)", named, text[0])


def add_navigation(app: Sphinx, page: str, text: list[str]) -> None:
    if page == "index":
        text[0] += "\n\n" + toctrees() + "\n"
    elif page.endswith("/index"):
        text[0] += "\n\n" + children(page.removesuffix("/index")) + "\n"


def show_replays(app: Sphinx, page: str, text: list[str]) -> None:
    text[0] = replays.framed(text[0], "../" * page.count("/"))


def plain_docstring(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Docstrings are sentences with ``code``, not markup: bars, stars and last underscores outside code mean themselves."""
    for i, line in enumerate(lines):
        parts = re.split(r"(``.+?``)", line)
        lines[i] = "".join(p if p.startswith("``") else re.sub(r"([|*`\\]|_(?!\w))", r"\\\1", p) for p in parts)


def plain_signature(app: Sphinx, what: str, name: str, thing: object, options: object, given: str, returned: str) -> tuple:
    """A default that is made anew each time has no text that Python could read."""
    return (given or "").replace("<factory>", "...") or given, returned


class Cards(SphinxTransform):
    """A list whose every item begins with a picture is shown as cards; film strips take a whole row."""

    default_priority = 800

    def apply(self, **kwargs: object) -> None:
        for made in self.document.findall(nodes.bullet_list):
            if len(made) > 1 and all(next(iter(item.findall(nodes.image)), None) is not None for item in made):
                made["classes"].append("cards")
                for item in made:
                    image = next(iter(item.findall(nodes.image)))
                    width, height = imagesize.get(DOCS / Path(self.env.docname).parent / image["uri"])
                    if width > 2.2 * height:
                        item["classes"].append("wide")


def inline_math(writer: nodes.NodeVisitor, node: nodes.math) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block_math(writer: nodes.NodeVisitor, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="equation">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_navigation)
    app.connect("source-read", name_folders)
    app.connect("source-read", show_replays)
    app.connect("autodoc-process-docstring", plain_docstring, priority=400)  # before napoleon reads "Args:"
    app.connect("autodoc-process-signature", plain_signature)
    app.add_transform(Cards)
    app.add_html_math_renderer("mathml", (inline_math, None), (block_math, None))
