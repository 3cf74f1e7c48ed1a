"""What is compared is the same task, done by whatever is installed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
import rivals
import speed_picture
from rivals import NOT_INSTALLED, UNFIT, Library, OnnxRuntime
from speed_picture import PictureTiming, main, peak_megabytes

from tests.support.films import film
from tests.support.paths import FILM
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.detect import Detector


@pytest.fixture
def nothing_else_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("onnxruntime", "torch", "ultralytics"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load(threads=1)


@pytest.fixture(scope="module")
def table() -> Picture:
    """Part of a table, its tiles at about the size that the finder likes best."""
    for frame in VideoFile(FILM).frames():
        if frame.time_s >= 96.0:
            return np.ascontiguousarray(frame.image_bgr[160:560, 400:880])
    raise AssertionError("the recorded hand is shorter than it was")


def test_ratios_are_told_of_what_was_measured() -> None:
    row = PictureTiming("window", 0.02, 0.02, {"one": 0.05, "other": NOT_INSTALLED})
    assert row.ratios == {"one": pytest.approx(2.5)}


def test_figures_come_without_the_others(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    nothing_else_installed: None,
) -> None:
    monkeypatch.setattr(speed_picture, "REPEATS", 1)
    monkeypatch.setattr(speed_picture, "WHOLE_REPEATS", 1)
    picture = tmp_path / "small.png"
    cv2.imwrite(str(picture), np.full((240, 320, 3), 80, np.uint8))
    assert main([str(picture), "--json"]) == 0
    window, tiles, whole, memory = json.loads(capsys.readouterr().out)
    for row in (window, tiles, whole):
        assert row["seconds"] > 0
        assert set(row["rivals"].values()) == {NOT_INSTALLED}
    assert "320x240" in whole["name"]
    assert memory["megabytes"] is None or 50 < memory["megabytes"] < memory["goal_megabytes"]
    assert main([str(picture)]) == 0
    shown = capsys.readouterr().out
    assert "goal" in shown
    assert "not installed" in " ".join(shown.split())


def test_a_videos_picture_is_made_as_wide_as_the_largest_cameras(tmp_path: Path) -> None:
    video = film(tmp_path / "table.mp4", frames=20, fps=10)
    assert speed_picture._whole(video).shape[:2] == (2160, 3840)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="told by Linux only")
def test_memory_is_that_of_the_process_that_reads() -> None:
    held = np.ones(400 * 2**20, np.uint8)  # ours; it must not be counted
    used = peak_megabytes(np.full((240, 320, 3), 80, np.uint8))
    assert held[-1] == 1
    assert used is not None
    assert 50 < used < 400


def test_onnx_runtime_finds_and_names_the_same_tiles(detector: Detector, table: Picture) -> None:
    pytest.importorskip("onnxruntime")
    ours = detector.read(table)
    run = OnnxRuntime().table(detector, table, 30.0)
    assert not isinstance(run, str)
    found = run()
    assert isinstance(found, list)
    assert len(ours) > 10
    # Ours computes in shorter floats where the processor has them.
    assert abs(len(found) - len(ours)) <= 2
    assert len({str(t.tile) for t in found} ^ {str(t.tile) for t in ours}) <= 3


def test_the_library_finds_the_same_tiles_with_the_checkpoint(
    detector: Detector, table: Picture
) -> None:
    pytest.importorskip("ultralytics")
    if not rivals.CHECKPOINT.exists():
        pytest.skip("the weights as PyTorch has them are not here")
    # Padded as ours are: what lies beside a tile at the edge matters.
    window = np.full((640, 640, 3), 114, np.uint8)
    window[: table.shape[0], : table.shape[1]] = table
    run = Library().window(detector, window)
    if run == UNFIT:
        pytest.skip(UNFIT)
    assert not isinstance(run, str)
    count = run()
    assert isinstance(count, int)
    assert abs(count - len(detector.finder.find(window, 30.0))) <= 2
