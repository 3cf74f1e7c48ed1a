"""Recognise a video container by its first bytes, whatever the file is called."""

from __future__ import annotations

from typing import Final

HEAD_BYTES: Final = 1024
_MOV: Final = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide")
_PACKET: Final = 188
"""Bytes in a packet of a transport stream; each packet begins with the same byte."""


def container_of(head: bytes) -> str | None:
    """FFmpeg's name for the container that begins with these bytes; None for anything else.

    FFmpeg also opens playlists that name other files. Giving the container by name prevents that.
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
