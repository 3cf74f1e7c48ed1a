"""Pictures are kept where something changed, found by their moment, and never too many."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.table.evidence import Album
from service.table.gallery import LEFT_FREE, Gallery, gallery_beside
from tests.support.placed_tiles import at, look


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
