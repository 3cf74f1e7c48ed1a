"""Waiting for what a slow or busy machine does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

PATIENCE_S: Final = 300.0
"""Nothing takes so long on a machine that works at all: starting a table takes 2 s of processor
time, and waited 120 s for it where eight test runs shared two cores. A test that hangs while a
processor is free fails sooner (``hang``)."""
QUICK_S: Final = 20.0
"""How long something is asked for as fast as on a quiet machine, where nothing takes so long."""

T = TypeVar("T")


def until(asked: Callable[[], T]) -> T:
    """The first answer that is true; asked again and again, for time proves nothing."""
    begun_s = time.monotonic()
    while not (answer := asked()):
        passed_s = time.monotonic() - begun_s
        assert passed_s < PATIENCE_S, f"it never came to be; the last answer was {answer}"
        # Who asks seldom for what never comes to be counts as one who does nothing.
        time.sleep(0.01 if passed_s < QUICK_S else 0.5)
    return answer
