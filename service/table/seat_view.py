"""What one seat knows beyond the public table; only that seat's page gets it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engine.advice import advice, last_discard
from engine.announce import Announcement, GameResult, Ready, heard_by, seen_by
from engine.events import Seat
from engine.game import Game
from engine.play import IN_PLAY
from engine.state import Phase, State
from engine.texts.announcements import Speaker
from service.report.public import AnnouncementView, indicators, worded
from service.table.view import Moment, SeatResultView, SeatView, TableView, table_view
from service.web.background import MadeOnce
from service.web.grants import Grant, Role

REMEMBERED: Final = 8
"""Private announcements of the current hand that a seat's page shows."""


@dataclass(frozen=True)
class GivenHint:
    """A hint that a player asked for; it stays until the player's next own turn."""

    hint: AnnouncementView
    hand_number: int
    turns: int
    """Own turns of this hand that had begun."""

    @classmethod
    def of(cls, hint: AnnouncementView, state: State, seat: Seat) -> GivenHint:
        return cls(hint, state.hand_number, _own_turns(state, seat))

    def in_force(self, state: State, seat: Seat) -> bool:
        same_hand = state.hand_number == self.hand_number and state.phase in IN_PLAY
        return same_hand and _own_turns(state, seat) <= self.turns


def _own_turns(state: State, seat: Seat) -> int:
    now = state.phase is Phase.TO_DISCARD and state.turn == seat
    return len(state.players[seat].river) + now


class SeatViews:
    """What all pages of one seat are sent: made once for them, not by each."""

    def __init__(self, table: SeatTable, seat: Seat) -> None:
        self._table = table
        self._seat = seat
        self._made = MadeOnce()

    async def view(
        self, at: Moment | None, lang: str, teach: Callable[[Game], bool], since: int = 0
    ) -> tuple[Game, SeatView, TableView | None]:
        """The game as the seat knows it, what it alone knows, and what it sees of the table.

        ``teach``: whether a page wants a hint in this game. ``since``: of a hand that was dealt
        before this line, it knows what everybody does.
        """
        table, seat = self._table, self._seat
        known = await asyncio.to_thread(table.game_of, seat)
        mark = id(known), len(known.entries)
        as_all = hand_line(known) < since

        def view() -> tuple[Game, Game, SeatView]:
            game = known_since(known, since).with_lines()  # the table's own goes on meanwhile
            return known, game, _view(game, seat, lang)

        # What is kept holds the objects by whose identity it is known.
        _, game, own = await self._made.once(("view", lang, as_all), mark, view)
        own = {**own}
        if teach(game):
            _, own["hint"] = await self._made.once(
                ("hint", lang, as_all), mark, lambda: (known, _hint(game, seat, lang))
            )
            own["why"] = await self._why(game, lang)
        if at is None:
            return game, own, None
        grant = Grant(Role.SEAT, seat)
        _, shown = await at.made.once(
            ("seat", lang, seat, as_all),
            mark,
            lambda: (known, table_view(at, lang, grant, own=game)),
        )
        return game, own, {**shown, "mine": own}

    async def _why(self, game: Game, lang: str) -> str | None:
        """What there is to say of the seat's last discard, until its next turn."""
        last = last_discard(game, self._seat)
        if last is None or game.rules is None:
            return None
        (before, tile), rules = last, game.rules

        def said() -> tuple[State, str | None]:
            found = advice(rules, before, self._seat, tile)
            speaker = Speaker(lang, rules=rules.id)
            return before, None if found is None else speaker.advice(found)

        _, text = await self._made.once(("why", lang), (id(before), tile), said)
        return text


def hand_line(game: Game) -> int:
    """The line with which the hand began that is played or shown; of none, the next line."""
    lines = game.state.history.entries
    return lines[0][0] if lines else len(game.entries)


def known_since(game: Game, since: int) -> Game:
    """What one seat knows of the game if its player sits there ``since`` this line: of a hand that
    was dealt before, what everybody does."""
    return game.as_seen() if hand_line(game) < since else game


class SeatTable(Protocol):
    """What is asked of a table."""

    def game_of(self, seat: Seat) -> Game: ...


def _view(game: Game, seat: Seat, lang: str) -> SeatView:
    state = game.state
    view: SeatView = {
        "seat": seat,
        # This is the current phase; the public state sent with it may be older.
        "phase": state.phase.value,
        "hand_number": state.hand_number,
        "hand": [str(tile) for tile in state.players[seat].hand],
        "apart": _apart(state, seat),
        "indicators": indicators(state, seat),
        "said": worded(_told(game, seat), lang, state.names, seat, state.rules),
        "result": _result(game, seat),
        "no_hint": why_no_hint(game, seat),
        "waits": [],
        "hint": None,
        "why": None,
    }
    if view["no_hint"] is None and game.rules is not None:
        waits = game.rules.waits(state, seat) or ()
        wanted = [wait for wait in waits if wait.refused is None or wait.by_draw_only is not None]
        view["waits"] = [{"tile": str(wait.tile), "left": wait.left} for wait in wanted]
    return view


def _hint(game: Game, seat: Seat, lang: str) -> AnnouncementView | None:
    """A hint; None where the seat can have none now."""
    state = game.state
    if why_no_hint(game, seat) is not None or game.rules is None:
        return None
    (hint,) = worded([game.rules.hint(state, seat)], lang, state.names, seat, state.rules)
    return hint


def _apart(state: State, seat: Seat) -> str | None:
    """The tile that lies apart from the hand: the winning one, or the one just drawn."""
    won = [win.tile for win in state.wins if win.seat == seat]
    tile = won[-1] if won else state.players[seat].drawn
    return None if tile is None else str(tile)


def why_no_hint(game: Game, seat: Seat) -> str | None:
    """Why the seat can have no hint now; None where it can. ``flower``: it must be laid first."""
    state = game.state
    if state.phase not in IN_PLAY or seat in state.retired or game.rules is None:
        return "no_hand"
    player = state.players[seat]
    if player.holds_flower:
        return "flower" if game.rules.hint(state, seat).flower is None else None
    return None if player.known else "hidden"


def _result(game: Game, seat: Seat) -> SeatResultView | None:
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
        "points": state.points_now[seat],
        "place": None if over is None else over.places[seat],
        "place_shared": over is not None and over.places.count(over.places[seat]) > 1,
    }


def _told(game: Game, seat: Seat) -> Sequence[Announcement]:
    """Announcements that this seat hears otherwise than everybody."""
    first = hand_line(game)
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
