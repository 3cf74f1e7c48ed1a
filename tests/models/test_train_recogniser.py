"""The recogniser's training learns, keeps its best weights, and goes on where it stopped."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")

import train_recogniser  # noqa: E402
from recogniser import fresh as fresh_tiles  # noqa: E402
from recogniser.bank import Bank  # noqa: E402
from recogniser.data import PATCH_H, PATCH_W, TILE_H, TILE_W, Patches, patch  # noqa: E402
from recogniser.fresh import FreshTiles  # noqa: E402
from recogniser.net import RecogniserNet, Stage  # noqa: E402
from train_recogniser import stored  # noqa: E402

from vision.tiles.classes import FACES  # noqa: E402

CACHED = ("photos", "faces", "art", "numerals", "faces_out", "unseen", "can", "no_tiles")
SMALL = (Stage(4, 0), Stage(4, 0), Stage(4, 1), Stage(8, 0))


def tiles(count: int) -> Patches:
    rng = np.random.default_rng(1)
    images = rng.integers(0, 255, (count, PATCH_H, PATCH_W, 3)).astype(np.uint8)
    groups = np.array([f"set {number % 40}" for number in range(count)], "U80")
    return Patches(images, np.arange(count) % len(FACES), np.ones(count, bool), groups)


@pytest.fixture
def train(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options of a small training, with all patches made before."""
    data, cache = tmp_path / "data", tmp_path / "patches"
    for folder in (data / "faces", data / "textures", cache):
        folder.mkdir(parents=True)
    (data / "faces" / "faces.json").write_text("[]")
    cv2.imwrite(str(data / "textures" / "cloth.png"), np.full((64, 64, 3), 90, np.uint8))
    for name in CACHED:
        with (cache / f"{name}.npz").open("wb") as file:
            np.savez(file, allow_pickle=False, **vars(tiles(80)))
    start = tmp_path / "start.pt"
    torch.save({"ema": RecogniserNet(SMALL).state_dict()}, start)
    options = ["--data", data, "--photos", tmp_path / "none", "--cache", cache]
    options += ["--init", start, "--out", tmp_path / "out", "--batch", "16", "--save-every", "2"]
    return ["train_recogniser", *map(str, options)]


def test_a_training_keeps_its_best_weights_and_goes_on(
    train: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(steps: int) -> dict[str, object]:
        monkeypatch.setattr(sys, "argv", [*train, "--steps", str(steps)])
        train_recogniser.main()
        state: dict[str, object] = torch.load(tmp_path / "out" / "last.pt", weights_only=True)
        return state

    state = run(2)
    best = torch.load(tmp_path / "out" / "best.pt", weights_only=True)
    assert (state["step"], best["step"]) == (2, 2)
    assert state["least"] < 10  # type: ignore[operator]
    assert RecogniserNet.of(best["ema"]).stages == SMALL
    assert json.loads(best["recipe"]["patches"])["numerals"] == 80
    assert run(3)["step"] == 3


def test_a_source_that_is_made_beside_the_training_has_room_and_begins_with_what_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(train_recogniser, "FRESH_TILES", 100)
    banks = stored({"photos": (tiles(30), 1.1)}, {"drawn"}, torch.device("cpu"))
    assert {name: (len(bank), share) for name, (bank, share) in banks.items()} == {
        "photos": (30, 1.1),
        "drawn": (0, 0.9),
    }
    drawn: Bank = banks["drawn"][0]
    drawn.add(tiles(130))
    assert len(drawn) == 100


def test_tables_that_are_rendered_meanwhile_are_cut_into_tiles(tmp_path: Path) -> None:
    part = tmp_path / "ring" / "1"
    part.mkdir(parents=True)
    cv2.imwrite(str(part / "00000.png"), np.full((200, 200, 3), 70, np.uint8))
    corners = [[60, 60], [60 + TILE_W, 60], [60 + TILE_W, 60 + TILE_H], [60, 60 + TILE_H]]
    tile = {"tile": "3p", "side": "face", "corners": corners, "visible": 1.0}
    row = {"file": "00000.png", "seed": 4, "width": 200, "height": 200, "tiles": [tile]}
    (part / "labels.jsonl").write_text(json.dumps(row) + "\n")
    fresh = FreshTiles(tmp_path, 0, tmp_path / "ring", 1)
    name, made = next((name, made) for _ in iter(int, 1) for name, made in fresh.take())
    assert (name, len(made), FACES[made.faces[0]]) == ("rendered", 1, "3p")
    picture = cv2.imread(str(part / "00000.png"))
    assert picture is not None
    expected = patch(np.asarray(picture, np.uint8), np.array(corners, np.float32))
    np.testing.assert_array_equal(made.images[0], expected)


class Full(Exception):
    """Ends a process that would draw without end."""


def test_every_drawn_style_is_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[Patches] = []

    class TakesTwo:
        def put(self, part: Patches) -> None:
            parts.append(part)
            if len(parts) == 2:
                raise Full

    monkeypatch.setattr(fresh_tiles, "STYLES_AT_ONCE", 1)
    monkeypatch.setattr(fresh_tiles, "TILES_A_STYLE", 12)
    monkeypatch.setattr(os, "nice", lambda by: by)
    with pytest.raises(Full):
        fresh_tiles._draw(tmp_path, 7, TakesTwo())  # type: ignore[arg-type]
    assert [len(part) for part in parts] == [12, 12]
    assert [set(part.groups) for part in parts] == [{"drawn-8"}, {"drawn-9"}]
    assert parts[0].upright.all()
