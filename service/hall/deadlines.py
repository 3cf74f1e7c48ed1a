"""Keeps a hall responsive when its database is slow: late requests are refused with a retry."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, ParamSpec, TypeVar

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as TooManyWait

from service.background import StepFailed
from service.hall.database import AWAY

ANSWER_S: Final = 2.0
"""How long a request waits for the database; a table waits five seconds for the hall."""
RETRY: Final = {"Retry-After": "2"}
"""Tells clients to try again after this many seconds."""
AT_ONCE: Final = 32
"""Threads that may wait for the database. A request that gave up still holds one for a while."""

P = ParamSpec("P")
T = TypeVar("T")


class NoAnswer(Exception):
    """The database did not answer in time."""


NO_ANSWER: Final = (*AWAY, NoAnswer)
"""Errors of requests whose database cannot be reached."""


@contextlib.asynccontextmanager
async def in_time() -> AsyncIterator[None]:
    """Raise ``NoAnswer`` when the block takes too long; its thread goes on."""
    try:
        async with asyncio.timeout(ANSWER_S):
            yield
    except TimeoutError:
        raise NoAnswer from None


async def in_database(call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Call the database in a thread; raise ``NoAnswer``."""
    async with in_time():
        return await asyncio.to_thread(call, *args, **named)


@contextlib.contextmanager
def database_trouble() -> Iterator[None]:
    """Raise ``StepFailed`` where the database cannot be reached."""
    try:
        yield
    except OperationalError as error:
        # Without the statement and its values, which may hold names.
        raise StepFailed(f"the database does not answer: {error.orig}") from error
    except (InterfaceError, TooManyWait, NoAnswer) as error:
        raise StepFailed("the database does not answer") from error
