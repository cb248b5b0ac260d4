"""How the source hangs together: folders look left only, files stay small, importing starts nothing."""

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from enum import Enum
from pathlib import Path

import pytest
from every import check_every

import pliant
from pliant.energy import capabilities
from pliant.energy.base import ASKED, Energy

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pliant"
FILES = sorted(SOURCE.rglob("*.py"))
# each folder may import from those before it; folders side by side do not know each other
ORDER = [
    {"geometry"}, {"cut", "material"}, {"elements"}, {"linear"}, {"energy"}, {"contact"}, {"solve"}, {"integrate"},
    {"effects"}, {"simulate"}, {"inverse", "output", "described"}, {"view", "bench", "learn", "study"}, {"cli"},
]  # fmt: skip
SHARED = {
    "blocks",
    "building",
    "compilation",
    "device",
    "distributed",
    "fingerprint",
    "threads",
    "program",
    "recorded",
    "routine",
    "math3",
    "vectors",
    "writing",
    "trace",
    "typed",
    "errors",
    "brief",
    "checks",
    "calls",
    "progress",
    "files",
    "kernel_cache",
    "warp_start",
}
# modules that gather public names from anywhere
FACES = set(pliant._NAMESPACES) - {"contact", "errors", "inverse", "linear", "study"}
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
CAPABILITIES = {
    name: kind for name, kind in vars(capabilities).items()
    if inspect.isclass(kind) and kind.__module__.startswith("pliant.energy") and not issubclass(kind, Enum)
}  # fmt: skip
# the shell makes objects by their public names, so it may ask for the package itself
PUBLIC_NAMES = {"view", "bench", "cli"}


def imported(file: Path):
    """(line, absolute dotted name) of everything of this package that a file imports, wherever in it."""
    package = ["pliant", *file.relative_to(SOURCE).parent.parts]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] == "pliant")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name == "pliant":
                yield from ((node.lineno, f"pliant.{alias.name}") for alias in node.names)
            elif name.startswith("pliant."):
                yield node.lineno, name


def test_folders_are_known():
    folders = {p.name for p in SOURCE.iterdir() if p.is_dir() and any(p.glob("*.py"))}
    assert folders <= set(RANK)
    assert {p.stem for p in SOURCE.glob("*.py")} - {"__init__", "__main__"} <= SHARED | FACES


def test_folders_import_only_from_their_left():
    check_every(FILES, check_imports)


def check_imports(file: Path) -> None:
    parts = file.relative_to(SOURCE).parts
    own = parts[0] if len(parts) > 1 else None
    wrong = []
    for line, name in imported(file):
        target = name.split(".")[1] if "." in name else None
        if target in SHARED or target == own:
            continue
        if own is None:
            allowed = file.stem in {"__init__", "__main__", *FACES}
        elif target in RANK:
            allowed = RANK[target] < RANK[own]
        else:  # the package itself, or a name of it
            allowed = own in PUBLIC_NAMES
        if not allowed:
            wrong.append(f"line {line}: {name}")
    assert not wrong, f"{file.relative_to(ROOT)} reaches right: {wrong}"


def test_a_file_is_one_room():
    check_every(FILES, check_room)


def check_room(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 450
    assert not lines or lines[0].startswith('"""'), "a file begins with the sentence that says what it is for"


def test_rooms_are_small():
    lengths = sorted(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES)
    assert lengths[len(lengths) // 2] <= 130


def verbs(kind: type) -> set[str]:
    """Names of the methods and properties that a class has of its own."""
    kinds = (property, functools.cached_property)
    found = {n for n, v in vars(kind).items() if inspect.isfunction(v) or isinstance(v, kinds)}
    return {name for name in found if not name.startswith("_")}


def test_every_energy_has_few_verbs_and_no_flags():
    """What only some can do is a class to mix in, found by type."""
    every = [base for base in Energy.__mro__ if base is not object]
    assert len(set().union(*map(verbs, every))) <= 12
    assert not [name for base in every for name, value in vars(base).items() if isinstance(value, bool)]


def test_capabilities_are_small():
    for name, kind in CAPABILITIES.items():
        assert len(verbs(kind)) <= (9 if name == "Differentiable" else 5), name


def test_energies_of_the_package_have_all_verbs_of_their_capabilities():
    """None is left with a verb that says what to do and does nothing."""
    pliant.Simulation  # noqa: B018  imports all effects
    empty = {
        (kind, name) for kind in CAPABILITIES.values() for name in verbs(kind)
        if kind.__module__ == capabilities.__name__ and is_empty(vars(kind)[name])
    } - {(capabilities.Tearable, "reserve")}  # fmt: skip
    own = [c for c in below(Energy) if c.__module__.startswith("pliant.") and not below(c)]
    assert empty and len(own) > 20
    left = [
        f"{c.__name__}.{name}" for c in own for kind, name in empty
        if issubclass(c, kind) and inspect.getattr_static(c, name) is vars(kind)[name]
    ]  # fmt: skip
    assert not left


def test_flags_of_energies_are_those_of_their_capabilities():
    """Another one would be a question that nobody asks."""
    pliant.Simulation  # noqa: B018  imports all effects
    own = [base for c in below(Energy) if c.__module__.startswith("pliant.") for base in c.__mro__]
    flags = {name for base in own for name, value in vars(base).items() if isinstance(value, bool)}
    known = {name for kind in CAPABILITIES.values() for name, value in vars(kind).items() if isinstance(value, bool)}
    assert flags - known <= {"averaged", "flows"}  # of one law each


def is_empty(verb: object) -> bool:
    """Whether a verb is its docstring alone."""
    function = verb.fget if isinstance(verb, property) else verb
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    return len(tree.body) == 1


def below(kind: type) -> list[type]:
    return [c for s in kind.__subclasses__() for c in (s, *below(s))]


def test_a_verb_without_its_capability_is_refused():
    with pytest.raises(
        pliant.errors.InputError, match=r"Lone.safe: nobody calls .* class Lone\(capabilities.Limited, Energy"
    ):
        type("Lone", (Energy,), {"safe": lambda self, x, d, out: None})
    type("Mixed", (capabilities.Limited, Energy), {"safe": lambda self, x, d, out: None})
    with pytest.raises(
        pliant.errors.InputError, match=r"class Idle\(capabilities.Fused\).* expected evaluate_with_gradient"
    ):
        type("Idle", (capabilities.Fused, Energy), {})


def test_steps_ask_for_capabilities():
    asked = re.compile(r"has_walls|is_driven|\.constraint")
    files = [file for file in FILES if file.parent.name == "simulate"]
    assert len(files) > 20 and not [file.name for file in files if asked.search(file.read_text(encoding="utf-8"))]


def test_the_tables_of_verbs_are_those_of_the_classes():
    """docs/extend.md: verbs of all energies with all of their classes, and every capability with its own."""
    text = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    start, middle = text.index("## A new energy"), text.index("### What only some energies can do")
    core = set(re.findall(r"^\| `(\w+)", text[start:middle], re.MULTILINE))
    assert core | {"value", "sums"} == verbs(Energy)
    rows = text[middle : text.index("## A new element")].splitlines()
    cells = [row.split(" | ") for row in rows if row.startswith("| `")]
    listed = {row[0].strip("| `"): set(re.findall(r"`(\w+)[`(]", row[1])) for row in cells}
    assert set(listed) == set(CAPABILITIES)
    assert list(listed)[:10] == [kind.__name__ for kind in ASKED], "those whose verbs are refused without them"
    for name, kind in CAPABILITIES.items():
        words = {"out", "d", *CAPABILITIES} if not issubclass(kind, capabilities.Differentiable) else {"accept", "into"}
        assert listed[name] - words == verbs(kind), name


def test_importing_starts_nothing():
    code = "import sys, pliant; print([m for m in ('warp', 'numpy', 'scipy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]" and done.stderr == ""


PUBLIC = dict(pliant._public())


def test_public_names_resolve_and_say_what_they_are():
    check_every(PUBLIC, check_docstring)


def check_docstring(name: str) -> None:
    thing = PUBLIC[name]
    text = inspect.getdoc(thing) or ""
    assert len(text.split()) >= 3
    if isinstance(thing, type) and "__doc__" in vars(thing):
        assert not text.startswith(f"{name}("), "the docstring is the one that dataclasses make up"


def test_the_flat_list_is_short_and_editors_know_all_of_it():
    """Each line of the stub names a module that has the name, and says that it is public."""
    assert len(pliant.__all__) <= 84 and (SOURCE / "py.typed").is_file()
    tree = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    seen = [(node, alias) for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert all(alias.asname == alias.name and node.level == 1 for node, alias in seen)
    assert sorted(alias.name for _, alias in seen) == sorted([*pliant.__all__, *pliant._NAMESPACES])
    homes = {name: importlib.import_module(f"pliant.{home}") for name, home in pliant._HOME.items()}
    assert all(getattr(home, name) is getattr(pliant, name) for name, home in homes.items())


def test_namespaces_are_modules_whose_names_are_theirs():
    for space in pliant._NAMESPACES:
        module = getattr(pliant, space)
        assert inspect.ismodule(module) and len(module.__doc__.split()) >= 3
        assert all(
            getattr(module, name).__name__.rpartition(".")[2] == name for name in module.__all__ if name != "TOLERANCE"
        )
    assert not set(pliant.extend.__all__) & set(pliant.__all__)


def test_names_that_moved_say_where():
    for old, new in pliant._MOVED.items():
        with pytest.raises(AttributeError, match="it is now pliant") as caught:
            getattr(pliant, old)
        assert new in str(caught.value)
        place = new.partition("(")[0]
        assert functools.reduce(getattr, place.split("."), pliant) is not None


def test_names_of_namespaces_say_where():
    for name in ("contact.Penalty", "inverse.GaussNewton", "linear.PCG", "errors.InputError", "terms.Fibres"):
        with pytest.raises(AttributeError, match=f"it is now pliant.{name}"):
            getattr(pliant, name.partition(".")[2])
    with pytest.raises(AttributeError, match=r"pliant\.hessian\.Exact or pliant\.tangents\.Exact"):
        pliant.Exact  # noqa: B018


def test_unknown_names_suggest_the_right_one():
    with pytest.raises(AttributeError, match="did you mean 'TetMesh'"):
        pliant.TetMsh  # noqa: B018
    assert set(pliant.__all__) <= set(dir(pliant))


def test_no_file_names_a_place_of_somebody():
    """What is committed mentions no folder of one person's machine."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    places = [f"/{name}/" for name in ("root", "home", "work", "Users")] + ["/tmp/" + "brief"]
    found = []
    for name in listed.stdout.splitlines():
        file = ROOT / name
        if file.suffix in (".png", ".stl", ".glb", ".npz") or not file.is_file():
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        found += [f"{name}: {place}" for place in places if place in text]
    assert not found


def _functions(folder: str):
    for file in sorted((SOURCE / folder).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield file, node


def test_functions_of_solvers_are_short():
    """Kernels and the functions that make them aside."""
    long = []
    for file, node in _functions("solve"):
        lines = node.end_lineno - node.lineno + 1
        kernel = file.stem.endswith("_kernels") or any("kernel" in ast.unparse(d) for d in node.decorator_list)
        if lines > 50 and not kernel and not node.name.endswith("_kernels"):
            long.append(f"{file.name}: {node.name} has {lines} lines")
    assert not long


def test_no_state_is_kept_by_a_string():
    """What solvers keep is found by their class or by their settings, which no other can take for its own."""
    found = []
    for folder in ("linear", "solve", "integrate", "simulate"):
        for file in sorted((SOURCE / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
                if call and node.func.attr in ("keep", "state", "work", "place"):
                    named = isinstance(node.args[0], ast.JoinedStr) or isinstance(
                        getattr(node.args[0], "value", None), str
                    )
                    found += [f"{file.relative_to(ROOT)}:{node.lineno}"] if named else []
    assert not found


def test_the_loop_of_newton_knows_no_contact():
    """What it must know of it, ``solve/capabilities.py`` asks."""
    for name in ("newton", "iteration", "direction", "loop", "hessian"):
        text = (SOURCE / "solve" / f"{name}.py").read_text(encoding="utf-8")
        assert not [word for word in ("has_walls", "is_driven", ".constraint") if word in text]


def test_linear_tets_are_a_page():
    """An element is data and shape functions, and knows nothing of cuts."""
    assert len((SOURCE / "elements" / "tets.py").read_text(encoding="utf-8").splitlines()) <= 80


def test_cuts_in_place_ask_what_things_can_do():
    """Which scheme, solver, element or effect it is, they do not ask."""
    names = {name for _, name in imported(SOURCE / "simulate" / "spare.py")}
    kinds = {name for name in names if name.split(".")[1] in ("elements", "linear", "integrate", "effects")}
    assert not kinds and {name for name in names if ".solve." in name} == {"pliant.solve.constant_factor"}
