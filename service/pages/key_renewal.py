"""New keys for a table whose keys got into wrong hands: the old ones stop working at once."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from service.access.gate import keep_key
from service.access.grants import admin_only
from service.access.keys import TableKeys
from service.pages.api_bodies import Renewal

RENEW: Final = "/api/keys"


def add_key_renewal(app: FastAPI, keys: TableKeys) -> None:
    """Add the address at which whoever runs the table asks for new keys: ``{"renew": true}``."""

    for_admin = admin_only("only whoever runs the table may renew its codes")

    @app.post(RENEW, include_in_schema=False, dependencies=[for_admin])
    async def renew(request: Request, _: Renewal) -> Response:
        keys.renew()
        answer = JSONResponse({"key": keys.control})
        keep_key(answer, request, keys.control)
        return answer
