"""What goes on in the background never dies, and what fails there is told."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime

import pytest

from service.web import background
from service.web.background import Background, Job, JobFailing, StepFailed
from tests.support.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.001)


class Steps:
    """Does what it is told to, one after the other, and then waits."""

    def __init__(self, *outcomes: Exception | None) -> None:
        self._outcomes = iter(outcomes)
        self.told: list[list[JobFailing]] = []
        """What failed when each step began."""
        self.over = asyncio.Event()

    async def step(self, told: Background) -> None:
        self.told.append(told.told())
        outcome = next(self._outcomes, self)
        if outcome is self:
            self.over.set()
            await asyncio.Event().wait()
        if isinstance(outcome, Exception):
            raise outcome


def test_what_fails_is_tried_again_and_told_and_stops_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said: list[str] = []
    away = StepFailed("it does not\nanswer")
    failing, beside = Steps(away, away, KeyError("a hand"), None), Steps(None, None)
    ended: list[str] = []

    async def at_end() -> None:
        ended.append("failing")

    async def watched() -> list[JobFailing]:
        runs = Background(said.append)
        jobs = [
            Job("failing", lambda: failing.step(runs), at_end=at_end),
            Job("beside", lambda: beside.step(runs)),
        ]
        async with runs.running(jobs):
            await failing.over.wait()
            await beside.over.wait()
        return runs.told()

    with caplog.at_level(logging.ERROR):
        assert asyncio.run(watched()) == []
    assert ended == ["failing"]
    assert said == [
        "failing: it does not answer; tried again",
        "failing: KeyError; tried again",
        "failing: works again",
    ]
    assert [len(told) for told in failing.told] == [0, 1, 1, 1, 0]
    (first,), (second,), (third,) = failing.told[1:4]
    assert first == second
    assert (first["name"], first["error"]) == ("failing", "it does not answer")
    assert third["error"] == "KeyError", "a message may hold what not everybody may know"
    assert third["since"] == first["since"]
    assert datetime.fromisoformat(str(first["since"])).tzinfo is not None
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_the_pause_grows_up_to_a_limit() -> None:
    async def away() -> None:
        raise StepFailed("away")

    runs, job = Background(lambda _: None), Job("failing", away, longest_s=0.003)
    pauses = [asyncio.run(runs._done(job)) for _ in range(4)]
    assert pauses == [0.001, 0.002, 0.003, 0.003]


def test_work_goes_on_when_the_terminal_is_gone() -> None:
    def gone(_: str) -> None:
        raise BrokenPipeError

    steps = Steps(StepFailed("away"), None)

    async def watched() -> None:
        runs = Background(gone)
        async with runs.running([Job("failing", lambda: steps.step(runs))]):
            await asyncio.wait_for(steps.over.wait(), PATIENCE_S)

    asyncio.run(watched())
