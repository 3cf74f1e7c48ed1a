"""The files that are made of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.codec import write_record
from engine.events import Correct, Entry
from engine.game import replay
from engine.logs.mjai import write_mjai
from engine.logs.tenhou6_write import write_tenhou6
from engine.visibility import events_seen
from service.machine.records import tell
from service.report.report import to_report
from service.report.sheet import csv_file, to_csv


@dataclass(frozen=True)
class DownloadFormat:
    suffix: str
    media_type: str
    write: Callable[[Sequence[Entry], str, str | None], str]
    """Of a record, in a language where it has sentences, with what was proved of the table."""
    holds_hands: bool = False
    """It shows hidden hands, so only whoever runs the table may have it."""
    has_sentences: bool = False
    """It differs by language."""


DOWNLOAD_FORMATS: Final[Mapping[str, DownloadFormat]] = {
    "record": DownloadFormat(
        ".jsonl",
        "application/jsonl",
        lambda entries, *_: write_record(tuple(entries)),
        holds_hands=True,
    ),
    "public": DownloadFormat(
        "-public.jsonl",
        "application/jsonl",
        lambda entries, *_: write_record(public_record(entries)),
    ),
    "csv": DownloadFormat(".csv", "text/csv", lambda entries, *_: csv_file(to_csv(tell(entries)))),
    "html": DownloadFormat(
        ".html",
        "text/html",
        lambda entries, lang, rehearsed: to_report(
            entries, {}, events=False, lang=lang, rehearsed=rehearsed
        ),
        has_sentences=True,
    ),
    "mjai": DownloadFormat(
        "-mjai.jsonl",
        "application/jsonl",
        lambda entries, *_: write_mjai(entries),
        holds_hands=True,
    ),
    "tenhou6": DownloadFormat(
        "-tenhou6.json",
        "application/json",
        lambda entries, *_: write_tenhou6(entries),
        holds_hands=True,
    ),
}


def public_record(entries: Sequence[Entry]) -> list[Entry]:
    """The events in force as everybody saw them."""
    seen = (event.entry for event in events_seen(replay(entries)))
    return [entry for entry in seen if not isinstance(entry.event, Correct)]
