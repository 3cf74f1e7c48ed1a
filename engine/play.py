"""The bookkeeping that every rule set shares: what an event does to the tiles on the table.

Each function maps a state and an event to the next state, knows no rules of scoring or of who may
do what, and raises ``IllegalEvent`` for what cannot have happened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.events import (
    Chow,
    Claim,
    Deal,
    Dice,
    Discard,
    Draw,
    Event,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.state import Discarded, LastDiscard, Meld, Phase, Player, SetKind, State
from engine.tiles import UNKNOWN, Tile

Suggestion = tuple[Event, ...]
"""Events that could take the place of the one that cannot be."""

IN_PLAY = (Phase.TO_DRAW, Phase.TO_DISCARD)


class IllegalEvent(ValueError):
    """The event cannot have happened; ``code`` is a stable word for why."""

    def __init__(
        self,
        code: str,
        seat: Seat | None,
        follows: str,
        suggestions: Sequence[Suggestion] = (),
        **values: object,
    ) -> None:
        super().__init__(f"{code}: {follows}")
        self.code = code
        self.seat = seat
        self.follows = follows
        self.suggestions = tuple(suggestions)
        self.values: Mapping[str, object] = values


# --- hands ----------------------------------------------------------------------------------------


def ordered(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Tiles by suit and rank, unknown ones last."""
    return tuple(sorted(tiles, key=lambda tile: (not tile.known, tile.suit, tile.rank, tile)))


def hidden(count: int) -> tuple[Tile, ...]:
    return (UNKNOWN,) * count


def without(hand: Sequence[Tile], tiles: Sequence[Tile]) -> tuple[Tile, ...] | Tile:
    """The hand when these tiles have left it, or the tile that it does not hold.

    A tile that is not known to be there may be any hidden one. Where a tile of unknown face leaves
    a known hand, all that can be said of the rest is its number.
    """
    rest = list(hand)
    for tile in tiles:
        if tile in rest:
            rest.remove(tile)
        elif not tile.known:
            rest = list(hidden(len(rest) - 1))
        elif UNKNOWN in rest:
            rest.remove(UNKNOWN)
        else:
            return tile
    return tuple(rest)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def barred(state: State, seat: Seat, code: str) -> State:
    """The state in which this seat has committed an offence that lasts for the hand."""
    return with_player(state, seat, irregular=state.players[seat].irregular | {code})


# --- the beginning of a hand ----------------------------------------------------------------------


def start_hand(state: State, event: HandStart, tiles: int, hand_size: int) -> State:
    """Clear the table; fields left out are what the state already says of the next hand."""
    given = {
        name: getattr(event, name)
        for name in ("dealer", "round", "honba", "staying")
        if getattr(event, name) is not None
    }
    state = replace(state, **given)
    player = Player(hand=hidden(hand_size))
    return replace(
        state,
        phase=Phase.TO_DRAW,
        hand_number=state.hand_number + 1,
        turn=state.dealer,
        players=(player,) * 4,
        wall_left=tiles - 4 * hand_size,
        last_discard=None,
        indicators=(),
        history=(),
        winners=(),
        wins=(),
        drawn_reason=None,
        paid=(0, 0, 0, 0),
        dice=event.dice or (),
        contested=None,
    )


def untouched(state: State) -> bool:
    """Nobody has drawn, discarded or claimed in this hand."""
    return all(
        isinstance(entry.event, HandStart | Deal | Indicator | Dice | Reveal)
        for _, entry in state.history
    )


def deal(state: State, event: Deal, hand_size: int) -> State:
    player = state.players[event.seat]
    if player.dealt or not untouched(state):
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
        state = replace(state, phase=Phase.TO_DISCARD, wall_left=state.wall_left - 1)
    return state


def position(state: State, event: Position, number: int, tiles: int, hand_size: int) -> State:
    """Set up a situation in mid-hand; what it leaves out is hidden or empty."""
    if not all(isinstance(entry.event, HandStart) for _, entry in state.history):
        raise IllegalEvent("contradicts", None, "position_after_hand_start", [()])
    turn = state.turn if event.turn is None else event.turn
    players = []
    for seat in range(4):
        melds = tuple(_meld_at(seat, claim) for claim in event.sets[seat]) if event.sets else ()
        size = hand_size - 3 * len(melds)
        hand = ordered(event.hands[seat]) if event.hands else hidden(size)
        if len(hand) not in (size, size + 1) or (len(hand) == size + 1 and seat != turn):
            raise IllegalEvent(
                "contradicts", seat, "wrong_tile_count", count=len(hand), expected=size
            )
        river = event.rivers[seat] if event.rivers else ()
        players.append(
            Player(
                hand=hand,
                melds=melds,
                river=tuple(Discarded(d.tile, d.ready, d.drawn) for d in river),
                ready=seat in (event.ready or ()) or any(d.ready for d in river),
                dealt=True,
            )
        )
    lying = sum(
        len(player.hand) + len(player.river) + sum(len(meld.tiles) for meld in player.melds)
        for player in players
    )
    state = replace(
        state,
        players=tuple(players),
        turn=turn,
        phase=Phase.TO_DISCARD if players[turn].holds_extra else Phase.TO_DRAW,
        wall_left=max(tiles - lying, 0) if event.wall_left is None else event.wall_left,
        indicators=event.indicators or (),
    )
    before = (turn - 1) % 4
    if state.phase is Phase.TO_DRAW and players[before].river:
        last = LastDiscard(before, players[before].river[-1].tile, number)
        state = replace(state, last_discard=last)
    return state


def _meld_at(seat: Seat, claim: Claim) -> Meld:
    if claim.seat != seat:
        raise IllegalEvent("contradicts", seat, "set_of_other_seat")
    if isinstance(claim, Kong) and claim.kind == "added":
        return Meld(SetKind.ADDED_KONG, (claim.tile,) * 4, claim.tile, claim.from_seat)
    return meld_of(claim)


# --- drawing and discarding -----------------------------------------------------------------------


def draw(state: State, event: Draw) -> State:
    """Put a tile of the wall into the hand of the seat whose turn it is."""
    if state.phase is not Phase.TO_DRAW or event.seat != state.turn:
        raise IllegalEvent("out_of_turn", event.seat, "not_to_draw", _other_turns(state, event))
    if state.wall_left <= 0:
        raise IllegalEvent("hand_over", event.seat, "wall_empty")
    player = state.players[event.seat]
    state = with_player(
        state, event.seat, hand=ordered((*player.hand, event.tile)), drawn=event.tile
    )
    return replace(
        state,
        phase=Phase.TO_DISCARD,
        wall_left=state.wall_left - 1,
        last_discard=None,
        contested=None,
    )


def discard(state: State, event: Discard, number: int) -> State:
    """Move a tile from the hand of the seat whose turn it is to its river."""
    seat = event.seat
    if state.phase is not Phase.TO_DISCARD or seat != state.turn:
        raise IllegalEvent("out_of_turn", seat, "not_to_discard", _other_turns(state, event))
    player = state.players[seat]
    hand = _hand_after_discard(player, event)
    river = (*player.river, Discarded(event.tile, event.ready, event.drawn))
    state = with_player(
        state, seat, hand=hand, drawn=None, river=river, ready=player.ready or event.ready
    )
    return replace(
        state,
        phase=Phase.TO_DRAW,
        turn=(seat + 1) % 4,
        last_discard=LastDiscard(seat, event.tile, number),
        contested=None,
    )


def _hand_after_discard(player: Player, event: Discard) -> tuple[Tile, ...]:
    tile, drawn = event.tile, player.drawn
    if player.ready and drawn == UNKNOWN and event.drawn is None:
        # The hand is fixed, so what goes is what was drawn.
        return _taken(event, player.hand, (drawn,))
    if event.drawn and drawn is None:
        raise IllegalEvent(
            "contradicts", event.seat, "nothing_drawn", [(replace(event, drawn=None),)]
        )
    if event.drawn and drawn is not None:
        if drawn.known and tile.known and drawn != tile:
            others = [(replace(event, tile=drawn),), (replace(event, drawn=None),)]
            raise IllegalEvent("contradicts", event.seat, "drew_other_tile", others, drawn=drawn)
        return _taken(event, player.hand, (drawn,))
    if event.drawn is False and drawn is not None:
        rest = without(player.hand, (drawn,))
        assert not isinstance(rest, Tile), "the drawn tile is in the hand"
        return ordered((*_taken(event, rest, (tile,)), drawn))
    return _taken(event, player.hand, (tile,))


def _taken(event: Event, hand: tuple[Tile, ...], tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The hand without these tiles; raises ``IllegalEvent`` when one is not in it."""
    rest = without(hand, tiles)
    if isinstance(rest, Tile):
        seat: Seat = getattr(event, "seat")  # noqa: B009
        raise IllegalEvent("tile_not_held", seat, "misread", tile=rest, hand=hand)
    return ordered(rest)


def _other_turns(state: State, event: Draw | Discard) -> list[Suggestion]:
    """How the play could have come to this seat: missed discards, a missed pung, another seat."""
    if state.phase not in IN_PLAY:
        return []
    seat, turn = event.seat, state.turn
    moved: Suggestion = (replace(event, seat=turn),)
    steps = (seat - turn) % 4
    missed: Suggestion = (
        *(Discard((turn + step) % 4, UNKNOWN) for step in range(steps)),
        event,
    )
    found: list[Suggestion] = []
    last = state.last_discard
    twice = last is not None and last.seat == seat and last.tile == event.tile
    if twice:
        found.append(())
    if last is not None and last.seat != seat and isinstance(event, Discard):
        own = (last.tile, last.tile)
        claimed: Suggestion = (Pung(seat, last.seat, last.tile, own), event)
    else:
        claimed = ()
    nearest = [missed, moved] if steps == 1 else [moved, missed]
    found += nearest if steps else []
    if claimed:
        found.insert(min(len(found), 1), claimed)
    return found


# --- claims ---------------------------------------------------------------------------------------


def is_set(claim: Claim) -> bool:
    """Whether the tiles named can be that set; hidden ones can be anything."""
    tiles = set_tiles(claim)
    known = [tile.kind for tile in tiles if tile.known]
    if isinstance(claim, Chow):
        ranks = sorted(tile.rank for tile in known)
        if any(tile.suit == "z" or tile.suit == "f" for tile in known):
            return False
        if len({tile.suit for tile in known}) > 1 or len(set(ranks)) < len(ranks):
            return False
        return not ranks or ranks[-1] - ranks[0] <= 2
    return len(set(known)) <= 1 and len(tiles) == (3 if isinstance(claim, Pung) else 4)


def set_tiles(claim: Claim) -> tuple[Tile, ...]:
    """The tiles of the declared set; what the record leaves out is of the kind that it names."""
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
        return tuple(tile if tile.known else claim.tile for tile in claim.own)
    count = {"open": 3, "closed": 4, "added": 1}[claim.kind]
    if claim.own is None:
        return (claim.tile,) * count
    return tuple(tile if tile.known else claim.tile for tile in claim.own)


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
    event = replace(event, from_seat=last.seat)
    if not is_set(event):
        raise IllegalEvent("contradicts", seat, "not_a_set", _other_claims(state, event))
    player = state.players[seat]
    hand = _taken(event, player.hand, own_tiles(event))
    state = _river_tile_taken(state, last, seat, event.tile)
    ready = player.ready or (not isinstance(event, Kong) and event.ready)
    state = with_player(
        state, seat, hand=hand, drawn=None, melds=(*player.melds, meld_of(event)), ready=ready
    )
    phase = Phase.TO_DRAW if isinstance(event, Kong) else Phase.TO_DISCARD
    return replace(state, phase=phase, turn=seat, last_discard=None)


def _river_tile_taken(state: State, last: LastDiscard, seat: Seat, tile: Tile) -> State:
    river = state.players[last.seat].river
    taken = replace(river[-1], claimed_by=seat, tile=tile if tile.known else river[-1].tile)
    return with_player(state, last.seat, river=(*river[:-1], taken))


def _other_claims(state: State, event: Chow | Pung | Kong) -> list[Suggestion]:
    """The claim with the discard that really lies there, or with a discard that was missed."""
    found: list[Suggestion] = []
    last = state.last_discard
    if last is not None and last.seat != event.seat:
        if last.tile.known and last.tile != event.tile:
            found.append(
                (replace(event, from_seat=last.seat, tile=last.tile, **_own(event, last.tile)),)
            )
        found.append((replace(event, from_seat=last.seat),))
    if event.from_seat is not None and state.phase in IN_PLAY and event.from_seat != event.seat:
        found.append((Discard(event.from_seat, event.tile), event))
    return [way for way in found if way != (event,)]


def _own(event: Chow | Pung | Kong, tile: Tile) -> dict[str, Any]:
    if isinstance(event, Pung):
        return {"own": (tile, tile)}
    return {} if isinstance(event, Chow) else {"own": None}


def own_kong(state: State, event: Kong, number: int) -> State:
    """Declare a closed kong, or add a tile to a pung, on one's own turn."""
    seat = event.seat
    if state.phase is not Phase.TO_DISCARD or seat != state.turn:
        raise IllegalEvent("out_of_turn", seat, "not_to_declare")
    if not is_set(event):
        raise IllegalEvent("contradicts", seat, "not_a_set", [(replace(event, own=None),)])
    player = state.players[seat]
    if event.kind == "closed":
        hand = _taken(event, player.hand, own_tiles(event))
        state = with_player(
            state, seat, hand=hand, drawn=None, melds=(*player.melds, meld_of(event))
        )
        return replace(state, phase=Phase.TO_DRAW, last_discard=None, contested=None)
    place = _pung_place(player, event.tile)
    if place is None:
        raise IllegalEvent(
            "contradicts", seat, "no_pung_to_add_to", [(replace(event, kind="closed", own=None),)]
        )
    pung = player.melds[place]
    hand = _taken(event, player.hand, own_tiles(event))
    kong = replace(pung, kind=SetKind.ADDED_KONG, tiles=ordered((*pung.tiles, *own_tiles(event))))
    melds = (*player.melds[:place], kong, *player.melds[place + 1 :])
    state = with_player(state, seat, hand=hand, drawn=None, melds=melds)
    last = LastDiscard(seat, own_tiles(event)[0], number, added_kong=True)
    return replace(state, phase=Phase.TO_DRAW, last_discard=last, contested=None)


def _pung_place(player: Player, tile: Tile) -> int | None:
    for place, meld in enumerate(player.melds):
        if meld.kind is SetKind.PUNG and tile.kind in (meld.tiles[0].kind, UNKNOWN):
            return place
    return None


# --- the end of a hand ----------------------------------------------------------------------------


def win(state: State, event: Win) -> State:
    """Lay the winning hand open; the winning tile is in it from then on."""
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
    return replace(
        state,
        phase=Phase.SETTLED,
        winners=(*state.winners, event.seat),
        wins=(*state.wins, event),
    )


def _win_by_draw(state: State, event: Win) -> State:
    player = state.players[event.seat]
    if not player.holds_extra:
        raise IllegalEvent("out_of_turn", event.seat, "not_to_win")
    drawn = player.drawn
    if drawn is not None and drawn.known and event.tile.known and drawn != event.tile:
        raise IllegalEvent(
            "contradicts",
            event.seat,
            "drew_other_tile",
            [(replace(event, tile=drawn),)],
            drawn=drawn,
        )
    leaving = (event.tile,) if drawn is None else (drawn,)
    rest = _taken(event, player.hand, leaving)
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
        state = _river_tile_taken(state, last, event.seat, event.tile)
    player = state.players[event.seat]
    return with_player(state, event.seat, hand=ordered((*player.hand, event.tile)))


def _robbed(state: State, last: LastDiscard) -> State:
    """Take the added tile off the kong, which is a pung again."""
    melds = tuple(
        replace(meld, kind=SetKind.PUNG, tiles=meld.tiles[:3])
        if meld.kind is SetKind.ADDED_KONG and meld.tiles[0].kind == last.tile.kind
        else meld
        for meld in state.players[last.seat].melds
    )
    return with_player(state, last.seat, melds=melds)


def _other_wins(state: State, event: Win) -> list[Suggestion]:
    last = state.last_discard
    found: list[Suggestion] = []
    if last is not None and last.seat != event.seat:
        found.append((replace(event, from_seat=last.seat, tile=last.tile),))
    if state.players[event.seat].holds_extra or state.turn == event.seat:
        found.append((replace(event, from_seat=event.seat),))
    found.append((Discard(event.from_seat, event.tile), event))
    return found


def reveal(state: State, event: Reveal) -> State:
    """Make a hidden hand known; raises ``IllegalEvent`` where it cannot be the hand held."""
    player = state.players[event.seat]
    hand, tiles = player.hand, event.tiles
    if player.holds_extra and player.drawn is not None and len(tiles) == len(hand) - 1:
        tiles = (*tiles, player.drawn)
    shown = check_shown(event.seat, hand, tiles, [(Reveal(event.seat, hand),)])
    return with_player(state, event.seat, hand=shown, shown=True)


def check_shown(
    seat: Seat, held: Sequence[Tile], shown: Sequence[Tile], suggestions: Sequence[Suggestion]
) -> tuple[Tile, ...]:
    """The hand as it is known now: what is shown, and what was known of tiles shown as hidden.

    Raises ``IllegalEvent`` when a tile that is known to be held is not among those shown.
    """
    rest = list(shown)
    known: list[Tile] = []
    for tile in held:
        if not tile.known:
            continue
        if tile in rest:
            rest.remove(tile)
        elif UNKNOWN in rest:
            rest.remove(UNKNOWN)
        else:
            raise IllegalEvent("contradicts", seat, "other_hand_known", suggestions, tile=tile)
        known.append(tile)
    return ordered((*known, *rest))
