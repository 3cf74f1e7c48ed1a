"""Show a camera's address without its password."""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "the network camera"
"""Shown for a camera whose host cannot be told apart from a password."""
_SCHEME: Final = r"[a-zA-Z][a-zA-Z0-9+.-]+:"
_ADDRESS: Final = re.compile(rf"\s*({_SCHEME})*{_SCHEME}/+|(?=[^/\\]*:[^/\\]*@)")
"""The beginning of an address, or a password's place where the scheme is missing."""
_NO_TEXT: Final = re.compile(r"[\ud800-\udfff]")
"""Bytes of a file's name that are not UTF-8, as Python holds them."""
_HOST: Final = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+\])(:\d*)?")


def readable(name: str) -> str:
    """A file's name as text that any program can read."""
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", name)


def shown(source: object) -> str:
    """The name of a source for screens, logs and API; a file keeps its name.

    Cameras accept passwords before ``@``, in the path and after ``?``, so only the host is shown.
    """
    text = readable(str(source))
    # A Path has one slash where the address that somebody gave for a file had two.
    scheme = _ADDRESS.match(text)
    if scheme is None:
        return text
    return host_of(text[scheme.end() :]) or HIDDEN


def host_of(address: str) -> str | None:
    """The host of an address without its scheme; None if a password may hide in it."""
    place, *rest = re.split(r"[/?#\\]", address, maxsplit=1)
    if any("@" in each for each in rest):  # perhaps a password with a slash in it
        return None
    host = _HOST.fullmatch(place.rpartition("@")[2])
    return None if host is None else host[1]
