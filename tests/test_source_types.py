"""The check of types of the source finds what is wrong, and holds a list that gets shorter alone."""

import pytest
import source_types

pytest.importorskip("basedpyright")


def test_a_file_with_errors_fails_unless_it_is_listed(tmp_path, capsys):
    source, listed = tmp_path / "package", tmp_path / "untyped.txt"
    source.mkdir()
    (source / "fine.py").write_text("x: int = 1\n")
    (source / "wrong.py").write_text('x: int = 1\ny: int = "two"\n')
    listed.write_text("")
    assert source_types.main(source, listed) == 1 and "wrong.py:2 reportAssignmentType" in capsys.readouterr().out
    listed.write_text("wrong.py\n")
    assert source_types.main(source, listed) == 0
    listed.write_text("fine.py\ngone.py\nwrong.py\n")
    assert source_types.main(source, listed) == 1
    out = capsys.readouterr().out
    assert "fine.py: has no errors" in out and "gone.py: has no errors" in out and "wrong.py" not in out
    assert source_types.main(source, listed, shrink=True) == 0 and listed.read_text() == "wrong.py\n"
