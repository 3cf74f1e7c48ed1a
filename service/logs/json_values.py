"""Read values out of JSON that another program wrote; what does not fit raises ``BadLog``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from engine.fields import FieldReader, Unreadable, listing, whole
from service.logs.record_writer import BadLog

T = TypeVar("T")


def loads(text: str) -> Any:
    """Parse JSON; raise ``BadLog``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        said = "the text is cut off" if cut else f"{error.msg} at column {error.colno}"
        raise BadLog(f"expected JSON; {said}") from None
    except RecursionError:
        raise BadLog("expected JSON, got endlessly nested lists") from None
    except ValueError:  # a number of more digits than Python reads
        raise BadLog("expected JSON, got an endless number") from None


def read_as(name: str, value: object, read: FieldReader[T]) -> T:
    """Read one value with a reader of ``engine.fields``; raise ``BadLog`` naming it."""
    try:
        return read(value)
    except Unreadable as error:
        raise BadLog(f"expected {error.expected} as {name}, got {error.got}") from None


def whole_numbers(value: object, name: str, length: int) -> list[int]:
    return list(read_as(name, value, listing(whole(), length)))


def names_of(value: object) -> Sequence[str]:
    """The four players' names; empty names where the log has none."""
    if isinstance(value, list) and len(value) == 4 and all(isinstance(name, str) for name in value):
        return value
    return ("", "", "", "")
