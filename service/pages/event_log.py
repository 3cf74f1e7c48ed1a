"""What happens at the table, told as it is told to the pages: nothing that one seat alone knows."""

from __future__ import annotations

from service.pages.request_log import Tell
from service.report.public import Json
from service.table.live_table import Table

_TOLD = ("number", "event", "seat", "t", "confidence", "by_person", "of", "ended", "problem")


async def tell_events(table: Table, tell: Tell) -> None:
    """Tell each event, correction and change of status until cancelled."""
    with table.subscribed() as subscriber:
        while True:
            message = await subscriber.messages.get()
            told: Json = {name: message[name] for name in _TOLD if name in message}
            if isinstance(event := told.get("event"), dict):
                told["event"] = event["type"]  # names of players are none of a log's business
            if told:
                tell(str(message["type"]), told)
