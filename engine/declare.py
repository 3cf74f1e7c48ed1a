"""Declared sets and wins: tiles leave the hand, or the discard enters it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.events import Chow, Claim, Discard, Kong, Pung, Seat, Win
from engine.evolve import evolve
from engine.play import (
    IN_PLAY,
    IllegalEvent,
    Suggestion,
    check_shown,
    hidden,
    ordered,
    players_with,
    taken,
    unseen_sets,
    with_player,
    without,
)
from engine.state import LastDiscard, Meld, Phase, Player, SetKind, State
from engine.tiles import UNKNOWN, Tile

_OWN: Final = {"open": 3, "closed": 4, "added": 1}
"""Number of tiles that a kong takes from the hand."""


def is_set(state: State, claim: Claim) -> bool:
    """Whether the tiles named can be that set.

    Hidden tiles can be anything. So can wild tiles of the hand: no rule allows them in a set, but
    people do it.
    """
    own = own_tiles(claim)
    return _is_set(state, claim, own) or (
        not state.wild.isdisjoint(own)
        and _is_set(state, claim, tuple(UNKNOWN if tile in state.wild else tile for tile in own))
    )


def _is_set(state: State, claim: Claim, own: tuple[Tile, ...]) -> bool:
    known = [state.read_as(tile) for tile in (claim.tile, *own) if tile.known]
    if isinstance(claim, Chow):
        ranks = sorted(tile.rank for tile in known)
        if any(tile.suit not in "mps" for tile in known) or len({tile.suit for tile in known}) > 1:
            return False
        return len(set(ranks)) == len(ranks) and (not ranks or ranks[-1] - ranks[0] <= 2)
    right_number = len(own) == (2 if isinstance(claim, Pung) else _OWN[claim.kind])
    return right_number and len(set(known)) <= 1


def opens_hand(state: State, claim: Claim) -> bool:
    """Whether this is the first set of the seat that another player fed."""
    if isinstance(claim, Kong) and claim.kind != "open":
        return False
    return not any(meld.is_open for meld in state.players[claim.seat].melds)


def set_tiles(claim: Claim) -> tuple[Tile, ...]:
    """The tiles of the declared set. Tiles that the record leaves out are of the kind it names."""
    own = own_tiles(claim)
    if isinstance(claim, Kong):
        if claim.kind == "added":
            return (claim.tile,) * 4
        return own if claim.kind == "closed" else ordered((*own, claim.tile))
    return ordered((*own, claim.tile))


def own_tiles(claim: Claim) -> tuple[Tile, ...]:
    """The tiles that leave the hand."""
    if isinstance(claim, Chow):
        return claim.own
    if isinstance(claim, Pung):
        return tuple(tile if tile.known else claim.tile.kind for tile in claim.own)
    if claim.own is None:
        own = _OWN[claim.kind]
        return (claim.tile,) if own == 1 else (claim.tile.kind,) * own
    return tuple(tile if tile.known else claim.tile.kind for tile in claim.own)


def completed(kong: Kong, wall: Mapping[Tile, int]) -> Kong:
    """Fill in the tiles of an open or closed kong: it holds all four copies, red fives included."""
    if kong.kind == "added" or (kong.own is not None and all(tile.known for tile in kong.own)):
        return kong
    four = list(four_of(kong.tile, wall))
    if len(set(four)) < 2:
        return kong
    if kong.kind == "open" and kong.tile in four:
        four.remove(kong.tile)
    return evolve(kong, own=tuple(four))


def four_of(tile: Tile, wall: Mapping[Tile, int]) -> tuple[Tile, ...]:
    """All copies of a tile's kind; none for a hidden tile."""
    if not tile.known:
        return ()
    return tuple(
        copy for copy, copies in wall.items() for _ in range(copies) if copy.kind == tile.kind
    )


def meld_of(claim: Claim) -> Meld:
    tiles = set_tiles(claim)
    if isinstance(claim, Chow):
        return Meld(SetKind.CHOW, tiles, claim.tile, claim.from_seat)
    if isinstance(claim, Pung):
        return Meld(SetKind.PUNG, tiles, claim.tile, claim.from_seat)
    if claim.kind == "open":
        return Meld(SetKind.OPEN_KONG, tiles, claim.tile, claim.from_seat)
    return Meld(SetKind.CLOSED_KONG, tiles)


def claim(state: State, event: Chow | Pung | Kong) -> State:
    """Take the last discard into a declared set."""
    last = state.last_discard
    seat = event.seat
    if last is None or last.added_kong or state.phase is not Phase.TO_DRAW or seat == last.seat:
        raise IllegalEvent("nothing_to_claim", seat, "no_discard", _other_claims(state, event))
    differs = last.tile.known and event.tile.known and last.tile != event.tile
    if differs or event.from_seat not in (None, last.seat):
        raise IllegalEvent(
            "nothing_to_claim", seat, "other_discard", _other_claims(state, event), tile=last.tile
        )
    if not event.tile.known and last.tile.known:
        event = replace(event, tile=last.tile)
    if event.from_seat is None:
        event = replace(event, from_seat=last.seat)
    if not is_set(state, event):
        raise IllegalEvent("contradicts", seat, "not_a_set", _other_claims(state, event))
    player = state.players[seat]
    hand = taken(seat, player.hand, own_tiles(event))
    state = _river_tile_taken(state, last, seat, event.tile)
    ready = player.ready or (not isinstance(event, Kong) and event.ready)
    melds = (*player.melds, meld_of(event))
    return evolve(
        state,
        players=players_with(state, seat, hand=hand, drawn=None, melds=melds, ready=ready),
        phase=Phase.TO_DRAW if isinstance(event, Kong) else Phase.TO_DISCARD,
        turn=seat,
        last_discard=None,
    )


def _river_tile_taken(state: State, last: LastDiscard, seat: Seat, tile: Tile) -> State:
    river = state.players[last.seat].river
    thrown = river[-1]
    taken = evolve(thrown, claimed_by=seat, tile=tile if tile.known else thrown.tile)
    return with_player(state, last.seat, river=(*river[:-1], taken))


def _other_claims(state: State, event: Chow | Pung | Kong) -> list[Suggestion]:
    """Other claims that fit: of the discard that really lies there, or of a missed discard."""
    suggestions: list[Suggestion] = []
    last = state.last_discard
    if last is not None and last.seat != event.seat:
        if last.tile.known and last.tile != event.tile:
            suggestions.append(
                (replace(event, from_seat=last.seat, tile=last.tile, **_own(event, last.tile)),)
            )
        suggestions.append((replace(event, from_seat=last.seat),))
    if event.from_seat is not None and state.phase in IN_PLAY and event.from_seat != event.seat:
        suggestions.append((Discard(event.from_seat, event.tile), event))
    return [way for way in suggestions if way != (event,)]


def _own(event: Chow | Pung | Kong, tile: Tile) -> dict[str, Any]:
    if isinstance(event, Pung):
        return {"own": (tile, tile)}
    return {} if isinstance(event, Chow) else {"own": None}


def own_kong(state: State, event: Kong, number: int) -> State:
    """Declare a closed kong, or add a tile to a pung, on the own turn."""
    seat = event.seat
    if state.phase is not Phase.TO_DISCARD or seat != state.turn:
        raise IllegalEvent("out_of_turn", seat, "not_to_declare")
    if not is_set(state, event):
        raise IllegalEvent("contradicts", seat, "not_a_set", [(replace(event, own=None),)])
    player = state.players[seat]
    if event.kind == "closed":
        hand = taken(seat, player.hand, own_tiles(event))
        state = with_player(
            state, seat, hand=hand, drawn=None, melds=(*player.melds, meld_of(event))
        )
        return evolve(state, phase=Phase.TO_DRAW, last_discard=None, contested=None)
    place = _pung_place(state, player, event.tile)
    if place is None and not player.sets_counted and player.hand.count(UNKNOWN) >= 3:
        place = len(player.melds)  # the pung was declared before the record began
        state = unseen_sets(state, seat, 1)
        player = state.players[seat]
    if place is None:
        raise IllegalEvent(
            "contradicts", seat, "no_pung_to_add_to", [(replace(event, kind="closed", own=None),)]
        )
    pung = player.melds[place]
    hand = taken(seat, player.hand, own_tiles(event))
    three = tuple(tile if tile.known else event.tile for tile in pung.tiles)
    melds = _melds_with_kong(player, place, (*three, *own_tiles(event)))
    state = with_player(state, seat, hand=hand, drawn=None, melds=melds)
    last = LastDiscard(seat, own_tiles(event)[0], number, added_kong=True)
    return evolve(state, phase=Phase.TO_DRAW, last_discard=last, contested=None)


def _melds_with_kong(player: Player, place: int, tiles: Sequence[Tile]) -> tuple[Meld, ...]:
    """The declared sets with the pung at ``place`` made an added kong of these tiles."""
    kong = evolve(player.melds[place], kind=SetKind.ADDED_KONG, tiles=ordered(tiles))
    return (*player.melds[:place], kong, *player.melds[place + 1 :])


def adds_discard(state: State, event: Kong) -> bool:
    """Whether a tile that another seat has just discarded is added to a declared pung."""
    last, melds = state.last_discard, state.players[event.seat].melds
    if last is None or last.added_kong or last.seat == event.seat or not last.tile.known:
        return False
    place = _pung_place(state, state.players[event.seat], last.tile)
    return (
        event.kind == "added"
        and state.phase is Phase.TO_DRAW
        and event.tile.kind == last.tile.kind
        and place is not None
        and melds[place].tiles[0].known
    )


def discard_added(state: State, event: Kong) -> State:
    """Take the discard into the pung. Only call where ``adds_discard`` is true."""
    last, player = state.last_discard, state.players[event.seat]
    assert last is not None, "asked for such a kong only"
    place = _pung_place(state, player, last.tile)
    assert place is not None, "asked for such a kong only"
    melds = _melds_with_kong(player, place, (*player.melds[place].tiles, last.tile))
    state = _river_tile_taken(state, last, event.seat, last.tile)
    state = with_player(state, event.seat, melds=melds)
    return evolve(state, turn=event.seat, last_discard=None)


def _pung_place(state: State, player: Player, tile: Tile) -> int | None:
    for place, meld in enumerate(player.melds):
        same = state.read_as(tile) == state.read_as(meld.tiles[0]) or UNKNOWN in (
            tile,
            meld.tiles[0],
        )
        if meld.kind in (SetKind.PUNG, SetKind.UNSEEN) and same:
            return place
    return None


def win(state: State, event: Win) -> State:
    """Lay the winning hand open; from then on it holds the winning tile."""
    if event.from_seat == event.seat:
        state = _win_by_draw(state, event)
    else:
        state = _win_by_claim(state, event)
    player = state.players[event.seat]
    if event.hand is not None:
        rest = without(player.hand, (event.tile,))
        assert not isinstance(rest, Tile), "the winning tile was just put into the hand"
        shown = check_shown(event.seat, rest, event.hand, [(replace(event, hand=None),)])
        state = with_player(state, event.seat, hand=ordered((*shown, event.tile)), shown=True)
    state = with_player(state, event.seat, drawn=event.tile)
    return evolve(
        state, phase=Phase.SETTLED, winners=(*state.winners, event.seat), wins=(*state.wins, event)
    )


def plays_on(state: State, event: Win) -> State:
    """The winner waits again with the hand that won; the tile lies apart.

    Of several who won on one tile each has it, though it exists once.
    """
    player = state.players[event.seat]
    hand = taken(event.seat, player.hand, (event.tile,))
    won = (*player.won, event.tile)
    return with_player(state, event.seat, hand=hand, drawn=None, won=won, ready=True)


def as_won(state: State, event: Win, place: int | None) -> State:
    """The state with the hand that won, where its player has played on.

    ``place``: that of the win in the history, None where it is being taken. Kongs declared since
    are undone.
    """
    player = state.players[event.seat]
    if not player.won:
        return state
    resting = player.resting
    hand, melds = (
        list(hidden(len(player.hand) - 1) if resting is None else resting),
        [*player.melds],
    )
    since = () if place is None else state.history.entries[place:]
    for kong in (entry.event for _, entry in reversed(since)):
        if not isinstance(kong, Kong) or kong.seat != event.seat:
            continue
        if kong.kind == "added":
            melds = [
                evolve(meld, kind=SetKind.PUNG, tiles=meld.tiles[:3])
                if meld.kind is SetKind.ADDED_KONG and kong.tile in meld.tiles
                else meld
                for meld in melds
            ]
        elif melds:
            hand += melds.pop().tiles[:3]
    hand.append(event.tile)
    return with_player(state, event.seat, hand=ordered(hand), drawn=event.tile, melds=tuple(melds))


def _win_by_draw(state: State, event: Win) -> State:
    player = state.players[event.seat]
    drawn = player.drawn
    # One tile too many without a draw: dealt to the dealer, or left after a claim.
    claimed = drawn is None and state.contested is not None
    if not player.holds_extra or claimed:
        raise IllegalEvent("out_of_turn", event.seat, "not_to_win")
    if drawn is not None and drawn.known and event.tile.known and drawn != event.tile:
        raise IllegalEvent(
            "contradicts",
            event.seat,
            "drew_other_tile",
            [(replace(event, tile=drawn),)],
            drawn=drawn,
        )
    leaving = (event.tile,) if drawn is None else (drawn,)
    rest = taken(event.seat, player.hand, leaving)
    return with_player(state, event.seat, hand=ordered((*rest, event.tile)))


def _win_by_claim(state: State, event: Win) -> State:
    last = state.last_discard
    if last is None or last.seat != event.from_seat:
        raise IllegalEvent("nothing_to_claim", event.seat, "no_discard", _other_wins(state, event))
    if last.tile.known and event.tile.known and last.tile != event.tile:
        raise IllegalEvent(
            "nothing_to_claim",
            event.seat,
            "other_discard",
            _other_wins(state, event),
            tile=last.tile,
        )
    if last.added_kong:
        state = _robbed(state, last)
    else:
        # Of several who win on one tile, the nearest has it, however the wins are written.
        other = state.players[last.seat].river[-1].claimed_by
        takers = (event.seat, event.seat if other is None else other)
        nearest = min(takers, key=lambda seat: (seat - last.seat) % 4)
        state = _river_tile_taken(state, last, nearest, event.tile)
    pending = state.contested
    if pending is not None and len(state.wins) > len(pending.wins):
        state = evolve(state, shared=(*state.shared, event.tile))
    player = state.players[event.seat]
    return with_player(state, event.seat, hand=ordered((*player.hand, event.tile)))


def _robbed(state: State, last: LastDiscard) -> State:
    """Take the tile off the kong. An added kong becomes a pung; a closed one keeps three tiles."""
    melds = tuple(
        evolve(meld, kind=_ROBBED.get(meld.kind, meld.kind), tiles=meld.tiles[:3])
        if meld.kind in _ROBBED and last.tile in meld.tiles
        else meld
        for meld in state.players[last.seat].melds
    )
    return with_player(state, last.seat, melds=melds)


_ROBBED: Final = {SetKind.ADDED_KONG: SetKind.PUNG, SetKind.CLOSED_KONG: SetKind.CLOSED_KONG}


def _other_wins(state: State, event: Win) -> list[Suggestion]:
    last = state.last_discard
    suggestions: list[Suggestion] = []
    if last is not None and last.seat != event.seat:
        suggestions.append((replace(event, from_seat=last.seat, tile=last.tile),))
    if state.players[event.seat].holds_extra or state.turn == event.seat:
        suggestions.append((replace(event, from_seat=event.seat),))
    suggestions.append((Discard(event.from_seat, event.tile), event))
    return suggestions
