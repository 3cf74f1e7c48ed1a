"""The people of a hall: what they did over all evenings, and how their names are changed or go."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import Connection, Table, delete, func, insert, select, update

from engine.corrections import RULED_BY
from engine.errors import Conflict, NotThere, Refused
from engine.places import places_of
from service.hall.database import Store, empty_log
from service.hall.database_schema import (
    COUNTED,
    FILMS,
    GAMES,
    KEYS,
    LINES,
    PLAYER_NAMES,
    PLAYERS,
    QUESTIONS,
    READINGS,
    RECORDS,
    RESULTS,
    SEATS,
    TABLES,
    SeatCounts,
)
from service.hall.records import one_line, read, without, without_words, written
from service.report.questions import wordless
from service.report.sheet import cell_of, csv_file, csv_of


def take_out(connection: Connection, names: Collection[str]) -> list[int]:
    """Take these names out of every table; return the records whose lines have changed."""
    # Whoever posts to a record, or derives its results, waits here, and sees it without the names.
    connection.execute(select(RECORDS.c.id).order_by(RECORDS.c.id).with_for_update()).all()
    changed = _of_lines(connection, names)
    for row in connection.execute(select(KEYS.c.id, KEYS.c.label)).all():
        if (label := without_words(row.label, names)) != row.label:
            connection.execute(update(KEYS).where(KEYS.c.id == row.id).values(label=label))
    _of_films(connection, names)
    _of_questions(connection)
    return changed


def _of_lines(connection: Connection, names: Collection[str]) -> list[int]:
    changed: set[int] = set()
    line = LINES.c.line
    asked = select(LINES).where(
        line.contains('"players"', autoescape=True) | line.contains(RULED_BY, autoescape=True)
    )
    for row in connection.execute(asked).all():
        new = written(without(read(row.line), names))
        if new != row.line:
            own = (LINES.c.record_id == row.record_id) & (LINES.c.number == row.number)
            connection.execute(update(LINES).where(own).values(line=new))
            changed.add(row.record_id)
    return sorted(changed)


def _of_films(connection: Connection, names: Collection[str]) -> None:
    for row in connection.execute(select(FILMS).where(FILMS.c.players.is_not(None))).all():
        players = json.loads(row.players)
        kept = ["" if one_line(name) in names else name for name in players]
        if kept != players:
            change = update(FILMS).where(FILMS.c.id == row.id)
            connection.execute(change.values(players=json.dumps(kept, ensure_ascii=False)))
    # A film that was renamed since may have stored files with an earlier name.
    films = select(FILMS.c.id).where(FILMS.c.players.is_not(None))
    stored = (
        READINGS.c.film_id.in_(films),
        READINGS.c.result.is_not(None),
        READINGS.c.result != "",
    )
    connection.execute(update(READINGS).where(*stored).values(names_stale=True))
    named = connection.execute(select(SEATS.c.player).where(SEATS.c.player.is_not(None)).distinct())
    gone = [name for name in named.scalars() if one_line(name) in names]
    connection.execute(update(SEATS).where(SEATS.c.player.in_(gone)).values(player=None))


def _of_questions(connection: Connection) -> None:
    """Take texts out of questions that were stored with them; the texts are made when the questions
    are shown."""
    texts = '"text"'
    for row in connection.execute(_holding(QUESTIONS, QUESTIONS.c.asked, texts)).all():
        own = (QUESTIONS.c.reading_id == row.reading_id) & (QUESTIONS.c.number == row.number)
        asked = json.dumps(wordless(json.loads(row.asked)), ensure_ascii=False)
        connection.execute(update(QUESTIONS).where(own).values(asked=asked))
    for row in connection.execute(_holding(READINGS, READINGS.c.answers, texts)).all():
        answers = [wordless(answer) for answer in json.loads(row.answers)]
        change = update(READINGS).where(READINGS.c.id == row.id)
        connection.execute(change.values(answers=json.dumps(answers, ensure_ascii=False)))


def _holding(table: Table, column: Any, text: str) -> Any:
    return select(table).where(column.contains(text, autoescape=True))


PLACES: Final = ("first", "second", "third", "fourth")
JUDGED: Final = ("decisions", "mistakes")
COLUMNS: Final = (
    *("name", "rank", "rating", "games", "points", "average_place", *COUNTED),
    *("average_won", "average_paid", *JUDGED, *PLACES),
)


@dataclass(frozen=True, kw_only=True)
class PersonGame(SeatCounts):
    """One finished game of a person."""

    table: str
    record: str
    ended_s: float
    rules: str
    place: int
    points: int
    rating: float
    """After the game."""
    decisions: int
    mistakes: int


@dataclass(frozen=True, kw_only=True)
class Person(SeatCounts):
    """One person over all of their finished games."""

    id: int
    name: str
    rank: int = 0
    """By rating; people with the same rating share it."""
    rating: float
    games: int
    points: int | None
    """None over several rule sets: points of different ones do not add up."""
    average_place: float
    places: Sequence[int]
    """How often first, second, third, fourth."""
    average_won: float | None
    average_paid: float | None
    decisions: int
    mistakes: int


@dataclass(frozen=True)
class PersonPage:
    """Everything that is kept of a person."""

    person: Person
    names: Sequence[str]
    """Every name that this person has played under."""
    games: Sequence[PersonGame]
    """The latest first."""


class People(Store):
    """Everybody who has finished a game under a name."""

    def listed(self, rules: str | None = None) -> list[Person]:
        """Everybody with a finished game by these rules (None: by any), the best rating first."""
        names = {row.id: row.name for row in self._rows(select(PLAYERS.c.id, PLAYERS.c.name))}
        games = self._games(rules)
        people = [_person(number, names[number], games[number]) for number in games.keys() & names]
        people.sort(key=lambda person: (-person.rating, person.name))
        ranks = places_of([person.rating for person in people])
        return [replace(person, rank=rank) for person, rank in zip(people, ranks, strict=True)]

    def find(self, number: int) -> PersonPage:
        """Return a person with their games; raise ``NotThere``."""
        person = next((person for person in self.listed() if person.id == number), None)
        if person is None:
            raise NotThere(f"there is no player {number}")
        asked = select(PLAYER_NAMES.c.name).where(PLAYER_NAMES.c.player_id == number)
        names = [row.name for row in self._rows(asked.order_by(PLAYER_NAMES.c.name))]
        return PersonPage(person, names, self._games(None)[number][::-1])

    def rules(self) -> list[str]:
        """The rule sets of the finished games."""
        asked = select(GAMES.c.rules).distinct().order_by(GAMES.c.rules)
        return [row.rules for row in self._rows(asked)]

    def _games(self, rules: str | None) -> dict[int, list[PersonGame]]:
        """Each person's games in order of play."""
        played = [list(group) for _, group in groupby(self._played(rules), lambda row: row.id)]
        rated = ratings({row.player_id: row.place for row in rows} for rows in played)
        games: dict[int, list[PersonGame]] = {}
        for rows, after in zip(played, rated, strict=True):
            for row in rows:
                games.setdefault(row.player_id, []).append(_game(row, after[row.player_id]))
        return games

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


def people_csv(people: Sequence[Person]) -> str:
    """Everybody in a row, as comma-separated values with a heading."""
    rows = [vars(person) | dict(zip(PLACES, person.places, strict=True)) for person in people]
    columns = COLUMNS if rows else ("name",)
    cells = ([cell_of(row[key]) for key in columns] for row in rows)
    return csv_file(csv_of([columns, *cells]))


def _person(number: int, name: str, games: Sequence[PersonGame]) -> Person:
    counts = {key: sum(getattr(game, key) for game in games) for key in (*COUNTED, *JUDGED)}
    alike = len({game.rules for game in games}) == 1
    places = [game.place for game in games]
    return Person(
        **counts,
        id=number,
        name=name,
        rating=round(games[-1].rating, 1),
        games=len(games),
        points=sum(game.points for game in games) if alike else None,
        average_place=sum(places) / len(games),
        places=[places.count(place) for place in range(1, 5)],
        average_won=_per(counts["won_points"], counts["wins"]) if alike else None,
        average_paid=_per(counts["paid_points"], counts["dealt_in"]) if alike else None,
    )


def _game(row: Any, rating: float) -> PersonGame:
    return PersonGame(
        **{key: getattr(row, key) or 0 for key in (*COUNTED, *JUDGED)},
        table=row.title,
        record=row.record,
        ended_s=row.ended_s,
        rules=row.rules,
        place=row.place,
        points=row.points,
        rating=rating,
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
        teams = [[known.get(person) or model.rating()] for person in people]
        if len(people) > 1:
            teams = model.rate(teams, ranks=[float(finish[person]) for person in people])
        known |= {one: team[0] for one, team in zip(people, teams, strict=True)}
        yield {person: known[person].ordinal(_UNSURE, _SCALE, NEW_RATING) for person in people}


class PlayerNames(Store):
    """Changes people; each call is one transaction."""

    def rename(self, number: int, name: str) -> None:
        """Show this name from now on; the earlier names stay the same person's.

        Raise ``NotThere``, and ``Conflict`` where somebody else has the name.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            owner = _owner(connection, name)
            if owner not in (None, number):
                raise Conflict(f"somebody else is called {name}; join the two if they are one")
            if owner is None:
                connection.execute(insert(PLAYER_NAMES).values(name=name, player_id=number))
            _show(connection, number, name)

    def join(self, number: int, other: int) -> None:
        """Make two people one, who keeps the first one's name; raise ``NotThere``, ``Refused``."""
        if number == other:
            raise Refused("name two people to join")
        with self._engine.begin() as connection:
            for one in (number, other):
                _refuse_unknown(connection, one)
            for owned in (PLAYER_NAMES, RESULTS):
                own = update(owned).where(owned.c.player_id == other)
                connection.execute(own.values(player_id=number))
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == other))

    def part(self, number: int, name: str) -> list[int]:
        """Make one of a person's names a person of its own.

        Return the records whose results are to be derived again. Raise ``NotThere``, and
        ``Refused`` for the only name.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            if _owner(connection, name) != number:
                raise NotThere(f"player {number} has never played as {name}")
            asked = select(PLAYER_NAMES.c.name).where(PLAYER_NAMES.c.player_id == number)
            others = [known for known in connection.execute(asked).scalars() if known != name]
            if not others:
                raise Refused(f"{name} is this person's only name")
            shown = connection.execute(select(PLAYERS.c.name).where(PLAYERS.c.id == number))
            if shown.scalar_one() == name:
                _show(connection, number, min(others))
            done = connection.execute(insert(PLAYERS).values(name=name))
            (new,) = done.inserted_primary_key or (0,)
            moved = update(PLAYER_NAMES).where(PLAYER_NAMES.c.name == name)
            connection.execute(moved.values(player_id=new))
            return _records_of(connection, number)

    def forget(self, number: int) -> list[int]:
        """Take a person's names out of everything that is kept; the games stay.

        Return the records whose lines have changed. Raise ``NotThere``.
        """
        with self._engine.begin() as connection:
            _refuse_unknown(connection, number)
            asked = select(PLAYER_NAMES.c.name).where(PLAYER_NAMES.c.player_id == number)
            names = set(connection.execute(asked).scalars())
            changed = take_out(connection, names)
            connection.execute(
                update(RESULTS).where(RESULTS.c.player_id == number).values(player_id=None)
            )
            connection.execute(delete(PLAYER_NAMES).where(PLAYER_NAMES.c.player_id == number))
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == number))
        empty_log(self._engine)
        return changed


def _refuse_unknown(connection: Connection, number: int) -> None:
    asked = select(func.count()).where(PLAYERS.c.id == number)
    if not connection.execute(asked).scalar():
        raise NotThere(f"there is no player {number}")


def _owner(connection: Connection, name: str) -> int | None:
    asked = select(PLAYER_NAMES.c.player_id).where(PLAYER_NAMES.c.name == name)
    return connection.execute(asked).scalar()


def _show(connection: Connection, number: int, name: str) -> None:
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(name=name))


def _records_of(connection: Connection, number: int) -> list[int]:
    asked = (
        select(RECORDS.c.id)
        .join(GAMES, GAMES.c.record_id == RECORDS.c.id)
        .join(RESULTS, RESULTS.c.game_id == GAMES.c.id)
        .where(RESULTS.c.player_id == number)
    )
    return sorted(set(connection.execute(asked).scalars()))
