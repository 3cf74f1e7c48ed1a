"""Pictures are kept where something changed, and show the settled table an event changed."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from engine.events import Discard, Draw, Entry, Event, Indicator, Pung, Win
from engine.tiles import Tile
from service.table.evidence import KEPT, WIDTH_PX, Album, changed
from service.table.gallery import LEFT_FREE, Gallery, gallery_beside
from tests.support.placed_tiles import PlainLookResult, at, look
from vision.camera.frames import Frame
from vision.draw import DrawableTile
from vision.tiles.classes import Side


def filled(gallery: Gallery, seconds: int) -> Gallery:
    for second in range(seconds):
        gallery.add(look(float(second), at(second * 30, "5m")))
    return gallery


def test_a_picture_is_kept_where_something_changed(tmp_path: Path) -> None:
    gallery = Gallery(tmp_path / "pictures")
    gallery.add(look(0.0, at(0, "5m")))
    gallery.add(look(1.0, at(0, "5m")))  # the same tiles
    gallery.add(look(1.2, at(0, "5m"), at(90, "6m")))
    gallery.add(look(1.3, at(0, "5m")))  # too soon
    assert [shot.time_s for shot in gallery.between(0, 9)] == [0.0, 1.2]
    assert len(list((tmp_path / "pictures").iterdir())) == 2


def test_the_picture_of_a_moment_shows_it_settled(tmp_path: Path) -> None:
    gallery = filled(Gallery(tmp_path), 5)
    found = [gallery.at(moment) for moment in (-1.0, 2.0, 2.1, 9.0)]
    assert [shot.time_s for shot in found if shot is not None] == [0.0, 2.0, 3.0, 4.0]
    # A clip begins with what lay there before.
    assert [shot.time_s for shot in gallery.between(1.5, 3.0)] == [1.0, 2.0, 3.0]
    assert Gallery(tmp_path / "none").at(1.0) is None


def test_what_was_kept_is_found_after_a_restart(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    before = filled(gallery_beside(record), 3)
    (before.folder / "notes.txt").write_text("by hand")
    after = gallery_beside(record)
    assert after.between(0, 9) == before.between(0, 9)
    after.add(look(0.0), since_s=10.0)
    shots = after.between(0, 20)
    assert [(shot.number, shot.time_s) for shot in shots] == [(0, 0), (1, 1), (2, 2), (3, 10)]
    assert all((after.picture(shot.number) or b"").startswith(b"\xff\xd8") for shot in shots)
    assert after.picture(99) is None


def test_older_pictures_make_room(tmp_path: Path) -> None:
    gallery = filled(Gallery(tmp_path, most=8), 40)
    shots = gallery.between(0, 99)
    assert len(shots) <= 8
    assert [shot.time_s for shot in shots[-4:]] == [36, 37, 38, 39]
    assert len(list(tmp_path.iterdir())) == len(shots)


def test_a_folder_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.write_text("a file stands in its place")
    gallery = filled(Gallery(folder), 2)
    assert (gallery.full, gallery.between(0, 9)) == (True, [])
    folder.unlink()
    gallery.add(look(9.0))
    assert not gallery.full


def test_the_last_of_a_disk_is_left_to_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=LEFT_FREE))
    gallery = filled(Gallery(tmp_path / "kept"), 2)
    assert gallery.full
    assert list((tmp_path / "kept").iterdir()) == []


def test_pictures_that_somebody_deletes_are_gone(tmp_path: Path) -> None:
    gallery = filled(Gallery(tmp_path / "kept"), 2)
    shutil.rmtree(tmp_path / "kept")
    assert gallery.picture(0) is None
    gallery.add(look(9.0))
    assert gallery.picture(2) is not None


def test_it_keeps_what_the_album_of_a_report_would(tmp_path: Path) -> None:
    gallery, album = Gallery(tmp_path), Album()
    for tenth in range(60):
        seen = look(tenth / 10, *(at(30 * place, "5m") for place in range(tenth // 7)))
        gallery.add(seen)
        album.add(seen)
    assert len(gallery.between(0, 9)) == len(album)


def frame(time_s: float, index: int = 0, width: int = 960) -> Frame:
    return Frame(np.full((540, width, 3), (40, 90, 40), np.uint8), time_s, index)


BEFORE = (at(100, "5m"), at(200, "5m"), at(300, "7p"))


@pytest.mark.parametrize(
    ("event", "after", "places"),
    [
        (Discard(0, Tile("5m")), (*BEFORE, at(400, "5m")), (3,)),
        (Discard(0, Tile("5m")), (at(400, "5m"), *BEFORE), (0,)),
        (Discard(0, Tile("5m")), BEFORE, ()),  # not seen: nothing to point at
        (Discard(0, Tile("1f")), (*BEFORE, at(400, "1f")), (3,)),
        (Indicator(Tile("8f"), "dora"), (*BEFORE, at(400, "1f")), (3,)),
        # The claimed tiles have moved to the corner, side by side.
        (
            Pung(2, 0, Tile("5m"), (Tile("5m"), Tile("5m"))),
            (at(300, "7p"), at(600, "5m"), at(626, "5m"), at(652, "5m")),
            (1, 2, 3),
        ),
        # A winning discard may stay where it lies.
        (Win(1, 0, Tile("7p")), BEFORE, (2,)),
        (Discard(0, Tile("5m")), (*BEFORE, at(400, "?", Side.BACK)), ()),
    ],
)
def test_the_tiles_of_an_event_are_found(
    event: Event, after: tuple[DrawableTile, ...], places: tuple[int, ...]
) -> None:
    assert changed(event, BEFORE, after) == places


@pytest.fixture
def album() -> Album:
    album = Album()
    for number in range(20):
        # A tile that is pushed about keeps the pictures from being all alike.
        tiles = [*BEFORE, at(800 + 5 * number, "4s")]
        if number >= 10:
            tiles.append(at(700, "2s"))
        album.add(PlainLookResult(frame(number / 2, number * 15), tuple(tiles)))
    return album


def picture(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image.astype(np.uint8)


@pytest.mark.parametrize(
    "entry",
    [
        Entry(Discard(0, Tile("2s")), t=5.0),
        Entry(Discard(0, Tile("2s")), evidence=150),
        Entry(Discard(0, Tile("2s")), t=4.8),
    ],
    ids=["by time", "by frame", "by the time after"],
)
def test_an_event_of_the_past_is_shown_as_it_was_then(album: Album, entry: Entry) -> None:
    evidence = album.evidence(entry)
    assert evidence is not None
    assert picture(evidence.whole).shape == (540, 960, 3)
    part = picture(evidence.part)
    assert part.shape[1] < 300, "only the surroundings of the new tile"
    red = (part[..., 2] > 180) & (part[..., 1] < 110)
    assert red.sum() > 30, "the new tile is ringed"


@pytest.mark.parametrize(
    "entry",
    [Entry(Draw(0, Tile("?")), t=5.0), Entry(Discard(0, Tile("2s")), t=-30.0)],
    ids=["cannot be seen", "too long ago"],
)
def test_some_events_have_no_picture(album: Album, entry: Entry) -> None:
    assert album.evidence(entry) is None


def test_large_pictures_are_kept_smaller() -> None:
    album = Album()
    album.add(PlainLookResult(frame(0.0, width=3840), (at(1000, "2s"),)))
    evidence = album.evidence(Entry(Discard(0, Tile("2s")), t=0.0))
    assert evidence is not None
    assert picture(evidence.whole).shape == (225, WIDTH_PX, 3)


def test_what_does_not_change_is_kept_once() -> None:
    album = Album()
    for number in range(30):
        album.add(PlainLookResult(frame(number / 2), BEFORE))
    assert len(album) == 1


def test_memory_does_not_grow_with_the_length_of_the_game() -> None:
    album = Album()
    for number in range(KEPT * 2):
        album.add(
            PlainLookResult(
                Frame(np.zeros((4, 4, 3), np.uint8), number, number), (at(number, "2s"),)
            )
        )
    album.add(PlainLookResult(Frame(np.zeros((4, 4, 3), np.uint8), number + 0.1, number), ()))
    assert len(album) == KEPT
