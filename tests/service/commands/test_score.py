"""A video becomes a folder with its record, sheet, report and pictures, or nothing at all."""

from __future__ import annotations

import html
import io
import json
import os
import re
import sys
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.events import Correct, Discard, Entry, GameStart
from engine.seal import check_seals, last_seal
from engine.tiles import Tile
from service.commands.score import run
from service.evening.open_table import TableRequest, open_table
from service.machine.records import tell
from service.report.sheet import csv_file, to_csv
from service.table.options import Options
from service.table.reader import Reader
from tests.support.detectors import Blind
from tests.support.evening import ByColour
from tests.support.films import film
from tests.support.harbin_game import ENTRIES
from tests.support.placed_tiles import PlainLookResult, at
from tests.support.saved import saved_in
from tests.support.score_program import LIES, film_at, made
from tests.support.told_reader import ToldReader
from vision.camera.address import readable
from vision.camera.frames import Frame
from vision.camera.live import PacedFile
from vision.camera.pictures import SourceError
from vision.pipeline import TableReader

pytestmark = pytest.mark.film


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "friday.mp4", frames=14, fps=10)


def told() -> Reader:
    return ToldReader(ENTRIES)


def test_a_scored_game_is_a_folder(video: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = video.with_name("out")
    assert run([video], Options("harbin-hlr"), out, told) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "crops", "evidence", "made.json", "record.jsonl", "report.html", "sheet.csv"
    ]  # fmt: skip
    entries = read_record((out / "record.jsonl").read_text())
    assert [(entry.event, entry.t) for entry in entries] == [(e.event, e.t) for e in ENTRIES]
    assert (out / "sheet.csv").read_text() == csv_file(to_csv(tell(ENTRIES)))
    said = capfd.readouterr().out
    assert "hand 1: =1+1 wins from Anna; Anna −3, Bo −1, =1+1 +5, <b>D</b> −1" in said
    assert "1 problem; see" in said
    named = {entry.evidence for entry in entries if entry.evidence is not None}
    assert named == {f"evidence/{path.name}" for path in (out / "evidence").iterdir()}
    assert entries[3].evidence == "evidence/00003.jpg"
    holds_its_pictures_and_everything_that_was_said(out)


def holds_its_pictures_and_everything_that_was_said(out: Path) -> None:
    report = (out / "report.html").read_text()
    games = saved_in(out / "report.html")["games"]
    lines = [line for game in games for hand in game["hands"] for line in hand["lines"]]
    shown = [line["picture"] for line in lines if line["picture"] is not None]
    pictures = [picture.removeprefix("data:image/jpeg;base64,") for picture in shown]
    # Discards, claims, hand starts and wins; what cannot be seen has none.
    assert len(pictures) == len(list((out / "evidence").iterdir())) == 10
    for picture in pictures:
        image = cv2.imdecode(np.frombuffer(b64decode(picture), np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
    assert "=1+1 wins" in report
    # All but the start of the game and the draw, which is told with its discard.
    assert len(lines) == report.count('class="event"') == len(ENTRIES) - 2
    assert "and then Anna discards" in report
    assert "<b>D</b>" not in report
    elsewhere = re.findall(r'(?:src|href)="(?!data:|#)', report)
    assert elsewhere == []
    # Doubtful events are pointed out.
    assert '<a href="#e5">event 5</a></p>' in report.split('<p class="doubt">Please check')[1]
    assert "55\u00a0%</span>" in report
    text = (out / "record.jsonl").read_text()
    assert check_seals(text).whole
    assert saved_in(out / "report.html")["seal"] == last_seal(text)
    assert f"Seal of the record: {last_seal(text)}." in report


def test_players_are_named_where_the_record_does_not(video: Path) -> None:
    start = GameStart("harbin-hlr")
    unnamed = [replace(ENTRIES[0], event=start), *ENTRIES[1:]]
    out = video.with_name("named")
    players = " Eve,Fay,,O'Neil "
    assert (
        run([video], Options("harbin-hlr"), out, lambda: ToldReader(unnamed), players=players) == 0
    )
    (first, *_) = read_record((out / "record.jsonl").read_text())
    assert first.event == replace(start, players=("Eve", "Fay", "", "O'Neil"))
    assert "O&#39;Neil" in (out / "report.html").read_text()
    assert run([video], Options("harbin-hlr"), video.with_name("given"), told, players=players) == 0
    (first, *_) = read_record((video.with_name("given") / "record.jsonl").read_text())
    assert first.event == ENTRIES[0].event
    for wrong in ("Eve,Fay", ",,,", "x" * 41 + ",,,"):
        with pytest.raises(Refused, match=r"^--players .*such as Anna,Bo,Chen,Dana"):
            run([video], Options("harbin-hlr"), video.with_name("wrong"), told, players=wrong)


def test_what_was_taken_back_on_the_way_is_left_out(video: Path) -> None:
    fixed = Entry(Discard(3, Tile("8p")), t=0.5, source="camera")
    corrections = [
        Entry(Correct(6, (fixed,)), t=1.2, source="camera"),
        Entry(Correct(4, ()), t=1.2, source="camera"),
    ]
    out = video.with_name("out")
    run([video], Options("harbin-hlr"), out, lambda: ToldReader([*ENTRIES, *corrections]))
    entries = read_record((out / "record.jsonl").read_text())
    wanted = [*ENTRIES[:4], ENTRIES[5], fixed, *ENTRIES[7:]]
    assert [entry.event for entry in entries] == [entry.event for entry in wanted]
    games = saved_in(out / "report.html")["games"]
    (line,) = (
        line
        for game in games
        for hand in game["hands"]
        for line in hand["lines"]
        if line["number"] == 5
    )
    assert str(line["picture"]).startswith("data:image/jpeg")
    assert {"tile": "8p"} in line["told"]
    assert {f"evidence/{path.name}" for path in (out / "evidence").iterdir()} == {
        entry.evidence for entry in entries if entry.evidence is not None
    }


def test_what_there_is_of_a_film_that_is_cut_off_is_read_and_the_rest_said_to_be_missing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    video = film(tmp_path / "cut.mp4", frames=40, fps=10, movflags="faststart")
    video.write_bytes(video.read_bytes()[: video.stat().st_size * 2 // 5])
    assert run([video], Options("harbin-hlr"), tmp_path / "out", told) == 0
    missing = r"cut\.mp4 is cut off: the last 2\.\d of 4\.0 s are missing; the rest is read"
    assert len(re.findall(missing, capfd.readouterr().err)) == 1
    assert len(read_record((tmp_path / "out" / "record.jsonl").read_text())) == len(ENTRIES)
    wanted = TableRequest(PacedFile(video), told, GameStart("harbin-hlr"), tmp_path / "live.jsonl")
    with open_table(wanted):
        assert len(re.findall(missing, capfd.readouterr().err)) == 1


class FailingReader(ToldReader):
    """Finds no table after some frames."""

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        yield next(super().read(frames))
        raise SourceError("no table in the picture")


@pytest.mark.parametrize(
    "reader", [ToldReader([]), ToldReader(ENTRIES[:1]), FailingReader(ENTRIES[:1])]
)
def test_a_video_without_a_game_leaves_nothing(video: Path, reader: Reader) -> None:
    with pytest.raises((Refused, SourceError), match=r"no (game|table)"):
        run([video], Options("harbin-hlr"), video.with_name("out"), lambda: reader)
    assert list(video.parent.iterdir()) == [video]


def test_a_video_without_a_table_leaves_nothing(video: Path) -> None:
    def make() -> Reader:
        return TableReader(Blind(), "harbin-hlr")

    with pytest.raises(SourceError, match="no table was found"):
        run([video], Options("harbin-hlr"), video.with_name("out"), make)
    assert list(video.parent.iterdir()) == [video]


def test_tiles_are_kept_only_where_that_was_asked_for(
    video: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    nines = [at(x, "9m") for x in (100, 126, 152)]
    laid = [replace(tile, corners_px=tile.corners_px * np.float32(0.1)) for tile in nines]
    kept = video.with_name("kept")
    run([video], Options("harbin-hlr"), video.with_name("out"), lambda: ToldReader(ENTRIES, laid))
    assert "kept" not in capfd.readouterr().err
    assert not kept.exists()
    out = video.with_name("other")
    run([video], Options("harbin-hlr", keep_tiles=kept), out, lambda: ToldReader(ENTRIES, laid))
    assert "ask everybody first" in capfd.readouterr().err
    (line,) = map(json.loads, (kept / "tiles.jsonl").read_text().splitlines())
    # The rules accept the claim of the nine; the winning hand is not in the picture.
    assert [(tile["tile"], tile["by"]) for tile in line["tiles"]] == [("9m", "rules")] * 3


ODD = ["12:30.mp4", "100%d.mp4", "concat:x.mp4", "two\nlines.mp4"]
ODD += [os.fsdecode("\xb5\xda.mp4".encode("latin-1"))]


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
@pytest.mark.parametrize("name", ODD)
def test_a_film_of_any_name_is_scored_and_called_by_it(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    film(Path(name), frames=14, fps=10)
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="replace")
    monkeypatch.setattr(sys, "stdout", printed)
    assert run([Path(name)], Options("harbin-hlr"), None, told) == 0
    printed.flush()
    folder = Path(Path(name).stem)
    for path in (folder / "report.html", folder / "record.jsonl", folder / "sheet.csv"):
        path.read_bytes().decode()
    assert html.escape(readable(name)) in (folder / "report.html").read_text("utf-8")


def test_two_files_are_one_game_in_one_folder(tmp_path: Path) -> None:
    parts = [film(tmp_path / f"part{n}.mp4", frames=7, fps=10) for n in (1, 2)]
    out = tmp_path / "out"
    assert run(parts, Options("harbin-hlr"), out, told) == 0
    entries = read_record((out / "record.jsonl").read_text())
    assert [(entry.event, entry.t) for entry in entries] == [(e.event, e.t) for e in ENTRIES]
    assert "part1.mp4, part2.mp4" in (out / "report.html").read_text("utf-8")


def test_a_damaged_place_is_told_in_one_line_and_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = film_at(tmp_path / "friday.mp4")
    data = bytearray(video.read_bytes())
    middle = len(data) // 4  # while tiles are played
    data[middle : middle + len(data) // 20] = bytes(len(data) // 20)
    video.write_bytes(data)
    assert run([video], Options("harbin-hlr"), tmp_path / "out", made(ByColour(LIES))) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "damaged" in line]
    assert len(told) == 1
    assert re.search(r"the film is damaged from [\d.]+ to [\d.]+ s", told[0])
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    begun = re.search(r"damaged from (\d+)", told[0])
    assert begun is not None
    assert f"0:{int(begun[1]):02}" in report


def test_a_film_that_ends_behind_a_damaged_place_is_read_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = film_at(tmp_path / "friday.mp4", more_s=1.0)
    data = bytearray(video.read_bytes())
    index = data.rindex(b"moov") - 4
    data[index - 40_000 : index] = bytes(40_000)
    video.write_bytes(data)
    assert run([video], Options("harbin-hlr"), tmp_path / "out", made(ByColour(LIES))) == 0
    assert "the film is damaged from" in capsys.readouterr().err
