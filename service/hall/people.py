"""The people of a hall: what they did over all evenings, their ratings, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import select

from service.errors import NotThere
from service.hall.database import Store
from service.hall.database_schema import (
    GAMES,
    PLAYER_NAMES,
    PLAYERS,
    RECORDS,
    RESULTS,
    TABLES,
)
from service.hall.seat_counts import COUNTED, SeatCounts
from service.report.public import Json
from service.report.sheet import Cell, csv_of
from service.words.catalogue import rules_titles

PLACES: Final = ("first", "second", "third", "fourth")


@dataclass(frozen=True)
class PersonGame:
    """One finished game of a person."""

    table: str
    record: str
    ended_s: float
    rules: str
    place: int
    points: int
    rating: float
    """After the game."""
    counts: SeatCounts
    decisions: int
    mistakes: int

    def json(self) -> Json:
        own = {key: value for key, value in asdict(self).items() if key != "counts"}
        return own | asdict(self.counts) | {"rules_titles": rules_titles(self.rules)}


@dataclass
class Person:
    """One person over all of their finished games."""

    id: int
    name: str
    rank: int = 0
    """By rating; people with the same rating share it."""
    games: list[PersonGame] = field(default_factory=list)
    """In order of play."""

    @property
    def rating(self) -> float:
        return round(self.games[-1].rating, 1)

    @property
    def places(self) -> list[int]:
        """How often first, second, third, fourth."""
        return [sum(game.place == place for game in self.games) for place in range(1, 5)]

    def json(self) -> Json:
        counts = sum((game.counts for game in self.games), SeatCounts())
        # Points of different rule sets do not add up.
        alike = len({game.rules for game in self.games}) == 1
        points = sum(game.points for game in self.games)
        return {
            "id": self.id,
            "name": self.name,
            "rank": self.rank,
            "rating": self.rating,
            "games": len(self.games),
            "points": points if alike else None,
            "average_place": sum(game.place for game in self.games) / len(self.games),
            "places": self.places,
            **asdict(counts),
            "average_won": _per(counts.won_points, counts.wins) if alike else None,
            "average_paid": _per(counts.paid_points, counts.dealt_in) if alike else None,
            "decisions": sum(game.decisions for game in self.games),
            "mistakes": sum(game.mistakes for game in self.games),
        }


class People(Store):
    """Everybody who has finished a game under a name."""

    def listed(self, rules: str | None = None) -> list[Person]:
        """Everybody with a finished game by these rules (None: by any), the best rating first."""
        asked = select(PLAYERS.c.id, PLAYERS.c.name)
        people = {row.id: Person(row.id, row.name) for row in self._rows(asked)}
        played = [list(group) for _, group in groupby(self._played(rules), lambda row: row.id)]
        rated = ratings(_finish(rows) for rows in played)
        for rows, after in zip(played, rated, strict=True):
            for row in rows:
                if row.player_id in people:
                    people[row.player_id].games.append(_game(row, after[row.player_id]))
        found = sorted(
            (one for one in people.values() if one.games), key=lambda one: (-one.rating, one.name)
        )
        order = [one.rating for one in found]
        for one in found:
            one.rank = order.index(one.rating) + 1
        return found

    def find(self, number: int) -> Person:
        """Return a person with their games; raise ``NotThere``."""
        found = next((one for one in self.listed() if one.id == number), None)
        if found is None:
            raise NotThere(f"there is no player {number}")
        return found

    def rules(self) -> list[str]:
        """The rule sets of the finished games."""
        asked = select(GAMES.c.rules).distinct().order_by(GAMES.c.rules)
        return [row.rules for row in self._rows(asked)]

    def names(self, number: int) -> list[str]:
        """Every name that this person has played under."""
        asked = select(PLAYER_NAMES.c.name).where(PLAYER_NAMES.c.player_id == number)
        return [row.name for row in self._rows(asked.order_by(PLAYER_NAMES.c.name))]

    def _played(self, rules: str | None) -> Sequence[Any]:
        """A row for each named seat of each finished game, in order of play."""
        asked = (
            select(
                GAMES.c.id,
                GAMES.c.ended_s,
                GAMES.c.rules,
                TABLES.c.title,
                RECORDS.c.name.label("record"),
                RESULTS,
            )
            .join(RECORDS, RECORDS.c.id == GAMES.c.record_id)
            .join(TABLES, TABLES.c.id == RECORDS.c.table_id)
            .join(RESULTS, RESULTS.c.game_id == GAMES.c.id)
            .where(RESULTS.c.player_id.is_not(None))
            .order_by(GAMES.c.ended_s, GAMES.c.id, RESULTS.c.seat)
        )
        return self._rows(asked if rules is None else asked.where(GAMES.c.rules == rules))


def people_csv(people: Iterable[Person]) -> str:
    """Everybody in a row, as comma-separated values with a heading."""
    rows = [one.json() | dict(zip(PLACES, one.places, strict=True)) for one in people]
    columns = [key for key in rows[0] if key not in ("id", "places")] if rows else ["name"]
    return csv_of([columns, *([_cell(row[key]) for key in columns] for row in rows)])


def _cell(value: Any) -> Cell:
    if isinstance(value, float):
        return Decimal(f"{value:.2f}")
    return "" if value is None else value


def _finish(rows: Sequence[Any]) -> Mapping[int, int]:
    return {row.player_id: row.place for row in rows}


def _game(row: Any, rating: float) -> PersonGame:
    return PersonGame(
        table=row.title,
        record=row.record,
        ended_s=row.ended_s,
        rules=row.rules,
        place=row.place,
        points=row.points,
        rating=rating,
        counts=SeatCounts(*(getattr(row, name) for name in COUNTED)),
        decisions=row.decisions or 0,
        mistakes=row.mistakes or 0,
    )


def _per(total: int, count: int) -> float | None:
    return total / count if count else None


NEW_RATING: Final = 1500.0
"""The rating of somebody who has not played yet."""
_UNSURE: Final = 3.0
"""Standard deviations below the estimate: whoever has played little is rated with care."""
_SCALE: Final = 24.0


def ratings(finishes: Iterable[Mapping[int, int]]) -> Iterator[dict[int, float]]:
    """Yield for each game, in order of play, the ratings of its people after it.

    A finish is the place of each person of one game, by the person's number. A game changes
    nothing for somebody who played it with nobody else that is rated.
    """
    model = PlackettLuce()
    known: dict[int, PlackettLuceRating] = {}
    for finish in finishes:
        people = list(finish)
        teams = [[known.get(one) or model.rating()] for one in people]
        if len(people) > 1:
            teams = model.rate(teams, ranks=[float(finish[one]) for one in people])
        known |= {one: team[0] for one, team in zip(people, teams, strict=True)}
        yield {one: known[one].ordinal(_UNSURE, _SCALE, NEW_RATING) for one in people}
