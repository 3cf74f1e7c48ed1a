"""Rush (冲宝): who looks at the treasure and can win with it wins at once (001, Revealing)."""

from __future__ import annotations

from dataclasses import replace

from engine import declare
from engine.events import Chow, Dice, Discard, Foul, Indicator, Pung, Reveal, Seat, Win
from engine.play import IN_PLAY, ordered, with_player
from engine.rules.harbin.play import Harbin
from engine.state import Phase, State
from engine.tiles import Tile


def after_looking(state: State, win: Win, treasures: frozenset[Tile] | None) -> State | None:
    """The state in which the player who just looked holds the tile. None where that cannot be."""
    player = state.players[win.seat]
    if win.seat != win.from_seat or player.holds_extra or state.phase not in IN_PLAY:
        return None
    if not _has_just_looked(state, win.seat):
        return None
    if win.seat == state.turn and (treasures is None or win.tile.kind not in treasures):
        return None  # an own draw that nobody saw
    tile = win.tile
    state = with_player(state, win.seat, hand=ordered((*player.hand, tile)), drawn=tile)
    return replace(state, phase=Phase.TO_DISCARD, last_discard=None, lent=(tile,))


def rushes(rules: Harbin, state: State) -> list[Win]:
    wins = [
        Win(seat, seat, tile)
        for seat, player in enumerate(state.players)
        if player.ready
        for tile in sorted(rules.secret.treasures(state) or ())
    ]
    lent = ((win, rules.lend(state, win)) for win in wins)
    after = ((win, declare.win(rich, win)) for win, rich in lent if rich is not None)
    return [win for win, settled in after if not rules.problems_of_win(settled, win)]


def set_aside(state: State) -> int:
    return sum(indicator.kind == "treasure" for indicator in state.indicators)


def columns(state: State) -> int:
    """Number of wall columns that dice may point to (001, Revealing the Treasure Tile)."""
    return (state.wall_left - set_aside(state) + 1) // 2


def _has_just_looked(state: State, seat: Seat) -> bool:
    """Whether a treasure was just turned, or the seat has just claimed ready and may look."""
    played = [
        entry.event
        for _, entry in state.history.entries
        if not isinstance(entry.event, Dice | Reveal | Foul)
    ]
    if played and isinstance(played[-1], Indicator):
        return True
    # A player who claims ready with a chow may look before or after the discard.
    match [event for event in played if not isinstance(event, Indicator)][-2:]:
        case [*_, Discard(seat=last, ready=True)]:
            return last == seat and set_aside(state) > 0
        case [Chow(seat=last, ready=True) | Pung(seat=last, ready=True), Discard()]:
            return last == seat and set_aside(state) > 0
        case _:
            return False
