"""A source that is tried out, and a recording that is read as by score."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.codec import read_record
from engine.events import Correct, Event, GameEnd, HandEnd
from engine.log import in_force
from service.evening.preview import PictureCheck, SourcePreview
from service.film.film import FilmScoring, FilmToScore
from service.table.options import Options
from service.table.reader_maker import ReaderMaker
from service.texts.catalogue import texts_of
from tests.support.detectors import Blind, Hands, LeftDark, Still
from tests.support.evening import ByColour
from tests.support.felt_film import laid_table
from tests.support.patience import PATIENCE_S, until
from tests.support.score_program import HANDS, LIES, RULES, film_at
from tests.support.setting_up import set_up_at
from tests.support.tables import SMALL_VIEW
from vision.camera.frames import Frames
from vision.camera.pictures import Picture
from vision.detect import Detection
from vision.errors import WeightsError
from vision.pipeline import TableReader
from vision.table.quality import QualityGrade
from vision.table.view import TableView

SQUARE = TableView(((360, 80), (920, 80), (920, 640), (360, 640)), (800, 800), (1280, 720))
GREEN, BROWN = (70, 120, 40), (60, 90, 130)


class Late(Blind):
    """Sees nothing, and that only when it is told to go on."""

    def __init__(self, loaded: threading.Event) -> None:
        super().__init__()
        self._loaded = loaded

    def read(self, image_bgr: Picture, *_: Any, **__: Any) -> list[Detection]:
        self._loaded.wait(PATIENCE_S)
        return super().read(image_bgr)


def plain() -> Picture:
    return np.full((720, 1280, 3), GREEN, np.uint8)


def felt(low: tuple[int, int], high: tuple[int, int]) -> Picture:
    picture = np.full((720, 1280, 3), BROWN, np.uint8)
    cv2.rectangle(picture, low, high, GREEN, -1)
    return picture


@pytest.fixture
def tried() -> Iterator[Callable[[Still, Blind], SourcePreview]]:
    made: list[SourcePreview] = []

    def trying(source: Still, detector: Blind) -> SourcePreview:
        made.append(SourcePreview(source, lambda: detector))
        return made[-1]

    yield trying
    for each in made:
        each.close()


def checked(preview: SourcePreview, wanted: Callable[[PictureCheck], bool]) -> PictureCheck:
    def check() -> PictureCheck | None:
        found = preview.check()
        return found if found is not None and wanted(found) else None

    seen = until(check)
    assert seen is not None
    return seen


def test_a_table_without_a_square_edge_is_found_by_its_hands(
    tried: Callable[[Still, Blind], SourcePreview],
) -> None:
    check = checked(tried(Still(plain()), Hands(SQUARE)), lambda check: check.view is not None)
    assert check.view is not None
    assert np.abs(check.view.field_px - SQUARE.field_px).max() < 0.06 * 560


def test_where_no_table_is_found_it_is_said_once_the_tiles_have_been_looked_for(
    tried: Callable[[Still, Blind], SourcePreview],
) -> None:
    loaded = threading.Event()
    preview = tried(Still(plain()), Late(loaded))
    first = checked(preview, lambda check: True)
    assert (first.view, first.read) == (None, False)
    loaded.set()
    assert checked(preview, lambda check: check.read).view is None


def test_a_table_that_is_gone_is_shown_no_longer(
    tried: Callable[[Still, Blind], SourcePreview], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.evening.preview.KEPT_S", 0.2)
    source = Still(felt((360, 80), (920, 640)))
    preview = tried(source, Blind())
    checked(preview, lambda check: check.view is not None)
    source.picture = plain()
    checked(preview, lambda check: check.view is None)


class Swinging(Still):
    """A camera that hangs on a boom."""

    def frames(self, step_s: float = 0.0) -> Frames:
        for frame in super().frames(step_s):
            off_px = 12 * np.sin(2 * np.pi * 0.8 * frame.time_s)
            move = np.array([[1.0, 0.0, off_px], [0.0, 1.0, 0.0]])
            moved = cv2.warpAffine(frame.image_bgr, move, (1280, 720))
            yield replace(frame, pixels=np.asarray(moved, np.uint8))


def test_the_light_step_says_how_far_the_camera_swings_and_what_to_do(
    tried: Callable[[Still, Blind], SourcePreview],
) -> None:
    table = np.asarray(
        cv2.resize(laid_table(), (1280, 720), interpolation=cv2.INTER_AREA), np.uint8
    )

    def swing(check: PictureCheck) -> list[str]:
        named = [finding for finding in check.findings if finding.name == "swing"]
        return [one.shown for one in named if one.grade is QualityGrade.POOR]

    check = checked(tried(Swinging(table), Blind()), lambda check: bool(swing(check)))
    (tile_widths,) = swing(check)
    assert 0.15 <= float(tile_widths) < 0.8
    assert "fix the arm" in texts_of("en")["page.setup.swing.poor"]


def test_a_camera_that_mirrors_is_noticed_and_put_right(
    tried: Callable[[Still, Blind], SourcePreview], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.evening.preview.READ_S", 0.0)
    picture = felt((360, 80), (920, 640))
    picture[:, -100:] = 0
    preview = tried(Still(picture), LeftDark())

    def warned(check: PictureCheck) -> list[str]:
        return [finding.name for finding in check.findings if "mirrored" in finding.name]

    first = checked(preview, lambda check: bool(warned(check)))
    assert (warned(first), first.mirrored, first.findings[0].grade) == (["mirrored"], False, "bad")
    preview.set_mirrored(True)
    right = checked(preview, lambda check: check.read and check.view is not None)
    assert (warned(right), right.mirrored) == ([], True)
    shown = cv2.imdecode(np.frombuffer(preview.picture(), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown[:, :90].mean() < 20
    preview.set_mirrored(False)
    checked(preview, lambda check: warned(check) == ["mirrored"])


def test_weights_that_cannot_be_loaded_are_said() -> None:
    def load() -> Blind:
        raise WeightsError(Path("finder.onnx"), "not asked")

    preview = SourcePreview(Still(plain()), load)
    checked(preview, lambda check: preview.problem is not None)
    preview.close()
    assert "there is no such file" in str(preview.problem)


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
    scoring = FilmScoring(FilmToScore((film,), Options(RULES), maker), tmp_path / "scored")
    scoring.read(lambda time_s: None)
    scoring.finish()
    assert told(tmp_path / "scored" / "record.jsonl") == played
    assert sum(isinstance(event, HandEnd) for event, _ in played) == HANDS
