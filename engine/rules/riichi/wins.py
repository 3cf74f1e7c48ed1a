"""A win in riichi: its worth, and why the rules refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine.events import Kong, Seat, Win
from engine.rules.riichi.draws import kongs
from engine.rules.riichi.table_state import quiet, table_of, within_one_turn
from engine.rules.riichi.waits import (
    is_complete,
    is_furiten,
    kong_keeps_hand,
    open_furiten,
    shape_waits,
    waits_for_orphans,
)
from engine.rules.riichi.win_facts import WinFacts
from engine.rules.riichi.worth import RiichiScore, dora_counted, has_yaku, score
from engine.rules.verdict import How
from engine.rules.wall import DEAD_WALL
from engine.state import Agreed, Meld, SetKind, State
from engine.tiles import Tile

DORA_KINDS: Final = ("dora", "kan_dora")


def live_wall(state: State) -> int:
    """Tiles that may still be drawn."""
    return state.wall_left - DEAD_WALL


def in_riichi(state: State, seat: Seat) -> bool:
    """Whether the seat is in riichi, which needs a closed hand."""
    player = state.players[seat]
    return player.ready and not any(meld.is_open for meld in player.melds)


def indicators(state: State, *kinds: str) -> tuple[Tile, ...]:
    return tuple(indicator.tile for indicator in state.indicators if indicator.kind in kinds)


def indicators_to_turn(state: State) -> int:
    """How many indicators should lie turned up now."""
    return dora_counted(state.options, 1 + kongs(state) - table_of(state).kongs_to_turn)[0]


def facts_of(state: State, win: Win) -> WinFacts | None:
    """The win as it happened. None while a tile of the hand is hidden.

    ``state`` is the one that the win led to.
    """
    player = state.players[win.seat]
    if not player.known or not win.tile.known or SetKind.UNSEEN in map(_kind, player.melds):
        return None
    place = table_of(state).places[win.seat]
    drawn = win.seat == win.from_seat
    last = state.last_discard
    riichi = in_riichi(state, win.seat)
    after_kong = drawn and state.history.kongs_of(win.seat) > 0
    robbed = not drawn and last is not None and last.added_kong
    # Before the first own draw: nobody claimed, and this seat has not discarded.
    first = quiet(state) is True and not player.river
    return WinFacts(
        tiles=player.hand,
        melds=player.melds,
        tile=win.tile,
        drawn=drawn,
        seat_wind=state.seat_wind(win.seat),
        round_wind=state.round,
        riichi=riichi and not place.double,
        double_riichi=riichi and place.double,
        ippatsu=riichi and within_one_turn(state, win.seat),
        last_tile=live_wall(state) <= 0 and not after_kong and not robbed,
        after_kong=after_kong,
        robbed_kong=robbed,
        first_turn=first and not robbed,
        indicators=indicators(state, *DORA_KINDS),
        ura=indicators(state, "ura_dora") if riichi else (),
    )


def _kind(meld: Meld) -> SetKind:
    return meld.kind


def worth(state: State, win: Win) -> RiichiScore | None:
    """The worth of the win. None while it is unknown."""
    facts = facts_of(state, win)
    return None if facts is None else _scored(facts, _agreed(state.options))


@lru_cache(maxsize=1 << 12)
def _scored(facts: WinFacts, options: Agreed) -> RiichiScore | None:
    """A win is paid again with each indicator and each hand that is shown after it."""
    return score(facts, options)


def _agreed(options: Mapping[str, object]) -> Agreed:
    return options if isinstance(options, Agreed) else Agreed(options)


def refusal(
    state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
) -> str | None:
    """The code of the rule that refuses this tile. None when it wins, or that is uncertain."""
    if hand is None:
        public = how.win is None and not how.drawn and tile in open_furiten(state, seat)
        return "furiten" if public else None
    if how.win is None:
        facts: WinFacts | None = _wait_facts(state, seat, hand, tile, drawn=how.drawn)
    else:
        facts = facts_of(state, how.win)
    if facts is None:
        return None
    melds = state.players[seat].melds
    if how.win is not None:
        may_rob = not _robs_closed_kong(state) or (
            state.options["closed_kong_robbed"] and waits_for_orphans(hand)  # 004, 3.3.8
        )
        if not may_rob:
            return "no_robbing"
        if not is_complete(facts.tiles, melds):
            return "not_a_win"
        if false_kongs(state, seat, hand):
            return "false_kong"
    if not how.drawn and is_furiten(state, seat, shape_waits(hand, melds)):
        return "furiten"
    return lacks_yaku(facts, state.options, state.honba)


def lacks_yaku(facts: WinFacts, options: Mapping[str, object], counters: int) -> str | None:
    """``no_yaku`` or ``two_yaku_needed`` where the complete hand lacks yaku to win."""
    return _lacks(facts, _agreed(options), min(counters, 5))


@lru_cache(maxsize=1 << 12)
def _lacks(facts: WinFacts, options: Agreed, counters: int) -> str | None:
    if has_yaku(facts, options, counters):
        return None
    return "two_yaku_needed" if counters and has_yaku(facts, options) else "no_yaku"


def _robs_closed_kong(state: State) -> bool:
    last = state.last_discard
    if last is None or not last.added_kong:
        return False
    kong = next(move for number, move in state.history.moves if number == last.number)
    return isinstance(kong, Kong) and kong.kind == "closed"


def false_kongs(state: State, seat: Seat, waiting: tuple[Tile, ...]) -> bool:
    """Whether a closed kong after riichi changed the hand (004, 3.3.12).

    ``waiting``: the hand as it waits. The hand before the kongs follows from it, because nothing
    else can have changed.
    """
    player = state.players[seat]
    declared = table_of(state).places[seat].sets_at_riichi
    if not player.ready or len(player.melds) <= declared:
        return False
    hand = waiting
    for count in range(len(player.melds) - 1, declared - 1, -1):
        kong = player.melds[count]
        if kong.kind is not SetKind.CLOSED_KONG:
            return False
        kind = kong.tiles[0].kind
        hand = tuple(sorted((*hand, *(tile.kind for tile in kong.tiles[:3]))))
        before, after = player.melds[:count], player.melds[: count + 1]
        if not kong_keeps_hand(hand, before, after, kind):
            return True
    return False


def _wait_facts(
    state: State, seat: Seat, hand: tuple[Tile, ...], tile: Tile, *, drawn: bool
) -> WinFacts:
    """A win with this wait, without anything that the moment may add."""
    player = state.players[seat]
    riichi = in_riichi(state, seat)
    double = table_of(state).places[seat].double
    return WinFacts(
        tiles=(*hand, tile),
        melds=player.melds,
        tile=tile,
        drawn=drawn,
        seat_wind=state.seat_wind(seat),
        round_wind=state.round,
        riichi=riichi and not double,
        double_riichi=riichi and double,
    )
