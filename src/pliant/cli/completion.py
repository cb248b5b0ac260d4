"""Print a script that completes pliant's commands, options, names and files on the Tab key.

bash: put  eval "$(pliant completion bash)"  into ~/.bashrc;  zsh: the same with zsh into ~/.zshrc, after compinit;
fish: pliant completion fish > ~/.config/fish/completions/pliant.fish
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import NamedTuple

from .common.terminal import print_json

EXAMPLE = "pliant completion bash"
SHELLS = ("bash", "zsh", "fish")
FILES, FOLDERS = "files", "folders"
PATHS = {
    "scene": FILES,
    "scans": FILES,
    "file": FILES,
    "input": FILES,
    "output": FILES,
    "resume": FILES,
    "picture": FILES,
    "out": FOLDERS,
}
WORDS = {"device": ("cpu", "cuda"), "precision": ("f32", "f64")}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="which shell the script is for")


def run(args: argparse.Namespace) -> int:
    from .main import COMMANDS, parser

    top = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    about = {choice.dest: choice.help or "" for choice in top._choices_actions}
    commands = {name: [_slot(name, a) for a in top.choices[name]._actions] for name in COMMANDS}
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](commands, about)
    if args.json:
        print_json({"shell": args.shell, "script": script})
    else:
        print(script)
    return 0


class Slot(NamedTuple):
    """An option, or a positional argument where there are no ``names``.

    Its value, if it ``takes`` one, is a word or a path.
    """

    names: tuple[str, ...]
    takes: bool
    words: tuple[str, ...]
    path: str
    help: str


def _slot(command: str, action: argparse.Action) -> Slot:
    words = tuple(map(str, action.choices or ())) or WORDS.get(action.dest, ()) or _names(command, action.dest)
    path = FILES if (command, action.dest) == ("view", "what") else PATHS.get(action.dest, "")
    return Slot(tuple(action.option_strings), action.nargs != 0, words, path, " ".join((action.help or "").split()))


def _names(command: str, place: str) -> tuple[str, ...]:
    """Names of examples, laws and benchmarks, found without importing what computes."""
    if (command, place) == ("examples", "name"):
        from .examples import all_examples

        return tuple(all_examples())
    if (command, place) == ("view", "what"):
        from .view import library

        return tuple(library())
    if (command, place) == ("bench", "name"):
        from .bench import benchmark_names

        return tuple(benchmark_names())
    if (command, place) == ("materials", "name"):
        import ast

        laws = ast.parse((Path(__file__).parents[1] / "material" / "__init__.py").read_text(encoding="utf-8"))
        (listed,) = [n.value for n in laws.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
        return tuple(ast.literal_eval(listed))  # read and not imported, which would load what computes
    return ()


def _bash(commands: dict[str, list[Slot]], about: dict[str, str]) -> str:
    lines = []
    for command, slots in commands.items():
        for slot in (s for s in slots if s.names and s.takes):
            at = "|".join(f'"{command} {name}"' for name in slot.names)
            lines.append(f"        {at}) words={shlex.quote(' '.join(slot.words))} paths={slot.path} ;;")
    for command, slots in commands.items():
        options = " ".join(name for slot in slots for name in slot.names)
        places = [s for s in slots if not s.names]
        words = " ".join(word for s in places for word in s.words)
        path = next((s.path for s in places if s.path), "")
        free = f"words={shlex.quote(words)} paths={path}"
        lines.append(f'        "{command} "*) if [[ $cur == -* ]]; then words="{options}"; else {free}; fi ;;')
    body = "\n".join(lines)
    return f"""_pliant() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command="" words="" paths="" found
    (( COMP_CWORD > 1 )) && command=${{COMP_WORDS[1]}}
    case "$command $prev" in
        " "*) words="{" ".join(commands)} --help --version" ;;
{body}
    esac
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
    if [[ -n $paths ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r found; do COMPREPLY+=("$found"); done < <(
            if [[ $paths == {FOLDERS} ]]; then compgen -d -- "$cur"; else compgen -f -- "$cur"; fi)
    fi
}}
complete -F _pliant pliant"""


def _zsh(commands: dict[str, list[Slot]], about: dict[str, str]) -> str:
    def plain(text: str) -> str:
        return "".join(f"\\{c}" if c in "[]:\\" else c for c in text)

    def action(slot: Slot) -> str:
        words = f"({' '.join(slot.words)})" if slot.words else ""
        path = {FILES: "_files", FOLDERS: "_files -/"}.get(slot.path, "")
        both = f"_alternative 'name:name:{words}' 'file:file:{path}'"
        return both if words and path else words or path or " "

    cases = []
    for command, slots in commands.items():
        specs = [f"{name}[{plain(s.help)}]" + f":value:{action(s)}" * s.takes for s in slots for name in s.names]
        specs += [f"{i}:{plain(s.help)}:{action(s)}" for i, s in enumerate((s for s in slots if not s.names), 1)]
        cases.append(f"        {command}) _arguments {' '.join(shlex.quote(s) for s in specs)} ;;")
    listed = " ".join(shlex.quote(f"{name}:{plain(about[name])}") for name in commands)
    body = "\n".join(cases)
    return f"""#compdef pliant
_pliant() {{
    local -a commands=({listed})
    if (( CURRENT == 2 )); then _describe command commands; return; fi
    local command=$words[2]
    shift words; (( CURRENT-- ))
    case $command in
{body}
    esac
}}
compdef _pliant pliant"""


def _fish(commands: dict[str, list[Slot]], about: dict[str, str]) -> str:
    lines = ["complete -c pliant -f"]
    for command, slots in commands.items():
        lines.append(f"complete -c pliant -n __fish_use_subcommand -a {command} -d {shlex.quote(about[command])}")
        for slot in slots:
            names = [f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in slot.names]
            value = ["-x"] * bool(slot.names and slot.takes and slot.path != FILES)
            value += [f"-a {shlex.quote(' '.join(slot.words))}"] * bool(slot.words)
            value += ["-r -F" if slot.names else "-F"] * (slot.path == FILES)
            value += ["-a '(__fish_complete_directories)'"] * (slot.path == FOLDERS)
            if names or value:
                words = [*names, *value, "-d", shlex.quote(slot.help)]
                lines.append(f"complete -c pliant -n '__fish_seen_subcommand_from {command}' {' '.join(words)}")
    return "\n".join(lines)
