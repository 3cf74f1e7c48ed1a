"""Logs events as all pages hear them, without what one seat alone knows."""

from __future__ import annotations

from service.pages.request_log import LogSink
from service.report.public import Json
from service.table.live_table import LiveTable

_LOGGED = ("number", "event", "seat", "t", "confidence", "by_person", "of", "ended", "problem")


async def log_events(table: LiveTable, log: LogSink) -> None:
    """Log each event, correction and change of status until cancelled."""
    with table.subscribed() as subscriber:
        while True:
            message = await subscriber.messages.get()
            logged: Json = {name: message[name] for name in _LOGGED if name in message}
            if isinstance(event := logged.get("event"), dict):
                logged["event"] = event["type"]  # players' names do not belong in a log
            if logged:
                log(str(message["type"]), logged)
