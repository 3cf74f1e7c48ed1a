"""The ways to arrange a finished hand in sets, for a scoring by patterns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine import hands
from engine.hands import Group, GroupKind, HandForm
from engine.state import Meld, SetKind
from engine.tiles import Tile

MOST_PENALTIES_OF_ORPHANS: Final = 2
"""003, penalty tiles: thirteen terminals with more of them win by own draw only."""


@dataclass(frozen=True)
class HandPart:
    """A set or the pair."""

    kind: GroupKind
    tile: Tile
    """The tile, or the lowest of a chow."""
    concealed: bool = True
    """Made of drawn tiles only."""
    kong: bool = False

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles; three of them for a kong."""
        if self.kind is GroupKind.CHOW:
            ranks = range(self.tile.rank, self.tile.rank + 3)
            return tuple(Tile(f"{rank}{self.tile.suit}") for rank in ranks)
        return (self.tile,) * (2 if self.kind is GroupKind.PAIR else 3)

    @property
    def has_outer(self) -> bool:
        return any(tile.is_outer for tile in self.tiles)


@dataclass(frozen=True)
class Finish:
    """A finished hand before it is arranged."""

    hand: tuple[Tile, ...]
    """Undeclared tiles with the winning one."""
    melds: tuple[Meld, ...]
    tile: Tile
    """The winning tile."""
    claimed: bool
    """Whether the winning tile is another player's."""
    seat_wind: Tile
    circumstances: frozenset[str] = frozenset()
    """Patterns of how the hand was won."""
    penalty: tuple[Tile, ...] = ()
    """Penalty tiles in the hand."""
    round_wind: Tile | None = None
    """None where the round's wind counts for nothing."""


@dataclass(frozen=True)
class Arrangement:
    """One way to arrange a finished hand."""

    form: HandForm
    parts: tuple[HandPart, ...]
    """The sets and the pair, or seven pairs; empty for thirteen terminals."""
    tiles: tuple[Tile, ...]
    """All tiles, with those of declared sets."""
    closed: bool
    """No set was claimed; the winning tile may have been."""
    seat_wind: Tile
    circumstances: frozenset[str]
    round_wind: Tile | None = None

    @cached_property
    def chow_counts(self) -> Counter[Tile]:
        """Chows by their lowest tile."""
        return Counter(part.tile for part in self.parts if part.kind is GroupKind.CHOW)

    @cached_property
    def triplets(self) -> tuple[Tile, ...]:
        """Pungs and kongs."""
        return tuple(part.tile for part in self.parts if part.kind is GroupKind.PUNG)

    @cached_property
    def pair(self) -> Tile | None:
        """The pair beside the sets."""
        if self.form is not HandForm.SETS:
            return None
        return next(part.tile for part in self.parts if part.kind is GroupKind.PAIR)

    @cached_property
    def concealed_triplets(self) -> int:
        return sum(part.kind is GroupKind.PUNG and part.concealed for part in self.parts)

    @cached_property
    def kongs(self) -> int:
        return sum(part.kong for part in self.parts)

    @cached_property
    def suits(self) -> frozenset[str]:
        return frozenset(tile.suit for tile in self.tiles if tile.suit != "z")

    @cached_property
    def honors(self) -> bool:
        return any(tile.suit == "z" for tile in self.tiles)


def arrangements(finish: Finish, *, heed_penalties: bool = True) -> Iterator[Arrangement]:
    """Every way to arrange the hand; none when it is not complete.

    A claimed tile may finish any set or the pair that holds its kind, and a triplet finished so is
    not concealed. Penalty tiles may not be part of it (003, penalty tiles).
    """
    penalty = Counter(finish.penalty if finish.claimed and heed_penalties else ())
    own = Counter(finish.hand)
    own[finish.tile] -= 1
    declared = tuple(map(_declared, finish.melds))
    for split in hands.splits(finish.hand):
        if not finish.claimed:
            yield _laid_out(finish, HandForm.SETS, (*declared, *(_part(group) for group in split)))
            continue
        for group in dict.fromkeys(split):
            part = _part(group)
            if finish.tile in part.tiles and _free(part, finish.tile, own, penalty):
                place = split.index(group)
                parts = [_part(other, concealed=at != place) for at, other in enumerate(split)]
                yield _laid_out(finish, HandForm.SETS, (*declared, *parts))
    if finish.melds:
        return
    if hands.wins(finish.hand, forms={HandForm.PAIRS}):
        pairs = tuple(
            HandPart(GroupKind.PAIR, tile)
            for tile, count in sorted(Counter(finish.hand).items())
            for _ in range(count // 2)
        )
        if _free(HandPart(GroupKind.PAIR, finish.tile), finish.tile, own, penalty):
            yield _laid_out(finish, HandForm.PAIRS, pairs)
    if hands.wins(finish.hand, forms={HandForm.ORPHANS}):
        matches = penalty[finish.tile] or penalty.total() > MOST_PENALTIES_OF_ORPHANS
        if not matches:
            yield _laid_out(finish, HandForm.ORPHANS, ())


def _laid_out(finish: Finish, form: HandForm, parts: tuple[HandPart, ...]) -> Arrangement:
    return Arrangement(
        form,
        parts,
        (*finish.hand, *(tile for meld in finish.melds for tile in meld.tiles)),
        not any(meld.is_open for meld in finish.melds),
        finish.seat_wind,
        finish.circumstances,
        finish.round_wind,
    )


def _part(group: Group, *, concealed: bool = True) -> HandPart:
    return HandPart(group.kind, group.tile, concealed)


def _declared(meld: Meld) -> HandPart:
    if meld.kind is SetKind.CHOW:
        return HandPart(GroupKind.CHOW, min(meld.tiles), concealed=False)
    return HandPart(GroupKind.PUNG, meld.tiles[0], not meld.is_open, meld.is_kong)


def _free(part: HandPart, tile: Tile, own: Counter[Tile], penalty: Counter[Tile]) -> bool:
    """Whether the other tiles of the set can be tiles that are not penalty tiles."""
    needed = Counter(part.tiles)
    needed[tile] -= 1
    return all(count <= own[kind] - penalty[kind] for kind, count in needed.items())
