"""Troubles with camera and table: shown on the page while they last, said once on the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from service.table.live_table import LiveTable, TableSettings
from service.table.page_messages import to_terminal
from service.table.reader import EmptyReader, PlainLookResult
from tests.support.live_table import KeptLines, frames
from vision.camera.frames import Frame
from vision.notice import Notice

GONE = Notice("gone", 65.2, "camera 0 sends no pictures any more; waiting for it", lasts=True)
BACK = Notice("gone", 70.0, "camera 0 is back; the game goes on", lasts=False)
LIGHT = Notice("light", 80.0, "the light changed; the game goes on", lasts=False)


class Troubled(EmptyReader):
    """A reader that has something to say about its camera, frame after frame."""

    def __init__(self, *notices: Notice) -> None:
        super().__init__()
        self._notices = notices

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        for frame, notice in zip(frames, self._notices, strict=False):
            yield PlainLookResult(frame, notices=(notice,))


def statuses(*notices: Notice) -> tuple[list[object], list[Notice]]:
    """The problems that a page is shown one after the other, and what is said besides."""
    table = LiveTable(
        Troubled(*notices), frames(), KeptLines(), TableSettings("harbin-hlr", "camera 0")
    )
    said: list[Notice] = []
    table.on_notice = said.append

    async def watch() -> list[Any]:
        with table.subscribed() as page:
            await table.run()
            return [page.messages.get_nowait() for _ in range(page.messages.qsize())]

    messages = asyncio.run(watch())
    return [message["problem"] for message in messages if message["type"] == "status"], said


@pytest.mark.parametrize(
    ("notices", "problems"),
    [
        ((GONE, BACK), [GONE.text, None, None]),
        ((LIGHT,), [None, None]),
        ((GONE, LIGHT), [GONE.text, GONE.text]),
    ],
    ids=["until it is over", "what has passed is none", "one does not end another"],
)
def test_a_trouble_is_shown_while_it_lasts(
    notices: tuple[Notice, ...], problems: list[str | None]
) -> None:
    shown, said = statuses(*notices)
    assert shown[: len(problems)] == problems
    assert said == list(notices)


def test_a_camera_can_be_given_up_while_it_is_waited_for() -> None:
    table = LiveTable(Troubled(), frames(), KeptLines(), TableSettings("harbin-hlr", "camera 0"))
    given_up: list[bool] = []
    table.reader.let_go = lambda: given_up.append(True)
    asyncio.run(table.run())
    assert given_up == [True]


def test_the_terminal_gets_one_line_with_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    to_terminal(GONE)
    assert capsys.readouterr().err == f"1:05: {GONE.text}\n"
