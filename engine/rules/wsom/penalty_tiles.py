"""Hand tiles exposed against the rules, live and dead: document 003, Penalty Tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import declare, play
from engine.events import Claim, Discard
from engine.play import IllegalEvent
from engine.state import Player
from engine.tiles import UNKNOWN, Tile


@dataclass(frozen=True)
class Penalty:
    """The penalty tiles of one seat."""

    live: tuple[Tile, ...] = ()
    """May be discarded with the current or next discard."""
    dead: tuple[Tile, ...] = ()
    """May no longer be discarded."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        return (*self.live, *self.dead)


def exposed(penalty: Penalty, player: Player, tiles: Sequence[Tile]) -> Penalty:
    """Add live tiles; raise ``IllegalEvent`` for tiles that the hand is known not to hold."""
    known = tuple(tile for tile in tiles if tile.known)
    lying = Counter((*penalty.tiles, *known))
    beyond = lying - Counter(player.hand)
    if beyond.total() > player.hand.count(UNKNOWN):
        raise IllegalEvent("tile_not_held", None, "misread", tile=min(beyond), hand=player.hand)
    return replace(penalty, live=play.ordered((*penalty.live, *known)))


def seen_in_hand(player: Player, penalty: Penalty) -> Player:
    """The hand in which the penalty tiles lie open, so that everybody knows them."""
    hand = list(player.hand)
    for tile in (Counter(penalty.tiles) - Counter(hand)).elements():
        if UNKNOWN in hand:
            hand[hand.index(UNKNOWN)] = tile
    drawn = player.drawn if player.drawn in hand else None
    return replace(player, hand=play.ordered(hand), drawn=drawn)


def discards_dead(penalty: Penalty, player: Player, event: Discard) -> bool:
    """Whether the discard is a dead penalty tile, as far as the remaining tiles show.

    In a hidden hand, a discard with the face of a dead tile counts as that tile.
    """
    if event.tile in penalty.live or event.tile not in penalty.dead:
        return False
    drawn = player.drawn if event.drawn else None
    return bool(_gone(penalty, player, (drawn or event.tile,)))


def after_discard(penalty: Penalty, player: Player, event: Discard) -> Penalty:
    """Live tiles die with the discard of any other tile; ``player`` is as before it."""
    live, dead = list(penalty.live), list(penalty.dead)
    if event.tile in live and not event.drawn:
        live.remove(event.tile)
    elif discards_dead(penalty, player, event):
        dead.remove(event.tile)
    return Penalty((), play.ordered((*live, *dead)))


def in_claim(penalty: Penalty, player: Player, claim: Claim) -> tuple[Tile, ...]:
    """Penalty tiles that the set needs; other copies in the hand are used first."""
    return tuple(sorted(_gone(penalty, player, declare.own_tiles(claim)).elements()))


def after_claim(penalty: Penalty, player: Player, claim: Claim) -> Penalty:
    """Tiles in a declared set are no longer penalty tiles."""
    live, dead = list(penalty.live), list(penalty.dead)
    for tile in in_claim(penalty, player, claim):
        (dead if tile in dead else live).remove(tile)
    return Penalty(tuple(live), tuple(dead))


def _gone(penalty: Penalty, player: Player, leaving: Sequence[Tile]) -> Counter[Tile]:
    """Penalty tiles among those that leave the hand."""
    rest = play.without(player.hand, leaving)
    if isinstance(rest, Tile) or (UNKNOWN in rest and UNKNOWN not in player.hand):
        return Counter()
    return Counter(penalty.tiles) - Counter(rest)
