"""The set-up page and what it asks of the server; only this machine itself may.

Once a table is shown, its control key is needed, too.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.requests import ClientDisconnect

from service.access.gate import refuse, role_brought
from service.access.grants import Role
from service.access.host_check import KnownHost
from service.access.seat_keys import SeatKeys, qr_svg
from service.errors import Forbidden, Malformed, Refused
from service.pages.checks import (
    answer_unreadable,
    answered,
    body_of,
    is_local,
    refuse_foreign,
)
from service.pages.headers import add_headers
from service.pages.metrics import Measured, add_metrics
from service.pages.request_log import RequestLog, Tell
from service.pages.set_up_or_table import Application, Message, Receive, Send
from service.pages.static_pages import html_page
from service.report.public import Json
from service.setup.open_table import Wanted
from service.setup.preview import Check, Corners
from service.setup.session import SetUp, rule_sets, sample_file
from vision.camera.cameras import find_cameras
from vision.table.quality import good_enough

STATIC: Final = files("service") / "static"
HEARD_OUT: Final = 64 * 1024 * 1024
HEARD_OUT_S: Final = 3.0
"""Bytes and seconds for which a recording that is refused may still be sent."""
VIDEO_KIND: Final = "application/octet-stream"
ELSEWHERE: Final = "The table is being set up, on the machine that watches it."
RUNNING: Final = "a table is running: who sets another up opens the control page's address first"

Running = Callable[[], SeatKeys | None]
"""Answers the keys of the table that is shown now; None where none is."""
Show = Callable[[Wanted], Awaitable[str]]
"""Opens the table, and answers where its control page is."""


def create_set_up(
    set_up: SetUp,
    show: Show,
    hosts: Sequence[str],
    tell: Tell | None = None,
    running: Running = lambda: None,
) -> FastAPI:
    """The application that is served while there is no table yet, and beside one.

    ``tell`` is told each request, without secrets.
    """
    app = FastAPI(title="tilesight set-up", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(_Kept, running=running)
    app.add_middleware(KnownHost, hosts=hosts)
    add_headers(app)
    measured = Measured()
    app.add_middleware(RequestLog, measured=measured, tell=tell)  # the last stands outside
    add_metrics(app, measured)
    answer_unreadable(app)
    _pages(app)
    alone = _Alone(running)
    _sources(app, set_up, alone)
    _pictures(app, set_up)

    @app.post("/api/setup/start")
    async def start(request: Request) -> JSONResponse:
        """``{"rules", "options", "names", "seat0", "first_dealer", "lang"}``.

        A recording with ``"hurry"``.

        Or ``{"sample": true}``, or ``{"open": NAME}`` of a record.
        """

        async def begin() -> Json:
            refuse_foreign(request)
            asked = await body_of(request)
            async with alone.with_right_of(request):
                wanted = await asyncio.to_thread(set_up.begin, asked)
                return {"page": await show(wanted)}

        return await answered(begin())

    app.mount("/static", StaticFiles(directory=str(STATIC)), name="static")
    return app


class _Kept:
    """Lets those through to ``app`` who sit at this machine and may end what is shown."""

    def __init__(self, app: Application, running: Running) -> None:
        self._app = app
        self._running = running

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if not is_local(connection):
            await Response(ELSEWHERE, 403, media_type="text/plain")(scope, receive, send)
        elif not _may_end(connection, self._running()):
            await refuse(connection, receive, send, 401, RUNNING)
        else:
            await self._app(scope, receive, send)


class _Alone:
    """One set-up at a time: sources have ports and threads, and the next lets them go."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def with_right_of(self, request: Request) -> AsyncIterator[None]:
        """Wait until it is this one's turn; another may have opened a table meanwhile."""
        async with self._lock:
            if not _may_end(request, self._running()):
                raise Forbidden(RUNNING)
            yield


def _may_end(connection: HTTPConnection, keys: SeatKeys | None) -> bool:
    return keys is None or role_brought(connection, keys) is Role.ADMIN


def _pages(app: FastAPI) -> None:
    @app.get("/")
    def index() -> Response:
        return RedirectResponse("/setup", 307)

    @app.get("/health")
    def health() -> Json:
        """No table is watched yet."""
        return {"status": "setting up"}

    @app.get("/setup")
    def page() -> Response:
        return html_page("setup.html")


def _sources(app: FastAPI, set_up: SetUp, alone: _Alone) -> None:
    @app.get("/api/setup")
    def offered() -> Json:
        """What there is to choose from."""
        return {
            "cameras": [
                {"number": camera.number, "name": camera.name} for camera in find_cameras()
            ],
            "recordings": set_up.recordings(),
            "records": set_up.records(),
            "sample": _has_sample(),
            "rules": rule_sets(),
            "rule_set": set_up.defaults.rules,
            "lang": set_up.defaults.lang,
        }

    @app.post("/api/setup/source")
    async def choose(request: Request) -> JSONResponse:
        """``{"kind": "camera"|"stream"|"phone"|"recording"|"sample", ...}``."""

        async def chosen() -> Json:
            refuse_foreign(request)
            asked = await body_of(request)
            async with alone.with_right_of(request):
                name = await asyncio.to_thread(set_up.choose, asked)
                phone = set_up.phone
            if phone is None:
                return {"name": name}
            return {"name": name, "address": phone.address, "qr": qr_svg(phone.address)}

        return await answered(chosen())

    @app.put("/api/setup/recordings/{name}")
    async def upload(request: Request, name: str) -> JSONResponse:
        """A recording, as it is; it is tried out at once."""

        async def sent() -> Json:
            refuse_foreign(request, VIDEO_KIND)
            length = request.headers.get("content-length", "")
            claimed = int(length) if length.isdecimal() else None
            path = await set_up.uploads.receive(name, request.stream(), claimed)
            async with alone.with_right_of(request):
                return {"name": await asyncio.to_thread(set_up.try_recording, path, name)}

        answer = await answered(sent())
        if answer.status_code != 200:
            await _heard_out(request)
        return answer


async def _heard_out(request: Request) -> None:
    """Take what is still being sent: who is cut off in the middle never hears why."""
    heard = 0
    # A body that has come whole is over, and so is one whose sender has gone.
    with contextlib.suppress(RuntimeError, ClientDisconnect, TimeoutError):
        async with asyncio.timeout(HEARD_OUT_S):
            async for part in request.stream():
                heard += len(part)
                if heard > HEARD_OUT:
                    return


def _pictures(app: FastAPI, set_up: SetUp) -> None:
    @app.get("/api/setup/picture")
    async def picture() -> Response:
        """The newest picture of the source; 204 before the first."""
        preview = set_up.preview
        data = b"" if preview is None else await asyncio.to_thread(preview.picture)
        return Response(data, media_type="image/jpeg") if data else Response(status_code=204)

    @app.get("/api/setup/check")
    async def check() -> Json:
        """Where the table lies in it, and whether it is good enough."""
        preview = set_up.preview
        if preview is None:
            return {"problem": None, "found": None}
        found = await asyncio.to_thread(preview.check)
        return {"problem": preview.problem, "found": None if found is None else _told(found)}

    @app.post("/api/setup/corners")
    async def corners(request: Request) -> JSONResponse:
        """``{"corners": [[x, y], ...]}`` from the top left clockwise; null looks for them."""

        async def given() -> Json:
            refuse_foreign(request)
            asked = await body_of(request)
            if set_up.preview is None:
                raise Refused("choose a camera first")
            set_up.preview.give_corners(_corners(asked.get("corners")))
            return {}

        return await answered(given())

    @app.post("/api/setup/mirrored")
    async def mirrored(request: Request) -> JSONResponse:
        """``{"mirrored": true}``: the camera mirrors what it films, as selfie cameras do."""

        async def given() -> Json:
            refuse_foreign(request)
            mirrors = (await body_of(request)).get("mirrored")
            if not isinstance(mirrors, bool):
                raise Malformed('expected "mirrored" to be true or false')
            if set_up.preview is None:
                raise Refused("choose a camera first")
            await asyncio.to_thread(set_up.preview.set_mirrored, mirrors)
            return {}

        return await answered(given())


def _told(check: Check) -> Json:
    return {
        "width": check.size_px[0],
        "height": check.size_px[1],
        "corners": None if check.view is None else [list(xy) for xy in check.view.corners_px],
        "by_person": check.by_person,
        "good": check.view is not None and good_enough(check.findings),
        "faces": check.faces,
        "doubtful": check.doubtful,
        "read": check.read,
        "mirrored": check.mirrored,
        "findings": [
            {
                "name": finding.name,
                "value": round(finding.value, 3),
                "grade": finding.grade.value,
                "corners": list(finding.corners),
            }
            for finding in check.findings
        ],
    }


def _corners(value: Any) -> Corners | None:
    if value is None:
        return None
    try:
        return tuple((float(x), float(y)) for x, y in value)
    except (TypeError, ValueError):
        raise Malformed('expected "corners" to be four pairs of pixels, or null') from None


def _has_sample() -> bool:
    try:
        return sample_file().is_file()
    except Refused:
        return False
