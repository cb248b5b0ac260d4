"""What a package index shows: the README with addresses in place of links into the repository, and the project's own addresses.

All of them are made of ``home`` under ``[tool.pliant]`` in ``pyproject.toml``. While it is empty the README stays as it is
and no address is given.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {"Documentation": "docs/index.md", "Changes": "CHANGELOG.md"}
PICTURES = (".png", ".jpg", ".svg", ".webp")


def rewritten(text: str, home: str) -> str:
    """Markdown whose links and pictures with paths of the repository are addresses below ``home``; code stays as it is."""

    def address(link: re.Match) -> str:
        path = link[1]
        if re.match(r"[a-z]+:|#|//", path):
            return link[0]
        return f"]({home}/{'raw' if path.lower().endswith(PICTURES) else 'blob'}/HEAD/{path})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(p if p.startswith("```") else re.sub(r"\]\(([^()\s]+)\)", address, p) for p in parts)


def addresses(home: str) -> dict[str, str]:
    """The project's addresses by name."""
    pages = {name: f"{home}/blob/HEAD/{path}" for name, path in PAGES.items()}
    return {"Homepage": home, "Issues": f"{home}/issues", **pages} if home else {}


class CustomMetadataHook(MetadataHookInterface):
    """Called by the build for the fields that ``pyproject.toml`` declares as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        home = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pliant"]["home"].rstrip(
            "/"
        )
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": rewritten(text, home) if home else text}
        metadata["urls"] = addresses(home)
