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

from service.access.gate import Gate, KeysUnavailable, in_english
from service.access.grants import Grant, Role, granted
from service.background import StepFailed
from service.errors import Forbidden
from service.hall.database import AWAY
from service.hall.keys import HallKey

NO_KEY: Final = "page.refused.hall.no_key"
WRONG_KEY: Final = "page.refused.hall.wrong_key"
NO_DATABASE: Final = "page.refused.hall.no_database"
_MAY: Final = {
    Role.STREAM: "page.refused.hall.stream",
    Role.VIEWER: "page.refused.hall.viewer",
    Role.SCORER: "page.refused.hall.scorer",
}


class HallGate(Gate):
    """The gate of a hall, whose keys are in a database."""

    no_key, wrong_key, too_little = NO_KEY, WRONG_KEY, _MAY

    async def grant_of(self, key: str) -> Grant | None:
        try:
            return await in_database(self._keys.grant_of, key) if key else None
        except NO_ANSWER:
            raise KeysUnavailable(NO_DATABASE, RETRY) from None


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


def refuse_all_but_admin(connection: HTTPConnection) -> None:
    """Raise ``Forbidden`` unless the role is the administrator's."""
    grant = granted(connection)
    if grant is None or not grant.runs_table:
        scores = grant is not None and grant.corrects
        raise Forbidden(in_english(_MAY[Role.SCORER if scores else Role.VIEWER]))


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
