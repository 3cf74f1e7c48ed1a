"""A film of which large payouts are read a second time, from other frames."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.codec import read_record
from engine.events import Entry, Win
from engine.game import replay
from engine.second_reading import compared
from service.film.film import FilmScoring, FilmToScore
from service.film.kept_looks import explained_looks
from service.film.mended import MendedFolder, all_answers
from service.film.score_folder import ScoreFolder, rest_of
from service.report.public import Json
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from service.table.trusted import asked_payouts
from tests.support.live_table import KeptLines, in_loop
from tests.support.placed_tiles import PlainLookResult
from tests.support.won_film import MISREAD, RULES, TRUE, ByPlace, film_at, first_reader
from vision.camera.frames import Frame, Frames
from vision.camera.video_file import VideoFile
from vision.decoder.decoding import Decoding
from vision.decoder.question import QuestionTile

PAYS = 16
"""What each of the others pays."""
Score = Callable[..., tuple[Path, list[Json]]]


@pytest.fixture(scope="module")
def score(tmp_path_factory: pytest.TempPathFactory) -> Score:
    """Scores the film once for each way to read it."""
    video = film_at(tmp_path_factory.mktemp("won") / "friday.mp4")
    known: dict[tuple[object, ...], tuple[Path, list[Json]]] = {}

    def scored(read_as: str, least: int | None, again: str = TRUE) -> tuple[Path, list[Json]]:
        asked = (read_as, least, again)
        if asked not in known:
            film = FilmToScore(
                (video,),
                Options(RULES, read_twice=least),
                first_reader(read_as),
                nets=lambda: ByPlace(again),
            )
            folder = video.with_name(f"scored-{len(known)}")
            scoring = FilmScoring(film, folder)
            scoring.read(lambda until_s: None)
            known[asked] = folder, scoring.finish()
        return known[asked]

    return scored


def record(folder: Path) -> list[Entry]:
    return read_record((folder / "record.jsonl").read_text())


def win(folder: Path) -> Entry:
    return next(one for one in record(folder) if isinstance(one.event, Win))


def test_a_misread_win_is_asked_and_says_why(score: Score) -> None:
    folder, asked = score(MISREAD, PAYS)
    (question,) = asked
    said = json.loads((folder / "questions.json").read_text())["questions"]
    assert [one["why"] for one in said] == [
        "Read again, the five of characters reads as two of characters."
    ]
    choices: Any = question["choices"]
    told, other, nothing = choices
    assert "5m" in told["events"][0]["hand"]
    assert "5m" not in other["events"][0]["hand"]
    assert other["events"][0]["hand"][0] == "2m"
    assert nothing["events"] == []
    assert "Read again" in (folder / "report.html").read_text()
    (one,) = asked_payouts(None, replay(record(folder)), 0, ())
    assert isinstance(one.entry.event, Win)


def test_a_win_that_is_read_alike_is_told(score: Score) -> None:
    folder, asked = score(TRUE, PAYS)
    assert asked == []
    again = win(folder).again
    assert again is not None
    assert sorted(again[0].tiles) == sorted(ByPlace(TRUE).faces)
    assert [one.agrees for one in compared(replay(record(folder)))] == [True]
    report = (folder / "report.html").read_text()
    assert "1 payout was read twice." in report
    assert "Read twice." in report


def test_what_is_not_seen_again_is_asked(score: Score) -> None:
    _, asked = score(TRUE, PAYS, TRUE.replace("22p", "2p ?"))
    assert [one["why"] for one in asked] == ["Not all of its tiles were seen a second time."]


def test_below_the_limit_nothing_is_read_again(score: Score) -> None:
    off, _ = score(MISREAD, None)
    below, asked = score(MISREAD, PAYS + 1)
    assert asked == []
    assert (below / "record.jsonl").read_bytes() == (off / "record.jsonl").read_bytes()
    assert win(off).again is None


def test_the_rest_of_the_record_is_the_same(score: Score) -> None:
    plain = record(score(TRUE, None)[0])
    twice = record(score(TRUE, PAYS)[0])
    assert [replace(one, again=None) for one in twice] == plain


def test_the_folder_asks_it_until_somebody_looks(score: Score) -> None:
    folder, (question,) = score(MISREAD, PAYS)
    assert [one.id for one in MendedFolder(folder).asked] == [question["id"]]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_was_answered_is_not_asked_again(score: Score, tmp_path: Path, number: int) -> None:
    """The film is explained anew by what its folder keeps, without a picture."""
    folder = tmp_path / "answered"
    shutil.copytree(score(MISREAD, PAYS)[0], folder)
    said = json.loads((folder / "questions.json").read_text())
    said["questions"][0]["answer"] = number
    (folder / "answers.json").write_text(json.dumps(said))
    answers = all_answers(folder / "answers.json", folder)
    kept = explained_looks(folder, answers)
    film = FilmToScore((), Options(RULES, read_twice=PAYS), first_reader(MISREAD), answers)
    scoring = FilmScoring(replace(film, kept=kept, fingerprint=""), folder / "answered")
    scoring.read(lambda until_s: None)
    assert scoring.finish() == []
    assert [one.event for one in kept.decoding.told if isinstance(one.event, Win)] == [
        one.event for one in record(folder / "answered") if isinstance(one.event, Win)
    ]


class Kept:
    """What is kept of a reader."""

    rests = True

    def read(self, frames: Frames) -> Iterator[PlainLookResult]:
        raise AssertionError("nothing is read")

    def keep(self) -> bytes:
        return b""

    def go_on(self, kept: bytes) -> None:
        raise AssertionError("nothing is read")


def test_where_tiles_lay_is_known_after_an_interruption(tmp_path: Path) -> None:
    """The picture of a question shows them, also of a hand before it."""
    corners = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.3), (0.1, 0.3))
    lying = {"opened@9.4@0,1": (QuestionTile(corners, face_up=True, first_s=9.4),)}
    frame = Frame(np.zeros((36, 64, 3), np.uint8), 10.0, 1)
    reading = PlainLookResult(frame, decoding=Decoding(lying=lying))
    growing = ScoreFolder(tmp_path / "scored", {})
    growing.add(reading)
    growing.keep(reading, Kept())
    growing.close_record()
    rest = rest_of(tmp_path / "scored", {})
    assert rest is not None
    again = ScoreFolder(tmp_path / "scored", {}, rest)
    again.close_record()
    assert again.lying == lying


@pytest.mark.parametrize(("read_as", "asked"), [(TRUE, 0), (MISREAD, 1)], ids=["alike", "misread"])
@in_loop
async def test_a_table_reads_its_last_frames_again(
    tmp_path: Path, read_as: str, asked: int
) -> None:
    """The frames of a film, as those of a camera: none can be asked for once it is past."""
    nets = ByPlace()
    options = Options(RULES, read_twice=PAYS)
    settings = TableSettings(RULES, "camera", options, nets=lambda: nets)
    frames = VideoFile(film_at(tmp_path / "friday.mp4")).frames()
    table = LiveTable(first_reader(read_as)(), frames, KeptLines(), settings)
    await table.run()
    assert len(table.asked()) == asked
    (entry,) = [one for one in table.game.entries if isinstance(one.event, Win)]
    assert entry.again is not None
    assert [str(one) for one in entry.again[0].tiles] == list(nets.faces)
    assert len(nets.read_px) == 2
