"""Leagues: which games count, who came where, and the points of a season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Final

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from service.errors import Conflict, NotThere
from service.hall.database import Store
from service.hall.database_schema import GAMES, LEAGUES, PLAYERS, RECORDS, RESULTS, TABLES
from service.report.public import Json
from service.report.sheet import Cell, csv_of
from service.words.catalogue import rules_title, rules_titles

COLUMNS: Final = (
    "rank",
    "name",
    "games",
    "points",
    "average_points",
    "average_place",
    "first",
    "second",
    "third",
    "fourth",
)


@dataclass(frozen=True)
class LeagueRow:
    """A season of a league; games by other rules than its own do not count."""

    id: int
    name: str
    season: str
    rules: str

    def json(self) -> Json:
        titles = {"rules_title": rules_title(self.rules), "rules_titles": rules_titles(self.rules)}
        return asdict(self) | titles


@dataclass(frozen=True)
class SeatResult:
    """The result of one seat in a finished game."""

    player: int | None
    """The number of the player's page; None where nobody gave a name."""
    name: str | None
    place: int
    points: int
    """Points won or lost, with all that the rules add at the end."""


@dataclass(frozen=True)
class LeagueGame:
    """A finished game."""

    table: str
    """Its title."""
    table_name: str
    ended_s: float
    results: tuple[SeatResult, ...]
    """The winner first."""

    def json(self) -> Json:
        players = [asdict(one) for one in self.results]
        named = {"table": self.table, "table_name": self.table_name}
        return {**named, "ended_s": self.ended_s, "players": players}


@dataclass
class LeagueStanding:
    """One player's row in the standings of a season."""

    player: int
    name: str
    rank: int = 0
    """Players with the same points and average place share a rank."""
    points: int = 0
    places: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    """How often first, second, third, fourth."""

    @property
    def games(self) -> int:
        return sum(self.places)

    @property
    def average_place(self) -> float:
        return sum(place * count for place, count in enumerate(self.places, 1)) / self.games

    @property
    def order(self) -> tuple[int, float]:
        """Sorts the best player first."""
        return -self.points, self.average_place

    def json(self) -> Json:
        averages = {
            "games": self.games,
            "average_points": self.points / self.games,
            "average_place": self.average_place,
        }
        return asdict(self) | averages


class Leagues(Store):
    """Seasons, and their standings."""

    def listed(self) -> list[LeagueRow]:
        rows = self._rows(select(LEAGUES).order_by(LEAGUES.c.id.desc()))
        return [LeagueRow(**row._mapping) for row in rows]

    def find(self, number: int) -> LeagueRow:
        """Return a season; raise ``NotThere``."""
        found = next((row for row in self.listed() if row.id == number), None)
        if found is None:
            raise NotThere(f"there is no league {number}")
        return found

    def add(self, name: str, season: str, rules: str) -> LeagueRow:
        """Add a season; raise ``Conflict`` where it exists already."""
        row = {"name": name, "season": season, "rules": rules}
        try:
            with self._reading.begin() as connection:
                done = connection.execute(insert(LEAGUES).values(row))
                (number,) = done.inserted_primary_key or (0,)
        except IntegrityError:
            raise Conflict(f"there is a season {season} of {name} already") from None
        return LeagueRow(number, name, season, rules)

    def assign(self, record_id: int, number: int | None) -> None:
        """Let the games of this record count in that league from now on, or in none."""
        change = update(RECORDS).where(RECORDS.c.id == record_id)
        with self._engine.begin() as connection:
            connection.execute(change.values(league_id=number))

    def standings(self, league: LeagueRow) -> list[LeagueStanding]:
        """Players by their points; between equals the better average place comes first."""
        people: dict[int, LeagueStanding] = {}
        for game in self.games(league):
            for result in game.results:
                if result.player is not None and result.name is not None:
                    named = LeagueStanding(result.player, result.name)
                    standing = people.setdefault(result.player, named)
                    standing.points += result.points
                    standing.places[result.place - 1] += 1
        found = sorted(people.values(), key=lambda one: (*one.order, one.name))
        orders = [one.order for one in found]
        for one in found:
            one.rank = orders.index(one.order) + 1
        return found

    def games(self, league: LeagueRow) -> list[LeagueGame]:
        """The games that count, the latest first."""
        asked = (
            select(
                GAMES.c.id,
                TABLES.c.title,
                TABLES.c.name.label("table_name"),
                GAMES.c.ended_s,
                RESULTS,
                PLAYERS.c.name,
            )
            .join(RECORDS, RECORDS.c.id == GAMES.c.record_id)
            .join(TABLES, TABLES.c.id == RECORDS.c.table_id)
            .join(RESULTS, RESULTS.c.game_id == GAMES.c.id)
            .outerjoin(PLAYERS, PLAYERS.c.id == RESULTS.c.player_id)
            .where(RECORDS.c.league_id == league.id, GAMES.c.rules == league.rules)
            .order_by(GAMES.c.ended_s.desc(), GAMES.c.id.desc(), RESULTS.c.place, RESULTS.c.seat)
        )
        rows = self._rows(asked)
        return [
            LeagueGame(
                of_game[0].title,
                of_game[0].table_name,
                of_game[0].ended_s,
                tuple(
                    SeatResult(row.player_id, row.name, row.place, row.points) for row in of_game
                ),
            )
            for of_game in (list(group) for _, group in groupby(rows, lambda row: row.id))
        ]

    def csv(self, league: LeagueRow) -> str:
        """The standings as comma-separated values with a heading."""
        rows: list[Sequence[Cell]] = [COLUMNS]
        for one in self.standings(league):
            averages = (_decimal(one.points / one.games, 1), _decimal(one.average_place, 2))
            rows.append((one.rank, one.name, one.games, one.points, *averages, *one.places))
        return csv_of(rows)


def _decimal(value: float, digits: int) -> Decimal:
    return Decimal(f"{value:.{digits}f}")
