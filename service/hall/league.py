"""Leagues: which finished games count, and who came where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Final

from sqlalchemy import Connection, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from engine.errors import Conflict, NotThere
from service.hall.database import Store
from service.hall.database_schema import (
    FILMS,
    GAMES,
    LEAGUES,
    NAMES,
    RECORDS,
    RESULTS,
    TABLES,
)
from service.hall.results import (
    PLAYED_AT,
    SHOWN,
    counted_games,
    counts_nowhere,
    takes_film,
    with_people,
)
from service.report.player_standings import StandingView, ranked, standing
from service.report.sheet import Cell, csv_file, csv_of
from service.texts.catalogue import rules_title

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
    rules_title: str
    films: bool
    """Whether games of films count in it, too."""


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
    """Its title; the name of a film."""
    table_name: str | None
    """None for a game of a film."""
    ended_s: float
    players: Sequence[SeatResult]
    """The winner first."""


class Leagues(Store):
    """Seasons, and their standings."""

    def listed(self) -> list[LeagueRow]:
        rows = self._rows(select(LEAGUES).order_by(LEAGUES.c.id.desc()))
        return [_league(**row._mapping) for row in rows]

    def find(self, number: int) -> LeagueRow:
        """Return a season; raise ``NotThere``."""
        found = next((row for row in self.listed() if row.id == number), None)
        if found is None:
            raise NotThere(f"there is no league {number}")
        return found

    def add(self, name: str, season: str, rules: str, films: bool = False) -> LeagueRow:
        """Add a season; raise ``Conflict`` where it exists already."""
        row = {"name": name, "season": season, "rules": rules, "films": False}
        try:
            with self._engine.begin() as connection:
                done = connection.execute(insert(LEAGUES).values(row))
                (number,) = done.inserted_primary_key or (0,)
                _take_films(connection, number, films)
        except IntegrityError:
            raise Conflict(f"there is a season {season} of {name} already") from None
        return _league(number, name, season, rules, films)

    def take_films(self, number: int, films: bool) -> None:
        """Let games of films count or not: those that count nowhere yet, and those to come."""
        with self._engine.begin() as connection:
            _take_films(connection, number, films)

    def assign(self, record_id: int, number: int | None) -> None:
        """Let the games of this record count in that league from now on, or in none."""
        change = update(RECORDS).where(RECORDS.c.id == record_id)
        with self._engine.begin() as connection:
            connection.execute(change.values(league_id=number))

    def standings(self, league: LeagueRow) -> list[StandingView]:
        """Players by their points; between equals the better average place comes first."""
        people: dict[int, list[SeatResult]] = {}
        for game in self.games(league):
            for result in game.players:
                if result.player is not None and result.name is not None:
                    people.setdefault(result.player, []).append(result)
        rows = [
            standing(results[0].name or "", [(one.place, one.points) for one in results], player)
            for player, results in people.items()
        ]
        return ranked(rows, lambda row: (row["points"], -row["average_place"]))

    def games(self, league: LeagueRow) -> list[LeagueGame]:
        """The games that count, the latest first."""
        here = or_(RECORDS.c.league_id == league.id, FILMS.c.league_id == league.id)
        seats = counted_games(
            GAMES.c.id,
            PLAYED_AT.label("title"),
            TABLES.c.name.label("table_name"),
            GAMES.c.ended_s,
            NAMES.c.player_id,
            SHOWN.c.name,
        )
        asked = with_people(seats, RESULTS.c.name_id).where(here, GAMES.c.rules == league.rules)
        latest = GAMES.c.ended_s.desc(), GAMES.c.id.desc()
        rows = self._rows(asked.order_by(*latest, RESULTS.c.place, RESULTS.c.seat))
        return [
            LeagueGame(
                title,
                name,
                ended_s,
                [SeatResult(row.player_id, row.name, row.place, row.points) for row in seats],
            )
            for (_, title, name, ended_s), seats in groupby(rows, lambda row: row[:4])
        ]

    def csv(self, league: LeagueRow) -> str:
        """The standings as comma-separated values with a heading."""
        rows: list[Sequence[Cell]] = [COLUMNS]
        for row in self.standings(league):
            averages = (_decimal(row["average_points"], 1), _decimal(row["average_place"], 2))
            counted = (row["rank"], row["name"], row["games"], row["points"])
            rows.append((*counted, *averages, *row["places"]))
        return csv_file(csv_of(rows))


def _take_films(connection: Connection, number: int, films: bool) -> None:
    own = LEAGUES.c.id == number
    connection.execute(update(LEAGUES).where(own).values(films=films))
    takes = select(LEAGUES.c.id).where(own, takes_film()).correlate(FILMS).exists()
    free = update(FILMS).where(counts_nowhere(), takes)
    connection.execute(free.values(league_id=number))


def _league(id: int, name: str, season: str, rules: str, films: bool) -> LeagueRow:
    return LeagueRow(id, name, season, rules, rules_title(rules), films)


def _decimal(value: float, digits: int) -> Decimal:
    return Decimal(f"{value:.{digits}f}")
