"""The nets that tests share tell what the nets of the program tell, and nothing of another run."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support import remembered_nets
from tests.support.paths import FILM
from vision.arrays import Bytes, Floats
from vision.camera.video_file import VideoFile
from vision.detect import SHIPPED, Detection, Detector
from vision.tiles import shared_net

PART, AT_S, TILE_PX = (480, 220, 780, 500), 40.0, 20.5
"""A part of the film's picture in which tiles lie, then, and how wide they are there."""
TWO_CROPS = np.arange(2 * 3 * 64 * 48, dtype=np.float32).reshape(2, 3, 64, 48) / 18432


def net(runtime: Any, compile_net: Any) -> Any:
    core = runtime()
    return compile_net(core, core.read_model(SHIPPED / "recogniser.onnx"), {})


@pytest.fixture(scope="module")
def plain() -> Any:
    return net(shared_net.runtime, shared_net.compile_net)


@pytest.fixture(scope="module")
def remembered() -> Any:
    return net(remembered_nets.Runtime, remembered_nets.compile_net)


def test_an_answer_is_of_the_kind_that_the_net_gives(plain: Any, remembered: Any) -> None:
    wanted, other = plain(TWO_CROPS), remembered(TWO_CROPS[:1])
    for told in (remembered(TWO_CROPS), remembered(TWO_CROPS)):
        assert type(told) is type(wanted)
        assert [port.get_names() for port in told] == [port.get_names() for port in wanted]
        for at, answer in enumerate(told.values()):
            np.testing.assert_array_equal(answer, wanted[at])
            assert told[at] is answer
            assert answer.flags.writeable
            assert not np.shares_memory(answer, other[at])
            answer[:] = 0  # the next one is another array
    assert other[0].shape == (1, wanted[0].shape[1])


@pytest.mark.parametrize("shape", [(2, 64, 48, 3), (2 * 3 * 64 * 48,)])
def test_the_same_bytes_in_another_shape_are_refused(
    remembered: Any, shape: tuple[int, ...]
) -> None:
    remembered(TWO_CROPS)
    with pytest.raises(RuntimeError):
        remembered(TWO_CROPS.reshape(shape))


def test_the_same_bytes_of_another_kind_are_another_question(plain: Any, remembered: Any) -> None:
    as_numbers = TWO_CROPS.view(np.int32)
    remembered(TWO_CROPS)
    np.testing.assert_array_equal(remembered(as_numbers)[0], plain(as_numbers)[0])


def test_answers_of_another_run_are_not_taken(
    remembered: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Floats] = []
    real = remembered._net

    def ask(tensor: Floats) -> Any:
        asked.append(tensor)
        return real(tensor)

    monkeypatch.setattr(remembered, "_net", ask)
    monkeypatch.setenv(remembered_nets.FOLDER, str(tmp_path))
    for count in (1, 1):
        remembered(TWO_CROPS)
        assert len(asked) == count
    later = tmp_path.with_name("later")
    tmp_path.rename(later)
    monkeypatch.setenv(remembered_nets.FOLDER, str(later))
    remembered(TWO_CROPS)
    assert len(asked) == 2


def test_a_run_takes_no_folder_that_it_was_given_and_a_worker_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(remembered_nets.FOLDER, str(tmp_path))
    monkeypatch.setenv(remembered_nets.WORKER, "gw1")
    remembered_nets.begin_run()
    assert os.environ[remembered_nets.FOLDER] == str(tmp_path)
    monkeypatch.delenv(remembered_nets.WORKER)
    remembered_nets.begin_run()
    assert os.environ[remembered_nets.FOLDER] != str(tmp_path)


@pytest.fixture(scope="module")
def picture() -> Bytes:
    return next(frame for frame in VideoFile(FILM).frames() if frame.time_s >= AT_S).image_bgr


def told(tiles: list[Detection]) -> list[tuple[str, float, list[float]]]:
    return [(str(t.tile), t.confidence, t.corners_px.ravel().tolist()) for t in tiles]


@pytest.mark.usefixtures("plain_nets")
def test_the_program_s_own_nets_tell_threads_what_the_remembered_ones_tell(
    picture: Bytes,
) -> None:
    plain = Detector.load(readers=2)
    with remembered_nets.in_use():
        wanted = told(Detector.load(readers=2).read(picture, PART, TILE_PX))
    assert sum(name != "?" for name, _, _ in wanted) > 3
    assert told(plain.read(picture, PART, TILE_PX)) == wanted
    with ThreadPoolExecutor(2) as pool:
        for tiles in pool.map(lambda _: plain.read(picture, PART, TILE_PX), range(4)):
            assert told(tiles) == wanted
