"""Evidence shows the settled table and points at what the event changed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.events import Discard, Draw, Entry, Event, Indicator, Pung, Win
from engine.tiles import Tile
from service.table.evidence import KEPT, WIDTH_PX, Album, changed
from service.table.reader import PlainLookResult
from tests.support.placed_tiles import at
from vision.camera.frames import Frame
from vision.draw import DrawableTile
from vision.tiles.classes import Side


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
