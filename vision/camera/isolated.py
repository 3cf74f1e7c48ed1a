"""Decode untrusted videos and pictures in a separate process.

A file that is made to break a decoder breaks only that process; the user sees one sentence.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

import vision
from vision.camera.address import readable, shown
from vision.camera.containers import HEAD_BYTES, container_of
from vision.camera.decoder_process import FRAME, GAPS, HEAD, SIZE
from vision.camera.frames import FilmGap, Frame, Frames, RecordedSource
from vision.camera.pictures import Picture, SourceError

OPEN_S: Final = 30.0
"""Time limit for the first picture: the process starts and looks at both ends of the file."""
NEXT_S: Final = 10.0
"""Time limit for each further picture."""
MOST_PX: Final = 36_000_000
"""Most pixels of one picture; no camera sends more."""
BROKEN: Final = "the recording broke the program that decodes it; send another file"
CLOSED: Final = "pictures are no longer taken here"
LATE: Final = "the recording takes too long to decode; send another file"


class IsolatedVideo(RecordedSource):
    """A recorded video played in real time, without losing a frame."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        """Read the first frame; raises ``SourceError`` unless the file is a whole video.

        ``name`` replaces the path in messages.
        """
        self.name = name or readable(path.name)
        self.path = path.resolve()
        with path.open("rb") as file:
            form = container_of(file.read(HEAD_BYTES))
        if form is None:
            raise SourceError("this is not a video; send a file that a video player can play")
        self._form = form
        with contextlib.closing(self.frames()) as frames:
            next(frames, None)

    def frames(self, step_s: float = 0.0) -> Frames:
        given = ("video", str(self.path), self._form, str(step_s))
        with _Decoder(given) as decoder, self._named():
            begun_s: float | None = None
            seconds = OPEN_S
            while (frame := decoder.frame(seconds)) is not None:
                seconds = NEXT_S
                now_s = time.monotonic()
                begun_s = now_s - frame.time_s if begun_s is None else begun_s
                if not self._hurried:
                    time.sleep(max(0.0, begun_s + frame.time_s - now_s))
                yield frame

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Replace the path in errors by the name that people know."""
        try:
            yield
        except SourceError as error:
            raise SourceError(str(error).replace(shown(self.path), self.name)) from None


class IsolatedPictures:
    """Decodes JPEG files one after another; safe to use from any thread."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._decoder: _Decoder | None = None
        self._closed = False

    def picture(self, data: bytes) -> Picture:
        """Decode one file; raises ``SourceError`` if it is no picture or breaks the decoder.

        Once closed it refuses all.
        """
        with self._one_at_a_time:
            if self._closed:
                raise SourceError(CLOSED)
            seconds = NEXT_S
            if self._decoder is None:
                self._decoder, seconds = _Decoder(("pictures",)), OPEN_S
            try:
                self._decoder.send(data)
                frame = self._decoder.frame(seconds)
            except _Refused:
                raise
            except SourceError:
                self._let_go()
                raise
            if frame is None:
                self._let_go()
                raise SourceError(BROKEN)
            return frame.image_bgr

    def close(self) -> None:
        with self._one_at_a_time:
            self._closed = True
            self._let_go()

    def _let_go(self) -> None:
        if self._decoder is not None:
            self._decoder.close()
            self._decoder = None


class _Refused(SourceError):
    """The process refused a file and goes on."""


class _Decoder:
    """The decoder process and its pipes."""

    def __init__(self, given: Sequence[str]) -> None:
        # Import this package, whatever lies in the folder that the program runs in.
        place = str(Path(vision.__file__).parents[1])
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "vision.camera.decoder_process", *given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": place},
        )
        self._late = False

    def __enter__(self) -> _Decoder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        """Hand over a file. A dead process is noticed when its answer is read."""
        given = self._process.stdin
        assert given is not None
        with contextlib.suppress(OSError):
            given.write(SIZE.pack(len(data)) + data)
            given.flush()

    def frame(self, seconds: float) -> Frame | None:
        """The next picture, or None at the end; raises ``SourceError``."""
        with self._within(seconds):
            head = self._read(HEAD.size)
            if not head and self._process.wait() == 0:
                return None
            if len(head) < HEAD.size:
                raise SourceError(LATE if self._late else BROKEN)
            kind, time_s, index, height, width, size, whole, why, since_s = HEAD.unpack(head)
            if kind != FRAME:
                raise _Refused(self._read(min(size, 10_000)).decode(errors="replace"))
            if size != height * width * 3 or height * width > MOST_PX:
                raise SourceError(f"expected pictures of at most {MOST_PX} pixels")
            data = self._read(size)
        if len(data) < size:
            raise SourceError(LATE if self._late else BROKEN)
        image = np.frombuffer(data, np.uint8).reshape(height, width, 3)
        gap = FilmGap(since_s, GAPS[why - 1]) if why else None
        return Frame(image, time_s, index, whole=whole, gap=gap)

    def close(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()

    def _read(self, size: int) -> bytearray:
        """Read ``size`` bytes, or fewer if the process ends."""
        out = self._process.stdout
        assert isinstance(out, io.BufferedReader)
        data = bytearray(size)
        del data[out.readinto(data) :]
        return data

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """Kill the process if it is silent for this long."""

        def late() -> None:
            self._late = True
            self._process.kill()

        timer = threading.Timer(seconds, late)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
