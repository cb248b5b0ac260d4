"""Run one of the examples and write a picture and a page of it; without a name, list them."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..arguments.progress import status
from ..errors import InputError, did_you_mean
from .common.paths import writable
from .common.summary import print_summary, summary
from .common.terminal import print_json, print_table, start

EXAMPLE = "pliant examples hanging_beam --out out"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="which example (default: list them)")
    parser.add_argument("--out", default="out", metavar="DIR", help="folder for NAME.png and NAME.html (default: out)")


def folder() -> Path:
    """Where the examples are: in the checkout this is run from, or inside the installed package."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parents[1]
    return checkout / "examples" if (checkout / "pyproject.toml").is_file() else package / "examples"


def all_examples() -> dict[str, tuple[Path, str]]:
    """Name → file and first sentence of every example, scripts first, then scene files."""
    import ast

    listed = {}
    for file in sorted(folder().glob("[!_]*.py")):
        about = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        listed[file.stem] = (file, about.split("\n")[0])
    for file in sorted((folder() / "scenes").glob("*.toml")):
        first = file.read_text(encoding="utf-8").split("\n")[0]
        listed[f"scenes/{file.stem}"] = (file, first.removeprefix("#").strip())
    return listed


def run(args: argparse.Namespace) -> int:
    known = all_examples()
    if args.name is None:
        if args.json:
            print_json([{"name": n, "file": str(file), "about": about} for n, (file, about) in known.items()])
        else:
            print_table(("example", "what it shows"), [(n, about) for n, (_, about) in known.items()])
        return 0
    name = args.name.removesuffix(".py").removesuffix(".toml")
    if name not in known:
        names = ", ".join(known) or "none in this installation"
        raise InputError(f"there is no example {args.name!r}{did_you_mean(name, known)}; expected one of {names}")
    file = known[name][0]
    writable(args.out)
    start()
    if file.suffix == ".toml":
        from . import run as scene

        options = argparse.ArgumentParser()
        scene.arguments(options)
        return scene.run(options.parse_args([str(file), "--out", str(args.out)], argparse.Namespace(json=args.json)))
    return _script(file, Path(args.out), args.json)


def _script(file: Path, out: Path, as_json: bool) -> int:
    """Call ``main()`` of an example, which returns a Run, and its ``draw(run, path)``."""
    import importlib.util

    import pliant as pl

    spec = importlib.util.spec_from_file_location(f"pliant_example_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    with status(f"running {file.stem}"):
        recorded = module.main()
    image = out / f"{file.stem}.png"
    with status("drawing a picture and a page"):
        module.draw(recorded, image)
        files = [image, pl.page(recorded, out / f"{file.stem}.html", title=file.stem.replace("_", " "))]
    print_summary(summary(recorded), files, as_json)
    return 0
