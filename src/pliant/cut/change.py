"""Changes of a body's mesh while it runs."""

from enum import Enum


class Change(Enum):
    """Changes that add nodes: ``keeps_rows`` of schemes, solvers, elements and effects says which of them they can apply in
    the arrays that steps work on."""

    CUT = "cut"
    TEAR = "tear"
