"""Likely corrections of an impossible event, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine import events as ev
from engine.announce import Announcements
from engine.play import IllegalEvent, Suggestion
from engine.possible_sets import Stock, claims_of, own_kongs_of
from engine.state import State
from engine.tiles import UNKNOWN, Tile

if TYPE_CHECKING:
    from engine.rules.base import RuleSet

MOST: Final = 4


Take = Callable[["RuleSet", State, ev.Entry, int], tuple[State, Announcements]]
"""Takes an event; raises ``IllegalEvent`` for an impossible one."""


def corrections(
    rules: RuleSet, state: State, entry: ev.Entry, number: int, illegal: IllegalEvent, take: Take
) -> tuple[tuple[ev.Entry, ...], ...]:
    """Corrections that are possible themselves, best first, at most four."""
    ways: list[tuple[ev.Entry, ...]] = []
    for events in (*illegal.suggestions, *_other_readings(rules, state, entry.event, illegal)):
        way = tuple(replace(entry, event=event, confidence=None) for event in events)
        if way not in ways and way != (entry,) and _possible(take, rules, state, way, number):
            ways.append(way)
        if len(ways) == MOST:
            break
    return tuple(ways)


def _possible(
    take: Take, rules: RuleSet, state: State, way: tuple[ev.Entry, ...], number: int
) -> bool:
    for entry in way:
        try:
            state, _ = take(rules, state, entry, number)
        except IllegalEvent:
            return False
    return True


def _other_readings(
    rules: RuleSet, state: State, event: ev.Event, illegal: IllegalEvent
) -> Iterator[Suggestion]:
    wall = rules.wall.under(state.options)
    if isinstance(event, ev.Discard | ev.Draw) and illegal.code == "tile_not_held":
        held = dict.fromkeys(state.players[event.seat].hand, 1)
        yield from ((replace(event, tile=tile),) for tile in similar(event.tile, held))
    if isinstance(event, ev.Chow | ev.Pung | ev.Kong):
        # The same kind of set by the same seat first, then by the others.
        for seat in (event.seat, *(other for other in range(4) if other != event.seat)):
            held_by = Stock(state, seat, wall)
            sets: Iterator[ev.Claim] = claims_of(state, seat, held_by)
            if isinstance(event, ev.Kong) and event.kind != "open":
                sets = own_kongs_of(state, seat, held_by)
            alike = (claim for claim in sets if type(claim) is type(event))
            yield from ((claim,) for claim in sorted(alike, key=lambda claim: _moved(event, claim)))


def _moved(event: ev.Claim, other: ev.Claim) -> int:
    """How far the ranks of the own tiles differ: a misread suit leaves them as they are."""
    pairs = zip(event.own or (), other.own or (), strict=False)
    return sum(abs(mine.rank - theirs.rank) for mine, theirs in pairs)


def other_tiles(event: ev.Event, tile: Tile, wall: Mapping[Tile, int]) -> list[Suggestion]:
    """The event with other faces in place of a tile that exists too often."""
    if isinstance(event, ev.Deal | ev.Reveal):
        tiles = tuple(UNKNOWN if held == tile else held for held in event.tiles)
        return [(replace(event, tiles=tiles),)]
    if isinstance(event, ev.Discard | ev.Draw | ev.Indicator | ev.Win):
        nearest = similar(event.tile, wall)[: 2 * MOST]
        ways: list[Suggestion] = [(replace(event, tile=other),) for other in nearest]
        # An unreadable face is always possible, so it stands among the first.
        ways.insert(MOST - 1, (replace(event, tile=UNKNOWN),))
        return ways
    return []


def similar(tile: Tile, among: Mapping[Tile, int]) -> list[Tile]:
    """Other faces, those of the same suit and of near rank first."""
    return sorted(
        (other for other in among if other != tile and other.known),
        key=lambda other: (other.suit != tile.suit, abs(other.rank - tile.rank), other),
    )
