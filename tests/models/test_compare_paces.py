"""What a film gives as a recording is compared with what it gives live, or with the truth."""

from __future__ import annotations

import json
from pathlib import Path

import compare_paces
import pytest
from compare_paces import compared, main

from engine.codec import event_to_json, write_record
from engine.events import Discard, Entry, GameStart, HandStart
from engine.tiles import Tile
from tests.support.films import film
from vision.attention.schedule import LIVE, RECORDED, Schedule
from vision.camera.video_file import VideoFile


def discard(tile: str, t: float) -> Entry:
    return Entry(Discard(0, Tile(tile)), t=t)


def test_two_ways_of_reading_are_compared_with_the_truth_or_with_each_other() -> None:
    start = (Entry(GameStart("harbin-hlr"), t=0.0), Entry(HandStart(), t=0.1))
    true = (*start, discard("1m", 1.0), discard("2m", 2.0), discard("3m", 3.0))
    told = {"recorded": (*true[:3], true[4]), "live": (*true, discard("9p", 4.0))}
    beside = compared(told, true)
    assert [event_to_json(one)["tile"] for one in beside["recorded"].against.missing] == ["2m"]
    assert beside["recorded"].against.recall == 4 / 5
    assert beside["live"].against.recall == 1.0
    assert beside["live"].against.precision == 5 / 6
    other = compared(told, None)
    assert [event_to_json(one)["tile"] for one in other["recorded"].against.missing] == ["2m", "9p"]
    assert other["live"].against.recall == 1.0


def test_a_film_is_read_both_ways_and_what_each_lost_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    video = film(tmp_path / "game.mp4")
    true = (Entry(GameStart("harbin-hlr")), Entry(HandStart()), discard("1m", 1.0))
    (tmp_path / "seen.jsonl").write_text(write_record(true), encoding="utf-8")
    paces = []

    def told_of(source: VideoFile, pace: Schedule, *_: object) -> tuple[Entry, ...]:
        paces.append(pace)
        return true if pace is LIVE else true[:2]

    monkeypatch.setattr(compare_paces, "told_of", told_of)
    assert main([str(video), "--rules", "harbin-hlr"]) == 0
    assert paces == [RECORDED, LIVE]
    assert capsys.readouterr().out.splitlines()[-1] == "recorded: lost discard seat=0 tile=1m"
    assert main([str(video), "--rules", "harbin-hlr", "--json"]) == 0
    recorded, live = json.loads(capsys.readouterr().out)
    assert (recorded["way"], recorded["matched"], live["lost"]) == ("recorded", 2, [])
