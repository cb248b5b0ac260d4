"""Factor policies after a cut or tear."""

from __future__ import annotations

from dataclasses import dataclass

from ...arguments import checks


@dataclass(frozen=True)
class Updated:
    """A new factor at once, in the order of elimination from before, copies of nodes beside their origin.

    The same matrix and the same answers as from scratch, to rounding.
    """

    keeps_rows = False


@dataclass(frozen=True)
class Kept:
    """The factor from before the cut for ever, copies of a node glued together, and a diagonal for what parts them.

    A cut costs nothing, and every iteration after it does less; for few cuts, or many iterations.
    """

    keeps_rows = True


@dataclass(frozen=True)
class Bordered:
    """The factor from before the cut, and a small dense matrix for the copies of nodes: the same answers as from scratch.

    A tear costs a solve or two. From so many ``copies`` on there is a new factor, as with Updated().
    """

    copies: int = 192

    keeps_rows = True

    def __post_init__(self):
        checks.whole("Bordered(copies=…)", self.copies)


@dataclass(frozen=True)
class Background:
    """The factor from before, as in Kept(), until a thread has made the new one, which takes its place after ``steps``.

    No step waits for it unless it takes longer than that, and none is begun in the step after a cut, so that a body that tears
    step after step goes on as in Kept() until it holds, or until one node in twenty is a copy. Runs are the same bit for bit,
    however fast the thread is, unless ``eager`` puts it in place as soon as it is ready.
    """

    steps: int = 4
    eager: bool = False

    keeps_rows = False

    def __post_init__(self):
        checks.whole("Background(steps=…)", self.steps)
        checks.flag("Background(eager=…)", self.eager)


AfterCut = Updated | Kept | Bordered | Background
WAYS = (Updated, Kept, Bordered, Background)
EXPECTED = "refactor.Updated(), Kept(), Bordered() or Background()"
