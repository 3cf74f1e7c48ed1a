"""Furiten: a hand may not win on a discard because of a tile that it discarded or let pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.events import Seat
from engine.evolve import evolve
from engine.rules.riichi.table_state import RiichiTable, table_of
from engine.rules.riichi.waits import shape_waits
from engine.state import State
from engine.tiles import Tile, faces_of


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


def let_pass(table: RiichiTable, seat: Seat, tile: Tile, drew: Seat | None = None) -> RiichiTable:
    """Note that nobody won on this tile of ``seat``; ``drew``: who forgets all with a draw now."""
    if not tile.known:
        return table if drew is None else table.nothing_passed(drew)
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
