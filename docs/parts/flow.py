"""The picture of the folders, drawn from what their files really import."""

from __future__ import annotations

import ast
from pathlib import Path

from . import PICTURES, ROOT

SOURCE = ROOT / "src" / "pliant"
FILE = PICTURES / "flow.svg"
# in the order of the data: what a folder turns into what, and its colour
FOLDERS = {
    "geometry": ("shapes", "#3f7fb5"),
    "cut": ("blade → mesh", "#3f7fb5"),
    "material": ("F → ψ, P", "#3f7fb5"),
    "elements": ("x → F", "#3a9c84"),
    "linear": ("A d = b", "#8b6bb1"),
    "energy": ("x → E, ∇E", "#3a9c84"),
    "contact": ("who touches", "#8b6bb1"),
    "solve": ("argmin", "#8b6bb1"),
    "integrate": ("y, h", "#d9654f"),
    "effects": ("what acts", "#d9654f"),
    "simulate": ("owns time", "#d9654f"),
    "inverse": ("parameters", "#d9654f"),
    "output": ("pictures, files", "#e3a33c"),
    "importers": ("files → scenes", "#e3a33c"),
    "view": ("browser", "#5a6f86"),
    "bench": ("measures", "#5a6f86"),
    "learn": ("tasks", "#5a6f86"),
    "study": ("many runs", "#5a6f86"),
    "cli": ("shell", "#5a6f86"),
}
SHARED = {"arguments", "runtime"}  # folders that all others may import from
WIDE, GAP, TOP, HIGH = 84, 14, 46, 52
INK, PALE = "#29303a", "#6b7380"


def folders() -> list[str]:
    """Those that are there, in order; a new one must be given its place above."""
    there = {p.name for p in SOURCE.iterdir() if p.is_dir() and any(p.glob("*.py"))}
    unknown = there - set(FOLDERS) - SHARED - {"namespaces"}
    if unknown:
        raise KeyError(f"docs/parts/flow.py does not know {', '.join(sorted(unknown))}; give it a place in FOLDERS")
    return [name for name in FOLDERS if name in there]


def imports(folder: str) -> set[str]:
    """Other folders that some file of this one imports from."""
    found = set()
    for file in (SOURCE / folder).rglob("*.py"):
        depth = len(file.relative_to(SOURCE).parent.parts)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom):
                continue
            parts = (node.module or "").split(".")
            if node.level == depth + 1:  # from the package itself
                found |= {alias.name for alias in node.names} if parts == [""] else {parts[0]}
            elif node.level == 0 and parts[0] == "pliant" and len(parts) > 1:
                found.add(parts[1])
    return {name for name in found if name in FOLDERS and name != folder}


def svg() -> str:
    """Boxes in the order of the data; an arc below leads from a folder to each that it imports from."""
    names = folders()
    place = {name: 20 + i * (WIDE + GAP) for i, name in enumerate(names)}
    middle = {name: x + WIDE / 2 for name, x in place.items()}
    arcs = [(middle[of], middle[name], FOLDERS[of][1]) for name in names for of in sorted(imports(name))]
    if any(left >= right for left, right, _ in arcs):
        raise ValueError("a folder imports from its right")
    deep = 0.16 * max(right - left for left, right, _ in arcs)
    width, height = place[names[-1]] + WIDE + 20, TOP + HIGH + 24 + deep + 44
    say = ", ".join(names)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}" '
        f'role="img" aria-label="{say}: each imports only from its left" '
        'font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">',
        f'<rect width="{width}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text x="20" y="24" font-size="13" fill="{PALE}">Data flows from left to right. An arc leads from a folder to one that '
        "imports from it; none leads back.</text>",
    ]
    base = TOP + HIGH + 6
    for left, right, colour in sorted(arcs, key=lambda a: a[0] - a[1]):
        low = base + 18 + 0.215 * (right - left)
        out.append(
            f'<path d="M{left + 8:.1f} {base} C{left + 8:.1f} {low:.1f} {right - 8:.1f} {low:.1f} {right - 8:.1f} {base}" '
            f'fill="none" stroke="{colour}" stroke-opacity="0.55" stroke-width="1.3"/>'
        )
    for name in names:
        about, colour = FOLDERS[name]
        x, centre = place[name], middle[name]
        out += [
            f'<rect x="{x}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="9" fill="#ffffff"/>',
            f'<rect x="{x}" y="{TOP}" width="{WIDE}" height="{HIGH}" rx="9" fill="{colour}" fill-opacity="0.14" '
            f'stroke="{colour}" stroke-width="1.4"/>',
            f'<text x="{centre}" y="{TOP + 22}" text-anchor="middle" font-size="13.5" font-weight="600" '
            f'fill="{INK}">{name}</text>',
            f'<text x="{centre}" y="{TOP + 40}" text-anchor="middle" font-size="11" fill="{PALE}">{about}</text>',
        ]
        if name != names[-1] and (name, names[names.index(name) + 1]) != ("view", "bench"):  # side by side
            out.append(
                f'<path d="M{x + WIDE + 2} {TOP + HIGH / 2} h9 m-4 -4 l4 4 l-4 4" fill="none" stroke="{PALE}" '
                'stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>'
            )
    shared = " · ".join([*(f"{name}/" for name in sorted(SHARED)), "distributed.py", "errors.py"])
    out.append(f'<text x="20" y="{height - 14:.0f}" font-size="12" fill="{PALE}">shared by all: {shared}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def pictures() -> dict[Path, str]:
    return {FILE: svg()}
