"""Runs on a table's machine: sends the record to a hall without holding up the table."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from engine.codec import entry_to_json
from engine.errors import Refused
from engine.events import Entry
from service.report.public import Json
from service.table.live_table import LiveTable
from service.web.background import Job, StepFailed
from service.web.outgoing import HttpAnswer, NotAnswered, ask
from service.web.rights import VERSION
from vision.given_files import read_given

LOOK_S: Final = 0.5
"""How often to look for new lines."""
HEARTBEAT_S: Final = 15.0
"""How often to report to the hall when nothing happens."""
LONGEST_S: Final = 30.0
"""Limit of the wait between two attempts."""
ANSWER_S: Final = 5.0
"""Time limit of one request to the hall, its whole answer included."""
FAREWELL_S: Final = 1.5
"""Time limit for the last lines when the program ends."""
MOST_LINES: Final = 100
LARGEST: Final = 64 * 1024
"""Most bytes of the file with the key."""
OUT_OF_STEP: Final = 409


class NotTaken(StepFailed):
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

    async def ask(self, what: str, body: Json | None) -> Json:
        """Send one request about this table; raise ``NotTaken``."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        address = f"{self.host}{VERSION}/tables/{quote(self.table, safe='')}/{what}"
        try:
            answer = await ask(address, data, headers, ANSWER_S)
        except NotAnswered as error:
            raise NotTaken(f"it cannot be reached: {error}") from None
        if not 200 <= answer.status < 300:
            raise NotTaken(_why(answer), answer.status)
        try:
            told = json.loads(answer.body)
        except ValueError:
            told = None
        if not isinstance(told, dict):
            raise NotTaken("its answer is not that of a hall; check the address")
        return told


class Posting:
    """Brings a hall up to date with one table's record, and keeps it so."""

    def __init__(self, link: HallLink, record: str) -> None:
        """``record`` is its name in the hall."""
        self._link = link
        self._record = record
        self._in_hall: int | None = None
        """How many lines the hall has. None where it has to be asked."""
        self._told: Json | None = None
        """The last condition that the hall was told."""
        self._told_s = 0.0

    def job(self, table: LiveTable) -> Job:
        """Post while the table is served, and then the remaining lines."""
        bring = partial(self._bring, table)
        return Job("posting to the hall", bring, LOOK_S, LONGEST_S, partial(_in_time, bring))

    async def _bring(self, table: LiveTable) -> None:
        """Send the lines that the hall lacks; raise ``NotTaken``."""
        entries = table.game.entries
        if self._in_hall is None and entries:
            asked = f"lines?record={quote(self._record, safe='')}"
            theirs = _lines(await self._link.ask(asked, None))
            if theirs > len(entries):
                raise NotTaken(
                    f"it has {theirs} lines of {self._record}, more than there are "
                    "here; name another record with --record"
                )
            # Its last line is sent again, so that the hall notices a different record.
            self._in_hall = max(0, theirs - 1)
        if table.unsure:  # first: no payout shall stand there that is asked here
            await self._tell(table)
        while self._in_hall is not None and self._in_hall < len(entries):
            self._in_hall = await self._send(entries, self._in_hall)
        await self._tell(table)

    async def _send(self, entries: Sequence[Entry], first: int) -> int:
        lines = [entry_to_json(entry) for entry in entries[first : first + MOST_LINES]]
        body: Json = {"record": self._record, "from": first, "lines": lines}
        try:
            return _lines(await self._link.ask("lines", body))
        except NotTaken as refusal:
            if refusal.status == OUT_OF_STEP:
                self._in_hall = None
            raise

    async def _tell(self, table: LiveTable) -> None:
        now_s = asyncio.get_running_loop().time()
        told: Json = {
            "trouble": table.trouble,
            "trouble_kind": table.trouble_kind,
            "questions": len(table.asked()),
        }
        if table.unsure:
            told["unsure"] = {"record": self._record, "lines": sorted(table.unsure)}
        if told != self._told or now_s - self._told_s > HEARTBEAT_S:
            await self._link.ask("condition", told)
            self._told, self._told_s = told, now_s


async def _in_time(bring: Callable[[], Awaitable[None]]) -> None:
    """Send the last lines, but do not let the end of the program wait for the hall."""
    with contextlib.suppress(NotTaken, TimeoutError):
        async with asyncio.timeout(FAREWELL_S):
            await bring()


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


def _why(answer: HttpAnswer) -> str:
    try:
        detail = json.loads(answer.body)["detail"]
    except (ValueError, TypeError, KeyError):
        detail = f"it answers {answer.status}"
    return " ".join(str(detail).split())
