"""Writes what the documentation does not say by hand, pages, pictures and charts, and builds the site of it.

``python docs/make.py`` makes all of it; ``pages``, ``charts``, ``pictures``, ``replays``, ``site`` or names of examples a part.
``convergence`` runs the study of the solvers (minutes) and draws its charts; it has to be asked for.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pliant as pl
from pliant import material

if str(Path(__file__).resolve().parent) not in sys.path:  # where this file is not run but imported
    sys.path.insert(0, str(Path(__file__).resolve().parent))
from parts import (
    DOCS,
    MADE,
    ROOT,
    api,
    contact,
    factors,
    flow,
    folders,
    laws,
    performance,
    published,
    replays,
    shell,
    site,
)

STUDY = ROOT / "benchmarks" / "results" / "convergence.json"
EXAMPLES = sorted(p.stem for p in (ROOT / "examples").glob("[!_]*.py"))
MATERIALS = """# Materials

A law takes the deformation gradient `F` and gives an energy per rest volume `ψ(F)` [J/m³] and a stress `P(F) =
∂ψ/∂F` [Pa]. Young's modulus and Poisson's ratio are always those of small strain, so laws can be exchanged;
`from_lame(mu, lam)` takes Lamé's parameters instead. Each parameter is one number for the body, one per region
of the mesh, one per element, or one by the [name of each group](formats.md#names-groups-of-a-mesh),
`young={"steel": 1e6, "foam": 1e5}`. Laws add: `StableNeoHookean(young=1e4, poisson=0.45) + Fibres(stiffness=5e4,
direction=(1, 0, 0))`.

Which one? `StableNeoHookean` for soft tissue and anything that is squeezed hard; `Corotated` for moderate
strain and for comparison with linear theory; `NeoHookean`, `MooneyRivlin` and `Ogden` for rubber; `LinearElastic` only
where rotations stay small; `Arap`, `StrainLimit` and `VolumePreservation`, alone or added, for
[projective dynamics](solver.md#projective-dynamics). *Inversion-safe* laws are defined for turned-over elements
and push them back; the others forbid them, and steps are cut short before an element inverts. The same list with
bounds, in the terminal: `pliant materials`.

Every chart shows the nominal stress of a cube that is pulled or pushed along one axis and free at its sides: dots
are simulated, the
line is worked out by hand ([validation](validation.md#laws)).
"""
VALIDATION = """# Validation

What the numbers of this library are held against: [every law on the curve worked out by hand](#laws), and
[what every test of a law asserts](#tests).

- **Laws** (`tests/laws`): for every public law, in solids, sheets and threads: stress is the derivative of the
  energy and the tangent that of the stress; turning a body costs nothing; forces and torques of a body on
  itself vanish; affine fields are exact (patch test); f32 follows f64; small strain is Hooke's law with the
  given modulus and ratio; uniaxial stress, shear and plane stress follow formulas worked out by hand.
- **Everything else** mirrors the source: `tests/geometry`, `tests/simulate`, `tests/output`, `tests/cli`. Bad input:
  `tests/test_bad_input.py`. Examples and the code on these pages: `tests/test_examples.py`, `tests/test_docs.py`.
  Which folder may import which: `tests/test_architecture.py`.
- **Bodies** against theory and against other discretisations: beams, tubes and orders of convergence on
  [lattice bodies](lattice.md), locking and volume on [positions and pressures](mixed.md), convergence of solvers on
  [how the solver works](how_the_solver_works.md), the same beam in [other simulators](coming_from.md).
- **Numbers of others**: [published problems](published.md), each with its source, with both numbers, misses included.

Run a part: `.venv/bin/python -m pytest tests/laws`. Studies that take minutes: `-m slow`.

## Laws

A cube of tetrahedra is held at two ends and free at its sides. Dots: the force on its moving end, as the element code that every
simulation uses gives it, over the rest area. Line: the nominal stress worked out by hand for the same law
(`tests/laws/test_closed_forms.py`, `docs/parts/laws.py`). The number is the largest distance of a dot from its line,
as a part of the
largest stress; `python docs/make.py charts` draws all of it again.
"""
TESTS = """
## Tests

Each line is a test, run by `make test` unless it says slow; the code below it is what it asserts, taken from its
source when this page
was made.
"""


def materials_page() -> str:
    """One section per law, from its docstring, parameters and flags."""
    parts = [MATERIALS, "| law | isotropic | inversion-safe | sheets | threads |", "|---|---|---|---|---|"]
    for name in material.__all__:
        law = laws.sample(name)[1]
        own = law.terms[-1]
        sheet = "yes" if own.rotation_invariant else "no"
        thread = "yes" if own.rotation_invariant and own.isotropic else "no"
        isotropic = "yes" if own.isotropic or name == "LinearElastic" else "no"
        safe = "yes" if own.inversion_safe or name == "LinearElastic" else "no"
        parts.append(f"| [{name}](#{name.lower()}) | {isotropic} | {safe} | {sheet} | {thread} |")
    parts.append("")
    for name in material.__all__:
        law = getattr(material, name)
        parts += [f"## {name}", "", inspect.getdoc(law), "", "| parameter | default | unit | bounds | meaning |",
                  "|---|---|---|---|---|"]  # fmt: skip
        parts += [row(law, item) for item in dataclasses.fields(law)]
        written = laws.sample(name)[0]
        file = Path(inspect.getsourcefile(law)).relative_to(ROOT)
        parts += ["", f"`{written}`: [source](../{file.as_posix()})", "", f"![{name}](pictures/law_{name}.svg)", ""]
    return "\n".join([MADE, "", *parts])


def row(law: type, item: dataclasses.Field) -> str:
    """A parameter as a row of a table."""
    known = law.PARAMETERS.get(item.name)
    default = "required" if item.default is dataclasses.MISSING else str(item.default)
    if known is None:
        note = {"direction": "rest direction, (3,) or one per region or element", "stretch": "range of the curves",
                "exponents": "αₖ, one to three", "weights": "share of each term, summing to 1"}  # fmt: skip
        return f"| `{item.name}` | {default} | | | {note.get(item.name, 'see above')} |"
    sign = "<" if known.open else "≤"
    low, high = (f"{v:g}".replace("inf", "∞") for v in (known.lower, known.upper))
    return f"| `{item.name}` | {default} | {known.unit} | {low} {sign} {item.name} {sign} {high} | {known.meaning} |"


def example_page(name: str) -> str:
    """An example as a page: sentence, picture, the chart that it may draw beside it, source."""
    source = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(source))
    title = name.replace("_", " ").capitalize()
    chart = f"![Chart](../pictures/{name}.svg)\n\n" if (DOCS / "pictures" / f"{name}.svg").is_file() else ""
    moving = f"<!-- replay: {name} -->\n\n" if name in replays.CHOSEN else ""
    return (
        f"{MADE}\n\n# {title}\n\n{about}\n\n![{title}](../pictures/{name}.png)\n\n{chart}{moving}"
        f"Run it: `pliant examples {name}` or `python examples/{name}.py`; a picture and a page that replays the "
        f"motion appear in `out/`.\n\n```python\n{source}```\n"
    )


def about(name: str) -> str:
    """The first sentence of an example."""
    text = " ".join(ast.get_docstring(ast.parse((ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8"))).split())
    return re.match(r".*?[.](?= |$)|.*", text)[0]


def examples_index() -> str:
    first = (
        "Each is one file of at most eighty lines, a test and a page. `pliant examples` lists them, `pliant examples NAME` runs "
        "one, "
        "and `pliant view NAME` opens most of them in the browser, to be pulled at."
    )
    lines = [MADE, "", "# Examples", "", first, ""]
    for name in replays.CHOSEN:
        title = replays.title(name)
        lines += [
            f"- [![{title}, moving](../pictures/{replays.picture(name).name})]({name}.md)",
            "",
            f"  **[{title}]({name}.md)**",
            "",
        ]
    lines += ["## All", ""]
    for name in EXAMPLES:
        title = name.replace("_", " ").capitalize()
        lines += [
            f"- [![{title}](../pictures/{name}.png)]({name}.md)",
            "",
            f"  **[{title}]({name}.md)** {about(name)}",
            "",
        ]
    return "\n".join(lines)


def validation_table() -> str:
    """Every law test: its name as a sentence, and what it asserts, from the source."""
    lines = []
    for file in sorted((ROOT / "tests" / "laws").glob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        lines += [f"### `{file.stem}`", "", ast.get_docstring(tree) or "", ""]
        for test in (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")):
            asserts = [ast.unparse(n.test) for n in ast.walk(test) if isinstance(n, ast.Assert)]
            numbers = [a for a in asserts if any(c in a for c in ("<", ">", "approx", "=="))]
            about = f"- **{test.name.removeprefix('test_').replace('_', ' ')}**{standing(test)}"
            if ast.get_docstring(test):
                about += f": {' '.join(ast.get_docstring(test).split())}"
            lines.append(about + "".join(f"  \n  `{a}`" for a in numbers))
        lines.append("")
    return "\n".join(lines)


def standing(test: ast.FunctionDef) -> str:
    """Whether a test waits for ``-m slow``, or is known to fail and why."""
    marks = [ast.unparse(d) for d in test.decorator_list]
    notes = [" (slow)"] if any("mark.slow" in m for m in marks) else []
    for mark in (d for d in test.decorator_list if isinstance(d, ast.Call) and "xfail" in ast.unparse(d.func)):
        why = next((k.value.value for k in mark.keywords if k.arg == "reason"), "no reason given")
        notes.append(f" (not yet: {why})")
    return "".join(notes)


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def study() -> ModuleType:
    """The package of the convergence study, which is not installed."""
    return importlib.import_module("benchmarks.convergence.report")


def filled_page(name: str, tables: dict[str, str]) -> str:
    """A page as written by hand, with tables where it asks for them."""

    def filled(mark: re.Match) -> str:
        return f"<!-- table: {mark[1]} -->\n\n{tables[mark[1]]}\n\n<!-- end -->"

    text = (DOCS / name).read_text(encoding="utf-8")
    return re.sub(r"<!-- table: (.+?) -->\n.*?<!-- end -->", filled, text, flags=re.DOTALL)


def convergence() -> None:
    """Run the study, keep its values, draw its charts."""
    report = study()
    results = importlib.import_module("benchmarks.convergence.__main__").run()
    STUDY.write_text(json.dumps(results) + "\n", encoding="utf-8")
    report.save_charts(results, DOCS / "pictures")


def validation_page(off: dict[str, float] | None = None) -> str:
    """The charts of laws with their deviations, measured now or as the page has them, and the table of tests."""
    if off is None:
        text = (DOCS / "validation.md").read_text(encoding="utf-8")
        off = {name: float(value) for name, value in re.findall(r"\*\*\[(\w+)\]\S+ within (\S+)$", text, re.MULTILINE)}
    lines = []
    for name in (n for n in material.__all__ if n in off):
        says = f"  **[{name}](materials.md#{name.lower()})** within {off[name]:.0e}"
        lines += [f"- ![{name}](pictures/law_{name}.svg)", "", says, ""]
    return "\n".join([MADE, "", VALIDATION, *lines, TESTS, validation_table()])


def pages() -> dict[Path, str]:
    """Every generated page and its text."""
    made = {DOCS / "materials.md": materials_page(), DOCS / "examples" / "index.md": examples_index()}
    made |= {DOCS / "examples" / f"{name}.md": example_page(name) for name in EXAMPLES}
    made |= api.pages()
    made[DOCS / "how_the_solver_works.md"] = filled_page("how_the_solver_works.md", study().tables(json.loads(STUDY.read_text())))
    for name in ("choose_material.md", "choose_element.md", "choose_solver.md"):
        made[DOCS / name] = filled_page(name, performance.tables())
    made[DOCS / "choose_contact.md"] = filled_page("choose_contact.md", contact.tables())
    made[DOCS / "solver.md"] = filled_page("solver.md", factors.tables())
    made[DOCS / "shell.md"] = f"{MADE}\n\n{shell.page()}"
    made[DOCS / "performance.md"] = performance.page()
    made[DOCS / "published.md"] = f"{MADE}\n\n{published.page()}"
    made[DOCS / "validation.md"] = validation_page()
    return made | folders.pages()


def drawn() -> dict[Path, str]:
    """Every picture that is drawn from files of the repository alone."""
    return performance.pictures() | flow.pictures()


def write(made: dict[Path, str]) -> None:
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.rstrip() + "\n", encoding="utf-8")


def picture(name: str) -> None:
    """Run an example and draw it; the drop on a sphere is also the README's moving picture."""
    example = loaded(name)
    run = example.main()
    example.draw(run, DOCS / "pictures" / f"{name}.png")
    if name == "drop_on_sphere":
        pl.animation(run, DOCS / "pictures" / "pliant.png", fps=30, view=(-72, 15), size=(760, 440))


def main(chosen: list[str]) -> None:
    known = ["pages", "charts", "pictures", "replays", "site", "convergence", *EXAMPLES]
    unknown = [c for c in chosen if c not in known]
    if unknown:
        sys.exit(f"docs/make.py: unknown part {unknown[0]!r}; expected some of {', '.join(known)}")
    chosen = chosen or ["charts", "pictures", "replays", "pages", "site"]
    if "charts" in chosen:
        write({DOCS / "validation.md": validation_page(laws.charts())})
        print(f"charts of {len(material.__all__)} laws", flush=True)
    for name in EXAMPLES if "pictures" in chosen else [c for c in chosen if c in EXAMPLES]:
        picture(name)
        print(f"picture of {name}", flush=True)
    for name in replays.CHOSEN if "replays" in chosen else ():
        replays.write(name)
    if "convergence" in chosen:
        convergence()
    if "pages" in chosen or "convergence" in chosen:
        made = pages()
        write(made | drawn())
        print(f"{len(made)} pages", flush=True)
    if "site" in chosen:
        site.build()
        print("site/index.html", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
