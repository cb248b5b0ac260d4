"""Journal of a study, from which it resumes."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..arguments.atomic_files import reported, target
from ..errors import InputError
from .members import Answer


class Journal:
    """Lines of JSON, one for each member that is done; ``path`` None keeps them in memory alone.

    ``question`` is what they are answers to: a file with another one is refused. A line that a kill cut short is dropped.
    """

    def __init__(self, path: Path | None, question: dict[str, str]):
        self.path, self.question = path, question
        self.answers: dict[int, Answer] = {}
        self.file: Any = None

    def __enter__(self) -> Journal:
        if self.path is not None:
            with reported(target(self.path)):
                self.file = self.path.open("a+b", buffering=0)
                try:
                    self._read()
                except BaseException:
                    self.file.close()
                    raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.file is not None:
            self.file.close()

    def keep(self, found: Sequence[Answer]) -> None:
        """Write some answers down, together."""
        if self.file is not None:
            self._write("".join(json.dumps(_line(answer)) + "\n" for answer in found))
        self.answers |= {answer.member: answer for answer in found}

    def _write(self, text: str) -> None:
        left = text.encode()
        with reported(self.path):
            while left:
                left = left[self.file.write(left) :]
            os.fsync(self.file.fileno())

    def _read(self) -> None:
        self.file.seek(0)
        data = self.file.read()
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if lines:
            try:
                question = json.loads(lines[0])["study"]
                self.answers = {answer.member: answer for answer in map(_answer, lines[1:])}
            except (ValueError, KeyError, TypeError, AttributeError):
                raise InputError(f"{self.path} cannot be read; expected the journal of a study, or no file") from None
            changed = [name for name in self.question if question.get(name) != self.question[name]]
            if changed:
                raise InputError(
                    f"{self.path} is of another study: {', '.join(changed)} differ; delete it or choose another place"
                )
        elif data.strip(b"\0") and not data.startswith(b"{"):
            raise InputError(f"{self.path} cannot be read; expected the journal of a study, or no file")
        self.file.truncate(whole)
        if not lines:
            self._write(json.dumps({"study": self.question}) + "\n")


def _line(answer: Answer) -> dict[str, Any]:
    arrays = {name: [list(value.shape), _text(value)] for name, value in answer.values.items()}
    numbers = {"member": answer.member, "spent": answer.spent, "unconverged": answer.unconverged, "why": answer.why}
    return numbers | {"times": _text(answer.times), "values": arrays}


def _answer(line: bytes) -> Answer:
    read = json.loads(line)
    values = {name: _array(text).reshape(shape) for name, (shape, text) in read.pop("values").items()}
    return Answer(values=values, times=_array(read.pop("times")), **read)


def _text(values: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(values, "<f8").tobytes()).decode()


def _array(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f8")
