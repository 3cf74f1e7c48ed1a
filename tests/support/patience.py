"""Waiting for what a slow or busy machine does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

PATIENCE_S: Final = 300.0
"""Nothing takes so long on a machine that works at all: starting a table takes 2 s of processor
time, and waited 120 s for it where eight test runs shared two cores."""

T = TypeVar("T")


def until(asked: Callable[[], T]) -> T:
    """The first answer that is true; asked again and again, for time proves nothing."""
    ends_s = time.monotonic() + PATIENCE_S
    while not (answer := asked()):
        assert time.monotonic() < ends_s, f"it never came to be; the last answer was {answer}"
        time.sleep(0.01)
    return answer
