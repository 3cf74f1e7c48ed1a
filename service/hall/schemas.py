"""What requests to a hall look like, for programs that read the description of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules import RULE_SETS
from service.hall.database_schema import NAME_LETTERS, RECORD_LETTERS, TITLE_LETTERS
from service.hall.keys import ROLES
from service.hall.request_bodies import MOST, MOST_LINES, TROUBLE_KINDS, TROUBLE_LETTERS
from service.pages.api_schemas import EVENT, object_of
from service.report.public import Json


def _text(most: int = TITLE_LETTERS, least: int = 1) -> Json:
    return {"type": "string", "minLength": least, "maxLength": most}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


_NUMBER: Final[Json] = {"type": "integer", "minimum": 0, "maximum": MOST}
_NAME: Final[Json] = {"type": "string", "pattern": f"^[a-z0-9][a-z0-9-]{{0,{NAME_LETTERS - 1}}}$"}
_RECORD: Final = _text(RECORD_LETTERS)
_EVENTS: Final[Json] = {"type": "array", "items": EVENT, "minItems": 1, "maxItems": MOST_LINES}

BODIES: Final[Mapping[tuple[str, str], Json]] = {
    ("POST", "tables"): object_of({"name": _NAME}, {"title": _text(least=0)}),
    ("PUT", "tables/{name}"): object_of({}, {"title": _text(least=0), "league": _or_null(_NUMBER)}),
    ("POST", "tables/{name}/lines"): object_of(
        {"record": _RECORD, "from": _NUMBER, "lines": _EVENTS}
    ),
    ("POST", "tables/{name}/condition"): object_of(
        {},
        {
            "trouble": _or_null(_text(TROUBLE_LETTERS)),
            "trouble_kind": _or_null({"type": "string", "enum": list(TROUBLE_KINDS)}),
            "questions": _NUMBER,
        },
    ),
    ("PUT", "tables/{name}/league"): object_of({"record": _RECORD}, {"league": _or_null(_NUMBER)}),
    ("POST", "keys"): object_of(
        {"role": {"type": "string", "enum": list(ROLES)}},
        {"table": _or_null(_NAME), "label": _text(least=0)},
    ),
    ("POST", "leagues"): object_of(
        {
            "name": _text(),
            "season": _text(),
            "rules": {"type": "string", "enum": list(RULE_SETS)},
        }
    ),
}
"""What is sent to each address that takes something."""

FILES: Final[Mapping[str, str]] = {
    "tables/{name}/record": "application/jsonl",
    "leagues/{number}/csv": "text/csv",
}
"""Addresses that answer with something else than JSON."""
