"""The simulator's films: legal, true to their seed, and labelled where the tiles are."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from simulate import main

from engine import events as ev
from engine.announce import Payout, Problem
from engine.codec import read_record
from engine.game import replay
from engine.tiles import UNKNOWN

SMALL = ("--seed", "16", "--hands", "1", "--size", "160x90", "--fps", "0.25", "--pace", "0.3")
"""A film of some seven pictures."""


def made(out: Path, *arguments: str) -> Path:
    assert main(["--rules", "harbin-hlr", "--out", str(out), *arguments]) == 0
    return out


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def two_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("two_hands")
    return made(out, "--seed", "11", "--hands", "2", "--no-video", "--labels", "settled")


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("filmed"), *SMALL)


@pytest.mark.parametrize("name", ["record.jsonl", "seen.jsonl"])
def test_both_records_replay_without_a_problem(two_hands: Path, name: str) -> None:
    game = replay(read_record((two_hands / name).read_text("utf-8")))
    said = game.announcements()
    assert [a for a in said if isinstance(a, Problem)] == []
    assert sum(isinstance(a, Payout) for a in said) == 2


def test_what_no_camera_sees_is_hidden_in_the_seen_record_and_nothing_else(two_hands: Path) -> None:
    true, seen = (
        read_record((two_hands / name).read_text("utf-8"))
        for name in ("record.jsonl", "seen.jsonl")
    )
    assert [type(entry.event) for entry in true] == [type(entry.event) for entry in seen]
    for whole, part in zip(true, seen, strict=True):
        match whole.event, part.event:
            case ev.Deal(tiles=tiles), ev.Deal(tiles=hidden):
                assert hidden == (UNKNOWN,) * len(tiles)
            case ev.Draw(), ev.Draw(tile=tile):
                assert tile == UNKNOWN
            case ev.Discard() | ev.HandStart(), _:
                pass
            case event, other:
                assert event == other


def test_labels_lie_in_the_picture_and_tell_the_tile_only_of_faces(two_hands: Path) -> None:
    for line in lines(two_hands / "labels.jsonl"):
        assert line["tiles"]
        for tile in line["tiles"]:
            assert 0 < tile["visible"] <= 1
            corners = np.array(tile["corners"])
            assert (corners.min(axis=0) < (1280, 720)).all()
            assert (corners.max(axis=0) > 0).all()
            assert (tile["tile"] == "?") == (tile["side"] != "face")


def test_settled_faces_do_not_overlap(two_hands: Path) -> None:
    for line in lines(two_hands / "labels.jsonl")[::5]:
        faces = [t for t in line["tiles"] if t["side"] == "face" and t["visible"] > 0.9]
        shapes = [np.array(t["corners"], np.float32) for t in faces]
        for one, two in combinations(shapes, 2):
            if np.abs(one.mean(axis=0) - two.mean(axis=0)).max() < 60:
                shared, _ = cv2.intersectConvexConvex(one, two)
                assert shared < 0.08 * cv2.contourArea(one)


def test_every_discard_shows_in_the_frame_of_its_time(two_hands: Path) -> None:
    labels = {line["frame"]: line for line in lines(two_hands / "labels.jsonl")}
    discards = [line for line in lines(two_hands / "record.jsonl") if line["type"] == "discard"]
    shown = 0
    for discard in discards:
        frame = labels[min(n for n in labels if n / 10 >= discard["t"] - 0.01)]
        shown += any(tile["tile"] == discard["tile"] for tile in frame["tiles"])
    assert discards
    # A hasty neighbour's arm may lie over a fresh discard.
    assert shown >= 0.95 * len(discards)


def test_the_same_seed_makes_the_same_files(tmp_path: Path, filmed: Path) -> None:
    again = made(tmp_path, *SMALL)
    names = sorted(path.name for path in filmed.iterdir())
    assert names == [
        *("labels.jsonl", "meta.json", "record.jsonl", "seen.jsonl", "table.toml", "video.mp4")
    ]
    for name in names:
        assert (again / name).read_bytes() == (filmed / name).read_bytes()


def test_a_video_has_a_frame_for_every_label_line(filmed: Path) -> None:
    with av.open(str(filmed / "video.mp4")) as container:
        frames = [frame.to_ndarray(format="bgr24") for frame in container.decode(video=0)]
    labels = lines(filmed / "labels.jsonl")
    assert len(frames) == len(labels)
    assert frames[0].shape == (90, 160, 3)
    end = lines(filmed / "record.jsonl")[-1]["t"]
    assert len(frames) >= end / 4
    still = [line for line in labels if "same_as" in line]
    assert all("tiles" in labels[line["same_as"]] for line in still)
