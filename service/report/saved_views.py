"""What the script of a saved page shows, as JSON."""

from __future__ import annotations

from typing_extensions import TypedDict

from service.report.hands import GameView
from service.report.player_standings import PointsPaid
from service.report.public import Json
from service.texts.events import Parts


class SavedChoice(TypedDict):
    told: Parts
    percent: int


class SavedQuestion(TypedDict):
    """A question of a saved page; pictures are ``data:`` addresses."""

    number: int
    time: str
    picture: str | None
    upright: str | None
    """Its tiles, upright."""
    why: str | None
    """What else was read when the payout was read a second time."""
    choices: list[SavedChoice]
    tiles: list[str]
    """Another answer than a choice; none where more than a tile is asked."""


class LineView(TypedDict):
    """An event with what was made known by it, in words."""

    number: int
    time: str
    """Empty where it is not known."""
    told: Parts
    doubt: int | None
    """How sure it is in percent, where that is little."""
    picture: str | None
    """A ``data:`` address."""
    problems: list[str]
    ruled_by: list[str]
    """Who ruled on it in a dispute."""
    said: list[str]
    """Announcements other than problems and turns."""


class PlaceView(TypedDict):
    place: int
    seat: int
    name: str
    points: int
    change: int
    """Since the start of the game."""


class HandReport(TypedDict):
    """What the page of a saved hand has beside its result."""

    place: str
    """Round and dealer, and what has stayed since the hands before."""
    result: str
    gaps: list[str]
    """What the film does not show of it, in sentences."""
    lines: list[LineView]
    """Empty where hidden hands are to stay hidden."""


class GameReport(TypedDict):
    view: GameView
    """As the page of the game has it, in the words of the report's language."""
    over: bool
    ranking: str
    """Empty while the game is not over."""
    places: list[PlaceView]
    """Best first."""
    settled: list[PointsPaid]
    """Who pays whom for the whole game, once it is over."""
    hands: list[HandReport]


class SavedReport(TypedDict):
    """All that the script of a saved page shows."""

    title: str
    """Of the film; empty for what was made of a record."""
    until: str | None
    """Up to which time the film was read; None where it is read to its end."""
    games: list[GameReport]
    questions: list[SavedQuestion]
    asked: Json
    """The file of questions, whose answers the page saves."""
    again: str | None
    """The command that scores the film again with the answers."""
    stories: str
    """The moments of each hand, by the number of its first line: JSON, deflated, in base 64. Their
    pictures are those of the lines, such as ``#e12``."""
    seal: str | None
    """That of the record's last event, in groups; None where the record has none."""
    rehearsed: str | None
    """What was proved of the table, in one line; None where it was never rehearsed."""
    twice: str | None
    """How many payouts were read twice; None where none was."""
