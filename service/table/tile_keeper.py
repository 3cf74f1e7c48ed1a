"""Keeps pictures of tiles that were doubtful, corrected or confirmed, where people agreed to that.

A frame is kept as it was, with the outline of every tile in it. Seat cameras are not kept.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from engine.announce import Problem
from engine.errors import NotThere
from engine.events import (
    Chow,
    Correct,
    Discard,
    Entry,
    Event,
    GameEnd,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Win,
)
from engine.game import Game
from engine.log import in_force
from engine.tiles import UNKNOWN
from service.machine.files import keep_private, to_stderr
from service.table.evidence import event_tiles
from service.table.picture_files import TILES_LIST, kept_name
from service.table.pictures import Pictures, SeenTile, TablePicture
from service.table.reader import LookResult
from vision.decoder.question import Answer, AnswerChoice, Question
from vision.tiles.classes import face_class

NEAR_S: Final = 3.0
"""An event this near to the time of an answer is the one that was asked about."""

SaidBy = Literal["person", "rules", "asked"]
"""Who vouches for a face; ``asked``: nobody yet."""


@dataclass(frozen=True)
class _Statement:
    """What is known of the tiles of one event."""

    event: Event
    """The event as the camera saw it: its tiles are found by these faces."""
    said: Event
    """The event as it really was, by a person's word or the rules."""
    time_s: float | None
    by: SaidBy


class TileKeeper:
    """Listens to one reader; any thread may call its methods."""

    def __init__(
        self,
        folder: Path,
        pictures: Pictures,
        before: Sequence[Entry] = (),
        answers: Sequence[Answer] = (),
        since_s: float = 0.0,
    ) -> None:
        """``pictures`` are those of the looks that come here; ``before`` are the lines of the
        record, ``answers`` what the reader was told.

        ``since_s`` is the start of the reader's clock in the time of the record.
        """
        folder.mkdir(0o700, parents=True, exist_ok=True)
        keep_private(folder)
        self._folder = folder
        self._lines = list(before)
        self._answers = answers
        self._since_s = since_s
        self.pictures = pictures
        self._judged = len(self._lines)
        """Lines that the rules have been asked about."""
        self._questions: tuple[Question, ...] = ()
        self._asked: set[str] = set()
        self._written: set[_Key] = set()
        self._full = False
        self._changing = threading.Lock()

    def add(self, result: LookResult) -> None:
        """Take the result of one look, whose picture has been taken."""
        with self._changing:
            if result.decoding is not None:
                self._questions = result.decoding.questions
            now_s = self._since_s + result.frame.time_s
            for question in self._questions:
                time_s, events = question.place.time_s, question.choices[0].events
                if question.id not in self._asked and time_s <= now_s:
                    self._asked.add(question.id)
                    self._keep(_Statement(event, event, time_s, "asked") for event in events)

    def lines(self, entries: Sequence[Entry]) -> None:
        """Take new lines of the record."""
        with self._changing:
            self._take(entries)

    def answered(self, question: Question, choice: AnswerChoice) -> None:
        """Take a person's answer."""
        with self._changing:
            pairs = _pairs(question.choices[0].events, choice.events)
            time_s = question.place.time_s
            self._keep(_Statement(was, event, time_s, "person") for was, event in pairs)

    def finish(self) -> None:
        """Keep what the rules confirm of a hand whose end was not seen."""
        with self._changing:
            self._keep(self._confirmed())

    def _take(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            event = entry.event
            if isinstance(event, Correct) and entry.source == "person":
                stood = in_force(self._lines, max(event.of, 0))
                old = [happened.entry for happened in stood if happened.number == event.of]
                pairs = _pairs([line.event for line in old], [line.event for line in event.events])
                time_s = old[0].t if old else entry.t
                self._keep(_Statement(seen, said, time_s, "person") for seen, said in pairs)
            elif self._is_answered(entry):
                self._keep([_Statement(event, event, entry.t, "person")])
            self._lines.append(entry)
            if isinstance(event, HandEnd | HandStart | GameEnd):
                self._keep(self._confirmed())
                self._judged = len(self._lines)

    def _is_answered(self, entry: Entry) -> bool:
        return any(
            entry.event in answer.events and abs((entry.t or 0.0) - answer.place.time_s) <= NEAR_S
            for answer in self._answers
        )

    def _confirmed(self) -> Iterator[_Statement]:
        """Sets and wins since the last hand to which the rules have no objection."""
        game = Game()
        for event in in_force(self._lines):
            entry = event.entry
            if isinstance(entry.event, Correct):
                continue
            announcements = game.submit(entry)
            if (
                event.number >= self._judged
                and isinstance(entry.event, Chow | Pung | Kong | Win)
                and not any(isinstance(announcement, Problem) for announcement in announcements)
            ):
                yield _Statement(entry.event, entry.event, entry.t, "rules")

    def _keep(self, statements: Iterable[_Statement]) -> None:
        for statement in statements:
            found = self._showing(statement)
            if found is None:
                continue
            shot, marked = found
            tiles = shot.tiles or ()
            faces = _faces(statement, tiles, marked)
            if faces:
                with contextlib.suppress(NotThere):
                    data = self.pictures.picture(shot.number)
                    self._write(shot.time_s, data, tiles, faces, statement.by)

    def _showing(self, statement: _Statement) -> tuple[TablePicture, tuple[int, ...]] | None:
        """Where the tiles of an event are; the one new unknown tile for one that was not named."""
        event, time_s = statement.event, statement.time_s
        found = self.pictures.showing(Entry(event, t=time_s))
        if found is None or found[1] or not isinstance(event, Discard | Indicator):
            return found
        return self.pictures.showing(Entry(replace(event, tile=UNKNOWN), t=time_s))

    def _write(
        self,
        time_s: float,
        picture: bytes,
        seen: Sequence[SeenTile],
        faces: Mapping[int, str],
        by: SaidBy,
    ) -> None:
        name = kept_name(picture)
        key = (name, by, tuple(sorted(faces.items())))
        if key in self._written:
            return
        self._written.add(key)
        tiles = [_tile(tile) for tile in seen]
        for place, face in faces.items():
            tiles[place] |= {"tile": face, "by": by}
        line = json.dumps({"picture": name, "t": round(time_s, 2), "tiles": tiles})
        try:
            (self._folder / name).write_bytes(picture)
            # One write: a line is there whole or not at all when the program is killed.
            with (self._folder / TILES_LIST).open("ab", buffering=0) as file:
                file.write(f"{line}\n".encode())
            self._full = False
        except OSError as error:
            # The game is worth more than these pictures.
            if not self._full:
                to_stderr(f"{self._folder}: {error.strerror}; tiles are not kept until it can be")
            self._full = True


_Key = tuple[str, SaidBy, tuple[tuple[int, str], ...]]


def _pairs(seen: Sequence[Event], said: Sequence[Event]) -> list[tuple[Event, Event]]:
    """Pairs of each event as the camera saw it and as it really was; empty where events were added
    or removed."""
    if len(seen) != len(said) or any(
        type(event) is not type(other) for event, other in zip(seen, said, strict=True)
    ):
        return []
    return list(zip(seen, said, strict=True))


def _faces(
    statement: _Statement, shown: Sequence[SeenTile], marked: Sequence[int]
) -> dict[int, str]:
    """The faces of an event's tiles by their index in the picture; none where that is unclear."""
    seen, tiles = event_tiles(statement.event), event_tiles(statement.said)
    if isinstance(statement.event, Discard | Indicator):
        face = face_class(tiles[0])
        return {marked[0]: face} if len(marked) == 1 and face is not None else {}
    if len(seen) != len(tiles):
        return {}
    meant: dict[str | None, set[str | None]] = {}
    for as_read, as_said in zip(seen, tiles, strict=True):
        meant.setdefault(face_class(as_read), set()).add(face_class(as_said))
    read = {place: face_class(shown[place].tile) for place in marked}
    # All four tiles of a kong are one in its event.
    kong = isinstance(statement.event, Kong)
    copies = Counter(face_class(tile) for tile in (seen * 4 if kong else seen))
    if any(count > copies[face] for face, count in Counter(read.values()).items()):
        return {}
    faces = {}
    for place, kind in read.items():
        meanings = meant.get(kind, set())
        if len(meanings) == 1 and (meaning := next(iter(meanings))) is not None:
            faces[place] = meaning
    return faces


def _tile(tile: SeenTile) -> dict[str, object]:
    """A tile as it was read, with its corners in pixels of the kept picture."""
    corners = [[round(float(value), 1) for value in corner] for corner in tile.corners_px]
    read: dict[str, object] = {"corners": corners, "side": tile.side.value, "read": str(tile.tile)}
    if tile.confidence is not None:
        read["confidence"] = round(tile.confidence, 4)
    return read
