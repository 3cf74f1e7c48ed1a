"""``tilesight archive`` from films to hands, as a person types it."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from sqlalchemy import select, update

from service.archive.films import ReadingSettings
from service.archive.ledger import Ledger
from service.archive.worker import Worker
from service.commands import archive
from service.commands.options import DATABASE
from service.hall.database import open_database
from service.hall.database_schema import READINGS, SEATS
from service.main import run
from tests.support.archive_worker import PROGRAM, reader_of
from tests.support.paths import ROOT
from tests.support.score_program import HANDS, RULES, film_at


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with films, in which commands are typed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(archive, "PROGRAM", PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "films").mkdir()
    film_at(tmp_path / "films" / "friday.mp4")
    (tmp_path / "films" / "notes.txt").write_text("no film")
    (tmp_path / "films" / "broken.mp4").write_text("no film either")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["archive", *arguments]) == code
    said = capsys.readouterr()
    return said.err if code else said.out


def test_from_films_to_hands_answers_and_changes(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("--rules", RULES, "--players", "Anna,Bo,,Dana")
    assert "2 films added; 0 were" in told(capsys, "add", "films", *named)
    assert "0 films added; 2 were" in told(capsys, "add", "films/*.mp4", "--rules", RULES)
    said = told(capsys, "run", "--work", "work")
    assert f"1 film read, 0 being read, 0 waiting, 1 set aside; {HANDS} hands" in said
    assert "broken.mp4 cannot be read as a video" in said
    written = told(capsys, "export")
    assert written.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(written[1:])))
    assert [(row["film"], row["outcome"]) for row in rows] == [("friday.mp4", "draw")] * HANDS
    assert float(rows[0]["begun_s"]) < float(rows[0]["ended_s"]) < float(rows[1]["begun_s"])
    assert told(capsys, "export", "--sure").count("\n") == 1 + sum(
        row["questions"] == row["problems"] == "0" for row in rows
    )
    assert told(capsys, "export", "--player", "Nobody").count("\n") == 1
    assert told(capsys, "export", "--player", "Dana").count("\n") == 1 + HANDS
    told(capsys, "add", "films/friday.mp4", "--rules", RULES, "--players", "Anna,Bo,Chen,Eve")
    assert told(capsys, "export", "--player", "Dana").count("\n") == 1
    told(capsys, "questions", "--out", "open.json")
    asked = json.loads(Path("open.json").read_text())
    # Of one event, and why each of the two hands is over, of which nobody showed the end.
    assert [one["film"] for one in asked["questions"]] == ["friday.mp4"] * 3
    for one in asked["questions"]:
        one["answer"] = 1
    Path("open.json").write_text(json.dumps(asked))
    assert "1 film is read again" in told(capsys, "questions", "--answers", "open.json")
    said = told(capsys, "run", "--work", "work")
    assert f"{HANDS} hands" in said
    assert "0 questions open" in said
    told(capsys, "changes")
    assert "1 film waits again" in told(capsys, "retry")


def test_a_hand_that_is_read_otherwise_is_named(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys, "add", str(film_at(place / "friday.mp4", hands=1)), "--rules", RULES)
    engine = open_database(DATABASE)
    ledger = Ledger(engine)
    worker = Worker(ledger, place / "work", reader_of=reader_of)
    for again in (True, False):
        lease = ledger.claim("here", 60)
        assert lease is not None
        worker.read(lease)
        if again:
            ledger.reread([lease.reading_id])
    seat = SEATS.c.seat == 2
    with engine.begin() as connection:  # as if the first reading had paid otherwise
        connection.execute(update(SEATS).where(SEATS.c.game_id == 1, seat).values(points=3))
    engine.dispose()
    (line,) = told(capsys, "changes").splitlines()
    assert line == "friday.mp4, game 1, hand 1: points_2 3 is now 0"


def test_the_hands_are_written_as_parquet(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    told(capsys, "add", str(film_at(place / "friday.mp4", hands=1)), "--rules", RULES)
    told(capsys, "run", "--work", "work")
    told(capsys, "export", "--out", "hands.parquet")
    table = parquet.read_table("hands.parquet")
    assert table.column("points_0").to_pylist() == [0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "nowhere", "--rules", RULES), "nowhere: there is nothing; check the path"),
        (("add", "empty", "--rules", RULES), "empty: there is no film; expected"),
        (("add", "films", "--rules", "whist"), "there is no rule set 'whist'"),
        (("add", "films", "--rules", RULES, "--set", "films/notes.txt"), "notes.txt"),
        (("add", "films", "--rules", "sichuan", "--option", "steak=2"), "--option: "),
        (("add", "films", "--rules", "sichuan", "--option", "stake=much"), "--option: "),
        (("add", "films", "--rules", "whist", "--option", "stake=2"), "there is no rule set"),
        (("run",), "there is no database tilesight-archive.sqlite3"),
        (("status", "--database", "films/notes.txt"), "cannot use the database"),
        (("questions", "--answers", "films/notes.txt"), "there is no database"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    place: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    Path("empty").mkdir()
    said = told(capsys, *arguments, code=2)
    assert says in said
    assert said.count("\n") == 1


def test_a_film_is_read_by_the_house_rules_it_was_added_with(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = ("add", "films/friday.mp4", "--rules", "sichuan")
    typed = ("--option", "stake=5", "--option", "extra_patterns=outside,concealed")
    assert "1 film added" in told(capsys, *plain, *typed)
    assert "0 films added" in told(capsys, *plain, *typed[2:], *typed[:2])
    assert "1 film added" in told(capsys, *plain)
    engine = open_database(DATABASE)
    with engine.connect() as connection:
        rows = connection.execute(select(READINGS.c.settings, READINGS.c.settings_hash)).all()
    engine.dispose()
    settings = [ReadingSettings.of_json(row.settings) for row in rows]
    agreed = {"stake": 5, "extra_patterns": ("outside", "concealed")}
    assert [dict(one.house_rules) for one in settings] == [agreed, {}]
    assert [one.hash for one in settings] == [row.settings_hash for row in rows]
    assert "house_rules" not in rows[1].settings
    reader = settings[0].reader(Path)
    assert reader.options == agreed


@pytest.mark.parametrize("given", [b"\xff", b"\xff/caf\xe9 100%41.mp4", b"\xff/*.mp4"])
def test_a_film_whose_name_is_no_text_is_read_and_shown_with_replacements(
    place: Path, capsys: pytest.CaptureFixture[str], given: bytes
) -> None:
    Path(os.fsdecode(b"\xff")).mkdir()
    film_at(Path(os.fsdecode(b"\xff/caf\xe9 100%41.mp4")), hands=1)
    out = os.fsdecode(b"r\xe9sultats")
    for count in (1, 0):
        added = told(capsys, "add", os.fsdecode(given), "--rules", RULES, "--out", out)
        assert f"{count} film" in added
    assert "1 film read" in told(capsys, "run", "--work", "work")
    shown = "caf\N{REPLACEMENT CHARACTER} 100%41"
    (row,) = csv.DictReader(io.StringIO(told(capsys, "export")))
    assert row["film"] == f"{shown}.mp4"
    assert [path.name for path in Path(out).iterdir()] == [f"{shown}.1"]
    assert (Path(out) / f"{shown}.1" / "record.jsonl").is_file()


def test_what_is_wrong_with_it_names_it_with_replacements(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(os.fsdecode(b"films/\xff.mp4")).write_text("this is no film")
    told(capsys, "add", os.fsdecode(b"films/\xff.mp4"), "--rules", RULES)
    said = told(capsys, "run", "--work", "work")
    assert "films/\N{REPLACEMENT CHARACTER}.mp4: " in said
    assert "cannot be read as a video" in said


def test_a_picture_is_no_film_of_an_archive(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("films/table.jpg", "films/table.mp4"):
        Path(name).write_bytes(cv2.imencode(".jpg", np.zeros((9, 16, 3), np.uint8))[1].tobytes())
        said = told(capsys, "add", name, "--rules", RULES, code=2)
        assert "this is a picture; add videos" in said
        assert len(said.splitlines()) == 1
