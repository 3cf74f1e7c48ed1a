"""The keys of a table: one for each seat, and one for whoever runs the table."""

from __future__ import annotations

import contextlib
import hmac
import io
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import segno

from engine.events import Seat
from service.access.gate import Entrance, at_this_machine
from service.access.grants import TABLE, Grant, Role
from service.errors import Conflict
from service.files import keep_private, write_whole
from vision.given_files import read_given

KEY_BYTES: Final = 18
LARGEST: Final = 64 * 1024
QR_SCALE: Final = 5
"""Screen pixels of one module of the QR code."""


@dataclass
class TableKeys:
    """Random keys; ``repr`` shows none of them."""

    control: str = field(repr=False)
    seats: tuple[str, str, str, str] = field(repr=False)
    kept_at: Path | None = field(default=None, repr=False, compare=False)
    """The file that holds them; None for keys that last as long as the program."""
    on_renewed: list[Callable[[], None]] = field(default_factory=list, repr=False, compare=False)
    """Called after a renewal: connections made with an old key must be closed."""

    taken: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    """Who sits at a seat: the device that chose it, or nothing for one that scanned its code."""
    seated: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The names of those who have chosen."""

    @classmethod
    def new(cls) -> TableKeys:
        """Make five random keys."""
        control, first, second, third, fourth = (_key() for _ in range(5))
        return cls(control, (first, second, third, fourth))

    @classmethod
    def kept_beside(cls, record: Path, last: TableKeys | None = None) -> TableKeys:
        """Load the keys of a record, so that the players' pages work after a restart.

        A record without keys gets those of the ``last`` one of the same evening, or new ones.
        Only the owner may read the file, and one that cannot be used is replaced; raises
        ``OSError`` when none can be written.
        """
        path = keys_file(record)
        keep_private(path)
        if (kept := cls.read_from(path)) is not None:
            return kept
        new = cls.new() if last is None else cls(last.control, last.seats, taken=last.taken)
        new.kept_at = path
        new._keep()
        return new

    @classmethod
    def read_from(cls, path: Path) -> TableKeys | None:
        """The keys in a file; None where it holds none that can be used."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError, RecursionError):
            control, *seats = json.loads(read_given(path, LARGEST))
            first, second, third, fourth = seats
            if all(isinstance(key, str) and len(key) >= KEY_BYTES for key in (control, *seats)):
                return cls(control, (first, second, third, fourth), path)
        return None

    def renew(self) -> None:
        """Replace all keys; the old ones open nothing from now on. Raises ``OSError``."""
        before = self.control, self.seats
        new = TableKeys.new()
        self.control, self.seats = new.control, new.seats
        try:
            self._keep()
        except OSError:
            self.control, self.seats = before
            raise
        self.taken.clear()
        for told in self.on_renewed:
            told()

    def choose(self, device: str, seat: Seat | None, names: tuple[str, ...]) -> Seat | None:
        """Give a device a free seat in place of the one it has, and return its seat.

        Other people at the table choose anew. Raises ``Conflict`` for a seat that is taken.
        """
        if names != self.seated:
            self.taken.clear()
            self.seated = names
        own = next((at for at, who in self.taken.items() if who == device), None)
        if seat is None or seat == own:
            return own
        if seat in self.taken:
            raise Conflict("somebody sits there already; scan the code of that seat alone")
        self.taken.pop(-1 if own is None else own, None)
        self.taken[seat] = device
        return seat

    def _keep(self) -> None:
        if self.kept_at is not None:
            write_whole(self.kept_at, json.dumps([self.control, *self.seats]))

    @property
    def viewer(self) -> str:
        return self._derived("viewer")

    @property
    def guest(self) -> str:
        """Opens what a viewer sees, and a free seat."""
        return self._derived("guest")

    @property
    def scorer(self) -> str:
        return self._derived("scorer")

    def grant_of(self, key: str) -> Grant | None:
        """What a key allows. All keys are compared, so the time tells nothing about them."""
        grants = [
            (self.control, Grant(Role.ADMIN)),
            *((own, Grant(Role.SEAT, seat)) for seat, own in enumerate(self.seats)),
            (self.scorer, Grant(Role.SCORER)),
            (self.viewer, Grant(Role.VIEWER)),
            (self.guest, Grant(Role.VIEWER, guest=True)),
        ]
        fitting = [grant for own, grant in grants if _same(key, own)]
        return fitting[0] if fitting else None

    def entrance(self, without_key: Role | None) -> Entrance:
        """The table's; ``without_key`` is the role of this machine itself."""

        async def look_up(key: str) -> Grant | None:
            return self.grant_of(key)

        return Entrance(TABLE, look_up, at_this_machine(without_key))

    def _derived(self, name: str) -> str:
        return hmac.new(self.control.encode(), name.encode(), "sha256").hexdigest()


def keys_file(record: Path) -> Path:
    """The file of a record's keys."""
    return record.with_name(f".{record.name}.keys")


def seat_address(base: str, key: str) -> str:
    """The address of a seat's page; what follows ``#`` stays in the browser and is never logged."""
    return f"{base.rstrip('/')}/seat#{key}"


def table_address(base: str, key: str) -> str:
    """The address of the table's page, with what this key allows there."""
    return f"{base.rstrip('/')}/#{key}"


def qr_svg(text: str) -> str:
    """A QR code as an ``<svg>`` element, dark on white."""
    return segno.make(text, error="m", micro=False).svg_inline(scale=QR_SCALE, light="#fff")


def qr_text(text: str) -> str:
    """A QR code for a terminal."""
    written = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(written, compact=True)
    return written.getvalue()


def _key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def _same(given: str, own: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), own.encode())
