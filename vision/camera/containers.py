"""What kind of video file something is, told by its first bytes and not by its name."""

from __future__ import annotations

from typing import Final

HEAD_BYTES: Final = 1024
_MOV: Final = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide")
_PACKET: Final = 188
"""Bytes of a packet of a transport stream; each begins with the same byte."""


def container_of(head: bytes) -> str | None:
    """The library's name for the form of a video that begins so; None for what is no video.

    Lists of other files are forms of video to the library: whoever names the form reads none.
    """
    if head[4:8] in _MOV:
        return "mov"
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return "matroska"
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return "avi"
    if head.startswith(b"\x00\x00\x01\xba"):
        return "mpeg"
    if len(head) > 2 * _PACKET and {head[0], head[_PACKET], head[2 * _PACKET]} == {0x47}:
        return "mpegts"
    return None
