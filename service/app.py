"""The web application of a table, and of the pages that set one up."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Annotated, Final, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Response, Security, WebSocket
from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import TypedDict

from service.evening import game_pages, rehearsal_pages, story_pages
from service.evening import pages as set_up_pages
from service.evening.open_table import Opening
from service.evening.opening_page import OpeningPage
from service.evening.pages import SettingUp, ShowTable
from service.evening.session import SetUpSession
from service.evening.studied_games import Study
from service.pages import correction_pages, shadow_pages
from service.pages.bodies import NetworkWish, Renewal
from service.pages.network_door import NetworkDoor, NetworkView, opened
from service.pages.request_log import (
    WAITED_S,
    LogSink,
    TableMetrics,
    add_addresses,
    event_log,
    guarded_app,
)
from service.pages.requests import (
    KEY,
    REFUSALS,
    TOO_SLOW,
    RefusingRoute,
    accepted,
    relay,
    until_gone,
)
from service.pages.settings import (
    ENTRANCE,
    OpenTable,
    PageSettings,
    Served,
    bind,
    served_at,
)
from service.phone import server as phone
from service.report.public import PublicTable
from service.seat import drill_pages, first_hand, private_pages, teacher
from service.seat.lessons import game_of, lesson_of
from service.seat.practice import PracticeHands
from service.table.live_table import LiveTable
from service.table.trusted import CertificateView, certificate_view
from service.table.view import REMEMBERED
from service.web.background import JobFailing, done_apart
from service.web.gate import add_enter, keep_key
from service.web.grants import Grant, Role, granted, phone_of
from service.web.keys import TableKeys
from service.web.language import Language
from service.web.rights import NETWORK, PAGES, RENEW, VERSION, Serves, row_of
from service.web.short_codes import ShortCodes
from service.web.static_pages import add_pages

Listed = Annotated[int, Query(ge=1, le=REMEMBERED)]
PICTURE_WAIT_S: Final = 0.04


class Health(TypedDict):
    status: Literal["watching", "ended", "failed"]
    source: str
    problem: str | None
    """Why nothing more is told."""
    trouble: str | None
    """What is wrong now; a problem, too."""
    time_s: float | None
    events: int
    certificate: CertificateView | None
    """What the last rehearsal proved of this table."""
    background: list[JobFailing]


health_page, api, sockets = APIRouter(), APIRouter(route_class=RefusingRoute), APIRouter()
controls = APIRouter(route_class=RefusingRoute, include_in_schema=False)
"""Of whoever runs the table."""


@health_page.get("/health")
def health(served: Served) -> Health:
    """Report whether the table is watched, how far it is, and what fails in the background."""
    table, background = served.table, served.background
    return {
        "status": "failed" if table.problem else "ended" if table.ended else "watching",
        "source": table.settings.name,
        "problem": table.problem,
        "trouble": table.trouble,
        "time_s": table.reader.time_s,
        "events": 0 if served.settings.in_shadow else len(table.game.entries),
        "certificate": None if table.standing is None else certificate_view(table.standing, "en"),
        "background": background.told(),
    }


@api.get("/table")
def state(served: Served) -> PublicTable:
    """Return the table as everybody may see it."""
    return served.table.table()


for _pages in (
    correction_pages,
    game_pages,
    story_pages,
    drill_pages,
    first_hand,
    rehearsal_pages,
    private_pages,
    shadow_pages,
    teacher,
):
    api.include_router(_pages.api)


@sockets.websocket(f"{VERSION}/listen")
@sockets.websocket("/ws")
async def messages(
    socket: WebSocket, served: Served, lang: Language, last: Listed = REMEMBERED
) -> None:
    """The table, whole again at each change, with what is announced anew: once and in order.

    ``last`` says how many of the last events and announcements are listed.
    """
    if not await accepted(socket):
        return
    grant = granted(socket) or Grant(Role.PUBLIC)
    with served.table.subscribed(lang) as subscriber:
        # In the step in which it subscribes: what is told from here on is in the queue.
        await until_gone(socket, relay(socket, served.table.moment, subscriber, grant, most=last))


@sockets.websocket("/ws/picture")
async def pictures(socket: WebSocket, served: Served) -> None:
    """One picture each time the page asks."""
    if await accepted(socket):
        asked = asyncio.Event()
        drawing: Executor = socket.app.state.drawing
        await until_gone(
            socket, _send_pictures(socket, served.table, asked, drawing), lambda _: asked.set()
        )


@controls.post(NETWORK)
async def serve(served: Served, _: NetworkWish) -> NetworkView:
    """``{"serve": true}``: serve to the network, too."""
    return await opened(served.settings.network)


@controls.post(RENEW)
async def renew(request: Request, served: Served, asked: Renewal) -> Response:
    """Make new keys: ``{"renew": true}``, or for a new code of one ``seat``."""
    keys, codes = served.keys, request.app.state.codes
    if asked.seat is not None:
        keys.new_code(asked.seat)
        codes.forgive()
        return JSONResponse({"key": keys.control})
    keys.renew()
    codes.forgive()
    answer = JSONResponse({"key": keys.control})
    keep_key(answer, request, keys.control)
    return answer


addresses = APIRouter()
addresses.include_router(controls)
addresses.include_router(private_pages.entrance, include_in_schema=False)
addresses.include_router(health_page)
addresses.include_router(api, prefix="/api", include_in_schema=False)
addresses.include_router(api, prefix=VERSION, responses=REFUSALS, dependencies=[Security(KEY)])
for _sockets in (sockets, private_pages.sockets):
    addresses.include_router(_sockets)

set_up_api = APIRouter()
set_up_api.include_router(set_up_pages.api, include_in_schema=False)

Opened = Callable[[TableKeys | None], contextlib.AbstractContextManager[OpenTable]]
"""Opens a table with the keys of the last one."""


class TableApp:
    """The one application that a program serves at all its listeners.

    Before a table is open it sets one up, where there is a ``setting_up``; the pages for that stay
    while a table is shown, to set up the next game.
    """

    def __init__(
        self,
        hosts: Sequence[str],
        log: LogSink | None = None,
        lang: str = "en",
        setting_up: SettingUp | None = None,
        can_set_up: bool = False,
        always: OpenTable | None = None,
        meanwhile: OpeningPage | None = None,
    ) -> None:
        """``hosts``: names by which browsers may ask. ``log`` takes each request, without secrets.

        ``always`` is shown as long as the application runs. ``meanwhile`` answers as long as no
        table is open, in place of the pages that set one up, whoever waits for a table.
        """
        self._always, self._lang = always, lang
        self._last: TableKeys | None = None
        """The keys of the evening: those of the last table that was shown."""
        self._open = contextlib.ExitStack()
        """What was opened. A thread closes it: its exits may wait for what this loop does."""
        self._watching = contextlib.AsyncExitStack()
        self._opened = asyncio.Event()
        """Clear while a table is being opened: who asks for it waits."""
        self._opened.set()
        self._alone = asyncio.Lock()
        """Held while one table takes the place of another."""
        self._let_go: Callable[[], None] | None = None
        numbers = TableMetrics(self._table)
        about = Middleware(_AboutOpenTable, opened=self._opened, meanwhile=meanwhile)
        self.app = app = guarded_app(
            "tilesight", ENTRANCE, hosts, log, numbers, _keys_of, about, lifespan=self._lifespan
        )
        add_enter(app, ENTRANCE)
        app.state.served, app.state.lang, app.state.study = always, lang, None
        app.state.codes = ShortCodes()
        app.state.practice = PracticeHands()
        # A thread keeps the memory of a drawn picture, so one thread draws for all pages.
        app.state.drawing = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        app.state.opening = self._opening(meanwhile, setting_up)
        add_addresses(app, set_up_pages.health_without_table)
        if setting_up is not None:
            app.state.setting_up = setting_up
            add_addresses(app, set_up_pages.without_table, set_up_pages.pages, set_up_api)
        add_addresses(app, addresses, phone.pages)
        add_pages(app, PAGES[Serves.TABLE], partial(_marks, can_set_up), ENTRANCE.serves)

    @staticmethod
    def _opening(
        meanwhile: OpeningPage | None, setting_up: SettingUp | None
    ) -> Callable[[], Opening | None]:
        """Tells how far the table is that is being opened."""
        if meanwhile is not None:
            return lambda: meanwhile.opening
        return lambda: None if setting_up is None else setting_up.session.opening

    @property
    def shown(self) -> OpenTable | None:
        """The table that is open; None while none is."""
        shown: OpenTable | None = self.app.state.served
        return shown

    def _table(self) -> LiveTable | None:
        return None if self.shown is None else self.shown.table

    async def show(
        self, opened: Opened, let_go: Callable[[], None], study: Study | None = None
    ) -> OpenTable:
        """End the table that is shown, and show another.

        ``opened`` gets the keys of the last table; it runs in a thread, for a long record takes
        seconds. ``let_go`` ends the table's pictures, before it is waited for. ``study``: the
        games that people may choose in its place.
        """
        async with self._alone:
            self._opened.clear()
            try:
                shown = await self._show(opened, let_go)
                self.app.state.study = study
            finally:
                self._opened.set()
            shown.settings.on_shown()
            return shown

    async def _show(self, opened: Opened, let_go: Callable[[], None]) -> OpenTable:
        await self.clear()
        self._let_go = let_go
        try:
            stack, opening = contextlib.ExitStack(), opened(self._last)
            shown = await done_apart(lambda: stack.enter_context(opening), stack.close)
            self._open = stack
            connect(shown)
            await self._watching.enter_async_context(watched(shown))
            self.app.state.served, self.app.state.lang = shown, shown.table.lang
            self._last = shown.keys
            return shown
        except BaseException:
            await self.clear()
            raise

    async def clear(self) -> None:
        """End the shown table and close its record."""
        self.app.state.served, self.app.state.lang = None, self._lang
        self.app.state.study = None
        if self._let_go is not None:
            await asyncio.to_thread(self._let_go)
            self._let_go = None
        try:
            await self._watching.aclose()
        finally:
            await asyncio.to_thread(self._open.close)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        """Of all listeners together."""
        if self._always is not None:
            async with watched(self._always):
                yield
            return
        yield
        await self.clear()


class _AboutOpenTable:
    """Lets each request be about the table that is open when it comes in."""

    def __init__(self, app: ASGIApp, opened: asyncio.Event, meanwhile: OpeningPage | None) -> None:
        self._app, self._opened, self._meanwhile = app, opened, meanwhile

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            meanwhile = self._meanwhile if scope["app"].state.served is None else None
            # A phone that films belongs to no open table; its listener ends with its own.
            if (meanwhile is not None or not self._opened.is_set()) and _waits(
                scope, sets_up=meanwhile is None
            ):
                if meanwhile is not None:
                    await meanwhile(scope, receive, send)
                    return
                begun_s = time.perf_counter()
                await self._opened.wait()
                scope[WAITED_S] = time.perf_counter() - begun_s
            bind(scope, scope["app"].state.served)
        await self._app(scope, receive, send)


def _waits(scope: Scope, *, sets_up: bool) -> bool:
    """Whether a request waits for the table that is being opened; no phone that films does."""
    row = row_of(str(scope.get("method", "GET")), str(scope["path"]))
    is_answered = row.while_opening and (sets_up or not row.here_alone)
    return not is_answered and phone_of(HTTPConnection(scope)) is None


def _keys_of(scope: Scope) -> TableKeys | None:
    served = served_at(scope)
    return None if served is None else served.keys


def connect(served: OpenTable) -> None:
    """Let the keys know who sits at the table, and the table whose keys have ended."""
    table, keys = served.table, served.keys
    if keys.kept_at is None:  # they are this table's alone
        keys.people = table.names
    table.on_names = keys.seated
    keys.on_ended += (table.players_left, served.sharing.stop)


@contextlib.asynccontextmanager
async def watched(served: OpenTable) -> AsyncIterator[None]:
    """Run a table, and what goes on beside it."""
    table, settings = served.table, served.settings
    jobs = list(settings.jobs)
    if settings.log is not None and not settings.in_shadow:
        jobs.append(partial(event_log, log=settings.log))
    watching = asyncio.create_task(table.run())
    # The first hint reads tables; making the lesson reads all that hints of this game need.
    warming = asyncio.create_task(
        asyncio.to_thread(lesson_of, game_of(table.settings.rules), table.lang)
    )
    async with served.background.running([job(table) for job in jobs]):
        yield
        served.clip.cancel("interrupted")
        table.leave()
        warming.cancel()
        watching.cancel()  # first: the jobs then end with its last lines
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await table.reader.left()


def _marks(can_set_up: bool, request: Request) -> Iterator[str]:
    """What pages show links by."""
    if can_set_up:
        yield "can-set-up"
    served: OpenTable | None = request.app.state.served
    if served is not None and served.settings.pad is not None:
        yield "has-pad"


def create_app(table: LiveTable, settings: PageSettings | None = None) -> FastAPI:
    """The application of one table, which runs as long as the application does."""
    served = OpenTable(table, settings or PageSettings())
    connect(served)
    settings = served.settings
    can_set_up = settings.can_set_up
    return TableApp(
        settings.hosts, settings.log, table.lang, can_set_up=can_set_up, always=served
    ).app


def create_set_up(
    session: SetUpSession,
    show: ShowTable,
    hosts: Sequence[str],
    log: LogSink | None = None,
    door: NetworkDoor | None = None,
) -> TableApp:
    """The application that sets tables up; ``show`` opens one, and returns its admin's address."""
    setting_up = SettingUp(session, show, door)
    return TableApp(hosts, log, session.options.lang, setting_up, can_set_up=True)


async def _send_pictures(
    socket: WebSocket, table: LiveTable, asked: asyncio.Event, drawing: Executor
) -> None:
    """Send one picture each time the page asks: a slow page gets fewer, never old ones."""
    shown = -1
    while True:
        await asked.wait()
        asked.clear()
        while table.reader.newest == shown and not table.gone:
            await asyncio.sleep(PICTURE_WAIT_S)
        if table.gone:
            await socket.close(TOO_SLOW, "the table is closed")
            return
        shown = table.reader.newest
        drawn = asyncio.get_running_loop().run_in_executor(drawing, table.pictures.drawn)
        await socket.send_bytes(await drawn)
