"""How the pages of a table are served, and what every request to them needs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from fastapi import Depends, Request
from fastapi.requests import HTTPConnection
from starlette.types import Scope

from engine.events import Seat
from engine.game import Game
from engine.stories import GameStory, tell_game
from service.machine.files import LineSink, to_stderr
from service.machine.records import tell
from service.pages.network_door import NetworkDoor
from service.pages.request_log import LogSink
from service.pages.requests import OPEN
from service.report.judged import JudgedSeat
from service.report.player_standings import Folder
from service.table.clip_maker import ClipMaker
from service.table.dispute import Agreed, Dispute
from service.table.first_hand import FirstHand
from service.table.live_table import LiveTable
from service.table.score_pad import ScorePad, hides
from service.table.seat_view import SeatViews
from service.table.sharing import Share, Sharing
from service.web.background import Background, Job, MadeOnce
from service.web.gate import Entrance, at_this_machine
from service.web.grants import Grant, Role, phone_of
from service.web.keys import TableKeys
from service.web.rights import Serves
from vision.camera.live import PacedFile

LOCAL_HOSTS: Final = ("localhost", "127.0.0.1")

TableJob = Callable[[LiveTable], Job]
"""Makes what goes on beside a table."""


@dataclass(frozen=True)
class PageSettings:
    hosts: Sequence[str] = LOCAL_HOSTS
    """Names by which browsers may ask for the pages; ``*`` is any."""
    keys: TableKeys = field(default_factory=TableKeys.new)
    network: NetworkDoor | None = None
    """Where phones reach this server. None: at the address of the page that asks."""
    without_key: Role | None = Role.SCORER
    """The role of requests without a key. None: they have no role."""
    can_set_up: bool = False
    """Whether there is a page at ``/setup``."""
    dispute: Dispute | None = None
    """Pictures of what happened, to be read again."""
    agreed: Agreed = field(default_factory=Agreed)
    """What the people at the table agreed to."""
    pad: ScorePad | None = None
    """Of a table that is watched in the shadow, or was."""
    records: Path | None = None
    """The folder of other games."""
    log: LogSink | None = None
    """Takes each request and event, without secrets."""
    jobs: Sequence[TableJob] = ()
    """What else runs as long as the table does."""
    say: LineSink = to_stderr
    """Informs the person at the machine."""
    film: PacedFile | None = None
    """The film that is watched, of which any piece can be seen again."""
    on_shown: Callable[[], None] = lambda: None
    """Called as soon as the pages answer: an address that is told before is met by "wait"."""

    @property
    def in_shadow(self) -> bool:
        """Whether nothing of the table may be told now."""
        return self.pad is not None and not self.pad.over

    @property
    def needs_key(self) -> bool:
        """Whether somebody sees the table with a key alone, so that there are keys to hand out."""
        opened = self.network is not None and self.network.base is not None
        return self.without_key is None or opened

    def address(self, request: Request) -> str:
        """Where other machines reach this server."""
        base = None if self.network is None else self.network.base
        return base or str(request.base_url)

    @property
    def served_to_network(self) -> bool:
        """Whether phones can open the address."""
        return self.network is None or self.network.base is not None


class StoryCache:
    """Keeps the last result: several pages ask for the same."""

    def __init__(self) -> None:
        self._telling = threading.Lock()
        self._lines = -1
        self._games: tuple[GameStory, ...] = ()
        self._first_lines = -1
        self._first: tuple[GameStory, ...] = ()

    def games(self, game: Game) -> tuple[GameStory, ...]:
        """Return the games of a record that only grows; nothing is replayed."""
        with self._telling:
            lines = len(game.entries)
            if lines != self._lines:
                self._games, self._lines = tell_game(game), lines
            return self._games

    def first(self, game: Game, lines: int) -> tuple[GameStory, ...]:
        """Return the games as the first lines of the record tell them."""
        if lines == len(game.entries):
            return self.games(game)
        with self._telling:
            if lines != self._first_lines:
                self._first, self._first_lines = tell(game.entries[:lines]), lines
            return self._first


@dataclass
class OpenTable:
    """A table with what is worked out of its record for all requests."""

    table: LiveTable
    settings: PageSettings
    stories: StoryCache = field(default_factory=StoryCache)
    made: MadeOnce = field(default_factory=MadeOnce)
    """What is worked out of the whole record."""
    clips: MadeOnce = field(default_factory=MadeOnce)
    """Clips, of which each holds many pictures while it is made."""
    seats: dict[Seat, SeatViews] = field(default_factory=dict)
    """What the pages of each seat are sent."""

    background: Background = field(init=False)
    """What goes on beside it."""
    first_hand: FirstHand = field(init=False)
    clip: ClipMaker = field(init=False)
    """The clip of the evening."""
    sharing: Sharing = field(default_factory=Sharing)
    """What the players share with the teacher."""
    judged: dict[Seat, JudgedSeat] = field(default_factory=dict)
    """What was judged of the decisions of each seat."""

    def __post_init__(self) -> None:
        self.first_hand = FirstHand(self.settings.records)
        self.table.led = lambda: self.first_hand.on
        self.table.taught = lambda: self.sharing.watched
        self.background = Background(self.settings.say)
        self.clip = ClipMaker(self.settings.agreed.clips_at)

    @property
    def keys(self) -> TableKeys:
        return self.settings.keys

    @property
    def running(self) -> bool:
        """Whether its game would be broken off: pictures may still come."""
        return not self.table.ended

    @property
    def dispute(self) -> Dispute | None:
        return self.settings.dispute

    def share_of(self, seat: Seat) -> Share | None:
        """What whoever sits at a seat now shares with the teacher."""
        names = self.table.names
        return self.sharing.of(seat, names[seat] if names else "")

    def still_shares(self, seat: Seat, share: Share) -> bool:
        """Whether this consent holds now, after something was worked out under it."""
        now = self.share_of(seat)
        return now is not None and now.number == share.number

    def seat(self, seat: Seat) -> SeatViews:
        return self.seats.setdefault(seat, SeatViews(self.table, seat))

    @cached_property
    def others(self) -> Folder | None:
        """The other records of the folder."""
        folder = self.settings.records
        name = self.table.settings.record_name
        return None if folder is None else Folder(folder, name, leave_out=hides)


def bind(scope: Scope, served: OpenTable | None) -> None:
    """Let a request be about this table, also when another is opened meanwhile."""
    scope[OPEN] = served


def served_at(scope: Scope) -> OpenTable | None:
    """The table that a request is about; None where none was open."""
    served: OpenTable | None = scope.get(OPEN)
    return served


async def _served(connection: HTTPConnection) -> OpenTable:
    served = served_at(connection.scope)
    assert served is not None, "the table of rights serves nothing of a table that is not open"
    return served


Served = Annotated[OpenTable, Depends(_served)]


def _serves(connection: HTTPConnection) -> Serves:
    if phone_of(connection) is not None:
        return Serves.PHONE
    served = served_at(connection.scope)
    if served is None:
        return Serves.SET_UP
    return Serves.SHADOW if served.settings.in_shadow else Serves.TABLE


def grant_now(served: OpenTable, key: str) -> Grant | None:
    """What a key grants at this moment; a socket asks again while it is open."""
    return served.settings.keys.grant_of(key)


async def _look_up(connection: HTTPConnection, key: str) -> Grant | None:
    phone, served = phone_of(connection), served_at(connection.scope)
    if phone is not None:
        return phone.grant_of(key)
    if served is None:
        return None
    served.settings.keys.scanned(key)
    return grant_now(served, key)


def _without_key(connection: HTTPConnection) -> Role | None:
    """The role of whoever sends none: nobody at a phone's listener, the admin before a table."""
    if phone_of(connection) is not None:
        return None
    served = served_at(connection.scope)
    if served is None:
        return Role.ADMIN
    return at_this_machine(served.settings.without_key)(connection)


ENTRANCE: Final = Entrance(_serves, _look_up, _without_key)
"""Of a program with a table, and with the pages that set it up."""
