"""A table found again in the middle of a hand that the record knows: what happened meanwhile.

What the rivers and sets hold now that the record does not is put into the order that the rules
leave: turn after turn, claims where a set holds a tile that no river has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Discard, Kong
from engine.state import Phase
from vision.table.view import to_seat
from vision.telling.costs import sure_of
from vision.telling.explain_joined import indicator_of, joined
from vision.telling.explain_ready import laid_down
from vision.telling.explain_sets import (
    STILL_THERE,
    TURNED_OTHERWISE,
    claims_shown,
    fed_by,
    may_be_claimed,
)
from vision.telling.lying import Matched, matched
from vision.telling.rarity import Rarity
from vision.telling.scene import TableEvidence, sideways
from vision.telling.sets_shown import set_shown
from vision.telling.story import Story, Told
from vision.tiles.classes import Side
from vision.tracking.found import Found
from vision.tracking.happenings import LaidDown, SetLaid

BEAM: Final = 12
KEPT: Final = 4
"""Orders of what nobody saw that are gone on with."""
MOST_EVENTS: Final = 90
NOT_NEAR: Final = 2.2
"""A loose discard on the far side of the table was made by somebody else, by so much."""
FAR: Final = 7.0
"""Who discards a tile that lies so many widths from the middle sits on that side."""
TAKEN_AT_ONCE: Final = 1.0
"""A discard that nobody saw was claimed."""
MISCOUNTED: Final = 1.0
ANOTHER_HAND: Final = 14.0
"""The hand on the table is another one than the record's."""
LIKE_RECORD: Final = 2.5
"""What each tile of the record may cost, on average, in a table that shows its hand."""


@dataclass(frozen=True)
class _Way:
    """A story on its way to what lies on the table, and what is still to be explained."""

    story: Story
    rivers: tuple[tuple[int, ...], ...]
    """Discards that nobody told yet, by seat."""
    sets: tuple[tuple[int, tuple[int, ...]], ...]
    """Sets that nobody told yet: whose, and their tiles."""

    @property
    def done(self) -> bool:
        return not any(self.rivers) and not self.sets


def found(happening: Found, number: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    """Every way to go on with a hand that lies there and was not seen for a while."""
    if story.state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        yield from joined(happening, number, story, scene)
        return
    known = matched(happening, story, scene)
    same = known.cost <= LIKE_RECORD * max(1, known.count)
    if same:
        ways = _ordered(happening, number, known, story, scene)
        if ways:
            yield from ways
            return
    for other in joined(happening, number, story, scene):
        yield other.unchanged(ANOTHER_HAND)


def _ordered(
    happening: Found, number: int, known: Matched, story: Story, scene: TableEvidence
) -> list[Story]:
    """The story with what happened meanwhile, in the likeliest orders; none where there is none."""
    linked = replace(known.linked(story), turned=happening.turned_up)
    left = tuple(known.rivers)
    ways = [_Way(linked.unchanged(known.cost), left, tuple(known.sets))]
    found_ways: list[Story] = []
    for _ in range(MOST_EVENTS):
        found_ways += [
            _counted(
                _ready(_turned_up(way.story, happening, number, scene), happening, number),
                happening,
            )
            for way in ways
            if way.done
        ]
        after = [
            new for way in ways if not way.done for new in _next(way, happening, number, scene)
        ]
        after.sort(key=lambda way: way.story.cost)
        ways = after[:BEAM]
        if not ways:
            break
    found_ways.sort(key=lambda one: one.cost)
    return found_ways[:KEPT]


def _next(way: _Way, happening: Found, number: int, scene: TableEvidence) -> Iterator[_Way]:
    """One more event of the turn's seat, or a claim of the last discard."""
    story = way.story
    if story.state.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD):
        return
    yield from _claims(way, happening.time_s, number, scene)
    yield from _kongs(way, happening.time_s, number, scene)
    yield from _discards(way, happening.time_s, number, scene)


def _claims(way: _Way, time_s: float, number: int, scene: TableEvidence) -> Iterator[_Way]:
    state = way.story.state
    last = state.last_discard
    if last is None or last.added_kong:
        return
    lies = way.story.last_tile is not None
    for seat, tiles in way.sets:
        if seat == last.seat or _is_closed(tiles, scene):
            continue
        for claim, cost in claims_shown(state, seat, last.seat, last.tile, tiles, scene):
            points_to = fed_by(SetLaid(time_s, seat, tiles), scene)
            odd = TURNED_OTHERWISE if points_to not in (None, last.seat) else 0.0
            price = cost + odd + (STILL_THERE if lies else 0.0)
            sure = sure_of(cost)
            told = Told(claim, time_s, number, sure, supplied=True)
            claimed = way.story.telling(told, price)
            if claimed is not None:
                yield replace(way, story=claimed, sets=_without(way.sets, (seat, tiles)))


def _kongs(way: _Way, time_s: float, number: int, scene: TableEvidence) -> Iterator[_Way]:
    """Kongs that the seat whose turn it is declares."""
    state = way.story.state
    for seat, tiles in way.sets:
        if seat != state.turn:
            continue
        for claim, cost in set_shown(seat, tiles, state, scene)[:2]:
            if not isinstance(claim, Kong) or claim.kind == "open":
                continue
            told = Told(claim, time_s, number, sure_of(cost), supplied=True)
            declared = way.story.telling(told, cost)
            if declared is not None:
                yield replace(way, story=declared, sets=_without(way.sets, (seat, tiles)))


def _discards(way: _Way, time_s: float, number: int, scene: TableEvidence) -> Iterator[_Way]:
    state, seat = way.story.state, way.story.state.turn
    rarity = Rarity.of(way.story.rules, state)
    for owner, tile, cost in _thrown_next(way, seat, scene):
        for face, face_cost in scene.likely(tile, 2):
            price = face_cost + rarity.cost(face)
            ready = _ready_with(tile, seat, way, scene)
            told = Told(
                Discard(seat, face, ready),
                time_s,
                number,
                sure_of(price),
                tile,
                price,
                supplied=True,
            )
            thrown = way.story.telling(told, price + cost)
            if thrown is not None:
                rivers = list(way.rivers)
                rivers[owner] = tuple(other for other in rivers[owner] if other != tile)
                yield replace(way, story=thrown.holding(tile), rivers=tuple(rivers))
    # A discard that lies in somebody's set now.
    for other, tiles in way.sets:
        if other == seat or _is_closed(tiles, scene):
            continue
        laid = SetLaid(time_s, other, tiles)
        if fed_by(laid, scene) not in (None, seat):
            continue
        for face, cost in may_be_claimed(laid, scene):
            told = Told(Discard(seat, face), time_s, number, 0.9, supplied=True)
            thrown = way.story.telling(told, cost + TAKEN_AT_ONCE)
            if thrown is not None:
                for claimed in _claims(replace(way, story=thrown), time_s, number, scene):
                    if len(claimed.sets) < len(way.sets):
                        yield claimed


def _thrown_next(way: _Way, seat: int, scene: TableEvidence) -> Iterator[tuple[int, int, float]]:
    """Tiles that this seat may have discarded next: in whose river each lies, and the cost."""
    if scene.layout.river == "rows":
        if way.rivers[seat]:
            yield seat, way.rivers[seat][0], 0.0
        return
    for owner, river in enumerate(way.rivers):
        for tile in river:
            _, v = to_seat(scene.tiles[tile].xy_mm, seat)
            near = float(v) / (FAR * scene.tile_mm)
            yield owner, tile, NOT_NEAR / 2 * (1.0 - max(-1.0, min(1.0, near)))


def _ready_with(tile: int, seat: int, way: _Way, scene: TableEvidence) -> bool:
    player = way.story.state.players[seat]
    return scene.layout.turned_is_ready and not player.ready and sideways(scene.tiles[tile], seat)


def _turned_up(story: Story, happening: Found, number: int, scene: TableEvidence) -> Story:
    """The story, with the tiles of the wall that were turned up meanwhile."""
    if story.rules.layout.indicator_at != "wall":
        return story
    known = [indicator.tile for indicator in story.state.indicators]
    for tile in happening.turned_up:
        face = scene.likely(tile, 1)[0][0]
        if face in known:
            known.remove(face)
            continue
        if len(story.state.indicators) >= len(happening.turned_up):
            break
        event = indicator_of(face, story, len(story.state.indicators))
        told = Told(event, happening.time_s, number, scene.tiles[tile].confidence, supplied=True)
        story = story.telling(told) or story
    return story


def _ready(story: Story, happening: Found, number: int) -> Story:
    """The story, with readiness claimed by who has laid the hand down meanwhile."""
    for seat in range(4):
        if happening.down[seat] and not story.state.players[seat].ready:
            signs = laid_down(LaidDown(happening.time_s, seat), number, story)
            story = min(signs, key=lambda way: way.cost)
    return story


def _counted(story: Story, happening: Found) -> Story:
    """The story, with what it costs that the hands hold other numbers of tiles."""
    cost = 0.0
    for seat, player in enumerate(story.state.players):
        size = len(player.hand)
        off = abs(happening.held[seat] - size)
        if seat == story.state.turn and story.state.phase is Phase.TO_DRAW:
            off = min(off, abs(happening.held[seat] - size - 1))  # it may have drawn
        cost += MISCOUNTED * off
    return story.unchanged(cost)


def _is_closed(tiles: Sequence[int], scene: TableEvidence) -> bool:
    return any(scene.tiles[tile].side is Side.BACK for tile in tiles)


def _without(
    sets: tuple[tuple[int, tuple[int, ...]], ...], one: tuple[int, tuple[int, ...]]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple(each for each in sets if each != one)
