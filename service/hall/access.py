"""Keeps out of a hall everybody who has no key, once it is served beyond this machine.

Late requests are refused with a retry, so that a slow database does not stop the others.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, ParamSpec, TypeVar

from fastapi.requests import HTTPConnection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as TooManyWait

from service.access.gate import Entrance, KeysUnavailable, at_this_machine
from service.access.grants import Grant, Role, granted
from service.access.rights import HALL
from service.background import StepFailed
from service.errors import Forbidden
from service.hall.database import AWAY
from service.hall.keys import HallKey, KeyStore

NO_DATABASE: Final = "page.refused.hall.no_database"


def entrance(keys: KeyStore, without_key: Role | None) -> Entrance:
    """The keys of a hall are in its database."""

    async def look_up(key: str) -> Grant | None:
        try:
            return await in_database(keys.grant_of, key) if key else None
        except NO_ANSWER:
            raise KeysUnavailable(NO_DATABASE, RETRY) from None

    return Entrance(HALL, look_up, at_this_machine(without_key))


def hall_key_of(connection: HTTPConnection) -> HallKey | None:
    """The key of the request. None where none was needed."""
    key = granted(connection)
    return key if isinstance(key, HallKey) else None


def refuse_other_table(connection: HTTPConnection, table_id: int) -> None:
    """Raise ``Forbidden`` unless the key is an administrator's or this table's."""
    grant = granted(connection)
    if grant is not None and grant.runs_table:
        return
    key = hall_key_of(connection)
    if key is None or key.table_id != table_id:
        raise Forbidden("this is another table's key; post with this table's own key")


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
