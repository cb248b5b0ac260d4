"""Parser of the ``pliant`` command, where errors become exit codes.

The exit codes are in ``CODES``.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from .. import __version__
from ..errors import InputError, NoMemory, PliantError, PliantWarning, did_you_mean

ABOUT = {
    "demo": "Drop a soft torus and a soft cube on a ball and the ground, and write a picture and a page that replays it.",
    "view": "Simulate a body live in the browser, where the mouse grabs and pulls it.",
    "run": "Simulate a scene file, or drop the shape in a mesh or volume file, and write pictures and pages of it.",
    "fit": "Find the material, damping, gravity or ground of a scene from scans or markers, with confidence intervals.",
    "sweep": "Run a scene file with many values of its settings, here or on a cluster, to one data set and a page of charts.",
    "mesh": "Turn a surface or a label of a scan into tetrahedra, or a file into another format.",
    "inspect": "Describe a mesh, volume or scene file, and list its faults.",
    "materials": "List the material laws with their parameters, units and bounds, and the presets.",
    "examples": "Run one of the examples and write a picture and a page of it; without a name, list them.",
    "bench": "Run a benchmark and print its rows: name, value, unit; without a name, list them.",
    "blender": "Write the add-on that simulates objects inside Blender, one file to install, with instructions.",
    "doctor": "Describe this installation: versions, threads, GPUs, the kernel cache, extras; and try one step.",
    "completion": "Print a script that completes pliant's commands, options, names and files on the Tab key.",
}


class _Commands(Mapping[str, ModuleType]):
    """The module of each command, imported when it is asked for, so that ``--help`` imports none."""

    def __getitem__(self, name: str) -> ModuleType:
        if name not in ABOUT:
            raise KeyError(name)
        return import_module(f"{__package__}.{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(ABOUT)

    def __len__(self) -> int:
        return len(ABOUT)


COMMANDS = _Commands()

CODES = {
    0: "done; also when Ctrl-C ends pliant view, or the reader of a pipe closes it",
    1: "something failed on the way: a step, a check of doctor, or a fault of pliant",
    2: "the input cannot be used: an option, a file, a scene, a folder; one sentence says why",
    130: "stopped by Ctrl-C, or while stepping by SIGTERM; pliant run leaves a checkpoint",
}


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is an InputError, so that all of them look alike."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see {self.prog} --help")


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line, or with the arguments of one command alone (of none, where ``only`` names none)."""
    top = _Parser(
        prog="pliant",
        description="Soft bodies to pull, squeeze and drop, from the shell.",
        epilog="\n  ".join(["example: pliant demo --out demo\n\nexit codes:", *(f"{n:<4}{text}" for n, text in CODES.items())]),
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"pliant {__version__}")
    commands = top.add_subparsers(dest="command", metavar="command", parser_class=_Parser)
    for name, about in ABOUT.items():
        own = commands.add_parser(name, help=about, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)
        if only is not None and only != name:
            continue
        module = COMMANDS[name]
        own.description, own.epilog = module.__doc__, f"example: {module.EXAMPLE}"
        module.arguments(own)
        own.add_argument("--json", action="store_true", help="print the result as JSON")
        own.set_defaults(run=module.run)
    return top


def _chosen(argv: Sequence[str]) -> argparse.Namespace:
    if argv and argv[0] == "help":  # pliant help run
        argv = [*argv[1:2], "--help"]
    word = argv[0] if argv else ""
    whole = parser(only=word)
    if word and not word.startswith("-") and word not in COMMANDS:
        names = ", ".join(COMMANDS)
        raise InputError(f"there is no command {word!r}{did_you_mean(word, COMMANDS)}; expected one of {names}")
    args, left = whole.parse_known_args(argv)
    if left:
        own = next(a for a in whole._actions if isinstance(a, argparse._SubParsersAction)).choices.get(args.command, whole)
        names = [name[2:] for name in own._option_string_actions if name.startswith("--")]
        near = did_you_mean(left[0].split("=")[0].strip("-"), names).replace("'", "'--", 1)
        raise InputError(f"{own.prog} has no {left[0]}{near}; see {own.prog} --help")
    if args.command is None:
        whole.print_help()
        raise SystemExit(0)
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (that of the process by default) and return the exit code."""
    try:
        args = _chosen(sys.argv[1:] if argv is None else list(argv))
        with warnings.catch_warnings():
            warnings.showwarning = _warned
            code = args.run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SystemExit as end:  # --help and --version
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt as end:
        return _said(str(end) or "stopped", 130)
    except BrokenPipeError:  # the reader of our output has closed it
        _drop_output()
        return 0
    except OSError as error:  # those of files that are read and written are InputErrors by now
        _drop_output()
        return _said(f"{error.filename or 'the output'} cannot be read or written: {error.strerror or error}", 1)
    except ModuleNotFoundError as error:
        return _said(f"the Python package {error.name!r} is missing; install it with: pip install pliant", 1)
    except NoMemory as error:
        return _said(str(error), 1)
    except MemoryError as error:  # NumPy says how much it asked for
        what = " ".join(str(error).split())[:200] or "for this"
        return _said(f"there is not enough memory: {what}; try fewer, larger cells or tets", 1)
    except InputError as error:
        faults = getattr(error, "faults", ())
        if len(faults) > 1:
            return _said("\n  ".join([f"{error.path} has {len(faults)} faults:", *faults]), 2)  # type: ignore[attr-defined]
        return _said(str(error), 2)
    except PliantError as error:
        return _said(str(error), 1)
    except Exception as error:
        what = " ".join(str(error).split())[:200]
        return _said(f"unexpected {type(error).__name__}: {what}; a fault of pliant, PLIANT_DEBUG=1 shows where", 1)


def _warned(message: Warning | str, category: type[Warning], filename: str, lineno: int, *more: Any) -> None:
    """Say a warning of pliant's as a sentence, without the line of its source; others as Python does."""
    own = issubclass(category, PliantWarning)
    text = f"pliant: {message}\n" if own else warnings.formatwarning(message, category, filename, lineno)
    if sys.stderr is not None:
        sys.stderr.write(text)


def _drop_output() -> None:
    """What is still to be written goes nowhere, or else Python would try it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _said(sentence: str, code: int) -> int:
    if os.environ.get("PLIANT_DEBUG") == "1" and sys.exc_info()[0] is not None:
        import traceback

        traceback.print_exc()
    print(f"pliant: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
