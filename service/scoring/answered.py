"""Scores a finished folder's film again with a person's answers.

The film is read into a folder inside the finished one. The results take the place of the earlier
ones when they are whole, so an interruption or an error loses nothing.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from engine.codec import read_record
from service.errors import Refused
from service.records import load_record
from service.report.questions import AnswersFile
from service.scoring.checkpoint import ANOTHER, STATE, UNFINISHED
from service.scoring.film import QUESTIONS, FilmToScore
from service.scoring.score_folder import CROPS, EVIDENCE, RECORD
from vision.decoder.question import Answer

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
    old = [one for one in before if not any(one.place.same(new.place) for new in given)]
    return (*old, *given)


def folder_to_read(folder: Path, film: FilmToScore) -> Path:
    """Where a film is read that may have been scored already; raises ``Refused``."""
    asked = folder / QUESTIONS
    if not film.answers or not asked.is_file() or (folder / UNFINISHED).is_dir():
        return folder
    _refuse_others(folder, AnswersFile.read(asked).made_with, film.made_with)
    if any(line.source == "person" for line in load_record(str(folder / RECORD))):
        raise Refused(
            f"{folder} was put right on its page, which answers would undo: "
            f"put the rest right there, too (tilesight open {folder})"
        )
    answered = folder / ANSWERED
    if answered.is_dir() and not (answered / UNFINISHED / STATE).is_file():
        take_place(folder)
    return answered


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
    for path in sorted(answered.rglob("*")):
        if path.is_file() and UNFINISHED not in path.relative_to(answered).parts:
            place = folder / path.relative_to(answered)
            place.parent.mkdir(exist_ok=True)  # somebody may have deleted the pictures
            os.replace(path, place)
    record = read_record((folder / RECORD).read_text("utf-8"))
    shown: set[object] = {entry.evidence for entry in record}
    shown |= {row.get("tiles") for row in AnswersFile.read(folder / QUESTIONS).asked}
    for pictures in (EVIDENCE, CROPS):
        for path in (folder / pictures).glob("*.jpg"):
            if f"{EVIDENCE}/{path.name}" not in shown:
                path.unlink()
    shutil.rmtree(answered)
