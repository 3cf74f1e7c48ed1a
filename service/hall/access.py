"""Keeps out of a hall everybody who has no key, once it is served beyond this machine."""

from __future__ import annotations

from typing import Final

from fastapi.requests import HTTPConnection

from service.access.gate import Gate, KeysUnavailable, in_english
from service.access.grants import Grant, Role, granted
from service.errors import Forbidden
from service.hall.deadlines import NO_ANSWER, RETRY, in_database
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
