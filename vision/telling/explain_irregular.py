"""What no rule allows and people do all the same: told as what it was, and the play goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.events import Discard, Foul, Pung
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.telling.rarity import Rarity
from vision.telling.scene import TableEvidence
from vision.telling.story import Story, Told
from vision.tracking.happenings import Put, SetLaid

AGAINST_THE_ORDER: Final = 5.5
"""Beside what every broken rule costs: a little likelier than that such a tile is none."""
FALSE_SET: Final = 6.0
SURE: Final = 0.9
SEEN_WELL: Final = 3
"""Looks at a tile that is there beyond doubt."""
SEAT_SURE: Final = 2.0
"""So much more speaks for one seat than for any other."""


def against_the_order(
    happening: Put, number: int, story: Story, scene: TableEvidence, face: Tile
) -> Iterator[Story]:
    """A tile put down by a seat whose turn it is not: out of turn, or a second one."""
    seat = max(range(4), key=lambda at: happening.seats[at])
    rest = [score for other, score in enumerate(happening.seats) if other != seat]
    placed = scene.tiles[happening.tile]
    known = happening.tile in scene.present and placed.looks >= SEEN_WELL
    clear = happening.seats[seat] - max(rest) >= SEAT_SURE
    if seat == story.state.turn or not known or not clear:
        return
    if not scene.surely(happening.tile, face, SURE):
        return
    last = story.told[-1].event
    twice = isinstance(last, Discard) and last.seat == seat
    offence = "two_discards" if twice else "discard_out_of_turn"
    price = Rarity.of(story.rules, story.state).cost(face)
    told = Told(Foul(seat, offence, (face,)), happening.time_s, number, price=price)
    fouled = story.telling(told, price + AGAINST_THE_ORDER)
    if fouled is not None:
        # The tile that may be claimed is still the one before it.
        yield fouled if story.last_tile is None else fouled.holding(story.last_tile)


def false_set(
    happening: SetLaid, number: int, story: Story, scene: TableEvidence
) -> Iterator[Story]:
    """Tiles laid open with the last discard that are no set: the claim of it, and the foul."""
    last = story.state.last_discard
    if story.state.phase is not Phase.TO_DRAW or last is None or last.seat == happening.seat:
        return
    if story.last_tile is None or story.last_tile in scene.present:
        return
    faces = _sure_faces(happening.tiles, scene)
    if len(faces) != 3 or last.tile not in faces:
        return
    foul = Foul(happening.seat, "false_set", faces)
    claim = Pung(happening.seat, last.seat, last.tile, (UNKNOWN, UNKNOWN))
    fouled = story.all((foul, claim), happening.time_s, number, FALSE_SET)
    if fouled is not None:
        yield fouled


def _sure_faces(tiles: Sequence[int], scene: TableEvidence) -> tuple[Tile, ...]:
    """The faces of the tiles, where every one is sure; else none."""
    faces = tuple(scene.likely(tile, 1)[0][0] for tile in tiles)
    sure = all(
        face.known and scene.surely(tile, face, SURE)
        for tile, face in zip(tiles, faces, strict=True)
    )
    return faces if sure else ()
