"""What riichi rules forbid of discards, claims and kongs (004, 3.3.4 to 3.3.12; EMA 2016, 3)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.events import Chow, Discard, Kong, Pung
from engine.play import without
from engine.rules.riichi.table_state import table_of
from engine.rules.riichi.waits import kong_keeps_hand
from engine.rules.turns_and_claims import keeps_ready_hand
from engine.rules.verdict import Fault
from engine.state import Meld, Player, SetKind, State
from engine.tiles import COPIES, Tile


def faults_of_discard(state: State, event: Discard) -> tuple[Fault, ...]:
    player = state.players[event.seat]
    if not keeps_ready_hand(player, event):
        return (Fault("ready_hand_fixed", {"tile": event.tile, "drawn": player.drawn}),)
    swap = table_of(state).swap
    if state.options["kuikae"] != "allowed" and event.tile.kind in swap:
        return (Fault("swap_calling", {"tile": event.tile}),)
    return ()


def false_kong(state: State, kong: Kong) -> bool:
    """Whether a closed kong changes a hand in riichi, as far as can be told (004, 3.3.12)."""
    player = state.players[kong.seat]
    return player.ready and kong.kind == "closed" and not _kong_fits(player, kong)


def _kong_fits(player: Player, event: Kong) -> bool:
    """Whether a closed kong after riichi leaves the hand unchanged, as far as can be told."""
    drawn, kind = player.drawn, event.tile.kind
    if drawn is not None and drawn.known and kind.known and drawn.kind != kind:
        return False
    hand = player.waiting
    if hand is None or not kind.known:
        return True
    kong = Meld(SetKind.CLOSED_KONG, (kind,) * COPIES)
    return kong_keeps_hand(hand, player.melds, (*player.melds, kong), kind)


# --- swap calling ---------------------------------------------------------------------------------


def only_swaps(state: State, event: Chow | Pung) -> bool:
    """Whether every possible discard after the claim would be a swap."""
    player = state.players[event.seat]
    if state.options["kuikae"] == "allowed" or not player.known:
        return False
    left = without(player.hand, event.own)
    forbidden = swapped(event, state.options)
    return not isinstance(left, Tile) and all(tile.kind in forbidden for tile in left)


def swapped(claim: Chow | Pung, options: Mapping[str, object]) -> frozenset[Tile]:
    """Kinds that a discard right after this claim would merely swap."""
    kind = claim.tile.kind
    kinds = {kind}
    both_ends = options["kuikae"] != "same_tile"
    if both_ends and isinstance(claim, Chow) and all(tile.known for tile in (kind, *claim.own)):
        low, high = sorted(tile.rank for tile in claim.own)
        if high - low == 1:
            other = high + 1 if kind.rank < low else low - 1
            if 1 <= other <= 9:
                kinds.add(Tile(f"{other}{kind.suit}"))
    return frozenset(kinds) if kind.known else frozenset()
