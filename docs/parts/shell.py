"""The page about the shell, made from its own parser."""

from __future__ import annotations

import inspect

from pliant.cli.main import CODES, COMMANDS, parser

SHELL = """# The shell

`pliant COMMAND --help` says what a command does, with an example. On a terminal, tables are drawn and longer tasks show their
progress; in a pipe there is plain text only. `NO_COLOR` switches colours off. `--json` prints
the result as JSON, alone on standard output; errors go to standard error. `PLIANT_DEBUG=1` shows where a fault
of pliant came from. With `PLIANT_PROGRESS=1` standard error gets lines such as `simulating 12/60` in a pipe too.

## Exit codes

| code | meaning |
|---|---|
{codes}

## Stop and go on

Ctrl-C (or SIGTERM, as a batch system sends it, or SIGHUP, when a terminal is closed) during `pliant run` lets the step under way
finish. Then the results are written
with the frames so far, and next to them `NAME.checkpoint.npz`, which holds the scene, the state, and those frames. The last lines
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

A run that takes longer than a minute writes that checkpoint every minute as well (`--checkpoint` sets other seconds, 0 none), so
that a kill, a crash or a power cut costs no more than that: `pliant run fall.toml --out out --resume`, without a name, goes on
from the last one. Two are kept, `NAME.checkpoint.npz` and `NAME.checkpoint.previous.npz`, and taken away when the run has
come to its end. Writing them takes a tenth of the time at most: very large runs are kept less often.

The paths of all results are checked before the run. After it they are written one by one, arrays first; one that fails is named
at the end (exit code 1) and costs no other, and a run that nothing else has kept is then in `NAME.rescued.npz`.

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


def page() -> str:
    """Every command with its example and options, from the parser; not from its help, which Python lays out anew now and then."""

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
    return "\n".join(parts)
