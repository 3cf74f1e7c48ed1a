"""Who pays for everybody, because of the tiles that seat has fed; each rule is an option.

Whether a player had no other tile to discard, which WIKI excuses, no record tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from engine import hands
from engine.events import Kong, Seat, Win
from engine.hands import GroupKind
from engine.state import Meld, State
from engine.tiles import DRAGONS, UNKNOWN, WINDS, Tile

OF_ONE_KIND: Final = frozenset({"honours_only", "all_terminals", "full_flush"})
"""Hands for which also who has fed the fourth set pays, whoever gives the last tile."""
MELDED: Final[Mapping[str, tuple[Collection[Tile], int]]] = {
    "great_dragons": (DRAGONS, 2),
    "great_winds": (WINDS, 3),
}
"""Hands that a tile of these kinds makes, beside so many pungs of them that lie open."""
NINE: Final = 3
"""Sets that lie open where nine tiles are shown."""
TWELVE: Final = 4
LAST_TILES: Final = 5


class Liable(NamedTuple):
    """Who pays for the others, and the row that says why."""

    seat: Seat
    row: str


def liable(state: State, win: Win, names: Collection[str]) -> Liable | None:
    """Who pays for this win beside or in place of the others; ``names``: what the hand has.

    ``state`` is the one that the win led to.
    """
    return next(_liable(state, win, names), None)


def _liable(state: State, win: Win, names: Collection[str]) -> Iterator[Liable]:
    options, drawn = state.options, win.seat == win.from_seat
    feeder = _fed_twelve(state, win.seat)
    if options["insurance"]:
        if not drawn and _makes_great_hand(state, win, names):
            yield Liable(win.from_seat, "liable_insurance")
        if feeder is not None and not OF_ONE_KIND.isdisjoint(names):
            yield Liable(feeder, "liable_insurance")
    twelve = options["twelve_tiles"]
    if drawn and feeder is not None and (twelve == "any" or twelve in names):
        yield Liable(feeder, "liable_twelve")
    kong = state.history.acts[-1] if state.history.acts else None
    fed = kong.from_seat if isinstance(kong, Kong) and kong.kind == "open" else None
    if options["kong_feeder"] and drawn and fed is not None and {"after_kong"} & set(names):
        yield Liable(fed, "liable_kong")
    if _is_late(state, win) and not _copy_seen(state, win.tile) and _all_seen(state):
        yield Liable(win.from_seat, "liable_last_five")


def _open(state: State, seat: Seat) -> list[Meld]:
    return [meld for meld in state.players[seat].melds if meld.is_open]


def _fed_twelve(state: State, seat: Seat) -> Seat | None:
    """Who fed the fourth set of a hand that lies open but for one tile."""
    shown = _open(state, seat)
    return shown[-1].from_seat if len(shown) == TWELVE else None


def _makes_great_hand(state: State, win: Win, names: Collection[str]) -> bool:
    """WIKI, Insurance Penalties: the tile completes the last set of a hand that was shown."""
    hand, shown = state.players[win.seat].hand, _open(state, win.seat)
    if not _completes_set(hand, win.tile):
        return False
    for name, (kinds, pungs) in MELDED.items():
        lying = sum(meld.tiles[0].kind in kinds for meld in shown)
        if name in names and win.tile in kinds and lying >= pungs:
            return True
    return len(shown) == NINE and not OF_ONE_KIND.isdisjoint(names)


def _completes_set(hand: tuple[Tile, ...], tile: Tile) -> bool:
    splits = hands.splits(hand) if all(held.known for held in hand) else ()
    sets = (group for split in splits for group in split if group.kind is not GroupKind.PAIR)
    return any(
        group.tile == tile
        or (group.kind is GroupKind.CHOW and group.tile.suit == tile.suit
            and 0 <= tile.rank - group.tile.rank <= 2)
        for group in sets
    )  # fmt: skip


def last_five_unsure(state: State, win: Win) -> bool:
    """Whether nobody knows if a late discard was new: some tiles that lay open are not known."""
    return _is_late(state, win) and not _copy_seen(state, win.tile) and not _all_seen(state)


def _is_late(state: State, win: Win) -> bool:
    """WIKI, Five Remaining Tiles: a discard wins with at most so many tiles left."""
    last, drawn = state.last_discard, win.seat == win.from_seat
    if not state.options["last_five"] or drawn or last is None or last.added_kong:
        return False
    return state.wall_counted and state.wall_left <= LAST_TILES


def _copy_seen(state: State, tile: Tile) -> bool:
    """Whether a copy of the last discard was discarded or laid open before."""
    thrown = sum(one.tile.kind == tile for player in state.players for one in player.river)
    laid = (tile.kind for player in state.players for meld in player.melds for tile in meld.tiles)
    return thrown > 1 or tile in laid


def _all_seen(state: State) -> bool:
    """Whether every tile that was discarded or laid open is known."""
    if not state.rivers_known or not all(player.sets_counted for player in state.players):
        return False
    return not any(
        UNKNOWN in (*(one.tile for one in player.river), *_laid_open(state, seat))
        for seat, player in enumerate(state.players)
    )


def _laid_open(state: State, seat: Seat) -> list[Tile]:
    return [tile for meld in _open(state, seat) for tile in meld.tiles]
