"""Run a benchmark and print its rows: name, value, unit; without a name, list them."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from ..arguments.progress import status
from ..errors import InputError, did_you_mean
from .common.terminal import print_json, print_table, start

if TYPE_CHECKING:
    from types import ModuleType

EXAMPLE = "pliant bench elements --set tets=100000"
PACKAGE = "pliant.bench"
SHORT = {  # options of the benchmark of contact
    "scene": "scenes of contact, with commas between", "size": "how large, such as 5x40, or all",
    "response": "responses of contact, such as Barrier,Penalty", "budget": "seconds after which a scene is stopped",
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="which benchmark (default: list them)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the benchmark")
    for key, about in SHORT.items():
        parser.add_argument(f"--{key}", metavar=key.upper(), help=f"{about}: short for --set {key}={key.upper()}")
    parser.add_argument("--options", action="store_true", help="list the options of the benchmark, and stop")


def benchmark_names() -> list[str]:
    """Names of the benchmarks: the modules of the package that have a ``run``."""
    from pathlib import Path

    package = importlib.util.find_spec(PACKAGE)  # read, not imported: this is asked for by the Tab key too
    files = [f for place in package.submodule_search_locations or () for f in Path(place).glob("*.py")] if package else []
    return sorted(f.stem for f in files if "\ndef run(" in f.read_text(encoding="utf-8"))


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{name}")


def run(args: argparse.Namespace) -> int:
    start()
    names = benchmark_names()
    if args.name is None:
        rows = [(name, (_module(name).__doc__ or "").strip().split("\n")[0]) for name in names]
        if args.json:
            print_json([{"name": name, "about": about} for name, about in rows])
        else:
            print_table(("benchmark", "what it measures"), rows)
        return 0
    if args.name not in names:
        known = ", ".join(names) or "none in this installation"
        more = "; studies are run by python -m benchmarks NAME, in the repository" if PACKAGE.startswith("pliant") else ""
        raise InputError(f"there is no benchmark {args.name!r}{did_you_mean(args.name, names)}; known: {known}{more}")
    module = _module(args.name)
    if args.options:
        _say_options(module, args.json)
        return 0
    short = [f"{key}={getattr(args, key)}" for key in SHORT if getattr(args, key) is not None]
    options = _options(module, args.set + short)
    rows = []
    measured = iter(module.run(**options))
    while True:
        with status(f"measuring {args.name}, {len(rows)} numbers so far"):
            row = next(measured, None)
        if row is None:
            break
        name, value, unit = row
        rows.append({"name": name, "value": value, "unit": unit})
        if not args.json:
            print(name, f"{value:.6g}" if isinstance(value, float) else value, unit, flush=True)
    if args.json:
        print_json(rows)
    elif hasattr(module, "table"):
        print()
        print_table(*module.table(rows))
    return 0


def _say_options(module: ModuleType, as_json: bool) -> None:
    """Each option as it would be given, with its default, and what the benchmark says about them."""
    import inspect

    options = {p.name: p.default for p in inspect.signature(module.run).parameters.values()}
    about = inspect.getdoc(module.run) or ""
    if as_json:
        print_json({"options": options, "about": about})
        return
    for name, default in options.items():
        print(f"--set {name}={default}")
    print(about)


def _options(module: ModuleType, given: list[str]) -> dict[str, Any]:
    """``KEY=VALUE`` pairs as arguments of the module's ``run``."""
    import ast
    import inspect

    parameters = inspect.signature(module.run).parameters
    named = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    options = {}
    for pair in given:
        key, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"--set {pair} has no '='; expected KEY=VALUE")
        if key not in named:
            known = ", ".join(named) or "none"
            raise InputError(f"--set {pair}: unknown option{did_you_mean(key, named)}; expected {known}")
        try:
            options[key] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            options[key] = text
        usual = parameters[key].default
        if isinstance(usual, int | float) and not isinstance(options[key], int | float):
            raise InputError(f"--set {pair}: expected a number, such as {key}={usual}")
    return options
