"""A hand that the record joins half way: what the table shows, and ``?`` for what nobody saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Claim, Discard, DrawnHand, HandEnd, HandStart, Indicator, Kong, Position
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.telling.costs import NO_SIGN
from vision.telling.scene import TableEvidence, sideways
from vision.telling.sets_shown import set_shown
from vision.telling.story import Story
from vision.tracking.found import Found

MISCOUNTED: Final = 1.5
"""A hand holds one tile more or fewer than was counted."""
ODD_TURN: Final = 2.5
"""The rivers hold one tile more or fewer than the turns of the hand leave there."""
WAYS: Final = 6
WORST: Final = 6.0
"""Ways that cost so much more than the best are not gone on with."""
UNSURE: Final = 0.2
"""How sure it is how a hand ended that nobody saw end."""


@dataclass(frozen=True)
class Beginning:
    """Whose hand it is and who is to act, as far as the table tells."""

    dealer: int
    turn: int
    holds: bool
    """Who is to act holds one tile more than when waiting."""
    cost: float


def joined(found: Found, number: int, story: Story, scene: TableEvidence) -> Iterator[Story]:
    """The ways in which the record may go on with a hand that nobody saw begin."""
    time_s = found.time_s
    before: Story | None = story
    if story.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        before = ended_unseen(story, time_s, number)
    elif story.state.phase is Phase.SETTLED:
        before = story.then(HandEnd(), time_s, number)
    if before is not None and before.state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME):
        before = before.begun(0.0, number)
    if before is None:
        return
    first = before.state.hand_number == 0
    sets = [
        [set_shown(seat, tiles, before.state, scene)[0] for tiles in found.sets[seat]]
        for seat in range(4)
    ]
    claims = [[claim for claim, _ in row] for row in sets]
    ways = beginnings(found, claims, scene.layout.river == "rows")
    if not first:
        ways = [way for way in ways if way.dealer == before.state.dealer]
    for way in sorted(ways, key=lambda one: one.cost)[:WAYS]:
        if way.cost > min(one.cost for one in ways) + WORST:
            continue
        position, sure, heap = _position(found, claims, way, before, scene)
        start = _start(before, way, position, scene) if first else HandStart()
        begun = before.then(start, time_s, number, way.cost)
        if begun is not None:
            told = begun.then(position, time_s, number, sure=sure)
            if told is not None:
                yield replace(told, turned=found.turned_up, heap=heap)


def _start(before: Story, way: Beginning, position: Position, scene: TableEvidence) -> HandStart:
    """The first hand of the record: who has claimed riichi has put down a stick."""
    sticks = len(position.ready or ()) if scene.layout.turned_is_ready else 0
    return before.first_hand(way.dealer, sticks or None)


def ended_unseen(
    story: Story, time_s: float, number: int, over_s: float | None = None
) -> Story | None:
    """The story with the hand over: drawn, or nobody knows how, and a person must look at it.

    ``over_s``: when nobody played any more, where that was before.
    """
    over_s = time_s if over_s is None else over_s
    ended = story.drawn_out(over_s, number)
    if ended is None:
        # Nobody was seen to win, and tiles are left.
        ended = story.then(DrawnHand("exhausted"), time_s, number, NO_SIGN, sure=UNSURE)
    return None if ended is None else ended.then(HandEnd(), time_s, number)


def beginnings(found: Found, claims: Sequence[Sequence[Claim]], in_rows: bool) -> list[Beginning]:
    """Who may have dealt and who is to act, by how much each hand holds and by the rivers.

    Every discard is followed by the next seat's turn, or by that of who claims it. In rows the
    rivers tell how often each seat has discarded; loose discards tell it of all seats together.
    """
    made = [len(river) for river in found.rivers]
    jumps_out, jumps_in, skipped = [0] * 4, [0] * 4, 0
    for seat, row in enumerate(claims):
        for claim in row:
            giver = claim.from_seat
            if giver is None:
                continue  # a closed kong
            made[giver] += 1
            if (seat - giver) % 4 != 1:
                jumps_out[giver] += 1
                jumps_in[seat] += 1
                skipped += (seat - giver - 1) % 4
    ways = []
    for dealer in range(4):
        for turn in range(4):
            for holds in (False, True):
                cost = MISCOUNTED * _miscounted(found, claims, turn if holds else None)
                if in_rows:
                    for seat in range(4):
                        came = (seat == dealer) + made[seat - 1] - jumps_out[seat - 1]
                        came += jumps_in[seat] - (seat == turn and not holds)
                        cost += ODD_TURN * abs(made[seat] + (seat == turn and holds) - came)
                elif (dealer + sum(made) + skipped - turn) % 4:
                    cost += 2 * ODD_TURN
                ways.append(Beginning(dealer, turn, holds, cost))
    return ways


def _miscounted(found: Found, claims: Sequence[Sequence[Claim]], holder: int | None) -> int:
    wanted = [13 - 3 * len(row) + (seat == holder) for seat, row in enumerate(claims)]
    return sum(abs(held - size) for held, size in zip(found.held, wanted, strict=True))


def _position(
    found: Found,
    claims: Sequence[Sequence[Claim]],
    way: Beginning,
    story: Story,
    scene: TableEvidence,
) -> tuple[Position, float, tuple[tuple[int, ...], ...]]:
    """What lies there, how sure its faces are, and the tiles of its rivers."""
    in_play = story.rules.layout.indicator_at == "wall"
    named = [tile for row in claims for claim in row for tile in _tiles_of(claim)]
    left = Counter(story.rules.tiles(story.state.options))
    left.subtract(tile for tile in named if tile.known)
    turned = found.turned_up if in_play else ()
    thrown = [list(river) for river in found.rivers]
    if not in_play and found.turned_up:
        thrown[way.turn - 1] += found.turned_up
    faces, sure = faces_within(
        [*turned, *(tile for river in thrown for tile in river)], left, scene
    )
    rivers = tuple(
        tuple(Discard(seat, faces[tile], _turned_for_ready(tile, seat, scene)) for tile in river)
        for seat, river in enumerate(thrown)
    )
    ready = tuple(
        seat
        for seat in range(4)
        if found.down[seat] or any(discard.ready for discard in rivers[seat])
    )
    hands: list[tuple[Tile, ...]] = [(), (), (), ()]
    if way.holds:
        hands[way.turn] = (UNKNOWN,) * (14 - 3 * len(claims[way.turn]))
    position = Position(
        hands=tuple(hands) if way.holds else None,
        sets=tuple(tuple(row) for row in claims),
        rivers=rivers,
        turn=way.turn,
        ready=ready,
        indicators=tuple(indicator_of(faces[tile], story, at) for at, tile in enumerate(turned)),
    )
    return position, sure, tuple(tuple(river) for river in thrown)


def faces_within(
    tiles: Sequence[int], left: Counter[Tile], scene: TableEvidence
) -> tuple[dict[int, Tile], float]:
    """The likeliest face of each tile of which there are copies left, the surest tiles first.

    Also how sure the least sure one is; ``?`` where nothing that is left is likely.
    """
    faces: dict[int, Tile] = {}
    sure = 1.0
    left = Counter(left)
    for tile in sorted(tiles, key=lambda one: -scene.tiles[one].confidence):
        faces[tile] = UNKNOWN
        placed = scene.tiles[tile]
        for face, _ in scene.likely(tile):
            if face.known and left[face] > 0 and not scene.doubtful(tile):
                faces[tile] = face
                left[face] -= 1
                break
        sure = min(sure, placed.confidence)
    return faces, sure


def _turned_for_ready(tile: int, seat: int, scene: TableEvidence) -> bool:
    return scene.layout.turned_is_ready and sideways(scene.tiles[tile], seat)


def indicator_of(tile: Tile, story: Story, place: int) -> Indicator:
    kind = story.rules.layout.indicator_kind(place)
    assert kind is not None, "asked for games with an indicator in the wall"
    return Indicator(tile, kind)


def _tiles_of(claim: Claim) -> tuple[Tile, ...]:
    if isinstance(claim, Kong):
        return (claim.tile,) * 4
    return (claim.tile, *claim.own)
