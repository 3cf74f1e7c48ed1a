"""Clocks, dice and languages that are the same each time the goldens are written."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from itertools import count
from typing import Final
from unittest.mock import patch

NOW_S: Final = 1_780_000_000.0
"""Seconds since 1970 of the moment at which everything happens."""
_HOME: Final = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "LANGUAGE": "", "LANG": "", "COLUMNS": "100"}


@contextlib.contextmanager
def same_each_time(lang: str = "en") -> Iterator[None]:
    """Keys are counted, the clock stands still, and the terminal speaks this language."""
    numbers = count(1)

    def word(size: int | None = None) -> str:
        return f"word-{next(numbers):04}"

    def some_bytes(size: int | None = None) -> bytes:
        return next(numbers).to_bytes(size or 32, "big")

    home = {**_HOME, "LC_ALL": f"{lang}.UTF-8" if lang != "en" else "C.UTF-8"}
    with (
        patch.object(secrets, "token_urlsafe", word),
        patch.object(secrets, "token_hex", word),
        patch.object(secrets, "token_bytes", some_bytes),
        patch.object(time, "time", lambda: NOW_S),
        patch.dict(os.environ, home),
    ):
        time.tzset()
        yield
