"""The keys of a table, and the one place that hands them out: of the seats, of whoever watches,
scores or runs the table."""

from __future__ import annotations

import contextlib
import hmac
import io
import json
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeGuard

import segno

from engine.errors import Conflict, Refused
from engine.events import Seat
from service.machine.files import keep_private, write_whole
from service.web.grants import Grant, Role
from vision.given_files import read_given

KEY_BYTES: Final = 18
LARGEST: Final = 64 * 1024
SEATS: Final = range(4)
SHORTEST_DEVICE, LONGEST_DEVICE = 16, 64
"""Letters of the random word by which a browser is known."""
QR_SCALE: Final = 5
"""Screen pixels of one module of the QR code."""
MOST_SAT: Final = 64
"""Devices that are known to have had a seat, those of last."""
MOST_ENDED: Final = 16
"""Devices that are kept out of one seat, those of last: an evening has few lost phones."""


@dataclass(frozen=True)
class Sitter:
    """Who sits at a seat. Whoever sits down after it is another one, with another key."""

    device: str = field(default="", repr=False)
    """The device that sits here; empty for one that did not tell its word."""
    key: str = field(default="", repr=False)
    """Opens the seat as long as the device sits here; empty for one that came by the code alone."""
    by_code: bool = False
    """Whether the seat's own code was used: it opens nothing more when the seat is left."""
    since: int = 0
    """The lines that the record had when the device sat down by the guest's card: it is shown no
    hand that was dealt before. 0 for whoever came by the seat's own code."""


@dataclass(frozen=True)
class Past:
    """Who sat at a seat before, and how that ended."""

    device: str = field(default="", repr=False)
    """The device that sat here until the seat's name changed: it may come back in the same hand."""
    since: int = 0
    """Its ``Sitter.since``."""
    until: int = 0
    """The lines that the record had when the name changed."""
    ended: tuple[str, ...] = field(default=(), repr=False)
    """Devices whose pages the host has ended here: the guest's card does not let them in again."""
    closed: bool = False
    """Whether the seat waits for its own code: the guest's card lets nobody in."""

    def shut_to(self, device: str) -> bool:
        return self.closed or device in self.ended

    def renewed(self, *devices: str) -> Past:
        """This past after the host has ended the pages of these devices."""
        ended = dict.fromkeys((*self.ended, self.device, *devices))
        return Past(ended=tuple(filter(None, ended))[-MOST_ENDED:], closed=True)

    def after(self, device: str, by_code: bool) -> Past:
        """This past once a device sits here."""
        if not by_code:
            return replace(self, device="")
        return Past(ended=tuple(one for one in self.ended if one != device))


@dataclass
class TableKeys:
    """Random keys; ``repr`` shows none of them."""

    control: str = field(repr=False)
    seats: tuple[str, ...] = field(repr=False)
    """The code of each seat, which whoever runs the table shows to the player."""
    kept_at: Path | None = field(default=None, repr=False, compare=False)
    """The file that holds them; None for keys that last as long as the program."""
    on_ended: list[Callable[[Collection[Seat]], None]] = field(
        default_factory=list, repr=False, compare=False
    )
    """Called when keys have ended, with the seats that are left: their connections are closed."""

    taken: dict[Seat, Sitter] = field(default_factory=dict, repr=False, compare=False)
    past: dict[Seat, Past] = field(default_factory=dict, repr=False, compare=False)
    """Who sat at the seats before."""
    sat: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """Devices that have opened a seat's page since the codes were new, those of last: also the
    second one that came by a code, and whose seat has ended."""
    people: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The names of those who sit at the table; empty as long as nobody has said so."""
    spectator: str = field(default="", repr=False, compare=False)
    """Opens what a viewer sees as long as spectators may watch; empty where they may not."""
    age: int = field(default=0, repr=False, compare=False)
    """How often they were changed. Of two files of one evening, what the younger holds is over."""

    @classmethod
    def new(cls) -> TableKeys:
        """Make five random keys."""
        return cls(_key(), _codes())

    @classmethod
    def kept_beside(cls, record: Path, last: TableKeys | None = None, lines: int = 0) -> TableKeys:
        """Load the keys of a record, so that the players' pages work after a restart.

        A record without keys gets those of the ``last`` one of the same evening, or new ones; so
        does one whose keys have changed since. ``lines``: of the record now. Only the owner may
        read the file, and one that cannot be used is replaced; raises ``OSError`` when none can be
        written.
        """
        path = keys_file(record)
        keep_private(path)
        kept = cls.read_from(path)
        if kept is not None and (last is None or last.age <= kept.age):
            return kept
        new = cls.new() if last is None else last._of_another_record(kept, lines)
        new.kept_at = path
        new._keep()
        return new

    def of_other_game(self, record: Path, people: Sequence[str], lines: int) -> TableKeys:
        """The same keys and seats for another record, whoever it names: those who study played
        games look at one after the other. ``lines``: of that record. Raises ``OSError`` when they
        cannot be written."""
        path = keys_file(record)
        keep_private(path)
        new = self._of_another_record(self.read_from(path), lines)
        new.people, new.kept_at = tuple(people), path
        new._keep()
        return new

    @classmethod
    def read_from(cls, path: Path) -> TableKeys | None:
        """The keys in a file; None where it holds none that can be used."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError, RecursionError):
            told = json.loads(read_given(path, LARGEST))
            if isinstance(told, list):  # the form of earlier versions
                told = {"control": told[0], "seats": told[1:]} if told else {}
            return _unpacked(told, path)
        return None

    def renew(self) -> None:
        """Replace all keys; the old ones open nothing from now on. Raises ``OSError``."""
        seats = _codes()
        self._change(SEATS, control=_key(), seats=seats, taken={}, past={}, spectator="", sat=())

    def new_code(self, seat: Seat) -> None:
        """End what opens one seat, and make a new code for it: that alone opens the seat now.

        The device that sat there comes in by the guest's card no more. Raises ``OSError``.
        """
        sitter = self.taken.get(seat, Sitter())
        past = {**self.past, seat: self.past.get(seat, Past()).renewed(sitter.device)}
        self._change((seat,), past=past, **self._without((seat,), (seat,)))

    def choose(
        self, device: str, seat: Seat | None, lines: int = 0, hand: int | None = None
    ) -> tuple[Seat, str] | None:
        """Give a device a free seat in place of the one it has; return its seat and its key.

        ``lines``: of the record now. ``hand``: the line with which the hand began that is played;
        None between hands. In a hand somebody plays at each seat, so none is free but for who sat
        there in it. Raises ``Conflict`` for a seat that is not, ``OSError`` with nothing changed.
        """
        own = self._seat_of(device)
        seat = own if seat is None else seat
        if seat is None:
            return None
        sitter, past = self.taken.get(seat), self.past.get(seat, Past())
        back = seat == self.way_back(device, hand)
        if seat != own and (sitter is not None or past.shut_to(device)):
            raise Conflict("somebody sits there already; scan the code of that seat alone")
        if hand is not None and seat != own and not back:
            raise Conflict("a hand is being played: take a seat when it is over")
        if sitter is None or not sitter.key:
            since = past.since if back else lines
            sitter = replace(sitter or Sitter(device, since=since), key=_key())
            self._sit_down(seat, sitter, () if own in (None, seat) else (own,))
        return seat, sitter.key

    def way_back(self, device: str, hand: int | None) -> Seat | None:
        """The free seat at which a device sat in the ``hand`` that is played, until its name was
        put right."""
        if hand is None or self._seat_of(device) is not None:
            return None
        fitting = (
            seat
            for seat, past in self.past.items()
            if device and past.device == device and past.until > hand and not past.shut_to(device)
        )
        return next((seat for seat in fitting if seat not in self.taken), None)

    def shut_to(self, device: str) -> list[Seat]:
        """The seats that the guest's card does not open for a device, whatever is played."""
        own = self._seat_of(device)
        closed = (at for at, past in self.past.items() if at != own and past.shut_to(device))
        return sorted({*self.taken, *closed})

    def scanned(self, key: str, device: str = "") -> None:
        """Note that a seat's code was used, so that the seat is not free; by which device, if it
        is known."""
        seat = next((at for at in SEATS if _same(key, self.seats[at])), None)
        if seat is None:
            return
        now, own = self.taken.get(seat, Sitter()), self._seat_of(device)
        # Who came by the guest's card moves to this seat. Codes alone tell of no move: whoever runs
        # the table may open several pages of seats beside each other.
        left = [at for at in SEATS if at == own != seat and self.taken[at].key]
        knows = now.device or (device if own is None or left else "")
        sitter = replace(now, device=knows, by_code=True)
        if left or sitter != self.taken.get(seat):
            self._sit_down(seat, sitter, left, must_be_kept=False)  # a full disk sends nobody away
        if device and device not in self.sat:
            self._change((), must_be_kept=False, sat=self._sat_with(device))

    def seated(self, names: Sequence[str], lines: int = 0) -> None:
        """End what opens the seats of those who do not sit there any more.

        ``lines``: of the record in which a line said so; 0 where it is another record.
        """
        before, now = self.people, tuple(names)
        if not now or now == before:  # before the first game nobody knows who sits where
            return
        left = [seat for seat in SEATS if before and before[seat] != now[seat]]
        # It ends even where that cannot be written: the file still names those who have left.
        past = dict(self.past)
        for seat in left:
            if (one := self.taken.get(seat)) is not None:
                before_it = past.get(seat, Past())
                past[seat] = replace(before_it, device=one.device, since=one.since, until=lines)
        more = self._without(left, left)
        self._change(left, must_be_kept=False, people=now, past=past, **more)

    def let_watch(self, spectators: bool) -> None:
        """Make the spectators' key, or end it; raises ``OSError``."""
        if spectators is not bool(self.spectator):
            self._change((), spectator=_key() if spectators else "")

    def has_sat(self, device: str) -> bool:
        """Whether a device has a seat at this table, or had one since the codes were new."""
        return self._seat_of(device) is not None or device in self.sat

    def _sat_with(self, device: str) -> tuple[str, ...]:
        return (*(one for one in self.sat if one != device), device)[-MOST_SAT:]

    def _seat_of(self, device: str) -> Seat | None:
        """Where a device sits; None for one that is not known."""
        sitting = (at for at, sitter in self.taken.items() if device and sitter.device == device)
        return next(sitting, None)

    def _sit_down(
        self, seat: Seat, sitter: Sitter, left: Collection[Seat], must_be_kept: bool = True
    ) -> None:
        """Let somebody sit here who has ``left`` other seats: their codes go if they were used."""
        changed = self._without(left, [at for at in left if self.taken[at].by_code])
        changed["taken"] = {**changed["taken"], seat: sitter}
        if sitter.device:
            changed["sat"] = self._sat_with(sitter.device)
        changed["past"] = {
            at: past.after(sitter.device, sitter.by_code)
            if at == seat
            else replace(past, device="" if past.device == sitter.device else past.device)
            for at, past in self.past.items()
        }
        self._change(left, must_be_kept, **changed)

    def _of_another_record(self, kept: TableKeys | None, lines: int) -> TableKeys:
        """These keys for a record of so many ``lines``, which it counts itself.

        Who sat down at another record is shown none of the hands that this one holds already. By
        the keys that it had, ``kept``, a device is known that sat at the same seat here.
        """
        here = {} if kept is None else kept.taken
        taken = {}
        for seat, one in self.taken.items():
            was = here.get(seat, Sitter())
            since = was.since if one.device and one.device == was.device else lines
            taken[seat] = replace(one, since=0 if one.by_code else since)
        past = {seat: replace(one, device="") for seat, one in self.past.items()}
        return replace(self, on_ended=[], spectator="", taken=taken, past=past)

    def _without(self, left: Collection[Seat], renewed: Collection[Seat]) -> dict[str, Any]:
        """The seats that are taken without those, and the codes with new ones."""
        codes = [_key() if seat in renewed else code for seat, code in enumerate(self.seats)]
        taken = {seat: sitter for seat, sitter in self.taken.items() if seat not in left}
        return {"taken": taken, "seats": tuple(codes)}

    def _change(self, left: Collection[Seat], must_be_kept: bool = True, **new: Any) -> None:
        """Take other values and write them down; whoever ``left`` has no key any more.

        Raises ``OSError`` or ``Refused`` with nothing changed, unless they need not be kept.
        """
        new["age"] = self.age + 1
        before = {name: getattr(self, name) for name in new}
        vars(self).update(new)
        try:
            self._keep()
        except (OSError, Refused):  # the folder may be gone, too
            if must_be_kept:
                vars(self).update(before)
                raise  # nothing was ended
        for told in self.on_ended:
            told(left)

    def _keep(self) -> None:
        if self.kept_at is not None:
            write_whole(self.kept_at, json.dumps(_packed(self)))

    @property
    def viewer(self) -> str:
        return self._derived("viewer")

    @property
    def guest(self) -> str:
        """Opens what a viewer sees, and a free seat."""
        return self._derived("guest")

    @property
    def teacher(self) -> str:
        """Opens what a viewer sees, and what each player shares with the teacher."""
        return self._derived("teacher")

    @property
    def scorer(self) -> str:
        return self._derived("scorer")

    def grant_of(self, key: str) -> Grant | None:
        """What a key allows. All keys are compared, so the time tells nothing about them."""
        grants = [
            (self.control, Grant(Role.ADMIN)),
            *((code, Grant(Role.SEAT, seat)) for seat, code in enumerate(self.seats)),
            *((one.key, Grant(Role.SEAT, at, since=one.since)) for at, one in self.taken.items()),
            (self.scorer, Grant(Role.SCORER)),
            (self.viewer, Grant(Role.VIEWER)),
            (self.spectator, Grant(Role.VIEWER)),
            (self.guest, Grant(Role.VIEWER, guest=True)),
            (self.teacher, Grant(Role.VIEWER, teaches=True)),
        ]
        fitting = [grant for own, grant in grants if _same(key, own) and own]
        return fitting[0] if fitting else None

    def opens(self, key: str) -> bool:
        """Whether a key still opens anything."""
        return self.grant_of(key) is not None

    def seat_of(self, key: str) -> Seat | None:
        """The seat that a key opens; None for one that opens no hand, or those of all."""
        grant = self.grant_of(key)
        return None if grant is None else grant.seat

    def page_of(self, key: str) -> str:
        """The page that a valid key opens, from the top of the site: where its code leads."""
        grant = self.grant_of(key)
        if grant is not None and grant.teaches:
            return teacher_address("", key)
        at_seat = grant is not None and (grant.guest or grant.seat is not None)
        return (seat_address if at_seat else table_address)("", key)

    def _derived(self, name: str) -> str:
        return hmac.new(self.control.encode(), name.encode(), "sha256").hexdigest()


def keys_file(record: Path) -> Path:
    """The file of a record's keys."""
    return record.with_name(f".{record.name}.keys")


def is_device(word: object) -> TypeGuard[str]:
    """Whether a browser may be known by this word."""
    return isinstance(word, str) and SHORTEST_DEVICE <= len(word) <= LONGEST_DEVICE


def _packed(keys: TableKeys) -> dict[str, Any]:
    return {
        "control": keys.control,
        "seats": keys.seats,
        "taken": [
            [at, one.device, one.key, one.by_code, one.since] for at, one in keys.taken.items()
        ],
        "past": [
            [at, one.device, one.since, one.until, one.ended, one.closed]
            for at, one in keys.past.items()
        ],
        "sat": keys.sat,
        "people": keys.people,
        "spectator": keys.spectator,
        "age": keys.age,
    }


def _unpacked(told: Any, path: Path) -> TableKeys | None:
    """The keys that a file holds; raises ``TypeError`` or ``ValueError`` for nonsense."""
    if not isinstance(told, dict):
        return None
    control, seats = told.get("control"), tuple(told.get("seats", ()))
    if len(seats) != len(SEATS) or not all(_is_key(key) for key in (control, *seats)):
        return None
    keys = TableKeys(str(control), seats, path)
    for seat, device, key, by_code, *since in told.get("taken", ()):  # earlier versions: no since
        if seat not in SEATS or not (key == "" or _is_key(key)):
            return None
        sat = int(since[0]) if since else 0
        keys.taken = {**keys.taken, seat: Sitter(str(device), key, by_code is True, sat)}
    for seat, device, since, until, ended, closed in told.get("past", ()):
        if seat not in SEATS:
            return None
        gone = Past(str(device), int(since), int(until), tuple(map(str, ended)), closed is True)
        keys.past = {**keys.past, seat: gone}
    keys.sat = tuple(map(str, told.get("sat", ())))[-MOST_SAT:]
    people = tuple(map(str, told.get("people", ())))
    keys.people = people if len(people) == len(SEATS) else ()
    spectator = told.get("spectator", "")
    keys.spectator = spectator if _is_key(spectator) else ""
    age = told.get("age", 0)
    keys.age = age if isinstance(age, int) else 0
    return keys


def _is_key(word: object) -> bool:
    return isinstance(word, str) and len(word) >= KEY_BYTES


def seat_address(base: str, key: str) -> str:
    """The address of a seat's page; what follows ``#`` stays in the browser and is never logged."""
    return f"{base.rstrip('/')}/seat#{key}"


def teacher_address(base: str, key: str) -> str:
    """The address of the teacher's page."""
    return f"{base.rstrip('/')}/teacher#{key}"


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


def _codes() -> tuple[str, ...]:
    return tuple(_key() for _ in SEATS)


def _same(given: str, own: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), own.encode())
