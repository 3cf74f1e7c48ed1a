"""What is asked of a hall, read from JSON."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, get_args

from engine.codec import entry_from_json
from engine.events import Entry
from engine.fields import Unreadable
from engine.options import check
from engine.rules import RULE_SETS
from service.errors import Malformed
from service.hall.database_schema import NAME_LETTERS, RECORD_LETTERS, TITLE_LETTERS
from service.hall.keys import ROLES
from service.hall.watched_table import TableCondition
from service.pages.checks import whole_number
from service.report.public import Json
from service.table.notices import TroubleKind

MOST_LINES: Final = 500
"""Of one post; the next one goes on."""
LARGEST: Final = 1024 * 1024
"""Bytes of a post."""
MOST: Final = 10**6
"""Lines of a record, and numbers of anything."""
TROUBLE_LETTERS: Final = 300
TROUBLE_KINDS: Final[tuple[str, ...]] = get_args(TroubleKind)
_NAME: Final = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{NAME_LETTERS - 1}}}")


def table_name(asked: Json) -> str:
    """A name that can stand in an address."""
    name = asked.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Malformed(
            f'expected "name" to be at most {NAME_LETTERS} of a-z, 0-9 and -, such as north-2'
        )
    return name


def words(asked: Json, name: str, most: int = TITLE_LETTERS, default: str | None = None) -> str:
    """A line of text; raises ``Malformed``."""
    value = asked.get(name, default)
    if not isinstance(value, str) or any(unicodedata.category(each)[0] == "C" for each in value):
        raise Malformed(f'expected "{name}" to be a line of text')
    text = " ".join(value.split())
    if len(text) > most or not (text or default is not None):
        raise Malformed(f'expected "{name}" to have 1 to {most} letters')
    return text


def record_name(value: object) -> str:
    """What a table calls its record: a file's name, as a rule."""
    return words({"record": value}, "record", RECORD_LETTERS)


def lines(asked: Json) -> tuple[str, int, list[Entry]]:
    """Record, number of the first line, and the lines; raises ``Unreadable`` naming one."""
    record = record_name(asked.get("record"))
    first = whole_number(asked, "from", MOST)
    given = asked.get("lines")
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_LINES:
        raise Malformed(f'expected "lines" to be a list of 1 to {MOST_LINES} events')
    return record, first, [_entry(value, place) for place, value in enumerate(given)]


def condition(asked: Json) -> TableCondition:
    """What a table says about itself."""
    trouble = asked.get("trouble")
    told = None if trouble is None else words(asked, "trouble", TROUBLE_LETTERS)
    kind = asked.get("trouble_kind")
    if not (kind is None or (isinstance(kind, str) and kind in TROUBLE_KINDS)):
        raise Malformed(f'expected "trouble_kind" to be one of {", ".join(TROUBLE_KINDS)}')
    return TableCondition(told, kind, whole_number(asked, "questions", MOST, 0))


def role(asked: Json) -> str:
    value = asked.get("role")
    if not isinstance(value, str) or value not in ROLES:
        raise Malformed(f'expected "role" to be one of {", ".join(ROLES)}')
    return value


def rules(asked: Json) -> str:
    value = asked.get("rules")
    if not isinstance(value, str) or value not in RULE_SETS:
        raise Malformed(f'expected "rules" to be one of {", ".join(RULE_SETS)}')
    return value


def league_number(asked: Json) -> int | None:
    """None is no league."""
    return None if asked.get("league") is None else whole_number(asked, "league", MOST)


def _entry(value: object, place: int) -> Entry:
    try:
        entry = entry_from_json(value)
        check(entry, RULE_SETS)
    except Unreadable as error:
        raise error.inside(f"lines[{place}]") from None
    return entry
