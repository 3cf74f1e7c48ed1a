"""Pictures are kept where something changed, and show the settled table an event changed."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from engine.errors import NotThere
from engine.events import Discard, Draw, Entry, Event, Indicator, Pung, Win
from engine.tiles import Tile
from service.table.evidence import changed, outlined
from service.table.pictures import LEFT_FREE, OF_FILM, WIDTH_PX, Keeping, Pictures
from tests.support.discard_film import Looker, filmed
from tests.support.placed_tiles import PlainLookResult, at, look
from vision.camera.frames import Frame
from vision.draw import DrawableTile
from vision.tiles.classes import Side


def filled(pictures: Pictures, seconds: int) -> Pictures:
    for second in range(seconds):
        pictures.see(look(float(second), at(second * 30, "5m")))
    return pictures


def test_a_picture_is_kept_where_something_changed(tmp_path: Path) -> None:
    pictures = Pictures.kept_in(tmp_path / "pictures")
    pictures.see(look(0.0, at(0, "5m")))
    pictures.see(look(1.0, at(0, "5m")))  # the same tiles
    pictures.see(look(1.2, at(0, "5m"), at(90, "6m")))
    pictures.see(look(1.3, at(0, "5m")))  # too soon
    assert [shot.time_s for shot in pictures.between(0, 9)] == [0.0, 1.2]
    assert len(list((tmp_path / "pictures").iterdir())) == 2


def test_the_picture_of_a_moment_shows_it_settled(tmp_path: Path) -> None:
    pictures = filled(Pictures.kept_in(tmp_path), 5)
    found = [pictures.at(moment) for moment in (-1.0, 2.0, 2.1, 9.0)]
    assert [shot.time_s for shot in found if shot is not None] == [0.0, 2.0, 3.0, 4.0]
    # A clip begins with what lay there before.
    assert [shot.time_s for shot in pictures.between(1.5, 3.0)] == [1.0, 2.0, 3.0]
    assert Pictures.kept_in(tmp_path / "none").at(1.0) is None


def test_of_a_film_the_next_event_shows_what_lay_there_between_but_not_the_next_hand(
    tmp_path: Path,
) -> None:
    moments = [(time_s, tmp_path / f"{time_s}.jpg") for time_s in (1.0, 9.0, 99.0)]
    pictures = Pictures.of_files(tmp_path, moments, {})
    found = [pictures.at(moment) for moment in (1.0, 2.0, 10.0, 98.0, 100.0)]
    assert [shot.time_s for shot in found if shot is not None] == [1.0, 9.0, 9.0, 99.0, 99.0]


def test_what_was_kept_is_found_after_a_restart(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    before = filled(Pictures.beside(record), 3)
    (tmp_path / "game-pictures" / "notes.txt").write_text("by hand")
    after = Pictures.beside(record)
    kept = [[(s.number, s.time_s, s.stored) for s in each.shots] for each in (before, after)]
    assert kept[0] == kept[1]
    assert [shot.tiles for shot in after.shots] == [None, None, None], "they are read again"
    after.see(look(0.0), since_s=10.0)
    shots = after.between(0, 20)
    assert [(shot.number, shot.time_s) for shot in shots] == [(0, 0), (1, 1), (2, 2), (3, 10)]
    assert all(after.picture(shot.number).startswith(b"\xff\xd8") for shot in shots)


def test_older_pictures_make_room(tmp_path: Path) -> None:
    pictures = filled(Pictures.kept_in(tmp_path, Keeping(8, 3, thinned=True)), 40)
    shots = pictures.between(0, 99)
    assert len(shots) <= 8
    assert [shot.time_s for shot in shots[-4:]] == [36, 37, 38, 39]
    assert len(list(tmp_path.iterdir())) == len(shots)


def test_a_folder_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.write_text("a file stands in its place")
    pictures = filled(Pictures.kept_in(folder), 2)
    assert not pictures.shots
    folder.unlink()
    pictures.see(look(9.0))
    assert [shot.time_s for shot in pictures.shots] == [9.0]


def test_the_last_of_a_disk_is_left_to_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=LEFT_FREE))
    pictures = filled(Pictures.kept_in(tmp_path / "kept"), 2)
    assert pictures.shots == ()
    assert list((tmp_path / "kept").iterdir()) == []


def test_what_a_broken_disk_left_of_a_picture_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = filled(Pictures.kept_in(tmp_path / "kept"), 1)

    def breaks(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:20])
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", breaks)
        pictures.see(look(9.0))
    assert len(list((tmp_path / "kept").iterdir())) == len(pictures.shots) == 1


def test_a_picture_that_is_gone_or_damaged_says_so_in_one_line(tmp_path: Path) -> None:
    pictures = filled(Pictures.kept_in(tmp_path / "kept"), 3)
    whole = pictures.picture(0)
    first, second, _ = sorted((tmp_path / "kept").iterdir())
    first.write_bytes(whole[:-100])
    second.write_bytes(b"\xff\xd8\xff no picture \xff\xd9")
    for number in (0, 1):
        with pytest.raises(NotThere, match=rf"^picture {number} is damaged$"):
            pictures.image(number)
    shutil.rmtree(tmp_path / "kept")
    with pytest.raises(NotThere, match=r"^picture 2 is gone: its file was deleted"):
        pictures.picture(2)
    with pytest.raises(NotThere, match=r"^there is no picture 99$"):
        pictures.picture(99)
    pictures.see(look(9.0))
    assert pictures.picture(3).startswith(b"\xff\xd8"), "the folder is made again"


def test_a_table_keeps_what_a_film_would(tmp_path: Path) -> None:
    table, film = Pictures.kept_in(tmp_path), Pictures(OF_FILM)
    for tenth in range(60):
        seen = look(tenth / 10, *(at(30 * place, "5m") for place in range(tenth // 7)))
        table.see(seen)
        film.see(seen)
    assert [table.picture(shot.number) for shot in table.shots] == [
        film.picture(shot.number) for shot in film.shots
    ]


def test_only_of_the_newest_pictures_it_is_known_what_was_read(tmp_path: Path) -> None:
    pictures = filled(Pictures.kept_in(tmp_path, Keeping(8, 3, thinned=True)), 7)
    pictures.see(look(2.5, at(0, "9p")))  # as after a restart, between what was kept before
    known = [shot.time_s for shot in pictures.shots if shot.tiles is not None]
    assert known == [2.5, 5.0, 6.0]
    assert pictures.showing(Entry(Discard(0, Tile("9p")), t=2.5)) is not None
    assert pictures.showing(Entry(Discard(0, Tile("5m")), t=0.0)) is None, "too old"


def test_a_page_alone_keeps_the_newest_look_and_no_picture() -> None:
    pictures = Pictures()
    assert (pictures.newest, pictures.drawn()) == (None, b"")
    newest = look(1.0, at(40, "5m"))
    for seen in (look(0.0), newest):
        pictures.see(seen)
    assert (pictures.newest, pictures.shots) == (newest, ())
    drawn = pictures.drawn()
    assert drawn.startswith(b"\xff\xd8")
    assert pictures.drawn() is drawn, "several pages are shown one drawing"


def test_a_tile_that_lies_still_is_held_once() -> None:
    pictures, still = Pictures(OF_FILM), at(0, "5m")
    for second in range(3):
        pictures.see(look(float(second), still, at(30 * second, "7p")))
    assert len({id(shot.tiles[0]) for shot in pictures.shots if shot.tiles}) == 1
    assert len({id(shot.tiles[1]) for shot in pictures.shots if shot.tiles}) == 3


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
def film() -> Pictures:
    film = Pictures(OF_FILM)
    for number in range(20):
        # A tile that is pushed about keeps the pictures from being all alike.
        tiles = [*BEFORE, at(800 + 5 * number, "4s")]
        if number >= 10:
            tiles.append(at(700, "2s"))
        film.see(PlainLookResult(frame(number / 2, number * 15), tuple(tiles)))
    return film


@pytest.mark.parametrize(
    "entry",
    [
        Entry(Discard(0, Tile("2s")), t=5.0),
        Entry(Discard(0, Tile("2s")), t=4.8),
    ],
    ids=["at its time", "shortly before"],
)
def test_an_event_of_the_past_is_shown_as_it_was_then(film: Pictures, entry: Entry) -> None:
    found = film.showing(entry)
    assert found is not None
    shot, marked = found
    assert (shot.time_s, shot.tiles is not None) == (5.0, True)
    whole, part = outlined(film.image(shot.number), shot.tiles or (), marked, 640)
    assert whole.shape == (540, 960, 3)
    assert part.shape[1] < 300, "only the surroundings of the new tile"
    red = (part[..., 2] > 180) & (part[..., 1] < 110)
    assert red.sum() > 30, "the new tile is ringed"


@pytest.mark.parametrize(
    "entry",
    [Entry(Draw(0, Tile("?")), t=5.0), Entry(Discard(0, Tile("2s")), t=-30.0)],
    ids=["cannot be seen", "too long ago"],
)
def test_some_events_have_no_picture(film: Pictures, entry: Entry) -> None:
    assert film.showing(entry) is None


def test_large_pictures_are_kept_smaller_with_the_tiles_where_they_are_in_them() -> None:
    film = Pictures(OF_FILM)
    film.see(PlainLookResult(frame(0.0, width=3840), (at(1000, "2s"),)))
    (shot,) = film.shots
    assert film.image(shot.number).shape == (225, WIDTH_PX, 3)
    assert shot.tiles is not None
    assert shot.tiles[0].corners_px[0] == pytest.approx([1000 / 2.4, 300 / 2.4])
    assert (shot.tiles[0].tile, shot.tiles[0].confidence) == (Tile("2s"), None)


def test_the_confidence_of_a_face_is_kept_beside_it() -> None:
    film = Pictures(OF_FILM)
    for seen in filmed():
        film.see(PlainLookResult(seen, tuple(Looker().read(seen.image_bgr))))
    (_, shown) = film.shots
    assert shown.tiles is not None
    (tile,) = shown.tiles
    assert tile.tile == Tile("9m")
    assert tile.confidence == pytest.approx(0.81)


def test_what_does_not_change_is_kept_once() -> None:
    film = Pictures(OF_FILM)
    for number in range(30):
        film.see(PlainLookResult(frame(number / 2), BEFORE))
    assert len(film.shots) == 1


def test_memory_does_not_grow_with_the_length_of_the_game() -> None:
    film = Pictures(OF_FILM)
    for number in range(OF_FILM.most * 2):
        film.see(
            PlainLookResult(
                Frame(np.zeros((4, 4, 3), np.uint8), number, number), (at(3 * number, "2s"),)
            )
        )
    film.see(PlainLookResult(Frame(np.zeros((4, 4, 3), np.uint8), number + 0.1, number), ()))
    assert len(film.shots) == OF_FILM.most
    assert film.shots[0].time_s == OF_FILM.most, "the oldest go first"
    film.forget(2.0 * OF_FILM.most)
    assert [shot.time_s for shot in film.shots] == [2 * OF_FILM.most - 1], "one is left"
