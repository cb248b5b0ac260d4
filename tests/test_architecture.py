"""How the source hangs together: folders look left only, files stay small, importing starts nothing."""

import ast
import collections
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

import pliant
from pliant.cli.main import ABOUT
from pliant.energy import capabilities
from pliant.energy.base import ASKED, Energy

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pliant"
FILES = sorted(SOURCE.rglob("*.py"))
# each folder may import from those before it; folders side by side do not know each other
ORDER = [
    {"arguments"}, {"runtime"}, {"geometry"}, {"cut", "material"}, {"elements"}, {"linear"}, {"energy"}, {"contact"}, {"solve"},
    {"integrate"}, {"effects"}, {"simulate"}, {"inverse", "output", "importers"}, {"view", "bench", "learn", "study"}, {"cli"},
]  # fmt: skip
# the same within a folder: "." are its own modules, but for those that are named
ROOMS = {
    "geometry": [{"."}, {"mesh"}, {"distance"}, {"lattice"}, {"tetrahedra"}, {"inspection"}, {"files"}],
    "geometry/files": [{"."}, {"surfaces"}, {"solids"}, {"volumes"}],
    "cut": [{"."}, {"lattice"}],
    "material": [{"."}, {"laws"}, {"plasticity"}],
    "elements": [{"."}, {"lattice", "sheets"}],
    "linear": [{"matrix"}, {"cholesky"}, {"factor"}, {"preconditioner"}, {"krylov"}],
    "linear/cholesky": [{"symbolic"}, {"cpu"}, {"gpu"}, {"."}],
    "energy": [{"."}, {"elastic", "loads", "obstacles", "points", "volume"}, {"clamp", "damping", "plasticity"}, {"sheets"}],
    "contact": [{"pairs"}, {"detect"}, {"penalty"}, {"barrier"}, {"intersection", "obstacles"}, {"complementarity"}, {"."}],
    "solve": [{"objective"}, {"search"}, {"mixed", "newton", "quasi_newton"}],
    "effects": [{"."}, {"elasticity"}, {"joints"}, {"contact"}, {"registry"}],
    "simulate": [{"scene"}, {"cutting"}, {"step"}, {"record"}, {"."}],
    "inverse": [{"gradients", "observations"}, {"fitting"}],
    "output": [{"colours"}, {"raster"}, {"."}, {"formats"}, {"reader"}],
    "view": [{"protocol"}, {"scene"}, {"pages"}, {"."}],
    "cli": [{"common"}, {"inputs"}, {"."}, {"blender_addon"}],
}  # fmt: skip
# what a function imports when it is called, against that order
LATE = {
    ("geometry.mesh.mesh", "geometry.distance.quadratic_mesh"),
    ("cli.common.paths", "cli.examples"),
    ("cli.common.resume", "cli.run"),
}
MODULES = {"__init__", "__main__", "errors", "extend", "distributed"}  # of the package itself
SHARED = {"errors", "distributed"}
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
CAPABILITIES = {
    name: kind for name, kind in vars(capabilities).items()
    if inspect.isclass(kind) and kind.__module__.startswith("pliant.energy") and not issubclass(kind, Enum)
}  # fmt: skip
# the shell makes objects by their public names, so it may ask for the package itself
PUBLIC_NAMES = {"view", "bench", "cli"}


def imported(file: Path, hinted: bool = True):
    """(line, absolute dotted name) of everything of this package that a file imports; ``hinted``: for hints of types too."""
    package = ["pliant", *file.relative_to(SOURCE).parent.parts]
    tree = ast.parse(file.read_text(encoding="utf-8"))
    hints = {
        inner for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    } if not hinted else set()  # fmt: skip
    for node in ast.walk(tree):
        if node in hints:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] == "pliant")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name.split(".")[0] == "pliant":
                for alias in node.names:
                    whole = f"{name}.{alias.name}"
                    yield node.lineno, whole if name == "pliant" or whole in DOTTED else name


def dotted(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


DOTTED = {dotted(file) for file in FILES}


def test_folders_are_known():
    folders = {p.name for p in SOURCE.iterdir() if p.is_dir() and any(p.glob("*.py"))}
    assert folders == set(RANK) | {"namespaces"}
    assert {p.stem for p in SOURCE.glob("*.py")} == MODULES
    assert {p.stem for p in (SOURCE / "namespaces").glob("*.py")} <= set(pliant._NAMESPACES)


def test_folders_import_only_from_their_left():
    wrong = []
    for file in FILES:
        parts = file.relative_to(SOURCE).parts
        own = parts[0] if len(parts) > 1 else None
        if own in (None, "namespaces") and file.stem not in SHARED:  # they gather public names from anywhere
            continue
        for line, name in imported(file):
            target = name.split(".")[1] if "." in name else None
            if target in SHARED or target == own:
                continue
            inner = target in RANK and (RANK[target] < RANK[own] if own else target == "arguments")
            itself = target not in RANK and (own in PUBLIC_NAMES or name == "pliant.__version__")
            if not inner and not itself:
                wrong.append(f"{file.relative_to(ROOT)}:{line}: {name}")
    assert not wrong, "\n".join(["these reach right:", *wrong])


def place(folder: str, module: str) -> tuple[int, str] | None:
    """The rank and room of a dotted module within a folder; None for its face, which gathers from all of it."""
    parts = module.removeprefix("pliant." + folder.replace("/", ".")).strip(".").split(".")
    ranks = {name: rank for rank, names in enumerate(ROOMS[folder]) for name in names}
    if parts == [""]:
        return None
    name = parts[0] if parts[0] in ranks else "."
    assert name in ranks and (name != "." or len(parts) == 1), f"{module} has no place in ROOMS[{folder!r}]"
    return ranks[name], name


def test_rooms_of_a_folder_import_only_from_their_left():
    wrong, late = [], set()
    for folder in ROOMS:
        start = "pliant." + folder.replace("/", ".")
        for file in (SOURCE / folder).rglob("*.py"):
            own = place(folder, dotted(file))
            for line, name in imported(file, hinted=False) if own else ():
                target = place(folder, name) if name.startswith(f"{start}.") else None
                if target and target[1] != own[1] and target[0] >= own[0]:
                    pair = (dotted(file).removeprefix("pliant."), name.removeprefix("pliant."))
                    late.add(pair)
                    wrong += [] if pair in LATE else [f"{file.relative_to(ROOT)}:{line}: {name}"]
    assert not wrong, "\n".join(["these reach right:", *wrong])
    assert late == LATE


def test_folders_have_rooms():
    """At most twenty files each, and twelve in the package itself."""
    counts = collections.Counter(file.parent for file in FILES)
    assert not {str(p.relative_to(ROOT)): n for p, n in counts.items() if n > (12 if p == SOURCE else 20)}
    inner = {str(p.relative_to(SOURCE)) for p in counts if any(q.parent == p for q in counts)} - {"."}
    assert inner == set(ROOMS)


def test_a_file_is_one_room():
    long, bare = [], []
    for file in FILES:
        lines = file.read_text(encoding="utf-8").splitlines()
        long += [f"{file.relative_to(ROOT)}: {len(lines)} lines"] if len(lines) > 450 else []
        bare += [str(file.relative_to(ROOT))] if lines and not lines[0].startswith('"""') else []
    assert not long
    assert not bare, "a file begins with the sentence that says what it is for"


def test_rooms_are_small():
    lengths = sorted(len(file.read_text(encoding="utf-8").splitlines()) for file in FILES)
    assert lengths[len(lengths) // 2] <= 130


# what no module is named by, or begins with: participles, adverbs and words for everything
VAGUE = {
    "about", "above", "active", "again", "aged", "ahead", "along", "also", "alone", "among", "anew", "apart",
    "around", "asked", "at", "away", "before", "behind", "below", "beside", "between", "beyond", "both",
    "built", "by", "carried", "changed", "chosen", "cuttable", "done", "doubts", "each", "else", "every", "expected",
    "expects", "factored", "find", "first", "follow", "found", "free", "from", "given", "glued", "gone", "grown",
    "halved", "held", "here", "how", "in", "inside", "itself", "jointed", "known", "lacks", "last", "left",
    "likely", "made", "many", "more", "moving", "much", "near", "new", "next", "not", "nothing", "now",
    "of", "off", "on", "once", "one", "opened", "other", "out", "over", "own", "parted", "passing",
    "planned", "prefactored", "pressed", "pulled", "quick", "rest", "same", "seen", "set", "shared", "sharpened", "so",
    "some", "spare", "split", "standing", "still", "taken", "talk", "tell", "that", "then", "there", "this",
    "together", "told", "took", "touched", "touching", "tuned", "turned", "unbuilt", "under", "until", "was", "what",
    "when", "where", "which", "who", "why", "with", "without", "words",
}  # fmt: skip
ALLOWED = {
    "off",  # a format of meshes
    "active_pairs",
    "active_set",
    "cut_commit",
    "free_factor",
    "free_parameters",
    "free_values",
    "in_place",
    "rest_frame",
    "split",
}


def test_modules_are_named_by_nouns():
    """By those of the literature, that somebody searches for; a participle or an adverb says nothing alone."""
    names = {part for file in FILES for part in file.relative_to(SOURCE).with_suffix("").parts}
    vague = {name for name in names - ALLOWED if name.partition("_")[0] in VAGUE or name in VAGUE}
    assert not vague


HEADS = {
    "how",
    "it",
    "that",
    "there",
    "these",
    "this",
    "those",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "who",
    "why",
}


def test_modules_begin_with_a_line_of_few_words():
    """The first line is a noun phrase or an imperative of at most twelve words; what is to be said of it follows."""
    wrong = []
    help_texts = {SOURCE / "cli" / f"{name}.py" for name in ABOUT} | {SOURCE / "cli" / "blender_addon" / "__init__.py"}
    for file in sorted(set(FILES) - help_texts):
        if file.parent.name == "bench" and file.stem != "__init__":  # which `pliant bench` prints
            continue
        line = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]
        words = line.split()
        if not 1 < len(words) <= 12 or words[0].lower() in HEADS or not line.endswith("."):
            wrong.append(f"{file.relative_to(SOURCE)}: {line}")
    assert not wrong, "\n".join(wrong)


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
    with pytest.raises(pliant.errors.InputError, match=r"Lone.safe: this method .* class Lone\(capabilities.Limited, Energy"):
        type("Lone", (Energy,), {"safe": lambda self, x, d, out: None})
    type("Mixed", (capabilities.Limited, Energy), {"safe": lambda self, x, d, out: None})
    with pytest.raises(pliant.errors.InputError, match=r"class Idle\(capabilities.Fused\).* expected evaluate_with_gradient"):
        type("Idle", (capabilities.Fused, Energy), {})


def test_steps_ask_for_capabilities():
    asked = re.compile(r"has_walls|is_driven|\.constraint")
    files = sorted((SOURCE / "simulate").rglob("*.py"))
    assert len(files) > 20 and not [file.name for file in files if asked.search(file.read_text(encoding="utf-8"))]


def test_the_tables_of_verbs_are_those_of_the_classes():
    """docs/extend.md: verbs of all energies with all of their classes, and every capability with its own."""
    text = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    start, middle = text.index("## A new energy"), text.index("### Optional capabilities")
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
    silent = []
    for name, thing in PUBLIC.items():
        text = inspect.getdoc(thing) or ""
        made_up = isinstance(thing, type) and "__doc__" in vars(thing) and text.startswith(f"{name}(")  # by dataclasses
        silent += [name] if len(text.split()) < 3 or made_up else []
    assert not silent


def test_the_flat_list_is_short_and_editors_know_all_of_it():
    """Each line of the stub names a module that has the name, and says that it is public."""
    assert len(pliant.__all__) <= 79 and (SOURCE / "py.typed").is_file()
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
        assert all(getattr(module, name).__name__.rpartition(".")[2] == name for name in module.__all__ if name != "TOLERANCE")
    assert not set(pliant.extend.__all__) & set(pliant.__all__)


def test_names_that_moved_say_where():
    for old, new in pliant._MOVED.items():
        with pytest.raises(AttributeError, match="it is now pliant") as caught:
            getattr(pliant, old)
        assert new in str(caught.value)
        place = new.partition("(")[0]
        assert functools.reduce(getattr, place.split("."), pliant) is not None


def test_names_of_namespaces_say_where():
    for name in ("contact.Penalty", "inverse.GaussNewton", "linear.PCG", "errors.InputError", "laws.Fibres"):
        with pytest.raises(AttributeError, match=f"it is now pliant.{name}"):
            getattr(pliant, name.partition(".")[2])
    with pytest.raises(AttributeError, match=r"pliant\.rotations\.Exact or pliant\.solver\.Exact"):
        pliant.Exact  # noqa: B018


def test_what_a_class_lacks_is_said():
    """An error without a sentence tells nobody what to write."""
    silent = re.compile(r"raise NotImplementedError(\(\))?$", re.MULTILINE)
    assert not [file for file in FILES if silent.search(file.read_text(encoding="utf-8"))]


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
    for file in sorted((SOURCE / folder).rglob("*.py")):
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
                    named = isinstance(node.args[0], ast.JoinedStr) or isinstance(getattr(node.args[0], "value", None), str)
                    found += [f"{file.relative_to(ROOT)}:{node.lineno}"] if named else []
    assert not found


def test_the_loop_of_newton_knows_no_contact():
    """What it must know of it, ``solve/objective/capabilities.py`` asks."""
    for name in (
        "newton/newton_solver",
        "newton/iteration",
        "newton/direction",
        "search/solver_loop",
        "newton/hessian_choice",
    ):
        text = (SOURCE / "solve" / f"{name}.py").read_text(encoding="utf-8")
        assert not [word for word in ("has_walls", "is_driven", ".constraint") if word in text]


def test_linear_tets_are_a_page():
    """An element is data and shape functions, and knows nothing of cuts."""
    assert len((SOURCE / "elements" / "tets.py").read_text(encoding="utf-8").splitlines()) <= 80


def test_cuts_in_place_ask_what_things_can_do():
    """Which scheme, solver, element or effect it is, they do not ask."""
    names = {name for _, name in imported(SOURCE / "simulate" / "cutting" / "in_place.py")}
    kinds = {name for name in names if name.split(".")[1] in ("elements", "linear", "integrate", "effects")}
    assert not kinds and {name for name in names if ".solve." in name} == {"pliant.solve.quasi_newton.constant_factor"}
