"""Changes of a body's mesh while it runs."""

from enum import Enum


class Change(Enum):
    """What gives a mesh more nodes: ``keeps_rows`` of schemes, solvers, elements and effects says where these go on with it in
    the arrays that steps work on."""

    CUT = "cut"
    TEAR = "tear"
