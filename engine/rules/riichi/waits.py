"""Which tiles complete a riichi hand, and furiten, which keeps it from winning on a discard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine import hands
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import GroupKind, HandForm
from engine.rules.riichi.table_state import ANY, RiichiTable, table_of
from engine.rules.verdict import completing
from engine.state import Meld, State
from engine.tiles import COPIES, Tile, faces_of

CLOSED_FORMS: Final = frozenset({HandForm.SETS, HandForm.DISTINCT_PAIRS, HandForm.ORPHANS})
FEWEST_ORPHANS: Final = 9
"""Kinds of terminals and honours with which a player may call the hand off (004, 3.4.3)."""


@lru_cache(maxsize=1 << 14)
def shape_waits(hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
    """Kinds that complete a waiting hand, without those of which the player holds all four."""
    kinds = completing(hand, CLOSED_FORMS)  # a hand beside sets is too small for the other forms
    if not kinds:
        return ()
    declared = [tile.kind for meld in melds for tile in meld.tiles]
    held = [*(tile.kind for tile in hand), *declared]
    return tuple([tile for tile in kinds if held.count(tile) < COPIES])


def is_ready(
    hand: tuple[Tile, ...], melds: tuple[Meld, ...], options: Mapping[str, object]
) -> bool:
    """Whether a waiting hand is tenpai: a tile of the own kong may count as what it waits for."""
    if shape_waits(hand, melds):
        return True
    if options["own_kong_wait"] == "not_ready":
        return False
    kongs = {meld.tiles[0].kind for meld in melds if meld.is_kong}
    return bool(kongs) and not kongs.isdisjoint(hands.waits(hand, forms=hands.SETS_ONLY))


def is_complete(hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> bool:
    """Whether ``3n + 2`` undeclared tiles are a complete hand."""
    return hands.wins(hand, forms=hands.SETS_ONLY if melds else CLOSED_FORMS)


def waits_for_orphans(hand: tuple[Tile, ...]) -> bool:
    """Whether thirteen tiles wait for thirteen orphans."""
    return hands.distance(hand, forms=frozenset({HandForm.ORPHANS})) == 0


def kong_keeps_hand(
    hand: tuple[Tile, ...], before: tuple[Meld, ...], after: tuple[Meld, ...], kind: Tile
) -> bool:
    """Whether a hand in riichi may make a kong of this kind with the drawn tile.

    ``hand``: the waiting hand with the three tiles. The waits must stay, and the three tiles must
    be a pung in every reading of every completed hand (004, 3.3.12).
    """
    if sum(tile.kind == kind for tile in hand) != COPIES - 1:
        return False
    waits = shape_waits(hand, before)
    rest = tuple(tile for tile in hand if tile.kind != kind)
    if not waits or shape_waits(rest, after) != waits:
        return False
    readings = [split for tile in waits for split in hands.splits((*hand, tile))]
    return all(
        any(group.kind is GroupKind.PUNG and group.tile == kind for group in split)
        for split in readings
    )


# --- furiten: no win on a discard because of a tile that was discarded or let pass ----------------


def is_furiten(state: State, seat: Seat, waits: Sequence[Tile]) -> bool:
    """Whether a hand with these waits may win by own draw only (004, 3.4.5).

    Own discards count, even claimed ones. So do tiles let pass since the last own draw, or since
    riichi, even if a win on them would have lacked a yaku.
    """
    table = table_of(state)
    if table.places[seat].missed:
        return True
    passed, thrown = table.passed[seat], [thrown.tile for thrown in state.players[seat].river]
    return any(tile in passed or any(one in thrown for one in faces_of(tile)) for tile in waits)


def open_furiten(state: State, seat: Seat) -> frozenset[Tile]:
    """Kinds that everybody sees keep this seat from winning: own discards, and what it let pass."""
    river = state.players[seat].river
    thrown = (discarded.tile.kind for discarded in river if discarded.tile.known)
    return table_of(state).passed[seat].union(thrown)


def let_pass(table: RiichiTable, seat: Seat, tile: Tile, drew: Seat | None = None) -> RiichiTable:
    """Note that nobody won on this tile of ``seat``; ``drew``: who forgets all with a draw now."""
    if not tile.known:
        table = table if drew is None else table.nothing_passed(drew)
        for other in range(4):
            if other not in (seat, drew):
                table = table.with_place(other, passed_unseen=ANY)
        return table
    kind, passed = tile.kind, list(table.passed)
    for other, before in enumerate(table.passed):
        if other == drew:
            passed[other] = frozenset()
        elif other != seat and kind not in before:
            passed[other] = before | {kind}
    return evolve(table, passed=tuple(passed))


def forgot(table: RiichiTable, seat: Seat) -> RiichiTable:
    """Forget what a seat may have let pass unseen, or missed, with its own draw."""
    place = table.places[seat]
    if place.passed_unseen or place.missed:
        return table.with_place(seat, passed_unseen=frozenset(), missed=False)
    return table


def claimed(
    table: RiichiTable, before: State, seat: Seat, tile: Tile, options: Mapping[str, object]
) -> RiichiTable:
    """Forget what was let pass after a claim by ``seat``, as far as the option says.

    ``before``: the state before the claim. ``tile``: the claimed tile, which was let pass too.
    """
    ends = options["temporary_furiten_ends"]
    for other, place in enumerate(table.places):
        if before.players[other].ready:
            continue
        if ends == "any_claim" or (ends == "own_claim" and other == seat):
            if place.passed_unseen:
                table = table.with_place(other, passed_unseen=frozenset())
            table = table.nothing_passed(other)
        elif other == seat:
            # A claim changes the waits; what the hand missed with the old ones still counts.
            hand = before.players[seat].waiting
            waits = shape_waits(hand, before.players[seat].melds) if hand is not None else ()
            passed = table.passed[seat]
            missed = place.missed or any(wait in passed or wait == tile.kind for wait in waits)
            table = table.with_place(seat, missed=missed).nothing_passed(seat)
    return table
