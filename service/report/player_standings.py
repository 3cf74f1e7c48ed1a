"""Players' standings over evenings of one folder, by rule set, and who owes whom tonight."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from typing_extensions import TypedDict

from engine.errors import Refused
from engine.places import places_of
from engine.results import played_games
from engine.settling import settled
from engine.stories import GameStory
from service.machine.records import evening_of, load_record, tell

Result = tuple[tuple[str, int, int], ...]
"""Name, place and points won of each named player in one game."""


@dataclass(frozen=True)
class FinishedGame:
    rules: str
    evening: date
    result: Result


class StandingView(TypedDict):
    """What the games of one person add up to."""

    player: int | None
    """The number of their page in a hall; None at a table, which knows them by name alone."""
    name: str
    rank: int
    """People who are level share a rank."""
    games: int
    points: int
    places: list[int]
    """How often first, second, third, fourth."""
    average_points: float
    average_place: float


PointsPaid = TypedDict("PointsPaid", {"from": str, "to": str, "points": int})


class RulesStandings(TypedDict):
    rules: str
    people: list[StandingView]
    tonight: list[StandingView]
    payments: list[PointsPaid]


class Standings(TypedDict):
    """Results of people, and what settles tonight: who pays whom how many points."""

    people: list[StandingView]
    """By the rules that are played now, on all evenings."""
    payments: list[PointsPaid]
    by_rules: list[RulesStandings]
    unreadable: list[str]
    """One line about each file that is not counted because it cannot be read as a record."""


@dataclass(frozen=True)
class _Counted:
    """What one file gave when it was like this."""

    mark: tuple[int, ...]
    games: tuple[FinishedGame, ...] = ()
    unreadable: str | None = None


class Folder:
    """The records of a folder; each is read again only when it changes."""

    _known: Final[dict[Path, _Counted]] = {}
    """For all tables: the next one has the same evenings behind it."""

    def __init__(
        self, path: Path, own: str, leave_out: Callable[[Path], bool] = lambda record: False
    ) -> None:
        """``own`` is the record being written, which is left out.

        ``leave_out`` is asked each time, for it may say something else of a record now.
        """
        self._path = path.resolve()
        self._own = own
        self._leave_out = leave_out

    def results(self) -> list[FinishedGame]:
        """The finished games of the other records."""
        return [game for counted in self._counted() for game in counted.games]

    def unreadable(self) -> list[str]:
        """One line about each other file that cannot be read as a record."""
        return [one.unreadable for one in self._counted() if one.unreadable is not None]

    def _counted(self) -> list[_Counted]:
        seen = set[tuple[int, int]]()
        with contextlib.suppress(OSError):
            seen.add(_which((self._path / self._own).stat()))
        files = [
            file
            for file in self._path.glob("*.jsonl")
            if file.name != self._own and not self._leave_out(file)
        ]
        # The name of the file itself tells its evening, and not that of a link to it.
        files.sort(key=lambda file: (file.is_symlink(), file))
        return [found for file in files if (found := self._count(file, seen)) is not None]

    def _count(self, file: Path, seen: set[tuple[int, int]]) -> _Counted | None:
        """What a file gives; None where it is gone by now, or was ``seen`` by another name."""
        try:
            about = file.stat()
            if _which(about) in seen:
                return None
            seen.add(_which(about))
            # Whoever copies a file may keep its size and time, but not when that was done.
            mark = *_which(about), about.st_ctime_ns, about.st_mtime_ns, about.st_size
            known = self._known.get(file)
            if known is None or known.mark != mark:
                known = self._known[file] = _read(file, mark)
        except FileNotFoundError:
            self._known.pop(file, None)
            return None
        except OSError as error:
            return _Counted((), unreadable=f"{file.name}: {error.strerror or error}")
        return known


def _which(about: os.stat_result) -> tuple[int, int]:
    """Which file it is, by whatever name."""
    return about.st_dev, about.st_ino


def _read(file: Path, mark: tuple[int, ...]) -> _Counted:
    if not mark[-1]:
        return _Counted(mark)  # a game that has just been opened
    try:
        # A torn line is for whoever goes on with that record.
        games = tell(load_record(str(file), say=lambda _: None))
    except Refused as error:
        return _Counted(mark, unreadable=str(error).replace(str(file), file.name))
    return _Counted(mark, tuple(results_of(games, evening_of(file))))


def results_of(games: Iterable[GameStory], evening: date) -> Iterator[FinishedGame]:
    """The results of finished games; players without a name are left out."""
    for game in played_games(games):
        if game.is_over:
            named = [seat for seat in game.seats if seat.name]
            result = tuple((seat.name, seat.place or 0, seat.points) for seat in named)
            yield FinishedGame(game.rules, evening, result)


def by_rules(
    games: Sequence[FinishedGame], rules: str, tonight: date, unreadable: Sequence[str] = ()
) -> Standings:
    """Standings of tonight and of all evenings by each rule set, those of ``rules`` first.

    Points of different rule sets are never added up. ``payments`` settle tonight's games.
    """
    told: list[RulesStandings] = []
    for rule_set in dict.fromkeys((rules, *sorted({game.rules for game in games}))):
        results = [game.result for game in games if game.rules == rule_set]
        late = [game.result for game in games if game.rules == rule_set and game.evening == tonight]
        told.append(
            {
                "rules": rule_set,
                "people": standings(results),
                "tonight": standings(late),
                "payments": payments(late),
            }
        )
    return {
        "people": told[0]["people"],
        "payments": told[0]["payments"],
        "by_rules": told,
        "unreadable": list(unreadable),
    }


def standings(results: Iterable[Result]) -> list[StandingView]:
    """Rows by average place, then by points; who is level in both shares a rank."""
    people: dict[str, list[tuple[int, int]]] = {}
    for result in results:
        for name, place, points in result:
            people.setdefault(name, []).append((place, points))
    rows = [standing(name, games) for name, games in people.items()]
    return ranked(rows, lambda row: (-row["average_place"], row["points"]))


def standing(
    name: str, games: Sequence[tuple[int, int]], player: int | None = None
) -> StandingView:
    """What the places and points of one person's games add up to; the rank is not known yet."""
    points, places = sum(won for _, won in games), [place for place, _ in games]
    return {
        "player": player,
        "name": name,
        "rank": 0,
        "games": len(games),
        "points": points,
        "places": [places.count(place) for place in range(1, 5)],
        "average_points": points / len(games),
        "average_place": sum(places) / len(games),
    }


def ranked(
    rows: Sequence[StandingView], worth: Callable[[StandingView], tuple[float, float]]
) -> list[StandingView]:
    """The rows with their ranks, those of the greatest worth first."""
    ranks = places_of([worth(row) for row in rows])
    numbered: list[StandingView] = [
        {**row, "rank": rank} for row, rank in zip(rows, ranks, strict=True)
    ]
    return sorted(numbered, key=lambda row: (row["rank"], row["name"]))


def payments(results: Iterable[Result]) -> list[PointsPaid]:
    """Who pays whom how many points to settle these games, in the fewest payments.

    None where the points do not add up to nothing, as when somebody has no name.
    """
    won: dict[str, int] = {}
    for name, _, points in (row for result in results for row in result):
        won[name] = won.get(name, 0) + points
    if sum(won.values()):
        return []
    return [
        {"from": loser, "to": winner, "points": points} for loser, winner, points in settled(won)
    ]
