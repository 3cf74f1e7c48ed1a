"""Files that are written whole or not at all, kept private, or known by a fingerprint."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

import typer

from engine.errors import Refused

if sys.platform != "win32":
    import fcntl

PARTS: Final = ".*-????????"
"""Pattern of files that were unfinished when the program was killed."""


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file under another name in the same folder, sync it, then give it its own name.

    Raises ``OSError`` that names ``path``.
    """
    folder = _folder_of(path)
    with _naming(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                # Names of files may be no text at all.
                file.write(data.encode(errors="replace") if isinstance(data, str) else data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill, which gets its name only when everything in it is there.

    Raises ``Refused`` when something is at ``path`` already: nothing is overwritten.
    """
    refuse_taken(path)
    with _naming(path):
        filling = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=_folder_of(path)))
    try:
        yield filling
        if path.is_dir():
            path.rmdir()
        filling.rename(path)
    except BaseException:
        shutil.rmtree(filling, ignore_errors=True)
        raise


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Have an ``OSError`` name ``path``, not a file that nobody has heard of."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def refuse_taken(path: Path) -> None:
    """Raise ``Refused`` unless a folder may be made at ``path``."""
    _folder_of(path)
    if path.is_dir() and not any(path.iterdir()):
        return
    if path.exists():
        raise Refused(f"{path} is there already; name a new folder with --out")


def _folder_of(path: Path) -> Path:
    folder = Path(os.path.realpath(path)).parent  # also of a link that leads to itself
    if not folder.is_dir():
        raise Refused(f"there is no folder {path.parent}; make it first")
    return folder


NO_LOCKS: Final = frozenset(
    {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL, errno.EBADF}
)
"""What systems say of files on network, camera and memory-card folders that cannot be locked."""


def locked(file: int | IO[Any], path: Path, shared: bool = False, wait: bool = False) -> bool:
    """Lock an open file, or a folder; False where another program holds it.

    ``path`` names it. ``shared``: others may hold it, too; ``wait``: until nobody else holds it.
    Raises ``Refused`` where files cannot be locked: two programs would spoil each other's work.
    """
    if sys.platform != "win32":
        how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        try:
            fcntl.flock(file, how)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            folder = path.absolute().parent
            raise Refused(
                f"files in {folder} cannot be locked ({error.strerror}): it may be a network "
                "folder or a memory card; use a folder on a disk of this computer"
            ) from None
    return True  # on Windows, no second program may write it anyway


SAMPLED_PARTS: Final = 16
PART_BYTES: Final = 1 << 16
"""Size of each part of a large file that is hashed: a film may have many gigabytes."""


def fingerprint(paths: Iterable[Path]) -> str:
    """Hash the content of files; raises ``OSError``."""
    found = sha256()
    for path in paths:
        with path.open("rb") as file:
            _add(found, file, path.stat().st_size)
    return found.hexdigest()


def fingerprint_of(file: IO[bytes], size: int) -> str:
    """Hash the content of one open file of ``size`` bytes, as ``fingerprint`` does."""
    found = sha256()
    _add(found, file, size)
    return found.hexdigest()


def _add(found: Any, file: IO[bytes], size: int) -> None:
    found.update(size.to_bytes(8))
    for part in range(SAMPLED_PARTS):
        file.seek(max(0, size - PART_BYTES) * part // (SAMPLED_PARTS - 1))
        found.update(file.read(PART_BYTES))


OTHERS: Final = 0o077
"""The rights of everybody but the owner."""
OWNER_ONLY: Final = 0o600

LineSink = Callable[[str], None]
"""Prints one line to the person at the keyboard."""


def to_stderr(line: str) -> None:
    typer.echo(line, err=True)


def keep_new_files_private() -> None:
    """Make new files and folders of this program readable by their owner only."""
    os.umask(OTHERS)


def keep_private(path: Path, say: LineSink = to_stderr) -> None:
    """Take other users' rights to a file or folder away, or say that this is not possible."""
    if sys.platform == "win32" or not path.exists():
        return  # there, a user's folders are closed to other users
    try:
        if path.stat().st_mode & OTHERS:
            path.chmod(path.stat().st_mode & ~OTHERS & 0o7777)
        refused = path.stat().st_mode & OTHERS
    except OSError:
        refused = OTHERS
    if refused:
        say(f"other users of this machine may read {path}, and that cannot be changed from here")


def data_address(picture: bytes) -> str:
    """A JPEG file as a ``data:`` address."""
    return f"data:image/jpeg;base64,{b64encode(picture).decode()}"
