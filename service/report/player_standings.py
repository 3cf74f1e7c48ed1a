"""Players' standings over the games of a record and of the others in its folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.codec import BadRecord, read_record
from service.report.public import Json
from service.report.story import GameStory, tell
from vision.given_files import read_given

MOST_FILES: Final = 300
LARGEST: Final = 4 * 1024 * 1024
"""Largest record in bytes: a long evening is a tenth of it."""

FinishedGame = tuple[tuple[str, int, int], ...]
"""Name, place and points won of each named player in one finished game."""


@dataclass
class PlayerStanding:
    name: str
    games: int = 0
    places: int = 0
    points: int = 0

    @property
    def average(self) -> float:
        return self.places / self.games


class Folder:
    """The records of a folder; each is read again only when it changes."""

    def __init__(self, path: Path, own: str) -> None:
        """``own`` is the record being written, which is left out."""
        self._path = path
        self._own = own
        self._known: dict[tuple[str, int, int], tuple[FinishedGame, ...]] = {}

    def results(self) -> Iterator[FinishedGame]:
        """The finished games of the other records."""
        files = sorted(self._path.glob("*.jsonl"))
        for file in [each for each in files if each.name != self._own][:MOST_FILES]:
            try:
                about = file.stat()
                mark = (file.name, about.st_mtime_ns, about.st_size)
                if mark not in self._known:
                    text = read_given(file, LARGEST).decode()
                    self._known[mark] = tuple(results_of(tell(read_record(text))))
            except (OSError, BadRecord, ValueError):
                continue  # no record, or one that is of no use: it counts for nothing
            yield from self._known[mark]


def results_of(games: Iterable[GameStory]) -> Iterator[FinishedGame]:
    """The results of finished games; players without a name are left out."""
    for game in games:
        if game.result is None:
            continue
        start = game.happened[0].state
        yield tuple(
            (start.names[seat], game.result.places[seat], game.points[seat] - start.points[seat])
            for seat in range(4)
            if start.names[seat]
        )


def standings(results: Iterable[FinishedGame]) -> list[Json]:
    """Rows by average place, then by points."""
    people: dict[str, PlayerStanding] = {}
    for result in results:
        for name, place, points in result:
            row = people.setdefault(name, PlayerStanding(name))
            row.games, row.places, row.points = (
                row.games + 1,
                row.places + place,
                row.points + points,
            )
    order = sorted(people.values(), key=lambda row: (row.average, -row.points, row.name))
    return [
        {"name": row.name, "games": row.games, "average": row.average, "points": row.points}
        for row in order
    ]
