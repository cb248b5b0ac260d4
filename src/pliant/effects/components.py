"""Connected components of a part as bodies of their own to contact: what no element holds together touches as two bodies do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..cut.split import joined
from ..elements.embedded_surface import Binding


def by_component(bound: Binding, component: np.ndarray) -> tuple[Binding, np.ndarray]:
    """The points of a surface sorted by the component (n,) of their nodes, faces likewise, and (s,) the component of each point.

    Components without points have no number; those that a face or edge of the surface spans are one.
    """
    if not component.any():
        return bound, np.zeros(bound.count, int)
    heaviest = np.argmax(np.abs(bound.weights), axis=1)
    own = component[bound.nodes[np.arange(bound.count), heaviest]]
    spanned = [own[bound.triangles[:, [i, j]]] for i, j in ((0, 1), (0, 2))]
    spanned += [] if bound.edges is None else [component[bound.edges]]
    pairs = np.concatenate(spanned).reshape(-1, 2)
    own = joined(pairs[:, 0], pairs[:, 1], int(component.max()) + 1)[1][own]
    own = np.unique(own, return_inverse=True)[1]
    order = np.argsort(own, kind="stable")
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order))
    triangles = place[bound.triangles].astype(bound.triangles.dtype)
    triangles = triangles[np.argsort(own[bound.triangles[:, 0]], kind="stable")] if len(triangles) else triangles
    parts = {name: getattr(bound, name)[order] for name in ("nodes", "weights", "areas", "lengths")}
    return replace(bound, triangles=triangles, **parts), own[order]
