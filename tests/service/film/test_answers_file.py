"""Answers in a file explain the film anew, as reading it with them does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.events import Event
from service.film.explaining_reader import ExplainingReader
from service.film.kept_looks import ABOUT, LOOKS
from service.film.mended import MendedFolder, take_place
from tests.support.answered_film import (
    SPOILT,
    Blind,
    answers_file,
    asked,
    ids,
    opened,
    recorded,
    score_again,
)
from tests.support.evening import ByColour
from tests.support.folders import files
from tests.support.score_program import LIES
from vision.decoder.question import Answer
from vision.detect import Detection

pytestmark = pytest.mark.film


def test_answers_in_a_file_explain_the_film_without_reading_it(
    folder: Path, video: Path, film_with: Callable[[Sequence[Answer]], list[Event]]
) -> None:
    said: list[Answer] = []
    for question in asked(folder)[::2]:
        said.append(Answer(question.place, question.choices[1].events))
        assert score_again(video, folder, answers_file(folder, {question.id: 2}), Blind()) == 0
        assert recorded(folder) == film_with(said)
        assert not (folder / "answered").exists()


def test_the_files_are_those_of_a_film_that_is_read_again(
    folder: Path, scored: Path, video: Path, tmp_path: Path
) -> None:
    """But for the names of pictures, of which none is made anew."""
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    read = Path(shutil.copytree(scored, tmp_path / "read"))
    shutil.rmtree(read / LOOKS)
    assert score_again(video, read, answers, ByColour(LIES)) == 0
    assert score_again(video, folder, answers, Blind()) == 0
    lines, files_there, pages = zip(*map(contents, (read, folder)), strict=True)
    assert lines[0] == lines[1]
    assert files_there[0] == files_there[1]
    assert pages[0].count("data:image/jpeg") == pages[1].count("data:image/jpeg") > 0


def contents(folder: Path) -> tuple[list[object], dict[str, object], str]:
    """Of a folder: the record with whether there is a picture, the other files, the report."""
    lines: list[object] = []
    for line in read_record((folder / "record.jsonl").read_text()):
        shown = str(line.evidence).endswith(".jpg")
        assert not shown or (folder / str(line.evidence)).is_file()
        assert not shown or (folder / str(line.evidence).replace("evidence", "crops")).is_file()
        lines.append(replace(line, evidence="pictured") if shown else line)
    there: dict[str, object] = {
        name: data
        for name, data in files(folder).items()
        if name.startswith(f"{LOOKS}/0") or name == "sheet.csv"
    }
    questions = json.loads((folder / "questions.json").read_text())
    for row in questions["questions"]:
        del row["picture"]
    return lines, there | {"questions": questions}, (folder / "report.html").read_text()


@pytest.mark.parametrize("why", SPOILT)
def test_without_usable_looks_answers_read_the_film_and_one_line_says_why(
    folder: Path,
    video: Path,
    why: str,
    film_with: Callable[[Sequence[Answer]], list[Event]],
    capfd: pytest.CaptureFixture[str],
) -> None:
    SPOILT[why](folder / LOOKS)
    question = asked(folder)[0]
    answers = answers_file(folder, {question.id: 2})
    assert score_again(video, folder, answers, ByColour(LIES)) == 0
    assert recorded(folder) == film_with([Answer(question.place, question.choices[1].events)])
    said = [line for line in capfd.readouterr().err.splitlines() if why in line]
    assert [line.endswith("the film is read again") for line in said] == [True]
    with opened(folder) as server:
        assert question.id not in ids(server)
    assert why not in capfd.readouterr().err, "they are kept anew"


@pytest.fixture
def answered(folder: Path, video: Path) -> Path:
    """A folder with the whole results of answers in it, which have not taken their place."""
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("service.commands.score.take_place", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            score_again(video, folder, answers, Blind())
    return folder


@pytest.mark.parametrize("moved", [0, 1, -6, -3, -1])
def test_a_folder_in_which_answers_have_taken_half_their_place_is_opened_whole(
    answered: Path, moved: int, tmp_path: Path
) -> None:
    question = asked(Path(shutil.copytree(answered, tmp_path / "whole")))[0]
    whole, before = recorded(tmp_path / "whole"), len(list((answered / LOOKS).iterdir()))
    count = len([path for path in (answered / "answered").rglob("*") if path.is_file()])
    left = iter(range(moved if moved >= 0 else count + moved))

    def replaced(one: Path, other: Path) -> None:
        next(left)  # the end of it is the interruption
        one.rename(other)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("service.film.mended.os.replace", replaced)
        with pytest.raises(StopIteration):
            take_place(answered)
    assert not (answered / LOOKS / ABOUT).exists()
    mended = MendedFolder(answered)
    assert (recorded(answered), mended.asked[0].id) == (whole, question.id)
    assert not (answered / "answered").exists()
    assert isinstance(mended.make_reader(), ExplainingReader)
    assert len(list((answered / LOOKS).iterdir())) == before


def test_answers_do_not_undo_what_a_person_put_right_since(answered: Path) -> None:
    line = {"type": "correct", "of": 2, "events": [], "source": "person"}
    with (answered / "record.jsonl").open("a") as record:
        record.write(json.dumps(line) + "\n")
    with pytest.raises(Refused, match="would undo what was put right"):
        MendedFolder(answered)


class Interrupted(ByColour):
    """Is interrupted by Ctrl-C once the looks of a hand are kept."""

    def __init__(self, folder: Path) -> None:
        super().__init__(LIES)
        self.folder = folder

    def read(self, *asked: Any) -> list[Detection]:
        if (self.folder / LOOKS).is_dir():
            raise KeyboardInterrupt
        return super().read(*asked)


def test_a_film_that_is_half_read_with_answers_is_not_explained_as_well(
    folder: Path, video: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / LOOKS / ABOUT).unlink()
    answers = answers_file(folder, {asked(folder)[0].id: 2})
    assert score_again(video, folder, answers, Interrupted(folder / "answered")) != 0
    assert "read again" in capfd.readouterr().err
    assert list((folder / "answered" / LOOKS).iterdir()), "there is a checkpoint"
    assert score_again(video, folder, answers, ByColour(LIES)) == 0
    assert "read again" not in capfd.readouterr().err
