"""The counts of ``tests/house.py`` are right on a package made up for it, and those of the real one are within their limits."""

from pathlib import Path

import house
import pytest

STUB = "from . import a as a\nfrom .a import (\n    One as One,\n    two as two,\n)\n"
CLASSES = '''"""Two."""
class Base(Other[int]):
    def shown(self): ...
    def both(self): ...
class Energy(core.Base):
    def own(self): ...
    def both(self): ...
    def _hidden(self): ...
    @property
    def seen(self): ...
'''
KERNELS = '''"""Kernels."""
def family(t):
    @t.kernel
    def narrow(start: int, x: X, out: X):
        pass
    @t.kernel_for(2)
    def wide(start: int, a, b, c, d, e, f, g, h, i, j, k):
        pass
    def plain(start: int, x: X):
        pass
    def no_kernel(start, a, b, c, d, e, f, g, h, i, j, k, l, m):
        pass
'''


@pytest.fixture
def package(tmp_path) -> Path:
    files = {"__init__.py": "", "__init__.pyi": STUB, "a.py": CLASSES, "full/kernels.py": KERNELS}
    files |= {f"full/m{i}.py": "x = 1\n" for i in range(19)}
    files["full/long.py"] = "def long():\n" + "    x = 1\n" * 120
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_counts(package):
    found = {figure.name: figure for figure in house.figures(package, house.read(package))}
    values = {name: figure.value for name, figure in found.items()}
    assert values["lines"] == 10 + 12 + 19 + 121 and values["modules at the root"] == 1
    assert values["folders of more than 20 files"] == 1 and found["folders of more than 20 files"].places == ("21 full",)
    assert values["lines of the longest function"] == 121
    assert found["functions of more than 120 lines"].places == ("121 full/long.py:1 long",)
    assert values["arguments of the widest kernel"] == 11
    assert found["kernels of more than 10 arguments"].places == ("11 full/kernels.py:7 wide",)
    assert (values["flat public names"], values["public namespaces"]) == (2, 1)
    assert values["methods of Energy"] == 4 and values["methods of Objective"] == 0


def test_a_figure_above_its_limit_is_told(package, capsys):
    at = {figure.name: (figure.value, 0) for figure in house.figures(package, house.read(package))}
    assert house.main(package, at, quiet=True) == 0 and capsys.readouterr() == ("", "")
    assert house.main(package, at | {"lines": (161, 0), "kernels of more than 10 arguments": (0, 0)}, quiet=True) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.splitlines() == [
        "lines: 162, above the limit of 161",
        "kernels of more than 10 arguments: 1, above the limit of 0",
        "11 full/kernels.py:7 wide",
    ]


def test_the_package_is_within_its_limits(capsys):
    assert house.main() == 0, capsys.readouterr().err
    out = capsys.readouterr().out
    assert set(house.LIMITS) <= {line[:36].strip() for line in out.splitlines()} and "linear/cholesky" in out
    assert all(aim <= limit for limit, aim in house.LIMITS.values())
