"""Tables of the sparse inverse and of cuSPARSE beside our substitutions, from benchmarks/results/sparse_inverse.json."""

from __future__ import annotations

from .contact import kept, table

SIZES = (1600, 12800, 25000, 102400)


def inverse() -> str:
    """L and S of constant matrices, f32, and steps of ten iterations with either."""
    found, rows = kept("sparse_inverse"), []
    for tets in SIZES:
        gpu = found["h200"]["result"]
        name, step = f"{tets} tets, constant matrix, f32", f"{tets} tets, f32, step"
        own = gpu[name]
        times = lambda row: f"{row['substitutions [ms]']:.3g} → {row['products [ms]']:.3g} ms"
        rows.append(
            [f"{tets:,}", f"{own['MB of L']:.3g} → {own['MB of S']:.3g} MB",
             f"{own['factor [ms]']:.2f} + {own['inverse [ms]']:.2f} ms",
             times(own), times(gpu[step])]
        )  # fmt: skip
    head = ["tets", "L → S", "H200: factor + inverse", "a solve", "a step"]
    return table(head, rows)


def cusparse() -> str:
    """The two triangular systems of elastic matrices, f64, by cuSPARSE and by us."""
    found, rows = kept("sparse_inverse")["h200"]["result"], []
    for tets in SIZES[:3]:
        ours, theirs = found[f"{tets} tets, elastic matrix, f64"], found[f"{tets} tets, elastic matrix, f64, cuSPARSE"]
        cells = [f"{theirs[f'{what} analysis [ms]']:.3g} ms" for what in ("with", "without")]
        cells += [f"{ours[f'{way} [ms]']:.3f} ms" for way in ("substitutions", "products")]
        ratio = [theirs[f"over our substitutions, {what} analysis"] for what in ("with", "without")]
        rows.append([f"{ours['unknowns']:,}", *cells, f"{ratio[0]:.0f} and {ratio[1]:.1f}"])
    head = [
        "unknowns",
        "cuSPARSE with analysis",
        "without",
        "our substitutions",
        "sparse inverse",
        "substitutions are faster by",
    ]
    return table(head, rows)


def tables() -> dict[str, str]:
    """Tables that pages written by hand ask for."""
    return {"sparse inverse": inverse(), "cuSPARSE": cusparse()}
