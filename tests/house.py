"""Prints how large the parts of the package are, and ends with status 1 where a figure is above its limit.

``python tests/house.py`` reads the source alone and imports nothing of it. A limit is where the figure stands today, or the
aim where that is met: limits go down, never up.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ("Energy", "Objective", "Elements", "Simulation", "ElasticEnergy", "World", "State", "Newton", "Device")
MOST_FILES, LONGEST, MOST_ARGUMENTS = 20, 120, 10  # of a folder, of a function, of a kernel

# figure → (limit, aim)
LIMITS = {
    "lines": (107_620, 86_000),
    "modules at the root": (12, 12),
    "folders of more than 20 files": (0, 0),
    "lines of the longest function": (LONGEST, LONGEST),
    "functions of more than 120 lines": (0, 0),
    "arguments of the widest kernel": (11, MOST_ARGUMENTS),
    "kernels of more than 10 arguments": (1, 0),
    "flat public names": (79, 70),
    "public namespaces": (24, 12),
    "methods of Energy": (12, 12),
    "methods of Objective": (39, 39),
    "methods of Elements": (28, 28),
    "methods of Simulation": (37, 37),
    "methods of ElasticEnergy": (67, 67),
    "methods of World": (21, 21),
    "methods of State": (8, 8),
    "methods of Newton": (4, 4),
    "methods of Device": (16, 16),
}


@dataclass(frozen=True)
class File:
    """One module: its path from the package, its number of lines, and all functions and classes in it."""

    path: Path
    lines: int
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef]
    classes: list[ast.ClassDef]


@dataclass(frozen=True)
class Figure:
    """A number that has a limit, and where it comes from, largest first."""

    name: str
    value: int
    places: tuple[str, ...] = ()


def read(source: Path) -> list[File]:
    found = []
    for file in sorted(source.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        nodes = list(statements(ast.parse(text).body))
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
        found.append(File(file.relative_to(source), len(text.splitlines()), functions, classes))
    return found


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a body and of those in it: much quicker than all nodes."""
    for node in body:
        yield node
        for field in ("body", "orelse", "finalbody"):
            yield from statements(getattr(node, field, []))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            yield from statements(part.body)


def functions(files: list[File]) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for file in files:
        for node in file.functions:
            yield f"{file.path.as_posix()}:{node.lineno} {node.name}", node


def kernel_arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int | None:
    """How many arguments a kernel takes besides its first item; None of a function that is no kernel."""
    given = [*node.args.posonlyargs, *node.args.args]
    begins = bool(given) and given[0].arg == "start" and given[0].annotation is not None
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if any(".native_kernel(" in each for each in decorators):  # its item has a name of its own
        return len(given) - 1
    marked = any(re.search(r"\bkernel(_for|_of)?\b", each) for each in decorators)
    if not (marked or (begins and ast.unparse(given[0].annotation) == "int")):
        return None
    return len(given) - begins


def methods(files: list[File], name: str) -> set[str]:
    """Public methods and properties of a class, with those of its bases in the package."""
    classes = {node.name: node for file in files for node in file.classes}
    found, left, seen = set(), [name], set()
    while left:
        node = classes.get(left.pop())
        if node is not None and node.name not in seen:
            seen.add(node.name)
            found |= {n.name for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
            left += [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]
    return {n for n in found if not n.startswith("_")}


def public_names(source: Path) -> tuple[list[str], list[str]]:
    """Flat names and namespaces, as the stub of the package lists them."""
    tree = ast.parse((source / "__init__.pyi").read_text(encoding="utf-8"))
    found = [(node.module, alias.name) for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    spaces = (None, "namespaces")
    return [name for module, name in found if module not in spaces], [name for module, name in found if module in spaces]


def folders(files: list[File]) -> dict[str, tuple[int, int]]:
    """Files and lines of each folder, without those of the folders in it."""
    found: dict[str, tuple[int, int]] = {}
    for file in files:
        count, lines = found.get(file.path.parent.as_posix(), (0, 0))
        found[file.path.parent.as_posix()] = (count + 1, lines + file.lines)
    return found


def figures(source: Path, files: list[File]) -> list[Figure]:
    largest = lambda pairs: sorted(pairs, key=lambda pair: -pair[1])
    told = lambda pairs: tuple(f"{value} {name}" for name, value in pairs)
    lengths = largest((name, node.end_lineno - node.lineno + 1) for name, node in functions(files))
    widths = largest((n, count) for n, node in functions(files) if (count := kernel_arguments(node)) is not None)
    crowded = largest((n, count) for n, (count, _) in folders(files).items() if n != "." and count > MOST_FILES)
    flat, spaces = public_names(source)
    long, wide = [p for p in lengths if p[1] > LONGEST], [p for p in widths if p[1] > MOST_ARGUMENTS]
    return [
        Figure("lines", sum(file.lines for file in files)),
        Figure("modules at the root", len([f for f in files if len(f.path.parts) == 1 and not f.path.name.startswith("__")])),
        Figure("folders of more than 20 files", len(crowded), told(crowded)),
        Figure("lines of the longest function", lengths[0][1], told(lengths[:1])),
        Figure("functions of more than 120 lines", len(long), told(long)),
        Figure("arguments of the widest kernel", widths[0][1] if widths else 0, told(widths[:1])),
        Figure("kernels of more than 10 arguments", len(wide), told(wide)),
        Figure("flat public names", len(flat)),
        Figure("public namespaces", len(spaces)),
        *(Figure(f"methods of {name}", len(methods(files, name))) for name in CORE),
    ]  # fmt: skip


def main(source: Path = ROOT / "src" / "pliant", limits: dict[str, tuple[int, int]] = LIMITS, quiet: bool = False) -> int:
    """Print all figures, or where ``quiet`` what is wrong alone; 1 where one is above its limit."""
    files = read(source)
    if not quiet:
        print(f"{'folder':24} {'files':>6} {'lines':>8}")
        for name, (count, lines) in folders(files).items():
            print(f"{name:24} {count:6} {lines:8,}")
        print(f"\n{'figure':36} {'today':>8} {'limit':>8} {'aim':>8}")
    wrong = []
    for figure in figures(source, files):
        limit, aim = limits[figure.name]
        if not quiet:
            note = f"  lower the limit to {max(figure.value, aim):,}" if max(figure.value, aim) < limit else ""
            print(f"{figure.name:36} {figure.value:8,} {limit:8,} {aim:8,}{note}")
        if figure.value > limit:
            wrong += [f"{figure.name}: {figure.value:,}, above the limit of {limit:,}", *figure.places[:20]]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(quiet="--quiet" in sys.argv[1:]))
