"""Writes what the documentation does not say by hand: pages of examples, materials and tests, pictures and charts.

``python docs/make.py`` makes all of it; ``pages``, ``charts``, ``pictures`` or names of examples make a part.
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

import numpy as np

import pliant as pl
from pliant import material

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
STUDY = ROOT / "benchmarks" / "results" / "convergence.json"
EXAMPLES = sorted(p.stem for p in (ROOT / "examples").glob("[!_]*.py"))
MADE = "<!-- made by docs/make.py: change the source, not this page -->"
BASE = pl.Corotated(young=1e4, poisson=0.3)  # what fibres and muscle are added to in charts
STIFF = {"young": 1e4, "poisson": 0.3}
SAMPLES: dict[str, tuple[str, pl.Corotated]] = {  # law → how it is written, and the material drawn in its chart
    "Arap": ("Arap(young=1e4)", pl.Arap(young=1e4)),
    "Fibres": ("Corotated(young=1e4) + Fibres(stiffness=2e4)", BASE + pl.Fibres(stiffness=2e4)),
    "Muscle": (
        "Corotated(young=1e4) + Muscle(peak_stress=1e4, activation=0.5)",
        BASE + pl.Muscle(peak_stress=1e4, activation=0.5),
    ),
    "StrainLimit": (
        "Arap(young=1e4) + StrainLimit(stiffness=5e4, low=0.9, high=1.2)",
        pl.Arap(young=1e4) + pl.StrainLimit(stiffness=5e4, low=0.9, high=1.2),
    ),
    "VolumePreservation": (
        "Arap(young=1e4) + VolumePreservation(stiffness=5e4)",
        pl.Arap(young=1e4) + pl.VolumePreservation(stiffness=5e4),
    ),
    "ValanisLandel": (
        "ValanisLandel.polynomial(mu=1e4)",
        pl.ValanisLandel.polynomial(1e4),
    ),
}
MATERIALS = """# Materials

A law takes the deformation gradient `F` and gives an energy per rest volume `ψ(F)` [J/m³] and a stress `P(F) =
∂ψ/∂F` [Pa]. Young's modulus and Poisson's ratio are always those of small strain, so laws can be exchanged;
`from_lame(mu, lam)` takes Lamé's parameters instead. Each parameter is one number for the body, one per region
of the mesh, or one per element. Laws add: `StableNeoHookean(young=1e4, poisson=0.45) + Fibres(stiffness=5e4,
direction=(1, 0, 0))`.

Which one? `StableNeoHookean` for soft tissue and anything that is squeezed hard; `Corotated` for moderate
strain and for comparison with linear theory; `NeoHookean`, `MooneyRivlin` and `Ogden` for rubber; `Linear` only
where rotations stay small; `Arap`, `StrainLimit` and `VolumePreservation`, alone or added, for
[projective dynamics](solver.md#projective-dynamics). *Inversion-safe* laws are defined for turned-over elements
and push them back; the others forbid them, and steps are cut short before an element inverts. The same list with
bounds, in the terminal: `pliant materials`.

Every chart shows the nominal stress of a bar that is pulled or pushed along one axis and free at its sides.
"""
VALIDATION = """# Validation

What the numbers of this library are held against. Each line is a test, run by `make test` unless it says
slow; the code below it is what it asserts, taken from its source when this page was made.

- **Laws** (`tests/laws`): for every public law, in solids, sheets and threads: stress is the derivative of the
  energy and the tangent that of the stress; turning a body costs nothing; forces and torques of a body on
  itself vanish; affine fields are exact (patch test); f32 follows f64; small strain is Hooke's law with the
  given modulus and ratio; uniaxial stress, shear and plane stress follow formulas worked out by hand.
- **Everything else** mirrors the source: `tests/geometry`, `tests/simulate`, `tests/output`, `tests/cli`. Bad input:
  `tests/test_bad_input.py`. Examples and the code on these pages: `tests/test_examples.py`, `tests/test_docs.py`.
  Which folder may import which: `tests/test_architecture.py`.

Run a part: `.venv/bin/python -m pytest tests/laws`. Studies that take minutes: `-m slow`.
"""

SHELL = """# The shell

`pliant COMMAND --help` says what a command does, with an example. On a terminal, tables are drawn and what takes longer than a
moment says what it is doing; in a pipe there is plain text and nothing else. `NO_COLOR` takes the colours away. `--json` prints
the result as JSON, alone on standard output; sentences about faults go to standard error. `PLIANT_DEBUG=1` shows where a fault
of pliant came from.

## Exit codes

| code | meaning |
|---|---|
{codes}

## Stop and go on

Ctrl-C (or SIGTERM, as a batch system sends it) during `pliant run` lets the step under way finish. Then the results are written
with the frames so far, and beside them `NAME.checkpoint.npz`, which holds the scene, the state, and those frames. The last lines
are the command that goes on:

```text
pliant: stopping after this step; Ctrl-C once more stops at once
pliant: stopped at t = 2.35 s after 235 of 300 steps. Go on with:
  pliant run fall.toml --resume out/fall.checkpoint.npz --out out
```

It ends in the same state as a run that was never stopped, bit for bit on the same machine, and its results hold all frames.
`--seconds` may ask for more than before. Bodies and integrator are those of the checkpoint: a scene file that has changed since
is used for its `[output]` only, and that is said; a mesh or volume is not read again. A second Ctrl-C stops at once and writes
nothing. `pl.Simulation.load` reads the checkpoint too.

In Python, `sim.run(seconds, on_step=…)` ends where `on_step(sim, report)` returns True, and goes on with `after=`:

```python
import pliant as pl

body = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.StableNeoHookean(young=1e5))
sim = pl.Simulation(pl.Scene(body))
first = sim.run(1.0, on_step=lambda sim, report: sim.t > 0.3)
whole = sim.run(1.0, after=first)          # 1 s in all, with the frames of the first part
assert len(whole.reports) == 60 and whole.times[0] == 0.0
```

## Completion

`pliant completion bash`, `zsh` or `fish` prints a script that completes commands, options, names of examples, laws and
benchmarks, and files.

| shell | once, or in its start-up file |
|---|---|
| bash | `eval "$(pliant completion bash)"` in `~/.bashrc` |
| zsh | `eval "$(pliant completion zsh)"` in `~/.zshrc`, after `compinit` |
| fish | `pliant completion fish > ~/.config/fish/completions/pliant.fish` |

## Commands
"""


def sample(name: str) -> tuple[str, pl.Corotated]:
    """How an example of a law is written, and the law itself."""
    if name in SAMPLES:
        return SAMPLES[name]
    return f"{name}(young=1e4, poisson=0.3)", getattr(pl, name)(**STIFF)


def pulled(law: pl.Corotated, stretch: float, steps: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Stretch and nominal stress [Pa] of a unit cube drawn out to ``stretch`` with free sides: P = ∂ψ/∂s."""
    def faces(axis):
        return pl.Pins(lambda X: X[:, axis] < 1e-9, axes="xyz"[axis])

    def motion(X, t):
        return X * [1 + (stretch - 1) * t, 1, 1]

    end = pl.Pins(lambda X: X[:, 0] > 1 - 1e-9, motion=motion, axes="x")
    cube = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), law, pinned=[faces(0), faces(1), faces(2), end])
    sim = pl.Simulation(pl.Scene([cube], gravity=(0, 0, 0)), pl.QuasiStatic(dt=1 / steps))
    run = sim.run(1.0, fields=(), must_succeed=False)
    s, psi = 1 + (stretch - 1) * run.times, run.energies["elastic"]
    return 0.5 * (s[1:] + s[:-1]), np.diff(psi) / np.diff(s)


def chart(name: str) -> None:
    """Stress against stretch of one law, beside the straight line of its modulus."""
    _, law = sample(name)
    (low, pushed), (high, drawn) = pulled(law, 0.4), pulled(law, 2.0)
    s, stress = np.concatenate([low[::-1], high]), np.concatenate([pushed[::-1], drawn])
    title = f"{name}: uniaxial stress"
    made = pl.Chart(title, "stretch", "nominal stress", y_unit="Pa", size=(560, 320)).line(s, stress, name)
    if hasattr(law, "young"):
        straight = float(law.young) * (s - 1)
        seen = (straight > stress.min() - 2e3) & (straight < stress.max() + 2e3)
        made = made.line(s[seen], straight[seen], "E (stretch − 1)", "#aab2bd")
    made.save(DOCS / "pictures" / f"law_{name}.svg")


def materials_page() -> str:
    """One section per law, from its docstring, parameters and flags."""
    parts = [MATERIALS, "| law | isotropic | inversion-safe | sheets | threads |", "|---|---|---|---|---|"]
    for name in material.__all__:
        law = sample(name)[1]
        own = law.terms[-1]
        sheet = "yes" if own.rotation_invariant else "no"
        thread = "yes" if own.rotation_invariant and own.isotropic else "no"
        isotropic = "yes" if own.isotropic or name == "Linear" else "no"
        safe = "yes" if own.inversion_safe or name == "Linear" else "no"
        parts.append(f"| [{name}](#{name.lower()}) | {isotropic} | {safe} | {sheet} | {thread} |")
    parts.append("")
    for name in material.__all__:
        law = getattr(pl, name)
        parts += [f"## {name}", "", inspect.getdoc(law), "", "| parameter | default | unit | bounds | meaning |",
                  "|---|---|---|---|---|"]  # fmt: skip
        parts += [row(law, item) for item in dataclasses.fields(law)]
        written = sample(name)[0]
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
    return (
        f"{MADE}\n\n# {title}\n\n{about}\n\n![{title}](../pictures/{name}.png)\n\n{chart}"
        f"Run it: `pliant examples {name}` or `python examples/{name}.py`; a picture and a page that replays the "
        f"motion appear in `out/`.\n\n```python\n{source}```\n"
    )


def shell_page() -> str:
    """Every command with its example and options, from the parser; not from its help, which Python lays out anew now and then."""
    from pliant.cli.main import CODES, COMMANDS, parser

    def cell(text: str) -> str:
        return " ".join(text.split()).replace("|", "\\|")

    parts = [SHELL.replace("{codes}", "\n".join(f"| {code} | {meaning} |" for code, meaning in CODES.items()))]
    choices = next(a for a in parser()._actions if a.dest == "command").choices
    for name, module in COMMANDS.items():
        lines = "\n".join(module.EXAMPLE.split(", or: "))
        parts += [f"### pliant {name}", "", inspect.getdoc(module), "", f"```sh\n{lines}\n```", ""]
        parts += ["| argument | meaning |", "|---|---|"]
        for action in (a for a in choices[name]._actions if a.dest != "help"):
            values = action.metavar or ("{" + ",".join(action.choices) + "}" if action.choices else action.dest.upper())
            value = "" if action.nargs == 0 else " " + (" ".join(values) if isinstance(values, tuple) else values)
            shown = ", ".join(action.option_strings) + value if action.option_strings else values
            parts.append(f"| `{cell(shown)}` | {cell(action.help)} |")
        parts.append("")
    return "\n".join([MADE, "", *parts])


def examples_index() -> str:
    lines = [MADE, "", "# Examples", "", "Each is one file of at most sixty lines, and a test.", ""]
    for name in EXAMPLES:
        about = ast.get_docstring(ast.parse((ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")))
        lines += [f"### [{name}]({name}.md)", "", about, "", f"![{name}](../pictures/{name}.png)", ""]
    return "\n".join(lines)


def validation_table() -> str:
    """Every law test: its name as a sentence, and what it asserts, from the source."""
    lines = []
    for file in sorted((ROOT / "tests" / "laws").glob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        lines += [f"### `tests/laws/{file.name}`", "", ast.get_docstring(tree) or "", ""]
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
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return importlib.import_module("benchmarks.convergence.report")


def solver_page() -> str:
    """The page as written by hand, with the tables of the study where it asks for them."""
    tables = study().tables(json.loads(STUDY.read_text(encoding="utf-8")))

    def filled(mark: re.Match) -> str:
        return f"<!-- table: {mark[1]} -->\n\n{tables[mark[1]]}\n\n<!-- end -->"

    text = (DOCS / "how_the_solver_works.md").read_text(encoding="utf-8")
    return re.sub(r"<!-- table: (.+?) -->\n.*?<!-- end -->", filled, text, flags=re.DOTALL)


def convergence() -> None:
    """Run the study, keep its values, draw its charts."""
    report = study()
    results = importlib.import_module("benchmarks.convergence.__main__").run()
    STUDY.write_text(json.dumps(results) + "\n", encoding="utf-8")
    report.save_charts(results, DOCS / "pictures")


def pages() -> dict[Path, str]:
    """Every generated page and its text."""
    made = {DOCS / "materials.md": materials_page(), DOCS / "examples" / "index.md": examples_index()}
    made |= {DOCS / "examples" / f"{name}.md": example_page(name) for name in EXAMPLES}
    made[DOCS / "how_the_solver_works.md"] = solver_page()
    made[DOCS / "shell.md"] = shell_page()
    made[DOCS / "validation.md"] = f"{MADE}\n\n{VALIDATION}\n{validation_table()}"
    return made


def picture(name: str) -> None:
    """Run an example and draw it; the drop on a sphere is also the README's moving picture."""
    example = loaded(name)
    run = example.main()
    example.draw(run, DOCS / "pictures" / f"{name}.png")
    if name == "drop_on_sphere":
        pl.animation(run, DOCS / "pictures" / "pliant.png", fps=30, view=(-72, 15), size=(760, 440))


def main(chosen: list[str]) -> None:
    known = ["pages", "charts", "pictures", "convergence", *EXAMPLES]
    unknown = [c for c in chosen if c not in known]
    if unknown:
        sys.exit(f"docs/make.py: unknown part {unknown[0]!r}; expected some of {', '.join(known)}")
    chosen = chosen or ["charts", "pictures", "pages"]
    if "charts" in chosen:
        for name in material.__all__:
            chart(name)
            print(f"chart of {name}", flush=True)
    for name in EXAMPLES if "pictures" in chosen else [c for c in chosen if c in EXAMPLES]:
        picture(name)
        print(f"picture of {name}", flush=True)
    if "convergence" in chosen:
        convergence()
    if "pages" in chosen or "convergence" in chosen:
        for path, text in pages().items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.rstrip() + "\n", encoding="utf-8")
        print(f"{len(pages())} pages", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
