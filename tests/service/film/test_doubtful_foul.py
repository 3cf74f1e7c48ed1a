"""A foul that the reader did not surely see: the report of a film accuses nobody, and asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.events import Discard, Entry, Event, Foul, GameStart, HandStart
from engine.tiles import Tile
from service.commands.score import run
from service.film.film import FilmScoring, FilmToScore
from service.film.mended import MendedFolder
from service.table.options import Options
from tests.support.films import film
from tests.support.saved import saved_in
from tests.support.told_reader import ToldReader
from vision.decoder.question import Answer, EventPlace

FOUL = Foul(2, "two_discards", (Tile("9s"),))
CHANGE = "put@1.0@10,20"


def lines(confidence: float) -> list[Entry]:
    """Eight discards that were surely seen, and then one out of turn."""
    events: list[Event] = [GameStart("wsom"), HandStart(0)]
    events += [Discard(at % 4, Tile(f"{1 + at // 4}m")) for at in range(8)]
    seen = [
        Entry(event, 0.1 * at, 1.0, source="camera", change=f"put@{0.1 * at:.1f}@10,20")
        for at, event in enumerate(events)
    ]
    return [*seen, Entry(FOUL, 1.0, confidence, source="camera", change=CHANGE)]


def scored(folder: Path, confidence: float) -> Path:
    video, out = film(folder / "friday.mp4", frames=14, fps=10), folder / "scored"
    assert run([video], Options("wsom"), out, lambda: ToldReader(lines(confidence))) == 0
    return out


@pytest.mark.parametrize("events", [(FOUL,), ()], ids=["it was so", "nothing happened"])
def test_what_was_answered_is_not_asked_again(tmp_path: Path, events: tuple[Event, ...]) -> None:
    place = EventPlace.of_id(CHANGE)
    assert place is not None
    video = film(tmp_path / "friday.mp4", frames=14, fps=10)
    answers = [Answer(place, events)]
    given = FilmToScore((video,), Options("wsom"), lambda: ToldReader(lines(0.2)), answers)
    scoring = FilmScoring(given, tmp_path / "scored")
    scoring.read(lambda until_s: None)
    assert scoring.finish() == []


def asked_in(folder: Path) -> list[Any]:
    page = saved_in(folder / "report.html")
    found: list[Any] = page["questions"]
    return found


def test_the_report_asks_whether_it_was_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = scored(tmp_path, 0.2)
    assert "0 problems" in capfd.readouterr().out
    (asked,) = json.loads((folder / "questions.json").read_text())["questions"]
    assert asked["id"] == CHANGE
    assert [one["share"] for one in asked["choices"]] == [0.2, 0.8]
    assert [len(one["events"]) for one in asked["choices"]] == [1, 0]
    (shown,) = asked_in(folder)
    assert shown["number"] == asked["number"] == 10
    assert [one.id for one in MendedFolder(folder).asked] == [CHANGE]


def test_one_that_was_surely_seen_is_a_problem(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = scored(tmp_path, 0.99)
    assert "1 problem" in capfd.readouterr().out
    assert not (folder / "questions.json").exists()
    assert asked_in(folder) == []
