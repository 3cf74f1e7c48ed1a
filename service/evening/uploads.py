"""Receives recordings from a browser and keeps them until the program ends."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path, PurePath
from typing import IO, Final

from engine.errors import Refused
from vision.camera.containers import HEAD_BYTES, container_of

VIDEOS: Final = frozenset({".mp4", ".mkv", ".mov", ".avi", ".webm", ".m4v", ".mpg", ".ts"})
LARGEST: Final = 8 * 1024**3
"""Bytes of a recording: three hours of a game in good quality."""
LONGEST_NAME: Final = 200
SILENT_S: Final = 20.0
"""Seconds of silence after which the browser counts as gone."""
LONGEST_S: Final = 3600.0
"""A home network sends any recording faster."""
ROOM_LEFT: Final = 512 * 1024**2
"""Bytes of the disk that stay free for the record."""
_NO_VIDEO: Final = "this file is not a readable video; send another"


class Uploads:
    """Keeps recordings in a folder of its own; names that browsers send are not used as paths."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._receiving = False

    @property
    def folder(self) -> Path | None:
        """None before the first recording."""
        return None if self._folder is None else Path(self._folder.name)

    async def receive(self, name: str, parts: AsyncIterator[bytes], claimed: int | None) -> Path:
        """Keep one recording; a refused one leaves no file. Raises ``Refused``.

        ``claimed`` is the size that was announced, in bytes.
        """
        suffix = PurePath(name).suffix.lower()
        if suffix not in VIDEOS or len(name) > LONGEST_NAME:
            raise Refused(
                f"expected a video, one of {', '.join(sorted(VIDEOS))}; got {name[:LONGEST_NAME]!r}"
            )
        if self._receiving:
            raise Refused("another recording is being uploaded; wait until it is done")
        self._receiving = True
        try:
            path = self._new(suffix)
            try:
                await _kept(path, parts, claimed)
            except OSError as error:
                path.unlink()
                raise Refused(f"the recording cannot be kept: {error.strerror}") from None
            except BaseException:
                path.unlink()
                raise
        finally:
            self._receiving = False
        return path

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _new(self, suffix: str) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="tilesight-")
        with tempfile.NamedTemporaryFile(
            prefix="recording-", suffix=suffix, dir=self._folder.name, delete=False
        ) as file:
            return Path(file.name)


async def _kept(path: Path, parts: AsyncIterator[bytes], claimed: int | None) -> None:
    room = shutil.disk_usage(path.parent).free - ROOM_LEFT
    _refuse_large(claimed or 0, room)
    begun_s, size, head = time.monotonic(), 0, b""
    with path.open("wb", buffering=0) as file:
        async with contextlib.aclosing(_in_time(parts)) as timely:
            async for part in timely:
                size += len(part)
                _refuse_large(size, room)
                if time.monotonic() - begun_s > LONGEST_S:
                    raise Refused("the upload takes too long; copy the recording to this machine")
                if len(head) < HEAD_BYTES:
                    head += part
                    _refuse_no_video(head)
                await asyncio.to_thread(_written, file, part)
    if container_of(head[:HEAD_BYTES]) is None:
        raise Refused(_NO_VIDEO)


async def _in_time(parts: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    while True:
        try:
            yield await asyncio.wait_for(anext(parts), SILENT_S)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise Refused("the upload stopped; send the recording again") from None


def _refuse_large(size: int, room: int) -> None:
    if size > LARGEST:
        raise Refused(f"the recording is larger than {LARGEST} bytes")
    if size > room:
        raise Refused("the disk has no room for this recording; free some, or send a shorter one")


def _refuse_no_video(head: bytes) -> None:
    """Refuse files of other kinds at once, not after gigabytes have been sent."""
    if len(head) >= HEAD_BYTES and container_of(head[:HEAD_BYTES]) is None:
        raise Refused(_NO_VIDEO)


def _written(file: IO[bytes], part: bytes) -> None:
    left = memoryview(part)
    while left:
        left = left[file.write(left) :]
