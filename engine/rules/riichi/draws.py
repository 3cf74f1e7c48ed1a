"""Drawn hands of riichi: when a hand may be called off, who is tenpai, who pays."""

from __future__ import annotations

from typing import Final

from engine.announce import Item, note
from engine.events import Chow, Discard, Seat
from engine.rules.riichi.table_state import quiet, table_of
from engine.rules.riichi.tables import THREE_WINS
from engine.rules.riichi.waits import FEWEST_ORPHANS, is_ready
from engine.state import Phase, State
from engine.tiles import COPIES, WINDS

SHOWN: Final = ("exhausted", "four_ready")
"""Draws after which players in riichi show their hands (004, 3.4.2 and 3.4.3)."""
MOST_KONGS: Final = 4
DEAD: Final = frozenset({"dead_hand", "wrong_tile_count"})
"""Offences that make a hand dead: it cannot win, claim or be tenpai (004, 3.4.7)."""


def is_dead(state: State, seat: Seat) -> bool:
    return bool(state.players[seat].irregular & DEAD)


def kongs_of(state: State, seat: Seat) -> int:
    return sum(meld.is_kong for meld in state.players[seat].melds)


def kongs(state: State) -> int:
    return sum([meld.is_kong for player in state.players for meld in player.melds])


def abortive_reason(state: State) -> str | None:
    """The draw that ends the hand now unless the last discard is won on.

    None once people have played on anyway.
    """
    if _surely_goes_on(state) or table_of(state).played_on:
        return None
    for reason in _allowed(state):
        if reason in _BOUND and _due(state, reason) is True:
            return reason
    return None


def _surely_goes_on(state: State) -> bool:
    """A quick test: somebody has discarded twice, somebody is unready, and few kongs lie there."""
    late = unready = False
    kongs_left = MOST_KONGS
    for player in state.players:
        late |= len(player.river) > 1
        unready |= not player.ready
        for meld in player.melds:
            kongs_left -= len(meld.tiles) == COPIES
    return late and unready and kongs_left > 0


def abortive_reasons(state: State) -> list[str]:
    """Every draw that may be called before the next tile is drawn, as far as can be told."""
    return [reason for reason in _allowed(state) if reason in _BOUND and is_due(state, reason)]


def _allowed(state: State) -> tuple[str, ...]:
    allowed = state.options["abortive_draws"]
    assert isinstance(allowed, tuple)
    return allowed


_BOUND: Final = ("four_winds", "four_kongs", "four_ready")
"""Draws that follow by themselves; nine terminals are the player's choice."""


def is_due(state: State, reason: str) -> bool:
    """Whether the hand may end this way now, as far as can be told (004, 3.4.3)."""
    return _due(state, reason) is not False


def _due(state: State, reason: str) -> bool | None:
    """The same; None where it cannot be told."""
    match reason:
        case "nine_terminals":
            return may_call_nine_terminals(state)
        case "four_winds":
            return _four_winds(state)
        case "four_kongs":
            enough = kongs(state) >= MOST_KONGS
            if not enough or sum(kongs_of(state, seat) > 0 for seat in range(4)) < 2:
                return _unless_unknown(all(player.sets_counted for player in state.players))
            return _discarded_since_kong(state)
        case "four_ready":
            if state.phase is Phase.TO_DISCARD:
                return False
            waiting = [player for player in state.players if not player.ready]
            return not waiting or _unless_unknown(all(one.ready_certain for one in waiting))
        case _:
            return True


def _unless_unknown(told: bool) -> bool | None:
    return False if told else None


def may_call_nine_terminals(state: State) -> bool:
    """Whether the player to discard holds nine kinds of terminals and honours, before any claim, as
    far as can be told."""
    player = state.players[state.turn]
    if quiet(state) is False or player.river or not player.holds_extra:
        return False
    if not player.known:
        return True
    return len({tile.kind for tile in player.hand if tile.is_outer}) >= FEWEST_ORPHANS


def _four_winds(state: State) -> bool | None:
    """Whether four equal winds were discarded. None where an unreadable tile decides it, or what a
    position does not say."""
    calm = quiet(state)
    if calm is False:
        return False
    rivers = [player.river for player in state.players]
    unseen = calm is None and not state.rivers_known
    if any(len(river) != 1 and not (unseen and not river) for river in rivers):
        return False
    thrown = {discarded.tile for river in rivers for discarded in river}
    known = {tile for tile in thrown if tile.known}
    if len(known) > 1 or not known <= set(WINDS):
        return False
    return True if calm and known == thrown else None


def _discarded_since_kong(state: State) -> bool | None:
    """None where the record joined the hand after the last of both."""
    shown = (act for act in reversed(state.history.acts) if not isinstance(act, Chow))
    last = next(shown, None)
    return None if last is None and state.joined is not None else isinstance(last, Discard)


def is_tenpai(state: State, seat: Seat) -> bool | None:
    """Whether the hand is tenpai at the end. None for a hand that nobody has shown."""
    if is_dead(state, seat):
        return False
    player = state.players[seat]
    hand = player.waiting
    return None if hand is None else is_ready(hand, player.melds, state.options)


def tenpai_seats(state: State) -> tuple[list[Seat], bool]:
    """Seats that are paid, and whether an unshown hand may change that.

    Until it is shown, a hand in riichi counts as tenpai and any other as not.
    """
    tenpai_of = {seat: is_tenpai(state, seat) for seat in range(4)}
    seats = [
        seat
        for seat, tenpai in tenpai_of.items()
        if (state.players[seat].ready if tenpai is None else tenpai)
    ]
    return seats, None in tenpai_of.values()


def to_be_shown(state: State) -> list[Seat]:
    """Players in riichi who still have to show their hands after this draw (004, 3.4.2, 3.4.3)."""
    if state.drawn_reason not in SHOWN:
        return []
    return [
        seat
        for seat, player in enumerate(state.players)
        if player.ready and not player.shown and is_tenpai(state, seat) is None
    ]


def nagashi_seats(state: State, *, unread: bool = False) -> list[Seat]:
    """Seats that discarded only terminals and honours, none of which was claimed.

    ``unread``: those that may have, where discards were not read.
    """
    if not state.rivers_known:
        return []
    return [
        seat
        for seat, player in enumerate(state.players)
        if player.river
        and not is_dead(state, seat)
        and all(
            (thrown.tile.is_outer if thrown.tile.known else unread) and thrown.claimed_by is None
            for thrown in player.river
        )
    ]


def may_be_three_wins(state: State) -> bool:
    """Whether the rules call the hand off where three players win on one discard."""
    return THREE_WINS in _allowed(state)


def three_wins(state: State) -> bool:
    """Whether three players win on one discard and the rules call the hand off for that."""
    return may_be_three_wins(state) and len(state.wins) >= 3


def unknown_item(unknown: bool) -> list[Item]:
    return [note("riichi_hands_unknown")] if unknown else []
