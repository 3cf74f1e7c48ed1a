"""Keeps work in the background going: what fails is logged, tells so, and is tried again."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from typing_extensions import TypedDict

from service.machine.files import LineSink, to_stderr

FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0
"""Limits of the pause after a failure, which doubles each time."""


class StepFailed(Exception):
    """A step cannot be done now; the message says why, and holds nothing that is secret."""


@dataclass(frozen=True)
class Job:
    """A step that is repeated as long as the program serves."""

    name: str
    step: Callable[[], Awaitable[None]]
    """Raises ``StepFailed`` where it could not be done."""
    pause_s: float = 0.0
    """Time between two steps."""
    longest_s: float = LONGEST_PAUSE_S
    """The longest pause between two attempts."""
    at_end: Callable[[], Awaitable[None]] | None = None


@dataclass(frozen=True)
class _Failing:
    why: str
    since: datetime
    """When its first step failed."""
    pause_s: float


class JobFailing(TypedDict):
    """What fails now: since when, and why in one line."""

    name: str
    since: str
    error: str


class Background:
    """Runs jobs. A failure ends neither its own job nor the others."""

    def __init__(self, say: LineSink = to_stderr) -> None:
        """``say`` informs the person at the machine, once for each reason."""
        self._to_person = say
        self._failing: dict[Job, _Failing] = {}

    @contextlib.asynccontextmanager
    async def running(self, jobs: Sequence[Job]) -> AsyncIterator[None]:
        """Run the jobs until the block ends."""
        tasks = [asyncio.create_task(self._repeat(job)) for job in jobs]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def told(self) -> list[JobFailing]:
        return [
            {"name": job.name, "since": failing.since.isoformat(), "error": failing.why}
            for job, failing in self._failing.items()
        ]

    async def _repeat(self, job: Job) -> None:
        try:
            while True:
                await asyncio.sleep(await self._done(job))
        finally:
            if job.at_end is not None:
                await job.at_end()

    async def _done(self, job: Job) -> float:
        """Do one step, and return the pause after it."""
        try:
            await job.step()
        except StepFailed as trouble:
            return self._failed(job, " ".join(str(trouble).split()))
        except Exception as error:
            # Only the kind of error is told, because its message may hold secrets.
            return self._failed(job, type(error).__name__, error)
        if self._failing.pop(job, None) is not None:
            self._say(f"{job.name}: works again")
        return job.pause_s

    def _say(self, line: str) -> None:
        with contextlib.suppress(OSError):  # their terminal may be gone; the work goes on
            self._to_person(line)

    def _failed(self, job: Job, why: str, unexpected: Exception | None = None) -> float:
        before = self._failing.get(job)
        now = before or _Failing(why, datetime.now(UTC), FIRST_PAUSE_S)
        self._failing[job] = replace(now, why=why, pause_s=min(2 * now.pause_s, job.longest_s))
        if before is None or before.why != why:
            self._say(f"{job.name}: {why}; tried again")
            if unexpected is not None:
                told = {"message": f"{job.name} failed", "exception": unexpected}
                asyncio.get_running_loop().call_exception_handler(told)
        return now.pause_s


T = TypeVar("T")


async def done_apart(do: Callable[[], T], undo: Callable[[], object]) -> T:
    """Do this in a thread for which the end of the program does not wait.

    Where nobody waits for it any more, a thread undoes it once it is done.
    """
    result: concurrent.futures.Future[T] = concurrent.futures.Future()
    result.set_running_or_notify_cancel()

    def work() -> None:
        try:
            result.set_result(do())
        except BaseException as error:  # whoever waits gets it
            result.set_exception(error)

    def undo_when_done() -> None:
        concurrent.futures.wait([result])
        undo()

    threading.Thread(target=work, daemon=True, name="apart").start()
    try:
        return await asyncio.wrap_future(result)
    except asyncio.CancelledError:
        threading.Thread(target=undo_when_done, daemon=True, name="undone").start()
        raise


class MadeOnce:
    """What is worked out for everybody who asks: once a change, and one thing at a time.

    It is done in a thread, and others go on meanwhile. Who asks for what is being made waits for
    it: many who ask cost no more processor time than one.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[object, Any]] = {}
        self._making = asyncio.Lock()

    async def once(self, what: Hashable, mark: object, make: Callable[[], T]) -> T:
        """The result of ``make``, made anew where ``mark`` is another than last time."""
        kept = self._made.get(what)
        if kept is None or kept[0] != mark:
            # No thread can be stopped: who asks and goes away must not let the next one begin.
            kept = await asyncio.shield(self._make(what, mark, make))
        made: T = kept[1]
        return made

    async def _make(
        self, what: Hashable, mark: object, make: Callable[[], T]
    ) -> tuple[object, Any]:
        async with self._making:
            kept = self._made.get(what)  # it may have been made while this one waited
            if kept is None or kept[0] != mark:
                kept = self._made[what] = mark, await asyncio.to_thread(make)
            return kept
