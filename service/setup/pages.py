"""The set-up page and its requests; only this machine itself may use it.

Once a table is shown, its control key is needed, too.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.requests import HTTPConnection
from fastapi.responses import RedirectResponse
from starlette.requests import ClientDisconnect

from service.access.gate import Entrance, Gate, in_english
from service.access.grants import Grant, HostCheck, Role, from_phone
from service.access.keys import qr_svg
from service.access.rights import SET_UP
from service.errors import Conflict, Forbidden, Refused
from service.pages.api_bodies import NetworkWish
from service.pages.network_door import NetworkDoor, opened
from service.pages.request_log import LogSink, RequestLog, ServerMetrics, add_metrics
from service.pages.requests import refuse_foreign, use_refusals
from service.pages.set_up_or_table import ShownTable
from service.phone.server import PhoneServer
from service.report.public import Json
from service.setup.open_table import TableRequest
from service.setup.own_set import ToldFace, faces_to_name
from service.setup.preview import PictureCheck, SourcePreview
from service.setup.requests import ChosenSource, CornersGiven, MirroredGiven, SetGiven, StartRequest
from service.setup.sent_records import MOST_SENT, offered_sample
from service.setup.session import SetUpSession
from service.static_pages import PageFiles, add_headers, html_page
from service.words.catalogue import rule_sets
from vision.camera.cameras import find_cameras
from vision.table.quality import good_enough

HEARD_OUT: Final = 64 * 1024 * 1024
HEARD_OUT_S: Final = 3.0
"""Bytes and seconds for which the rest of a refused recording is received."""
VIDEO_KIND: Final = "application/octet-stream"
REPLACES: Final = (
    'a game is running ({source}); its record stays in {record}; send "replace": true to end it'
)

Shown = Callable[[], ShownTable | None]
"""Returns the table that is shown now; None where none is."""
ShowTable = Callable[[TableRequest], Awaitable[str]]
"""Opens a table, and returns the address of its control page."""


def create_set_up(
    session: SetUpSession,
    show: ShowTable,
    hosts: Sequence[str],
    log: LogSink | None = None,
    shown: Shown = lambda: None,
    door: NetworkDoor | None = None,
) -> FastAPI:
    """The application that is served while there is no table yet, and beside one.

    ``log`` takes each request, without secrets.
    """
    app = FastAPI(title="tilesight set-up", docs_url=None, redoc_url=None, openapi_url=None)
    entrance = _entrance(shown)
    app.add_middleware(Gate, entrance=entrance)
    app.add_middleware(HostCheck, hosts=hosts)
    add_headers(app)
    metrics = ServerMetrics()
    app.add_middleware(RequestLog, metrics=metrics, log=log)  # the last stands outside
    add_metrics(app, metrics)
    use_refusals(app)
    _pages(app)
    alone = _OneAtATime(entrance)
    _sources(app, session, alone, shown, door)
    _records(app, session)
    _pictures(app, session)
    _own_set(app, session, alone)

    @app.post("/api/setup/start")
    async def start(request: Request, asked: StartRequest) -> Json:
        """``{"rules", "options", "names", "seat0", "first_dealer", "lang"}``.

        A recording with ``"hurry"``.

        Or ``{"sample": true}``, or ``{"open": NAME}`` of a record. A running game is ended only
        with ``"replace": true``.
        """
        async with alone.with_right_of(request):
            running = _running(shown())
            if running is not None and not asked.replace:
                raise Conflict(REPLACES.format(**running))
            return {"page": await show(await asyncio.to_thread(session.begin, asked))}

    app.mount("/static", PageFiles(), name="static")
    return app


def _entrance(shown: Shown) -> Entrance:
    """For this machine and the phone that films; a table that is shown wants its control key."""

    async def look_up(key: str) -> Grant | None:
        running = shown()
        return None if running is None else running.keys.grant_of(key)

    def without_key(connection: HTTPConnection) -> Role | None:
        return Role.ADMIN if shown() is None or from_phone(connection) else None

    return Entrance(SET_UP, look_up, without_key, here_alone=True)


class _OneAtATime:
    """One set-up at a time: sources have ports and threads, and the next lets them go."""

    def __init__(self, entrance: Entrance) -> None:
        self._entrance = entrance
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def with_right_of(self, request: Request) -> AsyncIterator[None]:
        """Wait for this request's turn; another may have opened a table meanwhile."""
        async with self._lock:
            grant, _ = await self._entrance.grant(request)
            if grant is None or not grant.runs_table:
                raise Forbidden(in_english(SET_UP.wrong_key))
            yield


def _pages(app: FastAPI) -> None:
    @app.get("/")
    def index() -> Response:
        return RedirectResponse("/setup", 307)

    @app.get("/health")
    def health() -> Json:
        return {"status": "setting up"}

    @app.get("/setup")
    def page() -> Response:
        return html_page("setup.html")


def _running(shown: ShownTable | None) -> Json | None:
    """The game that another one would break off."""
    if shown is None or not shown.running:
        return None
    return {"source": shown.table.name, "record": shown.table.record_name}


def _sources(
    app: FastAPI,
    session: SetUpSession,
    alone: _OneAtATime,
    shown: Shown,
    door: NetworkDoor | None,
) -> None:
    @app.get("/api/setup")
    def offered() -> Json:
        """Return what there is to choose from."""
        return {
            "cameras": [
                {"number": camera.number, "name": camera.name} for camera in find_cameras()
            ],
            "recordings": session.recordings(),
            "records": session.records(),
            "last": session.last_time(),
            "sample": offered_sample(),
            "rules": rule_sets(),
            "rule_set": session.defaults.rules,
            "lang": session.defaults.lang,
            "running": _running(shown()),
            "goes_on": session.goes_on,
            "tried": _tried_now(session),
            "network": None if door is None else door.told(),
        }

    @app.post("/api/setup/network")
    async def network(_: NetworkWish) -> Json:
        """``{"serve": true}``: serve to the network, too."""
        return await opened(door)

    @app.post("/api/setup/source")
    async def choose(request: Request, asked: ChosenSource) -> Json:
        """``{"kind": "camera"|"stream"|"phone"|"recording"|"sample", ...}``."""
        async with alone.with_right_of(request):
            await asyncio.to_thread(session.choose, asked)
            return _tried_now(session) or {}

    @app.put("/api/setup/recordings/{name}")
    async def upload(request: Request, name: str) -> Json:
        """Receive a recording and try it out."""
        try:
            refuse_foreign(request, VIDEO_KIND)
            length = request.headers.get("content-length", "")
            claimed = int(length) if length.isdecimal() else None
            path = await session.uploads.receive(name, request.stream(), claimed)
            async with alone.with_right_of(request):
                return {"name": await asyncio.to_thread(session.try_recording, path, name)}
        except (ValueError, OSError):
            await _hear_out(request)
            raise


def _records(app: FastAPI, session: SetUpSession) -> None:
    receiving = asyncio.Lock()

    @app.put("/api/setup/records/{name}")
    async def keep(request: Request, name: str) -> Json:
        """Receive a record or a public log, and return the name under which it is a record."""
        try:
            refuse_foreign(request, VIDEO_KIND)
            if receiving.locked():
                raise Refused("another record is being received; send this one after it")
            async with receiving:
                written = bytearray()
                async for part in request.stream():
                    written += part
                    if len(written) > MOST_SENT:
                        raise Refused(f"the record is larger than {MOST_SENT} bytes")
                return {"name": await asyncio.to_thread(session.keep_record, name, bytes(written))}
        except (ValueError, OSError):
            await _hear_out(request)
            raise


def _tried_now(session: SetUpSession) -> Json | None:
    """The source that is tried out, so that a page that is loaded again goes on with it."""
    preview, phone, asked = session.preview, session.phone, session.asked
    if preview is None:
        return None
    told: Json = {
        "name": preview.source.name,
        "asked": None if asked is None else asked.model_dump(exclude={"address"}),
    }
    return told if phone is None else told | _code(phone)


def _code(phone: PhoneServer) -> Json:
    address = phone.address
    return {"address": address, "qr": qr_svg(address), "trusted": phone.trusted}


async def _hear_out(request: Request) -> None:
    """Receive the rest of a body: a sender that is cut off never reads the refusal."""
    heard = 0
    # The body may be complete already, or its sender gone.
    with contextlib.suppress(RuntimeError, ClientDisconnect, TimeoutError):
        async with asyncio.timeout(HEARD_OUT_S):
            async for part in request.stream():
                heard += len(part)
                if heard > HEARD_OUT:
                    return


def _pictures(app: FastAPI, session: SetUpSession) -> None:
    @app.get("/api/setup/picture")
    async def picture() -> Response:
        """Return the newest picture of the source; 204 before the first."""
        preview = session.preview
        data = b"" if preview is None else await asyncio.to_thread(preview.picture)
        return Response(data, media_type="image/jpeg") if data else Response(status_code=204)

    @app.get("/api/setup/check")
    async def check() -> Json:
        """Return where the table is in the picture, and whether that is good enough."""
        preview = session.preview
        if preview is None:
            return {"problem": None, "found": None}
        found = await asyncio.to_thread(preview.check)
        told = None if found is None else _told(found)
        if session.phone is not None:
            session.phone.camera.told = lambda: {"found": told}
        return {"problem": preview.problem, "found": told}

    @app.post("/api/setup/corners")
    async def corners(asked: CornersGiven) -> Json:
        """``{"corners": [[x, y], ...]}`` from the top left clockwise; null looks for them."""
        _tried(session).give_corners(asked.corners)
        return {}

    @app.post("/api/setup/mirrored")
    async def mirrored(asked: MirroredGiven) -> Json:
        """``{"mirrored": true}``: the camera mirrors what it films, as selfie cameras do."""
        await asyncio.to_thread(_tried(session).set_mirrored, asked.mirrored)
        return {}


def _own_set(app: FastAPI, session: SetUpSession, alone: _OneAtATime) -> None:
    @app.get("/api/setup/set")
    async def faces() -> Json:
        """Return the names that a tile of a set laid out can be given, by language."""
        return {"faces": faces_to_name()}

    @app.post("/api/setup/set/pictures")
    async def take(request: Request) -> Json:
        """Take a picture of the set laid out, and return its tiles as they will be used."""
        refuse_foreign(request)
        async with alone.with_right_of(request):
            return await asyncio.to_thread(session.lay_out)

    @app.delete("/api/setup/set/pictures")
    async def forget(request: Request) -> Json:
        """Forget the pictures taken so far."""
        refuse_foreign(request)
        async with alone.with_right_of(request):
            session.forget_set()
            return {}

    @app.post("/api/setup/set")
    async def use(request: Request, asked: SetGiven) -> Json:
        """``{"names": [{"picture", "tile", "face"}]}``: learn the set and play with it."""
        told = [ToldFace(one.picture, one.tile, one.face) for one in asked.names]
        async with alone.with_right_of(request):
            return await asyncio.to_thread(session.use_set, told)


def _tried(session: SetUpSession) -> SourcePreview:
    if session.preview is None:
        raise Refused("choose a camera first")
    return session.preview


def _told(check: PictureCheck) -> Json:
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
                "shown": finding.shown,
                "grade": finding.grade.value,
                "corners": list(finding.corners),
            }
            for finding in check.findings
        ],
    }
