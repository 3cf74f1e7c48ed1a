"""What an event does to the tiles on the table, the same in every rule set.

Each function maps a state and an event to the next state. It knows neither the scoring nor who may
do what. It raises ``IllegalEvent`` for an event that cannot have happened.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.events import Discard, Draw, Event, Flower, Pung, Reveal, Seat
from engine.evolve import evolve
from engine.state import UNSEEN_SET, Discarded, LastDiscard, Phase, Player, State
from engine.tiles import CODES, UNKNOWN, Tile

Suggestion = tuple[Event, ...]
"""Events that could replace the impossible one."""

IN_PLAY = (Phase.TO_DRAW, Phase.TO_DISCARD)


class IllegalEvent(ValueError):
    """The event cannot have happened; ``code`` is a stable word for the reason."""

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


_ORDER: Final = {
    tile: place
    for place, tile in enumerate(
        sorted(map(Tile, CODES), key=lambda tile: (tile.suit, tile.rank, tile))
    )
} | {UNKNOWN: len(CODES)}


# --- hands ----------------------------------------------------------------------------------------


def ordered(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """Sort tiles by suit and rank, unknown ones last."""
    return tuple(sorted(tiles, key=_ORDER.__getitem__))


def with_tile(hand: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    """An ordered hand with one more tile in its place."""
    place = bisect_right(hand, _ORDER[tile], key=_ORDER.__getitem__)
    return (*hand[:place], tile, *hand[place:])


def hidden(count: int) -> tuple[Tile, ...]:
    return (UNKNOWN,) * count


def without(hand: Sequence[Tile], tiles: Sequence[Tile]) -> tuple[Tile, ...] | Tile:
    """Return the hand without these tiles, or the first tile that it does not hold.

    A tile that is not among the known ones may be any hidden one. When an unknown tile leaves a
    known hand, only the number of the remaining tiles is certain.
    """
    rest = list(hand)
    for tile in tiles:
        if tile in rest:
            rest.remove(tile)
        elif not rest:
            return tile
        elif not tile.known:
            rest = list(hidden(len(rest) - 1))
        elif UNKNOWN in rest:
            rest.remove(UNKNOWN)
        else:
            return tile
    return tuple(rest)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    return evolve(state, players=players_with(state, seat, **changes))


def players_with(state: State, seat: Seat, **changes: Any) -> tuple[Player, ...]:
    """The players of the state, one of them with changes."""
    players = list(state.players)
    players[seat] = evolve(players[seat], **changes)
    return tuple(players)


def count_sets(state: State, seat: Seat, waiting: int) -> State:
    """If a shown hand has too few tiles, count the missing ones as declared sets that the record
    left out.

    ``waiting``: the number of undeclared tiles without a drawn one.
    """
    player = state.players[seat]
    sets, odd = divmod(len(player.hand) - player.holds_extra - waiting, 3)
    if player.sets_counted or sets < 0 or odd or player.hand.count(UNKNOWN) < 3 * sets:
        return state
    return with_player(unseen_sets(state, seat, sets), seat, sets_counted=True)


def unseen_sets(state: State, seat: Seat, sets: int) -> State:
    """Move tiles from the hidden hand into this many unseen declared sets."""
    player = state.players[seat]
    hand = list(player.hand)
    for _ in range(3 * sets):
        hand.remove(UNKNOWN)
    melds = (*player.melds, *(UNSEEN_SET,) * sets)
    return with_player(state, seat, hand=tuple(hand), melds=melds)


def barred(state: State, seat: Seat, code: str) -> State:
    """The state in which this seat has committed an offence that lasts for the hand."""
    return with_player(state, seat, irregular=state.players[seat].irregular | {code})


# --- drawing and discarding -----------------------------------------------------------------------


def draw(state: State, event: Draw) -> State:
    """Put a tile of the wall into the hand of the seat whose turn it is."""
    if state.phase is not Phase.TO_DRAW or event.seat != state.turn:
        raise IllegalEvent("out_of_turn", event.seat, "not_to_draw", _other_turns(state, event))
    if state.wall_left <= 0:
        raise IllegalEvent("hand_over", event.seat, "wall_empty")
    hand = with_tile(state.players[event.seat].hand, event.tile)
    return evolve(
        state,
        players=players_with(state, event.seat, hand=hand, drawn=event.tile),
        phase=Phase.TO_DISCARD,
        wall_left=state.wall_left - 1,
        last_discard=None,
        contested=None,
    )


def lay_flower(state: State, event: Flower, *, drawn: bool) -> State:
    """Lay a flower open; ``drawn``: a tile of the wall takes its place.

    A seat that lays one in its turn has drawn that tile last. Where nobody knows which flower it
    is, and the hand is known and has none, it was the tile just drawn; without a draw the hand is
    known as it is after the exchange.
    """
    seat, player = event.seat, state.players[event.seat]
    tile = event.tile
    held = {flower for flower in player.hand if flower.suit == "f"}
    if not tile.known and len(held) == 1:
        (tile,) = held
    on_turn = state.phase is Phase.TO_DISCARD and seat == state.turn
    flowers = (*player.flowers, tile)
    contested = None if on_turn else state.contested
    gone: Tile | None = tile
    if not tile.known and not held and UNKNOWN not in player.hand:
        gone = player.drawn if on_turn else None
    if gone is None and drawn:
        laid = with_player(state, seat, flowers=flowers)
        return evolve(laid, wall_left=state.wall_left - 1, contested=contested)
    hand = taken(seat, player.hand, (gone or tile,))
    if not drawn:
        players = players_with(state, seat, hand=hand, drawn=None, flowers=flowers)
        return evolve(state, players=players, phase=Phase.TO_DRAW)
    hand = ordered((*hand, event.drawn))
    newest = event.drawn if on_turn else player.drawn
    return evolve(
        state,
        players=players_with(state, seat, hand=hand, drawn=newest, flowers=flowers),
        wall_left=state.wall_left - 1,
        contested=contested,
    )


def discard(state: State, event: Discard, number: int) -> State:
    """Move a tile from the hand of the seat whose turn it is to its river."""
    seat = event.seat
    if state.phase is not Phase.TO_DISCARD or seat != state.turn:
        raise IllegalEvent("out_of_turn", seat, "not_to_discard", _other_turns(state, event))
    player = state.players[seat]
    if event.drawn and player.drawn is None and state.contested is not None:
        raise IllegalEvent("contradicts", seat, "nothing_drawn", [(replace(event, drawn=None),)])
    hand = _hand_after_discard(player, event)
    river = (*player.river, Discarded(event.tile, event.ready, event.drawn))
    ready = player.ready or event.ready
    return evolve(
        state,
        players=players_with(state, seat, hand=hand, drawn=None, river=river, ready=ready),
        phase=Phase.TO_DRAW,
        turn=(seat + 1) % 4,
        last_discard=LastDiscard(seat, event.tile, number),
        contested=None,
    )


def _hand_after_discard(player: Player, event: Discard) -> tuple[Tile, ...]:
    tile, drawn = event.tile, player.drawn
    if player.ready and drawn == UNKNOWN and event.drawn is None:
        # The hand is fixed, so the tile that goes is the one just drawn.
        return taken(event.seat, player.hand, (drawn,))
    if event.drawn and drawn is not None:
        if drawn.known and tile.known and drawn != tile:
            others = [(replace(event, tile=drawn),), (replace(event, drawn=None),)]
            raise IllegalEvent("contradicts", event.seat, "drew_other_tile", others, drawn=drawn)
        return taken(event.seat, player.hand, (drawn,))
    if event.drawn is False and drawn is not None:
        rest = without(player.hand, (drawn,))
        assert not isinstance(rest, Tile), "the drawn tile is in the hand"
        return with_tile(taken(event.seat, rest, (tile,)), drawn)
    return taken(event.seat, player.hand, (tile,))


def taken(seat: Seat, hand: tuple[Tile, ...], tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The hand without these tiles, ordered as it is; raise ``IllegalEvent`` when it does not hold
    one."""
    rest = without(hand, tiles)
    if isinstance(rest, Tile):
        raise IllegalEvent("tile_not_held", seat, "misread", tile=rest, hand=hand)
    return rest


def _other_turns(state: State, event: Draw | Discard) -> list[Suggestion]:
    """How play may have reached this seat: missed discards, a missed pung, another seat."""
    if state.phase not in IN_PLAY:
        return []
    seat, turn = event.seat, state.turn
    moved: Suggestion = (replace(event, seat=turn),)
    steps = (seat - turn) % 4
    missed: Suggestion = (*(Discard((turn + step) % 4, UNKNOWN) for step in range(steps)), event)
    suggestions: list[Suggestion] = []
    last = state.last_discard
    twice = last is not None and last.seat == seat and last.tile == event.tile
    if twice:
        suggestions.append(())
    if last is not None and last.seat != seat and isinstance(event, Discard):
        own = (last.tile, last.tile)
        claimed: Suggestion = (Pung(seat, last.seat, last.tile, own), event)
    else:
        claimed = ()
    nearest = [missed, moved] if steps == 1 else [moved, missed]
    suggestions += nearest if steps else []
    if claimed:
        suggestions.insert(min(len(suggestions), 1), claimed)
    return suggestions


def reveal(state: State, event: Reveal) -> State:
    """Make a hidden hand known; raise ``IllegalEvent`` where it contradicts the known tiles."""
    player = state.players[event.seat]
    hand, tiles = player.hand, event.tiles
    if player.holds_extra and player.drawn is not None and len(tiles) == len(hand) - 1:
        tiles = (*tiles, player.drawn)
    shown = check_shown(event.seat, hand, tiles, [(Reveal(event.seat, hand),)])
    drawn = player.drawn
    if drawn == UNKNOWN and hand.count(UNKNOWN) == 1:
        rest = without(shown, [tile for tile in hand if tile.known])
        drawn = rest[0] if not isinstance(rest, Tile) else drawn
    return with_player(state, event.seat, hand=shown, drawn=drawn, shown=True)


def check_shown(
    seat: Seat, held: Sequence[Tile], shown: Sequence[Tile], suggestions: Sequence[Suggestion]
) -> tuple[Tile, ...]:
    """Merge the shown tiles with the known ones.

    Raise ``IllegalEvent`` when a tile that is known to be held is not shown.
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
