"""What people may read of a camera's address: its host, and nothing else."""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "the network camera"
"""What a camera is called whose host cannot be told apart from a password."""
_SCHEME: Final = r"[a-zA-Z][a-zA-Z0-9+.-]+:"
_ADDRESS: Final = re.compile(rf"\s*({_SCHEME})*{_SCHEME}/+|(?=[^/\\]*:[^/\\]*@)")
"""What an address begins with, or the place before a password where that is missing."""
_HOST: Final = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+\])(:\d*)?")


def shown(source: object) -> str:
    """The name of a source for screens, logs and other machines; files are called as they are.

    Cameras take passwords before ``@``, in the path and behind ``?``.
    """
    text = str(source)
    # A path has one slash where the address that somebody gave for a file had two.
    scheme = _ADDRESS.match(text)
    if scheme is None:
        return text
    return host_of(text[scheme.end() :]) or HIDDEN


def host_of(address: str) -> str | None:
    """The host of an address without its scheme; None where a password may hide it."""
    place, *rest = re.split(r"[/?#\\]", address, maxsplit=1)
    if any("@" in each for each in rest):  # a password with a slash in it, perhaps
        return None
    host = _HOST.fullmatch(place.rpartition("@")[2])
    return None if host is None else host[1]
