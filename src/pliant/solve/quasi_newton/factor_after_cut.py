"""Factor policies after a cut or tear."""

from __future__ import annotations

from dataclasses import dataclass

from ...arguments import checks


@dataclass(frozen=True)
class Updated:
    """A new factor at once, in the old elimination order, copies of nodes next to their origin.

    The same matrix and the same answers as from scratch, to rounding.
    """

    keeps_rows = False


@dataclass(frozen=True)
class Kept:
    """The old factor permanently, copies of a node tied together, and a diagonal for their separation.

    A cut costs nothing, and later iterations converge more slowly; for few cuts, or many iterations.
    """

    keeps_rows = True


@dataclass(frozen=True)
class Bordered:
    """The old factor, and a small dense matrix for the copies of nodes: the same answers as from scratch.

    A tear costs a solve or two. From ``copies`` copies on there is a new factor, as with Updated().
    """

    copies: int = 192

    keeps_rows = True

    def __post_init__(self):
        checks.whole("Bordered(copies=…)", self.copies)


@dataclass(frozen=True)
class Background:
    """The old factor, as in Kept(), until a thread has computed the new one, which replaces it after ``steps``.

    No step waits for it unless it takes longer than that, and none is started in the step after a cut, so that a body that tears
    in every step continues as in Kept() until it stops, or until one node in twenty is a copy. Runs are the same bit for bit,
    at any speed of the thread, unless ``eager`` uses it as soon as it is ready.
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
