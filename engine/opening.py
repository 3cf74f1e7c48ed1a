"""How a hand begins: a cleared table, dealt tiles, or a situation in mid-hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.declare import completed, four_of, meld_of
from engine.events import Claim, Deal, HandStart, Kong, Position, Seat
from engine.evolve import evolve
from engine.play import IllegalEvent, hidden, ordered, with_player
from engine.state import (
    UNSEEN_SET,
    Discarded,
    History,
    LastDiscard,
    Meld,
    Phase,
    Player,
    SetKind,
    State,
)
from engine.tiles import COPIES, UNKNOWN, Tile


def start_hand(state: State, event: HandStart, tiles: int, hand_size: int) -> State:
    """Clear the table. Fields left out keep what the state says of the next hand."""
    given = {
        name: getattr(event, name)
        for name in ("dealer", "round", "honba", "staying")
        if getattr(event, name) is not None
    }
    if not state.hand_number and event.dealer is not None and event.round is None:
        given["first_dealer"] = event.dealer  # a hand_start with a round joins a game half way
    state = evolve(state, **given)
    player = Player(hand=hidden(hand_size))
    return evolve(
        state,
        phase=Phase.TO_DRAW,
        hand_number=state.hand_number + 1,
        turn=state.dealer,
        players=(player,) * 4,
        wall_left=tiles - 4 * hand_size,
        last_discard=None,
        indicators=(),
        history=History(),
        joined=None,
        ended=None,
        winners=(),
        wins=(),
        drawn_reason=None,
        paid=(0, 0, 0, 0),
        dice=event.dice or (),
        shared=(),
        lent=(),
        contested=None,
    )


def deal(state: State, event: Deal, hand_size: int) -> State:
    if not state.may_be_dealt(event.seat):
        raise IllegalEvent("contradicts", event.seat, "already_dealt", [()])
    count = len(event.tiles)
    extra = count == hand_size + 1 and event.seat == state.dealer
    if count != hand_size and not extra:
        raise IllegalEvent(
            "contradicts",
            event.seat,
            "deal_of_other_size",
            [(Deal(event.seat, hidden(hand_size)),)],
            count=count,
            expected=hand_size,
        )
    state = with_player(state, event.seat, hand=ordered(event.tiles), dealt=True)
    if extra:
        state = evolve(state, phase=Phase.TO_DISCARD, wall_left=state.wall_left - 1)
    return state


def position(
    state: State,
    event: Position,
    number: int,
    wall: Mapping[Tile, int],
    hand_size: int,
    most_out: int,
    plays_on: bool = False,
) -> State:
    """Set up a situation in mid-hand; what it leaves out is unknown.

    ``wall``: the tiles in play and their copies. ``most_out``: how many may have won and left.
    ``plays_on``: who has won plays on; a position does not say with which tiles it has won.
    """
    if len(state.history.entries) > 1:
        raise IllegalEvent("contradicts", None, "position_after_hand_start", [()])
    won = _won(event, most_out, plays_on)
    out = () if plays_on else won
    turn = state.turn if event.turn is None else event.turn
    while turn in out:  # the dealer, where the position does not say whose turn it is
        turn = (turn + 1) % 4
    players = []
    for seat in range(4):
        # A hand is never empty, so an empty list stands for an unknown hand.
        shown = event.hands[seat] if event.hands else ()
        if event.sets is not None:
            melds = tuple(_meld_at(seat, claim, wall) for claim in event.sets[seat])
        else:
            melds = (UNSEEN_SET,) * (max(hand_size + 1 - len(shown), 0) // 3 if shown else 0)
        size = hand_size - 3 * len(melds)
        hand = ordered(shown) if shown else hidden(size)
        wins_on = plays_on and seat in won
        # Whose turn it is may hold the tile just drawn. A winner who plays on draws it in an event
        # of its own, because the hand that won lies open and that tile does not.
        may_hold_more = seat in out or (seat == turn and not wins_on)
        if len(hand) not in (size, size + may_hold_more):
            raise IllegalEvent(
                "contradicts", seat, "wrong_tile_count", count=len(hand), expected=size
            )
        river = event.rivers[seat] if event.rivers else ()
        flowers = event.flowers[seat] if event.flowers else ()
        players.append(
            Player(
                hand=hand,
                melds=melds,
                river=tuple(Discarded(d.tile, d.ready, d.drawn) for d in river),
                flowers=flowers,
                won=(UNKNOWN,) if wins_on else (),
                ready=wins_on or seat in (event.ready or ()) or any(d.ready for d in river),
                dealt=True,
                shown=event.shows(seat),
                sets_counted=event.sets is not None or bool(shown),
                ready_certain=event.ready is not None or any(d.ready for d in river),
            )
        )
    tiles = sum(wall.values())
    lying = sum(
        len(player.hand)
        + len(player.river)
        + len(player.flowers)
        + len(player.won)
        + sum(len(meld.tiles) for meld in player.melds)
        for player in players
    )
    state = evolve(
        state,
        players=tuple(players),
        joined=event,
        winners=won,
        turn=turn,
        phase=Phase.TO_DISCARD if players[turn].holds_extra else Phase.TO_DRAW,
        wall_left=max(tiles - lying, 0) if event.wall_left is None else event.wall_left,
        indicators=event.indicators or (),
    )
    before = next(seat for seat in ((turn - step) % 4 for step in (1, 2, 3)) if seat not in out)
    if state.phase is Phase.TO_DRAW and players[before].river:
        last = LastDiscard(before, players[before].river[-1].tile, number)
        state = evolve(state, last_discard=last)
    return state


def _won(event: Position, most_out: int, plays_on: bool) -> tuple[Seat, ...]:
    """Who has won before the position, if so many may have and play goes on."""
    won = event.won or ()
    most = 4 if plays_on else most_out
    if won and not most:
        raise IllegalEvent("contradicts", won[0], "win_ends_hand", [(replace(event, won=None),)])
    turn_gone = event.turn in won and not plays_on
    if len(won) > most or len({seat % 4 for seat in won}) < len(won) or turn_gone:
        raise IllegalEvent("contradicts", None, "wrong_winners", count=most)
    return won


def _meld_at(seat: Seat, claim: Claim, wall: Mapping[Tile, int]) -> Meld:
    if claim.seat != seat:
        raise IllegalEvent("contradicts", seat, "set_of_other_seat")
    if isinstance(claim, Kong):
        claim = completed(claim, wall)
        if claim.kind == "added":
            four = four_of(claim.tile, wall)
            tiles = four if len(four) == COPIES else (claim.tile,) * COPIES
            return Meld(SetKind.ADDED_KONG, tiles, claim.tile, claim.from_seat)
    return meld_of(claim)
