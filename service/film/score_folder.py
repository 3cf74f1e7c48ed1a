"""The folder of a scored game: what has been read so far, and where an interrupted one goes on."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from engine.codec import read_record, write_record
from engine.errors import Refused
from engine.events import Correct, Entry, GameStart, HandEnd
from engine.game import replay
from engine.log import in_force
from engine.second_reading import as_read_before
from engine.updates import CameraRecord
from service.film.kept_looks import LOOKS, AboutLooks, ExplainedLooks, write_about, write_hand
from service.film.seat_recordings import FourNames, with_players
from service.machine.files import PARTS, refuse_taken, whole_folder, write_whole
from service.machine.records import load_record, tell
from service.report.gaps import Gap, told_gaps
from service.report.sheet import csv_file, to_csv
from service.table.evidence import may_show, outlined
from service.table.picture_files import (
    EVIDENCE,
    crop_of,
    drop_evidence,
    evidence_name,
    is_evidence,
    pictured,
)
from service.table.pictures import OF_FILM, Pictures, SeenTile, TablePicture
from service.table.reader import CheckpointingReader, LookKeepingReader, LookResult
from service.table.record_file import RecordFile, sealed_record
from service.table.second_look import SecondLook
from vision.camera.frames import FramePosition
from vision.checkpoint import packed, unpacked
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptHand
from vision.decoder.pin import Pins
from vision.decoder.question import QuestionTile
from vision.draw import jpeg
from vision.given_files import MIB, read_given
from vision.notice import Notice
from vision.pipeline import noticed_with

UNFINISHED: Final = "unfinished"
"""A subfolder that exists until the film is read to its end."""
STATE: Final = "state"
MOST_BYTES: Final = 64 * MIB
"""Largest state; that of a long game has a few."""
ANOTHER: Final = {"film": "another film", "program": "another version of tilesight"}

Fingerprints = Mapping[str, str]
"""Fingerprints of the film, the options and the program: of all that decides the result."""


@dataclass(frozen=True)
class Checkpoint:
    """The state between two hands; reading goes on from it as if it had not been interrupted."""

    place: FramePosition
    """The last frame that was looked at."""
    lines: tuple[Entry, ...]
    notices: tuple[Notice, ...]
    shots: tuple[TablePicture, ...]
    reader: bytes
    ends_s: tuple[float, ...] = ()
    """When each hand ended of which the looks are kept."""
    lying: Mapping[str, tuple[QuestionTile, ...]] = field(default_factory=dict)
    """Where the tiles lay of hands that were won, by the change that they show."""


def rest_of(folder: Path, made_with: Fingerprints) -> Checkpoint | None:
    """Return where an unfinished folder goes on; None for a new folder or a new start.

    Raises ``Refused`` for a folder that is finished, or that something else was read into.
    """
    state = folder / UNFINISHED / STATE
    if not state.is_file():
        refuse_taken(folder)
        return None
    try:
        kept = unpacked(read_given(state, MOST_BYTES), TablePicture, SeenTile)
        before, rest = dict(kept["made_with"]), kept["rest"]
    except (LookupError, TypeError, ValueError, OSError):
        raise _damaged(state) from None
    others = [name for name in before.keys() | made_with if before.get(name) != made_with.get(name)]
    if others:
        told = " and ".join(ANOTHER.get(name, f"another {name}") for name in sorted(others))
        raise Refused(
            f"{folder} is not finished, and was begun with {told}: take the same to go on, "
            f"name a new folder with --out, or delete {folder}"
        )
    if rest is None:
        return None
    try:
        return Checkpoint(**{**rest, "lines": tuple(read_record(rest["lines"]))})
    except (LookupError, TypeError, ValueError, AttributeError):
        raise _damaged(state) from None


def _damaged(state: Path) -> Refused:
    folder = state.parents[1]
    return Refused(
        f"{state} is damaged, or was begun with another version of tilesight; "
        f"name a new folder with --out, or delete {folder}"
    )


def write_checkpoint(folder: Path, made_with: Fingerprints, rest: Checkpoint | None) -> None:
    """Write what ``rest_of`` reads; None is the beginning of the film."""
    known = None if rest is None else vars(rest) | {"lines": write_record(rest.lines)}
    data = packed({"made_with": dict(made_with), "rest": known})
    write_whole(folder / UNFINISHED / STATE, data)


RECORD, SHEET = "record.jsonl", "sheet.csv"
CROP_PX: Final = 640
"""Most width of what the report shows of a picture."""
BEFORE_S: Final = 3.0
"""Pictures this long before a hand's end may show an event that is read after it."""


class ScoreFolder:
    """A folder into which a film is read."""

    def __init__(
        self,
        folder: Path,
        made_with: Fingerprints,
        rest: Checkpoint | None = None,
        players: FourNames | None = None,
        second: SecondLook | None = None,
    ) -> None:
        """Create the folder, or go on after ``rest``; raises ``Refused``, ``OSError``.

        ``second`` reads large payouts a second time.
        """
        self.folder = folder
        self.rest = rest
        self._players = players
        self.notices: list[Notice] = [] if rest is None else list(rest.notices)
        self.time_s = 0.0 if rest is None else rest.place.time_s
        """Seconds of the film that have been read."""
        self.pictures_s = self.time_s
        """When the last frame was taken."""
        self._ends_s: list[float] = [] if rest is None else list(rest.ends_s)
        self._made_with = made_with
        self.pictures = Pictures(OF_FILM, shots=() if rest is None else rest.shots)
        if not (folder / UNFINISHED).is_dir():
            with whole_folder(folder) as filling:
                (filling / EVIDENCE).mkdir()
                (filling / UNFINISHED).mkdir()
                write_checkpoint(filling, self._made_with, None)
        self._closed = False
        self._record = RecordFile(folder / RECORD, option="--out")
        self._camera = CameraRecord(Pins(), first=0)
        for line in () if rest is None else rest.lines:
            self._camera.add(line)
        self._record.hold(self.lines)
        self._second = second
        self._game = replay(() if second is None else self.lines)
        """The lines as they were played, where payouts are read a second time."""
        self.lying: dict[str, tuple[QuestionTile, ...]] = {} if rest is None else {**rest.lying}
        """Where the tiles lay of hands that were won, by the change that they show."""
        self._before: Sequence[Entry] = ()
        """The record of a film whose looks are explained."""
        self._names = {
            _key(entry): entry.evidence for entry in _told(self.lines) if pictured(entry)
        }

    @property
    def lines(self) -> Sequence[Entry]:
        """Every line that was written."""
        return self._camera.entries

    @property
    def stood(self) -> tuple[Entry, ...]:
        """The events in force, with the players' names."""
        every = (event.entry for event in in_force(self.lines))
        stood = (entry for entry in every if not isinstance(entry.event, Correct))
        return tuple(with_players(entry, self._players) for entry in stood)

    @property
    def game_seen(self) -> bool:
        return any(not isinstance(entry.event, GameStart) for entry in self.lines)

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Pieces of film that do not show the table."""
        return told_gaps(self.notices)

    def add(self, reading: LookResult) -> list[Entry]:
        """Keep the pictures of one look, and write what is told now; returns the new lines."""
        self.pictures.see(reading)
        self.pictures_s = reading.frame.time_s
        first = len(self.lines)
        if reading.decoding is not None:
            self.lying |= reading.decoding.lying
            self._tell(reading.decoding)
        self.notices += reading.notices
        self.time_s = reading.frame.time_s
        return list(self.lines[first:])

    def keep_hand(self, reader: object) -> None:
        """Keep the looks of a hand, of a reader that keeps them."""
        hand = reader.kept_hand() if isinstance(reader, LookKeepingReader) else None
        if hand is not None:
            self._write_hand(hand)

    def _write_hand(self, hand: KeptHand) -> None:
        write_hand(self.folder, len(self._ends_s), hand)
        self._ends_s.append(hand.ends_s)

    def explain(self, looks: ExplainedLooks) -> None:
        """Write what answers make of a film whose looks are kept.

        No picture is made anew: an event has the picture of what the same change was told to be.
        """
        before = looks.folder
        was = [entry for entry in _record_of(before) if pictured(entry)]
        by_change = {entry.change: str(entry.evidence) for entry in reversed(was)}
        same = {_key(entry): str(entry.evidence) for entry in was}
        self._before = _record_of(before)
        for entry in looks.decoding.told:
            shown = same.get(_key(entry)) or by_change.get(entry.change)
            if shown is None or not may_show(entry.event):
                continue
            crop = crop_of(before, replace(entry, evidence=shown))
            if (before / shown).is_file() and crop.is_file():
                self._names[_key(entry)] = shown
                shutil.copyfile(before / shown, self.folder / shown)
                shutil.copyfile(crop, self._part(crop.stem))
        self._tell(looks.decoding)
        for hand in looks.hands:
            self._write_hand(hand)
        self.time_s = looks.hands[-1].ends_s
        self.notices = noticed_with(looks.about.notices, looks.decoding, self.time_s)

    def _tell(self, now: Decoding) -> None:
        for entry in self._read_twice(self._camera.updates(now), now):
            line = self._named(entry)
            self._record.append(line)
            self._camera.add(line)
            if self._second is not None:
                self._game = self._game.with_lines(line)
        self._camera.hold(now)

    def _read_twice(self, lines: Sequence[Entry], now: Decoding) -> Sequence[Entry]:
        """The lines, with what a second reading sees of what large payouts rest on."""
        second, until_s = self._second, self.pictures_s
        if second is None:
            return lines
        known = as_read_before(self._before, lines, now.answered)
        wanted = second.wanted(self._game, known, now, 0)
        if not wanted:
            return known
        second.read(wanted, self._game.with_lines(*known), until_s)
        return second.lines(self._game, known, now, 0)

    def keep(self, reading: LookResult, reader: CheckpointingReader) -> None:
        """Write a checkpoint: the next hand can begin here after any interruption."""
        ends = [e.t for e in self.lines if isinstance(e.event, HandEnd) and e.t is not None]
        if ends:
            self.pictures.forget(max(ends) - BEFORE_S)
        self.write_sheet(self.stood, self.time_s)
        self.keep_hand(reader)
        rest = Checkpoint(
            FramePosition.of(reading.frame),
            tuple(self.lines),
            tuple(self.notices),
            self.pictures.shots,
            reader.keep(),
            tuple(self._ends_s),
            self.lying,
        )
        write_checkpoint(self.folder, self._made_with, rest)
        self.rest = rest

    def write_sheet(self, stood: Sequence[Entry], until_s: float | None = None) -> None:
        """Write the score sheet; ``until_s`` says that the film was read only so far."""
        write_whole(self.folder / SHEET, csv_file(to_csv(tell(stood), until_s)))

    def crops(self, stood: Sequence[Entry]) -> dict[int, bytes]:
        """The cropped JPEG picture of each event, by event number."""
        return {
            number: self._part(Path(str(entry.evidence)).stem).read_bytes()
            for number, entry in enumerate(stood)
            if pictured(entry)
        }

    def drop_others(self, stood: Sequence[Entry]) -> None:
        """Delete the pictures of events that are not in force."""
        drop_evidence(self.folder, {entry.evidence for entry in stood})

    def add_asked(self, pictures: Mapping[str, bytes]) -> dict[str, str]:
        """Write pictures of what is asked; return the name of each, by the question's id."""
        names = {name: evidence_name(f"asked-{at}") for at, name in enumerate(pictures)}
        for name, data in pictures.items():
            write_whole(self.folder / names[name], data)
        return names

    def finish(self, stood: Sequence[Entry]) -> None:
        """Keep the crops of the report, and remove what only an unfinished folder has."""
        self._drop_parts()
        for entry in stood:
            if pictured(entry):
                crop = crop_of(self.folder, entry)
                crop.parent.mkdir(exist_ok=True)
                shutil.copyfile(self._part(crop.stem), crop)
        if self._ends_s:
            about = AboutLooks(tuple(self._ends_s), tuple(self.notices))
            write_about(self.folder, about, self.folder / RECORD)
        (self.folder / UNFINISHED / STATE).unlink()
        shutil.rmtree(self.folder / UNFINISHED)

    def close_record(self, stood: Sequence[Entry] | None = None) -> None:
        """Close the record; ``stood`` is what it says in the end."""
        if not self._closed:
            self._closed = True
            self._record.close()
        if stood is not None:
            write_whole(self.folder / RECORD, sealed_record(stood))

    def remove(self) -> None:
        """Delete all that this program made here: nothing was seen."""
        self._drop_parts()
        for name in (UNFINISHED, EVIDENCE, LOOKS):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in (RECORD, SHEET):
            (self.folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody has put something into it
            self.folder.rmdir()

    def _drop_parts(self) -> None:
        for part in self.folder.glob(PARTS):
            part.unlink()

    def _named(self, entry: Entry) -> Entry:
        """Return the line with its pictures named, and write new pictures."""
        name = f"{len(self.lines):05}"
        if not isinstance(entry.event, Correct):
            return self._shown(entry, name)
        events = tuple(
            self._shown(line, f"{name}-{at}", self.lines[entry.event.of].evidence)
            for at, line in enumerate(entry.event.events)
        )
        return replace(entry, event=replace(entry.event, events=events))

    def _shown(self, entry: Entry, name: str, before: int | str | None = None) -> Entry:
        """Return the event with its picture; ``before`` is the picture of the event that it
        replaces."""
        named = self._names.get(_key(entry))
        found = self.pictures.showing(entry) if named is None else None
        if found is not None:
            shot, marked = found
            image = self.pictures.image(shot.number)
            whole, part = outlined(image, shot.tiles or (), marked, CROP_PX)
            named = evidence_name(name)
            (self.folder / named).write_bytes(jpeg(whole))
            self._part(name).write_bytes(jpeg(part))
            self._names[_key(entry)] = named
        if named is None and is_evidence(before):
            return replace(entry, evidence=before)
        return entry if named is None else replace(entry, evidence=named)

    def _part(self, name: str) -> Path:
        return self.folder / UNFINISHED / f"{name}.jpg"


def _record_of(folder: Path) -> list[Entry]:
    """The record of a scored folder; nothing where somebody has emptied it."""
    try:
        return load_record(str(folder / RECORD))
    except (Refused, OSError):
        return []


def _told(lines: Sequence[Entry]) -> Iterator[Entry]:
    """All events that were ever told."""
    for line in lines:
        yield from line.event.events if isinstance(line.event, Correct) else (line,)


def _key(entry: Entry) -> str:
    return f"{entry.event} {entry.t}"
