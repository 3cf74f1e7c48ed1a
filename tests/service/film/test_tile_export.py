"""Kept tiles and enrolled sets open in the programs whose forms they are written in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.events import Discard, Entry, GameStart, HandStart
from engine.tiles import Tile
from service.film.tile_sources import read_pictures
from service.main import run
from service.table.pictures import OF_FILM, Pictures
from service.table.tile_keeper import TileKeeper
from tests.support.placed_tiles import Lying, PlainLookResult, at
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region
from vision.decoder.decoding import Decoding
from vision.decoder.question import AnswerChoice, EventPlace, Question
from vision.detect import Detection
from vision.tile_set.profile import Profile
from vision.tiles.classes import CLASS_NAMES, FACES, Side

Outline = tuple[str, tuple[float, ...]]
"""A class and its four corners in pixels."""
TILES = (at(100, "7p"), at(200, "?", Side.BACK), at(300, "?"))
FIVE = Discard(0, Tile("5m"))


class Looker:
    """Reads the tiles of any picture: one that nobody spoke about, and one that somebody did."""

    def __init__(self) -> None:
        self.tile_px: list[float | None] = []

    def read(
        self,
        image_bgr: Picture,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]:
        self.tile_px.append(tile_px)
        return [read_as(lying) for lying in (*TILES, at(403, "9s"))]


def read_as(lying: Lying) -> Detection:
    probabilities = np.zeros(len(FACES), np.float32)
    if lying.tile.known:
        probabilities[FACES.index(str(lying.tile))] = 0.99
    return Detection(lying.side, lying.corners_px, 0.9, probabilities, 0.9)


@pytest.fixture(autouse=True)
def looker(monkeypatch: pytest.MonkeyPatch) -> Looker:
    looker = Looker()
    monkeypatch.setattr("service.commands.dataset.load_detector", lambda: looker)
    return looker


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Pictures of two discards: one was asked about, the other is answered too."""
    folder = tmp_path / "kept"
    pictures = Pictures(OF_FILM)
    keeper = TileKeeper(folder, pictures)
    for moment, places in enumerate(((400,), (400, 500)), start=1):
        time_s = 5.0 * moment
        tiles = (*TILES, *(at(x, "5m") for x in places))
        start = (GameStart("harbin-hlr"), HandStart()) if moment == 1 else ()
        lines = tuple(Entry(event, t=time_s) for event in (*start, FIVE))
        frame = Frame(np.full((540, 960, 3), 20 * moment, np.uint8), time_s, moment)
        question = Question(
            EventPlace("laid", time_s, 100 * time_s), (AnswerChoice((FIVE,), 0.6),), 2
        )
        result = PlainLookResult(frame, tiles, Decoding(lines, questions=(question,)))
        pictures.see(result)
        keeper.add(result)
        keeper.lines(lines)
    keeper.answered(question, AnswerChoice((Discard(0, Tile("6m")),), 0.4))
    return folder


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    patches = np.random.default_rng(1).integers(0, 255, (6, 96, 72, 3), np.uint8)
    path = tmp_path / "own.tiles"
    Profile(patches, np.arange(6)).save(path)
    return path


def exported(form: str, *sources: Path) -> Path:
    out = sources[0].with_name(form)
    assert (
        run(["dev", "dataset", "export", *map(str, sources), "--format", form, "--out", str(out)])
        == 0
    )
    return out


def wanted(*sources: Path) -> dict[str, list[Outline]]:
    pictures = (picture for source in sources for picture in read_pictures(source, Looker))
    return {
        one.name: [(t.name, tuple(map(float, t.corners_px.ravel()))) for t in one.tiles]
        for one in pictures
    }


def same(found: dict[str, list[Outline]], sources: tuple[Path, ...], within_px: float) -> None:
    expected = wanted(*sources)
    assert found.keys() == expected.keys()
    for name, tiles in expected.items():
        assert [each for each, _ in found[name]] == [each for each, _ in tiles]
        for (_, corners), (_, others) in zip(found[name], tiles, strict=True):
            assert corners == pytest.approx(others, abs=within_px)


def test_what_people_say_of_a_kept_tile_is_its_class_and_the_rest_is_read_again(kept: Path) -> None:
    looker = Looker()
    first, second = read_pictures(kept, lambda: looker)
    assert [tile.name for tile in first.tiles] == ["5m", "7p", "back", "unknown"]
    assert [tile.origin for tile in first.tiles] == ["asked", "read", "read", "read"]
    # The doubt was told first, the answer later. The tile at 400 is seen, but nobody spoke of it.
    assert [tile.name for tile in second.tiles] == ["6m", "7p", "back", "unknown", "9s"]
    assert second.tiles[0].origin == "person"
    assert first.size_px == (960, 540)
    assert looker.tile_px == [26, 26]


def test_yolo_obb_is_read_back(kept: Path, profile: Path) -> None:
    yaml = pytest.importorskip("yaml")
    out = exported("yolo-obb", kept, profile)
    about = yaml.safe_load((out / "data.yaml").read_text())
    assert tuple(about["names"].values()) == CLASS_NAMES
    assert list(about["names"]) == list(range(len(CLASS_NAMES)))
    parts = {part: out / about[part] for part in ("train", "val", "doubtful")}
    assert [len(list(parts[part].iterdir())) for part in parts] == [5, 2, 1]
    found = {}
    for folder in parts.values():
        for picture in folder.iterdir():
            image = cv2.imread(str(picture))
            assert image is not None
            size = np.tile(image.shape[1::-1], 4)
            # Labels lie where "images" in the picture's path is "labels".
            labels = out / "labels" / folder.name / f"{picture.stem}.txt"
            rows = [line.split() for line in labels.read_text().splitlines()]
            assert all(len(row) == 9 for row in rows)
            shares = np.array([row[1:] for row in rows], np.float64)
            assert (shares >= 0).all()
            assert (shares <= 1).all()
            found[picture.name] = [
                (about["names"][int(row[0])], tuple(map(float, share * size)))
                for row, share in zip(rows, shares, strict=True)
            ]
    same(found, (kept, profile), 0.01)
    asked, _ = wanted(kept)
    assert [path.name for path in parts["doubtful"].iterdir()] == [asked]


def test_coco_is_read_back(kept: Path, profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pycocotools = pytest.importorskip("pycocotools.coco")
    masks: Any = pytest.importorskip("pycocotools.mask")
    out = exported("coco", kept, profile)
    coco: Any = pycocotools.COCO(str(out / "annotations" / "instances_default.json"))
    names = {category["id"]: category["name"] for category in coco.loadCats(coco.getCatIds())}
    found = {}
    for picture in coco.loadImgs(coco.getImgIds()):
        image = cv2.imread(str(out / "images" / picture["file_name"]))
        assert image is not None
        assert image.shape[:2] == (picture["height"], picture["width"])
        tiles = coco.loadAnns(coco.getAnnIds(imgIds=picture["id"]))
        found[picture["file_name"]] = [
            (names[tile["category_id"]], tuple(tile["segmentation"][0])) for tile in tiles
        ]
        for one in tiles:
            # The package draws the polygon itself.
            assert masks.area(coco.annToRLE(one)) == pytest.approx(one["area"], rel=0.05)
            x, y, width, height = one["bbox"]
            xs, ys = one["segmentation"][0][::2], one["segmentation"][0][1::2]
            assert (x, y) == (min(xs), min(ys))
            assert (width, height) == pytest.approx((max(xs) - x, max(ys) - y))
    same(found, (kept, profile), 0.06)
    said = [one["attributes"] for one in coco.dataset["annotations"]]
    assert said[0] == {"origin": "asked", "doubtful": True}
    assert said[4] == {"origin": "person", "doubtful": False}
    assert said[-1] == {"origin": "enrolled", "doubtful": False}


def test_one_sure_picture_serves_training_and_validation(tmp_path: Path) -> None:
    path = tmp_path / "one.tiles"
    Profile(np.zeros((1, 96, 72, 3), np.uint8), np.array([FACES.index("5z")])).save(path)
    text = (exported("yolo-obb", path) / "data.yaml").read_text()
    assert text.startswith("train: images/train\nval: images/train\nnames:\n")


def test_the_end_says_what_was_written(
    kept: Path, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported("coco", kept, profile)
    assert capsys.readouterr().out.split(": ", 1)[1] == (
        "8 pictures with 15 tiles: 6 enrolled, 1 confirmed or corrected by people, "
        "0 confirmed by the rules, 1 doubtful, 7 as they were read\n"
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 3 is damaged"),
        ('{"picture": "../x.jpg", "tiles": []}', "line 3 is damaged"),
        ('{"picture": "a.jpg", "tiles": [{"corners": [[1, 2]], "side": "face"}]}', "line 3"),
        ('{"picture": "a.jpg", "tiles": []}', "a.jpg: No such file"),
    ],
)
def test_a_damaged_folder_is_told_and_nothing_written(
    kept: Path, tmp_path: Path, line: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kept / "tiles.jsonl"
    lines = path.read_text().splitlines()[:2]
    path.write_text("\n".join([*lines, line]))
    out = tmp_path / "out"
    assert run(["dev", "dataset", "export", str(kept), "--format", "coco", "--out", str(out)]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "told"), [("nothing", "there is no"), ("", "has no tiles.jsonl"), ("x", "is not a")]
)
def test_what_holds_no_tiles_is_told(
    tmp_path: Path, name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").write_text("hello")
    arguments = [str(tmp_path / name), "--format", "coco", "--out", str(tmp_path / "out")]
    assert run(["dev", "dataset", "export", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_the_same_pictures_twice_are_refused(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    assert (
        run(["dev", "dataset", "export", str(kept), str(kept), "--format", "coco", "--out", out])
        == 2
    )
    assert "two sources hold a picture" in capsys.readouterr().err
