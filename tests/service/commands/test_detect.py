"""``tilesight detect``: how sure a face must be to be named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import pytest

from service.main import run
from tests.support.paths import FILM
from vision.camera.video_file import VideoFile

LATE_S = 96.0


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("detect") / "table.png"
    frame = VideoFile(FILM).frame_at(LATE_S)
    assert frame is not None
    cv2.imwrite(str(path), frame.image_bgr[260:560, 500:880])
    return path


def faces(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, float]]:
    """The names and confidences of the tiles that lie face up."""
    assert run(["dev", "detect", "--json", *arguments]) == 0
    found = json.loads(capfd.readouterr().out)["tiles"]
    return [(tile["tile"], tile["confidence"]) for tile in found if tile["side"] == "face"]


def test_a_person_chooses_how_sure_a_face_must_be(
    picture: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    read = {sure: faces(capfd, str(picture), "--sure", str(sure)) for sure in (0.0, 0.97)}
    for sure, told in read.items():
        # What is doubtful by it is looked at again, and stays as it is read more surely.
        sorted_sure = (sorted(one for _, one in faces_read) for faces_read in (told, read[0.0]))
        assert all(now >= first for now, first in zip(*sorted_sure, strict=True))
        # The printed confidence is rounded.
        clear = [one for one in told if abs(one[1] - sure) > 1e-3]
        assert len(clear) > 10
        assert all((name == "?") == (confidence < sure) for name, confidence in clear)


def test_in_a_grey_picture_no_five_is_named(
    picture: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    image = cv2.imread(str(picture))
    assert image is not None
    grey = tmp_path / os.fsdecode("gr\xe4u.png".encode("latin-1"))
    grey.write_bytes(cv2.imencode(".png", cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[1].tobytes())
    assert run(["dev", "detect", "--json", str(grey)]) == 0
    said = capfd.readouterr()
    assert "has no colours" in said.err
    answer = json.loads(said.out)
    answer["image"].encode()
    named = [tile["tile"] for tile in answer["tiles"]]
    assert not [name for name in named if name[0] in "05" and name[-1] in "mps"]
    assert any(name != "?" for name in named)
