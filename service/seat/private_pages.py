"""Pages that open with a key of their own, which comes inside the socket: those of four seats."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Request, WebSocket, WebSocketDisconnect
from fastapi.requests import HTTPConnection
from typing_extensions import TypedDict

from engine.errors import NotThere, Refused
from engine.events import Seat
from engine.game import Game
from engine.play import IN_PLAY
from engine.state import Phase
from service.pages.bodies import GuestWish, TypedCode
from service.pages.requests import TOO_SLOW, RefusingRoute, accepted, until_gone
from service.pages.settings import OpenTable, Served, grant_now
from service.report.public import Json
from service.table.seat_view import GivenHint, hand_line
from service.table.view import CodeView, Moment, SeatNews, SeatView, newest
from service.texts.refusals import refusal_in
from service.web.grants import Grant, note_key
from service.web.keys import is_device, qr_svg, seat_address, table_address, teacher_address
from service.web.language import Language
from service.web.rights import CODE, GUEST
from service.web.short_codes import ShortCodes
from service.web.subscriber import Subscriber
from vision.errors import WeightsError

KEY_WAIT_S: Final = 10.0
"""Seconds in which a page must send its key."""
NOT_YOURS: Final = 1008
NO_SEAT: Final = "this is no seat's key: scan the seat's code again"
PLAYING: Final = (*IN_PLAY, Phase.SETTLED)
"""Phases in which the hands of the seats are not over."""
LONGEST: Final = 1000
"""Longest message of a seat's page, in characters."""


api, sockets = APIRouter(route_class=RefusingRoute), APIRouter()
entrance = APIRouter(route_class=RefusingRoute)
"""Of whoever has no key yet."""


def _codes(connection: HTTPConnection) -> ShortCodes:
    codes: ShortCodes = connection.app.state.codes
    return codes


Codes = Annotated[ShortCodes, Depends(_codes)]


class SeatAddress(TypedDict):
    address: str
    qr: str | None
    """None for what no phone can open."""
    code: str | None
    """Four letters to type in place of scanning; good for one phone, and for minutes. None where
    somebody sits already."""
    seat: int
    taken: bool
    """Whether the player's device has opened its page."""


LinkedRole = Literal["viewer", "scorer", "guest", "teacher"]


_LEADS_TO: Final[Mapping[LinkedRole, Callable[[str, str], str]]] = {
    "guest": seat_address,
    "teacher": teacher_address,
}
"""All others lead to the table."""


class CodeToType(CodeView):
    """A code to scan, and four letters to type in its place, which change every few minutes."""

    code: str


class EnteredView(TypedDict):
    page: str
    """Where the code to scan leads, from the top of the site."""


class SeatsForGuests(TypedDict):
    names: list[str]
    taken: list[int]
    seat: int | None
    key: str | None
    """Opens the device's seat as long as it sits there."""
    playing: bool
    """Whether a hand is played, in which nobody takes a seat anew."""
    back: int | None
    """The seat at which the device sat in this hand until its name was put right: it may go back
    there while others may not sit down."""


@api.get("/seats")
def seats(request: Request, served: Served, codes: Codes) -> list[SeatAddress]:
    """Return the seats' addresses and QR codes; no code for what no phone can open."""
    settings = served.settings
    base, keys = settings.address(request), settings.keys
    with_code = settings.served_to_network
    addresses = [seat_address(base, key) for key in keys.seats]
    return [
        {
            "seat": seat,
            "address": address,
            "qr": qr_svg(address) if with_code else None,
            "code": (
                codes.code_of(keys.seats[seat], once=True)
                if with_code and seat not in keys.taken
                else None
            ),
            "taken": seat in keys.taken,
        }
        for seat, address in enumerate(addresses)
    ]


@api.get("/links")
def links(request: Request, served: Served, codes: Codes) -> dict[LinkedRole, CodeToType]:
    """Addresses for watching and for correcting the record, for whoever runs the table.

    None where neither needs a key.
    """
    base, keys = served.settings.address(request), served.settings.keys
    if not served.settings.needs_key:
        return {}
    own: dict[LinkedRole, str] = {
        "viewer": keys.viewer,
        "scorer": keys.scorer,
        "guest": keys.guest,
        "teacher": keys.teacher,
    }
    told: dict[LinkedRole, CodeToType] = {}
    for role, key in own.items():
        at = _LEADS_TO.get(role, table_address)(base, key)
        # Whoever watches, or chooses a seat, is one of many; one teaches, or puts the record right.
        code = codes.code_of(key, once=role in ("scorer", "teacher"))
        told[role] = {"address": at, "qr": qr_svg(at), "code": code}
    return told


@entrance.post(CODE)
async def enter_code(
    request: Request, served: Served, codes: Codes, asked: TypedCode
) -> EnteredView:
    """Tell where the code to scan leads for which this one was typed."""
    keys = served.settings.keys
    address = "" if request.client is None else request.client.host
    key = codes.key_of(asked.code, address, keys.opens)
    return {"page": keys.page_of(key)}


@api.post(GUEST.removeprefix("/api"))
async def guest(served: Served, asked: GuestWish) -> SeatsForGuests:
    """The seats for whoever scanned the guest's card; a ``seat`` is taken for the device.

    While a hand is played nobody else sits down: whoever plays there would be seen.
    """
    keys, names = served.settings.keys, served.table.table()["names"]
    game = served.table.game
    hand = hand_line(game) if game.state.phase in PLAYING else None
    seat, key = keys.choose(asked.device, asked.seat, len(game.entries), hand) or (None, None)
    return {
        "names": names,
        "taken": keys.shut_to(asked.device),
        "seat": seat,
        "key": key,
        "playing": hand is not None,
        "back": keys.way_back(asked.device, hand),
    }


@sockets.websocket("/ws/seat")
async def private(socket: WebSocket, served: Served, lang: Language) -> None:
    """The table for one seat, with what only that seat may see; its key comes first."""
    if not await accepted(socket):
        return
    table, keys = served.table, served.settings.keys
    said = await first_word(socket)
    key, device = str(said.get("key")), said.get("device")
    keys.scanned(key, device if is_device(device) else "")
    seat = keys.seat_of(key)
    if seat is None:
        await socket.close(NOT_YOURS, NO_SEAT)
        return
    note_key(socket, key)
    with table.subscribed(lang) as subscriber:
        page = _SeatPage(socket, served, seat, subscriber, lambda: grant_now(served, key))
        with table.seat_news(seat, page.has_news):
            await until_gone(socket, page.send(), page.hear)


async def first_word(socket: WebSocket) -> Json:
    """The first message of a page; empty where none comes in time."""
    try:
        return _read(await asyncio.wait_for(socket.receive_text(), KEY_WAIT_S))
    except (TimeoutError, WebSocketDisconnect, KeyError):
        return {}


def _read(text: str) -> Json:
    """A page's message as an object; empty where it is not one."""
    try:
        said = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


class _SeatPage:
    """One open page of a seat."""

    def __init__(
        self,
        socket: WebSocket,
        served: OpenTable,
        seat: Seat,
        subscriber: Subscriber[Any],
        grant: Callable[[], Grant | None],
    ) -> None:
        self._socket = socket
        self._grant = grant
        """What the key opens now; it may end at any moment."""
        self._served, self._table = served, served.table
        self._views = served.seat(seat)
        self._seat = seat
        self._subscriber = subscriber
        self._first = served.table.moment
        """The table when its news began: else a line were in both, this and what comes next."""
        self._always = self._now = False
        """Whether the page wants a hint with every event, or once now."""
        self._given: GivenHint | None = None
        self._waits = False
        """Whether a request for a hint is queued; one answer serves all that come meanwhile."""
        self._loop = asyncio.get_running_loop()
        self._switching: asyncio.Task[None] | None = None

    def _still_sits(self) -> bool:
        grant = self._grant()
        return grant is not None and grant.seat == self._seat

    def hear(self, text: str) -> None:
        """``{"teach": "always"}``, ``{"teach": "never"}``, or ``{"teach": "now"}`` for one hint.

        ``{"camera": "phone"}`` lets a phone watch this seat's own hand, ``"stop"`` ends that.
        """
        said = _read(text)
        wish = said.get("teach")
        if wish in ("always", "never"):
            self._always = wish == "always"
            self._given = None
        self._now |= wish == "now"
        if wish in ("always", "never", "now") and not self._waits:
            self._waits = True
            self._subscriber.offer(_News())
        camera = said.get("camera")
        idle = self._switching is None or self._switching.done()
        if camera in ("phone", "stop") and idle:
            self._switching = asyncio.create_task(self._switch(camera == "phone"))

    def has_news(self) -> None:
        """Send the page this seat's news; any thread may call it."""
        # The loop may be closed already when the program ends during a look.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._subscriber.offer, _News())

    async def _switch(self, on: bool) -> None:
        cameras = self._table.seat_cameras
        if not self._still_sits():
            return
        if cameras is None:
            self._subscriber.offer(_News(refused="no_camera"))
        elif not on:
            await asyncio.to_thread(cameras.stop, self._seat)
        else:
            try:
                address = await asyncio.to_thread(cameras.phone, self._seat)
            except (Refused, WeightsError) as error:
                told = refusal_in(str(error), self._subscriber.lang)
                self._subscriber.offer(_News(refused=told))
                return
            if not self._still_sits():  # the seat changed hands while the camera was opened
                cameras.player_left(self._seat)
                return
            self._subscriber.offer(_News(at={"address": address, "qr": qr_svg(address)}))

    async def send(self) -> None:
        """Send what everybody gets, with this seat's own view added."""
        messages: list[Moment | _News] = [self._first]
        while self._still_sits() and not self._subscriber.too_slow.is_set():
            news, *messages = messages or newest(await self._subscriber.waiting())
            await self._tell(news)
        if self._still_sits():
            await self._socket.close(TOO_SLOW, "too slow")
        else:
            await self._socket.close(NOT_YOURS, NO_SEAT)

    async def _tell(self, news: Moment | _News) -> None:
        """Send the table as this seat sees it, or what it alone is told."""
        teach = self._always or self._now
        self._now = self._waits = False
        at = news if isinstance(news, Moment) else None

        def wanted(game: Game) -> bool:
            if self._given is not None and not self._given.in_force(game.state, self._seat):
                self._given = None
            # A hint was about tiles that have been corrected, so it is given anew.
            corrects = at is not None and at.since is not None
            return teach or (self._given is not None and corrects)

        grant = self._grant()
        since = 0 if grant is None else grant.since
        game, mine, view = await self._views.view(at, self._subscriber.lang, wanted, since)
        hint = mine["hint"]
        if hint is not None and not self._always:
            self._given = GivenHint.of(hint, game.state, self._seat)
        elif self._given is not None:
            mine["hint"] = self._given.hint
        cameras = self._table.seat_cameras
        mine["camera"] = None if cameras is None else cameras.status(self._seat)
        mine["shares"] = self._served.share_of(self._seat) is not None
        message = view if isinstance(news, Moment) else news.message(mine)
        # Checked last: what was worked out may be the hand of somebody who sits here by now.
        if self._still_sits():
            await self._socket.send_json(message)


@dataclass(frozen=True)
class _News:
    """What this seat is told while nothing happens at the table."""

    refused: str | None = None
    """Why its camera cannot be opened."""
    at: CodeView | None = None
    """Where its camera's page is."""

    def message(self, mine: SeatView) -> SeatNews:
        told: SeatNews = {"type": "mine", "mine": mine}
        if self.refused is not None:
            told["camera_refused"] = self.refused
        if self.at is not None:
            told["camera_at"] = self.at
        return told


STREAM_MOVED: Final = (
    "the stream is a page of the table now: open /stream with the key for watching, and set the "
    "delay in OBS"
)


@api.get("/stream", include_in_schema=False)
def stream_moved() -> None:
    """Earlier versions handed out a key of its own here."""
    raise NotThere(STREAM_MOVED)


@sockets.websocket("/ws/stream")
async def stream_socket_moved(socket: WebSocket) -> None:
    """Pages of earlier versions, which may still be open, show why it is closed."""
    if await accepted(socket):
        await first_word(socket)  # what they wish comes at once
        await socket.close(NOT_YOURS, STREAM_MOVED)
