"""Results of the hall's finished games, and leagues: which games count, and who came where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from itertools import groupby
from typing import Final

from sqlalchemy import Connection, and_, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from engine.drill import decisions, mistakes_among
from engine.errors import Conflict, NotThere
from engine.events import Correct
from engine.game import Game
from engine.results import PlayedGame, played_game
from engine.stories import GameStory, tell_game
from service.hall.database import Store
from service.hall.database_schema import (
    GAMES,
    LEAGUES,
    LINES,
    NAMES,
    RECORDS,
    RESULTS,
    TABLES,
)
from service.hall.names import known_numbers, one_line
from service.hall.records import Records
from service.machine.records import replayed, tell
from service.report.player_standings import StandingView, ranked, standing
from service.report.sheet import Cell, csv_file, csv_of
from service.texts.catalogue import rules_title


class Results(Store):
    """What the standings and the people's pages are made of."""

    def with_news(self) -> list[int]:
        """Records with lines that the results do not include yet."""
        asked = select(RECORDS.c.id).where(RECORDS.c.told_lines < RECORDS.c.lines)
        return [row.id for row in self._rows(asked.order_by(RECORDS.c.id))]

    def update(self, record_id: int, game: Game | None = None) -> None:
        """Derive the results from the lines with all their corrections.

        ``game``: their replay, where it is at hand, and nothing but lines has come since the last
        time. Then only the games that new lines can have changed are looked at.
        """
        if game is None:
            entries = Records(self._engine).entries(record_id)
            games, lines = tell(entries), len(entries)
        else:
            games, lines = tell_game(game), len(game.entries)
        with self._engine.begin() as connection:
            own = select(RECORDS.c.told_lines).where(RECORDS.c.id == record_id).with_for_update()
            told_lines = connection.execute(own).scalar_one()
            if told_lines > lines:
                return  # somebody has included more lines meanwhile
            same = 0 if game is None else _unchanged(games, game, told_lines)
            _replace(connection, record_id, games, same)
            told = update(RECORDS).where(RECORDS.c.id == record_id)
            connection.execute(told.values(told_lines=lines))

    def unjudged(self) -> list[int]:
        """Numbers of the games whose decisions nobody has judged yet, the latest first."""
        asked = select(RESULTS.c.game_id).where(RESULTS.c.decisions.is_(None)).distinct()
        return [row.game_id for row in self._rows(asked.order_by(RESULTS.c.game_id.desc()))]

    def judge(
        self, game_id: int, shown: Callable[[int], Game | None] = lambda record_id: None
    ) -> None:
        """Judge the decisions of a game's known hands, which takes seconds.

        ``shown``: the replay of a record, where it is at hand.
        """
        asked = select(GAMES.c.number, RECORDS.c.id, RECORDS.c.told_lines)
        asked = asked.join(RECORDS, RECORDS.c.id == GAMES.c.record_id)
        rows = self._rows(asked.where(GAMES.c.id == game_id))
        if not rows:
            return  # the results were derived anew meanwhile
        (row,) = rows
        replay = shown(row.id)
        if replay is None or len(replay.entries) < row.told_lines:
            replay = replayed(Records(self._engine).entries(row.id))
        stories = tell_game(replay.first_lines(row.told_lines))
        game = stories[row.number : row.number + 1]
        made = [decisions(game, seat) for seat in range(4)]
        counts = [(len(own), len(mistakes_among(own, seat))) for seat, own in enumerate(made)]
        told = select(RECORDS.c.told_lines).join(GAMES, GAMES.c.record_id == RECORDS.c.id)
        own_record = told.where(GAMES.c.id == game_id).with_for_update(of=RECORDS)
        with self._engine.begin() as connection:
            if connection.execute(own_record).scalar() != row.told_lines:
                return
            for seat, (decided, mistaken) in enumerate(counts):
                own = update(RESULTS).where(RESULTS.c.game_id == game_id, RESULTS.c.seat == seat)
                connection.execute(own.values(decisions=decided, mistakes=mistaken))


def _unchanged(games: Sequence[GameStory], game: Game, told_lines: int) -> int:
    """How many of the first games the lines from ``told_lines`` on cannot have changed."""
    corrections = (line.event for line in game.entries[told_lines:])
    changed = [game.first_changed(event) for event in corrections if isinstance(event, Correct)]
    if not changed:
        return sum(story.happened[-1].number < told_lines for story in games)
    # A game goes up to the start of the next one, whatever was taken away at its end.
    begun = sum(story.happened[0].number < min(changed) for story in games)
    return max(0, begun - 1)


def _replace(connection: Connection, record_id: int, games: Sequence[GameStory], same: int) -> None:
    """Put these games in the place of those that are stored, but for the first ``same``."""
    stale = (GAMES.c.record_id == record_id) & (GAMES.c.number >= same)
    old = select(GAMES.c.id).where(stale)
    connection.execute(delete(RESULTS).where(RESULTS.c.game_id.in_(old)))
    connection.execute(delete(GAMES).where(stale))
    played = [(at, played_game(game)) for at, game in enumerate(games) if at >= same]
    over = [(at, game) for at, game in played if game.is_over]
    asked = select(LINES.c.number, LINES.c.came_s).where(
        LINES.c.record_id == record_id, LINES.c.number.in_([game.last_line for _, game in over])
    )
    came_s = {row.number: row.came_s for row in connection.execute(asked)}
    for at, game in over:
        _keep(connection, record_id, at, game, came_s[game.last_line])


def _keep(
    connection: Connection, record_id: int, number: int, game: PlayedGame, ended_s: float
) -> None:
    row = {"record_id": record_id, "number": number, "rules": game.rules, "ended_s": ended_s}
    done = connection.execute(insert(GAMES).values(row))
    (game_id,) = done.inserted_primary_key or (0,)
    names = [one_line(seat.name) for seat in game.seats]
    # Nobody is added here: whoever was forgotten since the lines came stays so.
    numbers = known_numbers(connection, names)
    rows = [
        {
            "game_id": game_id,
            "seat": seat.seat,
            "name_id": numbers.get(name),
            "place": seat.place,
            "points": seat.points,
            **asdict(seat.counts),
        }
        for seat, name in zip(game.seats, names, strict=True)
    ]
    connection.execute(insert(RESULTS), rows)


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
        shown = NAMES.alias()
        asked = (
            select(
                GAMES.c.id,
                TABLES.c.title,
                TABLES.c.name.label("table_name"),
                GAMES.c.ended_s,
                RESULTS,
                NAMES.c.player_id,
                shown.c.name,
            )
            .join(RECORDS, RECORDS.c.id == GAMES.c.record_id)
            .join(TABLES, TABLES.c.id == RECORDS.c.table_id)
            .join(RESULTS, RESULTS.c.game_id == GAMES.c.id)
            .outerjoin(NAMES, NAMES.c.id == RESULTS.c.name_id)
            .outerjoin(shown, and_(shown.c.player_id == NAMES.c.player_id, shown.c.is_shown))
            .where(RECORDS.c.league_id == league.id, GAMES.c.rules == league.rules)
            .order_by(GAMES.c.ended_s.desc(), GAMES.c.id.desc(), RESULTS.c.place, RESULTS.c.seat)
        )
        rows = self._rows(asked)
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


def _league(id: int, name: str, season: str, rules: str) -> LeagueRow:
    return LeagueRow(id, name, season, rules, rules_title(rules))


def _decimal(value: float, digits: int) -> Decimal:
    return Decimal(f"{value:.{digits}f}")
