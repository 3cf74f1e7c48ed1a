"""Failures that are told to the person at the keyboard, in one line."""

from __future__ import annotations

import re
from typing import Final


class Refused(ValueError):
    """What was asked for cannot be done; the message says what is wrong and what to do."""


class Malformed(Refused):
    """The request itself cannot be read."""


class Forbidden(Refused):
    """Whoever asks may not do this."""


_PLAIN: Final = (
    (r"Value error, ", ""),
    (r", unable to parse .*? as an? \w+", ""),
    (r"Input should be less than or equal to ", "expected at most "),
    (r"Input should be greater than or equal to ", "expected at least "),
    (r"Input should be a valid integer", "expected a whole number"),
    (r"Input should be a valid number", "expected a number"),
    (r"Input should be (a valid )?", "expected "),
    (r"List should have at most (\d+) items after validation, not", r"expected at most \1, got"),
    (r"Field required", "expected a value"),
)
"""What the library that checks values says, and how a person would say it."""


def plainly(said: str) -> str:
    """What is wrong with a value, in plain words where a library said it in its own."""
    for theirs, ours in _PLAIN:
        said = re.sub(theirs, ours, said)
    return said
