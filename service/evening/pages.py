"""The set-up page and its requests; only this machine itself may use it, and a phone that films.

Once a table is shown, its admin's key is needed, too.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NotRequired, cast

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import Scope
from typing_extensions import TypedDict

from engine.errors import Conflict, Forbidden, Refused
from service.evening.open_table import Opening, TableRequest
from service.evening.own_set import faces_to_name
from service.evening.preview import PictureCheck, SourcePreview
from service.evening.sent_records import MOST_SENT, offered_sample
from service.evening.session import SetUpSession
from service.evening.wire import (
    AskedSource,
    Begun,
    ChosenSource,
    CornersGiven,
    FoundInPicture,
    LaidPicture,
    MirroredGiven,
    PictureChecked,
    RunningGame,
    SetGain,
    SetGiven,
    SetUpOffered,
    StartRequest,
    TriedSource,
)
from service.pages.bodies import LessonWish, NetworkWish, PracticeWish
from service.pages.network_door import NetworkDoor, NetworkView, opened
from service.pages.request_log import of_app
from service.pages.requests import (
    DoneView,
    RefusingRoute,
    file_answer,
    file_or_none,
    refuse_foreign,
)
from service.pages.settings import ENTRANCE, bind, served_at
from service.seat.learn import LearnView, learn_view
from service.seat.lessons import Given, LessonView, game_of, lesson_view
from service.seat.practice import PracticeHands, PracticeView
from service.texts.catalogue import rule_sets
from service.texts.refusals import refusal_in
from service.web.gate import in_english
from service.web.keys import qr_svg
from service.web.language import Language
from service.web.rights import OF_SET_UP, PAGES, Right, Serves
from service.web.static_pages import html_page
from vision.camera.address import readable
from vision.camera.cameras import find_cameras
from vision.table.quality import good_enough

HEARD_OUT: Final = 256 * 1024**2
HEARD_OUT_S: Final = 20.0
"""Bytes and seconds for which the rest of a refused recording is received."""
VIDEO_KIND: Final = "application/octet-stream"
REPLACES: Final = (
    'a game is running ({source}); its record stays in {record}; send "replace": true to end it'
)

ShowTable = Callable[[TableRequest], Awaitable[str]]
"""Opens a table, and returns the address of its admin page."""


@dataclass(frozen=True)
class SettingUp:
    """What every request to the set-up pages needs."""

    session: SetUpSession
    show: ShowTable
    door: NetworkDoor | None = None
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held for one set-up at a time: sources have ports and threads, and the next lets them go."""
    receiving: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a record is received."""

    @contextlib.asynccontextmanager
    async def with_right_of(self, request: Request) -> AsyncIterator[None]:
        """Wait for this request's turn; another may have opened a table meanwhile."""
        async with self.alone:
            bind(request.scope, request.app.state.served)
            grant, _ = await ENTRANCE.grant(request)
            if grant is None or not Right.SET_UP.of(grant):
                raise Forbidden(in_english(OF_SET_UP.wrong_key))
            yield

    def running(self, request: Request) -> RunningGame | None:
        """The game that another one would break off."""
        shown = served_at(request.scope)
        if shown is None or not shown.running:
            return None
        settings = shown.table.settings
        return {"source": settings.name, "record": readable(settings.record_name)}

    def tried(self) -> TriedSource | None:
        """The source that is tried out."""
        session = self.session
        preview, phone, asked = session.preview, session.phone, session.asked
        if preview is None:
            return None
        chosen = None if asked is None else asked.model_dump(exclude={"address"})
        told: TriedSource = {"name": preview.source.name, "asked": cast(AskedSource | None, chosen)}
        if phone is not None:
            address = phone.address
            told |= {"address": address, "qr": qr_svg(address), "trusted": phone.trusted}
        return told

    @property
    def preview(self) -> SourcePreview:
        """Raises ``Refused`` where nothing is tried out."""
        if self.session.preview is None:
            raise Refused("choose a camera first")
        return self.session.preview


Here = Annotated[SettingUp, of_app("setting_up")]


class SetUpRoute(RefusingRoute):
    of_table = False


class BeforeTable(RefusingRoute):
    """An address that an open table answers by itself."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return super().matches(scope) if served_at(scope) is None else (Match.NONE, {})


pages = APIRouter(include_in_schema=False)
without_table = APIRouter(route_class=BeforeTable, include_in_schema=False)
health_without_table = APIRouter(route_class=BeforeTable, include_in_schema=False)
api = APIRouter(prefix="/api/setup", route_class=SetUpRoute)


class Health(TypedDict):
    status: Literal["setting up", "opening"]
    events: NotRequired[int]
    """How many events of the record have been replayed, while it is opened."""
    of: NotRequired[int]


@without_table.get("/")
def index() -> Response:
    return RedirectResponse("/setup", 307)


@health_without_table.get("/health")
async def health(asked: Annotated[Callable[[], Opening | None], of_app("opening")]) -> Health:
    """Whether a table is being opened, and how far it is."""
    opening = asked()
    if opening is None:
        return {"status": "setting up"}
    return {"status": "opening", "events": opening.events, "of": opening.of}


@pages.get("/setup")
def page(lang: Language) -> Response:
    return html_page(PAGES[Serves.SET_UP]["/setup"], lang)


@without_table.get("/api/learn")
async def learn(here: Here, lang: Language, rules: str = "") -> LearnView:
    """The first pages about a game, by default the one that was chosen at the start."""
    shown = rules or here.session.options.rules
    topics = here.session.set_lesson.topics
    return await asyncio.to_thread(learn_view, shown, lang, table=False, topics=topics)


@without_table.get("/api/lessons")
async def lessons(
    here: Here, lang: Language, rules: str = "", given: Given = "", topic: str = ""
) -> LessonView:
    """What the lesson of a game asks after what was answered; with ``topic`` about this one."""
    game = game_of(rules or here.session.options.rules)
    topics = here.session.set_lesson.topics
    return await asyncio.to_thread(lesson_view, game, lang, given, topic, topics=topics)


@without_table.post("/api/practice")
async def practise(
    request: Request, here: Here, asked: PracticeWish, lang: Language
) -> PracticeView:
    """Play a hand against three simple players: begin one, or do what is offered."""
    hands: PracticeHands = request.app.state.practice
    return await hands.play(asked, asked.rules or here.session.options.rules, lang)


@without_table.post("/api/lessons")
def set_lesson(here: Here, asked: LessonWish) -> list[str]:
    """Keep which topics are set for the evening."""
    return here.session.set_lesson.change(asked.topics)


@api.get("")
def offered(request: Request, here: Here) -> SetUpOffered:
    """Return what there is to choose from."""
    session = here.session
    return {
        "cameras": [*find_cameras()],
        "recordings": session.recordings(),
        "records": session.records(),
        "last": session.last_time(),
        "evening": session.evening(),
        "sample": offered_sample(),
        "rules": rule_sets(),
        "rule_set": session.options.rules,
        "lang": session.options.lang,
        "read_twice": session.options.read_twice,
        "running": here.running(request),
        "goes_on": session.goes_on,
        "tried": here.tried(),
        "network": None if here.door is None else here.door.told(),
    }


@api.post("/start")
async def start(request: Request, here: Here, asked: StartRequest) -> Begun:
    """Begin a game with the source that is tried out; a recording with ``"hurry"``.

    Or ``{"sample": true}``, ``{"open": NAME}`` of a record, or ``{"lessons": RULES}`` for the game
    of which lessons are made. A running game is ended only with ``"replace": true``.
    """
    async with here.with_right_of(request):
        running = here.running(request)
        if running is not None and not asked.replace:
            raise Conflict(REPLACES.format(**running))
        table = await asyncio.to_thread(here.session.begin, asked)
        here.session.opening = table.opening
        try:
            return {"page": await here.show(table)}
        finally:
            here.session.opening = None


@api.post("/network")
async def network(here: Here, _: NetworkWish) -> NetworkView:
    """``{"serve": true}``: serve to the network, too."""
    return await opened(here.door)


@api.post("/source")
async def choose(request: Request, here: Here, asked: ChosenSource) -> TriedSource:
    """``{"kind": "camera"|"stream"|"phone"|"recording"|"sample", ...}``."""
    async with here.with_right_of(request):
        name = await asyncio.to_thread(here.session.choose, asked)
        return here.tried() or {"name": name, "asked": None}


@api.put("/recordings/{name}")
async def upload(request: Request, here: Here, name: str) -> TriedSource:
    """Receive a recording and try it out."""
    session = here.session
    async with _heard_out(request):
        refuse_foreign(request, VIDEO_KIND)
        length = request.headers.get("content-length", "")
        claimed = int(length) if length.isdecimal() else None
        path = await session.uploads.receive(name, request.stream(), claimed)
        async with here.with_right_of(request):
            tried = await asyncio.to_thread(session.try_recording, path, name)
            return here.tried() or {"name": tried, "asked": None}


@api.put("/records/{name}")
async def keep(request: Request, here: Here, name: str) -> str:
    """Receive a record or a public log, and return the name under which it is a record."""
    async with _heard_out(request):
        refuse_foreign(request, VIDEO_KIND)
        if here.receiving.locked():
            raise Refused("another record is being received; send this one after it")
        async with here.receiving:
            written = bytearray()
            async for part in request.stream():
                written += part
                if len(written) > MOST_SENT:
                    raise Refused(f"the record is larger than {MOST_SENT} bytes")
            return await asyncio.to_thread(here.session.keep_record, name, bytes(written))


@contextlib.asynccontextmanager
async def _heard_out(request: Request) -> AsyncIterator[None]:
    """Receive the rest of a body that is refused: a browser reads no answer before it is sent."""
    try:
        yield
    except (ValueError, OSError):
        heard = 0
        # The body may be complete already, or its sender gone.
        with contextlib.suppress(RuntimeError, ClientDisconnect, TimeoutError):
            async with asyncio.timeout(HEARD_OUT_S):
                async for part in request.stream():
                    heard += len(part)
                    if heard > HEARD_OUT:
                        break
        raise


@api.get("/picture", **file_answer("image/jpeg", may_be_none=True))
async def picture(here: Here) -> Response:
    """Return the newest picture of the source; 204 before the first."""
    preview = here.session.preview
    data = b"" if preview is None else await asyncio.to_thread(preview.picture)
    return file_or_none(data, "image/jpeg")


@api.get("/cameras/{number}/picture", **file_answer("image/jpeg", may_be_none=True))
async def glimpse(request: Request, here: Here, number: int) -> Response:
    """What a camera sees now; 204 while a source is tried out, and where none is plugged in."""
    async with here.with_right_of(request):
        data = await asyncio.to_thread(here.session.glimpse, number)
    return file_or_none(data, "image/jpeg")


@api.get("/check")
async def check(here: Here, lang: Language) -> PictureChecked:
    """Return where the table is in the picture, and whether that is good enough."""
    preview, phone = here.session.preview, here.session.phone
    if preview is None:
        return {"problem": None, "found": None}
    found = await asyncio.to_thread(preview.check)
    told = None if found is None else _told(found)
    if phone is not None:
        phone.camera.told = lambda: {"found": told}
    problem = None if preview.problem is None else refusal_in(preview.problem, lang)
    return {"problem": problem, "found": told}


@api.post("/corners")
async def corners(here: Here, asked: CornersGiven) -> DoneView:
    """``{"corners": [[x, y], ...]}`` from the top left clockwise; null looks for them."""
    here.preview.give_corners(asked.corners)
    return {}


@api.post("/mirrored")
async def mirrored(here: Here, asked: MirroredGiven) -> DoneView:
    """``{"mirrored": true}``: the camera mirrors what it films, as selfie cameras do."""
    await asyncio.to_thread(here.preview.set_mirrored, asked.mirrored)
    return {}


@api.get("/set")
async def faces(lang: Language) -> dict[str, str]:
    """Return the names that a tile of a set laid out can be given."""
    return faces_to_name(lang)


@api.post("/set/pictures")
async def take(request: Request, here: Here) -> LaidPicture:
    """Take a picture of the set laid out, and return its tiles as they will be used."""
    refuse_foreign(request)
    async with here.with_right_of(request):
        return await asyncio.to_thread(here.session.lay_out)


@api.delete("/set/pictures")
async def forget(request: Request, here: Here) -> DoneView:
    """Forget the pictures taken so far."""
    refuse_foreign(request)
    async with here.with_right_of(request):
        here.session.forget_set()
        return {}


@api.post("/set")
async def use(request: Request, here: Here, asked: SetGiven) -> SetGain:
    """``{"names": [{"picture", "tile", "face"}]}``: learn the set and play with it."""
    async with here.with_right_of(request):
        return await asyncio.to_thread(here.session.use_set, asked.names)


def _told(check: PictureCheck) -> FoundInPicture:
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
