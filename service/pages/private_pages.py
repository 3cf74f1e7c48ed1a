"""Pages that open with a key of their own: those of the four seats, and the stream.

The stream shows the table on a transparent ground, delayed as the streamer wants; hands and waits
only with the key that the control page hands out. Keys come inside the sockets.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Mapping
from typing import Final, Literal, NotRequired, cast

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from typing_extensions import TypedDict

from engine.events import Seat
from engine.rules import RULE_SETS
from engine.state import Phase, State
from service.access.grants import GUEST, Grant, Role
from service.access.keys import TableKeys, qr_svg, seat_address, stream_address, table_address
from service.errors import Refused
from service.pages.requests import TOO_SLOW, GuestWish, RefusingRoute, accepted, until_gone
from service.pages.settings import Served, ServedTable
from service.report.hands import HandShown, hand_json
from service.report.public import Announced, Json, PublicTable, names_of
from service.table.page_messages import SeatNews, Subscriber, TableMessage
from service.table.seat_view import GivenHint
from vision.errors import WeightsError

KEY_WAIT_S: Final = 10.0
"""Seconds in which a page must send its key."""
NOT_YOURS: Final = 1008
LONGEST: Final = 1000
"""Longest message of a seat's page, in characters."""


api, sockets = APIRouter(route_class=RefusingRoute), APIRouter()


class PageAddress(TypedDict):
    address: str
    qr: str | None
    """None for what no phone can open."""


class SeatAddress(PageAddress):
    seat: int
    taken: bool
    """Whether the player's device has opened its page."""


LinkedRole = Literal["viewer", "scorer", "guest"]


class RoleAddress(PageAddress):
    role: LinkedRole


class SeatsForGuests(TypedDict):
    names: list[str]
    taken: list[int]
    seat: int | None
    key: str | None
    """The address of the device's seat."""


@api.get("/seats")
def seats(request: Request, served: Served) -> list[SeatAddress]:
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
            "taken": seat in keys.taken,
        }
        for seat, address in enumerate(addresses)
    ]


@api.get("/links")
def links(request: Request, served: Served) -> list[RoleAddress]:
    """Addresses for watching and for correcting the record, for whoever runs the table.

    None where neither needs a key.
    """
    base, keys = served.settings.address(request), served.settings.keys
    addresses: dict[LinkedRole, str] = {
        "viewer": table_address(base, keys.viewer),
        "scorer": table_address(base, keys.scorer),
        "guest": seat_address(base, keys.guest),
    }
    given = addresses.items() if served.settings.needs_key else ()
    return [{"role": role, "address": at, "qr": qr_svg(at)} for role, at in given]


@api.post(GUEST.removeprefix("/api"))
async def guest(served: Served, asked: GuestWish) -> SeatsForGuests:
    """The seats for whoever scanned the guest's card; a ``seat`` is taken for the device."""
    keys, names = served.settings.keys, names_of(served.table.game.state)
    own = keys.choose(asked.device, asked.seat, names)
    key = None if own is None else keys.seats[own]
    return {"names": list(names), "taken": sorted(keys.taken), "seat": own, "key": key}


@sockets.websocket("/ws/seat")
async def private(socket: WebSocket, served: Served) -> None:
    """The table for one seat, with what only that seat may see; its key comes first."""
    if not await accepted(socket):
        return
    table, keys = served.table, served.settings.keys
    grant = await _sent_grant(socket, keys)
    if grant is None or grant.seat is None:
        await socket.close(NOT_YOURS, "this is no seat's key: scan the seat's code again")
        return
    keys.taken.setdefault(grant.seat, "")
    with table.subscribed() as subscriber:
        page = _SeatPage(socket, served, grant.seat, subscriber)
        with table.seat_news(grant.seat, page.has_news):
            await until_gone(socket, page.send(), page.hear)


async def _sent_grant(socket: WebSocket, keys: TableKeys) -> Grant | None:
    key = (await first_word(socket)).get("key")
    return keys.grant_of(key) if isinstance(key, str) else None


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
        self, socket: WebSocket, served: ServedTable, seat: Seat, subscriber: Subscriber
    ) -> None:
        self._socket = socket
        self._table = table = served.table
        self._views = served.seat(seat)
        self._seat = seat
        self._subscriber = subscriber
        self._always = self._now = False
        """Whether the page wants a hint with every event, or once now."""
        self._given: GivenHint | None = None
        self._waits = False
        """Whether a request for a hint is queued; one answer serves all that come meanwhile."""
        self._snapshot = table.snapshot()
        self._loop = asyncio.get_running_loop()
        self._switching: asyncio.Task[None] | None = None

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
            self._subscriber.offer({"type": "mine"})
        camera = said.get("camera")
        idle = self._switching is None or self._switching.done()
        if camera in ("phone", "stop") and idle:
            self._switching = asyncio.create_task(self._switch(camera == "phone"))

    def has_news(self) -> None:
        """Send the page this seat's news; any thread may call it."""
        # The loop may be closed already when the program ends during a look.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._subscriber.offer, SeatNews(type="mine"))

    async def _switch(self, on: bool) -> None:
        cameras = self._table.seat_cameras
        if cameras is None:
            self._subscriber.offer({"type": "mine", "camera_refused": "no_camera"})
        elif not on:
            await asyncio.to_thread(cameras.stop, self._seat)
        else:
            try:
                address = await asyncio.to_thread(cameras.phone, self._seat)
            except (Refused, WeightsError) as error:
                self._subscriber.offer({"type": "mine", "camera_refused": str(error)})
                return
            self._subscriber.offer(
                {"type": "mine", "camera_at": {"address": address, "qr": qr_svg(address)}}
            )

    async def send(self) -> None:
        """Send what everybody gets, with this seat's own view added."""
        await self._tell(self._snapshot)
        while not self._subscriber.too_slow.is_set():
            await self._tell(await self._subscriber.messages.get())
        await self._socket.close(TOO_SLOW, "too slow")

    async def _tell(self, message: TableMessage) -> None:
        teach = self._always or self._now
        self._now = self._waits = False

        def wanted(game: Game) -> bool:
            if self._given is not None and not self._given.in_force(game.state, self._seat):
                self._given = None
            # A hint was about tiles that have been corrected, so it is given anew.
            return teach or (self._given is not None and message["type"] == "corrected")

        game, told, mine = await self._views.told(message, wanted)
        hint = mine["hint"]
        if hint is not None and not self._always:
            self._given = GivenHint.of(hint, game.state, self._seat)
        elif self._given is not None:
            mine["hint"] = self._given.hint
        cameras = self._table.seat_cameras
        mine["camera"] = None if cameras is None else cameras.status(self._seat)
        await self._socket.send_json(told | {"mine": mine})


LONGEST_DELAY_S: Final = 900
OVER: Final = (Phase.SETTLED, Phase.BEFORE_HAND, Phase.AFTER_GAME)
MOST_HELD: Final = 5000
"""Views that may wait; a quarter of an hour never brings more."""


class StreamAddress(TypedDict):
    address: str
    watching: str
    """The key that the page needs even without hands and waits; empty for none."""


class WaitCount(TypedDict):
    tile: str
    left: int


class StreamSeat(TypedDict):
    hand: list[str]
    waits: list[WaitCount]


class StreamView(TypedDict):
    table: PublicTable
    said: list[Announced]
    seats: NotRequired[list[StreamSeat]]
    result: NotRequired[HandShown]
    """Of the hand that is over, until the next one is dealt."""


@api.get("/stream")
def stream_page(request: Request, served: Served) -> StreamAddress:
    """The address of the stream page with its key; for whoever runs the table."""
    settings = served.settings
    page = stream_address(settings.address(request), settings.keys.stream)
    return {"address": page, "watching": settings.keys.viewer if settings.needs_key else ""}


@sockets.websocket("/ws/stream")
async def stream(socket: WebSocket, served: Served) -> None:
    """The table after a delay; with hands and waits for the stream's own key."""
    if not await accepted(socket):
        return
    wish = await first_word(socket)
    delay_s, waits = _delay_s(wish), wish.get("waits") is True
    if delay_s is None:
        await socket.close(NOT_YOURS, f"expected a delay of 0 to {LONGEST_DELAY_S} seconds")
        return
    grant = served.settings.keys.grant_of(str(wish.get("key")))
    if waits and grant != Grant(Role.STREAM):
        await socket.close(NOT_YOURS, "waits are for the address from the control page")
        return
    with served.table.subscribed() as subscriber:
        shown = _Stream(socket, served, subscriber, delay_s, waits)
        await until_gone(socket, shown.send())


def _delay_s(said: Json) -> float | None:
    """The requested delay; None where it is not valid."""
    value = said.get("delay_s", 0)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= LONGEST_DELAY_S else None


class _Stream:
    """One open page; what it will be sent waits here, not in the browser."""

    def __init__(
        self,
        socket: WebSocket,
        served: ServedTable,
        subscriber: Subscriber,
        delay_s: float,
        waits: bool,
    ) -> None:
        self._socket = socket
        self._served = served
        self._subscriber = subscriber
        self._delay_s = delay_s
        self._waits = waits
        self._held: deque[tuple[float, StreamView]] = deque(maxlen=MOST_HELD)

    async def send(self) -> None:
        clock = asyncio.get_running_loop().time
        await self._hold({}, clock())
        while not self._subscriber.too_slow.is_set():
            wait_s = max(0.0, self._held[0][0] - clock()) if self._held else None
            try:
                message = await asyncio.wait_for(self._subscriber.messages.get(), wait_s)
            except TimeoutError:
                await self._socket.send_json(self._held.popleft()[1])
            else:
                await self._hold(message, clock())
        await self._socket.close(TOO_SLOW, "too slow")

    async def _hold(self, message: Mapping[str, object], now_s: float) -> None:
        table = self._served.table
        state = table.game.state
        over = table.game.with_lines() if state.phase in OVER else None
        view: StreamView = {
            "table": table.table(),
            "said": cast(list[Announced], message.get("said", [])),
        }
        if self._waits:
            view["seats"] = await asyncio.to_thread(_private, state)
        if over is not None:
            games = await asyncio.to_thread(self._served.stories.games, over)
            if games and games[-1].hands:
                view["result"] = hand_json(games[-1], games[-1].hands[-1], table.lang)
        self._held.append((now_s + self._delay_s, view))


def _private(state: State) -> list[StreamSeat]:
    """Hands and waits of all four seats, as far as they are known."""
    rules = RULE_SETS.get(state.rules)
    told: list[StreamSeat] = []
    for seat, player in enumerate(state.players):
        known = rules.waits(state, seat) if rules is not None and player.known else None
        waits = [wait for wait in known or () if not wait.refused]
        told.append(
            {
                "hand": [str(tile) for tile in player.hand] if player.known else [],
                "waits": [{"tile": str(wait.tile), "left": wait.left} for wait in waits],
            }
        )
    return told
