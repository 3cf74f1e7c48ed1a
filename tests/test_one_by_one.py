"""Cases that share a test: all of them are checked, and each that fails is named."""

from __future__ import annotations

import pytest

from tests.support.one_by_one import one_by_one


def test_every_case_is_checked_and_each_that_fails_is_named() -> None:
    checked: list[int] = []

    def check(number: int) -> None:
        checked.append(number)
        assert number != 2
        if number == 4:
            pytest.fail("this, too")

    with pytest.raises(BaseExceptionGroup, match="2 cases fail") as failed:
        one_by_one(range(5), check)
    assert checked == [*range(5)]
    assert [error.__notes__ for error in failed.value.exceptions] == [
        ["in the case 2"],
        ["in the case 4"],
    ]
