"""A hall answers soon whatever its database does: what takes too long is asked for again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as TooManyWait

ANSWER_S: Final = 2.0
"""How long a request waits for the database; a table waits five seconds for the hall."""
RETRY: Final = {"Retry-After": "2"}
"""After so many seconds another attempt is worth while."""
AT_ONCE: Final = 32
"""Threads that may wait for the database. A request that gave up still holds one for a while."""

P = ParamSpec("P")
T = TypeVar("T")


class NoAnswer(Exception):
    """The database did not answer in time."""


NO_ANSWER: Final = (DBAPIError, TooManyWait, NoAnswer)
"""What is raised where the database cannot be asked."""


@contextlib.asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Raise ``NoAnswer`` when the block takes too long; a thread that works for it goes on."""
    try:
        async with asyncio.timeout(ANSWER_S):
            yield
    except TimeoutError:
        raise NoAnswer from None


async def in_database(call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """What the database says to a call, in a thread; raises ``NoAnswer``."""
    async with in_time():
        return await asyncio.to_thread(call, *args, **named)
