"""What every complaint looks like, and that nothing is left behind by one."""

from pathlib import Path

import pliant as pl


def check_sentence(error: pl.errors.InputError) -> str:
    """One line, of a readable length, that ends as a sentence about the input would."""
    text = str(error)
    assert "\n" not in text and 10 < len(text) < 400
    assert not any(word in text for word in ("Traceback", "NoneType", "operands could not", "object is not"))
    return text


def check_folder(folder: Path, before: set[str]) -> None:
    assert {f.name for f in folder.rglob("*")} == before, "a partial file was left behind"
