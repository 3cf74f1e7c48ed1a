"""The people of a hall: what they did over all evenings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import func, select

from engine.errors import NotThere
from engine.places import places_of
from engine.results import COUNTED, SeatCounts
from service.hall.database import Store
from service.hall.database_schema import FILMS, GAMES, NAMES, RECORDS, RESULTS
from service.hall.results import PLAYED_AT, counted_games
from service.report.sheet import cell_of, csv_file, csv_of

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
    """Its title; the name of a film."""
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
    """By rating; people with the same rating share it. 0 without a finished game."""
    rating: float
    games: int
    points: int | None
    """None over several rule sets: points of different ones do not add up."""
    average_place: float | None
    """None without a finished game."""
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
    """Everybody who is named anywhere in the hall."""

    def listed(self, rules: str | None = None, everybody: bool = True) -> list[Person]:
        """Everybody with a finished game by these rules, the best rating first.

        None: by any rules; with ``everybody`` those without a finished game, too, at the end: who
        only ruled, sits in a first game, or is named in a film.
        """
        shown = select(NAMES.c.player_id, NAMES.c.name).where(NAMES.c.is_shown)
        names = {row.player_id: row.name for row in self._rows(shown)}
        games = self._games(rules)
        listed = names.keys() if rules is None and everybody else games.keys() & names
        people = [_person(number, names[number], games.get(number, [])) for number in listed]
        people.sort(key=lambda person: (not person.games, -person.rating, person.name))
        rated = places_of([person.rating for person in people if person.games])
        ranks = [*rated, *[0] * (len(people) - len(rated))]
        return [replace(person, rank=rank) for person, rank in zip(people, ranks, strict=True)]

    def find(self, number: int, everybody: bool = True) -> PersonPage:
        """Return a person of those who are listed, with their games; raise ``NotThere``."""
        listed = self.listed(everybody=everybody)
        person = next((person for person in listed if person.id == number), None)
        if person is None:
            raise NotThere(f"there is no player {number}")
        asked = select(NAMES.c.name).where(NAMES.c.player_id == number).order_by(NAMES.c.name)
        names = [row.name for row in self._rows(asked)]
        return PersonPage(person, names, self._games(None).get(number, [])[::-1])

    def rules(self) -> list[str]:
        """The rule sets of the finished games."""
        return sorted({row.rules for row in self._rows(counted_games(GAMES.c.rules))})

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
            counted_games(
                GAMES.c.id,
                GAMES.c.ended_s,
                GAMES.c.rules,
                PLAYED_AT.label("title"),
                func.coalesce(RECORDS.c.name, FILMS.c.name).label("record"),
                NAMES.c.player_id,
            )
            .join(NAMES, NAMES.c.id == RESULTS.c.name_id)
            .where(NAMES.c.player_id.is_not(None))
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
        rating=round(games[-1].rating if games else NEW_RATING, 1),
        games=len(games),
        points=sum(game.points for game in games) if alike else None,
        average_place=_per(sum(places), len(games)),
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
