"""What goes over the wire of a hall: requests, answers, and messages to its pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NotRequired

from annotated_types import GroupedMetadata
from pydantic import AfterValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from engine.events import Entry
from engine.rules import RULE_SETS
from service.hall.database_schema import NAME_LETTERS, RECORD_LETTERS, TITLE_LETTERS
from service.pages.bodies import EVENT, Number, RequestBody, sent_entry
from service.report.public import AnnouncementView, Shows
from service.table.notices import TroubleKind
from service.table.view import TableView
from service.texts.catalogue import NamedRules

MOST_LINES: Final = 500
"""Most lines of one post."""
LARGEST: Final = 1024 * 1024
"""Most bytes of one post."""
TROUBLE_LETTERS: Final = 300
_NAME: Final = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{NAME_LETTERS - 1}}}")


def _table_name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(f"expected at most {NAME_LETTERS} of a-z, 0-9 and -, such as north-2")
    return text


@dataclass(frozen=True)
class _Line(GroupedMetadata):
    """One line of printable characters; runs of spaces become one space."""

    least: int
    most: int

    def __iter__(self) -> Iterator[object]:
        yield AfterValidator(self._checked)
        yield WithJsonSchema({"type": "string", "minLength": self.least, "maxLength": self.most})

    def _checked(self, text: str) -> str:
        words = " ".join(text.split())
        if any(unicodedata.category(each)[0] == "C" for each in text):
            raise ValueError("expected one line of text")
        if not self.least <= len(words) <= self.most:
            raise ValueError(f"expected 1 to {self.most} letters")
        return words


def _rules(text: str) -> str:
    if text not in RULE_SETS:
        raise ValueError(f"expected one of {', '.join(RULE_SETS)}")
    return text


TableName = Annotated[
    str,
    AfterValidator(_table_name),
    WithJsonSchema({"type": "string", "pattern": f"^{_NAME.pattern}$"}),
    Field(examples=["north"]),
]
Title = Annotated[str, _Line(1, TITLE_LETTERS)]
OptionalTitle = Annotated[str, _Line(0, TITLE_LETTERS), Field(examples=["North table"])]
PersonName = Annotated[str, _Line(1, TITLE_LETTERS), Field(examples=["Anna"])]
RecordName = Annotated[str, _Line(1, RECORD_LETTERS), Field(examples=["friday.jsonl"])]
RulesId = Annotated[
    str, AfterValidator(_rules), WithJsonSchema({"type": "string", "enum": list(RULE_SETS)})
]


class NewTable(RequestBody):
    name: TableName
    title: OptionalTitle = ""


class HallTableChange(RequestBody):
    title: OptionalTitle = ""
    league: Number | None = None


class Post(RequestBody):
    """Lines of a record, from number ``first`` on."""

    record: RecordName
    first: Annotated[Number, Field(alias="from")]
    lines: Annotated[
        list[Annotated[Any, WithJsonSchema(EVENT)]], Field(min_length=1, max_length=MOST_LINES)
    ]

    def entries(self) -> list[Entry]:
        """Parse the lines; raise ``Unreadable`` naming the first that is wrong."""
        return [sent_entry(value, f"lines[{place}]") for place, value in enumerate(self.lines)]


class UnsurePayouts(RequestBody):
    """Payouts that a table asks, because its rehearsal does not let them stand."""

    record: RecordName
    lines: Annotated[list[Number], Field(max_length=MOST_LINES)]


class TableCondition(RequestBody):
    """What a table reports about itself beside its record."""

    trouble: Annotated[str, _Line(1, TROUBLE_LETTERS)] | None = None
    """Such as a missing camera; None while there is none."""
    trouble_kind: TroubleKind | None = None
    """None for a trouble that only the table's own words describe."""
    questions: Number = 0
    """Open questions at the table."""
    unsure: UnsurePayouts | None = None
    """None where every payout stands."""


class LeagueOfRecord(RequestBody):
    record: RecordName
    league: Number | None = None


KeyRole = Literal["public", "viewer", "table", "admin"]


class NewKey(RequestBody):
    role: KeyRole
    table: Title | None = None
    label: OptionalTitle = ""


class NewLeague(RequestBody):
    name: Title
    season: Title
    rules: RulesId
    films: bool = False
    """Whether games of films count in it, too."""


class LeagueChange(RequestBody):
    films: bool


class NameOfPlayer(RequestBody):
    name: PersonName


class OtherPlayer(RequestBody):
    other: Number


class MadeKeyView(TypedDict):
    role: KeyRole
    table: str | None
    """The name of the table whose lines it posts; None for another role."""
    key: str
    """It is shown only now."""


class Need(TypedDict):
    """A reason why somebody should go to a table."""

    what: Literal["trouble", "silent", "still", "questions", "fouls"]
    text: NotRequired[str]
    kind: NotRequired[TroubleKind | None]
    count: NotRequired[int]


class HallTableView(NamedRules):
    """A table's row in the hall, without anything private to one seat."""

    name: str
    title: str
    league: int | None
    record: str | None
    lines: int
    phase: str
    hand: int
    round: str
    shows: Shows
    dealer: int
    names: list[str]
    points: list[int]
    said: list[AnnouncementView]
    since_line_s: float | None
    needs: list[Need]


class HallView(TypedDict):
    type: Literal["hall"]
    tables: list[HallTableView]


class RowView(TypedDict):
    type: Literal["row"]
    table: HallTableView


class PagesView(TypedDict):
    type: Literal["pages"]
    pages: list[TableView]


RowsMessage = HallView | RowView
WatchMessage = PagesView | TableView
