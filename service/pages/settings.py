"""How the pages of a table are served, and what every request to them needs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from fastapi import Request

from engine.events import Seat
from engine.game import Game
from engine.stories import GameStory, tell_game
from service.machine.files import LineSink, to_stderr
from service.pages.network_door import NetworkDoor
from service.pages.request_log import LogSink, of_app
from service.report.player_standings import Folder
from service.table.dispute import Agreed, Dispute
from service.table.live_table import LiveTable
from service.table.seat_view import SeatViews
from service.web.background import Job, MadeOnce
from service.web.grants import Role
from service.web.keys import TableKeys

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
    records: Path | None = None
    """The folder of other games."""
    log: LogSink | None = None
    """Takes each request and event, without secrets."""
    jobs: Sequence[TableJob] = ()
    """What else runs as long as the table does."""
    say: LineSink = to_stderr
    """Informs the person at the machine."""

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

    def games(self, game: Game) -> tuple[GameStory, ...]:
        """Return the games of a record that only grows; nothing is replayed."""
        with self._telling:
            lines = len(game.entries)
            if lines != self._lines:
                self._games, self._lines = tell_game(game), lines
            return self._games


@dataclass
class ServedTable:
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

    @property
    def dispute(self) -> Dispute | None:
        return self.settings.dispute

    def seat(self, seat: Seat) -> SeatViews:
        return self.seats.setdefault(seat, SeatViews(self.table, seat))

    @cached_property
    def others(self) -> Folder | None:
        """The other records of the folder."""
        folder = self.settings.records
        return None if folder is None else Folder(folder, self.table.settings.record_name)


Served = Annotated[ServedTable, of_app("served")]
TheTable = Annotated[LiveTable, of_app("table")]
