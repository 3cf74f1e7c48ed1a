"""What the World Series rules keep besides the tiles: rounds, and penalty tiles by seat.

Penalty tiles are tiles of a hand that were exposed against the rules, live or dead (document 003,
Penalty Tiles).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import declare, play
from engine.events import Claim, Discard, Seat
from engine.evolve import evolve
from engine.play import IllegalEvent, barred
from engine.state import Player, State
from engine.tiles import UNKNOWN, Tile


@dataclass(frozen=True)
class Penalty:
    """The penalty tiles of one seat; ``player`` is that seat before the event."""

    live: tuple[Tile, ...] = ()
    """May be discarded with the current or next discard."""
    dead: tuple[Tile, ...] = ()
    """May no longer be discarded."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        return (*self.live, *self.dead)

    def with_exposed(self, seat: Seat, player: Player, tiles: Sequence[Tile]) -> Penalty:
        """Add live tiles; raise ``IllegalEvent`` for tiles that the hand is known not to hold."""
        known = tuple(tile for tile in tiles if tile.known)
        beyond = Counter((*self.tiles, *known)) - Counter(player.hand)
        if beyond.total() > player.hand.count(UNKNOWN):
            raise IllegalEvent("tile_not_held", seat, "misread", tile=min(beyond), hand=player.hand)
        return replace(self, live=play.ordered((*self.live, *known)))

    def discards_dead(self, player: Player, event: Discard) -> bool:
        """Whether the discard is a dead penalty tile, as far as the remaining tiles show.

        In a hidden hand, a discard with the face of a dead tile counts as that tile.
        """
        if event.tile in self.live or event.tile not in self.dead:
            return False
        drawn = player.drawn if event.drawn else None
        return bool(self._gone(player, (drawn or event.tile,)))

    def after_discard(self, player: Player, event: Discard) -> Penalty:
        """Live tiles die with the discard of any other tile."""
        if not self.tiles:
            return self
        live, dead = list(self.live), list(self.dead)
        if event.tile in live and not event.drawn:
            live.remove(event.tile)
        elif self.discards_dead(player, event):
            dead.remove(event.tile)
        return Penalty((), play.ordered((*live, *dead)))

    def in_claim(self, player: Player, claim: Claim) -> tuple[Tile, ...]:
        """Penalty tiles that the set needs; other copies in the hand are used first."""
        if not self.tiles:
            return ()
        return tuple(sorted(self._gone(player, declare.own_tiles(claim)).elements()))

    def after_claim(self, player: Player, claim: Claim) -> Penalty:
        """Tiles in a declared set are no longer penalty tiles."""
        if not self.tiles:
            return self
        live, dead = list(self.live), list(self.dead)
        for tile in self.in_claim(player, claim):
            (dead if tile in dead else live).remove(tile)
        return Penalty(tuple(live), tuple(dead))

    def _gone(self, player: Player, leaving: Sequence[Tile]) -> Counter[Tile]:
        """Penalty tiles among those that leave the hand."""
        rest = play.without(player.hand, leaving)
        if isinstance(rest, Tile) or (UNKNOWN in rest and UNKNOWN not in player.hand):
            return Counter()
        return Counter(self.tiles) - Counter(rest)


@dataclass(frozen=True)
class WsomTable:
    """What these rules keep of a game besides the tiles."""

    penalties: tuple[Penalty, ...] = (Penalty(),) * 4
    """By seat, for the current hand."""


def kept(state: State) -> WsomTable:
    return state.kept if isinstance(state.kept, WsomTable) else WsomTable()


def with_penalty(state: State, seat: Seat, penalty: Penalty) -> State:
    """The state in which these tiles of the seat lie open."""
    now = kept(state)
    if penalty == now.penalties[seat]:
        return state
    penalties = (*now.penalties[:seat], penalty, *now.penalties[seat + 1 :])
    player = _with_open_tiles(state.players[seat], penalty)
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return evolve(state, players=players, kept=replace(now, penalties=penalties))


def still_open(before: State, after: State) -> State:
    """The state with the penalty tiles that lie there, where a better claim took an earlier one
    back: those of others, exposed since that claim, stay."""
    if before.kept is after.kept:
        return after
    then, now = kept(before).penalties, kept(after).penalties
    stay = tuple(
        old if player.exposed == old.tiles else new
        for player, old, new in zip(after.players, then, now, strict=True)
    )
    return after if stay == now else evolve(after, kept=replace(kept(after), penalties=stay))


def _with_open_tiles(player: Player, penalty: Penalty) -> Player:
    """The player with the penalty tiles known to everybody, because they lie open."""
    hand = list(player.hand)
    for tile in (Counter(penalty.tiles) - Counter(hand)).elements():
        if UNKNOWN in hand:
            hand[hand.index(UNKNOWN)] = tile
    drawn = player.drawn if player.drawn in hand else None
    return evolve(player, hand=play.ordered(hand), drawn=drawn, exposed=penalty.tiles)


def in_deal(state: State, seat: Seat) -> bool:
    """003: before the first move, the first tile that a seat exposes may be picked up again."""
    return state.untouched and not state.history.fouls_of(seat, "exposed_tile")


def exposed(state: State, seat: Seat, tiles: Sequence[Tile]) -> State:
    penalty = kept(state).penalties[seat]
    return with_penalty(state, seat, penalty.with_exposed(seat, state.players[seat], tiles))


def miscounted(state: State, seat: Seat, count: int, due: int) -> State:
    """Mark a shown hand with the wrong number of tiles as long or short."""
    if count == due:
        return state
    return barred(state, seat, "long_hand" if count > due else "short_hand")
