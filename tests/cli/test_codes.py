"""Exit codes, plain output in pipes, JSON that is JSON, and sentences that say what to do, of the real program."""

import importlib.metadata
import importlib.util
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import pliant as pl
from pliant.cli import doctor
from pliant.cli.main import CODES, COMMANDS, main, parser

SCENES = Path(__file__).parents[2] / "examples" / "scenes"
PLIANT = (sys.executable, "-m", "pliant.cli.main")


def shell(*argv, **options) -> subprocess.CompletedProcess:
    return subprocess.run([*PLIANT, *map(str, argv)], capture_output=True, text=True, timeout=120, **options)


def call(capsys, *argv) -> tuple[int, str, str]:
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_each_help_is_understood(command):
    for line in COMMANDS[command].EXAMPLE.split(", or: "):
        words = shlex.split(line)
        args, left = parser().parse_known_args(words[1:])
        assert words[0] == "pliant" and args.command == command and not left


def test_help_tells_the_exit_codes(capsys):
    out = call(capsys, "--help")[1]
    for code, meaning in CODES.items():
        assert f"  {code:<4}{meaning}\n" in out + "\n"


@pytest.fixture
def ball(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pl.write(pl.meshes.sphere(0.1, 1), tmp_path / "ball.stl")
    (tmp_path / "torn.stl").write_bytes(b"solid nothing at all")
    return tmp_path / "ball.stl"


@pytest.mark.parametrize(
    "line, says",
    [
        (
            "view bal.stl",
            "there is no file bal.stl (did you mean 'ball.stl'?); expected an example by name, a scene file",
        ),
        (
            "run bal.stl",
            "there is no file bal.stl (did you mean 'ball.stl'?); expected a scene file, a mesh or a volume",
        ),
        ("run cantilever", "run by: pliant examples scenes/cantilever"),
        ("run nothing.toml", "there is no file nothing.toml; expected a scene file"),
        ("run .", ". is a folder; expected a scene file"),
        ("run torn.stl", "torn.stl: ends before"),
        ("run ball.stl --out strip.png", "--out strip.png is a file; expected a folder, or a name ending in .html"),
        ("run ball.stl --out ball.stl/a", "--out ball.stl/a cannot be made"),
        ("run ball.stl --seconds 0", "--seconds 0: expected a positive number"),
        ("run ball.stl --secnds 3", "pliant run has no --secnds (did you mean '--seconds'?); see pliant run --help"),
        ("run ball.stl --resume old.npz", "there is no file old.npz"),
        ("demo --out page.html", "--out page.html looks like a file; expected a folder"),
        ("demo --seconds -1", "--seconds -1: expected a positive number"),
        ("mesh bal.stl a.msh", "there is no file bal.stl (did you mean 'ball.stl'?)"),
        ("mesh ball.stl a.mhs --edge 0.01", "a.mhs has suffix '.mhs' (did you mean '.msh'?)"),
        ("mesh ball.stl a.stl --edge 0.01", "a.stl"),
        ("inspect .", ". is a folder; expected a mesh, a volume or a scene"),
        ("bench elements --set tets=many", "--set tets=many: expected a number, such as tets="),
        ("--colour", "pliant has no --colour; see pliant --help"),
        ("completion", "required: shell"),
    ],
)
def test_what_cannot_be_used_is_2_and_one_sentence(capsys, ball, line, says):
    before = sorted(ball.parent.iterdir())
    code, out, err = call(capsys, *shlex.split(line))
    assert code == 2 and out == "" and err.startswith("pliant: ") and says in err and err.count("\n") == 1
    assert sorted(ball.parent.iterdir()) == before


def test_a_folder_that_may_not_be_written_is_found_first(capsys, ball, monkeypatch):
    def refuse(path, *more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)
    for line in (
        "run ball.stl --out a/b",
        "demo --out a",
        "examples hanging_beam --out a",
        "mesh ball.stl a/b.msh --edge 0.02",
    ):
        code, _, err = call(capsys, *line.split())
        assert code == 2 and f"you may not write into {ball.parent}" in err


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are those of POSIX")
def test_a_full_disk_leaves_nothing(ball):
    import resource

    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
    done = shell("mesh", "ball.stl", "ball.obj", preexec_fn=small)
    assert done.returncode == 2 and "ball.obj cannot be written: File too large" in done.stderr
    assert sorted(f.name for f in ball.parent.iterdir()) == ["ball.stl", "torn.stl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_output_that_cannot_be_written_is_1():
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PLIANT, "examples"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr == "pliant: the output cannot be read or written: No space left on device\n"


def test_a_closed_pipe_is_0():
    line = f"{shlex.join([*PLIANT, 'examples'])} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert done.stdout == "0\n" and done.stderr == ""


def test_a_step_that_fails_is_1(capsys, tmp_path, monkeypatch):
    from pliant.solve.objective.report import Report

    monkeypatch.setattr(pl.Simulation, "step", lambda self: Report(False, "it would not", seconds={"total": 0.0}))
    code, out, err = call(capsys, "run", SCENES / "cantilever.toml", "--out", tmp_path)
    assert code == 1 and out == "" and "the first step failed: it would not" in err


@pytest.mark.parametrize(
    "error, says",
    [
        (ModuleNotFoundError("No module named 'warp'", name="warp"), "package 'warp' is missing"),
        (MemoryError(), "not enough memory"),
        (PermissionError(13, "Permission denied", "a.stl"), "a.stl cannot be read or written: Permission denied"),
    ],
)
def test_what_the_machine_lacks_is_1(monkeypatch, error, says):
    def fail(args):
        raise error

    monkeypatch.setattr(COMMANDS["doctor"], "run", fail)
    monkeypatch.setattr("pliant.cli.main._drop_output", lambda: None)
    import contextlib
    import io

    with contextlib.redirect_stderr(io.StringIO()) as err:
        assert main(["doctor"]) == 1
    assert says in err.getvalue()


QUICK = [
    "materials", "materials Ogden", "examples", "bench", "inspect ball.stl", "mesh ball.stl b.ply", "completion bash",
    "run ball.stl --spacing 0.05 --seconds 0.03 --out o", f"inspect {SCENES / 'drop.toml'}", "bench elements --options",
]  # fmt: skip


def heard(err: str) -> list[str]:
    """Lines of standard error but for those that tell of kernels compiled for the first time."""
    return [line for line in err.splitlines() if not line.startswith("pliant: compiled ")]


@pytest.mark.parametrize("line", QUICK)
def test_json_is_all_there_is(capsys, ball, line):
    code, out, err = call(capsys, *shlex.split(line), "--json")
    assert code == 0 and json.loads(out) and not heard(err)


@pytest.mark.parametrize("line", QUICK)
def test_pipes_get_plain_text(capsys, ball, line):
    code, out, err = call(capsys, *shlex.split(line))
    assert code == 0 and out and not heard(err) and "\x1b" not in out and "─" not in out


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is needed")
@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_gets_tables_and_no_colour_where_none_is_wanted(ball, colour):
    import pty

    ours, theirs = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm-256color", "COLUMNS": "100"}
    env |= {} if colour else {"NO_COLOR": "1"}
    command = [*PLIANT, "mesh", "ball.stl", "b.msh", "--edge", "0.05"]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is gone
                break
            seen += part
            if not part:
                break
    os.close(ours)
    text = seen.decode()
    assert process.returncode == 0 and "starting" in text and "filling ball.stl with tets of 0.05 m" in text
    assert ("\x1b[32m" in text) is colour and text.rstrip("\r\n").split("\n")[-1].strip()


def test_doctor_forgives_what_is_optional(capsys, monkeypatch):
    def absent(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", absent)
    code, out, _ = call(capsys, "doctor", "--json")
    found = json.loads(out)
    assert code == 0 and found["ok"] and "not installed" in found["extras"]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: ["no-such-package; extra == 'usd'"])
    monkeypatch.setattr(doctor, "_cache", lambda: 1 / 0)
    code, out, _ = call(capsys, "doctor")
    assert code == 0 and "no-such-package missing (pip install 'pliant[usd]')" in out and "unknown: division by zero" in out


def test_doctor_does_not_forgive_what_is_needed(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: None)
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "websockets" else real(name))
    code, out, _ = call(capsys, "doctor", "--json")
    found = json.loads(out)
    assert code == 1 and not found["ok"] and found["numpy"] == "of unknown version"
    assert found["websockets"] == "FAILED: missing (pip install pliant)"
