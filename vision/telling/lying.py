"""What the record says lies on the table, beside what is seen to lie there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Chow, Discard, HandStart, Kong, Position, Pung
from engine.state import Meld, SetKind
from engine.tiles import Tile
from vision.telling.scene import TableEvidence
from vision.telling.story import Story
from vision.tracking.found import Found

COVERED: Final = 3.0
"""A discard of the record is not seen: something lies on it, or it was taken."""
UNTOLD_BETWEEN: Final = 6.0
"""A face lies between two discards of a row that followed each other."""
UNCOVERED: Final = 0.3
"""A discard that was covered lies there again."""
ALIKE: Final = 4.0
"""A loose tile that fits a discard of the record worse than this is another one."""


@dataclass(frozen=True)
class Lying:
    """A discard of the record that nobody claimed."""

    seat: int
    tile: Tile
    place: int | None
    """Of its event in the story; None for one of a position."""
    id: int | None
    """Of the tile that showed it."""


@dataclass(frozen=True)
class Matched:
    """Which tile is which discard, and what the record does not tell."""

    cost: float
    count: int
    """Discards of the record."""
    ids: dict[int, int]
    """The tile of each discard, by the place of its event in the story."""
    rivers: tuple[tuple[int, ...], ...]
    """Faces that no event tells, by seat."""
    sets: tuple[tuple[int, tuple[int, ...]], ...]
    """Sets that no event tells: whose, and their tiles."""

    def linked(self, story: Story) -> Story:
        """The story with the tiles that show its discards now."""
        told = story.told
        for place, tile in self.ids.items():
            told = told.with_at(place, replace(told[place], tile=tile))
        last = len(told) - 1
        holds = bool(told) and isinstance(told[last].event, Discard)
        return replace(story, told=told, last_tile=self.ids.get(last) if holds else None)


def lying(story: Story) -> list[Lying]:
    """The discards of this hand that were not claimed, in the order of play."""
    begin = next(
        (at for at in reversed(range(len(story.told))) if _begins(story.told[at].event)), 0
    )
    found: list[Lying] = []
    for place in range(begin, len(story.told)):
        told = story.told[place]
        match told.event:
            case Position(rivers=rivers):
                for seat, river in enumerate(rivers or ()):
                    found += [Lying(seat, discard.tile, None, None) for discard in river]
            case Discard(seat=seat, tile=tile):
                found.append(Lying(seat, tile, place, told.tile))
            case Chow(from_seat=giver) | Pung(from_seat=giver) | Kong(kind="open", from_seat=giver):
                _claimed(found, giver)
            case _:
                pass
    return found


def uncovered(tile: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    """The story in which a face that appears is a discard of which no tile was seen so far.

    Something lay on it when the program began.
    """
    for one in lying(story):
        if one.id is None and one.place is not None and one.tile.known:
            cost = scene.cost_of(tile, one.tile)
            if cost < ALIKE:
                told = replace(story.told[one.place], tile=tile)
                yield replace(
                    story,
                    told=story.told.with_at(one.place, told),
                    cost=story.cost + UNCOVERED + cost,
                )
                return


def _begins(event: object) -> bool:
    return isinstance(event, HandStart)


def _claimed(found: list[Lying], giver: int | None) -> None:
    last = next((at for at in reversed(range(len(found))) if found[at].seat == giver), None)
    if last is not None:
        del found[last]


def matched(found: Found, story: Story, scene: TableEvidence) -> Matched:
    """The record's discards and sets beside those that lie there."""
    told = lying(story)
    if scene.layout.river == "rows":
        cost, ids, rivers = _in_rows(told, found, scene)
    else:
        cost, ids, rivers = _loose(told, found, scene)
    sets, set_cost = _sets(found, story, scene)
    return Matched(cost + set_cost, len(told), ids, rivers, sets)


def _in_rows(
    told: Sequence[Lying], found: Found, scene: TableEvidence
) -> tuple[float, dict[int, int], tuple[tuple[int, ...], ...]]:
    total, rivers = 0.0, []
    ids: dict[int, int] = {}
    for seat in range(4):
        expected = [one for one in told if one.seat == seat]
        cost, pairs, rest = _aligned(expected, found.rivers[seat], scene)
        total += cost
        ids |= {one.place: tile for one, tile in pairs if one.place is not None}
        rivers.append(rest)
    return total, ids, tuple(rivers)


def _aligned(
    expected: Sequence[Lying], seen: Sequence[int], scene: TableEvidence
) -> tuple[float, list[tuple[Lying, int]], tuple[int, ...]]:
    """The cheapest way to go along both rows at once; what follows the last pair costs nothing."""
    rows, columns = len(expected), len(seen)
    best: list[list[tuple[float, str]]] = [[(0.0, "")] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            if i == rows:
                best[i][j] = (0.0, "rest")
                continue
            ways = [(COVERED + best[i + 1][j][0], "covered")]
            if j < columns:
                pair = _cost(expected[i], seen[j], scene)
                ways.append((pair + best[i + 1][j + 1][0], "pair"))
                ways.append((UNTOLD_BETWEEN + best[i][j + 1][0], "untold"))
            best[i][j] = min(ways)
    pairs, rest, i, j = [], [], 0, 0
    while i < rows:
        step = best[i][j][1]
        if step == "pair":
            pairs.append((expected[i], seen[j]))
        elif step == "untold":
            rest.append(seen[j])
        i += step != "untold"
        j += step != "covered"
    return best[0][0][0], pairs, (*rest, *seen[j:])


def _loose(
    told: Sequence[Lying], found: Found, scene: TableEvidence
) -> tuple[float, dict[int, int], tuple[tuple[int, ...], ...]]:
    seen = [tile for river in found.rivers for tile in river]
    ways = sorted(
        (_cost(one, tile, scene), at, tile) for at, one in enumerate(told) for tile in seen
    )
    taken: dict[int, int] = {}
    total, used = 0.0, set()
    for cost, at, tile in ways:
        if cost < ALIKE and at not in taken and tile not in used:
            taken[at] = tile
            used.add(tile)
            total += cost
    total += COVERED * (len(told) - len(taken))
    ids = {}
    for at, tile in taken.items():
        place = told[at].place
        if place is not None:
            ids[place] = tile
    rivers = tuple(tuple(tile for tile in river if tile not in used) for river in found.rivers)
    return total, ids, rivers


def _cost(one: Lying, tile: int, scene: TableEvidence) -> float:
    if one.id == tile:
        return 0.0
    return scene.cost_of(tile, one.tile)


def _sets(
    found: Found, story: Story, scene: TableEvidence
) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], float]:
    """Sets that the record does not have; a pung that has grown to a kong is one of them."""
    left: list[tuple[int, tuple[int, ...]]] = []
    cost = 0.0
    for seat in range(4):
        groups = list(found.sets[seat])
        for meld in story.state.players[seat].melds:
            prices = [_meld_cost(meld, group, scene) for group in groups]
            if not prices or min(prices) > ALIKE * 2:
                cost += COVERED
                continue
            at = prices.index(min(prices))
            cost += prices[at]
            grown = meld.kind is SetKind.PUNG and len(groups[at]) == 4
            group = groups.pop(at)
            if grown:
                left.append((seat, group))
        left += [(seat, group) for group in groups]
    return tuple(left), cost


def _meld_cost(meld: Meld, group: Sequence[int], scene: TableEvidence) -> float:
    """What it costs that a group of tiles is this set, whatever the order of its tiles."""
    if len(group) < len(meld.tiles) or (len(group) > len(meld.tiles) and meld.is_kong):
        return 99.0
    rest = list(group)
    cost = 0.0
    for face in meld.tiles:
        prices = [_shows(tile, face, scene) for tile in rest]
        best = min(prices)
        cost += best
        del rest[prices.index(best)]
    return cost


def _shows(tile: int, face: Tile, scene: TableEvidence) -> float:
    """A tile of a closed kong that shows its back may be any."""
    if not scene.tiles[tile].probabilities.any():
        return 0.3
    return scene.cost_of(tile, face)
