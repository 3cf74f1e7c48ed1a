"""Many small cases in one test: every one is checked, and those that fail are told by name.

A test of its own costs 2 ms, in each process that collects it and in that which runs it: more than
most of these cases take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def one_by_one(cases: Iterable[Case], check: Callable[[Case], None]) -> None:
    """Check all cases; raise what failed in one group, each with its case."""
    failed: list[BaseException] = []
    for case in cases:
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"in the case {case}")
            failed.append(error)
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} cases fail", failed)
