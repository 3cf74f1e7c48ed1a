"""Checks the TOML file of a game of patterns, so that a mistake in it is told in one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.hands import HandForm
from engine.rules.flow import POINTS
from engine.rules.pattern_library import LIBRARY

_NEEDED: Final[Mapping[str, Mapping[str, type]]] = {
    "game": {
        "id": str,
        "source": str,
        "forms": tuple,
        "least": int,
        "most": int,
        "value_of_none": int,
        "never_drawn": int,
        "dealer_stays": bool,
    },
    "pays": {"draw": int, "others": int, "discarder": int},
    "patterns": {},
    "problems": {},
}
_KINDS: Final[Mapping[type, str]] = {
    str: "text",
    tuple: "a list",
    int: "a whole number",
    bool: "true or false",
}


def check_file(tables: Mapping[str, Any], name: str) -> None:
    """Raise a ``ValueError`` that names what is wrong with the file."""
    wrong = next(_faults(tables), None)
    if wrong is not None:
        raise ValueError(f"{name}: {wrong}")


def _faults(tables: Mapping[str, Any]) -> Iterator[str]:
    for title, needed in _NEEDED.items():
        table = tables.get(title)
        if not isinstance(table, Mapping):
            yield f"there is no table [{title}]"
            return
        for key, kind in needed.items():
            if key not in table:
                yield f"[{title}] needs {key!r}"
            elif type(table[key]) is not kind:
                yield f"[{title}] {key!r}: expected {_KINDS[kind]}, got {table[key]!r}"
    forms = tables["game"]["forms"]
    if not forms or any(form not in tuple(HandForm) for form in forms):
        yield f"[game] 'forms': expected some of {', '.join(HandForm)}, got {list(forms)}"
    yield from _rows(tables["patterns"], tables["problems"])
    yield from _options(tables.get("options", {}))


def _rows(patterns: Mapping[str, Any], problems: Mapping[str, Any]) -> Iterator[str]:
    for key, row in patterns.items():
        if not _is_row(row, (str, int)):
            yield f"[patterns] {key!r}: expected [NAME, POINTS], got {row!r}"
        elif row[0] not in LIBRARY:
            yield f"[patterns] {key!r}: unknown pattern {row[0]!r}"
    for code, row in problems.items():
        if not _is_row(row, (str, str)):
            yield f"[problems] {code!r}: expected [SOURCE, WHAT FOLLOWS], got {row!r}"


def _is_row(row: object, kinds: tuple[type, type]) -> bool:
    return isinstance(row, tuple) and tuple(map(type, row)) == kinds


def _options(options: Mapping[str, Any]) -> Iterator[str]:
    for option, row in options.items():
        if option not in POINTS:
            yield f"the option {option!r} would do nothing; expected {' or '.join(POINTS)}"
        for key in ("default", "values", "source"):
            if not isinstance(row, Mapping) or key not in row:
                yield f"the option {option!r}: needs {key!r}"
