"""What follows from a game's judgement of hands: waits, wins, and the copies that are left."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.announce import Wait
from engine.events import Seat, Win
from engine.evolve import evolve
from engine.play import IllegalEvent
from engine.rules.verdict import (
    BY_CLAIM,
    BY_DRAW,
    How,
    ReadyCalls,
    Verdict,
    made_whole,
    not_held,
    refused,
    unheard_call,
)
from engine.state import Player, State
from engine.tile_counts import tiles_seen
from engine.tiles import Tile, faces_of
from engine.visibility import indicator_visible

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


# --- waits ---


def whole_with(
    rules: RuleSet, state: State, seat: Seat, hand: tuple[Tile, ...]
) -> tuple[Tile, ...] | None:
    """Kinds that make a waiting hand whole, whatever else the rules ask of a win, without those of
    which the seat holds every copy. None where nobody knows yet what is wild."""
    if rules.indicators.wild(state) is None:
        return None
    melds, copies = state.players[seat].melds, rules.wall.copies
    kinds = made_whole(state, hand, rules.judge.forms(state.options), copies)
    if not kinds:
        return ()
    # Of a wild kind the indicator, which nobody can draw, is a copy too.
    turned = [indicator.tile for indicator in state.indicators] if state.wild else []
    return not_held(kinds, (*hand, *turned), melds, copies)


def waits(rules: RuleSet, state: State, seat: Seat) -> tuple[Wait, ...] | None:
    """Tiles that complete the seat's hand under these rules; None when the hand is hidden.

    Tiles that the rules refuse (a condition, no yaku, furiten) are listed with the code.
    """
    hand = state.players[seat].waiting
    found = None if hand is None else waits_of(rules, state, seat, hand)
    if not found:
        return found
    wall, seen = rules.wall.under(state.options), _tiles_seen(rules, state, seat)
    told = []
    for wait in found:
        faces = faces_of(wait.tile)
        copies = sum([wall.get(face, 0) for face in faces]) - sum(map(seen.count, faces))
        told.append(evolve(wait, left=max(copies, 0)))
    return tuple(told)


def waits_of(
    rules: RuleSet, state: State, seat: Seat, hand: tuple[Tile, ...]
) -> tuple[Wait, ...] | None:
    """As ``waits``, before the copies that are left are counted."""
    complete = whole_with(rules, state, seat, hand)
    if not complete:
        return None if complete is None else ()
    barring = None
    if not rules.judge.waits_when_barred:
        barring = rules.judge.bar(state.players[seat])
    if barring:
        return tuple(Wait(kind, 0, barring) for kind in complete)
    return tuple([_wait(rules, state, seat, hand, kind) for kind in complete])


def _wait(rules: RuleSet, state: State, seat: Seat, hand: tuple[Tile, ...], kind: Tile) -> Wait:
    """A claim may be refused where an own draw still wins. Where that does not win either, this is
    told first."""
    claimed = rules.judge.judge(state, seat, hand, kind, BY_CLAIM)
    if claimed.fault is None:
        return Wait(kind, 0)
    drawn = rules.judge.judge(state, seat, hand, kind, BY_DRAW).fault
    if drawn is not None:
        return Wait(kind, 0, drawn.code)
    code = claimed.fault.code
    return Wait(kind, 0, None if claimed.draws_win else code, code)


def never_won_on(rules: RuleSet, state: State, seat: Seat) -> frozenset[Tile]:
    """Kinds on which this seat may surely not win, whatever its hand, if the seat in turn discards
    them now."""
    kinds = {tile.kind for tile in rules.wall.under(state.options)}
    judged = ((kind, rules.judge.judge(state, seat, None, kind, BY_CLAIM)) for kind in kinds)
    return frozenset(kind for kind, verdict in judged if verdict.fault is not None)


def copies_left(rules: RuleSet, state: State, seat: Seat) -> Counter[Tile]:
    """The copies of each kind that are unseen: by this seat, or by everybody if its hand is
    shown."""
    kinds: dict[Tile, int] = {}
    for tile, copies in rules.wall.under(state.options).items():
        kinds[tile.kind] = kinds.get(tile.kind, 0) + copies
    seen = Counter([tile.kind for tile in _tiles_seen(rules, state, seat)])
    return Counter({kind: max(copies - seen[kind], 0) for kind, copies in kinds.items()})


def _tiles_seen(rules: RuleSet, state: State, seat: Seat) -> list[Tile]:
    shown = state.players[seat].shown and not state.draws_hidden(seat)
    viewer = None if shown else seat
    hidden = [
        kind
        for kind in (rules.layout.kinds if state.indicators else ())
        if not indicator_visible(rules, state, kind, viewer)
    ]
    seen = tiles_seen(state, viewer, hidden)
    for other, player in enumerate(state.players):
        if other != seat and not player.shown:
            seen += player.lying_open
    return seen


# --- wins ---


def may_win(rules: RuleSet, state: State, seat: Seat) -> bool:
    """A quick test whether a win of this seat is worth judging."""
    player = state.players[seat]
    if rules.judge.bar(player) is not None or _lacks_call(rules, player):
        return False
    hand = None if player.holds_extra else player.waiting
    # No tile of another seat completes a hand that waits for none.
    return hand is None or whole_with(rules, state, seat, hand) != ()


def verdict_on(rules: RuleSet, state: State, win: Win) -> Verdict:
    """Whether this win counts; everything about wins asks here.

    ``state`` is the one that the win led to.
    """
    player = state.players[win.seat]
    if len(player.hand) != rules.wall.waiting(len(player.melds)) + 1:
        return refused("wrong_tile_count")
    if _lacks_call(rules, player):
        return unheard_call(state, win)
    barring = rules.judge.bar(player)
    if barring is not None:
        return refused(barring)
    how = How(win.seat == win.from_seat, win)
    hand = None if rules.indicators.wild(state) is None else player.waiting
    return rules.judge.judge(state, win.seat, hand, win.tile, how)


def _lacks_call(rules: RuleSet, player: Player) -> bool:
    needed = rules.judge.ready_calls is ReadyCalls.NEEDED
    return needed and not player.ready and player.ready_certain


def check_won_before(rules: RuleSet, state: State) -> None:
    """Raise ``IllegalEvent`` where a hand that has won before a position cannot have won."""
    for seat in state.won_before:
        player = state.players[seat]
        if not player.known or rules.indicators.wild(state) is None:
            continue
        waits = () if player.holds_extra else waits_of(rules, state, seat, player.hand)
        wins = waits is None or any(wait.refused is None or wait.by_draw_only for wait in waits)
        if not (_whole(rules, state, seat) if player.holds_extra else wins):
            raise IllegalEvent("contradicts", seat, "no_winning_hand")


def _whole(rules: RuleSet, state: State, seat: Seat) -> bool:
    """Whether the hand wins with some tile of it."""
    hand = state.players[seat].hand
    for place, tile in enumerate(hand):
        rest = hand[:place] + hand[place + 1 :]
        if rules.judge.judge(state, seat, rest, tile, BY_DRAW).fault is None:
            return True
    return False
