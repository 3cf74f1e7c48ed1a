"""What one seat knows beyond the public table; only that seat's page gets it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NotRequired, Protocol

from typing_extensions import TypedDict

from engine.announce import Announcement, GameResult, Ready, heard_by, private_topics, seen_by
from engine.events import Seat
from engine.game import Game, first_since
from engine.play import IN_PLAY
from engine.played import PlayedEvent
from engine.state import Phase, State
from service.phone.seat_cameras import OwnCameraStatus
from service.report.public import Announced, IndicatorShown, Json, corrected, indicators, worded
from service.table.page_messages import announced
from service.web.background import MadeOnce

SAID: Final = ("said", "announced")
"""The parts of a message that hold announcements."""
REMEMBERED: Final = 8
"""Private announcements of the current hand that a seat's page shows."""


@dataclass(frozen=True)
class GivenHint:
    """A hint that a player asked for; it stays until the player's next own turn."""

    hint: Announced
    hand_number: int
    turns: int
    """Own turns of this hand that had begun."""

    @classmethod
    def of(cls, hint: Announced, state: State, seat: Seat) -> GivenHint:
        return cls(hint, state.hand_number, _own_turns(state, seat))

    def in_force(self, state: State, seat: Seat) -> bool:
        same_hand = state.hand_number == self.hand_number and state.phase in IN_PLAY
        return same_hand and _own_turns(state, seat) <= self.turns


def _own_turns(state: State, seat: Seat) -> int:
    now = state.phase is Phase.TO_DISCARD and state.turn == seat
    return len(state.players[seat].river) + now


class WaitLeft(TypedDict):
    tile: str
    left: int


class SeatResultShown(TypedDict):
    """How the hand came out for this seat, and the game where it is over."""

    won: bool
    delta: int
    points: int
    place: int | None
    place_shared: bool


class PrivateView(TypedDict):
    """What one seat knows beyond the public table."""

    waits: list[WaitLeft]
    hint: Announced | None

    seat: int
    phase: str
    hand_number: int
    hand: list[str]
    apart: str | None
    indicators: list[IndicatorShown]
    said: list[Announced]
    result: SeatResultShown | None
    no_hint: str | None
    camera: NotRequired[OwnCameraStatus | None]


class SeatViews:
    """What all pages of one seat are sent: made once for them, not by each."""

    def __init__(self, table: SeatTable, seat: Seat) -> None:
        self._table = table
        self._seat = seat
        self._made = MadeOnce()

    async def told(
        self, message: Mapping[str, object], lang: str, teach: Callable[[Game], bool]
    ) -> tuple[Game, Json, PrivateView]:
        """The game as the seat knows it, the message spoken to it, and its own view.

        ``teach``: whether a page wants a hint in this game.
        """
        table, seat = self._table, self._seat
        known = await asyncio.to_thread(table.game_of, seat)
        mark = id(known), len(known.entries)

        def view() -> tuple[Game, Game, PrivateView]:
            game = known.with_lines()  # the table's own goes on meanwhile
            return known, game, _view(game, seat, lang)

        # What is kept holds the objects by whose identity it is known.
        _, game, own = await self._made.once(("view", lang), mark, view)
        # Snapshots and corrections of one moment share what is said in them.
        said = {name: message[name] for name in SAID if name in message}
        *_, spoken = await self._made.once(
            ("said", lang),
            (*mark, *map(id, said.values())),
            lambda: (known, said, for_seat(said, game, seat, lang)),
        )
        own = {**own}
        if teach(game):
            _, own["hint"] = await self._made.once(
                ("hint", lang), mark, lambda: (known, _hint(game, seat, lang))
            )
        return game, {**message, **spoken}, own


class SeatTable(Protocol):
    """What is asked of a table."""

    def game_of(self, seat: Seat) -> Game: ...


def _view(game: Game, seat: Seat, lang: str) -> PrivateView:
    state = game.state
    view: PrivateView = {
        "seat": seat,
        # This is the current phase; the public state sent with it may be older.
        "phase": state.phase.value,
        "hand_number": state.hand_number,
        "hand": [str(tile) for tile in state.players[seat].hand],
        "apart": _apart(state, seat),
        "indicators": indicators(state, seat),
        "said": worded(_told(game, seat), lang, state.names, seat, state.rules),
        "result": _result(game, seat),
        "no_hint": _no_hint(game, seat),
        "waits": [],
        "hint": None,
    }
    if view["no_hint"] is None and game.rules is not None:
        waits = game.rules.waits(state, seat) or ()
        wanted = [wait for wait in waits if wait.refused is None or wait.by_draw_only is not None]
        view["waits"] = [{"tile": str(wait.tile), "left": wait.left} for wait in wanted]
    return view


def _hint(game: Game, seat: Seat, lang: str) -> Announced | None:
    """A hint; None where the seat can have none now."""
    state = game.state
    if _no_hint(game, seat) is not None or game.rules is None:
        return None
    (hint,) = worded([game.rules.hint(state, seat)], lang, state.names, seat, state.rules)
    return hint


def _apart(state: State, seat: Seat) -> str | None:
    """The tile that lies apart from the hand: the winning one, or the one just drawn."""
    won = [win.tile for win in state.wins if win.seat == seat]
    tile = won[-1] if won else state.players[seat].drawn
    return None if tile is None else str(tile)


def _no_hint(game: Game, seat: Seat) -> str | None:
    """Why the seat can have no hint now; None where it can."""
    state = game.state
    if state.phase not in IN_PLAY or seat in state.retired or game.rules is None:
        return "no_hand"
    return None if state.players[seat].known else "hidden"


def _result(game: Game, seat: Seat) -> SeatResultShown | None:
    """None before the end of the hand."""
    state = game.state
    if not (state.hand_over or seat in state.retired):
        return None
    ends = (
        announcement
        for announcement in game.played[-1].announcements
        if isinstance(announcement, GameResult)
    )
    over = next(ends, None)
    return {
        "won": seat in state.winners,
        "delta": state.paid[seat],
        "points": state.points[seat] if over is None else over.points[seat],
        "place": None if over is None else over.places[seat],
        "place_shared": over is not None and over.places.count(over.places[seat]) > 1,
    }


def _told(game: Game, seat: Seat) -> Sequence[Announcement]:
    """Announcements that this seat hears otherwise than everybody."""
    entries = game.state.history.entries
    first = entries[0][0] if entries else len(game.entries)
    announcements = (
        announcement for announcement in game.announcements(first) if announcement.of >= first
    )
    own = [
        announcement
        for announcement in heard_by(announcements, seat)
        if seen_by(announcement, None) != announcement
    ]
    if game.state.hand_over:  # nothing is waited for any more
        own = [announcement for announcement in own if not isinstance(announcement, Ready)]
    return own[-REMEMBERED:]


def for_seat(message: Mapping[str, object], game: Game, seat: Seat, lang: str) -> Json:
    """The public message, spoken to this seat, without what it gets in a fuller, private form."""
    told: dict[str, list[Json]] = {}
    for name in SAID:
        public = message.get(name)
        if isinstance(public, list):
            told[name] = public
    numbers = {of for said in told.values() for one in said if isinstance(of := one["of"], int)}
    first = min(numbers, default=len(game.entries))
    # To whoever sat here before, another one's hands were told.
    sits = sat_since(game.played, seat, first_since(game.played, first))
    if sits < len(game.played):
        first = max(first, game.played[sits].event.number)
    since = game.announcements(first)
    # One line that is old may stand among the newest: only what is shown is put into words.
    shown = [announcement for announcement in since if announcement.of in numbers]
    better = private_topics(shown, seat)
    spoken = announced(shown, game, lang, seat)
    by_key: dict[object, Announced] = {row["key"]: row for row in spoken}
    own = {
        name: [_spoken(one, by_key, lang) for one in said if _about(one) not in better]
        for name, said in told.items()
    }
    return {**message, **own}


def sat_since(played: Sequence[PlayedEvent], seat: Seat, first: int = 0) -> int:
    """The index of the event, from ``first`` on, since which this seat's player sits there."""
    at = len(played)
    while at > first and played[at - 1].state.names[seat] == played[-1].state.names[seat]:
        at -= 1
    return at


def _spoken(one: Json, by_key: Mapping[object, Announced], lang: str) -> Json:
    row = by_key.get(one["key"])
    if row is None:
        return one
    return dict(corrected(row, lang) if one.get("corrected") else row)


def _about(one: Json) -> tuple[object, ...]:
    ready = one["kind"] in ("ready", "not_ready")
    return one["of"], one.get("seat"), "ready" if ready else one.get("code")
