"""Checks the types of ``src`` by the standard rules, but for files in ``tests/untyped.txt``: a list that may only get shorter.

``python tests/source_types.py`` takes minutes; with ``--shrink`` it drops from the list what is clean or gone by now.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "tests" / "untyped.txt"


def findings(source: Path) -> dict[str, list[str]]:
    """Errors of each file below a folder, by its path from there."""
    settings = {"include": [str(source)], "extraPaths": [str(source.parent)], "typeCheckingMode": "standard"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", folder]
        answer = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if answer.returncode not in (0, 1):
        raise SystemExit(f"basedpyright ended with {answer.returncode}: {answer.stderr}")
    told = json.loads(answer.stdout)
    if not told["summary"]["filesAnalyzed"]:
        raise SystemExit(f"basedpyright found no file in {source}")
    found: dict[str, list[str]] = {}
    for fault in told["generalDiagnostics"]:
        if fault["severity"] == "error":
            place = Path(fault["file"]).resolve().relative_to(source.resolve()).as_posix()
            line = fault["range"]["start"]["line"] + 1
            found.setdefault(place, []).append(f"{place}:{line} {fault.get('rule', '')}: {fault['message'].splitlines()[0]}")
    return found


def compare(found: dict[str, list[str]], listed: set[str]) -> tuple[list[str], list[str]]:
    """Errors in files that are not listed, and listed files that have none."""
    return [fault for file in sorted(found.keys() - listed) for fault in found[file]], sorted(listed - found.keys())


def main(source: Path = ROOT / "src" / "pliant", file: Path = LIST, shrink: bool = False) -> int:
    found, listed = findings(source), set(file.read_text(encoding="utf-8").split())
    wrong, clean = compare(found, listed)
    if shrink:
        file.write_text("".join(f"{name}\n" for name in sorted(listed - set(clean))), encoding="utf-8")
        clean = []
    print("\n".join([*wrong, *(f"{name}: has no errors any more, or is gone; take it off {file.name}" for name in clean)]))
    return 1 if wrong or clean else 0


if __name__ == "__main__":
    sys.exit(main(shrink="--shrink" in sys.argv[1:]))
