"""Logs events as all pages hear them, without what one seat alone knows."""

from __future__ import annotations

import contextlib

from service.background import Job
from service.pages.request_log import LogSink
from service.report.public import Json
from service.table.live_table import LiveTable

_LOGGED = ("number", "event", "seat", "t", "confidence", "by_person", "of", "ended", "problem")


def event_log(table: LiveTable, log: LogSink) -> Job:
    """Log each event, correction and change of status."""
    listening = contextlib.ExitStack()
    subscriber = listening.enter_context(table.subscribed())

    async def log_next() -> None:
        message = await subscriber.messages.get()
        logged: Json = {name: message[name] for name in _LOGGED if name in message}
        if isinstance(event := logged.get("event"), dict):
            logged["event"] = event["type"]  # players' names do not belong in a log
        if logged:
            log(str(message["type"]), logged)

    async def leave() -> None:
        listening.close()

    return Job("log", log_next, at_end=leave)
