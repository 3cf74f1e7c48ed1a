"""Announcements as JSON for pages, in every language and each with a key."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final

from engine.announce import Announcement, Hint, Payout, Turn
from engine.events import Seat
from engine.played import PlayedEvent
from service.report.public import Json, public_announcements
from service.words.announcements import explained, rows, sentence, with_text
from service.words.files import LANGUAGES

KEY_BYTES: Final = 8


def worded(
    said: Iterable[Announcement],
    lang: str,
    names: Sequence[str],
    you: Seat | None = None,
    rules: str = "",
) -> list[Json]:
    """What may be read out; whose turn it is is seen on the table.

    ``text`` is in ``lang`` and ``texts`` in all languages, ``rows`` explain payouts and hints. The
    seat ``you`` is spoken to.
    ``key`` names the announcement: it is the same after a reconnect, a restart, or a correction
    that leaves the announcement as it was.
    """
    return [_worded(one, lang, names, you, rules) for one in said if not isinstance(one, Turn)]


def said_last(played: Sequence[PlayedEvent], most: int) -> list[Announcement]:
    """The last public announcements; only as much of the record is read as needed."""
    found: list[Announcement] = []
    for place in reversed(range(len(played))):
        said = [one for one in played[place].announcements if not isinstance(one, Turn)]
        found[:0] = public_announcements(said)
        if len(found) >= most:
            break
    return found[-most:]


def _worded(
    one: Announcement, lang: str, names: Sequence[str], you: Seat | None, rules: str
) -> Json:
    told = with_text(one, rules=rules)
    texts = {each: sentence(one, each, names, you, rules) for each in LANGUAGES}
    written = json.dumps([told, names], sort_keys=True, ensure_ascii=False)
    key = blake2b(written.encode(), digest_size=KEY_BYTES).hexdigest()
    worded: Json = told | {"text": texts[lang], "texts": texts, "key": key}
    if isinstance(one, (Payout, Hint)):
        worded["rows"] = {each: rows(one, each, names, you, rules) for each in LANGUAGES}
    if isinstance(one, Payout):
        worded["why"] = {each: explained(one, each, names, you, rules) for each in LANGUAGES}
    return worded
