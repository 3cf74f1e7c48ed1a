"""Runs on a table's machine: sends the record to a hall without holding up the table."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from engine.codec import entry_to_json
from engine.events import Entry
from service.errors import Refused
from service.pages.api_v1 import VERSION
from service.report.public import Json
from service.table.live_table import LiveTable
from vision.given_files import read_given

LOOK_S: Final = 0.5
"""How often to look for new lines."""
HEARTBEAT_S: Final = 15.0
"""How often to report to the hall when nothing happens."""
WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 30.0
"""Limits of the wait between two attempts, which doubles each time."""
ANSWER_S: Final = 5.0
"""Time limit of one request to the hall, and of waiting for it at the end of the program."""
FAREWELL_S: Final = 1.5
"""Time limit for the last lines when the program ends."""
MOST_LINES: Final = 100
LARGEST: Final = 64 * 1024
"""Most bytes of an answer, and of the file with the key."""
OUT_OF_STEP: Final = 409


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect, because the key is for the hall alone."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER: Final = build_opener(_NoRedirects())


class NotTaken(Exception):
    """The hall did not take what was sent; the message says why."""

    def __init__(self, why: str, status: int | None = None) -> None:
        super().__init__(why)
        self.status = status
        """HTTP status of the answer. None without an answer."""


@dataclass(frozen=True)
class HallLink:
    """The address of a table's page in the hall, and its key."""

    host: str
    """With scheme, such as ``http://hall.example:8100``."""
    table: str
    key: str = field(repr=False)

    @classmethod
    def of(cls, url: str, key_file: Path) -> HallLink:
        """Read the link from the address of the table's page; raise ``Refused``."""
        host, parts = _split(url)
        if len(parts) != 2 or parts[0] != "tables" or not parts[1]:
            raise Refused(
                "expected --hall-url to be the table's page in the hall, such as "
                "http://hall.local:8100/tables/north"
            )
        try:
            key = read_given(key_file, LARGEST).decode().strip()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise Refused(f"cannot read the key of the hall in {key_file}: {why}") from None
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise Refused(f"{key_file} does not hold one key; write the table's key into it")
        return cls(host, parts[1], key)

    def ask(self, what: str, body: Json | None, timeout_s: float) -> Json:
        """Send one request about this table; raise ``NotTaken``."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        address = f"{self.host}{VERSION}tables/{quote(self.table, safe='')}/{what}"
        try:
            with _OPENER.open(Request(address, data, headers), timeout=timeout_s) as answer:
                told = json.loads(answer.read(LARGEST))
        except HTTPError as error:
            with error:
                raise NotTaken(_why(error.read(LARGEST), error.code), error.code) from None
        except URLError as error:
            raise NotTaken(f"it cannot be reached: {error.reason}") from None
        except (OSError, HTTPException, ValueError) as error:
            raise NotTaken(f"it cannot be reached: {error or type(error).__name__}") from None
        if not isinstance(told, dict):
            raise NotTaken("its answer is not that of a hall; check the address")
        return told


class Posting:
    """Brings a hall up to date with one table's record, and keeps it so."""

    def __init__(self, link: HallLink, record: str, say: Callable[[str], None]) -> None:
        """``record`` is its name in the hall; ``say`` informs the person at the machine."""
        self._link = link
        self._record = record
        self._say = say
        self._said = ""
        self._stands: int | None = None
        """How many lines the hall has. None where it has to be asked."""
        self._told: Json | None = None
        """The last condition that the hall was told."""
        self._told_s = 0.0

    async def run(self, table: LiveTable) -> None:
        """Post until cancelled, and then the remaining lines."""
        wait_s = WAIT_S
        try:
            while True:
                try:
                    await self._bring(table, ANSWER_S)
                    wait_s = WAIT_S
                    await asyncio.sleep(LOOK_S)
                except NotTaken as refusal:
                    self._complain(refusal)
                    await asyncio.sleep(wait_s)
                    wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        finally:
            with contextlib.suppress(NotTaken):
                await self._bring(table, FAREWELL_S)

    async def _bring(self, table: LiveTable, timeout_s: float) -> None:
        """Send the lines that the hall lacks; raise ``NotTaken``."""
        entries = table.game.entries
        if self._stands is None and entries:
            asked = f"lines?record={quote(self._record, safe='')}"
            theirs = _lines(await asyncio.to_thread(self._link.ask, asked, None, timeout_s))
            if theirs > len(entries):
                raise NotTaken(
                    f"it has {theirs} lines of {self._record}, more than there are "
                    "here; name another record with --record"
                )
            # Its last line is sent again, so that the hall notices a different record.
            self._stands = max(0, theirs - 1)
        while self._stands is not None and self._stands < len(entries):
            self._stands = await self._send(entries, self._stands, timeout_s)
        await self._tell(table, timeout_s)
        if self._said:
            self._say(f"the hall has all {len(entries)} lines again")
            self._said = ""

    async def _send(self, entries: Sequence[Entry], first: int, timeout_s: float) -> int:
        lines = [entry_to_json(entry) for entry in entries[first : first + MOST_LINES]]
        body: Json = {"record": self._record, "from": first, "lines": lines}
        try:
            return _lines(await asyncio.to_thread(self._link.ask, "lines", body, timeout_s))
        except NotTaken as refusal:
            if refusal.status == OUT_OF_STEP:
                self._stands = None
            raise

    async def _tell(self, table: LiveTable, timeout_s: float) -> None:
        now_s = asyncio.get_running_loop().time()
        told: Json = {
            "trouble": table.trouble,
            "trouble_kind": table.trouble_kind,
            "questions": len(table.questions()),
        }
        if told != self._told or now_s - self._told_s > HEARTBEAT_S:
            await asyncio.to_thread(self._link.ask, "condition", told, timeout_s)
            self._told, self._told_s = told, now_s

    def _complain(self, refusal: NotTaken) -> None:
        """Report each reason once, not each attempt."""
        said = str(refusal)
        if said != self._said:
            self._said = said
            self._say(
                f"the hall does not get this table: {said}; "
                "the table goes on, and posting is tried again"
            )


def _split(url: str) -> tuple[str, list[str]]:
    """Scheme and host, and the parts of the path; no parts for an invalid address."""
    try:
        address = urlsplit(url)
        known = address.scheme in ("http", "https") and address.hostname and address.port != 0
        known = known and "@" not in url  # a password would be repeated in messages
    except ValueError:  # half a bracket, a port that is no number
        return "", []
    host = f"{address.scheme}://{address.netloc}"
    return host, address.path.strip("/").split("/") if known else []


def _lines(answer: Json) -> int:
    lines = answer.get("lines")
    if not isinstance(lines, int) or isinstance(lines, bool) or lines < 0:
        raise NotTaken("its answer is not that of a hall; check the address")
    return lines


def _why(body: bytes, status: int) -> str:
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, TypeError, KeyError):
        detail = f"it answers {status}"
    return " ".join(str(detail).split())
