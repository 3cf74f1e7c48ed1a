"""Keeps out of a hall everybody who has no key, once it is served beyond this machine."""

from __future__ import annotations

from typing import Final

from fastapi.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from service.access.gate import OPEN_TO_ALL, bearer, key_of, refuse
from service.access.grants import Grant, Role, give, granted
from service.errors import Forbidden
from service.hall.deadlines import NO_ANSWER, RETRY, in_database
from service.hall.keys import HallKey, KeyStore

NO_KEY: Final = "this hall needs a key: open its whole address, with the key"
WRONG_KEY: Final = (
    "this key opens nothing here, it may have been revoked; ask the hall's administrator"
)
NO_DATABASE: Final = "the database of the hall does not answer; try again, nothing was lost"
_MAY: Final = {
    Role.VIEWER: "this key is only for watching; ask the hall's administrator",
    Role.SCORER: "a table's key can only post that table's lines; ask the hall's administrator",
}
_IN_SCOPE: Final = "tilesight.hall.key"


class HallAccess:
    """Passes a request to ``app`` if its key allows it.

    A key comes as ``Authorization: Bearer KEY`` or in a cookie, never in an address.
    ``without_key`` is the role of requests without a key; None refuses them.
    """

    def __init__(self, app: ASGIApp, keys: KeyStore, without_key: Role | None) -> None:
        self._app = app
        self._keys = keys
        self._without_key = without_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"] in OPEN_TO_ALL:
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        given = bearer(connection)
        try:
            key = await self._found(key_of(connection))
        except NO_ANSWER:
            await refuse(connection, receive, send, 503, NO_DATABASE, RETRY)
            return
        roles = [] if key is None else [key.role]
        # A request with a wrong key is refused even where none is needed.
        if not given and self._without_key is not None:
            roles.append(self._without_key)
        if not roles:
            await refuse(connection, receive, send, 401, WRONG_KEY if given else NO_KEY)
            return
        grant = Grant(max(roles))
        if not grant.allows(str(scope.get("method", "GET")), str(scope["path"])):
            await refuse(connection, receive, send, 403, _MAY[grant.role])
            return
        give(connection, grant, "" if key is None else str(key.id))
        scope[_IN_SCOPE] = key
        await self._app(scope, receive, send)

    async def _found(self, secret: str) -> HallKey | None:
        return await in_database(self._keys.find, secret) if secret else None


def hall_key_of(connection: HTTPConnection) -> HallKey | None:
    """The key of the request. None where none was needed."""
    key = connection.scope.get(_IN_SCOPE)
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
        raise Forbidden(_MAY[Role.SCORER if scores else Role.VIEWER])
