"""The hands of an archive, one row each: searched, written, and compared between readings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, case, func, select

from engine.errors import Refused
from service.archive.ledger import Ledger
from service.hall.database import Store
from service.hall.database_schema import FILM_PLAYERS, FILMS, GAMES, HANDS, NAMES, READINGS, SEATS
from service.hall.names import one_line
from service.hall.results import SHOWN, latest_done, with_people
from service.report.sheet import cell_of, csv_file, csv_of


@dataclass(frozen=True)
class HandRow:
    """One hand; seats that nobody named have no player."""

    reading: int
    film: str
    address: str
    begun_s: float | None
    """Second of the film."""
    ended_s: float | None
    rules: str
    game: int
    hand: int
    round: str
    dealer: int
    outcome: str
    reason: str | None
    winners: str
    """Seats, with commas."""
    patterns: str
    player_0: str | None
    player_1: str | None
    player_2: str | None
    player_3: str | None
    points_0: int
    points_1: int
    points_2: int
    points_3: int
    problems: int
    questions: int
    gaps: int
    """Pieces of the hand that the film does not show."""
    result: str


@dataclass(frozen=True)
class PlayerRow:
    """What one player did in the hands of one rule set."""

    player: str
    rules: str
    hands: int
    won: int
    points: int


@dataclass(frozen=True)
class HandSearch:
    """What hands are wanted; None: any."""

    rules: str | None = None
    player: str | None = None
    pattern: str | None = None
    least_points: int | None = None
    """That the player, or some seat, won by the hand."""
    doubtful: bool | None = None
    """With a question, a problem or a gap; False: with none."""


COLUMNS = tuple(field.name for field in fields(HandRow))


class FoundHands(Store):
    """The hands of the database."""

    def search(self, search: HandSearch, start: int = 0, most: int | None = None) -> list[HandRow]:
        """The wanted hands of every film's latest reading, in order; ``start`` are passed over."""
        wanted = _hands(search).where(READINGS.c.id.in_(latest_done()))
        return self._told(wanted.offset(start).limit(most))

    def players(self) -> list[PlayerRow]:
        """Everybody who is named, by rule set, with those of most hands first."""
        asked = (
            select(
                SHOWN.c.name.label("player"),
                GAMES.c.rules,
                func.count().label("hands"),
                func.sum(case((SEATS.c.won, 1), else_=0)).label("won"),
                func.sum(SEATS.c.points).label("points"),
            )
            .join(GAMES, GAMES.c.id == SEATS.c.game_id)
            .join(READINGS, READINGS.c.id == GAMES.c.reading_id)
            .join(FILM_PLAYERS, _in_seat())
            .where(GAMES.c.reading_id.in_(latest_done()))
            .group_by(SHOWN.c.player_id, SHOWN.c.name, GAMES.c.rules)
            .order_by(func.count().desc(), SHOWN.c.name, GAMES.c.rules)
        )
        people = with_people(asked, FILM_PLAYERS.c.name_id)
        return [PlayerRow(**row._mapping) for row in self._rows(people)]

    def rules(self) -> list[str]:
        """The rule sets of all hands."""
        asked = select(GAMES.c.rules).where(GAMES.c.reading_id.is_not(None)).distinct()
        return sorted(row.rules for row in self._rows(asked))

    def of(self, reading_id: int) -> list[HandRow]:
        """The hands of one reading."""
        return self._told(_hands(HandSearch()).where(READINGS.c.id == reading_id))

    def _told(self, asked: Select[Any]) -> list[HandRow]:
        hands = self._rows(asked)
        seats: dict[tuple[int, int], list[Any]] = {}
        for seat in self._rows(_seats({hand.reading for hand in hands})):
            seats.setdefault((seat.game_id, seat.number), []).append(seat)
        return [_row(hand, seats[hand.game_id, hand.number]) for hand in hands]


def to_csv(rows: Iterable[HandRow]) -> str:
    """A file of comma-separated values with a heading."""
    cells = ([cell_of(getattr(row, name)) for name in COLUMNS] for row in rows)
    return csv_file(csv_of([COLUMNS, *cells]))


def write_parquet(rows: Iterable[HandRow], path: Path) -> None:
    """Write a Parquet file; raises ``Refused`` without the library for it."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise Refused(
            "Parquet needs the extra archive: pip install 'tilesight[archive]'; CSV does not"
        ) from None
    listed = list(rows)
    kinds = {"float | None": pyarrow.float64(), "int": pyarrow.int64()}
    columns = {
        field.name: pyarrow.array(
            [getattr(row, field.name) for row in listed],
            kinds.get(str(field.type), pyarrow.string()),
        )
        for field in fields(HandRow)
    }
    parquet.write_table(pyarrow.table(columns), path)


def _hands(search: HandSearch) -> Select[Any]:
    film = (FILMS.c.name.label("film"), FILMS.c.address)
    others = (READINGS.c.id.label("reading"), *film, READINGS.c.result)
    asked = (
        select(HANDS, (GAMES.c.number + 1).label("game"), GAMES.c.rules, *others)
        .join(GAMES, GAMES.c.id == HANDS.c.game_id)
        .join(READINGS, READINGS.c.id == GAMES.c.reading_id)
        .join(FILMS, FILMS.c.id == READINGS.c.film_id)
        .order_by(FILMS.c.id, READINGS.c.id, GAMES.c.number, HANDS.c.number)
    )
    if search.rules is not None:
        asked = asked.where(GAMES.c.rules == search.rules)
    if search.doubtful is not None:
        doubts = (HANDS.c.questions + HANDS.c.problems + HANDS.c.gaps) > 0
        asked = asked.where(doubts if search.doubtful else ~doubts)
    wanted: list[ColumnElement[bool]] = []
    if search.player is not None:
        meant = select(NAMES.c.player_id).where(NAMES.c.name == one_line(search.player))
        named = select(FILM_PLAYERS.c.seat).join(NAMES, NAMES.c.id == FILM_PLAYERS.c.name_id)
        named = named.where(_in_seat(), NAMES.c.player_id.in_(meant))
        wanted.append(named.correlate(READINGS, SEATS).exists())
    if search.pattern is not None:
        wanted.append(SEATS.c.patterns.contains(f" {search.pattern} ", autoescape=True))
    if search.least_points is not None:
        wanted.append(SEATS.c.points >= search.least_points)
    if wanted:
        same = and_(SEATS.c.game_id == HANDS.c.game_id, SEATS.c.number == HANDS.c.number)
        seat = select(SEATS.c.seat).where(same, *wanted).correlate(HANDS, READINGS)
        asked = asked.where(seat.exists())
    return asked


def _in_seat() -> ColumnElement[bool]:
    """Who sits where a row of a seat is."""
    same_film = FILM_PLAYERS.c.film_id == READINGS.c.film_id
    return and_(same_film, FILM_PLAYERS.c.seat == SEATS.c.seat)


def _seats(reading_ids: Collection[int]) -> Select[Any]:
    # Not by a list of numbers: an archive has more readings than a statement takes values.
    first, last = min(reading_ids, default=0), max(reading_ids, default=0)
    asked = (
        select(SEATS, SHOWN.c.name.label("player"))
        .join(GAMES, GAMES.c.id == SEATS.c.game_id)
        .join(READINGS, READINGS.c.id == GAMES.c.reading_id)
        .outerjoin(FILM_PLAYERS, _in_seat())
    )
    people = with_people(asked, FILM_PLAYERS.c.name_id)
    return people.where(GAMES.c.reading_id.between(first, last)).order_by(SEATS.c.seat)


def _row(hand: Any, seats: list[Any]) -> HandRow:
    won = [seat for seat in seats if seat.won]
    return HandRow(
        **{name: value for name, value in hand._mapping.items() if name in COLUMNS},
        winners=",".join(str(seat.seat) for seat in won),
        patterns=" ".join(seat.patterns.strip() for seat in won).strip(),
        **{f"player_{seat.seat}": seat.player for seat in seats},
        **{f"points_{seat.seat}": seat.points for seat in seats},
    )


COMPARED: Final = ("outcome", "reason", "winners", "patterns", *(f"points_{s}" for s in range(4)))


def changes(ledger: Ledger) -> Iterator[str]:
    """Yield a line for each hand that is told otherwise, or that only one reading has."""
    found = FoundHands(ledger.engine)
    for before, after in ledger.repeated():
        old, new = found.of(before), found.of(after)
        for number in range(max(len(old), len(new))):
            was = old[number] if number < len(old) else None
            is_now = new[number] if number < len(new) else None
            if told := _difference(was, is_now):
                shown = is_now or was
                assert shown is not None
                yield f"{shown.film}, game {shown.game}, hand {shown.hand}: {told}"


def _difference(was: HandRow | None, is_now: HandRow | None) -> str:
    if was is None or is_now is None:
        return "new" if was is None else "no longer found"
    pairs = [(name, getattr(was, name), getattr(is_now, name)) for name in COMPARED]
    return ", ".join(f"{name} {old} is now {new}" for name, old, new in pairs if old != new)
