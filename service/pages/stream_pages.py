"""The stream page: the table on a transparent ground, delayed as the streamer wants.

Hands and waits go to it only with a key of its own, which the control page hands out.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, NotRequired, cast

from fastapi import APIRouter, Request, WebSocket
from typing_extensions import TypedDict

from engine.rules import RULE_SETS
from engine.state import State
from service.access.grants import Grant, Role, admin_only
from service.access.keys import stream_address
from service.pages.requests import TOO_SLOW, RefusingRoute, accepted, until_gone
from service.pages.seat_pages import NOT_YOURS, first_word
from service.pages.settings import Served
from service.report.public import Announced, Json, PublicTable
from service.table.live_table import LiveTable
from service.table.page_messages import Subscriber

LONGEST_DELAY_S: Final = 900
MOST_HELD: Final = 5000
"""Views that can wait: no quarter of an hour brings more."""


api, sockets = APIRouter(route_class=RefusingRoute), APIRouter()


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


@api.get("/stream", dependencies=[admin_only("open the control page's address as it was printed")])
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
        shown = _Stream(socket, served.table, subscriber, delay_s, waits)
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
        table: LiveTable,
        subscriber: Subscriber,
        delay_s: float,
        waits: bool,
    ) -> None:
        self._socket = socket
        self._table = table
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

    async def _hold(self, message: Json, now_s: float) -> None:
        state = self._table.game.state
        view: StreamView = {
            "table": self._table.table(),
            "said": cast(list[Announced], message.get("said", [])),
        }
        if self._waits:
            view["seats"] = await asyncio.to_thread(_private, state)
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
