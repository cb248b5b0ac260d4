"""The loop that many tests are made of fails where one of its things does, and names them all."""

import pytest
from every import check_every


def test_all_that_fail_are_named():
    def check(n):
        if n == 1:
            raise KeyError("no one")
        if n == 2:
            with pytest.raises(ValueError):
                float(n)
        assert n != 3, "three"

    with pytest.raises(AssertionError) as caught:
        check_every(range(5), check, lambda n: f"number {n}")
    text = str(caught.value)
    assert "3 of 5 failed" in text and "number 0" not in text and "number 4" not in text
    assert all(part in text for part in ("number 1: KeyError: 'no one'", "number 2: Failed: DID NOT", "number 3: Ass"))


def test_nothing_to_check_fails():
    with pytest.raises(AssertionError, match="nothing to check"):
        check_every([], print)
