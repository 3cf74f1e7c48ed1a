"""Reading values out of JSON that somebody else wrote: what is wanted, or ``BadLog``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from engine.events import Seat
from service.logs.record_writer import BadLog


def loads(text: str) -> Any:
    """The value that the text holds; raises ``BadLog``."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        said = "the text is cut off" if cut else f"{error.msg} at column {error.colno}"
        raise BadLog(f"expected JSON; {said}") from None
    except RecursionError:
        raise BadLog("expected JSON, got lists in lists without end") from None
    except ValueError:  # a number of more digits than Python reads
        raise BadLog("expected JSON, got a number without end") from None


def text_of(given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        refuse("text", name, value)
    return value


def number_of(given: Mapping[str, object], name: str) -> int:
    value = given.get(name)
    if not isinstance(value, int) or not _is_whole(value):
        refuse("a whole number", name, value)
    return value


def count_of(given: Mapping[str, object], name: str) -> int:
    count = number_of(given, name)
    if count < 0:
        refuse("a number of at least 0", name, count)
    return count


def seat_of(given: Mapping[str, object], name: str) -> Seat:
    seat = number_of(given, name)
    if not 0 <= seat < 4:
        refuse("a seat from 0 to 3", name, seat)
    return seat


def list_of(given: Mapping[str, object], name: str, length: int | None = None) -> list[Any]:
    value = given.get(name)
    if not isinstance(value, list) or length not in (None, len(value)):
        refuse("a list" if length is None else f"a list of {length}", name, value)
    return value


def whole_numbers(value: object, name: str, length: int) -> list[int]:
    if not isinstance(value, list) or len(value) != length or not all(map(_is_whole, value)):
        refuse(f"a list of {length} whole numbers", name, value)
    return value


def names_of(value: object) -> Sequence[str]:
    """Four names; a log without them, or with other things in their place, has none."""
    if isinstance(value, list) and len(value) == 4 and all(isinstance(name, str) for name in value):
        return value
    return ("", "", "", "")


def refuse(expected: str, name: str, value: object) -> NoReturn:
    shown = "none" if value is None else json.dumps(value, ensure_ascii=False)
    raise BadLog(f"expected {expected} as {name}, got {shown[:60]}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9
