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


_PICTURES: Final = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_STILL: Final = (b"heic", b"heix", b"mif1", b"avif")
"""Kinds of the file format of films that hold a single picture."""


def is_picture(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a picture, and no film."""
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return True
    return head.startswith(_PICTURES) or (head[4:8] == b"ftyp" and head[8:12] in _STILL)
