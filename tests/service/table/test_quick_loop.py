"""Nobody waits for the engine or for sentences: both are worked out beside the event loop."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import time
from dataclasses import replace
from typing import Final

import pytest

from engine.events import Correct, Discard, Win
from engine.log import in_force
from engine.texts.files import LANGUAGES
from service.app import create_app
from service.pages.settings import PageSettings
from tests.support.in_process import Socket
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, table_of

MOST_S: Final = 0.01
"""The longest that one callback may keep everybody waiting."""
WON: Final = next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))


async def played_and_corrected() -> None:
    """A win, and a correction of what led to it, before pages in every language."""
    table = table_of(ENTRIES[: WON - 4])
    app = create_app(table, PageSettings(keys=KEYS, without_key=None))
    first = Socket(app, "/ws", KEYS.viewer)
    await first.heard(1)
    await first.close()
    # An application is put together when it is first asked: from here on it is quick.
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    loop.slow_callback_duration = MOST_S
    viewers = [Socket(app, f"/ws?lang={lang}", KEYS.viewer) for lang in LANGUAGES]
    seats = [Socket(app, "/ws/seat", KEYS.seats[seat]) for seat in range(4)]
    for seat, page in enumerate(seats):
        page.say({"key": KEYS.seats[seat]})
    for page in (*viewers, *seats):
        await page.heard(1)
    said = 1
    discard = [one for one in in_force(ENTRIES[:WON]) if isinstance(one.entry.event, Discard)][-2]
    wrong = replace(discard.entry, confidence=None, source="person")
    for line in (
        *ENTRIES[WON - 4 : WON + 3],
        replace(wrong, event=Correct(discard.number, (wrong,))),
    ):
        async with table.writing:
            await table.submit(line)
        said += 1
        for page in (*viewers, *seats):
            await page.heard(said)
    assert any(json.loads(text).get("said") for text in viewers[0].told)
    for page in (*viewers, *seats):
        await page.close()


def test_no_callback_takes_long(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By the clock of this thread: what else the machine does is no matter of the program."""
    asyncio.run(played_and_corrected())  # what is read once for all games has been read
    caplog.clear()
    gc.collect()
    gc.disable()
    monkeypatch.setattr(asyncio.BaseEventLoop, "time", lambda loop: time.thread_time())

    try:
        with caplog.at_level(logging.WARNING, "asyncio"):
            asyncio.run(played_and_corrected())
    finally:
        gc.enable()
    slow = [record.getMessage() for record in caplog.records if "Executing" in record.getMessage()]
    assert slow == []
