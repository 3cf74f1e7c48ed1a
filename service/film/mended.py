"""What people said to a scored folder: answers, and a record put right on the table's page."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.errors import Refused
from engine.events import Correct, Entry
from engine.log import corrections, in_force
from engine.seal import last_seal
from service.film.explaining_reader import ExplainingReader
from service.film.film import QUESTIONS, REPORT, FilmToScore
from service.film.kept_looks import ABOUT, LOOKS, NoLooks, drop_other_looks, kept_game
from service.film.made import MADE, MadeReport
from service.film.score_folder import ANOTHER, RECORD, SHEET, STATE, UNFINISHED
from service.machine.files import to_stderr, write_whole
from service.machine.records import load_record, read_text, tell
from service.report.public import Json
from service.report.questions import AnswersFile, event_number, question_of_row, question_rows
from service.report.report import to_report
from service.report.sheet import csv_file, to_csv
from service.table.picture_files import (
    CROPS,
    EVIDENCE,
    asked_tiles,
    crop_of,
    drop_evidence,
    pictured,
)
from service.table.pictures import Pictures
from service.table.reader import EmptyReader, Reader
from service.web.background import Job
from vision.decoder.question import Answer, Question

if TYPE_CHECKING:
    from service.table.live_table import LiveTable

ANSWERED: Final = "answered"
"""A folder inside a finished one, into which its film is read again."""
ANSWERS: Final = "answers.json"
"""The file that the report's page saves."""
_MAY_DIFFER: Final = {"--answers", "program"}


def again_with_answers(arguments: Sequence[str]) -> str:
    """The command line that scores again, made of the arguments of the first one."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--answers":
            next(rest, None)
        elif not argument.startswith("--answers="):
            kept.append(argument)
    options = kept.index("--") if "--" in kept else len(kept)
    kept[options:options] = ["--answers", ANSWERS]
    return shlex.join(["tilesight", *kept])


def all_answers(path: Path | None, folder: Path) -> tuple[Answer, ...]:
    """What a person answered now, and before in this folder; raises ``Refused``."""
    if path is None:
        return ()
    given = AnswersFile.read(path).answers
    asked = folder / QUESTIONS
    before = AnswersFile.read(asked).answers if asked.is_file() else ()
    old = [answer for answer in before if not any(answer.place.same(new.place) for new in given)]
    return (*old, *given)


def folder_to_read(folder: Path, film: FilmToScore) -> Path:
    """Where a film is read that may have been scored already; raises ``Refused``."""
    asked = folder / QUESTIONS
    if not film.answers or not asked.is_file() or (folder / UNFINISHED).is_dir():
        return folder
    _refuse_others(folder, AnswersFile.read(asked).made_with, film.made_with)
    if _by_person(folder):
        raise Refused(
            f"{folder} was put right on its page, which answers would undo: "
            f"put the rest right there, too (tilesight serve {folder})"
        )
    _refuse_links(folder)
    _finish_taking_place(folder)
    return folder / ANSWERED


def _refuse_links(folder: Path) -> None:
    """A folder of somebody else could show, or have moved and deleted, any file of this machine.

    Call it before anything in the folder is moved.
    """
    names = {ANSWERED, EVIDENCE, CROPS, LOOKS, *(one.name for one in (folder / ANSWERED).glob("*"))}
    for part in (folder / name for name in sorted(names)):
        for path in chain((part,), part.rglob("*")):  # a part that is a link is not searched
            if path.is_symlink():
                raise Refused(f"{path} is a link: put the files that it leads to in its place")


def _refuse_others(folder: Path, before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """Raise ``Refused`` unless both fingerprints are those of one film and the same options."""
    names = (before.keys() | now.keys()) - _MAY_DIFFER
    others = sorted(name for name in names if before and before.get(name) != now.get(name))
    if others:
        differs = " and ".join(ANOTHER.get(name, f"another {name}") for name in others)
        raise Refused(f"{folder} was scored with {differs}: take the same to score it again")


def take_place(folder: Path) -> None:
    """Move the whole results of the second reading into the folder.

    Every file is replaced whole. What an interruption leaves is moved by the next command.
    """
    answered = folder / ANSWERED
    about = answered / LOOKS / ABOUT
    paths = [path for path in sorted(answered.rglob("*")) if path.is_file()]
    paths = [path for path in paths if UNFINISHED not in path.relative_to(answered).parts]
    if paths:
        (folder / LOOKS / ABOUT).unlink(missing_ok=True)
    # What says that all looks are there comes when the record is there as well.
    for path in sorted(paths, key=lambda path: path == about):
        place = folder / path.relative_to(answered)
        place.parent.mkdir(exist_ok=True)  # somebody may have deleted the pictures
        os.replace(path, place)
    record = load_record(str(folder / RECORD))
    shown: set[object] = {entry.evidence for entry in record}
    shown |= {row.get("tiles") for row in AnswersFile.read(folder / QUESTIONS).asked}
    drop_evidence(folder, shown)
    drop_other_looks(folder)
    shutil.rmtree(answered)


def _finish_taking_place(folder: Path) -> None:
    """Go on where ``take_place`` was interrupted; raises ``Refused``."""
    answered = folder / ANSWERED
    if not answered.is_dir() or (answered / UNFINISHED / STATE).is_file():
        return
    if _by_person(folder):
        raise Refused(
            f"{answered} would undo what was put right on the page of {folder}: delete {answered}"
        )
    take_place(folder)


def _by_person(folder: Path) -> bool:
    return any(line.source == "person" for line in load_record(str(folder / RECORD)))


LOOK_S: Final = 0.5
"""How soon sheet and report follow."""


def put_right_by_person(lines: Sequence[Entry]) -> set[int]:
    """The lines that people have corrected or confirmed, and not taken that back."""
    return {line.of for at, line in corrections(lines) if lines[at].source == "person"}


class MendedFolder:
    def __init__(self, folder: Path) -> None:
        """Read what `tilesight score` wrote; raises ``Refused``, ``OSError``."""
        self._folder = folder
        self.record = folder / RECORD
        if not self.record.is_file() or not any((folder / one).is_file() for one in (MADE, REPORT)):
            raise Refused(f"{folder} is no folder of tilesight score: it has no record and report")
        if (folder / UNFINISHED).is_dir():
            raise Refused(f"{folder} is not read to its end; score the film again to go on first")
        _refuse_links(folder)
        _finish_taking_place(folder)
        lines = load_record(str(self.record))
        self._made = MadeReport.read(folder, REPORT)
        stood = _in_force(lines)
        shown = [entry for entry in stood if pictured(entry) and entry.t is not None]
        shown = [entry for entry in shown if (folder / str(entry.evidence)).is_file()]
        if not all(crop_of(folder, entry).is_file() for entry in shown):
            raise Refused(f"{folder} was scored by an older tilesight; score the film again first")
        self.title = self._made.title
        asked, tiles = self._asked(put_right_by_person(lines))
        self.asked = [question_of_row(one) for one in (asked or {}).get("questions", ())]
        """What the film left open."""
        moments = [(entry.t or 0.0, folder / str(entry.evidence)) for entry in shown]
        self.pictures = Pictures.of_files(folder / EVIDENCE, moments, tiles)
        self._written = len(lines)
        self._asked_then: list[str] | None = None
        """The questions that were open when the report was written."""

    def make_reader(self) -> Reader:
        """The reader that asks what the film left open, and explains it anew by what people say.

        Where the looks of the film cannot be used, an answer changes its line alone.
        """
        try:
            asked = self._folder / QUESTIONS
            answers = AnswersFile.read(asked).answers if asked.is_file() else ()
            game = kept_game(self._folder, answers, self.record)
        except NoLooks as error:
            if self.asked:
                to_stderr(f"{error}: an answer changes its line alone")
            return EmptyReader(self.asked)
        return ExplainingReader(game, self.asked, answers)

    def job(self, table: LiveTable) -> Job:
        """Write sheet and report whenever somebody has put the record right."""
        follow = partial(self._follow, table)
        return Job("the report", follow, LOOK_S, at_end=follow)

    async def _follow(self, table: LiveTable) -> None:
        lines, asked = table.game.entries, table.asked()
        names = [one.id for one in asked]
        if len(lines) != self._written or self._asked_then not in (None, names):
            await asyncio.to_thread(self._write, lines, asked)
            self._written, self._asked_then = len(lines), names

    def _write(self, lines: Sequence[Entry], open_now: Sequence[Question]) -> None:
        stood = _in_force(lines)
        pictures = {
            number: crop_of(self._folder, entry).read_bytes()
            for number, entry in enumerate(stood)
            if pictured(entry) and crop_of(self._folder, entry).is_file()
        }
        asked, tiles = self._asked(put_right_by_person(lines))
        if asked is not None:
            asked["questions"] = self._rows(asked["questions"], open_now, stood)
        report = to_report(
            stood,
            pictures,
            self.title,
            self._made.lang,
            asked,
            gaps=self._made.gaps,
            again=self._made.again,
            tiles={name: path.read_bytes() for name, path in tiles.items()},
            seal=last_seal(read_text(str(self.record))),
        )
        self._made.write(self._folder)  # a folder of an earlier version has it in its report alone
        write_whole(self._folder / SHEET, csv_file(to_csv(tell(stood))))
        write_whole(self._folder / REPORT, report)

    def _rows(
        self, known: Sequence[Json], open_now: Sequence[Question], stood: Sequence[Entry]
    ) -> list[Json]:
        """The open questions as the report has them: an answer may have raised or settled some."""
        as_asked = {one.id: row for row in known for one in self.asked if one.id == row["id"]}
        same = {one.id for one in self.asked if any(one is other for other in open_now)}
        tiles = {name: str(row["tiles"]) for name, row in as_asked.items() if row.get("tiles")}
        lang = self._made.lang
        return [
            as_asked[one.id] | {"number": event_number(one, stood)}
            if one.id in same and one.id in as_asked
            else question_rows([one], stood, lang, tiles)[0]
            for one in open_now
        ]

    def _asked(self, settled: set[int]) -> tuple[dict[str, Any] | None, dict[str, Path]]:
        """The questions about events that nobody has put right, and the pictures of their tiles."""
        if not (self._folder / QUESTIONS).is_file():
            return None, {}
        asked: dict[str, Any] = json.loads(read_text(str(self._folder / QUESTIONS)))
        asked["questions"] = [one for one in asked["questions"] if one["number"] not in settled]
        return asked, asked_tiles(self._folder, asked["questions"])


def _in_force(lines: Sequence[Entry]) -> list[Entry]:
    every = (event.entry for event in in_force(lines))
    return [entry for entry in every if not isinstance(entry.event, Correct)]
