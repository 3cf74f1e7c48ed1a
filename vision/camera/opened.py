"""Open films and streams with FFmpeg: names are only names, and the largest real video is read."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import av
from av.stream import Disposition

from vision.camera.containers import HEAD_BYTES, container_of
from vision.camera.joined_streams import JoinedStream, parts_of
from vision.camera.mended_boxes import mended

COVER: Final = Disposition.attached_pic | Disposition.timed_thumbnails | Disposition.still_image
"""Streams that are marked as pictures about the film."""
LOOKED_AT: Final = 400
"""Packets by which a stream of many pictures is told from a cover that is not marked as one."""
RAW: Final = frozenset({"h264", "hevc", "vvc", "av1", "obu", "m4v", "mpegvideo", "mjpeg"})
"""FFmpeg's names for films without a container, which have no times."""


@contextlib.contextmanager
def opened_file(path: Path, form: str | None = None) -> Iterator[tuple[Any, Any]]:
    """The container of a film and the stream that is read; raises ``av.FFmpegError``.

    ``form``: FFmpeg's name for the container; None to detect it.
    """
    with contextlib.ExitStack() as held:
        source: Any = f"file:{path.absolute()}"  # a name with a colon would be a protocol's
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
        if container_of(head) == "mov" and (whole := mended(path)):
            source = held.enter_context(whole)
        elif parts := parts_of(path):
            source = held.enter_context(JoinedStream(path, parts))
        container = held.enter_context(open_container(source, form))
        stream = best_video(container)
        if stream is None:
            raise NoVideo
        if len(_candidates(container)) > 1:  # packets were looked at
            index = stream.index
            container.close()
            if not isinstance(source, str):
                source.seek(0)
            container = held.enter_context(open_container(source, form))
            stream = container.streams[index]
        yield container, stream


class NoVideo(ValueError):
    """A file holds no video that can be decoded."""


def open_container(
    source: Any,
    form: str | None = None,
    options: Mapping[str, str] | None = None,
    timeout_s: float | None = None,
) -> Any:
    """Open an address or an open file; tags may be in any encoding, and are no reason to stop."""
    given = dict(options or {})
    return av.open(
        source,
        format=form,
        options=given,
        timeout=timeout_s,
        metadata_errors="replace",
    )


def best_video(container: Any) -> Any | None:
    """The largest stream that is a film; None where there is none.

    Covers and single pictures are none. Where several streams are left, packets are consumed.
    """
    streams = _candidates(container)
    if len(streams) > 1:
        counted: Counter[int] = Counter()
        with contextlib.suppress(av.FFmpegError):
            packets = islice(container.demux(streams), LOOKED_AT)
            counted.update(packet.stream.index for packet in packets if packet.size)
        streams = [one for one in streams if counted[one.index] > 1] or streams
    return _largest(streams)


def largest_video(container: Any) -> Any | None:
    """As ``best_video``, of a camera: nothing that it sends is lost."""
    return _largest(_candidates(container))


def _candidates(container: Any) -> list[Any]:
    streams = container.streams.video
    return [one for one in streams if one.codec_context and not one.disposition & COVER]


def _largest(streams: Sequence[Any]) -> Any | None:
    return max(streams, key=lambda one: one.width * one.height, default=None)
