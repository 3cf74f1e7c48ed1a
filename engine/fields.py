"""Readers of the values in a record: each takes parsed JSON and returns a typed value."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Final, NoReturn, TypeAlias, TypeVar

from engine.tiles import NotATile, Tile, parse

MOST: Final = 10**9
"""The largest whole number that a record may hold; sums of it can still be written."""

T = TypeVar("T")

FieldReader: TypeAlias = Callable[[object], T]
"""Raises ``Unreadable`` when the value is not what the field takes."""


class Unreadable(ValueError):
    """A value is not what was expected; the message names both, and the place."""

    def __init__(self, expected: str, got: str, place: str = "") -> None:
        super().__init__(f"expected {expected}, got {got}" + (f" in {place}" if place else ""))
        self.expected = expected
        self.got = got
        self.place = place

    def inside(self, part: str) -> Unreadable:
        """The same error as seen from the value that holds ``part``."""
        dot = "." if self.place and not self.place.startswith("[") else ""
        return Unreadable(self.expected, self.got, f"{part}{dot}{self.place}")


def refuse(expected: str, got: object) -> NoReturn:
    """Raise ``Unreadable`` with a short form of the value."""
    shown = json.dumps(got, default=repr)
    raise Unreadable(expected, shown if len(shown) <= 60 else f"{shown[:57]}...")


def truth(value: object) -> bool:
    if not isinstance(value, bool):
        refuse("true or false", value)
    return value


def text(value: object) -> str:
    if not isinstance(value, str):
        refuse("text", value)
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which no screen or file can show
        refuse("text", value)
    return value


def text_or_count(value: object) -> str | int:
    return text(value) if isinstance(value, str) else whole(0)(value)


def name(value: object) -> str:
    if value == "":
        refuse("a name", value)
    return text(value)


def whole(least: int | None = None, most: int | None = None) -> FieldReader[int]:
    """Return a reader of an integer within the limits; a bool is no integer."""
    expected = "a whole number"
    if least is not None and most is not None:
        expected += f" from {least} to {most}"
    elif least is not None:
        expected += f" of at least {least}"

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            refuse(expected, value)
        if (least is not None and value < least) or (most is not None and value > most):
            refuse(expected, value)
        if abs(value) > MOST:
            refuse(f"a whole number of at most {MOST}", value)
        return value

    return read


def number(least: float | None = None, most: float | None = None) -> FieldReader[float]:
    """Return a reader of a finite number within the limits."""
    expected = "a number" if least is None else f"a number from {least:g} to {most:g}"

    def read(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            refuse(expected, value)
        try:
            result = float(value)
        except OverflowError:
            refuse(expected, value)
        outside = least is not None and most is not None and not least <= result <= most
        if outside or not math.isfinite(result):
            refuse(expected, value)
        return result

    return read


seat: FieldReader[int] = whole(0, 3)


def tile(value: object) -> Tile:
    if not isinstance(value, str):
        refuse("a tile such as 5m, 0p, 7z or ?", value)
    try:
        return Tile(value)
    except NotATile:
        refuse("a tile such as 5m, 0p, 7z or ?", value)


def wind(value: object) -> Tile:
    return Tile(one_of(("1z", "2z", "3z", "4z"))(value))


def tiles(value: object) -> tuple[Tile, ...]:
    """Read a list of tiles, or groups as a person types them, such as ``"123m 0p"``."""
    if isinstance(value, str):
        try:
            return parse(value)
        except NotATile:
            refuse("tiles such as 123m 0p 77z ?", value)
    return listing(tile)(value)


def some_tiles(least: int, most: int) -> FieldReader[tuple[Tile, ...]]:
    expected = f"{least} tiles" if least == most else f"{least} to {most} tiles"

    def read(value: object) -> tuple[Tile, ...]:
        result = tiles(value)
        if not least <= len(result) <= most:
            refuse(expected, value)
        return result

    return read


def listing(item: FieldReader[T], length: int | None = None) -> FieldReader[tuple[T, ...]]:
    """Return a reader of a list, of a fixed ``length`` where that is given."""
    expected = "a list" if length is None else f"a list of {length}"

    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list) or (length is not None and len(value) != length):
            refuse(expected, value)
        result = []
        for place, part in enumerate(value):
            try:
                result.append(item(part))
            except Unreadable as error:
                raise error.inside(f"[{place}]") from None
        return tuple(result)

    return read


def one_of(choices: Iterable[str]) -> FieldReader[str]:
    allowed = tuple(choices)
    expected = f"one of {', '.join(allowed)}"

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            refuse(expected, value)
        return value

    return read


def keyed(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        refuse("an object", value)
    return value
