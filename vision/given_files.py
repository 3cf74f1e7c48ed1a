"""Reads files that somebody names, with a limit on their size and on the time to wait.

A device, a pipe or a folder in a file's place is refused, as is a file that is too large. What is
refused raises ``OSError`` with the path and a reason, as a missing file does.
"""

from __future__ import annotations

import errno
import os
import select
import stat
from pathlib import Path
from typing import IO, Final

MIB: Final = 1 << 20
PIPE_S: Final = 10.0
"""A pipe that is silent for this long is given up: perhaps nobody will ever write into it."""
AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)
"""Without this flag, opening a pipe waits until a program writes to it; Windows has no such pipes.
"""


def open_given(path: Path, most_bytes: int) -> IO[bytes]:
    """Open a file for reading; raises ``OSError`` for one that is too large or no regular file."""
    file = _opened(path)
    try:
        check_given(file, path, most_bytes)
    except BaseException:
        file.close()
        raise
    return file


def check_given(file: IO[bytes], path: Path, most_bytes: int) -> None:
    """Raise ``OSError`` unless an open file is a regular one and no larger."""
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode):
        raise _no_file(path)
    if about.st_size > most_bytes:
        raise _too_large(path, most_bytes)


def read_given(path: Path, most_bytes: int, pipe: bool = False) -> bytes:
    """The content of a regular file, or with ``pipe`` also of a pipe; raises ``OSError``."""
    if pipe and path.is_fifo():
        with _opened(path) as file:
            return _piped(path, file.fileno(), most_bytes)
    with open_given(path, most_bytes) as file:
        return read_bounded(file, most_bytes, path)


def read_bounded(file: IO[bytes], most_bytes: int, name: object) -> bytes:
    """The rest of an open file, such as standard input; raises ``OSError`` if it is too large."""
    written = file.read(most_bytes + 1)
    if len(written) > most_bytes:
        raise _too_large(name, most_bytes)
    return written


def _opened(path: Path) -> IO[bytes]:
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | AT_ONCE))


def _piped(path: Path, pipe: int, most_bytes: int) -> bytes:
    written = bytearray()
    while select.select([pipe], [], [], PIPE_S)[0]:
        part = os.read(pipe, MIB)
        if not part:
            return bytes(written)
        written += part
        if len(written) > most_bytes:
            raise _too_large(path, most_bytes)
    raise OSError(errno.EAGAIN, f"nothing came through this pipe for {PIPE_S:g} s", str(path))


def _no_file(path: Path) -> OSError:
    return OSError(errno.EINVAL, "this is a device or a pipe, not a file; name a file", str(path))


def _too_large(name: object, most_bytes: int) -> OSError:
    most = f"{most_bytes // MIB} MiB" if most_bytes >= MIB else f"{most_bytes // 1024} KiB"
    return OSError(errno.EFBIG, f"larger than {most}, too large for such a file", str(name))
