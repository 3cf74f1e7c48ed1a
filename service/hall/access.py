"""The keys of a hall, stored as hashes, and what keeps out everybody who has none.

Late requests are refused with a retry, so that a slow database does not stop the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, ParamSpec, TypeVar

from fastapi.requests import HTTPConnection
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as TooManyWait

from engine.errors import Forbidden, NotThere, Refused
from service.hall.database import AWAY, Store
from service.hall.database_schema import KEYS, TABLES
from service.web.background import StepFailed
from service.web.gate import Entrance, KeysUnavailable, at_this_machine
from service.web.grants import Grant, Role, granted
from service.web.rights import Serves

KEY_BYTES: Final = 24
ROLES: Final = {
    "public": Role.PUBLIC,
    "viewer": Role.VIEWER,
    "table": Role.SCORER,
    "admin": Role.ADMIN,
}
"""Names of keys and their roles; a table's key may write that table's record."""


@dataclass(frozen=True)
class HallKey(Grant):
    """A key without its secret, and what it allows."""

    id: int = 0
    table_id: int | None = None
    """The table whose lines it may post. None for other keys."""


@dataclass(frozen=True)
class KeyRow:
    """A key without its secret, for people."""

    id: int
    role: str
    table: str | None
    label: str
    made_s: float
    revoked_s: float | None


class KeyStore(Store):
    """The keys of a hall."""

    def make(self, role: str, table_id: int | None = None, label: str = "") -> str:
        """Make a key and return its secret, which is shown only now."""
        if (role == "table") != (table_id is not None):
            raise Refused("name a table for a table's key, and for no other key")
        with self._engine.begin() as connection:
            return _made(connection, role, table_id, label)

    def renew(self, table: str) -> str:
        """Revoke all keys of a table and return a new one.

        Raise ``NotThere`` for an unknown table.
        """
        with self._engine.begin() as connection:
            asked = select(TABLES.c.id, TABLES.c.title).where(TABLES.c.name == table)
            found = connection.execute(asked).one_or_none()
            if found is None:
                raise NotThere(f"there is no table {table} in this hall")
            old = update(KEYS).where(KEYS.c.table_id == found.id, KEYS.c.revoked_s.is_(None))
            connection.execute(old.values(revoked_s=time.time()))
            return _made(connection, "table", found.id, found.title)

    def revoked(self, numbers: Iterable[int]) -> list[int]:
        """Which of these keys are revoked."""
        asked = select(KEYS.c.id).where(KEYS.c.id.in_(list(numbers)), KEYS.c.revoked_s.is_not(None))
        return [row.id for row in self._rows(asked)]

    def grant_of(self, secret: str) -> HallKey | None:
        """What a key allows. None for one that was revoked or never made."""
        columns = (KEYS.c.id, KEYS.c.role, KEYS.c.table_id)
        asked = select(*columns).where(KEYS.c.hash == _hash(secret), KEYS.c.revoked_s.is_(None))
        rows = self._rows(asked) if secret else []
        found = [HallKey(ROLES[row.role], id=row.id, table_id=row.table_id) for row in rows]
        return found[0] if found else None

    def any_admin(self) -> bool:
        """Whether somebody beyond this machine can administer the hall."""
        asked = select(KEYS.c.id).where(KEYS.c.role == "admin", KEYS.c.revoked_s.is_(None))
        return bool(self._rows(asked.limit(1)))

    def listed(self) -> list[KeyRow]:
        """All keys without their secrets, revoked ones too."""
        columns = (KEYS.c.id, KEYS.c.role, TABLES.c.name.label("table"))
        asked = select(*columns, KEYS.c.label, KEYS.c.made_s, KEYS.c.revoked_s)
        joined = asked.outerjoin(TABLES, TABLES.c.id == KEYS.c.table_id)
        return [KeyRow(**row._mapping) for row in self._rows(joined.order_by(KEYS.c.id))]

    def revoke(self, number: int) -> None:
        """Revoke a key; raise ``NotThere``."""
        asked = update(KEYS).where(KEYS.c.id == number, KEYS.c.revoked_s.is_(None))
        with self._engine.begin() as connection:
            if not connection.execute(asked.values(revoked_s=time.time())).rowcount:
                raise NotThere(f"there is no valid key {number}")


def _made(connection: Connection, role: str, table_id: int | None, label: str) -> str:
    secret = secrets.token_urlsafe(KEY_BYTES)
    row = {
        "role": role,
        "table_id": table_id,
        "hash": _hash(secret),
        "label": label,
        "made_s": time.time(),
    }
    connection.execute(insert(KEYS).values(row))
    return secret


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


NO_DATABASE: Final = "page.refused.hall.no_database"


def entrance(keys: KeyStore, without_key: Role | None) -> Entrance:
    """The keys of a hall are in its database."""

    async def look_up(_: HTTPConnection, key: str) -> Grant | None:
        try:
            return await in_database(keys.grant_of, key) if key else None
        except NO_ANSWER:
            raise KeysUnavailable(NO_DATABASE, RETRY) from None

    return Entrance(lambda _: Serves.HALL, look_up, at_this_machine(without_key))


def hall_key_of(connection: HTTPConnection) -> HallKey | None:
    """The key of the request. None where none was needed."""
    key = granted(connection)
    return key if isinstance(key, HallKey) else None


def refuse_other_table(connection: HTTPConnection, table_id: int) -> None:
    """Raise ``Forbidden`` unless the key is an administrator's or this table's."""
    grant = granted(connection)
    if grant is not None and grant.admin:
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


async def each(call: Callable[[T], Awaitable[None]], things: Iterable[T]) -> None:
    """Call for each; one that fails does not hold up the others, and is raised at the end.

    A database that is away ends it at once.
    """
    failed: Exception | None = None
    for thing in things:
        try:
            await call(thing)
        except AWAY:
            raise
        except Exception as error:
            failed = failed or error
    if failed is not None:
        raise failed


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
