"""The accuracy report counts what is there, and shows every error."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from evaluation.labels import LabelledPicture, TrueTile, read_labelled
from evaluation.match import matched
from evaluation.metrics import Tallies, left_unread
from evaluation.webcam import WEBCAM_TILE_PX, by_webcam
from numpy.typing import NDArray

from vision.camera.pictures import Picture, Region
from vision.detect import Detection, Detector
from vision.tiles.classes import FACE_INDEX, FACES, Side

THRESHOLD = 0.8


def corners(x: float, y: float, width: float = 30) -> NDArray[np.float32]:
    """A tile whose own top left is at (x, y)."""
    high = width * 4 / 3
    return np.array([[x, y], [x + width, y], [x + width, y + high], [x, y + high]], np.float32)


def seen(face: str, x: float, y: float, sure: float = 0.99, width: float = 30) -> Detection:
    probabilities = np.full(len(FACES), (1 - sure) / (len(FACES) - 1), np.float32)
    probabilities[FACE_INDEX[face]] = sure
    return Detection(Side.FACE, corners(x, y, width), 0.9, probabilities, THRESHOLD)


def true(face: str, x: float, y: float, width: float = 30, wanted: bool = True) -> TrueTile:
    return TrueTile(face, "face", corners(x, y, width), upright=False, wanted=wanted)


def picture(*tiles: TrueTile, complete: bool = True, style: str = "drawn") -> LabelledPicture:
    return LabelledPicture(Path("table.jpg"), style, tiles, complete)


def counted(labelled: LabelledPicture, found: list[Detection]) -> Tallies:
    tallies = Tallies()
    tallies.add(matched(labelled, np.zeros((1, 1, 3), np.uint8), found))
    return tallies


def test_right_wrong_doubtful_missed_and_extra_tiles_are_told_apart() -> None:
    labelled = picture(
        true("1m", 0, 0), true("2m", 100, 0), true("3m", 200, 0), true("4m", 300, 0),
        true("5m", 400, 0, wanted=False),
    )  # fmt: skip
    found = [
        seen("1m", 0, 0), seen("9p", 100, 0), seen("9s", 200, 0, sure=0.5),
        seen("5m", 400, 0), seen("7z", 600, 300),
    ]  # fmt: skip
    metrics = counted(labelled, found).by_side["face"].metrics()
    assert metrics["tiles"] == 4
    assert metrics["recall"] == 0.75
    assert metrics["precision"] == 0.75, "the hidden tile is no extra one, the dragon is"
    assert metrics["found_and_named_right"] == 0.25
    assert metrics["named_right_of_found"] == pytest.approx(1 / 3, abs=1e-4)
    assert metrics["unsure"] == pytest.approx(1 / 3, abs=1e-4)
    assert metrics["wrong_and_sure_tiles"] == 1


def test_faces_are_counted_by_how_they_stand_where_fronts_are_labelled() -> None:
    lying, standing = true("1m", 0, 0), true("2m", 100, 0)
    front = replace(standing, foreshortened=0.7)
    found = [seen("1m", 0, 0), seen("9p", 100, 0)]
    counts = counted(picture(lying, front), found)
    counts.add(matched(picture(lying), np.zeros((4, 4, 3), np.uint8), found[:1]))
    poses = cast(dict[str, dict[str, float]], counts.metrics()["faces_by_pose"])
    assert {name: (row["tiles"], row["recall"]) for name, row in poses.items()} == {
        "lying": (2, 1), "standing, to 0.6 to 0.75": (1, 1), "standing, all": (1, 1),
    }, "what lies in a picture without a front counts, too"  # fmt: skip
    assert "faces_by_pose" not in counted(picture(lying, standing), found).metrics()


def test_a_photo_is_spoilt_the_same_way_each_time_with_tiles_as_small_as_a_webcams() -> None:
    image = np.random.default_rng(1).integers(0, 255, (200, 300, 3)).astype(np.uint8)
    labelled = picture(true("1m", 20, 20, width=60), true("2m", 100, 20, width=60))
    small, spoilt = by_webcam(labelled, image, seed=3)
    assert small.tile_px == pytest.approx(WEBCAM_TILE_PX)
    assert spoilt.shape == (80, 120, 3)
    np.testing.assert_array_equal(spoilt, by_webcam(labelled, image, seed=3)[1])
    assert (spoilt != by_webcam(labelled, image, seed=4)[1]).any()
    narrow = picture(true("1m", 20, 20, width=16), true("2m", 100, 20, width=16))
    assert by_webcam(narrow, image, seed=3)[1].shape == image.shape, "nothing is enlarged"


def test_a_set_is_counted_by_its_own_folder_and_a_report_tells_what_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    from scores import pictures

    for part in ("known", "unseen"):
        place = folder_of_pictures(tmp_path / "sets" / part / "0" / "table")
        (tmp_path / "sets" / part / "0" / "laid").mkdir()
        rows = [json.loads(row) for row in (place / "labels.jsonl").read_text().splitlines()]
        named = [{name: row[name] for name in row if name != "faces"} for row in rows]
        (place / "labels.jsonl").write_text("\n".join(map(json.dumps, named)))
    nothing = Finds([[]] * 12)
    monkeypatch.setattr(pictures, "enrolled", lambda *_: nothing)
    monkeypatch.setattr(Detector, "read", nothing.read)
    options = argparse.ArgumentParser()
    pictures.add_options(options)
    out = tmp_path / "report"
    pictures.run(options.parse_args([str(tmp_path / "sets"), "--out", str(out), "--known-size"]))
    reports = [json.loads((out / it / "metrics.json").read_text()) for it in ("plain", "enrolled")]
    for report in reports:
        assert set(report["faces_by_style"]) == {"set known/0", "set unseen/0"}
        assert report["size_given"]
        assert report["unread"] != pictures.mark_of_unread([])
    assert [report["weights"] for report in reports] == [
        pictures.marks_of(None), pictures.marks_of(None, enrolled=True),
    ]  # fmt: skip


def test_the_mark_of_what_is_left_unread_changes_with_rules_and_labels() -> None:
    pytest.importorskip("matplotlib")
    from scores.pictures import mark_of_unread

    labelled = picture(true("1m", 0, 0), true("2m", 100, 0), true("3m", 200, 0, wanted=False))

    def mark(faces: LabelledPicture, *found: Detection) -> str:
        read = matched(faces, np.zeros((1, 1, 3), np.uint8), list(found))
        return mark_of_unread(list(left_unread(read)))

    one, two = seen("1m", 0, 0), seen("2m", 100, 0)
    stricter = replace(two, threshold=0.999)
    other = replace(labelled, tiles=(true("9m", 0, 0), *labelled.tiles[1:]))
    nothing, both = mark(labelled, one, two), mark(labelled)
    assert nothing == mark(labelled, two, one) == mark_of_unread([])
    assert len({nothing, both, mark(labelled, one), mark(labelled, two), mark(other, two)}) == 5
    assert mark(labelled, one, stricter) == mark(labelled, one), "? or missed: it is not named"
    assert mark_of_unread(["a 1", "b 2"]) == mark_of_unread(["b 2", "a 1"])


def test_a_side_that_counts_in_no_picture_has_no_row() -> None:
    """The front of a standing tile, foreshortened to less than a half, is labelled "front"."""
    front = TrueTile(None, "front", corners(100, 0), upright=False, wanted=False)
    counts = counted(picture(true("1m", 0, 0), front), [seen("1m", 0, 0)])
    assert set(counts.by_side) == {"face"}


class Finds:
    """Answers each picture with what it is given."""

    def __init__(self, found: Sequence[list[Detection]]) -> None:
        self._found = iter(found)
        self.told_px: list[float | None] = []

    def read(
        self,
        image_bgr: Picture,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]:
        self.told_px.append(tile_px)
        return next(self._found)


def folder_of_pictures(folder: Path) -> Path:
    folder.mkdir(parents=True)
    rows = []
    for number, code in enumerate(("1m", "2m", "3m")):
        file = f"{number:05d}.jpg"
        cv2.imwrite(str(folder / file), np.full((200, 300, 3), 90, np.uint8))
        quads = [corners(20, 20), corners(120, 20)]
        tiles = [
            {"tile": code, "side": "face", "corners": quad.tolist(), "visible": 1.0}
            for quad in quads
        ]
        head = {"file": file, "faces": f"{'ab'[number % 2]}-{number}", "width": 300, "height": 200}
        rows.append(head | {"tiles": tiles})
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    return folder


def test_the_report_shows_every_error_the_sure_ones_first(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from scores.pictures import measure

    pictures = read_labelled(folder_of_pictures(tmp_path / "tables"))
    assert [one.style for one in pictures] == ["a", "b", "a"]
    finds = Finds(
        [
            [seen("1m", 20, 20), seen("1m", 120, 20)],
            [seen("2m", 20, 20), seen("9p", 120, 20, sure=0.4)],
            [seen("7s", 20, 20, sure=0.9), seen("6s", 200, 120)],
        ]
    )
    out = tmp_path / "report"
    measure({"source": "tables", "threshold": THRESHOLD}, [(finds, pictures)], out)
    report = json.loads((out / "metrics.json").read_text())
    assert report["by_side"]["face"]["tiles"] == 6
    assert report["by_side"]["face"]["wrong_and_sure_tiles"] == 1
    assert set(report["faces_by_style"]) == {"a", "b"}
    page = (out / "index.html").read_text()
    shown = re.findall(r'src="(crops/\d+\.jpg)"', page)
    assert len(shown) == 4, "sure, unsure, missed, extra"
    for name in [*shown, "reliability.png", "confusions.png"]:
        assert cv2.imread(str(out / name)) is not None
    titles = ["Sure and wrong: 1", "Named wrongly, but not believed: 1", "Missed: 1"]
    places = [page.index(title) for title in titles]
    assert places == sorted(places)
    assert page.index("read 7s") < page.index("read 9p")
    assert len(list((out / "errors").iterdir())) == 2, "the first picture has no error"
    table = (out / "metrics.md").read_text()
    assert "| face | 6 | 83.3% (43.6 to 100.0) |" in table
