"""Leagues: which games count, who came where, and the points of a season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby
from typing import Final

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from service.errors import Conflict, NotThere
from service.hall.database import Store
from service.hall.database_schema import GAMES, LEAGUES, PLAYERS, RECORDS, RESULTS, TABLES
from service.report.sheet import Cell, csv_of
from service.texts.catalogue import Titles, rules_title, rules_titles

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
    rules_titles: Titles


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
    players: Sequence[SeatResult]
    """The winner first."""


@dataclass(frozen=True)
class LeagueStanding:
    """One player's row in the standings of a season."""

    player: int
    name: str
    rank: int
    """Players with the same points and average place share a rank."""
    points: int
    places: Sequence[int]
    """How often first, second, third, fourth."""
    games: int
    average_points: float
    average_place: float


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

    def add(self, name: str, season: str, rules: str) -> LeagueRow:
        """Add a season; raise ``Conflict`` where it exists already."""
        row = {"name": name, "season": season, "rules": rules}
        try:
            with self._reading.begin() as connection:
                done = connection.execute(insert(LEAGUES).values(row))
                (number,) = done.inserted_primary_key or (0,)
        except IntegrityError:
            raise Conflict(f"there is a season {season} of {name} already") from None
        return _league(number, name, season, rules)

    def assign(self, record_id: int, number: int | None) -> None:
        """Let the games of this record count in that league from now on, or in none."""
        change = update(RECORDS).where(RECORDS.c.id == record_id)
        with self._engine.begin() as connection:
            connection.execute(change.values(league_id=number))

    def standings(self, league: LeagueRow) -> list[LeagueStanding]:
        """Players by their points; between equals the better average place comes first."""
        people: dict[int, list[SeatResult]] = {}
        for game in self.games(league):
            for result in game.players:
                if result.player is not None and result.name is not None:
                    people.setdefault(result.player, []).append(result)
        rows = sorted(map(_standing, people.values()), key=lambda row: (*_order(row), row.name))
        orders = [_order(row) for row in rows]
        return [replace(row, rank=orders.index(_order(row)) + 1) for row in rows]

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
        for row in self.standings(league):
            averages = (_decimal(row.average_points, 1), _decimal(row.average_place, 2))
            rows.append((row.rank, row.name, row.games, row.points, *averages, *row.places))
        return csv_of(rows)


def _league(id: int, name: str, season: str, rules: str) -> LeagueRow:
    return LeagueRow(id, name, season, rules, rules_title(rules), rules_titles(rules))


def _standing(results: Sequence[SeatResult]) -> LeagueStanding:
    """What one player's results add up to; the rank is not known yet."""
    points = sum(result.points for result in results)
    places = [result.place for result in results]
    counts = [places.count(place) for place in range(1, 5)]
    player, name, games = results[0].player or 0, results[0].name or "", len(results)
    averages = points / games, sum(places) / games
    return LeagueStanding(player, name, 0, points, counts, games, *averages)


def _order(row: LeagueStanding) -> tuple[int, float]:
    """Sorts the best player first."""
    return -row.points, row.average_place


def _decimal(value: float, digits: int) -> Decimal:
    return Decimal(f"{value:.{digits}f}")
