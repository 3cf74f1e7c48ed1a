"""Every regular event that may come next: what players may do and the camera may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine import declare, hands, play
from engine import events as ev
from engine.events import Seat
from engine.evolve import evolve
from engine.possible_sets import Stock, can_claim, claims_of, own_kongs_of
from engine.rules.claims import ReadyClaims
from engine.rules.waits import may_win, verdict_on
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


def regular_events(rules: RuleSet, state: State) -> tuple[ev.Event, ...]:
    match state.phase:
        case Phase.BEFORE_HAND:
            starts = [ev.HandStart(dealer=seat) for seat in state.may_deal] or [ev.HandStart()]
            regular = [start for start in starts if not rules.faults(state, start)]
            return (*regular, ev.GameEnd())
        case Phase.SETTLED:
            return (ev.HandEnd(),)
        case Phase.TO_DRAW:
            before = (*_deals(rules, state), *regular_flowers(rules, state))
            more = (win for seat in range(4) for win in _granted_wins(rules, state, seat))
            return (*before, *_before_draw(rules, state), *more)
        case Phase.TO_DISCARD:
            held = Stock(state, state.turn, rules.wall.under(state.options))
            return (
                *_deals(rules, state),
                *regular_flowers(rules, state),
                *_own_win(rules, state, state.turn),
                *regular_kongs(rules, state, state.turn, held),
                *regular_discards(rules, state, state.turn),
                *(win for seat in range(4) for win in _granted_wins(rules, state, seat)),
            )
        case _:
            return ()


def _deals(rules: RuleSet, state: State) -> Iterator[ev.Event]:
    for seat in range(4):
        if state.may_be_dealt(seat):
            yield ev.Deal(seat, play.hidden(rules.wall.hand_size))


def regular_flowers(rules: RuleSet, state: State) -> Iterator[ev.Flower]:
    """Flowers that may be laid: by who is to discard, and by everybody before the first discard."""
    if not rules.wall.flowers(state.options):
        return
    opening = not state.history.acts and state.joined is None
    turn = state.turn if state.phase is Phase.TO_DISCARD else None
    laid = sum(len(player.flowers) for player in state.players)
    for seat, player in enumerate(state.players):
        if seat == turn or (opening and turn is not None):
            hidden = laid < rules.wall.flowers(state.options) and UNKNOWN in player.hand
            held = (tile for tile in player.hand if tile.suit == "f")
            for tile in (*dict.fromkeys(held), *((UNKNOWN,) if hidden else ())):
                yield ev.Flower(seat, tile)


def _before_draw(rules: RuleSet, state: State) -> Iterator[ev.Event]:
    for seat in state.claimant_seats:
        yield from _claimed_win(rules, state, seat)
        yield from regular_claims(rules, state, seat)
    for seat in range(4):
        if may_draw_win(state, seat):
            yield from _own_win(rules, state, seat)
    if rules.wall.used_up(state):
        yield ev.DrawnHand("exhausted")
    else:
        yield ev.Draw(state.turn, UNKNOWN)


def regular_wins(rules: RuleSet, state: State, seat: Seat) -> Iterator[ev.Win]:
    """Wins that the rules allow this seat now."""
    if state.phase is Phase.TO_DRAW and seat in state.claimant_seats:
        yield from _claimed_win(rules, state, seat)
    if may_draw_win(state, seat):
        yield from _own_win(rules, state, seat)
    yield from _granted_wins(rules, state, seat)


def may_draw_win(state: State, seat: Seat) -> bool:
    """Whether the seat holds a tile more than it waits with, and may win with what it drew."""
    if state.phase is Phase.TO_DISCARD:
        return state.turn == seat
    # In a last turn nobody discards.
    return state.players[seat].holds_extra and seat not in state.retired


def _own_win(rules: RuleSet, state: State, seat: Seat) -> Iterator[ev.Win]:
    player = state.players[seat]
    if not player.holds_extra or (player.drawn is None and state.contested is not None):
        return  # a tile is lacking, or nothing was drawn after the last claim
    tiles = {player.drawn} if player.drawn is not None else set(player.hand)
    for tile in sorted(tiles):
        yield from _regular_win(rules, state, ev.Win(seat, seat, tile))


def _claimed_win(rules: RuleSet, state: State, seat: Seat) -> Iterator[ev.Win]:
    last = state.last_discard
    if last is not None:
        yield from _regular_win(rules, state, ev.Win(seat, last.seat, last.tile))


def _granted_wins(rules: RuleSet, state: State, seat: Seat) -> Iterator[ev.Win]:
    """Wins that the rules grant beside own draws and claims of the last discard: with what was
    thrown or laid open just now, whatever the hand, or with a tile that the seat may look at."""
    given = state.last_given
    if given is not None:
        win = ev.Win(seat, *given)
        granted = rules.judge.granted(state, win)
        if granted is not None and granted.phase is Phase.SETTLED:
            yield win
    for tile in rules.indicators.wins_if_drawn(state, seat):
        win = ev.Win(seat, seat, tile)
        granted = rules.judge.granted(state, win)
        if granted is None:
            continue
        if verdict_on(rules, declare.win(granted, win), win).fault is None:
            yield win


def _regular_win(rules: RuleSet, state: State, win: ev.Win) -> Iterator[ev.Win]:
    if may_win(rules, state, win.seat):
        verdict = verdict_on(rules, declare.win(state, win), win)
        if verdict.fault is None and verdict.certain:
            yield win


def regular_claims(rules: RuleSet, state: State, seat: Seat) -> Iterable[ev.Claim]:
    """Claims of the last discard that the rules allow this seat, without wins."""
    last = state.last_discard
    if last is None:
        return ()
    calls = rules.claims.calls_of_ready(state) if rules.claims.ready else ()
    # From another seat than the left neighbour only a chow with a call of ready.
    chows = rules.claims.chows and ((last.seat + 1) % 4 == seat or ev.Chow in calls)
    if not can_claim(state, seat, chows=chows):
        return ()
    return _claims_of(rules, state, seat, calls, chows=chows)


def _claims_of(
    rules: RuleSet, state: State, seat: Seat, calls: ReadyClaims, *, chows: bool
) -> Iterator[ev.Claim]:
    held = Stock(state, seat, rules.wall.under(state.options))
    for claim in claims_of(state, seat, held, chows=chows):
        if not rules.faults(state, claim):
            yield claim
        if type(claim) in calls and _may_be_ready(rules, state, claim):
            ready = evolve(claim, ready=True)
            if not rules.faults(state, ready) and not rules.judge.missing(
                declare.claim(state, ready), seat
            ):
                yield ready


def _may_be_ready(rules: RuleSet, state: State, claim: ev.Claim) -> bool:
    """Whether the tiles left after this claim can wait for one, by their shape alone."""
    hand = state.players[claim.seat].hand
    if state.wild or UNKNOWN in hand:
        return True
    left = play.without(hand, declare.own_tiles(claim))
    forms = rules.judge.forms(state.options)
    return isinstance(left, Tile) or hands.distance(left, forms=forms) <= 0


def regular_kongs(rules: RuleSet, state: State, seat: Seat, held: Stock) -> Iterator[ev.Kong]:
    for kong in own_kongs_of(state, seat, held):
        if not rules.faults(state, kong):
            yield kong


def regular_discards(rules: RuleSet, state: State, seat: Seat) -> Iterator[ev.Discard]:
    player = state.players[seat]
    if player.ready and player.drawn is not None:
        yield ev.Discard(seat, player.drawn, drawn=True)
        return
    for tile in discardable(rules, state, seat):
        event = ev.Discard(seat, tile)
        yield event
        if rules.judge.ready_calls and not player.ready:
            ready = evolve(event, ready=True)
            if not rules.judge.missing(play.discard(state, ready, -1), seat):
                yield ready


def discardable(rules: RuleSet, state: State, seat: Seat) -> Iterator[Tile]:
    """Tiles of the hand that the rules allow to discard."""
    player = state.players[seat]
    if player.ready and player.drawn is not None:
        yield player.drawn
        return
    for tile in sorted(set(player.hand)):
        event = ev.Discard(seat, tile)
        if rules.faults(state, event):
            continue
        # After a claim with a ready call, the hand must be ready.
        ready = play.discard(state, event, -1) if player.ready else None
        if ready is None or not rules.judge.ready_calls or not rules.judge.missing(ready, seat):
            yield tile
