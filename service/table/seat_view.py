"""What one seat knows beyond the public table; only that seat's page gets it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NotRequired

from typing_extensions import TypedDict

from engine.announce import Announcement, GameResult, Ready, heard_by, private_topics, seen_by
from engine.events import Seat
from engine.game import Game
from engine.play import IN_PLAY
from engine.rules.base import RuleSet
from engine.state import Phase, State
from service.report.public import (
    Announced,
    IndicatorShown,
    Json,
    corrected,
    indicators,
    worded,
)
from service.seat_camera.cameras import OwnCameraStatus
from service.table.page_messages import announced

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


class Taught(TypedDict):
    waits: list[WaitLeft]
    hint: Announced | None


class PrivateView(Taught):
    """What one seat knows beyond the public table."""

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


async def private_view(game: Game, seat: Seat, lang: str, teach: bool) -> PrivateView:
    """Return the seat's tiles, its indicators, its private announcements, and a hint.

    Waits and hints may take a tenth of a second. A thread works them out, so that no other page
    waits.
    """
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
        taught = await asyncio.to_thread(_taught, game.rules, state, seat, lang, teach)
        view = {**view, **taught}
    return view


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


def _taught(rules: RuleSet, state: State, seat: Seat, lang: str, teach: bool) -> Taught:
    """What the hand waits for, and a hint where one is wanted."""
    waits = rules.waits(state, seat) or ()
    wanted = [wait for wait in waits if wait.refused is None or wait.by_draw_only is not None]
    hint = None
    if teach:
        (hint,) = worded([rules.hint(state, seat)], lang, state.names, seat, state.rules)
    return {
        "waits": [{"tile": str(wait.tile), "left": wait.left} for wait in wanted],
        "hint": hint,
    }


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
    for name in ("said", "announced"):
        public = message.get(name)
        if isinstance(public, list):
            told[name] = public
    numbers = [one["of"] for said in told.values() for one in said]
    first = min((of for of in numbers if isinstance(of, int)), default=len(game.entries))
    since = game.announcements(first)
    better = private_topics(since, seat)
    spoken = announced(since, game, lang, seat)
    by_key: dict[object, Announced] = {row["key"]: row for row in spoken}
    own = {
        name: [_spoken(one, by_key) for one in said if _about(one) not in better]
        for name, said in told.items()
    }
    return {**message, **own}


def _spoken(one: Json, by_key: Mapping[object, Announced]) -> Json:
    row = by_key.get(one["key"])
    if row is None:
        return one
    return dict(corrected(row) if one.get("corrected") else row)


def _about(one: Json) -> tuple[object, ...]:
    ready = one["kind"] in ("ready", "not_ready")
    return one["of"], one.get("seat"), "ready" if ready else one.get("code")
