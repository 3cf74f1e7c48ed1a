"""A recording that is opened on the set-up page is told as ``tilesight score`` tells it."""

from __future__ import annotations

from pathlib import Path

from engine.codec import read_record
from engine.events import Correct, Event, GameEnd, HandEnd
from engine.log import in_force
from service.scoring.film import FilmScoring, FilmToScore
from service.setup.open_table import ReaderMaker
from tests.support.evening import SMALL_VIEW, ByColour
from tests.support.patience import until
from tests.support.score_program import HANDS, LIES, RULES, film_at
from tests.support.setting_up import set_up_at
from vision.pipeline import TableReader


def told(record: Path) -> list[tuple[Event, float | None]]:
    """The events of a record so far that are in force, with their times."""
    lines = record.read_text("utf-8") if record.exists() else ""
    stood = (event.entry for event in in_force(read_record(lines[: lines.rfind("\n") + 1])))
    return [(one.event, one.t) for one in stood if not isinstance(one.event, Correct)]


def test_the_page_and_score_read_a_recording_alike(tmp_path: Path) -> None:
    film = film_at(tmp_path / "friday.mp4")
    with set_up_at(tmp_path, lambda: ByColour(LIES)) as setting:
        setting.ask("/api/setup/source", {"kind": "recording", "name": film.name})
        corners = [list(corner) for corner in SMALL_VIEW.corners_px]
        until(lambda: setting.ask("/api/setup/corners", {"corners": corners})["status"] == 200)
        setting.check("by_person")
        begun = setting.ask("/api/setup/start", {"rules": RULES, "hurry": True})
        assert begun["status"] == 200, begun
        (wanted,) = setting.began
        until(lambda: any(isinstance(event, GameEnd) for event, _ in told(wanted.record)))
        played = told(wanted.record)
    reader = wanted.make_reader()
    assert isinstance(reader, TableReader)
    maker = ReaderMaker(RULES, reader.view, None, detector=ByColour(LIES)).of_recordings()
    scoring = FilmScoring(FilmToScore(film, RULES, maker), tmp_path / "scored")
    scoring.read(lambda time_s: None)
    scoring.finish()
    assert told(tmp_path / "scored" / "record.jsonl") == played
    assert sum(isinstance(event, HandEnd) for event, _ in played) == HANDS
