"""Detections go to the supervision package and come back as they were."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.detect import Detection
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.to_supervision import from_supervision, supervision_fields


def tile(face: str, confidence: float, side: Side = Side.FACE, turn_deg: float = 30) -> Detection:
    turn = np.deg2rad(turn_deg)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[-15, -20], [15, -20], [15, 20], [-15, 20]]) @ turned + 100
    probabilities = np.zeros(len(FACES), np.float32)
    if side is Side.FACE:
        probabilities[FACE_INDEX[face]] = confidence
    return Detection(side, corners.astype(np.float32), 0.8, probabilities, 0.6)


TILES = [
    tile("5m", 0.9),
    tile("7z", 0.4),
    tile("1m", 0.7, Side.BACK),
    Detection(
        Side.FACE, np.eye(4, 2, dtype=np.float32), 0.7, np.full(38, 1 / 38, np.float32), 0.6, 0.95
    ),
]


def same(one: Detection, other: Detection) -> bool:
    return (
        (one.side, one.score, one.threshold, one.trust, one.tile)
        == (other.side, other.score, other.threshold, other.trust, other.tile)
        and np.array_equal(one.corners_px, other.corners_px)
        and np.array_equal(one.probabilities, other.probabilities)
    )


@pytest.mark.parametrize("tiles", [TILES, []])
def test_the_package_takes_them_and_nothing_is_lost(tiles: list[Detection]) -> None:
    supervision: Any = pytest.importorskip("supervision")
    shown = supervision.Detections(**supervision_fields(tiles))
    assert len(shown) == len(tiles)
    back = from_supervision(shown)
    assert all(same(*pair) for pair in zip(tiles, back, strict=True))


def test_the_package_s_own_tools_work_on_them() -> None:
    supervision: Any = pytest.importorskip("supervision")
    shown = supervision.Detections(**supervision_fields(TILES))
    faces = shown[shown.class_id < len(FACES)]
    assert [str(name) for name in faces.data["class_name"]] == ["5m", "1m"]
    # Filtering keeps all fields together.
    assert same(from_supervision(faces)[0], TILES[0])
    picture = np.zeros((200, 200, 3), np.uint8)
    drawn = supervision.OrientedBoxAnnotator().annotate(picture.copy(), shown[:1])
    ys, xs = np.nonzero(drawn.any(axis=2))
    x0, y0, x1, y1 = shown.xyxy[0]
    assert (abs(np.array([xs.min(), ys.min(), xs.max(), ys.max()]) - [x0, y0, x1, y1]) < 3).all()


def test_oriented_boxes_of_another_program_become_tiles() -> None:
    corners = np.stack([TILES[0].corners_px, TILES[2].corners_px])
    theirs = SimpleNamespace(
        confidence=np.array([0.7, 0.9]),
        data={"xyxyxyxy": corners, "class_name": np.array(["0p", "back"])},
    )
    face, back = from_supervision(theirs, threshold=0.6)
    assert (str(face.tile), face.side) == ("0p", Side.FACE)
    assert face.confidence == pytest.approx(0.7)
    assert (back.side, back.score) == (Side.BACK, 0.9)
    assert str(from_supervision(theirs, threshold=0.8)[0].tile) == "?"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "expected oriented boxes"),
        ({"xyxyxyxy": np.zeros((1, 4, 2)), "class_name": ["ship"]}, "'ship' is no class of tiles"),
    ],
)
def test_other_detections_are_refused(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        from_supervision(SimpleNamespace(confidence=None, data=data))
