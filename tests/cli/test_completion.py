"""The completion script, sourced in a real shell and asked what follows a line."""

import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pliant.cli import bench, examples
from pliant.cli.completion import SHELLS
from pliant.cli.main import COMMANDS, main


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "a b.stl").write_text("")
    (tmp_path / "arm.toml").write_text("")
    (tmp_path / "results").mkdir()
    return tmp_path


def script(capsys, shell: str) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def bash(text: str, folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of the words."""
    shown = '[[ -z ${COMPREPLY[*]} ]] || printf "%s\\n" "${COMPREPLY[@]}"'
    line = f'{text}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pliant 2>&1\n{shown}'
    command = ["bash", "--norc", "-c", line, "bash", "pliant", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return sorted(done.stdout.splitlines())


@pytest.mark.parametrize(
    "words, offered",
    [
        (["ru"], ["run"]),
        (["--v"], ["--version"]),
        (["run", "--res"], ["--resume"]),
        (["run", "a"], ["a b.stl", "arm.toml"]),
        (["run", "arm.toml", "--out", "r"], ["results"]),
        (["run", "arm.toml", "-o", ""], ["results"]),
        (["run", "arm.toml", "--device", ""], ["cpu", "cuda"]),
        (["run", "arm.toml", "--seconds", ""], []),
        (["inspect", "--picture", "ar"], ["arm.toml"]),
        (["examples", "hanging_b"], ["hanging_beam"]),
        (["examples", "scenes/ca"], ["scenes/cantilever"]),
        (["view", "de"], ["demo"]),
        (["view", "arm"], ["arm.toml"]),
        (["materials", "StableN"], ["StableNeoHookean"]),
        (["bench", "elem"], ["elements"]),
        (["completion", ""], sorted(SHELLS)),
        (["demo", ""], []),
    ],
)  # fmt: skip
def test_bash_offers_what_fits(capsys, folder, words, offered):
    assert bash(script(capsys, "bash"), folder, *words) == offered


def test_all_of_the_parser_is_there(capsys, folder):
    text = script(capsys, "bash")
    assert bash(text, folder, "") == sorted([*COMMANDS, "--help", "--version"])
    for command in COMMANDS:
        main([command, "--help"])
        shown = {word.strip("[],") for word in capsys.readouterr().out.split() if word.strip("[],").startswith("--")}
        offered = set(bash(text, folder, command, "--"))
        assert offered and offered <= shown
    assert bash(text, folder, "examples", "") == sorted(examples.all_examples())
    assert bash(text, folder, "bench", "") == bench.benchmark_names()


def test_the_script_is_made_without_loading_what_computes():
    code = (
        "import sys; from pliant.cli.main import main; main(['completion', 'bash'])\n"
        "print([m for m in ('numpy', 'warp', 'scipy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_other_shells_are_refused(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "invalid choice: 'tcsh'" in capsys.readouterr().err


@pytest.mark.slow
def test_fish_offers_what_fits(capsys, folder):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    (folder / "pliant.fish").write_text(script(capsys, "fish"))
    for line, offered in [
        ("pliant ru", {"run"}),
        ("pliant run --res", {"--resume"}),
        ("pliant run arm.toml --device ", {"cpu", "cuda"}),
        ("pliant run ar", {"arm.toml"}),
        ("pliant examples hanging_b", {"hanging_beam"}),
        ("pliant completion ", set(SHELLS)),
    ]:
        ask = f"source pliant.fish; complete -C {line!r}"
        done = subprocess.run(["fish", "--no-config", "-c", ask], cwd=folder, capture_output=True, text=True, timeout=60)
        assert done.stderr == "" and {row.split("\t")[0] for row in done.stdout.splitlines()} == offered, line


@pytest.mark.slow
def test_zsh_offers_what_fits(capsys, folder):
    """An interactive zsh in a terminal of its own, where Tab is pressed."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    (folder / "pliant.zsh").write_text(script(capsys, "zsh"))
    ours, theirs = os.openpty()
    env = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(["zsh", "-f", "-i"], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as shell:
        typed(ours, "PS1=; autoload -U compinit; compinit -u -D; source ./pliant.zsh; print -r rea''dy\n", "ready")
        for line, offered in [
            ("pliant ru", "pliant run"),
            ("pliant run --res", "pliant run --resume"),
            ("pliant run ar", "pliant run arm.toml"),
            ("pliant view hanging_b", "pliant view hanging_beam"),
            ("pliant view arm", "pliant view arm.toml"),
            ("pliant run arm.toml --out r", "pliant run arm.toml --out results/"),
            ("pliant completion f", "pliant completion fish"),
        ]:
            os.write(ours, f"{line}\t".encode())
            time.sleep(0.5)
            typed(ours, "\x01print -r '<\x05>'\n", f"\n<{offered.rstrip('/')}")
        os.write(ours, b"exit\n")
        shell.wait(timeout=20)
    os.close(ours)
    os.close(theirs)


def typed(terminal: int, keys: str, wanted: str) -> None:
    """Press keys and wait for what the terminal should show."""
    os.write(terminal, keys.encode())
    seen, end = "", time.monotonic() + 120  # on a busy machine
    while wanted not in seen.replace("\r", ""):
        ready, _, _ = select.select([terminal], [], [], 1.0)
        seen += os.read(terminal, 65536).decode(errors="replace") if ready else ""
        assert time.monotonic() < end, (wanted, seen)
