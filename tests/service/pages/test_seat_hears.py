"""A seat's page tells its own call of ready with the waits, and of others only that they called."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from engine.events import Discard, Entry, Seat
from service.pages.app import create_app
from service.pages.settings import PageSettings
from service.table.live_table import LiveTable, TableSettings
from tests.support.golden import WITH_GAME
from tests.support.in_process import Socket
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, frames
from tests.support.random_games import played
from tests.support.told_reader import ToldReader

CALLS = [name for name in WITH_GAME if name.startswith(("harbin", "riichi"))]


def called(rules: str) -> tuple[list[Entry], Seat]:
    """A record whose last line is a discard with which a seat calls ready."""
    for seed in range(200):
        lines = list(played(rules, seed).entries)
        for number, line in enumerate(lines):
            if isinstance(line.event, Discard) and line.event.ready:
                return lines[: number + 1], line.event.seat
    raise AssertionError("nobody calls")


async def heard(lines: Sequence[Entry], seats: Sequence[Seat]) -> list[list[dict[str, Any]]]:
    """What each seat's page is sent as the last line comes, and when it is opened after that."""
    before = lines[:-1]
    table = LiveTable(
        ToldReader([]), frames(0), KeptLines(), TableSettings("riichi", "a.mp4", before=before)
    )
    app = create_app(table, PageSettings(keys=KEYS))
    pages = [Socket(app, "/ws/seat", None) for _ in seats]
    for page, seat in zip(pages, seats, strict=True):
        page.say({"key": KEYS.seats[seat]})
        await page.heard(1)
    await table.submit(lines[-1])
    late = [Socket(app, "/ws/seat", None) for _ in seats]
    for page, seat in zip(late, seats, strict=True):
        page.say({"key": KEYS.seats[seat]})
        await page.heard(1)
    told = []
    for page, again in zip(pages, late, strict=True):
        await page.heard(2)
        told.append([json.loads(page.told[1]), json.loads(again.told[0])])
        await page.close()
        await again.close()
    return told


@pytest.mark.parametrize("rules", CALLS)
def test_the_own_call_is_told_once_and_with_its_waits(rules: str) -> None:
    lines, seat = called(rules)
    number = len(lines) - 1
    own, other = asyncio.run(heard(lines, [seat, (seat + 1) % 4]))
    for message in own + other:
        public = message.get("said", []) + message.get("announced", [])
        ready = [one for one in public if one["kind"] == "ready" and one["of"] == number]
        mine = [one for one in message["mine"]["said"] if one["of"] == number]
        if message in own:
            assert ready == []
            assert [bool(one["waits"]) for one in mine if one["kind"] == "ready"] == [True]
        else:
            assert [one["unknown"] for one in ready] == [True]
            assert not any(one["kind"] == "ready" for one in mine)
