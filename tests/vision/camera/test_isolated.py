"""Untrusted videos and pictures break only a process of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.support.decoders import decoders
from tests.support.films import film, number_of
from tests.support.paths import ROOT
from vision.camera import isolated
from vision.camera.containers import container_of
from vision.camera.isolated import IsolatedPictures, IsolatedVideo
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile

LINUX = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks into /proc")


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "game.mp4", frames=20, fps=25)


def test_a_video_is_shown_as_it_is(video: Path) -> None:
    whole = list(VideoFile(video).frames())
    frames = list(IsolatedVideo(video).frames())
    assert [(frame.index, frame.time_s) for frame in frames] == [
        (one.index, one.time_s) for one in whole
    ]
    assert all(np.array_equal(a.image_bgr, b.image_bgr) for a, b in zip(frames, whole, strict=True))
    some = list(IsolatedVideo(video).frames(step_s=0.2))
    assert [number_of(one.image_bgr) for one in some] == [0, 5, 10, 15]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "nothing"),
        (b"Dear diary", "text"),
        (b"ffconcat version 1.0\nfile 'game.mp4'\n", "a list of files that the library would open"),
        (b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\ngame.mp4\n", "another such list"),
        (b"\xff\xd8\xff\xe0" + bytes(2000), "a picture"),
    ],
)
def test_what_is_no_video_is_refused_before_anything_decodes_it(
    video: Path, content: bytes, why: str
) -> None:
    other = video.with_name("other.mp4")
    other.write_bytes(content)
    with pytest.raises(SourceError, match="not a video"):
        IsolatedVideo(other)


def test_a_video_whose_end_was_not_sent_is_refused(tmp_path: Path) -> None:
    whole = film(tmp_path / "game.mp4", movflags="faststart")
    whole.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(SourceError, match="is cut off"):
        IsolatedVideo(whole)


def blank(path: Path, codec: str) -> Path:
    """A film of three black pictures."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25)
        stream.width, stream.height = 64, 48
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        for _ in range(3):
            picture = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="bgr24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


@pytest.mark.parametrize("ending", ["mp4", "mov", "mkv", "webm", "avi", "ts", "mpg"])
def test_every_kind_offered_is_known_by_its_first_bytes(tmp_path: Path, ending: str) -> None:
    path = blank(tmp_path / f"game.{ending}", "vp8" if ending == "webm" else "mpeg2video")
    assert container_of(path.read_bytes()[:1024]) is not None


def test_half_a_video_is_told_by_its_own_name(video: Path) -> None:
    video.write_bytes(video.read_bytes()[:-1500])
    with pytest.raises(SourceError, match=r"friday\.mp4") as refused:
        IsolatedVideo(video, "friday.mp4")
    assert str(video.parent) not in str(refused.value)


def test_a_picture_that_claims_gigabytes_gets_none(tmp_path: Path) -> None:
    path = blank(tmp_path / "huge.avi", "mjpeg")
    data = path.read_bytes()
    claims = data.replace(b"\x00\x30\x00\x40\x03", b"\xff\xd0\xff\xd0\x03")
    assert claims != data
    path.write_bytes(claims)
    with pytest.raises(SourceError):
        IsolatedVideo(path)


@LINUX
@pytest.mark.parametrize(
    ("what", "told"), [(signal.SIGSEGV, "broke the program"), (signal.SIGSTOP, "takes too long")]
)
def test_a_decoder_that_dies_or_hangs_is_one_sentence(
    video: Path, what: signal.Signals, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = decoders()
    with monkeypatch.context() as impatient:
        if what is signal.SIGSTOP:  # only a process that hangs is waited for
            impatient.setattr("vision.camera.isolated.NEXT_S", 1.0)
        frames = IsolatedVideo(video).frames()
        next(frames)
        (decoder,) = decoders() - before
        os.kill(decoder, what)
        with pytest.raises(SourceError, match=told):
            list(frames)  # a few bytes may still be in the pipe
    assert not decoders() - before
    assert len(list(IsolatedVideo(video).frames())) == 20


@LINUX
def test_a_decoder_that_dies_in_the_middle_of_a_word_is_one_sentence(
    video: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "decoder"
    program.write_text("#!/bin/sh\nprintf half\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(SourceError, match="broke the program"):
        IsolatedVideo(video)


@LINUX
def test_a_decoder_is_ended_with_its_frames(video: Path) -> None:
    before = decoders()
    frames = IsolatedVideo(video).frames()
    next(frames)
    assert len(decoders() - before) == 1
    frames.close()
    assert not decoders() - before


@LINUX
def test_pictures_go_on_after_one_that_broke_the_decoder() -> None:
    pictures = IsolatedPictures()
    try:
        data = cv2.imencode(".png", np.full((4, 6, 3), 7, np.uint8))[1].tobytes()
        before = decoders()
        assert np.array_equal(pictures.picture(data), np.full((4, 6, 3), 7, np.uint8))
        (decoder,) = decoders() - before
        for bad in (b"", b"no picture"):
            with pytest.raises(SourceError):
                pictures.picture(bad)
        assert decoders() - before == {decoder}
        os.kill(decoder, signal.SIGSEGV)
        with pytest.raises(SourceError, match="broke"):
            pictures.picture(data)
        assert pictures.picture(data).shape == (4, 6, 3)
    finally:
        pictures.close()
    assert not decoders() - before


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("x = bytearray(4 << 30)", "MemoryError"),
        ("import os; os.write(os.open({path!r}, os.O_WRONLY | os.O_CREAT), b'x')", "large"),
        ("import os; [os.dup(0) for _ in range(100)]", "Too many open files"),
        ("x = bytearray(1 << 20)", ""),
    ],
)
def test_a_decoder_gives_up_what_it_needs_not(tmp_path: Path, code: str, told: str) -> None:
    limited = "from vision.camera.decoder_process import limit\nlimit()\n"
    program = limited + code.format(path=str(tmp_path / "new"))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (told in done.stderr) if told else (done.stderr == "")


def test_pictures_that_are_closed_start_no_process_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(isolated, "_Decoder", begun.append)
    pictures = IsolatedPictures()
    pictures.close()
    with pytest.raises(SourceError, match="no longer taken"):
        pictures.picture(b"late")
    assert not begun
